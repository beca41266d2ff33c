import { getRouteApi } from "@tanstack/react-router";
import { Charts } from "../charts/Charts";
import type { ChartLine, ChartSpec, LineTone } from "../charts/chart-data";
import { useSeries } from "../charts/useSeries";
import { chartText } from "../messages/charts";
import styles from "./OverviewPage.module.css";

const route = getRouteApi("/frame/");
const words = chartText.jobs;

const line = (
  name: Exclude<keyof typeof words, "title" | "finished" | "waitTimes">,
  tone: LineTone,
  isDashed = false,
): ChartLine => ({ name, label: words[name], tone, isDashed });

const SPECS: ChartSpec[] = [
  {
    title: words.finished,
    lines: [line("enqueued", "info", true), line("succeeded", "ok"), line("failed", "bad")],
  },
  { title: words.waitTimes, lines: [line("wait_p50", "info"), line("wait_p95", "warn", true)] },
];

/** Charts of enqueued and finished jobs and of the wait time. */
export default function Throughput() {
  const { range = "1h" } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useSeries(["jobs"], range, (api, span) => api.jobs(span));
  return (
    <section className={styles.wide} aria-label={words.title}>
      <Charts
        title={words.title}
        range={range}
        onRange={(next) => void navigate({ search: (old) => ({ ...old, range: next }), replace: true })}
        query={query}
        specs={SPECS}
      />
    </section>
  );
}
