import { answerOf } from "../api/plain";

/** Pages that have views. */
export type ViewPage = "jobs" | "hosts" | "servers" | "triggers" | "alerts" | "events";

export interface SavedView {
  id: string;
  page: ViewPage;
  name: string;
  /** The search of an address, without its question mark. */
  query: string;
  visibility: "private" | "org";
  is_mine: boolean;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export type ViewRequest = Pick<SavedView, "page" | "name" | "query" | "visibility">;

export function viewsApi(org: string) {
  const at = `/orgs/${encodeURIComponent(org)}/views`;
  const one = (id: string) => `${at}/${encodeURIComponent(id)}`;
  return {
    views: () => answerOf<{ views: SavedView[] }>("GET", at),
    createView: (body: ViewRequest) => answerOf<SavedView>("POST", at, body),
    patchView: (id: string, body: Partial<ViewRequest>) => answerOf<SavedView>("PATCH", one(id), body),
    removeView: (id: string) => answerOf<undefined>("DELETE", one(id)),
  };
}
