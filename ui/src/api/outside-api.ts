import { answer, client } from "./client";
import type * as M from "./model";

/** API routes for heartbeats and hooks. A separate file, because few pages load it. */
export function outsideApi(org: string) {
  const here = { path: { org } };
  return {
    pings: () => answer(client.GET("/api/v1/orgs/{org}/pings", { params: here })),
    createPing: (body: M.PingRequest) =>
      answer(client.POST("/api/v1/orgs/{org}/pings", { params: here, body })),
    removePing: (ping: string) =>
      answer(client.DELETE("/api/v1/orgs/{org}/pings/{ping}", { params: { path: { org, ping } } })),
    pingHistory: (ping: string) =>
      answer(client.GET("/api/v1/orgs/{org}/pings/{ping}/history", { params: { path: { org, ping } } })),

    hooks: () => answer(client.GET("/api/v1/orgs/{org}/hooks", { params: here })),
    createHook: (body: M.HookRequest) =>
      answer(client.POST("/api/v1/orgs/{org}/hooks", { params: here, body })),
    removeHook: (hook: string) =>
      answer(client.DELETE("/api/v1/orgs/{org}/hooks/{hook}", { params: { path: { org, hook } } })),
  };
}
