import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { JobDetail, JobTarget } from "../api/model";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { creatorName } from "../jobs/creator-name";
import { JobSource } from "../jobs/JobSource";
import { jobDetailText } from "../messages/job-details";
import { jobPageText } from "../messages/job-page";
import { jobReasonText } from "../messages/job-reasons";
import { DetailList, Panel } from "../parts/Panel";
import { Time } from "../time/Time";

const words = jobDetailText;

/** Details of a job; empty ones are omitted. */
export function JobDetails({ job }: { job: JobDetail }) {
  const { role } = useSession();
  const isLater = Date.parse(job.scheduled_for) > Date.parse(job.queued_at) + 1000;
  const rows: [string, ReactNode][] = [
    [
      words.id,
      <span key="id" className="id">
        {job.id}
      </span>,
    ],
    [words.definition, `${job.definition_key}, ${words.version(job.definition_version)}`],
    [words.createdBy, <JobSource key="source" job={job} />],
    [words.target, <Target key="target" target={job.target} />],
  ];
  const add = (name: string, value: ReactNode) => {
    if (value !== null && value !== undefined && value !== "") rows.push([name, value]);
  };
  if (job.host !== job.target.host) add(words.host, job.host && <HostLink name={job.host} />);
  add(words.attempts, words.attemptOf(job.attempt_count, job.max_attempts));
  add(words.queued, <Time at={job.queued_at} />);
  if (isLater) add(words.scheduled, <Time at={job.scheduled_for} />);
  add(words.expires, job.expires_at && <Time at={job.expires_at} />);
  add(words.lease, job.status === "running" && <Time at={job.lease_expires_at} />);
  add(words.priority, job.priority !== 100 && job.priority);
  add(words.dedupe, job.dedupe_key && <code>{job.dedupe_key}</code>);
  add(words.limitKey, job.limit_key && <code>{job.limit_key}</code>);
  add(words.correlation, job.correlation_id && <code>{job.correlation_id}</code>);
  add(words.reason, job.end_reason && (jobReasonText.ends[job.end_reason] ?? job.end_reason));
  if (may(role, "admin")) add(words.audit, <AuditLink job={job} />);
  return (
    <Panel title={jobPageText.details}>
      <DetailList rows={rows.filter(([, value]) => value !== false)} />
    </Panel>
  );
}

/** Link to the audit log, which records the creator and the address. */
function AuditLink({ job }: { job: JobDetail }) {
  const actor = creatorName(job.created_by);
  return (
    <Link to="/admin/audit" search={{ action: "job.*", actor }}>
      {jobPageText.audit}
    </Link>
  );
}

function HostLink({ name }: { name: string }) {
  return (
    <Link to="/hosts/$host" params={{ host: name }}>
      {name}
    </Link>
  );
}

function Target({ target }: { target: JobTarget }) {
  if (target.host) return <HostLink name={target.host} />;
  if (target.selector) return jobPageText.targetSelector(target.selector);
  return jobPageText.targetQueue(target.queue ?? "default");
}
