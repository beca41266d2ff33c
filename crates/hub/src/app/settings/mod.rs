//! What an organization sets up before it runs jobs.
//!
//! - `channels`: where notifications go
//! - `definitions`: what may run
//! - `hooks`: inbound webhooks
//! - `limits`: limits and rates
//! - `pings`: checks that expect a ping
//! - `secrets`: encrypted values
//! - `views`: saved views of lists

pub(crate) mod channels;
pub(crate) mod definitions;
pub(crate) mod hooks;
pub(crate) mod limits;
pub(crate) mod pings;
pub(crate) mod secrets;
pub(crate) mod views;
