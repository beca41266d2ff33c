//! Admission: limits how many runners per second may start a handshake. After a hub restarts, all of them reconnect in
//! the same second.
//!
//! A rejected runner receives a time to retry; consecutive rejections receive consecutive times at the same rate. The
//! time is a hint, not a reservation: the runner is not authenticated yet, so the hub keeps no record of it. Any runner
//! that arrives while the rate allows it is admitted, and one that does not fit receives another time.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use domain::Span;

/// Shortest retry time: a rejected runner needs a moment to reconnect.
const WAIT_MIN: Duration = Duration::from_millis(500);
/// Longest retry time. Runners for whom no time is left before it retry at random in its second half.
const WAIT_MAX: Duration = Duration::from_mins(1);
/// Burst, as a share of the runners per second: retries that arrive late or in a clump still fit.
const AT_ONCE: f64 = 0.25;

/// Rate limit for new runner links, shared by all connections of this hub.
pub(crate) struct Admission {
    /// Interval between two admissions.
    each: Duration,
    /// How far admissions may run ahead of the rate.
    slack: Duration,
    state: Mutex<State>,
}

struct State {
    /// When the rate allows the next admission.
    next: Instant,
    /// The last retry time handed out.
    turn: Instant,
}

impl Admission {
    pub(crate) fn new(per_second: u32, now: Instant) -> Self {
        let each = Duration::from_secs(1) / per_second.max(1);
        // At a low rate the burst is less than one runner; allow half an interval, so that a slightly early retry fits.
        let slack = Duration::from_secs_f64(AT_ONCE).saturating_sub(each).max(each / 2);
        Self { each, slack, state: Mutex::new(State { next: now, turn: now }) }
    }

    /// Admits a runner, or returns how long it must wait. `random` in 0..1 spreads the runners beyond [`WAIT_MAX`].
    pub(crate) fn try_admit(&self, now: Instant, random: f64) -> Result<(), Span> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.next <= now + self.slack {
            state.next = state.next.max(now) + self.each;
            return Ok(());
        }
        let turn = state.turn.max(now + WAIT_MIN) + self.each;
        let wait = turn - now;
        if wait > WAIT_MAX {
            return Err(span(WAIT_MAX.mul_f64(0.5 + random / 2.0)));
        }
        state.turn = turn;
        Err(span(wait))
    }
}

fn span(wait: Duration) -> Span {
    Span::from_millis(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates runners that all connect at `now` and retry at the returned times; returns the times of admission.
    fn admit_all(admission: &Admission, runners: usize, now: Instant) -> Vec<Duration> {
        let mut attempts: std::collections::BTreeSet<(Instant, usize)> = (0..runners).map(|one| (now, one)).collect();
        let mut inside = Vec::new();
        while let Some((at, one)) = attempts.pop_first() {
            match admission.try_admit(at, 0.5) {
                Ok(()) => inside.push(at - now),
                Err(wait) => {
                    attempts.insert((at + wait.to_duration(), one));
                }
            }
        }
        inside
    }

    #[test]
    fn runners_are_admitted_at_the_rate_and_none_is_forgotten() {
        let now = Instant::now();
        let inside = admit_all(&Admission::new(500, now), 10_000, now);
        let busiest = inside
            .iter()
            .map(|from| inside.iter().filter(|at| **at >= *from && **at < *from + Duration::from_secs(1)).count());
        assert!(busiest.max() <= Some(626), "the rate and a quarter of it");
        assert!(
            inside.last() <= Some(&Duration::from_secs(25)),
            "none is forgotten: 10,000 take 20 s at 500 per second"
        );
    }

    #[test]
    fn retry_times_beyond_the_maximum_are_spread() {
        let now = Instant::now();
        let admission = Admission::new(1, now);
        assert_eq!(admission.try_admit(now, 0.0), Ok(()));
        assert_eq!(admission.try_admit(now, 0.0), Err(Span::from_millis(1_500)));
        let waits: Vec<Span> = (0..100).filter_map(|_| admission.try_admit(now, 0.5).err()).collect();
        assert_eq!(waits.iter().max(), Some(&Span::from_millis(59_500)));
        assert_eq!(waits.last(), Some(&Span::from_secs(45)));
    }

    #[test]
    fn idle_limiter_admits_a_burst() {
        let now = Instant::now();
        let admission = Admission::new(8, now);
        let later = now + Duration::from_hours(1);
        assert_eq!((0..8).filter(|_| admission.try_admit(later, 0.5).is_ok()).count(), 2, "a quarter of the rate");
    }
}
