import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import styles from "./Tip.module.css";
import { usePlace } from "./usePlace";

interface Props {
  /** Without words nothing is shown. */
  label: string | undefined;
  children: ReactNode;
}

/** A pointer that only passes by asks for nothing. */
const REST_MS = 250;
/** Time to move over to the words, which can be pointed at too. */
const LEAVE_MS = 120;

/** Words about something, shown while it is pointed at or has the focus. Readers get them from what it holds. */
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
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what happens to what it holds
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

/** Words beside something. */
export function Bubble({ anchor, children }: { anchor: RefObject<HTMLElement | null>; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const { style, place } = usePlace(anchor, box, "center");
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words have another size
  useEffect(place, [place, children]);
  return createPortal(
    <div ref={box} role="tooltip" className={styles.tip} style={style}>
      {children}
    </div>,
    document.body,
  );
}
