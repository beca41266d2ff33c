import type { SeriesAnswer } from "../api/series-api";

/** Wait and run times in milliseconds, and the success rate; `undefined` without data. */
export interface Figures {
  wait: { p50: number; p95: number } | undefined;
  run: { p50: number; p95: number } | undefined;
  /** Share of succeeded jobs among succeeded and failed ones. */
  success: number | undefined;
}

/** Latest values of the durations, and totals of the finished jobs over the period. */
export function figuresOf({ series }: SeriesAnswer): Figures {
  const values = (name: string) => series.find((each) => each.name === name)?.values ?? [];
  const last = (name: string) => values(name).findLast((value) => value !== null) ?? undefined;
  const sum = (name: string) => values(name).reduce<number>((total, value) => total + (value ?? 0), 0);
  const percentiles = (what: string) => {
    const p50 = last(`${what}_p50`);
    const p95 = last(`${what}_p95`);
    return p50 === undefined || p95 === undefined ? undefined : { p50: p50 * 1000, p95: p95 * 1000 };
  };
  const succeeded = sum("succeeded");
  const finished = succeeded + sum("failed") + sum("dead_letter");
  return {
    wait: percentiles("wait"),
    run: percentiles("run"),
    success: finished > 0 ? succeeded / finished : undefined,
  };
}
