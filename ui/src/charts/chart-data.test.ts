import { expect, it } from "vitest";
import type { SeriesAnswer } from "../api/series-api";
import { extremes, formatValue, plotOf, stepsOf, textAlternative, topOf } from "./chart-data";
import { readRange, spanOf } from "./range";

const answer: SeriesAnswer = {
  after: "2026-11-16T08:00:00Z",
  before: "2026-11-16T08:03:00Z",
  step_s: 60,
  series: [
    { name: "cpu", unit: "ratio", values: [0.12, null, 0.5] },
    { name: "memory", unit: "bytes", values: [1024, 2048] },
    { name: "disk", unit: "ratio", values: [null, null] },
  ],
};
const line = (name: string, label = name) => ({ name, label, tone: "info" as const });

it("plotOf aligns values with their times", () => {
  const plot = plotOf(answer, { title: "CPU", lines: [line("cpu"), line("disk")] });
  expect(plot?.times).toEqual([1794816000, 1794816060, 1794816120]);
  expect(plot?.lines.map(({ values }) => values)).toEqual([
    [0.12, null, 0.5],
    [null, null, null],
  ]);
});

it("plotOf is undefined without values", () => {
  expect(plotOf(answer, { title: "Disk", lines: [line("disk")] })).toBeUndefined();
  expect(plotOf(answer, { title: "Load", lines: [line("load")] })).toBeUndefined();
});

it("textAlternative describes a chart in words", () => {
  const plot = plotOf(answer, { title: "CPU", lines: [line("cpu", "CPU"), line("disk", "Disk")] });
  expect(plot && textAlternative(plot)).toBe("CPU: last 50%, lowest 12%, highest 50%; Disk: no data");
  expect(extremes([null])).toBeUndefined();
});

it("formatValue formats values in their unit", () => {
  expect(formatValue(0.034, "ratio")).toBe("3.4%");
  expect(formatValue(1.5, "ratio")).toBe("150%");
  expect(formatValue(5 * 1024 * 1024, "bytes")).toBe("5.0 MiB");
  expect(formatValue(0.42, "seconds")).toBe("0.4 s");
  expect(formatValue(125, "seconds")).toBe("2 min 5 s");
  expect(formatValue(1234, "count")).toBe("1,234");
  expect(formatValue(0.25, "count")).toBe("0.3");
});

it("topOf is 1 for ratios and slightly above the maximum for other units", () => {
  const top = (name: string) => {
    const plot = plotOf(answer, { title: name, lines: [line(name)] });
    return plot && topOf(plot);
  };
  expect(top("cpu")).toBe(1);
  expect(top("memory")).toBeCloseTo(2252.8);
  expect(stepsOf("bytes")).toContain(1024);
  expect(stepsOf("count")[0]).toBe(1);
});

it("spanOf rounds to whole minutes", () => {
  expect(spanOf("1h", Date.parse("2026-11-16T08:00:42Z"))).toEqual({
    after: "2026-11-16T07:00:00.000Z",
    before: "2026-11-16T08:00:00.000Z",
  });
  expect(readRange({ range: "7d" })).toEqual({ range: "7d" });
  expect(readRange({ range: "8d" })).toEqual({});
});
