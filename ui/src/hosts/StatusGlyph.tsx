import type { ReactNode } from "react";
import type { HostStatus } from "../api/model";

/** Each state has its own shape, so that color is never the only distinction. */
const SHAPES: Record<HostStatus, ReactNode> = {
  online: <circle cx="7" cy="7" r="4.5" fill="currentColor" />,
  degraded: <path d="M7 1.4 12.6 7 7 12.6 1.4 7Z" fill="currentColor" />,
  offline: <path d="M7 1.8 13 12.2H1Z" fill="currentColor" />,
  asleep: <path d="M8.2 1.6a5.6 5.6 0 1 0 4.2 7.7A4.9 4.9 0 0 1 8.2 1.6Z" fill="currentColor" />,
  paused: (
    <>
      <rect x="3" y="2" width="2.9" height="10" rx="0.9" fill="currentColor" />
      <rect x="8.1" y="2" width="2.9" height="10" rx="0.9" fill="currentColor" />
    </>
  ),
  pending: (
    <circle
      cx="7"
      cy="7"
      r="4.7"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeDasharray="2.6 2.32"
    />
  ),
  revoked: (
    <path
      d="M3.5 10.5l7-7M7 1.9a5.1 5.1 0 1 0 0 10.2A5.1 5.1 0 0 0 7 1.9Z"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
    />
  ),
};

export function StatusGlyph({ status }: { status: HostStatus }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
      {SHAPES[status]}
    </svg>
  );
}
