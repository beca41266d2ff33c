import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useCallback } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { JobDetail, Run } from "../api/model";
import { useSession } from "../app/session";
import { useCommands } from "../frame/commands";
import { JobGlyph } from "../jobs/JobGlyph";
import type { FetchLog } from "../log/log-store";
import { jobDetailText } from "../messages/job-details";
import { jobPageText } from "../messages/job-page";
import { jobText } from "../messages/jobs";
import { logText } from "../messages/log";
import { Skeleton } from "../parts/Skeleton";
import { useNow } from "../time/clock";
import { duration } from "../time/format";
import styles from "./JobPage.module.css";
import { PayloadPanel } from "./PayloadPanel";
import { runDisplayStatus } from "./run-display-status";

const LogViewer = lazy(() => import("../log/LogViewer"));
const route = getRouteApi("/frame/jobs/$job");
const words = jobDetailText;

/** The attempts of a job, with the output of one. */
export function AttemptPanel({ job }: { job: JobDetail }) {
  const { org, api } = useSession();
  const { attempt } = route.useSearch();
  const navigate = route.useNavigate();
  const runs = useQuery({
    queryKey: keys.attempts(org.slug, job.id),
    queryFn: () => api.attempts(job.id),
    refetchInterval: usePollInterval(),
  });
  return (
    <QueryState query={runs}>
      {({ items }) => {
        const run = items.find(({ no }) => no === attempt) ?? items.at(-1);
        if (!run) return <p className={styles.waiting}>{jobPageText.noAttempts}</p>;
        const show = (no: number) =>
          void navigate({ search: (old) => ({ ...old, attempt: no }), replace: true });
        return (
          <>
            <AttemptKeys runs={items} run={run} onShow={show} />
            <div className={styles.attempts}>
              {items.length > 1 &&
                items.map(({ no, status }) => (
                  <button
                    key={no}
                    type="button"
                    className={styles.attempt}
                    aria-pressed={no === run.no}
                    onClick={() => show(no)}
                  >
                    <JobGlyph status={runDisplayStatus(status)} />
                    {jobPageText.attempt(no)}
                  </button>
                ))}
              <RunFacts run={run} isOnly={items.length === 1} />
            </div>
            {run.error_text && !job.why.text.includes(run.error_text) && (
              <p className={styles.error}>{run.error_text}</p>
            )}
            {/* The key gives each run its own log. */}
            <Suspense fallback={<Skeleton />}>
              <AttemptLog key={`${job.id}-${run.no}`} job={job.id} run={run} />
            </Suspense>
            {run.output !== null && run.output !== undefined && (
              <PayloadPanel title={jobPageText.output} value={run.output} />
            )}
          </>
        );
      }}
    </QueryState>
  );
}

/** Shortcuts for the previous and next attempt. */
function AttemptKeys({ runs, run, onShow }: { runs: Run[]; run: Run; onShow: (no: number) => void }) {
  const go = (step: 1 | -1) => {
    const next = runs[runs.indexOf(run) + step];
    if (!next) return false;
    onShow(next.no);
  };
  useCommands({ attemptBefore: () => go(-1), attemptAfter: () => go(1) });
  return null;
}

function AttemptLog({ job, run }: { job: string; run: Run }) {
  const { api } = useSession();
  const { no } = run;
  const fetchLog = useCallback<FetchLog>(
    (request, signal) => api.logs(job, { attempt: no, ...request }, signal),
    [api, job, no],
  );
  return (
    <LogViewer
      fetchLog={fetchLog}
      run={run}
      label={logText.region(no)}
      file={`${job}-${no}.log`}
      isEndConfirmed
    />
  );
}

function RunFacts({ run, isOnly }: { run: Run; isOnly: boolean }) {
  const now = useNow();
  const took = run.duration_ms ?? now - Date.parse(run.started_at);
  return (
    <span className={styles.runFacts}>
      {isOnly && <span>{jobPageText.attempt(run.no)}</span>}
      <strong>{jobText.runStatus[run.status]}</strong>
      <span className="num">{duration(took)}</span>
      {run.host && <span>{run.host}</span>}
      {typeof run.pid === "number" && (
        <span className="num">
          {words.pid} {run.pid}
        </span>
      )}
      {typeof run.exit_code === "number" && (
        <span className="num">
          {words.exit} {run.exit_code}
        </span>
      )}
      {typeof run.signal === "number" && <span className="num">{words.signal(run.signal)}</span>}
    </span>
  );
}
