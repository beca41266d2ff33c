import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import styles from "./Tooltip.module.css";
import { useFloatingPosition } from "./useFloatingPosition";

interface Props {
  /** Nothing is shown without a label. */
  label: string | undefined;
  children: ReactNode;
}

/** Hover delay, so that a passing pointer shows nothing. */
const HOVER_DELAY_MS = 250;
/** Time to move the pointer onto the tooltip, which stays open while hovered. */
const LEAVE_MS = 120;

/** Tooltip on hover and focus. For screen readers the child element must carry the text itself. */
export function Tooltip({ label, children }: Props) {
  const anchorRef = useRef<HTMLSpanElement>(null);
  const [isShown, setShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const scheduleShown = (next: boolean, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(next), delayMs);
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
      ref={anchorRef}
      className={styles.anchor}
      onPointerEnter={() => scheduleShown(true, HOVER_DELAY_MS)}
      onPointerLeave={() => scheduleShown(false, LEAVE_MS)}
      onFocus={() => scheduleShown(true, 0)}
      onBlur={() => scheduleShown(false, 0)}
    >
      {children}
      {isShown && label && <TooltipBox anchor={anchorRef}>{label}</TooltipBox>}
    </span>
  );
}

export function TooltipBox({
  anchor,
  children,
}: {
  anchor: RefObject<HTMLElement | null>;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { style, update } = useFloatingPosition(anchor, box, "center");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text changes the size
  useEffect(update, [update, children]);
  return createPortal(
    <div ref={box} role="tooltip" className={styles.tooltip} style={style}>
      {children}
    </div>,
    document.body,
  );
}
