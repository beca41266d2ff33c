import { Link } from "@tanstack/react-router";
import type { Job } from "../api/model";
import { text } from "../messages";
import table from "../parts/Table.module.css";
import { useNow } from "../time/clock";
import { duration } from "../time/format";
import { Time } from "../time/Time";
import type { JobColumn } from "./columns";
import { creatorName } from "./creator-name";
import { JobSource } from "./JobSource";
import styles from "./JobTable.module.css";
import { jobDurations } from "./job-status";

const RIGHT: ReadonlySet<JobColumn> = new Set([
  "tries",
  "queued",
  "started",
  "finished",
  "waited",
  "took",
  "priority",
]);

/** Numbers and times are right-aligned. */
export function columnClass(column: JobColumn): string | undefined {
  return RIGHT.has(column) ? table.right : undefined;
}

const CLASSES: Partial<Record<JobColumn, string | undefined>> = {
  source: styles.source,
  host: styles.host,
  worker: styles.host,
};

export function JobCell({ job, column }: { job: Job; column: JobColumn }) {
  const className = RIGHT.has(column) ? `${table.right} ${table.tight} num dim` : CLASSES[column];
  return (
    <td className={className}>
      <Value job={job} column={column} />
    </td>
  );
}

function Value({ job, column }: { job: Job; column: JobColumn }) {
  switch (column) {
    case "source":
      return <JobSource job={job} />;
    case "tries":
      return `${job.attempt_count}/${job.max_attempts}`;
    case "queued":
      return <Time at={job.queued_at} />;
    case "started":
      return <Time at={job.started_at} none={text.common.none} />;
    case "finished":
      return <Time at={job.finished_at} none={text.common.none} />;
    case "waited":
    case "took":
      return <Length job={job} of={column} />;
    case "host":
      return job.host && <HostLink name={job.host} />;
    case "worker":
      return job.worker;
    case "priority":
      return job.priority;
    case "by":
      return creatorName(job.created_by);
  }
}

/** A separate component, so that only this cell renders every few seconds while a job runs. */
function Length({ job, of }: { job: Job; of: "waited" | "took" }) {
  const length = jobDurations(job, useNow())[of];
  return length === undefined ? text.common.none : duration(length);
}

function HostLink({ name }: { name: string }) {
  return (
    <Link to="/hosts/$host" params={{ host: name }} className={styles.hostLink}>
      {name}
    </Link>
  );
}
