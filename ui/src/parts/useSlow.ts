import { useEffect, useState } from "react";

const NOTICEABLE_MS = 150;

/** True once an operation takes noticeably long, so that quick responses show no spinner. */
export function useSlow(isRunning: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isRunning) {
      setSlow(false);
      return;
    }
    const timer = setTimeout(() => setSlow(true), NOTICEABLE_MS);
    return () => clearTimeout(timer);
  }, [isRunning]);
  return isSlow;
}
