export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Size {
  width: number;
  height: number;
}

export type Align = "start" | "center" | "end";

/** Position of a floating box, in window pixels. */
export interface Position {
  left: number;
  top: number;
  maxHeight: number;
}

/** Distance between the floating box and its anchor. */
const GAP = 4;
/** Minimum distance from the window edge. */
const EDGE = 8;

/** Places a box below its anchor, or above if there is more space, inside the window. */
export function boxPosition(anchor: Box, size: Size, view: Size, align: Align): Position {
  const below = view.height - EDGE - (anchor.bottom + GAP);
  const above = anchor.top - GAP - EDGE;
  const isBelow = size.height <= below || below >= above;
  const maxHeight = Math.max(0, isBelow ? below : above);
  const height = Math.min(size.height, maxHeight);
  const aligned = {
    start: anchor.left,
    center: (anchor.left + anchor.right - size.width) / 2,
    end: anchor.right - size.width,
  }[align];
  const left = Math.max(EDGE, Math.min(aligned, view.width - EDGE - size.width));
  return { left, top: isBelow ? anchor.bottom + GAP : anchor.top - GAP - height, maxHeight };
}
