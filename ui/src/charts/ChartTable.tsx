import { chartText } from "../messages/charts";
import table from "../parts/Table.module.css";
import { hubNow } from "../time/clock";
import { absolute } from "../time/format";
import { useZoneName } from "../time/zone";
import { formatValue, type Plot } from "./chart-data";
import styles from "./TimeChart.module.css";

/** The values of a chart as a table, newest first. */
export function ChartTable({ title, plot }: { title: string; plot: Plot }) {
  const zone = useZoneName();
  const now = hubNow();
  const rows = plot.times.map((at, index) => ({ at, index })).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: `role="group"` labels a region here; a fieldset is for forms
    <div className={styles.table} tabIndex={0} role="group" aria-label={title}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{chartText.time}</th>
            {plot.lines.map(({ name, label }) => (
              <th key={name} scope="col" className={table.right}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, index }) => (
            <tr key={at}>
              <td className="num">{absolute(at * 1000, zone, now)}</td>
              {plot.lines.map(({ name, values }) => {
                const value = values[index];
                return (
                  <td key={name} className={`${table.right} num`}>
                    {typeof value === "number" ? formatValue(value, plot.unit) : "–"}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
