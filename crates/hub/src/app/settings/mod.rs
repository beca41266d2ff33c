//! Settings of an organization: definitions, limits, secrets, notification channels and external addresses.
//!
//! - `channels`: notification channels
//! - `definitions`: job definitions, the commands that jobs may run
//! - `hooks`: incoming webhooks
//! - `limits`: limits by key, and pauses
//! - `pings`: monitoring of external programs
//! - `secrets`: encrypted values for jobs
//! - `views`: saved views of lists

pub(crate) mod channels;
pub(crate) mod definitions;
pub(crate) mod hooks;
pub(crate) mod limits;
pub(crate) mod pings;
pub(crate) mod secrets;
pub(crate) mod views;
