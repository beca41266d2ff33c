import { type CSSProperties, type RefObject, useCallback, useEffect, useState } from "react";
import { type Align, boxPosition, type Position } from "./box-position";

/** Keeps a floating box at its anchor on scroll and resize. */
export function useFloatingPosition(
  anchor: RefObject<HTMLElement | null>,
  floating: RefObject<HTMLElement | null>,
  align: Align,
): { style: CSSProperties; isPositioned: boolean; update: () => void } {
  const [position, setPosition] = useState<Position>();
  const isPositioned = position !== undefined;

  const measure = useCallback(() => {
    const [from, box] = [anchor.current, floating.current];
    if (!from || !box) return;
    // The wrapper of a tooltip has no box of its own; use its child.
    const target = from.getClientRects().length > 0 ? from : from.firstElementChild;
    if (!target) return;
    const size = { width: box.offsetWidth, height: box.scrollHeight + box.offsetHeight - box.clientHeight };
    const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const next = boxPosition(target.getBoundingClientRect(), size, view, align);
    setPosition((old) => (old && isSame(old, next) ? old : next));
  }, [anchor, floating, align]);

  useEffect(() => {
    if (!isPositioned || !floating.current) return;
    const observer = new ResizeObserver(measure);
    observer.observe(floating.current);
    window.addEventListener("resize", measure);
    window.addEventListener("scroll", measure, true);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", measure);
      window.removeEventListener("scroll", measure, true);
    };
  }, [isPositioned, measure, floating]);

  return { isPositioned, update: measure, style: position ?? HIDDEN };
}

/** Hidden until its size is measured. */
const HIDDEN: CSSProperties = { visibility: "hidden", left: 0, top: 0 };

function isSame(one: Position, other: Position): boolean {
  return one.left === other.left && one.top === other.top && one.maxHeight === other.maxHeight;
}
