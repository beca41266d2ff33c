/** Minimum progress and running time for an estimate. */
const PERCENT_MIN = 3;
const TOOK_MIN_MS = 5000;

/** Estimated remaining time at constant speed; `undefined` without an estimate. */
export function remainingTime(percent: number, tookMs: number | undefined): number | undefined {
  if (tookMs === undefined || tookMs < TOOK_MIN_MS || percent < PERCENT_MIN || percent >= 100)
    return undefined;
  return (tookMs * (100 - percent)) / percent;
}
