//! What is told: one notice, and its form for programs.

use domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

domain::string_enum! {
    /// What a notice says about its alert.
    pub enum NoticeState {
        /// It began.
        Raised = "raised",
        /// It is over.
        Resolved = "resolved",
        /// It still lasts.
        Reminder = "reminder",
        /// There is no alert: somebody tries a channel.
        Test = "test",
        /// Several alerts in one notice.
        Grouped = "grouped",
    }
}

/// One notice. The same id is sent again when a try failed, so that receivers can tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// The id of this notice.
    pub id: String,
    /// Whose it is.
    pub org: String,
    /// What kind of alert it is about, as in `host_offline`.
    pub kind: String,
    /// How bad it is: `info`, `warning` or `critical`.
    pub severity: String,
    /// What it says about its alert.
    pub state: NoticeState,
    /// One line.
    pub title: String,
    /// The whole text, as the hub wrote it.
    pub text: String,
    /// What the alert is about: a host, a schedule, a queue.
    pub subject: String,
    /// Where to read more.
    pub url: Option<String>,
    /// When it happened.
    pub at: Timestamp,
    /// How many times, or how many alerts in a group.
    pub count: u32,
    /// What else is known, by kind.
    pub fields: Value,
}

impl Notice {
    /// The type of its event, as in `alert.raised`.
    #[must_use]
    pub fn event_type(&self) -> String {
        format!("alert.{}", self.state)
    }

    /// Its form for webhooks and commands, with `text` as the channel's template has it.
    #[must_use]
    pub fn to_event(&self, text: &str) -> Value {
        let mut data = json!(self);
        data["text"] = text.into();
        json!({ "type": self.event_type(), "timestamp": self.at, "data": data })
    }

    /// A name that all notices about the same thing share, so that a mail program shows them together.
    #[must_use]
    pub fn thread(&self) -> String {
        fingerprint(&[&self.org, &self.kind, &self.subject])
    }
}

/// A short name for several texts, made of letters that are safe anywhere.
pub(crate) fn fingerprint(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    data_encoding::HEXLOWER.encode(&hash.finalize()[..16])
}

/// At most `max` characters of a text, with a mark where it was cut.
pub(crate) fn clip(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}

/// A text in one line: what would break a line or hide something becomes a blank.
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
        text: "no word for 15 min".to_owned(),
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
    fn the_event_is_what_receivers_know() {
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
    fn texts_are_cut_between_characters() {
        assert_eq!(clip("äöü", 3), "äöü");
        assert_eq!(clip("äöüß", 3), "äö…");
        assert_eq!(one_line("a\r\nBcc: b\t", 80), "a  Bcc: b");
    }
}
