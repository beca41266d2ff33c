import type { ServerRun } from "../api/model";
import type { JobFace } from "../jobs/job-status";
import type { serverText } from "../messages/server";

export type RunEnd = keyof typeof serverText.end;

/** How a run ended: exited, stopped on request, crashed, out of memory, lost, or still running. */
export function endOf(run: Pick<ServerRun, "status" | "is_oom" | "exit_code" | "signal">): RunEnd {
  if (run.status === "running") return "running";
  if (run.is_oom) return "oom";
  if (run.status === "not_started") return "not_started";
  if (run.status === "crashed" || run.status === "lost") return "lost";
  if (run.status === "succeeded") return run.exit_code === 0 ? "exited" : "asked";
  return typeof run.signal === "number" ? "crashed" : "exited";
}

/** Maps the end of a run to the icon of a job status. */
export function endFace(run: Parameters<typeof endOf>[0]): JobFace {
  if (run.status === "running") return "running";
  return run.status === "succeeded" && !run.is_oom ? "succeeded" : "failed";
}
