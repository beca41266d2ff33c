//! Commands for alerts and notifications.
//!
//! - `alert`: `hostler alert`
//! - `channel`: `hostler channel` and `hostler notice`
//! - `maintenance`: `hostler maintenance` and `hostler alert mute`
//! - `ping`: `hostler ping`

pub(crate) mod alert;
pub(crate) mod channel;
pub(crate) mod maintenance;
pub(crate) mod ping;
