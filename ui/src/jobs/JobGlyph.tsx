import type { ReactNode } from "react";
import type { DisplayStatus } from "./job-status";

const ring = <circle cx="7" cy="7" r="4.9" fill="none" stroke="currentColor" strokeWidth="1.6" />;
const half = (
  <>
    {ring}
    <path d="M7 2.1a4.9 4.9 0 0 0 0 9.8Z" fill="currentColor" />
  </>
);

/** Each state has its own shape, so that color is never the only distinction. */
const SHAPES: Record<DisplayStatus, ReactNode> = {
  scheduled: (
    <>
      {ring}
      <path d="M7 4.2V7l2 1.3" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  queued: ring,
  retrying: (
    <path
      d="M11.7 7A4.7 4.7 0 1 1 10.2 3.6M10.7 1.2v2.9H7.8"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  running: half,
  canceling: half,
  succeeded: (
    <path
      d="M2.4 7.6 5.6 10.8 11.6 3.8"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.9"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  failed: (
    <path d="M3 3l8 8M11 3l-8 8" fill="none" stroke="currentColor" strokeWidth="1.9" strokeLinecap="round" />
  ),
  dead_letter: (
    <>
      <rect x="2" y="2" width="10" height="10" rx="1.6" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <rect x="4.7" y="4.7" width="4.6" height="4.6" rx="0.6" fill="currentColor" />
    </>
  ),
  canceled: (
    <>
      {ring}
      <path d="M3.7 10.3l6.6-6.6" stroke="currentColor" strokeWidth="1.6" />
    </>
  ),
};

export function JobGlyph({ status }: { status: DisplayStatus }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
      {SHAPES[status]}
    </svg>
  );
}
