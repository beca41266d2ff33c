import { Link } from "@tanstack/react-router";
import type { HostStatus } from "../api/model";
import { StatusGlyph } from "../hosts/StatusGlyph";
import { StatusMark } from "../hosts/StatusMark";
import { HOST_STATUSES, hostTone } from "../hosts/status";
import { useHostStatus } from "../hosts/useHostStatus";
import { useHosts } from "../hosts/useHosts";
import { text } from "../messages";
import { overviewText } from "../messages/overview";
import { Panel } from "../parts/Panel";
import styles from "./OverviewPage.module.css";

const UNHEALTHY: HostStatus[] = ["offline", "degraded", "asleep", "paused", "pending"];
const ROWS_MAX = 5;

/** Host counts by status, and the hosts that are not online. */
export function HostsPanel() {
  const { counts, total } = useHostStatus();
  const hosts = useHosts({ status: UNHEALTHY.join(",") });
  const rows = hosts.data?.toSorted((a, b) => UNHEALTHY.indexOf(a.status) - UNHEALTHY.indexOf(b.status));
  return (
    <Panel title={overviewText.hosts} aside={<Link to="/hosts">{overviewText.allHosts}</Link>}>
      <div className={styles.counts}>
        {HOST_STATUSES.filter((status) => counts[status] || status === "online").map((status) => (
          <Link
            key={status}
            to="/hosts"
            search={{ status }}
            className={styles.count}
            data-tone={hostTone(status)}
            data-zero={!counts[status] || undefined}
          >
            <StatusGlyph status={status} />
            <strong className="num">{(counts[status] ?? 0).toLocaleString("en")}</strong>
            {text.status[status]}
          </Link>
        ))}
      </div>
      {rows?.length === 0 && (
        <p className="dim small">{total === 0 ? overviewText.hostsNone : overviewText.hostsHealthy}</p>
      )}
      <ul className={styles.lines}>
        {rows?.slice(0, ROWS_MAX).map((host) => (
          <li key={host.id} className={styles.line}>
            <Link
              to="/hosts/$host"
              params={{ host: host.name }}
              className={styles.host}
              title={host.name}
              data-row
            >
              {host.name}
            </Link>
            <span className={styles.middle}>
              <StatusMark host={host} />
            </span>
          </li>
        ))}
      </ul>
      {rows && rows.length > ROWS_MAX && (
        <Link to="/hosts" search={{ status: UNHEALTHY.join(",") }} className={styles.rest}>
          {overviewText.moreHosts(rows.length - ROWS_MAX)}
        </Link>
      )}
    </Panel>
  );
}
