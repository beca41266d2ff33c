import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { keys } from "../api/keys";
import type { JobDetail } from "../api/model";
import { useSession } from "../app/session";
import { displayStatus, jobTone } from "../jobs/job-status";
import { jobPageText } from "../messages/job-page";
import { jobText } from "../messages/jobs";
import { Panel } from "../parts/Panel";
import { hubNow } from "../time/clock";
import { duration } from "../time/format";
import { barsOf } from "./history";
import styles from "./SimilarJobs.module.css";

const JOBS_MAX = 20;
const words = jobPageText.similar;

/** Bar chart of the durations of the last jobs of the same definition, for comparison. */
export default function SimilarJobs({ job }: { job: JobDetail }) {
  const { org, api } = useSession();
  const filter = `def:${job.definition_key} status:succeeded,failed,dead_letter,canceled`;
  const { data } = useQuery({
    queryKey: [...keys.jobSummary(org.slug), "same", filter],
    queryFn: ({ signal }) => api.jobs({ filter, limit: JOBS_MAX }, signal),
    staleTime: 30_000,
  });
  if (!data) return null;
  const { bars, median } = barsOf(data.items, hubNow());
  if (bars.length < 2) return null;
  return (
    <Panel
      title={words.title(bars.length)}
      aside={
        <Link to="/jobs" search={{ filter: `def:${job.definition_key}` }}>
          {words.all}
        </Link>
      }
    >
      <svg
        className={styles.strip}
        viewBox={`0 0 ${JOBS_MAX * 10} 40`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.label(bars.length, median === undefined ? undefined : duration(median))}
      >
        {bars.map((bar, index) => (
          <rect
            key={bar.job.id}
            x={index * 10 + 1}
            y={40 - bar.height * 40}
            width={8}
            height={bar.height * 40}
            rx={1}
            data-tone={jobTone(displayStatus(bar.job))}
            data-own={bar.job.id === job.id || undefined}
          >
            <title>{`${jobText.status[bar.job.status]} · ${duration(bar.ms)}`}</title>
          </rect>
        ))}
      </svg>
      {median !== undefined && (
        <p className="dim small">
          {words.median} <strong className="num">{duration(median)}</strong>
        </p>
      )}
    </Panel>
  );
}
