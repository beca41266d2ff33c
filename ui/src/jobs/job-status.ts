import type { Job, JobStatus } from "../api/model";

/** In the order people look for them. */
export const JOB_STATUSES: readonly JobStatus[] = [
  "queued",
  "running",
  "failed",
  "dead_letter",
  "succeeded",
  "canceled",
];

/** A queued job that waits for a time, or for its next try, is shown as what it waits for. */
export type JobFace = JobStatus | "scheduled" | "retrying" | "canceling";

export type JobTone = "ok" | "info" | "quiet" | "sleep" | "warn" | "bad" | "dead";

const TONES: Record<JobFace, JobTone> = {
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

export function jobTone(face: JobFace): JobTone {
  return TONES[face] ?? "quiet";
}

/** Loud by exception: only these get a tinted ground. */
export function isLoudJob(face: JobFace): boolean {
  return face === "retrying" || face === "failed" || face === "dead_letter";
}

export function faceOf(job: Pick<Job, "status" | "wait_reason" | "is_canceling">): JobFace {
  if (job.status === "queued" && job.wait_reason === "later") return "scheduled";
  if (job.status === "queued" && job.wait_reason === "retry_backoff") return "retrying";
  if (job.status === "running" && job.is_canceling) return "canceling";
  return job.status;
}

export function isOver(status: JobStatus): boolean {
  return status !== "queued" && status !== "running";
}

/** How long it waited and how long it took, in milliseconds; nothing for what has not happened. */
export function lengths(
  job: Pick<Job, "status" | "queued_at" | "scheduled_for" | "started_at" | "finished_at">,
  now: number,
): { waited: number | undefined; took: number | undefined } {
  const due = Math.max(Date.parse(job.queued_at), Date.parse(job.scheduled_for));
  const began = job.started_at ? Date.parse(job.started_at) : undefined;
  const ended = job.finished_at ? Date.parse(job.finished_at) : undefined;
  return {
    waited: began === undefined ? undefined : Math.max(0, began - due),
    // Between two tries nothing goes on.
    took: began === undefined || job.status === "queued" ? undefined : Math.max(0, (ended ?? now) - began),
  };
}

/** "01K4…7Q": how an id begins and ends is enough to tell rows apart. */
export function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id;
}
