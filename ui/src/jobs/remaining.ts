/** Before this much of the way, or of time, nothing can be foretold. */
const PERCENT_MIN = 3;
const TOOK_MIN_MS = 5000;

/** How long a job still takes if it goes on as it did; nothing while that cannot be told. */
export function remaining(percent: number, tookMs: number | undefined): number | undefined {
  if (tookMs === undefined || tookMs < TOOK_MIN_MS || percent < PERCENT_MIN || percent >= 100)
    return undefined;
  return (tookMs * (100 - percent)) / percent;
}
