import { expect, it } from "vitest";
import type { SeriesAnswer } from "../api/series-api";
import { figuresOf } from "./figures";

const answer = (series: Record<string, (number | null)[]>) =>
  ({
    series: Object.entries(series).map(([name, values]) => ({ name, unit: "count", values })),
  }) as unknown as SeriesAnswer;

it("figuresOf takes the latest durations and totals the finished jobs", () => {
  const figures = figuresOf(
    answer({
      succeeded: [90, null, 9],
      failed: [0, null, 1],
      dead_letter: [0, null, 0],
      wait_p50: [9, 0.4, null],
      wait_p95: [9, 3.1, null],
    }),
  );
  expect(figures.wait).toEqual({ p50: 400, p95: 3100 });
  expect(figures.run).toBeUndefined();
  expect(figures.success).toBeCloseTo(0.99);
});

it("figuresOf is undefined without data", () => {
  expect(figuresOf(answer({ succeeded: [0], failed: [0] })).success).toBeUndefined();
});
