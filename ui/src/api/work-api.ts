import { answer, client, sent } from "./client";
import type * as M from "./model";

const ALL = { query: { limit: 1000 } };

export interface JobListQuery {
  filter?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

export interface LogQuery {
  attempt: number;
  after?: number;
  tail?: number;
  limit?: number;
  /** Long poll: seconds to wait for the first line. */
  wait?: number;
}

/** API routes for jobs, definitions, triggers, events and batches. */
export function workApi(org: string) {
  const here = { path: { org } };
  const all = { ...here, ...ALL };
  const at = (job: string) => ({ params: { path: { org, job } } });
  const of = (trigger: string) => ({ params: { path: { org, trigger } } });
  return {
    jobs: (query: JobListQuery, signal: AbortSignal) =>
      answer(
        client.GET("/api/v1/orgs/{org}/jobs", { params: { ...here, query: sent(query) }, signal }),
      ) as Promise<M.JobPage>,
    jobSummary: () =>
      answer(client.GET("/api/v1/orgs/{org}/jobs/summary", { params: here })) as Promise<M.JobSummary>,
    job: (job: string) =>
      answer(client.GET("/api/v1/orgs/{org}/jobs/{job}", at(job))) as Promise<M.JobDetail>,
    why: (job: string) => answer(client.GET("/api/v1/orgs/{org}/jobs/{job}/why", at(job))) as Promise<M.Why>,
    attempts: (job: string) =>
      answer(client.GET("/api/v1/orgs/{org}/jobs/{job}/attempts", at(job))) as Promise<{ items: M.Run[] }>,
    logs: (job: string, query: LogQuery, signal?: AbortSignal) =>
      answer(
        client.GET("/api/v1/orgs/{org}/jobs/{job}/logs", {
          params: { path: { org, job }, query },
          ...(signal ? { signal } : {}),
        }),
      ) as Promise<M.LogPage>,
    /** The idempotency key makes a retry after a lost response return the same job. */
    createJob: (body: M.JobRequest, idempotencyKey: string) =>
      answer(
        client.POST("/api/v1/orgs/{org}/jobs", {
          params: here,
          body: body as never,
          headers: { "idempotency-key": idempotencyKey },
        }),
      ) as Promise<M.JobMade>,
    cancelJob: (job: string, body: { reason?: string; force?: boolean }) =>
      answer(
        client.POST("/api/v1/orgs/{org}/jobs/{job}/cancel", { ...at(job), body }),
      ) as Promise<M.JobDetail>,
    retryJob: (job: string, payload?: unknown) =>
      answer(
        client.POST("/api/v1/orgs/{org}/jobs/{job}/retry", {
          ...at(job),
          body: (payload === undefined ? {} : { payload }) as never,
        }),
      ) as Promise<M.JobDetail>,
    moveJob: (job: string, body: { target?: M.JobTarget; priority?: number }) =>
      answer(client.POST("/api/v1/orgs/{org}/jobs/{job}/move", { ...at(job), body })) as Promise<M.JobDetail>,

    batches: (cursor?: string) =>
      answer(
        client.GET("/api/v1/orgs/{org}/batches", { params: { ...here, query: sent({ cursor, limit: 50 }) } }),
      ) as Promise<M.Page<M.Batch>>,
    batch: (batch: string) =>
      answer(
        client.GET("/api/v1/orgs/{org}/batches/{batch}", { params: { path: { org, batch } } }),
      ) as Promise<M.Batch>,
    createBatch: (body: M.BatchRequest) =>
      answer(client.POST("/api/v1/orgs/{org}/batches", { params: here, body })) as Promise<M.Batch>,
    stopBatch: (batch: string) =>
      answer(
        client.POST("/api/v1/orgs/{org}/batches/{batch}/stop", { params: { path: { org, batch } } }),
      ) as Promise<M.Batch>,

    definitions: () =>
      answer(client.GET("/api/v1/orgs/{org}/jobs/definitions", { params: all })) as Promise<
        M.Page<M.Definition>
      >,
    definition: (definition: string) =>
      answer(
        client.GET("/api/v1/orgs/{org}/jobs/definitions/{definition}", {
          params: { path: { org, definition } },
        }),
      ) as Promise<M.Definition>,
    pauses: () =>
      answer(client.GET("/api/v1/orgs/{org}/pauses", { params: here })) as Promise<{ items: M.Pause[] }>,

    triggers: () =>
      answer(client.GET("/api/v1/orgs/{org}/jobs/triggers", { params: all })) as Promise<M.Page<M.Trigger>>,
    trigger: (trigger: string) =>
      answer(client.GET("/api/v1/orgs/{org}/jobs/triggers/{trigger}", of(trigger))) as Promise<M.Trigger>,
    createTrigger: (body: M.TriggerRequest) =>
      answer(
        client.POST("/api/v1/orgs/{org}/jobs/triggers", { params: here, body: body as never }),
      ) as Promise<M.Trigger>,
    patchTrigger: (trigger: string, body: M.TriggerRequest) =>
      answer(
        client.PATCH("/api/v1/orgs/{org}/jobs/triggers/{trigger}", { ...of(trigger), body: body as never }),
      ) as Promise<M.Trigger>,
    removeTrigger: (trigger: string) =>
      answer(client.DELETE("/api/v1/orgs/{org}/jobs/triggers/{trigger}", of(trigger))),
    previewSchedule: (
      body: { cron_expr: string; timezone?: string; after?: string; count?: number },
      signal: AbortSignal,
    ) =>
      answer(
        client.POST("/api/v1/orgs/{org}/jobs/triggers/preview", { params: here, body, signal }),
      ) as Promise<M.Preview>,
    nextFires: (trigger: string, count?: number) =>
      answer(
        client.GET("/api/v1/orgs/{org}/jobs/triggers/{trigger}/next", {
          params: { path: { org, trigger }, query: sent({ count }) },
        }),
      ) as Promise<M.Preview>,
    fires: (trigger: string, cursor: string | undefined) =>
      answer(
        client.GET("/api/v1/orgs/{org}/jobs/triggers/{trigger}/history", {
          params: { path: { org, trigger }, query: sent({ cursor, limit: 50 }) },
        }),
      ) as Promise<M.Page<M.Fire>>,
    fireTrigger: (trigger: string, event?: unknown) =>
      answer(
        client.POST("/api/v1/orgs/{org}/jobs/triggers/{trigger}/fire", {
          ...of(trigger),
          body: (event === undefined ? {} : { event }) as never,
        }),
      ) as Promise<M.TriggerFired>,
    testTrigger: (trigger: string, event?: unknown) =>
      answer(
        client.POST("/api/v1/orgs/{org}/jobs/triggers/{trigger}/test", {
          ...of(trigger),
          body: (event === undefined ? {} : { event }) as never,
        }),
      ) as Promise<M.WouldMake>,
    backfill: (trigger: string, body: { from: string; until: string; dry_run: boolean }) =>
      answer(
        client.POST("/api/v1/orgs/{org}/jobs/triggers/{trigger}/backfill", { ...of(trigger), body }),
      ) as Promise<M.Backfilled>,

    events: (query: { types?: string | undefined; cursor?: number | undefined; limit: number }) =>
      answer(
        client.GET("/api/v1/orgs/{org}/events", { params: { ...here, query: sent(query) } }),
      ) as Promise<{ items: M.LiveEvent[]; next?: number | null }>,
    emitEvent: (body: { name: string; data: Record<string, unknown> }) =>
      answer(
        client.POST("/api/v1/orgs/{org}/events", { params: here, body: body as never }),
      ) as Promise<M.EventMade>,
  };
}
