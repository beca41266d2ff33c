//! Alerts, their rules, and times in which nobody is told.

use domain::{
    AlertId, HostId, JobId, Timestamp, TriggerId, WindowId,
    alert::{AlertKind, AlertStatus, Severity, SubjectKind},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Something that is or was wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Alert {
    /// Its id.
    #[schema(value_type = String)]
    pub id: AlertId,
    /// What kind.
    #[schema(value_type = String, example = "host_offline")]
    pub kind: AlertKind,
    /// How bad.
    #[schema(value_type = String, example = "warning")]
    pub severity: Severity,
    /// Where it is in its life.
    #[schema(value_type = String, example = "open")]
    pub status: AlertStatus,
    /// What it is about: host, definition, trigger, worker, queue or ping.
    #[schema(value_type = String, example = "host")]
    pub subject_kind: SubjectKind,
    /// The id of that.
    pub subject_id: String,
    /// Its name.
    pub subject_name: String,
    /// The host it happens on.
    #[schema(value_type = Option<String>)]
    pub host_id: Option<HostId>,
    /// What is wrong, in a sentence.
    pub text: String,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
    /// When it had lasted long enough to be an alert.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub raised_at: Option<Timestamp>,
    /// When people were told; absent while a window or a snooze holds it back.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub told_at: Option<Timestamp>,
    /// Whether it comes and goes: it is told less often then.
    pub is_flapping: bool,
    /// When somebody said that they know.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub acked_at: Option<Timestamp>,
    /// Who.
    pub acked_by: Option<String>,
    /// What they said.
    pub note: Option<String>,
    /// Nobody is told before.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub snoozed_until: Option<Timestamp>,
    /// When it was over.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub resolved_at: Option<Timestamp>,
    /// Why.
    pub resolved_reason: Option<String>,
    /// When it was noted.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// Which alerts.
#[derive(Debug, Clone, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AlertQuery {
    /// `open` (with those that are acked; the default) or `all`.
    pub status: Option<String>,
    /// Where the page starts.
    pub cursor: Option<String>,
    /// How many rows, 1 to 1,000.
    pub limit: Option<u32>,
}

/// Somebody knows of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AckRequest {
    /// What they say.
    #[serde(default)]
    pub note: String,
    /// Ask again then, if it still lasts.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
}

/// Nobody is told before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SnoozeRequest {
    /// Until when.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
}

/// It is over, a person says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolveRequest {
    /// Why.
    #[serde(default)]
    pub note: String,
}

/// What makes an alert of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AlertRule {
    /// Of which kind.
    #[schema(value_type = String, example = "queue_age")]
    pub kind: AlertKind,
    /// Whether there are such alerts.
    pub is_enabled: bool,
    /// How bad they are.
    #[schema(value_type = String, example = "warning")]
    pub severity: Severity,
    /// How long it must be wrong before anybody is told.
    pub for_seconds: u32,
    /// How long it must be right again before it is over.
    pub clear_seconds: u32,
    /// How often people are reminded; never if absent.
    pub repeat_seconds: Option<u32>,
    /// From when on it is wrong, for kinds with such a threshold.
    pub threshold_seconds: Option<u32>,
    /// Whether it is as it comes.
    pub is_default: bool,
}

/// All rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AlertRules {
    /// One for each kind.
    pub items: Vec<AlertRule>,
}

/// Changes a rule: what is absent becomes as it comes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertRuleRequest {
    /// Whether there are such alerts.
    #[serde(default)]
    pub is_enabled: Option<bool>,
    /// How bad they are.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub severity: Option<Severity>,
    /// How long it must be wrong.
    #[serde(default)]
    pub for_seconds: Option<u32>,
    /// How long it must be right again.
    #[serde(default)]
    pub clear_seconds: Option<u32>,
    /// How often people are reminded; 0 = never.
    #[serde(default)]
    pub repeat_seconds: Option<u32>,
    /// From when on it is wrong.
    #[serde(default)]
    pub threshold_seconds: Option<u32>,
}

/// A time in which alerts are noted but not told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuietWindow {
    /// Its id.
    #[schema(value_type = String)]
    pub id: WindowId,
    /// What it is for.
    pub label: String,
    /// Only this host.
    pub host: Option<String>,
    /// Only hosts with these labels.
    pub selector: Option<String>,
    /// Only these kinds.
    #[schema(value_type = Vec<String>)]
    pub kinds: Vec<AlertKind>,
    /// Only this, as in `definition:sync`.
    pub subject: Option<String>,
    /// When it begins.
    #[schema(value_type = String, format = DateTime)]
    pub starts_at: Timestamp,
    /// When it ends.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<Timestamp>,
    /// When it begins again and again.
    pub cron_expr: Option<String>,
    /// The zone of that.
    pub timezone: Option<String>,
    /// How long each time lasts.
    pub duration_seconds: Option<u32>,
    /// Whether it holds now.
    pub is_active: bool,
    /// Who made it.
    pub created_by: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// All windows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuietWindows {
    /// Them.
    pub items: Vec<QuietWindow>,
}

/// A window to make. One time: `starts_at` (now if absent) and `ends_at`. Again and again: `cron_expr` and
/// `duration_seconds`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuietRequest {
    /// What it is for.
    pub label: String,
    /// Only this host, by name or id.
    #[serde(default)]
    pub host: Option<String>,
    /// Only hosts with these labels.
    #[serde(default)]
    pub selector: Option<String>,
    /// Only these kinds.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pub kinds: Vec<AlertKind>,
    /// Only this, as in `definition:sync`.
    #[serde(default)]
    pub subject: Option<String>,
    /// When it begins; now if absent.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<Timestamp>,
    /// When it ends.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<Timestamp>,
    /// When it begins again and again.
    #[serde(default)]
    pub cron_expr: Option<String>,
    /// The zone of that; the org's if absent.
    #[serde(default)]
    pub timezone: Option<String>,
    /// How long each time lasts.
    #[serde(default)]
    pub duration_seconds: Option<u32>,
}

/// Which part of a host's past.
#[derive(Debug, Clone, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TimelineQuery {
    /// From then; a day ago if absent.
    #[param(value_type = Option<String>)]
    pub from: Option<Timestamp>,
    /// Until then; now if absent.
    #[param(value_type = Option<String>)]
    pub until: Option<Timestamp>,
}

/// What happened on a host, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Timeline {
    /// Which host.
    pub host: String,
    /// From then.
    #[schema(value_type = String, format = DateTime)]
    pub from: Timestamp,
    /// Until then.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
    /// What happened.
    pub items: Vec<TimelineItem>,
    /// Whether older things were left out.
    pub has_more: bool,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TimelineItem {
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// When it ended, if it lasted.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// `gap`, `run`, `slot` or `alert`.
    #[schema(example = "slot")]
    pub kind: String,
    /// What it was: the kind of gap, the status of the run or the slot, the kind of alert.
    #[schema(example = "caught_up")]
    pub word: String,
    /// A sentence.
    pub text: String,
    /// The job it belongs to.
    #[schema(value_type = Option<String>)]
    pub job_id: Option<JobId>,
    /// The trigger it belongs to.
    #[schema(value_type = Option<String>)]
    pub trigger_id: Option<TriggerId>,
    /// The alert it is.
    #[schema(value_type = Option<String>)]
    pub alert_id: Option<AlertId>,
}
