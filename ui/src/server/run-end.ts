import type { ServerRun } from "../api/model";
import type { JobFace } from "../jobs/job-status";
import type { serverText } from "../messages/server";

export type RunEnd = keyof typeof serverText.end;

/** How a run ended, told apart: by itself, because somebody asked, by a signal, for want of memory, or not at all. */
export function endOf(run: Pick<ServerRun, "status" | "is_oom" | "exit_code" | "signal">): RunEnd {
  if (run.status === "running") return "running";
  if (run.is_oom) return "oom";
  if (run.status === "not_started") return "not_started";
  if (run.status === "crashed" || run.status === "lost") return "lost";
  if (run.status === "succeeded") return run.exit_code === 0 ? "exited" : "asked";
  return typeof run.signal === "number" ? "crashed" : "exited";
}

/** Drawn like the job state it is most alike to. */
export function endFace(run: Parameters<typeof endOf>[0]): JobFace {
  if (run.status === "running") return "running";
  return run.status === "succeeded" && !run.is_oom ? "succeeded" : "failed";
}
