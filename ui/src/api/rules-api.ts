import { client, unwrap } from "./client";
import type * as M from "./model";

/** API routes for secrets, limits and pauses. A separate file, because few pages load it. */
export function rulesApi(org: string) {
  const inOrg = { path: { org } };
  const named = (secret: string) => ({ params: { path: { org, secret } } });
  return {
    secrets: () => unwrap(client.GET("/api/v1/orgs/{org}/secrets", { params: inOrg })),
    setSecret: (name: string, value: string) =>
      unwrap(client.PUT("/api/v1/orgs/{org}/secrets/{secret}", { ...named(name), body: { value } })),
    removeSecret: (name: string) => unwrap(client.DELETE("/api/v1/orgs/{org}/secrets/{secret}", named(name))),

    limits: () => unwrap(client.GET("/api/v1/orgs/{org}/limits", { params: inOrg })),
    /** A body without numbers removes the limit. */
    setLimit: (key: string, body: M.LimitRequest) =>
      unwrap(client.PUT("/api/v1/orgs/{org}/limits/{key}", { params: { path: { org, key } }, body })),
    setPause: (body: M.PauseRequest) =>
      unwrap(client.POST("/api/v1/orgs/{org}/pauses", { params: inOrg, body })),
  };
}
