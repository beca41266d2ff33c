//! Alerts, and how people are notified of them.
//!
//! - `alert`: alerts and their rules
//! - `channel`: where notifications are sent
//! - `hook`: inbound webhooks
//! - `mute_window`: times without notifications
//! - `notice`: notifications in the queue or sent
//! - `ping`: checks of programs that send pings

pub mod alert;
pub mod channel;
pub mod hook;
pub mod mute_window;
pub mod notice;
pub mod ping;
