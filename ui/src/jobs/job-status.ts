import type { Job, JobStatus } from "../api/model";

/** In display order. */
export const JOB_STATUSES: readonly JobStatus[] = [
  "queued",
  "running",
  "failed",
  "dead_letter",
  "succeeded",
  "canceled",
];

/** Displayed status: queued jobs with a start time or a retry are shown as scheduled or retrying. */
export type DisplayStatus = JobStatus | "scheduled" | "retrying" | "canceling";

export type JobTone = "ok" | "info" | "quiet" | "sleep" | "warn" | "bad" | "dead";

const TONES: Record<DisplayStatus, JobTone> = {
  scheduled: "sleep",
  queued: "quiet",
  retrying: "warn",
  running: "info",
  canceling: "info",
  succeeded: "ok",
  failed: "bad",
  dead_letter: "dead",
  canceled: "quiet",
};

export function jobTone(status: DisplayStatus): JobTone {
  return TONES[status] ?? "quiet";
}

/** Only these states get a tinted background. */
export function isHighlightedJob(status: DisplayStatus): boolean {
  return status === "retrying" || status === "failed" || status === "dead_letter";
}

export function displayStatus(job: Pick<Job, "status" | "wait_reason" | "is_canceling">): DisplayStatus {
  if (job.status === "queued" && job.wait_reason === "later") return "scheduled";
  if (job.status === "queued" && job.wait_reason === "retry_backoff") return "retrying";
  if (job.status === "running" && job.is_canceling) return "canceling";
  return job.status;
}

export function isFinished(status: JobStatus): boolean {
  return status !== "queued" && status !== "running";
}

/** Waiting time and duration in milliseconds; `undefined` if not started. */
export function jobDurations(
  job: Pick<Job, "status" | "queued_at" | "scheduled_for" | "started_at" | "finished_at">,
  now: number,
): { waited: number | undefined; took: number | undefined } {
  const due = Math.max(Date.parse(job.queued_at), Date.parse(job.scheduled_for));
  const startedAt = job.started_at ? Date.parse(job.started_at) : undefined;
  const finishedAt = job.finished_at ? Date.parse(job.finished_at) : undefined;
  return {
    waited: startedAt === undefined ? undefined : Math.max(0, startedAt - due),
    // A job that waits for a retry has no running time.
    took:
      startedAt === undefined || job.status === "queued"
        ? undefined
        : Math.max(0, (finishedAt ?? now) - startedAt),
  };
}

/** Shortens an ID to "01K4…7QXY"; start and end are enough to distinguish rows. */
export function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id;
}
