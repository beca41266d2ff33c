//! Recent statistics of the queue per org: waiting times, rates, failures. In memory and bounded, for display only; the
//! store keeps the exact counts.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use domain::{OrgId, Span, Timestamp};

/// Orgs with statistics; beyond it the org without changes for the longest time is dropped.
const ORGS_MAX: usize = 1_000;
/// Waiting times kept per org.
const WAITS_MAX: usize = 512;
/// Minutes over which rates are computed.
const MINUTES: i64 = 5;

/// Counts of one minute.
#[derive(Clone, Copy, Default)]
struct Minute {
    number: i64,
    created: u64,
    ended: u64,
    failed: u64,
}

struct OrgStats {
    waits: VecDeque<Span>,
    minutes: VecDeque<Minute>,
    last_at: Timestamp,
}

/// Recent statistics of an org's queue, as counted by this hub.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct RecentStats {
    /// Median and 95th percentile of the waiting time.
    pub(crate) wait_p50: Option<Span>,
    pub(crate) wait_p95: Option<Span>,
    /// Jobs created per minute.
    pub(crate) created_per_minute: f64,
    /// Share of ended runs that failed.
    pub(crate) failed_part: Option<f64>,
}

/// Statistics of all orgs.
#[derive(Default)]
pub(crate) struct QueueStats(Mutex<HashMap<OrgId, OrgStats>>);

impl QueueStats {
    fn with<T>(&self, org: OrgId, now: Timestamp, note: impl FnOnce(&mut OrgStats) -> T) -> T {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= ORGS_MAX && !all.contains_key(&org) {
            let quiet = all.iter().min_by_key(|(_, seen)| seen.last_at).map(|(org, _)| *org);
            quiet.map(|org| all.remove(&org));
        }
        let new = || OrgStats { waits: VecDeque::new(), minutes: VecDeque::new(), last_at: now };
        let seen = all.entry(org).or_insert_with(new);
        seen.last_at = now;
        note(seen)
    }

    /// Counts created jobs of an org.
    pub(crate) fn created(&self, org: OrgId, count: u64, now: Timestamp) {
        self.with(org, now, |seen| seen.minute(now).created += count);
    }

    /// Adds the waiting time of a started job.
    pub(crate) fn waited(&self, org: OrgId, wait: Span, now: Timestamp) {
        self.with(org, now, |seen| {
            if seen.waits.len() == WAITS_MAX {
                seen.waits.pop_front();
            }
            seen.waits.push_back(wait);
        });
    }

    /// Counts ended runs of an org, and how many of them failed.
    pub(crate) fn ended(&self, org: OrgId, count: u64, failed: u64, now: Timestamp) {
        self.with(org, now, |seen| {
            let minute = seen.minute(now);
            (minute.ended, minute.failed) = (minute.ended + count, minute.failed + failed);
        });
    }

    /// The statistics of an org.
    pub(crate) fn recent(&self, org: OrgId, now: Timestamp) -> RecentStats {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(seen) = all.get(&org) else { return RecentStats::default() };
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
        RecentStats {
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

impl OrgStats {
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
    fn rates_cover_the_last_minutes_and_waits_the_last_jobs() {
        let stats = QueueStats::default();
        assert_eq!(stats.recent(org(1), T0), RecentStats::default());
        for ms in 1..=1_000 {
            stats.waited(org(1), Span::from_millis(ms), T0);
        }
        stats.created(org(1), 40, T0);
        stats.created(org(1), 10, T0 + Span::from_secs(120));
        stats.ended(org(1), 8, 2, T0 + Span::from_secs(120));
        let seen = stats.recent(org(1), T0 + Span::from_secs(120));
        assert_eq!(seen.wait_p50, Some(Span::from_millis(745)), "median of the last 512");
        assert_eq!(seen.wait_p95, Some(Span::from_millis(975)));
        assert!((seen.created_per_minute - 10.0).abs() < 0.001, "{seen:?}");
        assert!((seen.failed_part.unwrap_or_default() - 0.25).abs() < 0.001, "{seen:?}");
        let later = stats.recent(org(1), T0 + Span::from_secs(320));
        assert!((later.created_per_minute - 2.0).abs() < 0.001, "{later:?}");
        assert_eq!(stats.recent(org(1), T0 + Span::from_secs(600)).failed_part, None);
    }

    #[test]
    fn number_of_orgs_is_bounded() {
        let stats = QueueStats::default();
        for number in 0..1_500_u16 {
            stats.created(org(number), 1, T0 + Span::from_millis(i64::from(number)));
        }
        assert_eq!(stats.0.lock().expect("no panic while held").len(), ORGS_MAX);
        assert_eq!(stats.recent(org(3), T0), RecentStats::default(), "the org without recent changes was dropped");
        assert!(stats.recent(org(1_499), T0).created_per_minute > 0.0);
    }
}
