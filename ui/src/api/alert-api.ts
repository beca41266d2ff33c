import { client, definedOnly, unwrap } from "./client";
import type * as M from "./model";

/** API routes for alerts, channels, rules and maintenance windows. */
export function alertApi(org: string) {
  const inOrg = { path: { org } };
  const about = (alert: string) => ({ params: { path: { org, alert } } });
  const to = (channel: string) => ({ params: { path: { org, channel } } });
  return {
    alerts: (status: string | undefined, cursor?: string) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/alerts", {
          params: { ...inOrg, query: definedOnly({ status, cursor, limit: 100 }) },
        }),
      ) as Promise<M.Page<M.Alert>>,
    ackAlert: (alert: string, body: { note?: string; until?: string | null }) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/alerts/{alert}/ack", { ...about(alert), body }),
      ) as Promise<M.Alert>,
    snoozeAlert: (alert: string, until: string) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/alerts/{alert}/snooze", { ...about(alert), body: { until } }),
      ) as Promise<M.Alert>,
    resolveAlert: (alert: string, note: string) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/alerts/{alert}/resolve", { ...about(alert), body: { note } }),
      ) as Promise<M.Alert>,
    alertRules: () =>
      unwrap(client.GET("/api/v1/orgs/{org}/alert-rules", { params: inOrg })) as Promise<{
        items: M.AlertRule[];
      }>,
    putAlertRule: (kind: string, body: M.AlertRuleRequest) =>
      unwrap(
        client.PUT("/api/v1/orgs/{org}/alert-rules/{kind}", { params: { path: { org, kind } }, body }),
      ) as Promise<M.AlertRule>,

    channels: () =>
      unwrap(client.GET("/api/v1/orgs/{org}/channels", { params: inOrg })) as Promise<{ items: M.Channel[] }>,
    createChannel: (body: M.ChannelRequest) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/channels", { params: inOrg, body: body as never }),
      ) as Promise<M.Channel>,
    patchChannel: (channel: string, body: M.ChannelRequest) =>
      unwrap(
        client.PATCH("/api/v1/orgs/{org}/channels/{channel}", { ...to(channel), body: body as never }),
      ) as Promise<M.Channel>,
    removeChannel: (channel: string) =>
      unwrap(client.DELETE("/api/v1/orgs/{org}/channels/{channel}", to(channel))),
    testChannel: (channel: string) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/channels/{channel}/test", to(channel)),
      ) as Promise<M.ChannelTested>,
    notices: (cursor?: string) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/notices", {
          params: { ...inOrg, query: definedOnly({ cursor, limit: 50 }) },
        }),
      ) as Promise<M.Page<M.Notice>>,

    windows: () =>
      unwrap(client.GET("/api/v1/orgs/{org}/maintenance", { params: inOrg })) as Promise<{
        items: M.MaintenanceWindow[];
      }>,
    createWindow: (body: M.MaintenanceWindowRequest) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/maintenance", { params: inOrg, body }),
      ) as Promise<M.MaintenanceWindow>,
    removeWindow: (window: string) =>
      unwrap(client.DELETE("/api/v1/orgs/{org}/maintenance/{window}", { params: { path: { org, window } } })),
  };
}
