import { Link } from "@tanstack/react-router";
import { keys } from "../api/keys";
import type { Fire, Trigger } from "../api/model";
import { useSession } from "../app/session";
import { JobMark, StatusLabel } from "../jobs/JobMark";
import { shortId } from "../jobs/job-status";
import { useJobs } from "../jobs/useJobs";
import { text } from "../messages";
import { triggerText } from "../messages/triggers";
import { DataTable } from "../parts/DataTable";
import page from "../parts/Page.module.css";
import { PagedRows } from "../parts/PagedRows";
import { Skeleton } from "../parts/Skeleton";
import { usePages } from "../parts/usePages";
import { Time } from "../time/Time";
import { fireDisplayStatus } from "./state";

const words = triggerText.columnsFires;

/** History of a schedule, or the jobs created by an event rule. */
export function FireTable({ trigger }: { trigger: Trigger }) {
  return trigger.trigger_type === "schedule" ? (
    <Fires trigger={trigger} />
  ) : (
    <CreatedJobs trigger={trigger} />
  );
}

function Fires({ trigger }: { trigger: Trigger }) {
  const { org, api } = useSession();
  const fires = usePages<Fire>([...keys.trigger(org.slug, trigger.id), "fires"], (cursor) =>
    api.fires(trigger.id, cursor),
  );
  return (
    <PagedRows query={fires} none={<p className={page.empty}>{triggerText.historyNone}</p>}>
      {(rows) => <FireRows rows={rows} />}
    </PagedRows>
  );
}

function FireRows({ rows }: { rows: Fire[] }) {
  return (
    <DataTable
      rows={rows}
      keyOf={({ nominal_at, host, job_id }) => `${nominal_at}-${host}-${job_id}`}
      columns={[
        { head: words.time, cell: ({ nominal_at }) => <Time at={nominal_at} exact />, isTight: true },
        {
          head: words.status,
          cell: ({ status, job_status, stands_for }) => (
            <>
              <StatusLabel status={fireDisplayStatus(status, job_status)} label={triggerText.fire[status]} />
              {stands_for > 1 && <span className="faint"> {triggerText.forMissedRuns(stands_for)}</span>}
            </>
          ),
        },
        {
          head: words.job,
          cell: ({ job_id }) =>
            job_id ? (
              <Link to="/jobs/$job" params={{ job: job_id }} className="id" data-row>
                {shortId(job_id)}
              </Link>
            ) : (
              <span className="faint">{text.common.none}</span>
            ),
        },
        { head: words.host, cell: ({ host }) => host ?? <span className="faint">{text.common.none}</span> },
        { head: words.why, cell: ({ reason }) => <span className="dim">{reason}</span>, isLong: true },
      ]}
    />
  );
}

function CreatedJobs({ trigger }: { trigger: Trigger }) {
  const list = useJobs(`user:"trigger:${trigger.label}"`, false);
  if (!list.jobs) return <Skeleton rows={3} />;
  if (list.jobs.length === 0) return <p className={page.empty}>{triggerText.historyNone}</p>;
  return (
    <DataTable
      rows={list.jobs.slice(0, 20)}
      keyOf={({ id }) => id}
      columns={[
        {
          head: words.job,
          cell: ({ id }) => (
            <Link to="/jobs/$job" params={{ job: id }} className="id" data-row>
              {shortId(id)}
            </Link>
          ),
        },
        { head: words.status, cell: (job) => <JobMark job={job} /> },
        { head: words.host, cell: ({ host }) => host ?? <span className="faint">{text.common.none}</span> },
        { head: words.time, cell: ({ queued_at }) => <Time at={queued_at} />, isRight: true, isTight: true },
      ]}
    />
  );
}
