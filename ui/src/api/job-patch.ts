import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { keys } from "./keys";
import type { Job, JobDetail, JobPage, JobStatus, LiveEvent } from "./model";
import { setProgress } from "./progress";

interface JobEventData {
  job_id: string;
  status?: JobStatus;
  attempt?: number | null;
  reason?: string | null;
  error?: string | null;
  percent?: number;
  message?: string;
}

const FINISHED: ReadonlySet<JobStatus> = new Set(["succeeded", "failed", "dead_letter", "canceled"]);

/** Applies a job event to the cache immediately; the refetch that follows loads the remaining fields. */
export function patchJob(client: QueryClient, slug: string, event: LiveEvent): void {
  const change = readJobEvent(event.data);
  if (!change) return;
  if (event.type === "job_run.progress") {
    setProgress(change.job_id, { percent: change.percent ?? 0, message: change.message ?? "" });
    return;
  }
  const patch = <T extends Job>(job: T): T =>
    job.id === change.job_id ? applyJobEvent(job, change, event.at) : job;
  client.setQueriesData<InfiniteData<JobPage>>({ queryKey: keys.jobs(slug) }, (old) =>
    old?.pages
      ? { ...old, pages: old.pages.map((page) => ({ ...page, items: page.items.map(patch) })) }
      : old,
  );
  client.setQueryData<JobDetail>(keys.job(slug, change.job_id), (old) => old && patch(old));
}

function readJobEvent(data: unknown): JobEventData | undefined {
  if (typeof data !== "object" || data === null || !("job_id" in data)) return undefined;
  return data as JobEventData;
}

/** Applies an event to a job. Events of an earlier attempt than the shown one are ignored. */
export function applyJobEvent<T extends Job>(job: T, change: JobEventData, at: string): T {
  const { status = job.status, attempt, error } = change;
  if (attempt && attempt < job.attempt_count) return job;
  const isFinished = FINISHED.has(status);
  return {
    ...job,
    status,
    wait_reason: status === "queued" ? (change.reason ?? null) : null,
    attempt_count: attempt ?? job.attempt_count,
    started_at: job.started_at ?? (status === "running" ? at : null),
    finished_at: isFinished ? (job.finished_at ?? at) : null,
    last_error: error ?? (status === "succeeded" ? null : (job.last_error ?? null)),
  };
}
