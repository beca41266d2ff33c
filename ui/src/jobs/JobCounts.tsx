import type { JobStatus } from "../api/model";
import counts from "../hosts/StatusCounts.module.css";
import { jobText } from "../messages/jobs";
import { duration } from "../time/format";
import { JobGlyph } from "./JobGlyph";
import styles from "./JobsPage.module.css";
import { statusesOf, toggleStatus } from "./job-filter";
import { JOB_STATUSES, jobTone } from "./job-status";
import { useJobSummary } from "./useJobs";

interface Props {
  filter: string | undefined;
  onChange: (filter: string) => void;
}

/** Statuses that need no action; their counts are not shown. */
const SETTLED: ReadonlySet<JobStatus> = new Set(["succeeded", "canceled"]);

/** Counts by state; each one is a filter. */
export function JobCounts({ filter, onChange }: Props) {
  const summary = useJobSummary();
  const selected = statusesOf(filter);
  const oldest = summary?.oldest_queued_age_seconds;
  const visible = JOB_STATUSES.filter(
    (status) => (summary?.counts[status] && !SETTLED.has(status)) || selected.includes(status),
  );
  return (
    <>
      <fieldset className={counts.counts}>
        <legend className="sr-only">{jobText.filterStatus}</legend>
        {visible.map((status) => (
          <button
            key={status}
            type="button"
            className={counts.count}
            data-tone={jobTone(status)}
            aria-pressed={selected.includes(status)}
            onClick={() => onChange(toggleStatus(filter, status))}
          >
            <JobGlyph status={status} />
            <strong className="num">{(summary?.counts[status] ?? 0).toLocaleString("en")}</strong>
            {jobText.status[status]}
          </button>
        ))}
      </fieldset>
      {typeof oldest === "number" && oldest > 0 && (
        <span className={styles.oldest}>
          {jobText.oldest} <strong className="num">{duration(oldest * 1000)}</strong>
        </span>
      )}
    </>
  );
}
