//! Schedules and triggers: the times at which jobs are created, and the content of those jobs.
//!
//! - `crontab`: import of crontab files
//! - `event_match`: conditions on the fields of events
//! - `schedule`: cron expressions, one-time and interval schedules, and their times
//! - `schedule_history`: the last 30 days of a schedule, one state per day
//! - `template`: placeholders in the payloads of triggers
//! - `trigger`: event rules and schedules: overlap, missed times, targets

pub mod crontab;
pub mod event_match;
pub mod schedule;
pub mod schedule_history;
pub mod template;
pub mod trigger;
