import { answer, client } from "./client";
import type * as M from "./model";

/** API routes for secrets, limits and pauses. A separate file, because few pages load it. */
export function rulesApi(org: string) {
  const here = { path: { org } };
  const named = (secret: string) => ({ params: { path: { org, secret } } });
  return {
    secrets: () => answer(client.GET("/api/v1/orgs/{org}/secrets", { params: here })),
    setSecret: (name: string, value: string) =>
      answer(client.PUT("/api/v1/orgs/{org}/secrets/{secret}", { ...named(name), body: { value } })),
    removeSecret: (name: string) => answer(client.DELETE("/api/v1/orgs/{org}/secrets/{secret}", named(name))),

    limits: () => answer(client.GET("/api/v1/orgs/{org}/limits", { params: here })),
    /** A body without numbers removes the limit. */
    setLimit: (key: string, body: M.LimitRequest) =>
      answer(client.PUT("/api/v1/orgs/{org}/limits/{key}", { params: { path: { org, key } }, body })),
    setPause: (body: M.PauseRequest) =>
      answer(client.POST("/api/v1/orgs/{org}/pauses", { params: here, body })),
  };
}
