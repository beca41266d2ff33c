import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Job } from "../api/model";
import { useSession } from "../app/session";
import { creatorName } from "../jobs/creator-name";
import { JobMark } from "../jobs/JobMark";
import { isFinished, jobDurations } from "../jobs/job-status";
import { overviewText } from "../messages/overview";
import { Panel } from "../parts/Panel";
import { useNow } from "../time/clock";
import { duration } from "../time/format";
import { Time } from "../time/Time";
import styles from "./OverviewPage.module.css";

interface Props {
  title: string;
  filter: string;
  none: string;
}

const JOBS_MAX = 8;

export function JobLinesPanel({ title, filter, none }: Props) {
  const { org, api } = useSession();
  const jobs = useQuery({
    queryKey: [...keys.jobSummary(org.slug), "lines", filter],
    queryFn: ({ signal }) => api.jobs({ filter, limit: JOBS_MAX }, signal),
    refetchInterval: usePollInterval(),
  });
  return (
    <Panel
      title={title}
      aside={
        <Link to="/jobs" search={{ filter }}>
          {overviewText.allJobs}
        </Link>
      }
    >
      <QueryState query={jobs}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="dim">{none}</p>
          ) : (
            <ul className={styles.lines}>
              {items.map((job) => (
                <JobLine key={job.id} job={job} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </Panel>
  );
}

function JobLine({ job }: { job: Job }) {
  const { took } = jobDurations(job, useNow());
  return (
    <li className={styles.line}>
      <span className={styles.mark}>
        <JobMark job={job} />
      </span>
      <Link to="/jobs/$job" params={{ job: job.id }} data-row>
        {job.definition_key}
      </Link>
      <span className={styles.middle}>
        {[job.host, creatorName(job.created_by)].filter(Boolean).join(" · ")}
      </span>
      <span className={`${styles.end} num`}>
        {took !== undefined && duration(took)}
        {isFinished(job.status) && (
          <>
            {" · "}
            <Time at={job.finished_at} />
          </>
        )}
      </span>
    </li>
  );
}
