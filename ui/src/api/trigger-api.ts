import { client, definedOnly, unwrap } from "./client";
import type * as M from "./model";

/** API routes for triggers and events. */
export function triggerApi(org: string) {
  const inOrg = { path: { org } };
  const all = { ...inOrg, query: { limit: 1000 } };
  const of = (trigger: string) => ({ params: { path: { org, trigger } } });
  return {
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
      ) as Promise<M.TriggerTestResult>,
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
