import type { Role } from "../api/model";
import { refusal } from "../app/roles";

const NEEDED = {
  "/": "viewer",
  "/hosts": "viewer",
  "/servers": "viewer",
  "/jobs": "viewer",
  "/triggers": "viewer",
  "/alerts": "viewer",
  "/admin/people": "viewer",
  "/admin/tokens": "viewer",
  "/admin/join-tokens": "admin",
  "/admin/definitions": "super_admin",
  "/admin/workers": "super_admin",
  "/admin/sync": "viewer",
  "/admin/audit": "admin",
  "/admin/org": "viewer",
  "/admin/hub": "super_admin",
  "/admin/secrets": "operator",
  "/admin/limits": "viewer",
} as const satisfies Record<string, Role>;

export type PagePath = keyof typeof NEEDED;

/** Text that explains why a role cannot open a page; `undefined` if it can. */
export function pageRefusal(role: Role, path: string): string | undefined {
  const page = (Object.keys(NEEDED) as PagePath[]).find(
    (each) => path === each || path.startsWith(`${each}/`),
  );
  const needed = page && NEEDED[page];
  return needed && needed !== "viewer" ? refusal(role, needed) : undefined;
}
