import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSeries } from "../charts/useSeries";
import { JobGlyph } from "../jobs/JobGlyph";
import { JOB_STATUSES, jobTone } from "../jobs/job-status";
import { useJobSummary } from "../jobs/useJobs";
import { jobText } from "../messages/jobs";
import { overviewText } from "../messages/overview";
import { Panel } from "../parts/Panel";
import { duration } from "../time/format";
import { figuresOf } from "./figures";
import styles from "./OverviewPage.module.css";

/** Job counts; each links to its jobs. */
export function QueuePanel() {
  const summary = useJobSummary();
  return (
    <div className={styles.wide}>
      <Panel title={overviewText.queue} aside={<Link to="/jobs">{overviewText.allJobs}</Link>}>
        <div className={styles.counts}>
          {JOB_STATUSES.map((status) => {
            const count = summary?.counts[status] ?? 0;
            return (
              <Link
                key={status}
                to="/jobs"
                search={{ filter: `status:${status}` }}
                className={styles.count}
                data-tone={count === 0 ? "none" : jobTone(status)}
                data-zero={count === 0 || undefined}
              >
                <JobGlyph status={status} />
                <strong className="num">{count.toLocaleString("en")}</strong>
                {jobText.status[status]}
              </Link>
            );
          })}
        </div>
        <Rates oldest={summary?.oldest_queued_age_seconds} />
      </Panel>
    </div>
  );
}

/** Wait time, run time and success rate; missing values are omitted. */
function Rates({ oldest }: { oldest: number | null | undefined }) {
  const { data } = useSeries(["jobs"], "24h", (api, span) => api.jobs(span));
  const { wait, run, success } = data ? figuresOf(data) : {};
  const hasOldest = typeof oldest === "number" && oldest > 0;
  if (!hasOldest && !wait && !run && success === undefined) return null;
  return (
    <dl className={styles.figures}>
      {hasOldest && <Figure name={jobText.oldest}>{duration(oldest * 1000)}</Figure>}
      {wait && <Lengths name={overviewText.wait} {...wait} />}
      {run && <Lengths name={overviewText.run} {...run} />}
      {success !== undefined && <Figure name={overviewText.success}>{overviewText.percent(success)}</Figure>}
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

function Lengths({ name, p50, p95 }: { name: string; p50: number; p95: number }) {
  return (
    <Figure name={name}>
      <span>{overviewText.p50}</span> {duration(p50)} <span>{overviewText.p95}</span> {duration(p95)}
    </Figure>
  );
}
