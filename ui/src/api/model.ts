import type { components } from "./schema";

/** Short names for the bodies of the hub's HTTP API. `schema.d.ts` is made from its description: `npm run gen`. */
type Schemas = components["schemas"];
type Refined<Wide, Narrow extends Partial<Wide>> = Omit<Wide, keyof Narrow> & Narrow;

// The description writes words of a fixed set as plain text: these are the sets.
export type Role = "viewer" | "operator" | "admin" | "super_admin";
export type MemberRole = Exclude<Role, "super_admin">;
export type TokenScope = "api" | "read" | "worker";
export type HostStatus = "pending" | "online" | "degraded" | "offline" | "asleep" | "paused" | "revoked";
export type LoopState = "waiting" | "running" | "backing_off" | "stopped";

export interface Page<T> {
  items: T[];
  next?: string | null;
}

export type Problem = Schemas["Problem"];
export type HubInfo = Schemas["HubInfo"];
export type Loop = Refined<Schemas["Loop"], { state: LoopState }>;
export type HubLoops = Omit<Schemas["HubLoops"], "loops"> & { loops: Loop[] };
export type User = Schemas["User"];
export type UserPatch = Schemas["UserPatch"];

export type Membership = Refined<Schemas["Membership"], { role: Role }>;
export type Me = Omit<Schemas["Me"], "orgs"> & { orgs: Membership[] };
export type DeviceView = Schemas["DeviceView"];
export type InvitationView = Schemas["InvitationView"];
export type SignInLink = Schemas["SignInLink"];

export type Org = Schemas["Org"];
export type OrgPatch = Schemas["OrgPatch"];
export type OrgRequest = Schemas["OrgRequest"];
export type Status = Omit<Schemas["Status"], "hosts"> & { hosts: Partial<Record<HostStatus, number>> };

export type Labels = Schemas["Host"]["labels"];
export type HostMetrics = Schemas["HostMetrics"];
export type HostSession = Schemas["HostSession"];
export type HostMark = Schemas["HostMark"];
export type HostMarkRequest = Schemas["HostMarkRequest"];
export type HostPatch = Schemas["HostPatch"];
export type Host = Refined<Schemas["Host"], { status: HostStatus }>;
export type HostDetail = Refined<Schemas["HostDetail"], { status: HostStatus }>;

export type JoinToken = Schemas["JoinToken"];
export type JoinTokenRequest = Schemas["JoinTokenRequest"];
export type JoinTokenCreated = Schemas["JoinTokenCreated"];

export type Member = Refined<Schemas["Member"], { role: MemberRole }>;
export type Invitation = Refined<Schemas["Invitation"], { role: MemberRole }>;
export type InvitationCreated = Refined<Schemas["InvitationCreated"], { role: MemberRole }>;
export type Token = Refined<Schemas["Token"], { role: MemberRole; scope: TokenScope }>;
export type TokenRequest = Schemas["TokenRequest"];
export type TokenCreated = Refined<Schemas["TokenCreated"], { role: MemberRole; scope: TokenScope }>;

/** What changed, field by field: see `admin/diff.ts`. */
export type AuditEntry = Omit<Schemas["AuditEntry"], "diff"> & { diff: unknown };
export type AuditVerdict = Schemas["AuditVerdict"];
export type LiveEvent = Omit<Schemas["LiveEvent"], "data"> & { data: unknown };
