import type { RunStatus } from "../api/model";
import type { DisplayStatus } from "../jobs/job-status";

/** Maps a run status to the icon of a job status. */
export function runDisplayStatus(status: RunStatus): DisplayStatus {
  if (status === "running" || status === "succeeded" || status === "canceled") return status;
  return status === "not_started" ? "queued" : "failed";
}
