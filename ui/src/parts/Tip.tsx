import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import styles from "./Tip.module.css";
import { usePlace } from "./usePlace";

interface Props {
  /** Nothing is shown without a label. */
  label: string | undefined;
  children: ReactNode;
}

/** Hover delay, so that a passing pointer shows nothing. */
const REST_MS = 250;
/** Time to move the pointer onto the tooltip, which stays open while hovered. */
const LEAVE_MS = 120;

/** Tooltip on hover and focus. For screen readers the child element must carry the text itself. */
export function Tip({ label, children }: Props) {
  const held = useRef<HTMLSpanElement>(null);
  const [isShown, setShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const soon = (shown: boolean, after: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(shown), after);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!isShown) return;
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && setShown(false);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isShown]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes events of its child
    <span
      ref={held}
      className={styles.held}
      onPointerEnter={() => soon(true, REST_MS)}
      onPointerLeave={() => soon(false, LEAVE_MS)}
      onFocus={() => soon(true, 0)}
      onBlur={() => soon(false, 0)}
    >
      {children}
      {isShown && label && <Bubble anchor={held}>{label}</Bubble>}
    </span>
  );
}

/** The box of a tooltip. */
export function Bubble({ anchor, children }: { anchor: RefObject<HTMLElement | null>; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const { style, place } = usePlace(anchor, box, "center");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text changes the size
  useEffect(place, [place, children]);
  return createPortal(
    <div ref={box} role="tooltip" className={styles.tip} style={style}>
      {children}
    </div>,
    document.body,
  );
}
