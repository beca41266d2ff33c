/**
 * The bodies of the hub's HTTP API, written after `crates/proto/src/api`.
 * Only this file describes them, so that a generated schema can take its place.
 */

/** An instant as RFC 3339 text. */
export type Timestamp = string;
export type Labels = Record<string, string>;
export type Role = "viewer" | "operator" | "admin" | "super_admin";
export type MemberRole = Exclude<Role, "super_admin">;
export type TokenScope = "api" | "read" | "worker";
export type HostStatus = "pending" | "online" | "degraded" | "offline" | "asleep" | "paused" | "revoked";

export interface Page<T> {
  items: T[];
  next?: string;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  hint?: string;
  request_id?: string;
  retry_after_ms?: number;
}

export interface HubInfo {
  version: string;
  public_key: string;
  fingerprint: string;
  link_versions: [number, number];
  time: Timestamp;
}

export interface Status {
  hub_version: string;
  database: string;
  watching_since: Timestamp;
  org: string;
  hosts: Partial<Record<HostStatus, number>>;
  runner_versions: Record<string, number>;
}

export type LoopState = "waiting" | "running" | "backing_off" | "stopped";

export interface Loop {
  name: string;
  state: LoopState;
  passes: number;
  errors: number;
  panics: number;
  last_at: Timestamp | null;
  last_ms: number | null;
  last_error: string | null;
  next_at: Timestamp | null;
}

export interface HubLoops {
  hub_id: string;
  loops: Loop[];
}

export interface LiveEvent {
  type: string;
  at: Timestamp;
  host_id?: string;
  data: unknown;
}

export interface Me {
  kind: "user" | "token" | "local";
  user_id: string | null;
  name: string;
  email: string | null;
  is_super_admin: boolean;
  org_id: string | null;
  orgs: Membership[];
}

export interface Membership {
  org_id: string;
  slug: string;
  name: string;
  timezone: string;
  role: Role;
}

export interface Org {
  id: string;
  slug: string;
  name: string;
  timezone: string;
  offline_after_seconds: number;
  alert_after_seconds: number;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export type OrgPatch = Partial<
  Pick<Org, "name" | "timezone" | "offline_after_seconds" | "alert_after_seconds">
>;

export interface OrgRequest {
  slug: string;
  name?: string;
  timezone?: string;
}

export interface User {
  id: string;
  email: string;
  name: string;
  is_super_admin: boolean;
  is_disabled: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface DiskMetrics {
  mount: string;
  used_bytes: number;
  total_bytes: number;
}

export interface HostMetrics {
  cpu_percent: number;
  memory_used_bytes: number;
  memory_total_bytes: number;
  disks: DiskMetrics[];
  load_1?: number;
  uptime_seconds: number;
  battery?: { percent: number; is_charging: boolean };
}

export interface Machine {
  os: string;
  os_version: string;
  arch: string;
  cores: number;
}

export interface HostLimits {
  max_running: number | null;
  jobs_per_minute: number | null;
}

export interface Host {
  id: string;
  name: string;
  status: HostStatus;
  status_reason: string;
  last_heartbeat_at: Timestamp | null;
  runner_version: string | null;
  key_version: number;
  last_metrics: HostMetrics | null;
  labels: Labels;
  always_on: boolean;
  limits: HostLimits;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface HostSession {
  epoch: number;
  connected_at: Timestamp;
  closed_at: Timestamp | null;
  goodbye: string | null;
  address: string | null;
  clock_skew_ms: number | null;
}

export interface HostMark {
  note: string;
  until: Timestamp | null;
}

export interface HostDetail extends Host {
  machine: Machine;
  session: HostSession | null;
  pause: HostMark | null;
  degrade: HostMark | null;
  offline_after_seconds: number | null;
  alert_after_seconds: number | null;
  key_version_wanted: number | null;
}

/** Absent fields stay as they are; `null` sets a field back to "none" or "the org's". */
export interface HostPatch {
  name?: string;
  labels?: Record<string, string | null>;
  always_on?: boolean;
  max_running?: number | null;
  jobs_per_minute?: number | null;
  offline_after_seconds?: number | null;
  alert_after_seconds?: number | null;
}

export interface HostMarkRequest {
  note: string;
  until: Timestamp | null;
}

export interface JoinToken {
  id: string;
  hint: string;
  labels: Labels;
  always_on: boolean | null;
  uses: number;
  used: number;
  expires_at: Timestamp;
  revoked_at: Timestamp | null;
  created_at: Timestamp;
}

export interface JoinTokenRequest {
  uses: number;
  ttl_seconds: number;
  labels: Labels;
  always_on: boolean | null;
}

export interface JoinTokenCreated extends JoinToken {
  secret: string;
  command: string;
}

export interface Member {
  user_id: string;
  email: string;
  name: string;
  role: MemberRole;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface Invitation {
  id: string;
  email: string;
  role: MemberRole;
  expires_at: Timestamp;
  created_at: Timestamp;
}

export interface InvitationCreated extends Invitation {
  url: string;
}

export interface InvitationView {
  email: string;
  org: string;
  role: string;
  is_known: boolean;
  expires_at: Timestamp;
}

export interface Token {
  id: string;
  name: string;
  hint: string;
  user_id: string;
  role: MemberRole;
  scope: TokenScope;
  expires_at: Timestamp | null;
  revoked_at: Timestamp | null;
  last_used_at: Timestamp | null;
  created_at: Timestamp;
}

export interface TokenRequest {
  name: string;
  role: MemberRole;
  scope: TokenScope;
  ttl_seconds: number;
}

export interface TokenCreated extends Token {
  secret: string;
}

export interface AuditEntry {
  id: string;
  number: number | null;
  at: Timestamp;
  actor_kind: string;
  actor_id: string | null;
  actor: string;
  address: string | null;
  action: string;
  subject_kind: string;
  subject_id: string | null;
  subject: string | null;
  diff: unknown;
  request_id: string | null;
}

export interface AuditVerdict {
  is_intact: boolean;
  problem: string | null;
  sealed: number;
  unsealed: number;
}

export interface DeviceView {
  user_code: string;
  client: string;
  address: string;
  expires_at: Timestamp;
}
