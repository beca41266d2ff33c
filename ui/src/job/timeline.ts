import type { Job } from "../api/model";
import { type DisplayStatus, displayStatus, isFinished, jobDurations } from "../jobs/job-status";

/** A step of the timeline, with the time until the next step. */
export interface Step {
  name: "queued" | "started" | "ended";
  status: DisplayStatus;
  at: string | undefined;
  isDone: boolean;
  /** Time until the next step, and whether it is still running. */
  until?: { ms: number; isRunning: boolean } | undefined;
}

/** Steps from queued to finished, including future ones. */
export function stepsOf(job: Job, now: number): Step[] {
  const hasFinished = isFinished(job.status);
  const { waited, took } = jobDurations(job, now);
  const status = displayStatus(job);
  const isWaiting = job.status === "queued";
  const due = Math.max(Date.parse(job.queued_at), Date.parse(job.scheduled_for));
  const queued: Step = {
    name: "queued",
    status: "queued",
    at: job.queued_at,
    isDone: true,
    until: {
      ms: waited ?? Math.max(0, (hasFinished ? outcomeOf(job, now) : now) - due),
      isRunning: isWaiting,
    },
  };
  const started: Step = {
    name: "started",
    status: isWaiting ? status : "running",
    at: job.started_at ?? undefined,
    isDone: Boolean(job.started_at),
    until: took === undefined ? undefined : { ms: took, isRunning: job.status === "running" },
  };
  const ended: Step = {
    name: "ended",
    status: hasFinished ? status : "queued",
    at: job.finished_at ?? undefined,
    isDone: hasFinished,
  };
  // A job canceled before its start has no "started" step.
  return hasFinished && !job.started_at ? [queued, ended] : [queued, started, ended];
}

function outcomeOf(job: Job, now: number): number {
  return job.finished_at ? Date.parse(job.finished_at) : now;
}
