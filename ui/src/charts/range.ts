const HOURS = { "1h": 1, "24h": 24, "7d": 168 };

/** Time range of charts, as in the URL. */
export type ChartRange = keyof typeof HOURS;

export const RANGES = Object.keys(HOURS) as ChartRange[];

export interface RangeSearch {
  range?: ChartRange;
}

export function readRange({ range }: Record<string, unknown>): RangeSearch {
  const found = RANGES.find((each) => each === range);
  return found ? { range: found } : {};
}

/** Start and end in whole minutes, so that the charts of one page align. */
export function spanOf(range: ChartRange, now: number): { after: string; before: string } {
  const before = now - (now % 60_000);
  return {
    after: new Date(before - HOURS[range] * 3_600_000).toISOString(),
    before: new Date(before).toISOString(),
  };
}
