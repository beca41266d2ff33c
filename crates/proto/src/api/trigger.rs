//! Triggers: schedules and event rules.

use domain::{
    JobId, Timestamp, TriggerId,
    job::JobStatus,
    trigger::{FanOut, FireStatus, FiresAt, MissedPolicy, Overlap, TriggerType},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

/// A schedule or an event rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Trigger {
    #[schema(value_type = String)]
    pub id: TriggerId,
    /// The name for people.
    pub label: String,
    /// Whether it creates jobs.
    pub is_enabled: bool,
    /// `schedule` or `event`.
    #[schema(value_type = String, example = "schedule")]
    pub trigger_type: TriggerType,
    /// The name of the event.
    pub event_name: Option<String>,
    /// Conditions on the event's fields.
    #[serde(rename = "match")]
    #[schema(value_type = Object)]
    pub fields: Map<String, Value>,
    /// A cron expression with five fields, or a nickname such as `@daily`.
    #[schema(example = "0 2 * * *")]
    pub cron_expr: Option<String>,
    /// The time zone of the schedule.
    #[schema(example = "Europe/Berlin")]
    pub timezone: Option<String>,
    /// The schedule in words.
    pub description: String,
    /// The definition of its jobs.
    pub definition_key: String,
    /// The payload of its jobs, with slots such as `{{ event.folder }}`.
    pub payload_template: Value,
    /// A template for the dedupe key of its jobs.
    pub dedupe_key: Option<String>,
    /// For this long no second job with the same dedupe key is created.
    pub dedupe_window_seconds: Option<u32>,
    /// Where its jobs may run; null for the definition's queue and selector.
    pub target: Option<TriggerTarget>,
    /// Where it fires: `hub` or `host`.
    #[schema(value_type = String, example = "hub")]
    pub place: FiresAt,
    /// The policy for times that passed while no hub or host could fire them: `skip`, `once` or `all`.
    #[schema(value_type = String, example = "once")]
    pub missed: MissedPolicy,
    /// The most jobs that `all` creates.
    pub missed_max: u32,
    /// Times missed longer ago than this are not caught up.
    pub missed_window_seconds: u32,
    /// The policy for a fire while an earlier job is queued or running: `allow`, `forbid`, `replace` or `queue_one`.
    #[schema(value_type = String, example = "forbid")]
    pub overlap: Overlap,
    /// Each job starts up to this many seconds after its time; the delay is spread evenly.
    pub jitter: u32,
    /// No fires before this time.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<Timestamp>,
    /// No fires after this time.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<Timestamp>,
    /// No fires before this time; set by a pause.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub paused_until: Option<Timestamp>,
    /// The priority of its jobs; lower numbers run first.
    pub priority: i32,
    /// Whether a host created it. Such a trigger can only be changed on the host.
    pub is_hosts_own: bool,
    pub created_by: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    /// The next time it fires.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_fire_at: Option<Timestamp>,
    /// The outcome of its last time.
    pub last_fire: Option<Fire>,
    /// A remark about where it fires.
    #[serde(default)]
    pub note: Option<String>,
}

/// Where the jobs of a trigger run: a host, a queue or a selector.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TriggerTarget {
    /// This host, by name or id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Any host that serves this queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// Hosts whose labels match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// With a selector: `each` matching host, or `any` one of them (default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "each")]
    pub spread: Option<FanOut>,
}

/// A trigger to create, or the fields to change. Absent fields get their default or keep their value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TriggerRequest {
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Whether it creates jobs; true by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_enabled: Option<bool>,
    /// `event` or `schedule`; derived from the other fields if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "schedule")]
    pub trigger_type: Option<TriggerType>,
    /// The name of the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_name: Option<String>,
    /// Conditions on the event's fields.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub fields: Option<Map<String, Value>>,
    /// A cron expression with five fields, or six with seconds first; or a nickname such as `@daily` or `@every 15m`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cron_expr: Option<String>,
    /// The time zone of the schedule; the org's by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// The definition of its jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition_key: Option<String>,
    /// The payload of its jobs, with slots such as `{{ event.folder }}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_template: Option<Value>,
    /// A template for the dedupe key of its jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dedupe_key: Option<String>,
    /// For this long no second job with the same dedupe key is created; 300 by default for event rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dedupe_window_seconds: Option<u32>,
    /// Where its jobs may run; the definition's queue and selector by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TriggerTarget>,
    /// `hub` (default) or `host`: fires on the host itself, also while the hub is unreachable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "hub")]
    pub place: Option<FiresAt>,
    /// The policy for missed times: `skip`, `once` (default) or `all`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "once")]
    pub missed: Option<MissedPolicy>,
    /// The most jobs that `all` creates; 10 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_max: Option<u32>,
    /// Times missed longer ago than this are not caught up; one week by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_window_seconds: Option<u32>,
    /// The policy for overlapping jobs: `allow`, `forbid` (default), `replace` or `queue_one`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "forbid")]
    pub overlap: Option<Overlap>,
    /// Each job starts up to this many seconds after its time; 0 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jitter: Option<u32>,
    /// No fires before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<Timestamp>,
    /// No fires after this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<Timestamp>,
    /// No fires before this time; a pause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub paused_until: Option<Timestamp>,
    /// The priority of its jobs; 100 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
}

/// The outcome of one time of a schedule on one host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fire {
    /// The time of the schedule.
    #[schema(value_type = String, format = DateTime)]
    pub nominal_at: Timestamp,
    #[schema(value_type = String, example = "fired")]
    pub status: FireStatus,
    /// The reason, in one sentence.
    pub reason: String,
    /// The name of the host.
    pub host: Option<String>,
    /// The job that was created for it.
    #[schema(value_type = Option<String>)]
    pub job_id: Option<JobId>,
    /// The status of that job.
    #[schema(value_type = Option<String>, example = "succeeded")]
    pub job_status: Option<JobStatus>,
    /// The number of times covered: older times share one entry.
    pub stands_for: i32,
    /// When it was decided.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// Selects the times of a preview.
#[derive(Debug, Clone, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct NextQuery {
    /// Only times after this one; now if absent.
    #[param(value_type = Option<String>)]
    pub after: Option<Timestamp>,
    /// The number of times, 1 to 100; 10 if absent.
    pub count: Option<u32>,
}

/// A schedule to preview; it need not exist.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewRequest {
    /// A cron expression or nickname.
    pub cron_expr: String,
    /// The time zone of the schedule; the org's if absent.
    #[serde(default)]
    pub timezone: Option<String>,
    /// Only times after this one; now if absent.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub after: Option<Timestamp>,
    /// The number of times, 1 to 100; 10 if absent.
    #[serde(default)]
    pub count: Option<u32>,
}

/// The next times of a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Preview {
    /// The schedule in words.
    pub description: String,
    /// The time zone of the schedule.
    pub timezone: String,
    pub times: Vec<PreviewTime>,
    /// Clock changes in this period that affect the schedule.
    pub clock_changes: Vec<PreviewChange>,
}

/// A time of a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PreviewTime {
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The local time in the schedule's time zone.
    #[schema(example = "2026-11-16T02:00:00-05:00[America/New_York]")]
    pub local: String,
}

/// A clock change and its effect on the schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PreviewChange {
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The effect, in words.
    pub text: String,
}

/// An event with which to test or fire a trigger.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TriggerFireRequest {
    /// For an event rule: the data of the event; the last matching event if absent.
    #[serde(default)]
    pub event: Option<Value>,
}

/// The jobs that a trigger would create.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WouldMake {
    /// The definition of the jobs.
    pub definition_key: String,
    /// One per target.
    pub jobs: Vec<WouldMakeJob>,
    /// For an event rule: the number of stored events that match it.
    pub would_have_fired: Option<u64>,
    /// For an event rule: the number of stored events with its event name.
    pub events_examined: Option<u64>,
}

/// A job that a trigger would create.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WouldMakeJob {
    /// Where the job would run.
    pub target: String,
    /// The payload of the job.
    pub payload: Option<Value>,
    /// Why the job would not be created.
    pub refused: Option<String>,
    /// The dedupe key of the job.
    pub dedupe_key: Option<String>,
    /// The job that holds this dedupe key now.
    #[schema(value_type = Option<String>)]
    pub held_by: Option<JobId>,
}

/// Jobs created by firing a trigger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TriggerFired {
    /// The ids of the jobs.
    #[schema(value_type = Vec<String>)]
    pub jobs: Vec<JobId>,
    /// Why other jobs were not created.
    pub refused: Vec<String>,
}

/// A period of a schedule for which to create jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BackfillRequest {
    /// Start of the period.
    #[schema(value_type = String, format = DateTime)]
    pub from: Timestamp,
    /// End of the period.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
    /// Only return the times.
    #[serde(default)]
    pub dry_run: bool,
}

/// The result of a backfill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Backfilled {
    /// The times that get a job.
    #[schema(value_type = Vec<String>)]
    pub times: Vec<Timestamp>,
    /// The number of times that already had a job.
    pub done_before: u64,
    /// The created jobs.
    #[schema(value_type = Vec<String>)]
    pub jobs: Vec<JobId>,
}

/// An event sent by a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventRequest {
    /// As in `folder.changed`.
    pub name: String,
    /// The fields of the event.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub data: Value,
    /// Groups related jobs; passed to the jobs of the event.
    #[serde(default)]
    pub correlation_id: Option<String>,
}

/// The result of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventMade {
    /// The id of the event: the `source_ref` of its jobs.
    pub id: String,
    /// The number of matching triggers.
    pub triggers: u64,
    /// The created jobs.
    #[schema(value_type = Vec<String>)]
    pub jobs: Vec<JobId>,
    /// Existing jobs with the same dedupe key.
    #[schema(value_type = Vec<String>)]
    pub deduplicated: Vec<JobId>,
    /// Why other jobs were not created.
    pub refused: Vec<String>,
}

/// A crontab to import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    /// The text of the crontab.
    pub crontab: String,
    /// The host that the crontab is from; the jobs run there.
    #[serde(default)]
    pub host: Option<String>,
    /// The time zone of lines without `CRON_TZ`; the org's if absent.
    #[serde(default)]
    #[schema(example = "Europe/Berlin")]
    pub timezone: Option<String>,
    /// Whether it is a system crontab such as `/etc/crontab`, with a user name before each command.
    #[serde(default)]
    pub is_system: bool,
    /// Only return what would be imported.
    #[serde(default)]
    pub dry_run: bool,
}

/// The result of importing a crontab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Imported {
    /// The lines with a job, a variable or an error.
    pub lines: Vec<ImportedLine>,
    /// The number of imported lines.
    pub taken: usize,
}

/// The result of importing one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportedLine {
    /// The line number, starting at 1.
    pub line: usize,
    /// `ready`, `needs_shell`, `not_understood` or `variable`.
    #[schema(example = "ready")]
    pub verdict: String,
    /// The command, or the variable.
    pub text: String,
    /// Why the line is not imported, or what differs from cron.
    pub note: Option<String>,
    /// The label of the trigger.
    pub label: Option<String>,
    /// The schedule in words.
    pub when: Option<String>,
    /// The key of the definition.
    pub definition_key: Option<String>,
}
