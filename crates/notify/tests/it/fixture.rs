//! What the tests share: a notice, a sender that may call this machine, and a certificate.

use std::time::Duration;

use domain::{Channel, Timestamp};
use notify::{Notice, NoticeState, Sender, SenderBuilder};
use serde_json::{Value, json};

/// A secret of Standard Webhooks.
pub(crate) const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// So long that no honest receiver is cut, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);
/// So short that a test of who never answers ends soon.
pub(crate) const IMPATIENCE: Duration = Duration::from_millis(300);

pub(crate) fn now() -> Timestamp {
    Timestamp::from_micros(1_760_000_000_000_000)
}

/// A sender that calls only what is public.
pub(crate) fn strict() -> SenderBuilder {
    Sender::builder(now).time_max(PATIENCE)
}

/// A sender that may call this machine too.
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
        text: "no word for 15 min\n.\n& <!channel> @everyone".to_owned(),
        subject: "web-1".to_owned(),
        url: Some("https://hub.example/hosts/web-1".to_owned()),
        at: now(),
        count: 1,
        fields: json!({ "zone": "a" }),
    }
}

/// A certificate for `localhost`, signed by itself.
pub(crate) fn certificate() -> rcgen::CertifiedKey<rcgen::KeyPair> {
    rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate")
}
