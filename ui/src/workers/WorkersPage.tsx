import { useQuery } from "@tanstack/react-query";
import { QueryState } from "../admin/QueryState";
import { api } from "../api/api";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { OrgJobs, Worker } from "../api/model";
import { StatusLabel } from "../jobs/JobMark";
import { workerText } from "../messages/workers";
import { DataTable } from "../parts/DataTable";
import page from "../parts/Page.module.css";
import { useTitle } from "../parts/useTitle";
import { Warning } from "../parts/Warning";
import { duration } from "../time/format";
import { Time } from "../time/Time";

const words = workerText;

/** Workers, and the queues of all organizations. */
export function WorkersPage() {
  useTitle(words.title);
  const poll = usePollInterval();
  const workers = useQuery({ queryKey: keys.workers, queryFn: api.workers, refetchInterval: poll });
  const queues = useQuery({ queryKey: keys.everyQueue, queryFn: api.everyQueue, refetchInterval: poll });
  return (
    <>
      <div className={page.head}>
        <h1>{words.title}</h1>
      </div>
      <p className={page.intro}>{words.intro}</p>
      <QueryState query={workers}>{({ items }) => <Workers workers={items} />}</QueryState>
      <section aria-labelledby="queues">
        <div className={page.section}>
          <h2 id="queues">{words.queue}</h2>
        </div>
        <QueryState query={queues}>{({ items }) => <Queues orgs={items} />}</QueryState>
      </section>
    </>
  );
}

function Workers({ workers }: { workers: Worker[] }) {
  const stale = workers.filter(({ stale: isStale }) => isStale).length;
  if (workers.length === 0) return <p className={page.empty}>{words.none}</p>;
  return (
    <>
      {stale > 0 && (
        <div className={page.notice}>
          <Warning title={words.staleWarning(stale)}>{words.staleHint}</Warning>
        </div>
      )}
      <DataTable
        rows={workers}
        keyOf={({ worker_id, org }) => `${org}-${worker_id}`}
        columns={[
          { head: words.worker, cell: ({ worker_id }) => <span className="id">{worker_id}</span> },
          { head: words.org, cell: ({ org }) => org },
          {
            head: words.state,
            cell: ({ stale: isStale }) => (
              <StatusLabel
                status={isStale ? "retrying" : "succeeded"}
                label={isStale ? words.stale : words.active}
              />
            ),
          },
          { head: words.queues, cell: ({ queues }) => queues.join(", ") },
          {
            head: words.running,
            cell: ({ running_count }) => <span className="num">{running_count}</span>,
            isRight: true,
          },
          { head: words.version, cell: ({ version }) => version },
          {
            head: words.seen,
            cell: ({ last_seen_at }) => <Time at={last_seen_at} />,
            isRight: true,
            isTight: true,
          },
        ]}
      />
    </>
  );
}

function Queues({ orgs }: { orgs: OrgJobs[] }) {
  const number = (value: number | undefined) => (
    <span className="num">{(value ?? 0).toLocaleString("en")}</span>
  );
  const length = (ms: number | null | undefined) => (typeof ms === "number" ? duration(ms) : "–");
  return (
    <DataTable
      rows={orgs}
      keyOf={({ org }) => org}
      columns={[
        { head: words.org, cell: ({ org }) => org },
        { head: words.queued, cell: ({ counts }) => number(counts.queued), isRight: true },
        { head: words.running, cell: ({ counts }) => number(counts.running), isRight: true },
        { head: words.failed, cell: ({ counts }) => number(counts.failed), isRight: true },
        { head: words.dead, cell: ({ counts }) => number(counts.dead_letter), isRight: true },
        {
          head: words.oldest,
          cell: ({ oldest_queued_age_seconds: age }) => (
            <span className="num">{typeof age === "number" ? duration(age * 1000) : "–"}</span>
          ),
          isRight: true,
        },
        {
          head: words.wait,
          cell: ({ wait_p50_ms, wait_p95_ms }) => (
            <span className="num">
              {length(wait_p50_ms)} / {length(wait_p95_ms)}
            </span>
          ),
          isRight: true,
        },
        {
          head: words.rate,
          cell: ({ created_per_minute }) => <span className="num">{created_per_minute.toFixed(1)}</span>,
          isRight: true,
        },
        {
          head: words.failing,
          cell: ({ failed_part }) => (
            <span className="num">
              {typeof failed_part === "number" ? `${Math.round(failed_part * 100)}%` : "–"}
            </span>
          ),
          isRight: true,
        },
      ]}
    />
  );
}
