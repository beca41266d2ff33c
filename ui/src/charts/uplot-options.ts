import uPlot from "uplot";
import { formatValue, type Plot, stepsOf, topOf } from "./chart-data";

interface ChartOptions {
  width: number;
  height: number;
  zone: string;
  /** Charts with the same key share their crosshair. */
  syncKey: string;
  /** Resolves a color token of the theme. */
  color: (token: string) => string;
  onCursor: (index: number | undefined) => void;
}

const DAY_S = 86_400;
const FONT = '11px "Inter Variable", system-ui, sans-serif';

export function optionsOf(plot: Plot, options: ChartOptions): uPlot.Options {
  const { color, zone, onCursor } = options;
  const span = (plot.times.at(-1) ?? 0) - (plot.times[0] ?? 0);
  const axis = {
    stroke: color("faint"),
    font: FONT,
    grid: { stroke: color("line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: options.width,
    height: options.height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
    padding: [8, 16, 0, 0],
    legend: { show: false },
    scales: { x: { time: true }, y: { range: [0, topOf(plot)] } },
    axes: [
      { ...axis, space: 70, size: 26, values: (_, splits) => splits.map((at) => clock(at, zone, span)) },
      {
        ...axis,
        size: 62,
        space: 34,
        incrs: stepsOf(plot.unit),
        values: (_, splits) => splits.map((value) => formatValue(value, plot.unit)),
      },
    ],
    cursor: {
      sync: { key: options.syncKey, setSeries: false },
      drag: { x: false, y: false },
      points: { size: 6 },
      y: false,
    },
    series: [
      {},
      ...plot.lines.map(
        ({ label, tone, isDashed }): uPlot.Series => ({
          label,
          stroke: color(tone),
          width: 1.6,
          points: { show: false },
          ...(isDashed ? { dash: [5, 4] } : {}),
          ...(plot.lines.length === 1 ? { fill: `color-mix(in srgb, ${color(tone)} 10%, transparent)` } : {}),
        }),
      ),
    ],
    hooks: { setCursor: [(chart) => onCursor(chart.cursor.idx ?? undefined)] },
  };
}

/** Axis label: time of day, or the date if the chart spans several days. */
function clock(seconds: number, zone: string, span: number): string {
  const parts: Intl.DateTimeFormatOptions =
    span > DAY_S
      ? { day: "numeric", month: "short" }
      : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...parts }).format(seconds * 1000);
}
