import type { ReactNode } from "react";
import type { ServerState } from "../api/model";

const line = { fill: "none", stroke: "currentColor", strokeWidth: 1.7, strokeLinecap: "round" } as const;
const ring = <circle cx="7" cy="7" r="4.9" {...line} />;

/** Each state has its own shape, so that color is never the only distinction. */
const SHAPES: Record<ServerState, ReactNode> = {
  running: <path d="M3.6 2.2v9.6L12 7Z" fill="currentColor" />,
  starting: (
    <>
      {ring}
      <path d="M7 2.1a4.9 4.9 0 0 1 0 9.8Z" fill="currentColor" />
    </>
  ),
  stopping: (
    <>
      {ring}
      <path d="M7 2.1a4.9 4.9 0 0 0 0 9.8Z" fill="currentColor" />
    </>
  ),
  waiting: (
    <>
      {ring}
      <path d="M7 4.2V7l2 1.3" {...line} />
    </>
  ),
  crash_loop: <path d="M11.7 7A4.7 4.7 0 1 1 10.2 3.6M10.7 1.2v2.9H7.8" {...line} strokeLinejoin="round" />,
  failed: <path d="M3 3l8 8M11 3l-8 8" {...line} />,
  stopped: <rect x="2.9" y="2.9" width="8.2" height="8.2" rx="1.2" {...line} />,
};

export function ServerGlyph({ state }: { state: ServerState }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
      {SHAPES[state]}
    </svg>
  );
}
