//! What this hub has seen of the queue lately, per org: how long jobs waited, how many came, how many ended badly.
//!
//! In memory and bounded: for people who look, not for decisions. Counts that must be right are kept by the store.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use domain::{OrgId, Span, Timestamp};

/// Orgs that are remembered; beyond it the one that was quiet longest is forgotten.
const ORGS_MAX: usize = 1_000;
/// Waits that are remembered per org.
const WAITS_MAX: usize = 512;
/// Rates are those of so many whole minutes.
const MINUTES: i64 = 5;

/// What was seen in one minute.
#[derive(Clone, Copy, Default)]
struct Minute {
    number: i64,
    created: u64,
    ended: u64,
    failed: u64,
}

struct Seen {
    waits: VecDeque<Span>,
    minutes: VecDeque<Minute>,
    last_at: Timestamp,
}

/// How an org's queue does, as this hub has seen it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Lately {
    /// How long half of the last jobs waited at most, and nineteen of twenty.
    pub(crate) wait_p50: Option<Span>,
    pub(crate) wait_p95: Option<Span>,
    /// Jobs made per minute.
    pub(crate) created_per_minute: f64,
    /// Which part of the runs that ended did so badly.
    pub(crate) failed_part: Option<f64>,
}

/// All orgs.
#[derive(Default)]
pub(crate) struct Numbers(Mutex<HashMap<OrgId, Seen>>);

impl Numbers {
    fn with<T>(&self, org: OrgId, now: Timestamp, note: impl FnOnce(&mut Seen) -> T) -> T {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= ORGS_MAX && !all.contains_key(&org) {
            let quiet = all.iter().min_by_key(|(_, seen)| seen.last_at).map(|(org, _)| *org);
            quiet.map(|org| all.remove(&org));
        }
        let new = || Seen { waits: VecDeque::new(), minutes: VecDeque::new(), last_at: now };
        let seen = all.entry(org).or_insert_with(new);
        seen.last_at = now;
        note(seen)
    }

    /// Jobs of an org were made.
    pub(crate) fn created(&self, org: OrgId, count: u64, now: Timestamp) {
        self.with(org, now, |seen| seen.minute(now).created += count);
    }

    /// A job of an org has begun after this wait.
    pub(crate) fn waited(&self, org: OrgId, wait: Span, now: Timestamp) {
        self.with(org, now, |seen| {
            if seen.waits.len() == WAITS_MAX {
                seen.waits.pop_front();
            }
            seen.waits.push_back(wait);
        });
    }

    /// Runs of an org have ended, so many of them badly.
    pub(crate) fn ended(&self, org: OrgId, count: u64, failed: u64, now: Timestamp) {
        self.with(org, now, |seen| {
            let minute = seen.minute(now);
            (minute.ended, minute.failed) = (minute.ended + count, minute.failed + failed);
        });
    }

    /// How an org's queue does.
    pub(crate) fn lately(&self, org: OrgId, now: Timestamp) -> Lately {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(seen) = all.get(&org) else { return Lately::default() };
        let mut waits: Vec<Span> = seen.waits.iter().copied().collect();
        waits.sort_unstable();
        let at = |part: usize| waits.get((waits.len() * part / 100).min(waits.len().saturating_sub(1))).copied();
        let recent = seen.minutes.iter().filter(|minute| minute.number > number(now) - MINUTES);
        let sum = recent.fold(Minute::default(), |sum, minute| Minute {
            number: 0,
            created: sum.created + minute.created,
            ended: sum.ended + minute.ended,
            failed: sum.failed + minute.failed,
        });
        #[expect(clippy::cast_precision_loss, reason = "a rate needs no exactness")]
        let part = |count: u64, of: f64| count as f64 / of;
        #[expect(clippy::cast_precision_loss, reason = "a rate needs no exactness")]
        Lately {
            wait_p50: at(50),
            wait_p95: at(95),
            created_per_minute: part(sum.created, MINUTES as f64),
            failed_part: (sum.ended > 0).then(|| part(sum.failed, sum.ended as f64)),
        }
    }
}

fn number(now: Timestamp) -> i64 {
    now.as_micros() / 60_000_000
}

impl Seen {
    fn minute(&mut self, now: Timestamp) -> &mut Minute {
        let number = number(now);
        if self.minutes.back().is_none_or(|last| last.number < number) {
            self.minutes.push_back(Minute { number, ..Minute::default() });
        }
        while self.minutes.len() > MINUTES as usize {
            self.minutes.pop_front();
        }
        let last = self.minutes.len() - 1;
        &mut self.minutes[last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp::from_micros(1_700_000_040_000_000);

    fn org(number: u16) -> OrgId {
        let mut bytes = [0; 16];
        bytes[..2].copy_from_slice(&number.to_be_bytes());
        OrgId::from_bytes(bytes)
    }

    #[test]
    fn rates_are_of_the_last_minutes_and_waits_of_the_last_jobs() {
        let numbers = Numbers::default();
        assert_eq!(numbers.lately(org(1), T0), Lately::default());
        for ms in 1..=1_000 {
            numbers.waited(org(1), Span::from_millis(ms), T0);
        }
        numbers.created(org(1), 40, T0);
        numbers.created(org(1), 10, T0 + Span::from_secs(120));
        numbers.ended(org(1), 8, 2, T0 + Span::from_secs(120));
        let seen = numbers.lately(org(1), T0 + Span::from_secs(120));
        assert_eq!(seen.wait_p50, Some(Span::from_millis(745)), "of the last 512");
        assert_eq!(seen.wait_p95, Some(Span::from_millis(975)));
        assert!((seen.created_per_minute - 10.0).abs() < 0.001, "{seen:?}");
        assert!((seen.failed_part.unwrap_or_default() - 0.25).abs() < 0.001, "{seen:?}");
        let later = numbers.lately(org(1), T0 + Span::from_secs(320));
        assert!((later.created_per_minute - 2.0).abs() < 0.001, "{later:?}");
        assert_eq!(numbers.lately(org(1), T0 + Span::from_secs(600)).failed_part, None);
    }

    #[test]
    fn only_so_many_orgs_are_remembered() {
        let numbers = Numbers::default();
        for number in 0..1_500_u16 {
            numbers.created(org(number), 1, T0 + Span::from_millis(i64::from(number)));
        }
        assert_eq!(numbers.0.lock().expect("no panic while held").len(), ORGS_MAX);
        assert_eq!(numbers.lately(org(3), T0), Lately::default(), "the quietest went first");
        assert!(numbers.lately(org(1_499), T0).created_per_minute > 0.0);
    }
}
