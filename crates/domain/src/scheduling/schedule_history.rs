//! The history of a schedule: one state for each of the last 30 days.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{job::JobStatus, time::Timestamp, trigger::FireStatus};

/// The number of days shown.
pub const DAYS: usize = 30;

crate::string_enum! {
    /// The state of a day, ordered from good to bad: the worst outcome of the day counts.
    pub enum DayState {
        /// The schedule had no time on this day.
        Idle = "idle",
        /// Every run succeeded, including late ones.
        Done = "done",
        /// A job is queued or running.
        Open = "open",
        /// A time passed without a job.
        Missed = "missed",
        /// A job failed, or none could be created.
        Failed = "failed",
    }
}

/// One day of a schedule, in the schedule's time zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Day {
    /// As in `2026-11-16`.
    pub date: String,
    pub state: DayState,
    /// The number of the schedule's times on this day.
    pub times: u32,
}

/// The outcome of one time of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FireOutcome {
    pub nominal_at: Timestamp,
    /// The decision recorded for the time.
    pub status: FireStatus,
    /// The end of the job that was created for the time; `None` if it has not ended or there is none.
    pub ended: Option<JobStatus>,
    /// The number of times covered: several missed times can share one job.
    pub times: u32,
}

impl FireOutcome {
    /// The state of the day if this were its only outcome.
    fn state(self) -> DayState {
        match (self.status, self.ended) {
            (FireStatus::Failed, _) => DayState::Failed,
            (FireStatus::Missed | FireStatus::Asleep, _) => DayState::Missed,
            // The previous run was still active; its own outcome counts for the day.
            (FireStatus::Skipped, _) => DayState::Idle,
            (FireStatus::Fired | FireStatus::CaughtUp, None) => DayState::Open,
            (FireStatus::Fired | FireStatus::CaughtUp, Some(JobStatus::Succeeded)) => DayState::Done,
            (FireStatus::Fired | FireStatus::CaughtUp, Some(_)) => DayState::Failed,
        }
    }
}

/// The last [`DAYS`] days in a time zone, oldest first, including today; empty for an unknown zone.
#[must_use]
pub fn days(zone: &str, now: Timestamp, outcomes: &[FireOutcome]) -> Vec<Day> {
    let Some(today) = now.date_in(zone) else { return Vec::new() };
    let mut found: BTreeMap<jiff::civil::Date, (DayState, u32)> = BTreeMap::new();
    let earlier = today.series(jiff::Span::new().days(-1)).take(DAYS);
    found.extend(earlier.map(|date| (date, (DayState::Idle, 0))));
    for outcome in outcomes {
        let day = outcome.nominal_at.date_in(zone).and_then(|date| found.get_mut(&date));
        if let Some((state, times)) = day {
            *state = (*state).max(outcome.state());
            *times = times.saturating_add(outcome.times);
        }
    }
    found.into_iter().map(|(date, (state, times))| Day { date: date.to_string(), state, times }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    fn outcome(time: &str, status: FireStatus, ended: Option<JobStatus>) -> FireOutcome {
        FireOutcome { nominal_at: at(time), status, ended, times: 1 }
    }

    #[test]
    fn days_shows_the_worst_outcome_of_a_day() {
        use FireStatus as F;
        use JobStatus as J;
        let now = at("2026-11-16T12:00:00Z");
        type Row<'a> = (&'a [(F, Option<J>)], DayState);
        let table: &[Row<'_>] = &[
            (&[], DayState::Idle),
            (&[(F::Fired, Some(J::Succeeded))], DayState::Done),
            (&[(F::CaughtUp, Some(J::Succeeded)), (F::Skipped, None)], DayState::Done),
            (&[(F::Skipped, None)], DayState::Idle),
            (&[(F::Fired, Some(J::Succeeded)), (F::Fired, None)], DayState::Open),
            (&[(F::Fired, Some(J::Succeeded)), (F::Asleep, None)], DayState::Missed),
            (&[(F::Missed, None)], DayState::Missed),
            (&[(F::Missed, None), (F::Fired, Some(J::DeadLetter))], DayState::Failed),
            (&[(F::Fired, Some(J::Canceled))], DayState::Failed),
            (&[(F::Failed, None)], DayState::Failed),
        ];
        for (fires, expected) in table {
            let outcomes: Vec<FireOutcome> =
                fires.iter().map(|(status, ended)| outcome("2026-11-15T02:00:00Z", *status, *ended)).collect();
            let days = days("UTC", now, &outcomes);
            assert_eq!(days[DAYS - 2].state, *expected, "{fires:?}");
            assert_eq!(days[DAYS - 2].times as usize, fires.len());
        }
    }

    #[test]
    fn days_uses_the_time_zone_of_the_schedule() {
        let now = at("2026-11-16T03:00:00Z");
        let one = [outcome("2026-11-16T02:00:00Z", FireStatus::Fired, Some(JobStatus::Succeeded))];
        let dates = |zone: &str| -> Vec<(String, u32)> {
            days(zone, now, &one).into_iter().rev().take(2).map(|day| (day.date, day.times)).collect()
        };
        assert_eq!(dates("UTC"), [("2026-11-16".into(), 1), ("2026-11-15".into(), 0)]);
        assert_eq!(dates("America/New_York"), [("2026-11-15".into(), 1), ("2026-11-14".into(), 0)]);
        assert_eq!(days("UTC", now, &one).len(), DAYS);
        assert_eq!(days("UTC", now, &one)[0].date, "2026-10-18");
        assert!(days("Nowhere/City", now, &one).is_empty());
        // Older outcomes are ignored.
        let old = [outcome("2026-09-01T02:00:00Z", FireStatus::Fired, None)];
        assert!(days("UTC", now, &old).iter().all(|day| day.times == 0));
    }
}
