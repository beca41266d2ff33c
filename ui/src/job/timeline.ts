import type { Job } from "../api/model";
import { faceOf, isOver, type JobFace, lengths } from "../jobs/job-status";

/** A point in a job's life, and how long it took to get from there to the next one. */
export interface Step {
  name: "queued" | "began" | "ended";
  face: JobFace;
  at: string | undefined;
  /** Whether it has happened. */
  isDone: boolean;
  /** What lies between it and the next: milliseconds, and whether that still grows. */
  until?: { ms: number; isGoing: boolean } | undefined;
}

/** From being asked for to its end, with what is still to come. */
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
  // What was canceled before it began has no middle.
  return over && !job.started_at ? [queued, ended] : [queued, began, ended];
}

function endOf(job: Job, now: number): number {
  return job.finished_at ? Date.parse(job.finished_at) : now;
}
