import type { Job } from "../api/model";
import { jobDurations } from "../jobs/job-status";

/** A bar of the duration chart; its height is relative to the longest job. */
export interface Bar {
  job: Job;
  ms: number;
  height: number;
}

/** Keeps the lowest bar visible. */
const HEIGHT_MIN = 0.12;

/** Bars of the jobs that ran, oldest first, and the median duration of the succeeded ones. */
export function barsOf(jobs: Job[], now: number): { bars: Bar[]; median: number | undefined } {
  const timed = jobs
    .map((job) => ({ job, ms: jobDurations(job, now).took }))
    .filter((each): each is { job: Job; ms: number } => each.ms !== undefined)
    .toReversed();
  const longest = Math.max(1, ...timed.map(({ ms }) => ms));
  const succeeded = timed
    .filter(({ job }) => job.status === "succeeded")
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b);
  return {
    bars: timed.map(({ job, ms }) => ({ job, ms, height: Math.max(HEIGHT_MIN, ms / longest) })),
    median: succeeded[Math.floor(succeeded.length / 2)],
  };
}
