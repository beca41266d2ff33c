import { useEffect, useState } from "react";

/** Less than this is not reading further down. */
const TOP_PX = 40;

/** Whether the page is scrolled to its beginning. */
export function useAtTop(): boolean {
  const [isAtTop, setAtTop] = useState(true);
  useEffect(() => {
    const look = () => setAtTop(window.scrollY < TOP_PX);
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  return isAtTop;
}
