import type { UseQueryResult } from "@tanstack/react-query";
import { useId, useMemo } from "react";
import { QueryState } from "../admin/QueryState";
import type { SeriesAnswer } from "../api/series-api";
import { chartText } from "../messages/charts";
import { Segments } from "../parts/Segments";
import { type ChartSpec, plotOf } from "./chart-data";
import { type ChartRange, RANGES } from "./range";
import { TimeChart } from "./TimeChart";
import styles from "./TimeChart.module.css";

interface Props {
  /** Shown beside the range selector. */
  title?: string;
  range: ChartRange;
  onRange: (range: ChartRange) => void;
  query: UseQueryResult<SeriesAnswer>;
  specs: readonly ChartSpec[];
}

/** Charts of one subject with a shared range and crosshair. */
export function Charts({ title, range, onRange, query, specs }: Props) {
  return (
    <div className={styles.charts}>
      <div className={styles.head}>
        {title && <h2>{title}</h2>}
        <Segments
          label={chartText.range}
          value={range}
          onChange={onRange}
          choices={RANGES.map((value) => ({ value, label: chartText.ranges[value] }))}
        />
      </div>
      <QueryState query={query}>{(response) => <Grid response={response} specs={specs} />}</QueryState>
    </div>
  );
}

function Grid({ response, specs }: { response: SeriesAnswer; specs: readonly ChartSpec[] }) {
  const syncKey = useId();
  // Memoized, because a new plot object recreates the chart.
  const plots = useMemo(
    () => specs.map((spec) => ({ ...spec, plot: plotOf(response, spec) })),
    [response, specs],
  );
  return (
    <div className={styles.grid}>
      {plots.map(({ title, plot }) => (
        <TimeChart key={title} title={title} plot={plot} syncKey={syncKey} />
      ))}
    </div>
  );
}
