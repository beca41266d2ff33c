import type { RunStatus } from "../api/model";
import type { JobFace } from "../jobs/job-status";

/** A run is drawn like the job state it is most alike to. */
export function runFace(status: RunStatus): JobFace {
  if (status === "running" || status === "succeeded" || status === "canceled") return status;
  return status === "not_started" ? "queued" : "failed";
}
