import type { Job } from "../api/model";
import { faceOf, isOver, type JobFace, lengths } from "../jobs/job-status";

/** A step of the timeline, with the time until the next step. */
export interface Step {
  name: "queued" | "began" | "ended";
  face: JobFace;
  at: string | undefined;
  isDone: boolean;
  /** Time until the next step, and whether it is still running. */
  until?: { ms: number; isGoing: boolean } | undefined;
}

/** Steps from queued to finished, including future ones. */
export function stepsOf(job: Job, now: number): Step[] {
  const over = isOver(job.status);
  const { waited, took } = lengths(job, now);
  const face = faceOf(job);
  const isWaiting = job.status === "queued";
  const due = Math.max(Date.parse(job.queued_at), Date.parse(job.scheduled_for));
  const queued: Step = {
    name: "queued",
    face: "queued",
    at: job.queued_at,
    isDone: true,
    until: { ms: waited ?? Math.max(0, (over ? endOf(job, now) : now) - due), isGoing: isWaiting },
  };
  const began: Step = {
    name: "began",
    face: isWaiting ? face : "running",
    at: job.started_at ?? undefined,
    isDone: Boolean(job.started_at),
    until: took === undefined ? undefined : { ms: took, isGoing: job.status === "running" },
  };
  const ended: Step = {
    name: "ended",
    face: over ? face : "queued",
    at: job.finished_at ?? undefined,
    isDone: over,
  };
  // A job canceled before its start has no "started" step.
  return over && !job.started_at ? [queued, ended] : [queued, began, ended];
}

function endOf(job: Job, now: number): number {
  return job.finished_at ? Date.parse(job.finished_at) : now;
}
