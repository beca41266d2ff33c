import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../api/api";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";
import { JobGlyph } from "../jobs/JobGlyph";
import { JOB_STATUSES, jobTone } from "../jobs/job-status";
import { useJobSummary } from "../jobs/useJobs";
import { jobText } from "../messages/jobs";
import { overviewText } from "../messages/overview";
import { Panel } from "../parts/Panel";
import { duration } from "../time/format";
import styles from "./OverviewPage.module.css";

/** Every number leads to the jobs it counts. */
export function QueuePanel() {
  const summary = useJobSummary();
  const oldest = summary?.oldest_queued_age_seconds;
  return (
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
              data-tone={jobTone(status)}
              data-zero={count === 0 || undefined}
            >
              <JobGlyph face={status} />
              <strong className="num">{count.toLocaleString("en")}</strong>
              {jobText.status[status]}
            </Link>
          );
        })}
      </div>
      <p className={styles.figures}>
        {typeof oldest === "number" && oldest > 0 && (
          <span>
            {jobText.oldest} <strong className="num">{duration(oldest * 1000)}</strong>
          </span>
        )}
        <Rates />
      </p>
    </Panel>
  );
}

/** How fast it goes. The hub tells that to super admins only. */
function Rates() {
  const { me, org } = useSession();
  const every = useQuery({
    queryKey: keys.everyQueue,
    queryFn: api.everyQueue,
    refetchInterval: usePollInterval(),
    enabled: me.is_super_admin,
  });
  const own = every.data?.items.find((each) => each.org === org.slug);
  if (!own) return null;
  const { wait_p50_ms: p50, wait_p95_ms: p95, failed_part: failing } = own;
  return (
    <>
      {typeof p50 === "number" && typeof p95 === "number" && (
        <span>
          {overviewText.wait} {overviewText.p50} <strong className="num">{duration(p50)}</strong>{" "}
          {overviewText.p95} <strong className="num">{duration(p95)}</strong>
        </span>
      )}
      <span>
        {overviewText.rate} <strong className="num">{own.created_per_minute.toFixed(1)}</strong>
      </span>
      {typeof failing === "number" && (
        <span>
          {overviewText.failing} <strong className="num">{Math.round(failing * 100)} %</strong>
        </span>
      )}
    </>
  );
}
