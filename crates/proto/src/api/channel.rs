//! Where alerts are told, and how that went.

use domain::{
    ChannelId, NoticeId, Timestamp,
    alert::{AlertKind, QuietHours, Severity},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Channel {
    /// Its id.
    #[schema(value_type = String)]
    pub id: ChannelId,
    /// Its name.
    pub name: String,
    /// Where and how it is reached, as `{"kind": "webhook", …}`; secret parts are shown as `•••`.
    #[schema(value_type = Object)]
    pub config: Value,
    /// Only these kinds of alerts; all if empty.
    #[schema(value_type = Vec<String>)]
    pub kinds: Vec<AlertKind>,
    /// Only what is at least this bad.
    #[schema(value_type = Option<String>)]
    pub min_severity: Option<Severity>,
    /// Hours in which only what is critical is told.
    #[schema(value_type = Option<Object>)]
    pub quiet_hours: Option<QuietHours>,
    /// How many notices it gets in a day at most.
    pub per_day: Option<u32>,
    /// The words of a notice.
    pub template: Option<String>,
    /// Whether it is told anything.
    pub is_enabled: bool,
    /// When something last arrived.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_ok_at: Option<Timestamp>,
    /// What last went wrong.
    pub last_error: Option<String>,
    /// When.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_error_at: Option<Timestamp>,
    /// Who made it.
    pub created_by: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// All channels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Channels {
    /// By name.
    pub items: Vec<Channel>,
}

/// A channel to make, or the fields of one to change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelRequest {
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where and how it is reached, as `{"kind": "discord", "url": "https://…"}`. A `•••` keeps what was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub config: Option<Value>,
    /// Only these kinds of alerts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<String>>)]
    pub kinds: Option<Vec<AlertKind>>,
    /// Only what is at least this bad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub min_severity: Option<Severity>,
    /// Hours in which only what is critical is told, as `{"from": "22:00", "until": "07:00", "timezone": "Europe/Berlin"}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub quiet_hours: Option<QuietHours>,
    /// How many notices it gets in a day at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_day: Option<u32>,
    /// The words of a notice, as in `{{ title }}: {{ text }}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// Whether it is told anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_enabled: Option<bool>,
}

/// How a test went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChannelTested {
    /// Whether it arrived.
    pub is_delivered: bool,
    /// How long it took.
    pub took_ms: u64,
    /// What the other side said, or what went wrong.
    pub text: String,
}

/// One telling, to one channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Notice {
    /// Its id.
    #[schema(value_type = String)]
    pub id: NoticeId,
    /// To which channel.
    pub channel: String,
    /// Of which kind of alert.
    #[schema(value_type = String)]
    pub kind: AlertKind,
    /// What it says of them: `raised`, `reminder` or `resolved`.
    pub state: String,
    /// One line.
    pub title: String,
    /// The whole text.
    pub text: String,
    /// How many alerts it tells of.
    pub count: i32,
    /// `due`, `sent`, `failed` or `dropped`.
    pub status: String,
    /// How often it was tried.
    pub tries: i32,
    /// What went wrong, or what it waits for.
    pub last_error: Option<String>,
    /// When it is sent, or tried again.
    #[schema(value_type = String, format = DateTime)]
    pub due_at: Timestamp,
    /// When it arrived.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub sent_at: Option<Timestamp>,
    /// When it was written.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}
