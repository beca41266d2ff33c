//! Alerts, notification channels, pings and webhook endpoints.
//!
//! - `alert`: alert kinds and rules: opening, repeating, muting and resolving alerts
//! - `channel`: notification channels and their settings
//! - `hook`: signature schemes of webhook endpoints
//! - `ping`: monitoring of external programs

pub mod alert;
pub mod channel;
pub mod hook;
pub mod ping;
