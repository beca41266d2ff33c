//! Limits: how many jobs may run at the same time, and how many may start within a minute.

use std::{fmt, str::FromStr};

use crate::{QuotaId, string_enum, time::Timestamp};

string_enum! {
    /// The scope of a limit.
    pub enum QuotaKind {
        /// All jobs of an org.
        Org = "org",
        /// All jobs of a definition, on all hosts.
        Definition = "definition",
        /// The jobs of a definition on one host.
        DefinitionOnHost = "definition_on_host",
        /// The jobs of an org with the same limit key.
        Key = "key",
    }
}

/// The length of the rate window in seconds: a minute plus the current second. Without the extra second, a start late
/// in a second would leave the window before a full minute has passed.
const WINDOW: usize = 61;

/// Starts per second over the last minute. No interval of 60 seconds contains more starts than the limit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recent {
    /// The newest counted second since 1970.
    newest: i64,
    /// Age in seconds before `newest`, and the starts in that second; newest first, none zero.
    counts: Vec<(u8, u32)>,
}

impl Recent {
    /// Moves the window to `now`. A clock that stepped back is treated as stopped.
    fn at(&self, now: Timestamp) -> Self {
        let second = now.as_micros().div_euclid(1_000_000).max(self.newest);
        let moved = second - self.newest;
        let counts = self.counts.iter().filter_map(|&(age, count)| {
            let age = i64::from(age) + moved;
            u8::try_from(age).ok().filter(|&age| usize::from(age) < WINDOW).map(|age| (age, count))
        });
        Self { newest: second, counts: counts.collect() }
    }

    /// How many more jobs may start now.
    #[must_use]
    pub fn room(&self, per_minute: u32, now: Timestamp) -> u32 {
        per_minute.saturating_sub(self.at(now).total())
    }

    fn total(&self) -> u32 {
        self.counts.iter().map(|&(_, count)| count).sum()
    }

    /// Records `count` starts.
    #[must_use]
    pub fn add(&self, count: u32, now: Timestamp) -> Self {
        let mut moved = self.at(now);
        if count > 0 {
            match moved.counts.first_mut() {
                Some((0, first)) => *first += count,
                _ => moved.counts.insert(0, (0, count)),
            }
        }
        moved
    }

    /// When the next job may start; `None` if one may start now.
    #[must_use]
    pub fn next_room(&self, per_minute: u32, now: Timestamp) -> Option<Timestamp> {
        let moved = self.at(now);
        let mut excess = (moved.total() + 1).checked_sub(per_minute).filter(|&excess| excess > 0)?;
        for &(age, count) in moved.counts.iter().rev() {
            if count >= excess {
                let leaves = moved.newest + i64::try_from(WINDOW).unwrap_or(61) - i64::from(age);
                return Some(Timestamp::from_micros(leaves * 1_000_000));
            }
            excess -= count;
        }
        None
    }
}

/// The stored form: `newest:age=count,age=count`.
impl fmt::Display for Recent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The default value in the database is the empty text: a window without starts has only one spelling.
        if *self == Self::default() {
            return Ok(());
        }
        write!(f, "{}:", self.newest)?;
        for (number, (age, count)) in self.counts.iter().enumerate() {
            write!(f, "{}{age}={count}", if number == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// A stored window that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a window of counts")]
pub struct NotRecent(String);

impl FromStr for Recent {
    type Err = NotRecent;
    fn from_str(text: &str) -> Result<Self, NotRecent> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let read = || {
            let (newest, counts) = text.split_once(':')?;
            let counts = counts.split(',').filter(|part| !part.is_empty()).map(|part| {
                let (age, count) = part.split_once('=')?;
                Some((age.parse().ok()?, count.parse().ok()?))
            });
            Some(Self { newest: newest.parse().ok()?, counts: counts.collect::<Option<_>>()? })
        };
        read().ok_or_else(|| NotRecent(text.to_owned()))
    }
}

/// A limit and its current use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Usage {
    /// How many jobs may run at the same time; `None` = unlimited.
    pub max_running: Option<u32>,
    /// How many jobs may start within a minute; `None` = unlimited.
    pub jobs_per_minute: Option<u32>,
    /// Running jobs.
    pub running: u32,
    /// Recent starts.
    pub recent: Recent,
}

/// Why a limit is exhausted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    /// The maximum number of jobs is running.
    Running(u32),
    /// The maximum number of jobs has started; the next may start at this time.
    Rate(Option<Timestamp>),
}

impl Usage {
    /// Builds the state from stored numbers. An invalid (negative) maximum counts as zero, so nothing starts.
    #[must_use]
    pub fn of(max_running: Option<i32>, jobs_per_minute: Option<i32>, running: i32, recent: Recent) -> Self {
        let count = |number: i32| u32::try_from(number).unwrap_or(0);
        Self {
            max_running: max_running.map(count),
            jobs_per_minute: jobs_per_minute.map(count),
            running: count(running),
            recent,
        }
    }

    /// How many more jobs may start now.
    #[must_use]
    pub fn room(&self, now: Timestamp) -> u32 {
        let running = self.max_running.map_or(u32::MAX, |max| max.saturating_sub(self.running));
        let rate = self.jobs_per_minute.map_or(u32::MAX, |max| self.recent.room(max, now));
        running.min(rate)
    }

    /// Why no job may start; `None` if one may.
    #[must_use]
    pub fn full(&self, now: Timestamp) -> Option<Full> {
        if let Some(max) = self.max_running.filter(|&max| self.running >= max) {
            return Some(Full::Running(max));
        }
        let max = self.jobs_per_minute.filter(|&max| self.recent.room(max, now) == 0)?;
        Some(Full::Rate(self.recent.next_room(max, now)))
    }

    /// Records `count` starts.
    pub fn take(&mut self, count: u32, now: Timestamp) {
        self.running += count;
        if self.jobs_per_minute.is_some() {
            self.recent = self.recent.add(count, now);
        }
    }
}

/// The limits that a run counts against, and the time charged to its org on a host that several orgs share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counted {
    pub quotas: Vec<QuotaId>,
    /// Worker-milliseconds charged to the org when the run started.
    pub share_ms: Option<i64>,
}

impl Counted {
    /// The form stored with the run; `None` if the run counts against nothing.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        let share = self.share_ms.map(|ms| format!("+{ms}"));
        let parts: Vec<String> = self.quotas.iter().map(ToString::to_string).chain(share).collect();
        (!parts.is_empty()).then(|| parts.join(","))
    }

    /// Parses the stored form; unknown parts are ignored.
    #[must_use]
    pub fn read(text: Option<&str>) -> Self {
        let mut counted = Self::default();
        for part in text.unwrap_or_default().split(',') {
            match part.strip_prefix('+') {
                Some(share) => counted.share_ms = share.parse().ok(),
                None => counted.quotas.extend(part.parse::<QuotaId>()),
            }
        }
        counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(second: i64) -> Timestamp {
        Timestamp::from_micros(second * 1_000_000)
    }

    #[test]
    fn no_minute_holds_more_than_the_limit() {
        let (mut recent, mut begun) = (Recent::default(), Vec::new());
        // One start at a time, so that starts spread over all parts of a second.
        for tenth in 10_000..14_000 {
            let now = Timestamp::from_micros(tenth * 100_000);
            let room = recent.room(10, now).min(1);
            recent = recent.add(room, now);
            begun.extend(std::iter::repeat_n(tenth, room as usize));
        }
        for &start in &begun {
            let within = begun.iter().filter(|&&tenth| tenth >= start && tenth < start + 600).count();
            assert!(within <= 10, "{within} started in the minute from {start}");
        }
        assert!(begun.len() >= 60, "and the limit is used: {}", begun.len());
    }

    #[test]
    fn next_room_is_when_the_oldest_start_leaves_the_window() {
        let recent = Recent::default().add(3, at(100)).add(2, at(110));
        assert_eq!(recent.next_room(5, at(120)), Some(at(161)));
        assert_eq!(recent.next_room(6, at(120)), None, "there is room now");
        assert_eq!(recent.next_room(2, at(120)), Some(at(171)), "three too many, and two of the second batch");
        assert_eq!(recent.room(5, at(161)), 3);
    }

    #[test]
    fn a_clock_that_steps_back_allows_no_early_start() {
        let recent = Recent::default().add(5, at(100));
        assert_eq!(recent.room(5, at(40)), 0);
        assert_eq!(recent.room(5, at(160)), 0);
        assert_eq!(recent.room(5, at(161)), 5);
    }

    #[test]
    fn windows_round_trip_through_text() {
        let recent = Recent::default().add(3, at(100)).add(2, at(110));
        assert_eq!(recent.to_string(), "110:0=2,10=3");
        assert_eq!(recent.to_string().parse(), Ok(recent));
        assert_eq!("".parse(), Ok(Recent::default()));
        assert!("110:x".parse::<Recent>().is_err());
    }

    #[test]
    fn counted_limits_round_trip_through_text() {
        let (one, two) = (QuotaId::from_bytes([1; 16]), QuotaId::from_bytes([2; 16]));
        for counted in [
            Counted::default(),
            Counted { quotas: vec![one], share_ms: None },
            Counted { quotas: vec![], share_ms: Some(0) },
            Counted { quotas: vec![one, two], share_ms: Some(1_234) },
        ] {
            assert_eq!(Counted::read(counted.text().as_deref()), counted);
        }
        assert_eq!(Counted::default().text(), None);
        assert_eq!(Counted::read(Some(&format!("+7,{one}"))).quotas, [one], "limits created later are appended");
    }
}
