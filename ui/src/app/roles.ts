import type { Me, Membership, Role } from "../api/model";
import { text } from "../messages";

/** Each may do all that those before it may. */
const ORDER: readonly Role[] = ["viewer", "operator", "admin", "super_admin"];

type NeededRole = Exclude<Role, "viewer">;

export function roleIn(me: Me, org: Membership): Role {
  return me.is_super_admin ? "super_admin" : org.role;
}

export function may(role: Role, needed: Role): boolean {
  return ORDER.indexOf(role) >= ORDER.indexOf(needed);
}

/** Why a control is off, for people; nothing when it is on. */
export function refusal(role: Role, needed: NeededRole): string | undefined {
  return may(role, needed) ? undefined : text.needs[needed];
}
