//! Clocks, randomness and ids. No other code may read the system clock or random source, so that tests can control
//! them.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Instant,
};

use domain::{Id, Timestamp, id::IdSource};

/// The time of a hub: its monotonic clock plus an offset to the clock of the database, so that all hubs on one database
/// agree. Tests set it.
#[derive(Clone)]
pub struct Clock(Arc<Inner>);

enum Inner {
    System { began: Instant, began_at: i64, offset: AtomicI64 },
    Fake(AtomicI64),
}

impl Clock {
    /// A clock that starts at the current wall clock time and then advances monotonically.
    #[must_use]
    pub fn system() -> Self {
        Self(Arc::new(Inner::System { began: Instant::now(), began_at: wall().as_micros(), offset: AtomicI64::new(0) }))
    }

    /// The current time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &*self.0 {
            Inner::System { began, began_at, offset } => {
                let elapsed = i64::try_from(began.elapsed().as_micros()).unwrap_or(i64::MAX);
                Timestamp::from_micros(began_at.saturating_add(elapsed).saturating_add(offset.load(Ordering::Relaxed)))
            }
            Inner::Fake(now) => Timestamp::from_micros(now.load(Ordering::Relaxed)),
        }
    }

    /// Adjusts the offset so that `now()` returns about `theirs`, which was read just before.
    pub fn follow(&self, theirs: Timestamp) {
        if let Inner::System { offset, .. } = &*self.0 {
            offset.fetch_add(theirs.as_micros() - self.now().as_micros(), Ordering::Relaxed);
        }
    }
}

/// The machine's wall clock, for times that are shown or compared with other machines. People can set it back, so it
/// must not decide about leases or timeouts.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the only function that reads the system clock")]
pub fn wall() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// A clock that a test advances.
#[derive(Clone)]
pub struct FakeClock(Clock);

impl FakeClock {
    /// A clock that shows this time.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self(Clock(Arc::new(Inner::Fake(AtomicI64::new(now.as_micros())))))
    }

    /// The clock to pass to the code under test.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.0.clone()
    }

    /// Advances the clock.
    pub fn advance(&self, span: domain::Span) {
        if let Inner::Fake(now) = &*self.0.0 {
            now.fetch_add(span.as_micros(), Ordering::Relaxed);
        }
    }
}

/// Randomness from the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl Random {
    /// Random bytes.
    #[must_use]
    pub fn bytes<const N: usize>(self) -> [u8; N] {
        let mut bytes = [0; N];
        rand::fill(&mut bytes);
        bytes
    }

    /// A random number in 0..1.
    #[must_use]
    pub fn unit(self) -> f64 {
        rand::random()
    }
}

/// The id source of one process: ids increase, even while the clock does not.
#[derive(Clone)]
pub struct Ids {
    source: Arc<Mutex<IdSource>>,
    clock: Clock,
}

impl Ids {
    /// A source of ids with the time of this clock.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { source: Arc::default(), clock }
    }

    /// The next id.
    #[must_use]
    pub fn next<K>(&self) -> Id<K> {
        let random = u128::from_be_bytes(Random.bytes());
        self.source.lock().unwrap_or_else(PoisonError::into_inner).next(self.clock.now(), random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_follows_another_clock() {
        let clock = Clock::system();
        let theirs = clock.now() + domain::Span::from_secs(3_600);
        clock.follow(theirs);
        assert!(clock.now().since(theirs) < domain::Span::from_secs(60));
        assert!(clock.now() >= theirs);
    }

    #[test]
    fn fake_clock_moves_only_by_advance() {
        let fake = FakeClock::at(Timestamp::from_micros(5));
        assert_eq!(fake.clock().now(), fake.clock().now());
        fake.advance(domain::Span::from_secs(1));
        assert_eq!(fake.clock().now(), Timestamp::from_micros(1_000_005));
    }
}
