import { type CSSProperties, type RefObject, useCallback, useEffect, useState } from "react";
import { type Align, placed, type Spot } from "./place";

/** Keeps a floating box at its anchor on scroll and resize. */
export function usePlace(
  anchor: RefObject<HTMLElement | null>,
  floating: RefObject<HTMLElement | null>,
  align: Align,
): { style: CSSProperties; isPlaced: boolean; place: () => void } {
  const [spot, setSpot] = useState<Spot>();
  const isPlaced = spot !== undefined;

  const measure = useCallback(() => {
    const [from, box] = [anchor.current, floating.current];
    if (!from || !box) return;
    // The wrapper of a tooltip has no box of its own; use its child.
    const held = from.getClientRects().length > 0 ? from : from.firstElementChild;
    if (!held) return;
    const size = { width: box.offsetWidth, height: box.scrollHeight + box.offsetHeight - box.clientHeight };
    const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const next = placed(held.getBoundingClientRect(), size, view, align);
    setSpot((old) => (old && isSame(old, next) ? old : next));
  }, [anchor, floating, align]);

  useEffect(() => {
    if (!isPlaced || !floating.current) return;
    const watcher = new ResizeObserver(measure);
    watcher.observe(floating.current);
    window.addEventListener("resize", measure);
    window.addEventListener("scroll", measure, true);
    return () => {
      watcher.disconnect();
      window.removeEventListener("resize", measure);
      window.removeEventListener("scroll", measure, true);
    };
  }, [isPlaced, measure, floating]);

  return { isPlaced, place: measure, style: spot ?? HIDDEN };
}

/** Hidden until its size is measured. */
const HIDDEN: CSSProperties = { visibility: "hidden", left: 0, top: 0 };

function isSame(one: Spot, other: Spot): boolean {
  return one.left === other.left && one.top === other.top && one.maxHeight === other.maxHeight;
}
