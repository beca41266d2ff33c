//! Lets runners in at a rate: after a hub comes back, all of them knock at once.
//!
//! Who cannot come in yet is given a turn, one after the other at the same rate. A turn is a hint, not a ticket: nobody has said
//! yet who they are, so whoever comes while there is room comes in, and who finds none gets another turn.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use domain::Span;

/// The soonest turn: who is sent away needs a moment to come back.
const WAIT_MIN: Duration = Duration::from_millis(500);
/// The longest a runner is told to wait. Those beyond it are spread over the second half and ask again.
const WAIT_MAX: Duration = Duration::from_mins(1);
/// Those who come late or in a clump still find room: so much of a second's number may come in at once.
const AT_ONCE: f64 = 0.25;

/// The door.
pub(crate) struct Door {
    /// The time one takes for themselves.
    each: Duration,
    /// How far those who are let in may be ahead of the rate.
    slack: Duration,
    state: Mutex<State>,
}

struct State {
    /// When the rate allows the next one in.
    next: Instant,
    /// The last turn that was given away.
    turn: Instant,
}

impl Door {
    pub(crate) fn new(per_second: u32, now: Instant) -> Self {
        let each = Duration::from_secs(1) / per_second.max(1);
        // Where few come in, at least who is a little early does: those before them may have been late.
        let slack = Duration::from_secs_f64(AT_ONCE).saturating_sub(each).max(each / 2);
        Self { each, slack, state: Mutex::new(State { next: now, turn: now }) }
    }

    /// Lets one in, or says how long to wait. `random` in 0..1 spreads those for whom there is no turn yet.
    pub(crate) fn knock(&self, now: Instant, random: f64) -> Result<(), Span> {
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

    /// Some knock at once and come back when they are told to: when each of them came in, in order.
    fn come_in(door: &Door, runners: usize, now: Instant) -> Vec<Duration> {
        let mut knocks: std::collections::BTreeSet<(Instant, usize)> = (0..runners).map(|one| (now, one)).collect();
        let mut inside = Vec::new();
        while let Some((at, one)) = knocks.pop_first() {
            match door.knock(at, 0.5) {
                Ok(()) => inside.push(at - now),
                Err(wait) => {
                    knocks.insert((at + wait.to_duration(), one));
                }
            }
        }
        inside
    }

    #[test]
    fn all_come_in_one_after_the_other() {
        let now = Instant::now();
        let inside = come_in(&Door::new(500, now), 10_000, now);
        let busiest = inside
            .iter()
            .map(|from| inside.iter().filter(|at| **at >= *from && **at < *from + Duration::from_secs(1)).count());
        assert!(busiest.max() <= Some(626), "a second's number and a quarter of it");
        assert!(
            inside.last() <= Some(&Duration::from_secs(25)),
            "nobody is forgotten: 10,000 take 20 s at 500 a second"
        );
    }

    #[test]
    fn who_is_far_behind_asks_again() {
        let now = Instant::now();
        let door = Door::new(1, now);
        assert_eq!(door.knock(now, 0.0), Ok(()));
        assert_eq!(door.knock(now, 0.0), Err(Span::from_millis(1_500)));
        let waits: Vec<Span> = (0..100).filter_map(|_| door.knock(now, 0.5).err()).collect();
        assert_eq!(waits.iter().max(), Some(&Span::from_millis(59_500)));
        assert_eq!(waits.last(), Some(&Span::from_secs(45)));
    }

    #[test]
    fn a_quiet_door_lets_in_a_clump() {
        let now = Instant::now();
        let door = Door::new(8, now);
        let later = now + Duration::from_hours(1);
        assert_eq!((0..8).filter(|_| door.knock(later, 0.5).is_ok()).count(), 2, "a quarter of a second's number");
    }
}
