import { useEffect, useState } from "react";

const NOTICEABLE_MS = 150;

/** True once something has been going on long enough to be noticed: quick answers should not flicker. */
export function useSlow(isGoing: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isGoing) {
      setSlow(false);
      return;
    }
    const timer = setTimeout(() => setSlow(true), NOTICEABLE_MS);
    return () => clearTimeout(timer);
  }, [isGoing]);
  return isSlow;
}
