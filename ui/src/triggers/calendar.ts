export const DAY_MS = 86_400_000;

export type CalendarSpan = "day" | "week";

/** A trigger with its next runs, limited to the requested number. */
export interface Times<T> {
  trigger: T;
  times: number[];
  /** Whether it has more runs. */
  isTruncated: boolean;
}

export interface Frequent<T> {
  trigger: T;
  every: number;
  count: number;
}

export interface PlannedRun<T> {
  trigger: T;
  at: number;
}

/** Triggers with more runs in the span are shown as a count. */
const SINGLE_MAX: Record<CalendarSpan, number> = { day: 12, week: 28 };

export function lengthOf(span: CalendarSpan): number {
  return span === "day" ? DAY_MS : 7 * DAY_MS;
}

/** Splits triggers into single runs in order and frequent ones with a count. */
export function planRuns<T>(all: Times<T>[], from: number, span: CalendarSpan) {
  const until = from + lengthOf(span);
  const single: PlannedRun<T>[] = [];
  const frequent: Frequent<T>[] = [];
  for (const { trigger, times, isTruncated } of all) {
    const within = times.filter((at) => at >= from && at < until);
    if (within.length <= SINGLE_MAX[span]) {
      single.push(...within.map((at) => ({ trigger, at })));
      continue;
    }
    const every = medianInterval(within);
    const isWhole = !isTruncated || within.length < times.length;
    frequent.push({ trigger, every, count: isWhole ? within.length : Math.round((until - from) / every) });
  }
  return {
    single: single.toSorted((a, b) => a.at - b.at),
    frequent: frequent.toSorted((a, b) => a.every - b.every),
  };
}

/** Median interval, which is robust against clock changes and weekends. */
function medianInterval(times: number[]): number {
  const intervals = times.slice(1).map((at, index) => at - (times[index] ?? at));
  return intervals.toSorted((a, b) => a - b)[Math.floor(intervals.length / 2)] ?? 0;
}

/** Groups runs by local day, including empty days. */
export function runsByDay<T>(runs: PlannedRun<T>[], from: number, span: CalendarSpan, zone: string) {
  const days: { day: string; at: number; runs: PlannedRun<T>[] }[] = [];
  const until = from + lengthOf(span);
  for (let at = from; at < until; at += DAY_MS / 4) {
    const day = dayOf(at, zone);
    if (days.at(-1)?.day !== day) days.push({ day, at, runs: [] });
  }
  for (const run of runs) {
    const day = dayOf(run.at, zone);
    days.find((each) => each.day === day)?.runs.push(run);
  }
  return days;
}

function dayOf(at: number, zone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(at);
}
