//! Alerts, and how they reach people.
//!
//! - `alert`: alerts and their rules
//! - `channel`: where notifications go
//! - `hook`: inbound webhooks
//! - `mute_window`: times without notifications
//! - `notice`: notifications to send
//! - `ping`: checks that expect a ping

pub mod alert;
pub mod channel;
pub mod hook;
pub mod mute_window;
pub mod notice;
pub mod ping;
