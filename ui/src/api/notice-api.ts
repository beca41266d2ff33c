import { answer, client, sent } from "./client";
import type * as M from "./model";

/** API routes for alerts, channels, rules and maintenance windows. */
export function noticeApi(org: string) {
  const here = { path: { org } };
  const about = (alert: string) => ({ params: { path: { org, alert } } });
  const to = (channel: string) => ({ params: { path: { org, channel } } });
  return {
    alerts: (status: string | undefined, cursor?: string) =>
      answer(
        client.GET("/api/v1/orgs/{org}/alerts", {
          params: { ...here, query: sent({ status, cursor, limit: 100 }) },
        }),
      ) as Promise<M.Page<M.Alert>>,
    ackAlert: (alert: string, body: { note?: string; until?: string | null }) =>
      answer(
        client.POST("/api/v1/orgs/{org}/alerts/{alert}/ack", { ...about(alert), body }),
      ) as Promise<M.Alert>,
    snoozeAlert: (alert: string, until: string) =>
      answer(
        client.POST("/api/v1/orgs/{org}/alerts/{alert}/snooze", { ...about(alert), body: { until } }),
      ) as Promise<M.Alert>,
    resolveAlert: (alert: string, note: string) =>
      answer(
        client.POST("/api/v1/orgs/{org}/alerts/{alert}/resolve", { ...about(alert), body: { note } }),
      ) as Promise<M.Alert>,
    alertRules: () =>
      answer(client.GET("/api/v1/orgs/{org}/alert-rules", { params: here })) as Promise<{
        items: M.AlertRule[];
      }>,
    putAlertRule: (kind: string, body: M.AlertRuleRequest) =>
      answer(
        client.PUT("/api/v1/orgs/{org}/alert-rules/{kind}", { params: { path: { org, kind } }, body }),
      ) as Promise<M.AlertRule>,

    channels: () =>
      answer(client.GET("/api/v1/orgs/{org}/channels", { params: here })) as Promise<{ items: M.Channel[] }>,
    createChannel: (body: M.ChannelRequest) =>
      answer(
        client.POST("/api/v1/orgs/{org}/channels", { params: here, body: body as never }),
      ) as Promise<M.Channel>,
    patchChannel: (channel: string, body: M.ChannelRequest) =>
      answer(
        client.PATCH("/api/v1/orgs/{org}/channels/{channel}", { ...to(channel), body: body as never }),
      ) as Promise<M.Channel>,
    removeChannel: (channel: string) =>
      answer(client.DELETE("/api/v1/orgs/{org}/channels/{channel}", to(channel))),
    testChannel: (channel: string) =>
      answer(
        client.POST("/api/v1/orgs/{org}/channels/{channel}/test", to(channel)),
      ) as Promise<M.ChannelTested>,
    notices: (cursor?: string) =>
      answer(
        client.GET("/api/v1/orgs/{org}/notices", { params: { ...here, query: sent({ cursor, limit: 50 }) } }),
      ) as Promise<M.Page<M.Notice>>,

    windows: () =>
      answer(client.GET("/api/v1/orgs/{org}/maintenance", { params: here })) as Promise<{
        items: M.QuietWindow[];
      }>,
    createWindow: (body: M.QuietRequest) =>
      answer(client.POST("/api/v1/orgs/{org}/maintenance", { params: here, body })) as Promise<M.QuietWindow>,
    removeWindow: (window: string) =>
      answer(client.DELETE("/api/v1/orgs/{org}/maintenance/{window}", { params: { path: { org, window } } })),
  };
}
