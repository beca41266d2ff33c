import { useQuery } from "@tanstack/react-query";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";
import { StatusLabel } from "../jobs/JobMark";
import type { DisplayStatus } from "../jobs/job-status";
import { pingText } from "../messages/pings";
import { DataTable } from "../parts/DataTable";
import page from "../parts/Page.module.css";
import { Time } from "../time/Time";
import { usePingApi } from "./usePingApi";

const words = pingText;
const STATUSES: Record<string, DisplayStatus> = {
  success: "succeeded",
  start: "running",
  fail: "failed",
  log: "queued",
};

/** Received reports, newest first. Their bodies are rendered as text. */
export function PingHistory({ ping }: { ping: string }) {
  const { org } = useSession();
  const api = usePingApi();
  const history = useQuery({
    queryKey: [...keys.pings(org.slug), ping],
    queryFn: () => api.pingHistory(ping),
    refetchInterval: usePollInterval(),
  });
  return (
    <QueryState query={history}>
      {({ items }) =>
        items.length === 0 ? (
          <p className={page.empty}>{words.noReports}</p>
        ) : (
          <DataTable
            rows={items.map((report, index) => ({ ...report, key: `${report.at} ${items.length - index}` }))}
            keyOf={({ key }) => key}
            columns={[
              { head: words.time, cell: ({ at }) => <Time at={at} exact />, isTight: true },
              {
                head: words.report,
                cell: ({ word, exit_code }) => (
                  <>
                    <StatusLabel status={STATUSES[word] ?? "queued"} label={words.reports[word] ?? word} />
                    {typeof exit_code === "number" && <span className="faint"> {words.exit(exit_code)}</span>}
                  </>
                ),
              },
              { head: words.from, cell: ({ address }) => <span className="dim">{address}</span> },
              { head: words.body, cell: ({ body }) => body && <code>{body}</code>, isLong: true },
            ]}
          />
        )
      }
    </QueryState>
  );
}
