import { Link } from "@tanstack/react-router";
import type { HostDetail, HostRun } from "../api/model";
import { runDisplayStatus } from "../job/run-display-status";
import { StatusLabel } from "../jobs/JobMark";
import { hostTabText } from "../messages/host-tabs";
import { jobText } from "../messages/jobs";
import overview from "../overview/OverviewPage.module.css";
import { Panel } from "../parts/Panel";
import { useNow } from "../time/clock";
import { duration } from "../time/format";
import { Time } from "../time/Time";

const RUNS_MAX = 8;

export function RunsPanel({ host }: { host: HostDetail }) {
  return (
    <>
      <Panel title={hostTabText.running} aside={host.running.length > 0 ? host.running.length : undefined}>
        <Lines runs={host.running.slice(0, RUNS_MAX)} none={hostTabText.runningNone} />
      </Panel>
      <Panel title={hostTabText.last}>
        <Lines runs={host.last_runs.slice(0, RUNS_MAX)} none={hostTabText.lastNone} />
      </Panel>
    </>
  );
}

function Lines({ runs, none }: { runs: HostRun[]; none: string }) {
  const now = useNow();
  if (runs.length === 0) return <p className="dim">{none}</p>;
  return (
    <ul className={overview.lines}>
      {runs.map((run) => (
        <li key={`${run.job_id}-${run.no}-${run.started_at}`} className={overview.line}>
          <span>
            <StatusLabel status={runDisplayStatus(run.status)} label={jobText.runStatus[run.status]} />
          </span>
          {run.job_id ? (
            <Link to="/jobs/$job" params={{ job: run.job_id }} search={{ attempt: run.no }} data-row>
              {run.definition_key}
            </Link>
          ) : (
            <span className="dim">{hostTabText.otherOrgJob(run.org ?? "")}</span>
          )}
          <span className={`${overview.end} num`}>
            {duration(run.duration_ms ?? now - Date.parse(run.started_at))}
            {run.finished_at && (
              <>
                {" · "}
                <Time at={run.finished_at} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
