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
    /// Its id.
    #[schema(value_type = String)]
    pub id: TriggerId,
    /// What people call it.
    pub label: String,
    /// Whether it makes jobs.
    pub is_enabled: bool,
    /// What sets it off.
    #[schema(value_type = String, example = "schedule")]
    pub trigger_type: TriggerType,
    /// The name of the event.
    pub event_name: Option<String>,
    /// Conditions on the event's fields.
    #[serde(rename = "match")]
    #[schema(value_type = Object)]
    pub fields: Map<String, Value>,
    /// When, in the five fields of cron or as a nickname.
    #[schema(example = "0 2 * * *")]
    pub cron_expr: Option<String>,
    /// The zone its hours are in.
    #[schema(example = "Europe/Berlin")]
    pub timezone: Option<String>,
    /// When, in words.
    pub description: String,
    /// What it runs.
    pub definition_key: String,
    /// The payload, with slots such as `{{ event.folder }}`.
    pub payload_template: Value,
    /// A template for the key by which its jobs are told apart.
    pub dedupe_key: Option<String>,
    /// For how long a second job with the same key is not made.
    pub dedupe_window_seconds: Option<u32>,
    /// Where its jobs run; null = where the definition says.
    pub target: Option<TriggerTarget>,
    /// Where it fires.
    #[schema(value_type = String, example = "hub")]
    pub place: FiresAt,
    /// What becomes of times that passed while nobody could act on them.
    #[schema(value_type = String, example = "once")]
    pub missed: MissedPolicy,
    /// How many jobs `all` makes at most.
    pub missed_max: u32,
    /// Times further back are not made up for.
    pub missed_window_seconds: u32,
    /// What a fire does while an earlier job is queued or running.
    #[schema(value_type = String, example = "forbid")]
    pub overlap: Overlap,
    /// Jobs begin up to so many seconds after their time, spread evenly.
    pub jitter: u32,
    /// No fires before.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<Timestamp>,
    /// No fires after.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<Timestamp>,
    /// No fires until then.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub paused_until: Option<Timestamp>,
    /// The priority of its jobs; lower runs first.
    pub priority: i32,
    /// Whether a host made it for itself: it is only shown here, and changed there.
    pub is_hosts_own: bool,
    /// Who made it.
    pub created_by: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    /// When it fires next.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_fire_at: Option<Timestamp>,
    /// What became of its last time.
    pub last_fire: Option<Fire>,
    /// What is to know about where it fires.
    #[serde(default)]
    pub note: Option<String>,
}

/// Where the jobs of a trigger run: one of host, queue and selector.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TriggerTarget {
    /// On this host, by name or id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// On any host that serves this queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// On hosts whose labels match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// With a selector: `each` host that matches, or `any` one of them (the default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "each")]
    pub spread: Option<FanOut>,
}

/// A trigger to make, or the fields of one to change. What is absent has its default, or stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TriggerRequest {
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Whether it makes jobs; it does unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_enabled: Option<bool>,
    /// `event` or `schedule`; follows from the other fields.
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
    /// When, in the five fields of cron, with seconds before them if need be, or as `@daily`, `@every 15m`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cron_expr: Option<String>,
    /// The zone its hours are in; the org's unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// What it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition_key: Option<String>,
    /// The payload, with slots such as `{{ event.folder }}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_template: Option<Value>,
    /// A template for the key by which its jobs are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dedupe_key: Option<String>,
    /// For how long a second job with the same key is not made; 300 for events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dedupe_window_seconds: Option<u32>,
    /// Where its jobs run; where the definition says if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TriggerTarget>,
    /// `hub` (the default), or `host`: it fires on its host, also when the hub is away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "hub")]
    pub place: Option<FiresAt>,
    /// `skip`, `once` (the default) or `all`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "once")]
    pub missed: Option<MissedPolicy>,
    /// How many jobs `all` makes at most; 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_max: Option<u32>,
    /// Times further back are not made up for; a week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_window_seconds: Option<u32>,
    /// `allow`, `forbid` (the default), `replace` or `queue_one`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "forbid")]
    pub overlap: Option<Overlap>,
    /// Jobs begin up to so many seconds after their time, spread evenly; 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jitter: Option<u32>,
    /// No fires before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<Timestamp>,
    /// No fires after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<Timestamp>,
    /// No fires until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub paused_until: Option<Timestamp>,
    /// The priority of its jobs; 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
}

/// What became of one time of a schedule, on one host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fire {
    /// Which time.
    #[schema(value_type = String, format = DateTime)]
    pub nominal_at: Timestamp,
    /// What became of it.
    #[schema(value_type = String, example = "fired")]
    pub status: FireStatus,
    /// Why, in a sentence.
    pub reason: String,
    /// On which host.
    pub host: Option<String>,
    /// The job that stands for it.
    #[schema(value_type = Option<String>)]
    pub job_id: Option<JobId>,
    /// How that ended.
    #[schema(value_type = Option<String>, example = "succeeded")]
    pub job_status: Option<JobStatus>,
    /// How many times the row stands for: old ones share one.
    pub stands_for: i32,
    /// When it was decided.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// Which times to show.
#[derive(Debug, Clone, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct NextQuery {
    /// Times after this; now if absent.
    #[param(value_type = Option<String>)]
    pub after: Option<Timestamp>,
    /// How many, 1 to 100; 10 if absent.
    pub count: Option<u32>,
}

/// Times to show of a schedule that need not exist.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewRequest {
    /// When.
    pub cron_expr: String,
    /// The zone its hours are in; the org's if absent.
    #[serde(default)]
    pub timezone: Option<String>,
    /// Times after this; now if absent.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub after: Option<Timestamp>,
    /// How many, 1 to 100; 10 if absent.
    #[serde(default)]
    pub count: Option<u32>,
}

/// Times of a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Preview {
    /// When, in words.
    pub description: String,
    /// The zone.
    pub timezone: String,
    /// The times.
    pub times: Vec<PreviewTime>,
    /// Clock changes among them, in words.
    pub clock_changes: Vec<PreviewChange>,
}

/// One time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PreviewTime {
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The same on the zone's clocks.
    #[schema(example = "2026-11-16T02:00:00-05:00[America/New_York]")]
    pub local: String,
}

/// A clock change, and what it does to the schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PreviewChange {
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// What happens.
    pub text: String,
}

/// An occasion to try a trigger with, or to fire it by hand.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OccasionRequest {
    /// For an event rule: what the event says. For its last fitting event if absent.
    #[serde(default)]
    pub event: Option<Value>,
}

/// What a trigger would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WouldMake {
    /// What it would run.
    pub definition_key: String,
    /// One for each place.
    pub jobs: Vec<WouldMakeJob>,
    /// For an event rule: how many of the events that are kept it would have fired for.
    pub would_have_fired: Option<u64>,
    /// And how many of that name there are.
    pub events_looked_at: Option<u64>,
}

/// A job that would be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WouldMakeJob {
    /// Where.
    pub target: String,
    /// With what.
    pub payload: Option<Value>,
    /// Why not, if it would not.
    pub refused: Option<String>,
    /// The key it would have, and the job that holds it.
    pub dedupe_key: Option<String>,
    /// The job that holds that key now.
    #[schema(value_type = Option<String>)]
    pub held_by: Option<JobId>,
}

/// Jobs that were made at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TriggerFired {
    /// Their ids.
    #[schema(value_type = Vec<String>)]
    pub jobs: Vec<JobId>,
    /// Why others were not made.
    pub refused: Vec<String>,
}

/// Times to make up for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BackfillRequest {
    /// From this time on.
    #[schema(value_type = String, format = DateTime)]
    pub from: Timestamp,
    /// Up to this one.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
    /// Only say which times.
    #[serde(default)]
    pub dry_run: bool,
}

/// What a backfill comes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Backfilled {
    /// The times that get a job.
    #[schema(value_type = Vec<String>)]
    pub times: Vec<Timestamp>,
    /// Times that have one already.
    pub done_before: u64,
    /// The jobs.
    #[schema(value_type = Vec<String>)]
    pub jobs: Vec<JobId>,
}

/// Something that happened, told by a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventRequest {
    /// Its name, as in `folder.changed`.
    pub name: String,
    /// What it says: an object.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub data: Value,
    /// What it belongs to; the jobs carry it.
    #[serde(default)]
    pub correlation_id: Option<String>,
}

/// What came of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventMade {
    /// Its id: the `source_ref` of its jobs.
    pub id: String,
    /// How many triggers it fits.
    pub triggers: u64,
    /// Jobs that were made.
    #[schema(value_type = Vec<String>)]
    pub jobs: Vec<JobId>,
    /// Jobs that stand for it already.
    #[schema(value_type = Vec<String>)]
    pub deduplicated: Vec<JobId>,
    /// Why others were not made.
    pub refused: Vec<String>,
}

/// A crontab to take over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    /// Its text.
    pub crontab: String,
    /// The machine it is from: its jobs run there.
    #[serde(default)]
    pub host: Option<String>,
    /// The zone of lines without `CRON_TZ`; the org's if absent.
    #[serde(default)]
    #[schema(example = "Europe/Berlin")]
    pub timezone: Option<String>,
    /// It is the machine's own, as `/etc/crontab`: a user stands before each command.
    #[serde(default)]
    pub is_system: bool,
    /// Only look.
    #[serde(default)]
    pub dry_run: bool,
}

/// What becomes of a crontab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Imported {
    /// Lines that say something.
    pub lines: Vec<ImportedLine>,
    /// How many were taken over.
    pub taken: usize,
}

/// What becomes of a line of a crontab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportedLine {
    /// Which, counted from 1.
    pub line: usize,
    /// `ready`, `needs_shell`, `not_understood` or `variable`.
    #[schema(example = "ready")]
    pub verdict: String,
    /// What it runs, or the variable.
    pub text: String,
    /// Why it is not taken over, or what is different here.
    pub note: Option<String>,
    /// What people call it.
    pub label: Option<String>,
    /// When, in words.
    pub when: Option<String>,
    /// The definition that is made of it.
    pub definition_key: Option<String>,
}
