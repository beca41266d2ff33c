import { client, unwrap } from "../api/client";
import type { components } from "../api/schema";

export type ViewPage = "jobs" | "hosts" | "servers" | "triggers" | "alerts" | "events";
type Visibility = "private" | "org";

/** The OpenAPI document declares these unions as plain strings. */
type Unions = { page: ViewPage; visibility: Visibility };
export type SavedView = Omit<components["schemas"]["View"], keyof Unions> & Unions;
export type ViewRequest = Pick<SavedView, "page" | "name" | "query" | "visibility">;

const typed = (view: Promise<components["schemas"]["View"]>) => view as Promise<SavedView>;

export function viewsApi(org: string) {
  const all = { params: { path: { org } } };
  const one = (view: string) => ({ params: { path: { org, view } } });
  return {
    views: async () => (await unwrap(client.GET("/api/v1/orgs/{org}/views", all))).items as SavedView[],
    createView: (body: ViewRequest) =>
      typed(unwrap(client.POST("/api/v1/orgs/{org}/views", { ...all, body }))),
    patchView: (id: string, body: Partial<Omit<ViewRequest, "page">>) =>
      typed(unwrap(client.PATCH("/api/v1/orgs/{org}/views/{view}", { ...one(id), body }))),
    removeView: (id: string) => unwrap(client.DELETE("/api/v1/orgs/{org}/views/{view}", one(id))),
  };
}
