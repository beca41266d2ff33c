import type { Role } from "../api/model";
import { refusal } from "../app/roles";

const NEEDED = {
  "/hosts": "viewer",
  "/admin/people": "viewer",
  "/admin/tokens": "viewer",
  "/admin/join-tokens": "admin",
  "/admin/audit": "admin",
  "/admin/org": "viewer",
  "/admin/hub": "super_admin",
} as const satisfies Record<string, Role>;

export type Place = keyof typeof NEEDED;

/** Why a page is not for somebody; nothing when it is. */
export function refusalOf(role: Role, path: string): string | undefined {
  const needed = NEEDED[path as Place];
  return needed && needed !== "viewer" ? refusal(role, needed) : undefined;
}
