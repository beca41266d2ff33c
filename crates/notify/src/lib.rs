//! How a notice leaves the house: webhooks, Discord, Slack, ntfy, e-mail and commands.
//!
//! What a channel is, is said in `domain::channel`. When to send, how often to try again and what to keep of it is the
//! hub's; here one notice is sent once, within a time, and never into a network that nobody allowed.

pub mod guard;

pub use guard::{Allowed, Guard};
