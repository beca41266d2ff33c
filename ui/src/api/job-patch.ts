import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { keys } from "./keys";
import type { Job, JobDetail, JobPage, JobStatus, LiveEvent } from "./model";
import { setProgress } from "./progress";

interface JobNews {
  job_id: string;
  status?: JobStatus;
  attempt?: number | null;
  reason?: string | null;
  error?: string | null;
  percent?: number;
  message?: string;
}

const OVER: ReadonlySet<JobStatus> = new Set(["succeeded", "failed", "dead_letter", "canceled"]);

/** Applies a job event to the cache immediately; the refetch that follows loads the remaining fields. */
export function patchJob(client: QueryClient, slug: string, event: LiveEvent): void {
  const news = readNews(event.data);
  if (!news) return;
  if (event.type === "job_run.progress") {
    setProgress(news.job_id, { percent: news.percent ?? 0, message: news.message ?? "" });
    return;
  }
  const patch = <T extends Job>(job: T): T => (job.id === news.job_id ? patched(job, news, event.at) : job);
  client.setQueriesData<InfiniteData<JobPage>>({ queryKey: keys.jobs(slug) }, (old) =>
    old?.pages
      ? { ...old, pages: old.pages.map((page) => ({ ...page, items: page.items.map(patch) })) }
      : old,
  );
  client.setQueryData<JobDetail>(keys.job(slug, news.job_id), (old) => old && patch(old));
}

function readNews(data: unknown): JobNews | undefined {
  if (typeof data !== "object" || data === null || !("job_id" in data)) return undefined;
  return data as JobNews;
}

/** Applies an event to a job. Events of an earlier attempt than the shown one are ignored. */
export function patched<T extends Job>(job: T, news: JobNews, at: string): T {
  const { status = job.status, attempt, error } = news;
  if (attempt && attempt < job.attempt_count) return job;
  const isOver = OVER.has(status);
  return {
    ...job,
    status,
    wait_reason: status === "queued" ? (news.reason ?? null) : null,
    attempt_count: attempt ?? job.attempt_count,
    started_at: job.started_at ?? (status === "running" ? at : null),
    finished_at: isOver ? (job.finished_at ?? at) : null,
    last_error: error ?? (status === "succeeded" ? null : (job.last_error ?? null)),
  };
}
