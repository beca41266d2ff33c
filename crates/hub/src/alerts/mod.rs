//! Alerts: finding problems, opening and resolving alerts, and queueing notices to channels.
//!
//! [`facts`] reads the conditions that hold now · [`plan`] compares them with the open alerts and computes changes ·
//! [`apply`] is one evaluation: it writes the changes and the notices in one transaction · [`outcomes`] reads job events
//! and raises alerts for failed jobs · [`notify`] inserts notices into the outbox, which `NotificationSender` sends.

pub(crate) mod apply;
pub(crate) mod facts;
pub(crate) mod notify;
pub(crate) mod outcomes;
pub(crate) mod plan;
