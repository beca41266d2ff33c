import { getRouteApi } from "@tanstack/react-router";
import type { Server } from "../api/model";
import { Charts } from "../charts/Charts";
import type { ChartSpec } from "../charts/chart-data";
import { useSeries } from "../charts/useSeries";
import { chartText } from "../messages/charts";
import { serverText } from "../messages/server";
import styles from "./ServerPage.module.css";

const route = getRouteApi("/frame/servers/$server");
const words = chartText.server;

const SPECS: ChartSpec[] = [
  { title: words.cpu, lines: [{ name: "cpu", label: words.cpu, tone: "info" }] },
  { title: words.memory, lines: [{ name: "memory", label: words.memory, tone: "sleep" }] },
];

/** Resource usage of a server over time. */
export default function ServerCharts({ server }: { server: Server }) {
  const { range = "1h" } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useSeries(["server", server.id], range, (api, span) => api.server(server.id, span));
  return (
    <div className={styles.charts}>
      <Charts
        title={serverText.usage}
        range={range}
        onRange={(next) => void navigate({ search: (old) => ({ ...old, range: next }), replace: true })}
        query={query}
        specs={SPECS}
      />
    </div>
  );
}
