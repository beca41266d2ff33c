import { client, unwrap } from "./client";
import type * as M from "./model";

/** API routes for pings. A separate file, because few pages load it. */
export function pingApi(org: string) {
  const inOrg = { path: { org } };
  return {
    pings: () => unwrap(client.GET("/api/v1/orgs/{org}/pings", { params: inOrg })),
    createPing: (body: M.PingRequest) =>
      unwrap(client.POST("/api/v1/orgs/{org}/pings", { params: inOrg, body })),
    removePing: (ping: string) =>
      unwrap(client.DELETE("/api/v1/orgs/{org}/pings/{ping}", { params: { path: { org, ping } } })),
    pingHistory: (ping: string) =>
      unwrap(client.GET("/api/v1/orgs/{org}/pings/{ping}/history", { params: { path: { org, ping } } })),
  };
}
