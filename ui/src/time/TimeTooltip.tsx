import { useEffect, useRef, useState } from "react";
import { TooltipBox } from "../parts/Tooltip";
import { full } from "./format";
import styles from "./TimeTooltip.module.css";
import { useZoneName } from "./zone";

/** Hover delay, so that a passing pointer shows nothing. */
const HOVER_MS = 300;
/** Time to move the pointer onto the tooltip. */
const LEAVE_MS = 150;

/** Tooltip of all times on hover, tap or focus: viewer's zone, UTC, and the zone of the schedule. */
export default function TimeTooltip() {
  const time = useRef<HTMLTimeElement>(null);
  const [hovered, setHovered] = useState<HTMLTimeElement>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scheduleHover = (next: HTMLTimeElement | undefined, after: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        time.current = next ?? null;
        setHovered(next);
      }, after);
    };
    const onOver = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || target.closest('[role="tooltip"]')) return clearTimeout(timer);
      const next = target.closest<HTMLTimeElement>("time[datetime]") ?? undefined;
      scheduleHover(next, next ? HOVER_MS : LEAVE_MS);
    };
    // A focusable element that contains only a time.
    const onFocus = ({ target }: FocusEvent) => {
      const focusable = target instanceof HTMLElement && target.matches("a, button") ? target : undefined;
      const next = focusable?.querySelector<HTMLTimeElement>("time[datetime]") ?? undefined;
      if (next) scheduleHover(next, 0);
    };
    const hide = () => scheduleHover(undefined, 0);
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && hide();
    document.addEventListener("pointerover", onOver);
    document.addEventListener("focusin", onFocus);
    document.addEventListener("focusout", hide);
    document.addEventListener("keydown", onKey);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerover", onOver);
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("focusout", hide);
      document.removeEventListener("keydown", onKey);
    };
  }, []);
  // The row with this time was removed.
  if (!hovered?.isConnected) return null;
  return (
    <TooltipBox anchor={time}>
      <Clocks at={Date.parse(hovered.dateTime)} planned={hovered.dataset.zone} />
    </TooltipBox>
  );
}

function Clocks({ at, planned }: { at: number; planned: string | undefined }) {
  const zone = useZoneName();
  const zones = [zone, planned, "UTC"].filter(
    (each, index, all): each is string => each !== undefined && all.indexOf(each) === index,
  );
  return (
    <dl className={styles.clocks}>
      {zones.map((each) => (
        <div key={each}>
          <dt>{each}</dt>
          <dd className="num">{full(at, each)}</dd>
        </div>
      ))}
    </dl>
  );
}
