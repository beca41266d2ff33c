//! Alerts, alert rules, mute windows, and the timeline of a host.

use domain::{
    AlertId, HostId, JobId, Timestamp, TriggerId, WindowId,
    alert::{AlertKind, AlertStatus, Severity, SubjectKind},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// An alert: a problem that exists or existed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Alert {
    #[schema(value_type = String)]
    pub id: AlertId,
    #[schema(value_type = String, example = "host_offline")]
    pub kind: AlertKind,
    #[schema(value_type = String, example = "warning")]
    pub severity: Severity,
    /// `pending`, `open`, `acked` or `resolved`.
    #[schema(value_type = String, example = "open")]
    pub status: AlertStatus,
    /// The kind of object it is about: host, definition, trigger, worker, queue, ping, server or hub.
    #[schema(value_type = String, example = "host")]
    pub subject_kind: SubjectKind,
    pub subject_id: String,
    pub subject_name: String,
    /// The host on which the problem occurs.
    #[schema(value_type = Option<String>)]
    pub host_id: Option<HostId>,
    /// The problem in one sentence.
    pub text: String,
    /// Start of the problem.
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
    /// When the alert was opened: the problem had lasted for the rule's `for_seconds`.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub raised_at: Option<Timestamp>,
    /// When the first notification was sent; null if none was sent or a maintenance window or snooze suppresses it.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub notified_at: Option<Timestamp>,
    /// Whether the alert is opened and resolved repeatedly. Such an alert stays open longer, so it sends fewer
    /// notifications.
    pub is_flapping: bool,
    /// When it was acknowledged.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub acked_at: Option<Timestamp>,
    /// The user who acknowledged it.
    pub acked_by: Option<String>,
    /// The note given with the acknowledgement.
    pub note: Option<String>,
    /// No notifications before this time.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub snoozed_until: Option<Timestamp>,
    /// When it was resolved.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub resolved_at: Option<Timestamp>,
    /// Why it was resolved.
    pub resolved_reason: Option<String>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// Selects alerts.
#[derive(Debug, Clone, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AlertQuery {
    /// `open` (default; includes acknowledged alerts) or `all`.
    pub status: Option<String>,
    /// The start of the page: `next` of the previous page.
    pub cursor: Option<String>,
    /// Page size, 1 to 1,000.
    pub limit: Option<u32>,
}

/// Acknowledges an alert.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AckRequest {
    /// A note for other people.
    #[serde(default)]
    pub note: String,
    /// Send a reminder at this time if the problem still exists.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
}

/// Snoozes an alert: no notifications until a given time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SnoozeRequest {
    /// No notifications before this time.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
}

/// Resolves an alert by hand.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolveRequest {
    /// The reason.
    #[serde(default)]
    pub note: String,
}

/// The rule for one kind of alert.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AlertRule {
    #[schema(value_type = String, example = "queue_age")]
    pub kind: AlertKind,
    /// Whether alerts of this kind are raised.
    pub is_enabled: bool,
    #[schema(value_type = String, example = "warning")]
    pub severity: Severity,
    /// How long the problem must exist before the alert is opened.
    pub for_seconds: u32,
    /// How long the problem must be gone before the alert is resolved.
    pub clear_seconds: u32,
    /// The interval of reminders; null sends none.
    pub repeat_seconds: Option<u32>,
    /// The threshold, for kinds that have one: the age at which a queue, a last success or a heartbeat is a problem.
    pub threshold_seconds: Option<u32>,
    /// Whether the rule has its default settings.
    pub is_default: bool,
}

/// The rules of all kinds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AlertRules {
    /// One rule per kind.
    pub items: Vec<AlertRule>,
}

/// Changes a rule. Absent fields are set to their default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertRuleRequest {
    /// Whether alerts of this kind are raised.
    #[serde(default)]
    pub is_enabled: Option<bool>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub severity: Option<Severity>,
    /// How long the problem must exist before the alert is opened.
    #[serde(default)]
    pub for_seconds: Option<u32>,
    /// How long the problem must be gone before the alert is resolved.
    #[serde(default)]
    pub clear_seconds: Option<u32>,
    /// The interval of reminders; 0 sends none.
    #[serde(default)]
    pub repeat_seconds: Option<u32>,
    /// The threshold, for kinds that have one.
    #[serde(default)]
    pub threshold_seconds: Option<u32>,
}

/// A maintenance window: alerts are recorded, but no notifications are sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MuteWindow {
    #[schema(value_type = String)]
    pub id: WindowId,
    /// The purpose of the window.
    pub label: String,
    /// Only this host; null for all hosts.
    pub host: Option<String>,
    /// Only hosts with these labels.
    pub selector: Option<String>,
    /// Only these kinds of alerts; all if empty.
    #[schema(value_type = Vec<String>)]
    pub kinds: Vec<AlertKind>,
    /// Only this subject, as in `definition:sync`.
    pub subject: Option<String>,
    /// The start; for a recurring window the earliest occurrence.
    #[schema(value_type = String, format = DateTime)]
    pub starts_at: Timestamp,
    /// The end; for a recurring window no occurrence applies after it.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<Timestamp>,
    /// The start times of a recurring window, as a cron expression.
    pub cron_expr: Option<String>,
    /// The time zone of `cron_expr`.
    pub timezone: Option<String>,
    /// The duration of each occurrence.
    pub duration_seconds: Option<u32>,
    /// Whether it applies now.
    pub is_active: bool,
    pub created_by: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// All maintenance windows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MuteWindows {
    pub items: Vec<MuteWindow>,
}

/// A maintenance window to create. One-time: `starts_at` (default: now) and `ends_at`. Recurring: `cron_expr` and
/// `duration_seconds`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MuteWindowRequest {
    /// The purpose of the window.
    pub label: String,
    /// Only this host, by name or id.
    #[serde(default)]
    pub host: Option<String>,
    /// Only hosts with these labels.
    #[serde(default)]
    pub selector: Option<String>,
    /// Only these kinds of alerts; all if empty.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pub kinds: Vec<AlertKind>,
    /// Only this subject, as in `definition:sync`.
    #[serde(default)]
    pub subject: Option<String>,
    /// The start; now if absent.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<Timestamp>,
    /// The end.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<Timestamp>,
    /// The start times of a recurring window, as a cron expression.
    #[serde(default)]
    pub cron_expr: Option<String>,
    /// The time zone of `cron_expr`; the org's if absent.
    #[serde(default)]
    pub timezone: Option<String>,
    /// The duration of each occurrence.
    #[serde(default)]
    pub duration_seconds: Option<u32>,
}

/// Selects a period of a host's history.
#[derive(Debug, Clone, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TimelineQuery {
    /// Start; one day ago if absent.
    #[param(value_type = Option<String>)]
    pub from: Option<Timestamp>,
    /// End; now if absent.
    #[param(value_type = Option<String>)]
    pub until: Option<Timestamp>,
}

/// The history of a host, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Timeline {
    pub host: String,
    /// Start of the period.
    #[schema(value_type = String, format = DateTime)]
    pub from: Timestamp,
    /// End of the period.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
    pub items: Vec<TimelineItem>,
    /// Whether older items were omitted.
    pub has_more: bool,
}

/// An item in a host's history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TimelineItem {
    /// Start of the item.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// End of the item; null if it is a point in time or continues.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// `outage`, `run`, `slot` or `alert`.
    #[schema(example = "slot")]
    pub kind: String,
    /// The kind of outage, the status of the run or fire, or the kind of alert, depending on `kind`.
    #[schema(example = "caught_up")]
    pub word: String,
    /// A description in one sentence.
    pub text: String,
    /// The job it belongs to.
    #[schema(value_type = Option<String>)]
    pub job_id: Option<JobId>,
    /// The trigger it belongs to.
    #[schema(value_type = Option<String>)]
    pub trigger_id: Option<TriggerId>,
    /// The alert it belongs to.
    #[schema(value_type = Option<String>)]
    pub alert_id: Option<AlertId>,
}
