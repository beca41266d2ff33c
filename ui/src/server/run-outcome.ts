import type { ServerRun } from "../api/model";
import type { DisplayStatus } from "../jobs/job-status";
import type { serverText } from "../messages/server";

export type RunOutcome = keyof typeof serverText.outcome;

/** How a run ended: exited, stopped on request, crashed, out of memory, lost, or still running. */
export function outcomeOf(run: Pick<ServerRun, "status" | "is_oom" | "exit_code" | "signal">): RunOutcome {
  if (run.status === "running") return "running";
  if (run.is_oom) return "oom";
  if (run.status === "not_started") return "not_started";
  if (run.status === "crashed" || run.status === "lost") return "lost";
  if (run.status === "succeeded") return run.exit_code === 0 ? "exited" : "stopped";
  return typeof run.signal === "number" ? "crashed" : "exited";
}

/** Maps the end of a run to the icon of a job status. */
export function outcomeStatus(run: Parameters<typeof outcomeOf>[0]): DisplayStatus {
  if (run.status === "running") return "running";
  return run.status === "succeeded" && !run.is_oom ? "succeeded" : "failed";
}
