import { useEffect, useState } from "react";

/** Scroll distance from which the user counts as reading. */
const TOP_PX = 40;

/** Whether the user has scrolled down or focused a row; new rows must not move the list then. */
export function useReading(): boolean {
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    const look = () => setReading(window.scrollY >= TOP_PX || isAtRow());
    look();
    window.addEventListener("scroll", look, { passive: true });
    document.addEventListener("focusin", look);
    document.addEventListener("focusout", look);
    return () => {
      window.removeEventListener("scroll", look);
      document.removeEventListener("focusin", look);
      document.removeEventListener("focusout", look);
    };
  }, []);
  return isReading;
}

function isAtRow(): boolean {
  return Boolean(document.activeElement?.closest("[data-row]"));
}

/** Scrolls to the top and releases the focus, so that new rows are shown. */
export function stopReading(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  window.scrollTo({ top: 0 });
}
