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

/** API routes for jobs, batches, definitions and pauses. */
export function jobApi(org: string) {
  const inOrg = { path: { org } };
  const all = { ...inOrg, ...ALL };
  const at = (job: string) => ({ params: { path: { org, job } } });
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
  };
}
