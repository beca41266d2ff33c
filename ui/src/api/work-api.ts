import { client, definedOnly, unwrap } from "./client";
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
  const inOrg = { path: { org } };
  const all = { ...inOrg, ...ALL };
  const at = (job: string) => ({ params: { path: { org, job } } });
  const of = (trigger: string) => ({ params: { path: { org, trigger } } });
  return {
    jobs: (query: JobListQuery, signal: AbortSignal) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/jobs", { params: { ...inOrg, query: definedOnly(query) }, signal }),
      ) as Promise<M.JobPage>,
    jobSummary: () =>
      unwrap(client.GET("/api/v1/orgs/{org}/jobs/summary", { params: inOrg })) as Promise<M.JobSummary>,
    job: (job: string) =>
      unwrap(client.GET("/api/v1/orgs/{org}/jobs/{job}", at(job))) as Promise<M.JobDetail>,
    why: (job: string) => unwrap(client.GET("/api/v1/orgs/{org}/jobs/{job}/why", at(job))) as Promise<M.Why>,
    attempts: (job: string) =>
      unwrap(client.GET("/api/v1/orgs/{org}/jobs/{job}/attempts", at(job))) as Promise<{ items: M.Run[] }>,
    logs: (job: string, query: LogQuery, signal?: AbortSignal) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/jobs/{job}/logs", {
          params: { path: { org, job }, query },
          ...(signal ? { signal } : {}),
        }),
      ) as Promise<M.LogPage>,
    /** The idempotency key makes a retry after a lost response return the same job. */
    createJob: (body: M.JobRequest, idempotencyKey: string) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/jobs", {
          params: inOrg,
          body: body as never,
          headers: { "idempotency-key": idempotencyKey },
        }),
      ) as Promise<M.JobCreated>,
    cancelJob: (job: string, body: { reason?: string; force?: boolean }) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/jobs/{job}/cancel", { ...at(job), body }),
      ) as Promise<M.JobDetail>,
    retryJob: (job: string, payload?: unknown) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/jobs/{job}/retry", {
          ...at(job),
          body: (payload === undefined ? {} : { payload }) as never,
        }),
      ) as Promise<M.JobDetail>,
    moveJob: (job: string, body: { target?: M.JobTarget; priority?: number }) =>
      unwrap(client.POST("/api/v1/orgs/{org}/jobs/{job}/move", { ...at(job), body })) as Promise<M.JobDetail>,

    batches: (cursor?: string) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/batches", {
          params: { ...inOrg, query: definedOnly({ cursor, limit: 50 }) },
        }),
      ) as Promise<M.Page<M.Batch>>,
    batch: (batch: string) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/batches/{batch}", { params: { path: { org, batch } } }),
      ) as Promise<M.Batch>,
    createBatch: (body: M.BatchRequest) =>
      unwrap(client.POST("/api/v1/orgs/{org}/batches", { params: inOrg, body })) as Promise<M.Batch>,
    stopBatch: (batch: string) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/batches/{batch}/stop", { params: { path: { org, batch } } }),
      ) as Promise<M.Batch>,

    definitions: () =>
      unwrap(client.GET("/api/v1/orgs/{org}/jobs/definitions", { params: all })) as Promise<
        M.Page<M.Definition>
      >,
    definition: (definition: string) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/jobs/definitions/{definition}", {
          params: { path: { org, definition } },
        }),
      ) as Promise<M.Definition>,
    pauses: () =>
      unwrap(client.GET("/api/v1/orgs/{org}/pauses", { params: inOrg })) as Promise<{ items: M.Pause[] }>,

    triggers: () =>
      unwrap(client.GET("/api/v1/orgs/{org}/jobs/triggers", { params: all })) as Promise<M.Page<M.Trigger>>,
    trigger: (trigger: string) =>
      unwrap(client.GET("/api/v1/orgs/{org}/jobs/triggers/{trigger}", of(trigger))) as Promise<M.Trigger>,
    createTrigger: (body: M.TriggerRequest) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/jobs/triggers", { params: inOrg, body: body as never }),
      ) as Promise<M.Trigger>,
    patchTrigger: (trigger: string, body: M.TriggerRequest) =>
      unwrap(
        client.PATCH("/api/v1/orgs/{org}/jobs/triggers/{trigger}", { ...of(trigger), body: body as never }),
      ) as Promise<M.Trigger>,
    removeTrigger: (trigger: string) =>
      unwrap(client.DELETE("/api/v1/orgs/{org}/jobs/triggers/{trigger}", of(trigger))),
    previewSchedule: (
      body: { cron_expr: string; timezone?: string; after?: string; count?: number },
      signal: AbortSignal,
    ) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/jobs/triggers/preview", { params: inOrg, body, signal }),
      ) as Promise<M.Preview>,
    nextFires: (trigger: string, count?: number) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/jobs/triggers/{trigger}/next", {
          params: { path: { org, trigger }, query: definedOnly({ count }) },
        }),
      ) as Promise<M.Preview>,
    fires: (trigger: string, cursor: string | undefined) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/jobs/triggers/{trigger}/history", {
          params: { path: { org, trigger }, query: definedOnly({ cursor, limit: 50 }) },
        }),
      ) as Promise<M.Page<M.Fire>>,
    fireTrigger: (trigger: string, event?: unknown) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/jobs/triggers/{trigger}/fire", {
          ...of(trigger),
          body: (event === undefined ? {} : { event }) as never,
        }),
      ) as Promise<M.TriggerFired>,
    testTrigger: (trigger: string, event?: unknown) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/jobs/triggers/{trigger}/test", {
          ...of(trigger),
          body: (event === undefined ? {} : { event }) as never,
        }),
      ) as Promise<M.WouldMake>,
    backfill: (trigger: string, body: { from: string; until: string; dry_run: boolean }) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/jobs/triggers/{trigger}/backfill", { ...of(trigger), body }),
      ) as Promise<M.Backfilled>,

    events: (query: { types?: string | undefined; cursor?: number | undefined; limit: number }) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/events", { params: { ...inOrg, query: definedOnly(query) } }),
      ) as Promise<{ items: M.LiveEvent[]; next?: number | null }>,
    emitEvent: (body: { name: string; data: Record<string, unknown> }) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/events", { params: inOrg, body: body as never }),
      ) as Promise<M.EventCreated>,
  };
}
