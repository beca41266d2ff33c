/** Browsers cannot lay out an element as tall as a million lines, so the scroll position of taller logs is scaled. */
export const SPACER_MAX_PX = 6_000_000;

export interface Scroll {
  /** Scroll position of the browser. */
  physical: number;
  /** Position in the whole log, in pixels. */
  virtual: number;
}

export interface Extent {
  content: number;
  /** Height of the visible area. */
  view: number;
}

export function spacerHeight({ content }: Extent): number {
  return Math.min(content, SPACER_MAX_PX);
}

/** Scroll position for a position in the log. */
export function physicalPosition(virtual: number, extent: Extent): number {
  const maxScroll = extent.content - extent.view;
  if (maxScroll <= 0) return 0;
  if (extent.content <= SPACER_MAX_PX) return clamp(virtual, 0, maxScroll);
  return clamp(
    (virtual / maxScroll) * (spacerHeight(extent) - extent.view),
    0,
    spacerHeight(extent) - extent.view,
  );
}

/** Log position after scrolling: small moves are exact, jumps are proportional. */
export function nextScroll(before: Scroll, physical: number, extent: Extent): Scroll {
  const maxScroll = Math.max(0, extent.content - extent.view);
  if (extent.content <= SPACER_MAX_PX) return { physical, virtual: clamp(physical, 0, maxScroll) };
  const end = spacerHeight(extent) - extent.view;
  const moved = physical - before.physical;
  if (physical <= 0) return { physical, virtual: 0 };
  if (physical >= end - 1) return { physical, virtual: maxScroll };
  const isJump = Math.abs(moved) > extent.view * 2;
  const virtual = isJump ? (physical / end) * maxScroll : before.virtual + moved;
  return { physical, virtual: clamp(virtual, 0, maxScroll) };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

/** Rows in the DOM while lines are wrapped. */
const WRAPPED_ROWS = 1000;

/** Rows in the DOM while lines are wrapped: those before `end`, or the last ones. */
export function wrappedWindow(count: number, end: number | undefined): { first: number; last: number } {
  const last = clamp(end ?? count, Math.min(count, WRAPPED_ROWS), count);
  return { first: Math.max(0, last - WRAPPED_ROWS), last };
}
