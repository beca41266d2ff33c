import type { Series, SeriesAnswer, SeriesUnit } from "../api/series-api";
import { chartText } from "../messages/charts";
import { bytes, duration } from "../time/format";

/** Line colors, by token of the theme. */
export type LineTone = "info" | "sleep" | "warn" | "ok" | "bad" | "dead" | "quiet";

/** A chart line: series name of the hub, label and style. */
export interface ChartLine {
  name: string;
  label: string;
  tone: LineTone;
  /** Distinguishes lines by more than color. */
  isDashed?: boolean;
}

export interface ChartSpec {
  title: string;
  lines: readonly ChartLine[];
}

export interface Plot {
  unit: SeriesUnit;
  /** Unix times in seconds, one per step. */
  times: number[];
  lines: (ChartLine & { values: (number | null)[] })[];
}

/** Collects the lines of a chart; `undefined` if the hub has no values for them. */
export function plotOf(response: SeriesAnswer, { lines }: ChartSpec): Plot | undefined {
  const found = lines.flatMap((line) => {
    const series = response.series.find(({ name }) => name === line.name);
    return series ? [{ line, series }] : [];
  });
  const [first] = found;
  if (!first || !found.some(({ series }) => series.values.some((value) => value !== null))) return undefined;
  const start = Date.parse(response.after) / 1000;
  const length = Math.max(...found.map(({ series }) => series.values.length));
  return {
    unit: first.series.unit,
    times: Array.from({ length }, (_, index) => start + index * response.step_s),
    lines: found.map(({ line, series }) => ({ ...line, values: padded(series, length) })),
  };
}

function padded({ values }: Series, length: number): (number | null)[] {
  return Array.from({ length }, (_, index) => values[index] ?? null);
}

export interface Extremes {
  last: number;
  min: number;
  max: number;
}

/** Last, lowest and highest value; `undefined` without values. */
export function extremes(values: readonly (number | null)[]): Extremes | undefined {
  const measured = values.filter((value) => value !== null);
  const last = measured.at(-1);
  if (last === undefined) return undefined;
  const [min, max] = measured.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    last,
    last,
  ] as [number, number]);
  return { last, min, max };
}

/** Formats a value in its unit. */
export function formatValue(value: number, unit: SeriesUnit): string {
  switch (unit) {
    case "ratio":
      return chartText.percent(value * 100);
    case "bytes":
      return bytes(value);
    case "seconds":
      return value < 60 ? chartText.seconds(value) : duration(value * 1000);
    default:
      return chartText.count(value);
  }
}

/** Text alternative of a chart for screen readers. */
export function textAlternative({ unit, lines }: Plot): string {
  const format = (value: number) => formatValue(value, unit);
  return lines
    .map(({ label, values }) => {
      const found = extremes(values);
      if (!found) return chartText.textAlternativeNone(label);
      return chartText.textAlternative(label, format(found.last), format(found.min), format(found.max));
    })
    .join("; ");
}

/** Upper end of the scale: 1 for ratios, else slightly above the highest value. The lower end is 0. */
export function topOf({ unit, lines }: Plot): number {
  const max = Math.max(0, ...lines.map(({ values }) => extremes(values)?.max ?? 0));
  if (unit === "ratio") return Math.max(1, max);
  if (unit === "count") return Math.max(1, max * 1.1);
  return max > 0 ? max * 1.1 : 1;
}

/** Grid steps: integers for counts, powers of two for bytes. */
export function stepsOf(unit: SeriesUnit): number[] {
  if (unit === "bytes") return Array.from({ length: 50 }, (_, power) => 2 ** power);
  if (unit === "ratio") return [0.25, 0.5, 1, 2, 4, 8, 16, 32];
  const min = unit === "count" ? 0 : -2;
  return Array.from({ length: 10 }, (_, power) =>
    [1, 2, 5].map((digit) => digit * 10 ** (power + min)),
  ).flat();
}
