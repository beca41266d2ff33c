//! Shared fixtures: a notice, a sender that accepts loopback addresses, and a certificate.

use std::time::Duration;

use domain::{Channel, Timestamp};
use notify::{Notice, NoticeState, Sender, SenderBuilder};
use serde_json::{Value, json};

/// A secret of Standard Webhooks.
pub(crate) const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// Time limit for receivers that answer; long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// Time limit for receivers that never answer.
pub(crate) const IMPATIENCE: Duration = Duration::from_millis(300);

pub(crate) fn now() -> Timestamp {
    Timestamp::from_micros(1_760_000_000_000_000)
}

/// A sender that contacts only public addresses.
pub(crate) fn strict() -> SenderBuilder {
    Sender::builder(now).time_max(PATIENCE)
}

/// A sender that also contacts loopback addresses.
pub(crate) fn local() -> SenderBuilder {
    strict().allow("127.0.0.0/8, ::1/128".parse().expect("networks"))
}

pub(crate) fn sender() -> Sender {
    local().build().expect("TLS")
}

pub(crate) fn channel(json: Value) -> Channel {
    serde_json::from_value(json).expect("a channel")
}

pub(crate) fn notice() -> Notice {
    Notice {
        id: "01J9Z3K5".to_owned(),
        org: "acme".to_owned(),
        kind: "host_offline".to_owned(),
        severity: "critical".to_owned(),
        state: NoticeState::Raised,
        title: "größter Rechner <web-1> ist fort".to_owned(),
        text: "no heartbeat for 15 min\n.\n& <!channel> @everyone".to_owned(),
        subject: "web-1".to_owned(),
        url: Some("https://hub.example/hosts/web-1".to_owned()),
        at: now(),
        count: 1,
        fields: json!({ "zone": "a" }),
    }
}

/// A self-signed certificate for `localhost`.
pub(crate) fn certificate() -> rcgen::CertifiedKey<rcgen::KeyPair> {
    rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate")
}
