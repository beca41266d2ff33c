import "./uplot.css";
import { Button, useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import { chartText } from "../messages/charts";
import { Panel } from "../parts/Panel";
import { hubNow } from "../time/clock";
import { absolute } from "../time/format";
import { useZoneName } from "../time/zone";
import { ChartTable } from "./ChartTable";
import { extremes, formatValue, type Plot, textAlternative } from "./chart-data";
import styles from "./TimeChart.module.css";
import { optionsOf } from "./uplot-options";

const HEIGHT = 150;

interface Props {
  title: string;
  plot: Plot | undefined;
  syncKey: string;
}

/** Line chart with crosshair, table view and text alternative. */
export function TimeChart({ title, plot, syncKey }: Props) {
  const [isTable, setTable] = useState(false);
  const [index, setIndex] = useState<number>();
  return (
    <Panel
      title={title}
      aside={
        plot && (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? chartText.asChart : chartText.asTable}
          </Button>
        )
      }
    >
      {!plot && <p className="dim">{chartText.none}</p>}
      {plot && <Legend plot={plot} index={isTable ? undefined : index} />}
      {plot && isTable && <ChartTable title={title} plot={plot} />}
      {plot && !isTable && <Lines plot={plot} syncKey={syncKey} onCursor={setIndex} />}
    </Panel>
  );
}

/** Legend with the values under the crosshair, or the latest values. */
function Legend({ plot, index }: { plot: Plot; index: number | undefined }) {
  const zone = useZoneName();
  const at = index === undefined ? undefined : plot.times[index];
  return (
    <p className={styles.legend}>
      <span className={styles.at}>
        {at === undefined ? chartText.now : absolute(at * 1000, zone, hubNow())}
      </span>
      {plot.lines.map(({ name, label, tone, isDashed, values }) => {
        const value = index === undefined ? extremes(values)?.last : values[index];
        return (
          <span key={name} className={styles.entry} data-tone={tone} data-dashed={isDashed || undefined}>
            {plot.lines.length > 1 && label}
            <strong className="num">{typeof value === "number" ? formatValue(value, plot.unit) : "–"}</strong>
          </span>
        );
      })}
    </p>
  );
}

interface LinesProps {
  plot: Plot;
  syncKey: string;
  onCursor: (index: number | undefined) => void;
}

function Lines({ plot, syncKey, onCursor }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const zone = useZoneName();
  // uPlot reads the colors once, when the chart is created.
  const scheme = useComputedColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the color scheme changes the colors
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const style = getComputedStyle(element);
    const options = optionsOf(plot, {
      width: element.clientWidth,
      height: HEIGHT,
      zone,
      syncKey,
      color: (token) => style.getPropertyValue(`--${token}`).trim(),
      onCursor,
    });
    const chart = new uPlot(options, [plot.times, ...plot.lines.map(({ values }) => values)], element);
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [plot, zone, syncKey, onCursor, scheme]);
  return <div ref={box} className={styles.chart} role="img" aria-label={textAlternative(plot)} />;
}
