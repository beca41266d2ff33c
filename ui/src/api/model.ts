import type { components } from "./schema";

/** Short names for request and response bodies. `npm run gen` generates `schema.d.ts` from OpenAPI. */
type Schemas = components["schemas"];
type Narrowed<Wide, Narrow extends Partial<Wide>> = Omit<Wide, keyof Narrow> & Narrow;

// The OpenAPI document has no enums, so the unions are written here.
export type Role = "viewer" | "operator" | "admin" | "super_admin";
export type MemberRole = Exclude<Role, "super_admin">;
export type TokenScope = "api" | "read" | "worker";
export type HostStatus = "pending" | "online" | "degraded" | "offline" | "asleep" | "paused" | "revoked";
export type JobStatus = "queued" | "running" | "succeeded" | "failed" | "dead_letter" | "canceled";
export type JobSource = "manual" | "event" | "schedule" | "system";
export type RunStatus =
  | "running"
  | "succeeded"
  | "failed"
  | "timeout"
  | "canceled"
  | "lost"
  | "crashed"
  | "not_started";
export type FireStatus = "fired" | "caught_up" | "missed" | "asleep" | "skipped" | "failed";
export type AlertStatus = "pending" | "open" | "acked" | "resolved";
export type Severity = "info" | "warning" | "critical";
export type ServerState =
  | "stopped"
  | "starting"
  | "running"
  | "stopping"
  | "waiting"
  | "crash_loop"
  | "failed";
export type ServerAction = "start" | "stop" | "restart";
export type LogStream = "out" | "err" | "system";
export type LoopState = "waiting" | "running" | "backing_off" | "stopped";

export interface Page<T> {
  items: T[];
  next?: string | null;
}

export type Problem = Schemas["Problem"];
export type HubInfo = Schemas["HubInfo"];
export type Loop = Narrowed<Schemas["Loop"], { state: LoopState }>;
export type HubLoops = Omit<Schemas["HubLoops"], "loops"> & { loops: Loop[] };
export type User = Schemas["User"];
export type UserPatch = Schemas["UserPatch"];

export type Membership = Narrowed<Schemas["Membership"], { role: Role }>;
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
export type Host = Narrowed<Schemas["Host"], { status: HostStatus }>;
export type HostDetail = Omit<Schemas["HostDetail"], "status" | "running" | "last_runs"> & {
  status: HostStatus;
  running: HostRun[];
  last_runs: HostRun[];
};

export type JoinToken = Schemas["JoinToken"];
export type JoinTokenRequest = Schemas["JoinTokenRequest"];
export type JoinTokenCreated = Schemas["JoinTokenCreated"];

export type Member = Narrowed<Schemas["Member"], { role: MemberRole }>;
export type Invitation = Narrowed<Schemas["Invitation"], { role: MemberRole }>;
export type InvitationCreated = Narrowed<Schemas["InvitationCreated"], { role: MemberRole }>;
export type Token = Narrowed<Schemas["Token"], { role: MemberRole; scope: TokenScope }>;
export type TokenRequest = Schemas["TokenRequest"];
export type TokenCreated = Narrowed<Schemas["TokenCreated"], { role: MemberRole; scope: TokenScope }>;

/** `diff` is parsed by `admin/diff.ts`. */
export type AuditEntry = Omit<Schemas["AuditEntry"], "diff"> & { diff: unknown };
export type AuditVerdict = Schemas["AuditVerdict"];
export type LiveEvent = Omit<Schemas["LiveEvent"], "data"> & { data: unknown };

export type Why = Schemas["Why"];
export type JobTarget = Schemas["JobTarget"];
export type Job = Narrowed<Schemas["Job"], { status: JobStatus; source: JobSource; payload: unknown }>;
export type JobDetail = Job & { why: Why };
export type JobPage = Page<Job> & { searched: number };
export type JobSummary = Omit<Schemas["JobSummary"], "counts"> & {
  counts: Partial<Record<JobStatus, number>>;
};
export type JobRequest = Omit<Schemas["JobRequest"], "payload"> & { payload?: unknown };
export type JobCreated = Schemas["JobMade"];
export type Run = Narrowed<Schemas["Run"], { status: RunStatus; output?: unknown }>;
export type LogLine = Narrowed<Schemas["LogLine"], { stream: LogStream }>;
export type LogPage = Omit<Schemas["LogPage"], "lines"> & { lines: LogLine[] };
export type Batch = Schemas["Batch"];
export type BatchRequest = Schemas["BatchRequest"];

export type Definition = Narrowed<Schemas["Definition"], { arg_schema: unknown }>;
export type DefinitionPut = Omit<Schemas["DefinitionPut"], "definition" | "changes"> & {
  definition: Definition;
  changes: DefinitionChange[];
};
export interface DefinitionChange {
  field: string;
  old: unknown;
  new: unknown;
}
export type DefinitionVersion = Omit<Schemas["DefinitionVersion"], "changes"> & {
  changes: DefinitionChange[];
};

export type Fire = Narrowed<Schemas["Fire"], { status: FireStatus }>;
export type TriggerTarget = Schemas["TriggerTarget"];
export type Trigger = Omit<
  Schemas["Trigger"],
  "trigger_type" | "match" | "payload_template" | "last_fire" | "target"
> & {
  trigger_type: "event" | "schedule";
  match: Record<string, unknown>;
  payload_template: unknown;
  last_fire?: Fire | null;
  target?: TriggerTarget | null;
};
export type TriggerRequest = Omit<Schemas["TriggerRequest"], "match" | "payload_template"> & {
  match?: Record<string, unknown> | null;
  payload_template?: unknown;
};
export type Preview = Schemas["Preview"];
export type TriggerTestResult = Omit<Schemas["WouldMake"], "jobs"> & {
  jobs: (Omit<Schemas["WouldMakeJob"], "payload"> & { payload?: unknown })[];
};
export type TriggerFired = Schemas["TriggerFired"];
export type Backfilled = Schemas["Backfilled"];
export type EventCreated = Schemas["EventMade"];

export type Alert = Narrowed<Schemas["Alert"], { status: AlertStatus; severity: Severity }>;
export type AlertRule = Narrowed<Schemas["AlertRule"], { severity: Severity }>;
export type AlertRuleRequest = Schemas["AlertRuleRequest"];
export type Channel = Omit<Schemas["Channel"], "config" | "quiet_hours"> & {
  config: { kind: string } & Record<string, unknown>;
  quiet_hours?: QuietHours | null;
};
export interface QuietHours {
  from: string;
  until: string;
  timezone: string;
}
export type ChannelRequest = Omit<Schemas["ChannelRequest"], "config" | "quiet_hours" | "kinds"> & {
  config?: Record<string, unknown> | null;
  quiet_hours?: QuietHours | null;
  kinds?: string[] | null;
};
export type ChannelTested = Schemas["ChannelTested"];
export type Notice = Schemas["Notice"];
export type MaintenanceWindow = Schemas["MuteWindow"];
export type MaintenanceWindowRequest = Schemas["MuteWindowRequest"];
export type Ping = Schemas["Ping"];
export type PingCreated = Schemas["PingMade"];
export type PingRequest = Schemas["PingRequest"];
export type Hook = Schemas["Hook"];
export type HookCreated = Schemas["HookMade"];
export type HookRequest = Schemas["HookRequest"];

export type ScheduleDay = Narrowed<
  Schemas["ScheduleDay"],
  { state: "idle" | "done" | "open" | "missed" | "failed" }
>;
export type HostSchedule = Narrowed<Schemas["HostSchedule"], { days: ScheduleDay[] }>;
export type HostSchedules = Narrowed<Schemas["HostSchedules"], { items: HostSchedule[] }>;
export type Timeline = Schemas["Timeline"];
export type TimelineItem = Schemas["TimelineItem"];
export type HostRun = Narrowed<Schemas["HostRun"], { status: RunStatus }>;
export type Pause = Schemas["Pause"];
export type PauseRequest = Schemas["PauseRequest"];
export type Limit = Schemas["Limit"];
export type LimitRequest = Schemas["LimitRequest"];
export type Secret = Schemas["Secret"];
export type Worker = Narrowed<Schemas["Worker"], { metadata: unknown }>;
export type OrgJobs = Omit<Schemas["OrgJobs"], "counts"> & { counts: Partial<Record<JobStatus, number>> };
export type SyncStatus = Schemas["SyncStatus"];

/** Desired settings of a server; `docs/servers.md` describes the fields. */
export interface ServerSpec {
  argv: string[];
  definition_key?: string;
  payload?: unknown;
  folder?: string;
  env: Record<string, string>;
  user?: string;
  ports: number[];
  ready: ServerReady;
  stop: { command?: string; command_seconds: number; signal: string; signal_seconds: number };
  restart: ServerRestart;
  autostart: boolean;
  console: boolean;
  caps: { memory_bytes?: number; cpu_percent?: number; processes?: number };
  log: { bytes: number; days: number };
}
export interface ServerReady {
  kind: ReadyKind;
  timeout_seconds: number;
  host?: string;
  port?: number;
  url?: string;
  contains?: string;
  argv?: string[];
}
export type ReadyKind = "up" | "tcp" | "http" | "log" | "command";
export interface ServerRestart {
  policy: RestartPolicy;
  first_seconds: number;
  cap_seconds: number;
  loop_after: number;
  stable_seconds: number;
}
export type RestartPolicy = "never" | "on_failure" | "always";
export type Server = Omit<Schemas["Server"], "state" | "desired_state" | "host_status" | "spec"> & {
  state: ServerState;
  desired_state: "up" | "down";
  host_status: HostStatus | "";
  spec: ServerSpec;
};
/** Create or update request; `null` removes a setting. */
export type ServerRequest = { name?: string; host?: string } & {
  [Field in keyof ServerSpec]?: ServerSpec[Field] | null;
};
export type ServerActed = Schemas["JobMade"] & { superseded: string[] };
export type ServerRun = Narrowed<Schemas["ServerRun"], { status: RunStatus }>;
export type ConsolePage = Omit<Schemas["ConsolePage"], "lines"> & { lines: LogLine[] };
