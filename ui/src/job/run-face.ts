import type { RunStatus } from "../api/model";
import type { JobFace } from "../jobs/job-status";

/** Maps a run status to the icon of a job status. */
export function runFace(status: RunStatus): JobFace {
  if (status === "running" || status === "succeeded" || status === "canceled") return status;
  return status === "not_started" ? "queued" : "failed";
}
