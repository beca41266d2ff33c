import { useEffect, useState } from "react";

/** Scroll distance from which the user counts as reading. */
const TOP_PX = 40;

/** Whether the user has scrolled down or focused a row; new rows must not move the list then. */
export function useReading(): boolean {
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    const update = () => setReading(window.scrollY >= TOP_PX || isRowFocused());
    update();
    window.addEventListener("scroll", update, { passive: true });
    document.addEventListener("focusin", update);
    document.addEventListener("focusout", update);
    return () => {
      window.removeEventListener("scroll", update);
      document.removeEventListener("focusin", update);
      document.removeEventListener("focusout", update);
    };
  }, []);
  return isReading;
}

function isRowFocused(): boolean {
  return Boolean(document.activeElement?.closest("[data-row]"));
}

/** Scrolls to the top and releases the focus, so that new rows are shown. */
export function stopReading(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  window.scrollTo({ top: 0 });
}
