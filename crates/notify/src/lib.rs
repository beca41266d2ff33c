//! How a notice leaves the house: webhooks, Discord, Slack, ntfy, e-mail and commands.
//!
//! What a channel is, is said in `domain::channel`. When to send, how often to try again and what to keep of it is the
//! hub's; here one notice is sent once, within a time, and never into a network that nobody allowed.

pub mod address_guard;
mod command;
mod http;
pub mod inbound;
mod mail;
mod notice;
mod sender;
mod signature;
pub mod text;

pub use address_guard::{AddressGuard, Allowed};
pub use inbound::{BadSignature, Signed, verify_github, verify_webhook};
pub use notice::{Notice, NoticeState};
pub use sender::{Delivered, Failure, NoTls, Sender, SenderBuilder};
pub use text::{BadTemplate, check_template};
