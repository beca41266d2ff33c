import { useEffect, useState } from "react";

/** Less than this is not reading further down. */
const TOP_PX = 40;

/** Whether somebody reads further down, or is at a row: what comes then must not move the rows. */
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

/** Back to the beginning, where what is new is. */
export function stopReading(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  window.scrollTo({ top: 0 });
}
