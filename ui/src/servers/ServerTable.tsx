import { Link } from "@tanstack/react-router";
import type { Server } from "../api/model";
import { serversText } from "../messages/servers";
import { DataTable } from "../parts/DataTable";
import { useNow } from "../time/clock";
import { bytes, duration } from "../time/format";
import { addressOf } from "./address";
import { useRequestedJobs } from "./requested-jobs";
import { ServerActions } from "./ServerActions";
import { ServerMark } from "./ServerMark";
import { hasReason, ServerReason } from "./ServerReason";
import styles from "./Servers.module.css";

const words = serversText.columns;

/** Server table; the host column is omitted on the page of a host. */
export function ServerTable({ servers, isOfHost = false }: { servers: Server[]; isOfHost?: boolean }) {
  const requestedJobs = useRequestedJobs();
  return (
    <DataTable
      rows={servers}
      keyOf={(server) => server.id}
      columns={[
        {
          head: words.name,
          cell: (server) => (
            <Link
              to="/servers/$server"
              params={{ server: addressOf(server) }}
              data-row
              className={styles.link}
            >
              {server.name}
            </Link>
          ),
        },
        { head: words.state, cell: (server) => <ServerMark server={server} /> },
        ...(isOfHost
          ? []
          : [
              {
                head: words.host,
                cell: ({ host }: Server) => (
                  <Link to="/hosts/$host" params={{ host }} className={styles.host}>
                    {host}
                  </Link>
                ),
              },
            ]),
        {
          head: words.up,
          isRight: true,
          isEmpty: ({ started_at: at }) => !at,
          cell: (server) => <Uptime server={server} />,
        },
        { head: words.restarts, isRight: true, cell: ({ restarts }) => <Figure>{restarts}</Figure> },
        {
          head: words.cpu,
          isRight: true,
          isEmpty: (server) => typeof server.cpu_percent !== "number",
          cell: ({ cpu_percent: cpu }) => (
            <Figure>{typeof cpu === "number" && serversText.percent(cpu)}</Figure>
          ),
        },
        {
          head: words.memory,
          isRight: true,
          isEmpty: (server) => typeof server.memory_bytes !== "number",
          cell: ({ memory_bytes: memory }) => <Figure>{typeof memory === "number" && bytes(memory)}</Figure>,
        },
        {
          head: words.pid,
          isRight: true,
          isEmpty: ({ pid }) => typeof pid !== "number",
          cell: ({ pid }) => <Figure>{pid}</Figure>,
        },
        {
          head: words.ports,
          isEmpty: ({ spec }) => spec.ports.length === 0,
          cell: ({ spec }) => <Figure>{spec.ports.join(", ")}</Figure>,
        },
      ]}
      actions={(server) => <ServerActions server={server} />}
      detail={(server) => hasReason(server, requestedJobs.get(server.id)) && <ServerReason server={server} />}
    />
  );
}

function Figure({ children }: { children: string | number | false | null | undefined }) {
  const isNone = children === false || children === null || children === undefined || children === "";
  return <span className={isNone ? "faint" : "num dim"}>{isNone ? "–" : children}</span>;
}

/** A separate component, so that only this cell renders every few seconds. */
export function Uptime({ server }: { server: Pick<Server, "started_at" | "is_stale"> }) {
  const now = useNow();
  const { started_at: since, is_stale: isStale } = server;
  return <Figure>{since && !isStale ? duration(now - Date.parse(since)) : null}</Figure>;
}
