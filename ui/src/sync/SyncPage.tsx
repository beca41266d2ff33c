import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { SyncStatus } from "../api/model";
import { useSession } from "../app/session";
import { StatusLabel } from "../jobs/JobMark";
import { syncText } from "../messages/sync";
import { DataTable } from "../parts/DataTable";
import page from "../parts/Page.module.css";
import { useTitle } from "../parts/useTitle";
import { duration } from "../time/format";
import { Time } from "../time/Time";

const words = syncText;

/** Replication status of hosts, and rejected rows. */
export function SyncPage() {
  useTitle(words.title);
  const { org, api } = useSession();
  const sync = useQuery({
    queryKey: keys.sync(org.slug),
    queryFn: api.sync,
    refetchInterval: usePollInterval(),
  });
  return (
    <>
      <div className={page.head}>
        <h1>{words.title}</h1>
      </div>
      <p className={page.intro}>{words.intro}</p>
      <QueryState query={sync}>
        {(status) => (
          <>
            <HostChanges hosts={status.hosts} />
            {status.own.length > 0 && <OwnChanges own={status.own} />}
            <RejectedRows rows={status.parked} />
          </>
        )}
      </QueryState>
    </>
  );
}

function HostChanges({ hosts }: { hosts: SyncStatus["hosts"] }) {
  if (hosts.length === 0) return <p className={page.empty}>{words.none}</p>;
  return (
    <DataTable
      rows={hosts}
      keyOf={({ host_id, priority }) => `${host_id}-${priority}`}
      columns={[
        {
          head: words.host,
          cell: ({ host }) => (
            <Link to="/hosts/$host" params={{ host }} data-row>
              {host}
            </Link>
          ),
        },
        { head: words.priority, cell: ({ priority }) => words.priorities[priority] ?? priority },
        {
          head: words.state,
          cell: ({ behind, is_resetting }) => {
            if (is_resetting) return <StatusLabel status="running" label={words.resetting} />;
            return behind === 0 ? (
              <StatusLabel status="succeeded" label={words.upToDate} />
            ) : (
              <StatusLabel status="retrying" label={words.behind(behind)} />
            );
          },
        },
        {
          head: words.since,
          cell: ({ behind, behind_seconds }) => (
            <span className="num">{behind > 0 ? duration(behind_seconds * 1000) : "–"}</span>
          ),
          isRight: true,
        },
        { head: words.rejected, cell: ({ parked }) => <span className="num">{parked}</span>, isRight: true },
        {
          head: words.error,
          cell: ({ last_error }) => <span className="dim">{last_error ?? "–"}</span>,
          isLong: true,
        },
        {
          head: words.updated,
          cell: ({ updated_at }) => <Time at={updated_at} />,
          isRight: true,
          isTight: true,
        },
      ]}
    />
  );
}

function OwnChanges({ own }: { own: SyncStatus["own"] }) {
  return (
    <section aria-labelledby="own">
      <div className={page.section}>
        <h2 id="own">{words.ownChanges}</h2>
      </div>
      <DataTable
        rows={own}
        keyOf={({ hub_id, priority }) => `${hub_id}-${priority}`}
        columns={[
          { head: words.hub, cell: ({ hub_id }) => <span className="id">{hub_id ?? words.noHub}</span> },
          { head: words.priority, cell: ({ priority }) => words.priorities[priority] ?? priority },
          {
            head: words.waiting,
            cell: ({ waiting }) => <span className="num">{waiting}</span>,
            isRight: true,
          },
          { head: words.confirmed, cell: ({ confirmed_at }) => <Time at={confirmed_at} />, isRight: true },
        ]}
      />
    </section>
  );
}

function RejectedRows({ rows }: { rows: SyncStatus["parked"] }) {
  return (
    <section aria-labelledby="rejected">
      <div className={page.section}>
        <h2 id="rejected">{words.rejectedTitle}</h2>
      </div>
      <p className={page.empty}>{rows.length === 0 ? words.rejectedNone : words.rejectedNote}</p>
      {rows.length > 0 && (
        <DataTable
          rows={rows}
          keyOf={({ table, id, at }) => `${table}-${id}-${at}`}
          columns={[
            { head: words.row, cell: ({ id }) => <span className="id">{id}</span> },
            { head: words.table, cell: ({ table }) => table },
            { head: words.host, cell: ({ host }) => host },
            { head: words.reason, cell: ({ error }) => error, isLong: true },
            { head: words.at, cell: ({ at }) => <Time at={at} />, isRight: true, isTight: true },
          ]}
        />
      )}
    </section>
  );
}
