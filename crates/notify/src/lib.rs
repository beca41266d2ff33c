//! Delivery of notifications: webhooks, Discord, Slack, ntfy, email and commands.
//!
//! Channels are defined in `domain::channel`. The hub decides when to send, how often to retry and what to store; this
//! crate sends one notification once, within a time limit, and never to a network that is not allowed.
//!
//! - `address_guard`: which addresses may be contacted
//! - `command`: the command channel
//! - `failure`: failed deliveries and the time limit of an attempt
//! - `http`: the channels over HTTP
//! - `inbound`: signatures of received webhooks
//! - `mail`: the email channel
//! - `notice`: the notification and its JSON form
//! - `sender`: sends a notification through a channel
//! - `signature`: the signatures of Standard Webhooks
//! - `text`: templates for the text of a notification

pub mod address_guard;
mod command;
mod failure;
mod http;
pub mod inbound;
mod mail;
mod notice;
mod sender;
mod signature;
pub mod text;

pub use address_guard::{AddressGuard, Allowed};
pub use failure::Failure;
pub use inbound::{BadSignature, Signed, verify_github, verify_webhook};
pub use notice::{Notice, NoticeState};
pub use sender::{Delivered, NoTls, Sender, SenderBuilder};
pub use text::{BadTemplate, check_template};
