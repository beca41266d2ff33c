//! Notification channels and sent notifications.

use domain::{
    ChannelId, NoticeId, Timestamp,
    alert::{AlertKind, QuietHours, Severity},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A notification channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Channel {
    #[schema(value_type = String)]
    pub id: ChannelId,
    pub name: String,
    /// The settings, as `{"kind": "webhook", …}`; secret parts are masked as `•••`.
    #[schema(value_type = Object)]
    pub config: Value,
    /// Only these kinds of alerts; all if empty.
    #[schema(value_type = Vec<String>)]
    pub kinds: Vec<AlertKind>,
    /// Only alerts of at least this severity.
    #[schema(value_type = Option<String>)]
    pub min_severity: Option<Severity>,
    /// Hours in which only critical alerts are sent.
    #[schema(value_type = Option<Object>)]
    pub quiet_hours: Option<QuietHours>,
    /// The most notifications per day; null for no limit.
    pub per_day: Option<u32>,
    /// The template of the text; null for the default text.
    pub template: Option<String>,
    /// Whether notifications are sent.
    pub is_enabled: bool,
    /// When a notification was last delivered.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_ok_at: Option<Timestamp>,
    /// The last error.
    pub last_error: Option<String>,
    /// The time of the last error.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_error_at: Option<Timestamp>,
    pub created_by: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// All channels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Channels {
    /// Sorted by name.
    pub items: Vec<Channel>,
}

/// A channel to create, or the fields to change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The settings, as `{"kind": "discord", "url": "https://…"}`. The value `•••` keeps the stored secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub config: Option<Value>,
    /// Only these kinds of alerts; all if empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<String>>)]
    pub kinds: Option<Vec<AlertKind>>,
    /// Only alerts of at least this severity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub min_severity: Option<Severity>,
    /// Hours in which only critical alerts are sent, as `{"from": "22:00", "until": "07:00", "timezone":
    /// "Europe/Berlin"}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub quiet_hours: Option<QuietHours>,
    /// The most notifications per day; null for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_day: Option<u32>,
    /// The template of the text, as in `{{ title }}: {{ text }}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// Whether notifications are sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_enabled: Option<bool>,
}

/// The result of a test notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChannelTested {
    /// Whether it was delivered.
    pub is_delivered: bool,
    /// The duration of the delivery.
    pub took_ms: u64,
    /// The response of the receiver, or the error.
    pub text: String,
}

/// A notification sent to one channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Notice {
    #[schema(value_type = String)]
    pub id: NoticeId,
    /// The name of the channel.
    pub channel: String,
    /// The kind of the alerts.
    #[schema(value_type = String)]
    pub kind: AlertKind,
    /// The reason: `raised`, `reminder` or `resolved`.
    pub state: String,
    /// The title, in one line.
    pub title: String,
    pub text: String,
    /// The number of alerts in this notification.
    pub count: i32,
    /// `due`, `sent`, `failed` or `dropped`.
    pub status: String,
    /// The number of delivery attempts.
    pub tries: i32,
    /// The last error, or what the notification waits for.
    pub last_error: Option<String>,
    /// When it is sent or retried.
    #[schema(value_type = String, format = DateTime)]
    pub due_at: Timestamp,
    /// When it was delivered.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub sent_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}
