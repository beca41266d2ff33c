//! The notification, and its JSON form for webhooks and commands.

use domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

domain::string_enum! {
    /// The state of the alert that a notification reports.
    pub enum NoticeState {
        Raised = "raised",
        Resolved = "resolved",
        /// The alert is still open.
        Reminder = "reminder",
        /// No alert: a person tests a channel.
        Test = "test",
        /// Several alerts in one notification.
        Grouped = "grouped",
    }
}

/// A notification about an alert. Retries use the same id, so that receivers can ignore duplicates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    pub id: String,
    /// Slug of the org.
    pub org: String,
    /// Kind of the alert, for example `host_offline`.
    pub kind: String,
    /// `info`, `warning` or `critical`.
    pub severity: String,
    pub state: NoticeState,
    /// One line.
    pub title: String,
    /// The default text, before the channel's template.
    pub text: String,
    /// The host, schedule, queue or other object of the alert.
    pub subject: String,
    /// Page with details.
    pub url: Option<String>,
    /// Time of the event.
    pub at: Timestamp,
    /// Number of occurrences, or of alerts in a group.
    pub count: u32,
    /// Further values, depending on the kind.
    pub fields: Value,
}

impl Notice {
    /// The event type, for example `alert.raised`.
    #[must_use]
    pub fn event_type(&self) -> String {
        format!("alert.{}", self.state)
    }

    /// The JSON event for webhooks and commands. `text` is the text from the channel's template.
    #[must_use]
    pub fn to_event(&self, text: &str) -> Value {
        let mut data = json!(self);
        data["text"] = text.into();
        json!({ "type": self.event_type(), "timestamp": self.at, "data": data })
    }

    /// An id shared by all notifications about the same subject, so that mail programs group them.
    #[must_use]
    pub fn thread(&self) -> String {
        fingerprint(&[&self.org, &self.kind, &self.subject])
    }
}

/// A short hash of several texts, in hexadecimal digits.
pub(crate) fn fingerprint(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    data_encoding::HEXLOWER.encode(&hash.finalize()[..16])
}

/// At most `max` characters of a text, with `…` at the end if it was cut.
pub(crate) fn clip(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}

/// A text in one line: line breaks and control characters become spaces.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_control() || "\u{2028}\u{2029}".contains(c) { ' ' } else { c }).collect();
    clip(plain.trim(), max)
}

#[cfg(test)]
pub(crate) fn sample() -> Notice {
    Notice {
        id: "01J9Z3".to_owned(),
        org: "acme".to_owned(),
        kind: "host_offline".to_owned(),
        severity: "critical".to_owned(),
        state: NoticeState::Raised,
        title: "web-1 ist verschwunden".to_owned(),
        text: "no heartbeat for 15 min".to_owned(),
        subject: "web-1".to_owned(),
        url: Some("https://hub.example/hosts/web-1".to_owned()),
        at: Timestamp::from_micros(1_760_000_000_000_000),
        count: 1,
        fields: json!({ "zone": "a" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_has_type_timestamp_and_rendered_text() {
        let event = sample().to_event("rendered");
        assert_eq!(event["type"], "alert.raised");
        assert_eq!(event["timestamp"], "2025-10-09T08:53:20.000000Z");
        assert_eq!(event["data"]["text"], "rendered");
        assert_eq!(event["data"]["fields"]["zone"], "a");
    }

    #[test]
    fn raised_and_resolved_share_a_thread_and_others_do_not() {
        let raised = sample();
        let resolved = Notice { id: "other".to_owned(), state: NoticeState::Resolved, ..sample() };
        assert_eq!(raised.thread(), resolved.thread());
        assert_ne!(raised.thread(), Notice { subject: "web-2".to_owned(), ..sample() }.thread());
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
    }

    #[test]
    fn clip_and_one_line_cut_between_characters() {
        assert_eq!(clip("äöü", 3), "äöü");
        assert_eq!(clip("äöüß", 3), "äö…");
        assert_eq!(one_line("a\r\nBcc: b\t", 80), "a  Bcc: b");
    }
}
