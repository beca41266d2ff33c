import type { Me, Membership, Role } from "../api/model";
import { text } from "../messages";

/** Each role includes the rights of those before it. */
const ORDER: readonly Role[] = ["viewer", "operator", "admin", "super_admin"];

type NeededRole = Exclude<Role, "viewer">;

export function roleIn(me: Me, org: Membership): Role {
  return me.is_super_admin ? "super_admin" : org.role;
}

export function may(role: Role, needed: Role): boolean {
  return ORDER.indexOf(role) >= ORDER.indexOf(needed);
}

/** Text that explains why a control is disabled; `undefined` if it is enabled. */
export function refusal(role: Role, needed: NeededRole): string | undefined {
  return may(role, needed) ? undefined : text.needs[needed];
}
