import { client, unwrap } from "./client";
import type * as M from "./model";

/** API routes for hooks. A separate file, because few pages load it. */
export function hookApi(org: string) {
  const inOrg = { path: { org } };
  return {
    hooks: () => unwrap(client.GET("/api/v1/orgs/{org}/hooks", { params: inOrg })),
    createHook: (body: M.HookRequest) =>
      unwrap(client.POST("/api/v1/orgs/{org}/hooks", { params: inOrg, body })),
    removeHook: (hook: string) =>
      unwrap(client.DELETE("/api/v1/orgs/{org}/hooks/{hook}", { params: { path: { org, hook } } })),
  };
}
