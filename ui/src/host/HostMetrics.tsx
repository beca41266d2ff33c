import { getRouteApi } from "@tanstack/react-router";
import { Charts } from "../charts/Charts";
import type { ChartSpec, LineTone } from "../charts/chart-data";
import { useSeries } from "../charts/useSeries";
import { chartText } from "../messages/charts";
import styles from "./HostPage.module.css";

const route = getRouteApi("/frame/hosts/$host");
const words = chartText.host;

const one = (name: keyof typeof words, tone: LineTone): ChartSpec => ({
  title: words[name],
  lines: [{ name, label: words[name], tone }],
});
const SPECS = [
  one("cpu", "info"),
  one("memory", "sleep"),
  one("disk", "warn"),
  one("load", "quiet"),
  one("running", "ok"),
];

export default function HostMetrics({ name }: { name: string }) {
  const { range = "1h" } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useSeries(["host", name], range, (api, span) => api.host(name, span));
  return (
    <div className={styles.metrics}>
      <Charts
        range={range}
        onRange={(next) => void navigate({ search: (old) => ({ ...old, range: next }), replace: true })}
        query={query}
        specs={SPECS}
      />
    </div>
  );
}
