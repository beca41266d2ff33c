//! Alerts: finding problems, opening and resolving alerts, and queueing notifications to channels.
//!
//! - `apply`: one evaluation: writes alerts and notifications in one transaction
//! - `database`: measures the hub's database
//! - `facts`: reads the conditions that hold now
//! - `notify`: inserts notifications into the outbox, which `NotificationSender` sends
//! - `outcomes`: reads job events and raises alerts for failed jobs
//! - `plan`: compares conditions with open alerts and computes the changes

pub(crate) mod apply;
pub(crate) mod database;
pub(crate) mod facts;
pub(crate) mod notify;
pub(crate) mod outcomes;
pub(crate) mod plan;
