//! The only place that reads the clock and the source of randomness.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Instant,
};

use domain::{Id, Timestamp, id::IdSource};

/// The time, as the hub tells it: its own monotonic clock plus an offset that it learns from the database,
/// so that all hubs on one database agree. Tests set it.
#[derive(Clone)]
pub struct Clock(Arc<Inner>);

enum Inner {
    System { began: Instant, began_at: i64, offset: AtomicI64 },
    Fake(AtomicI64),
}

impl Clock {
    /// The machine's clock at this moment, going on steadily from here.
    #[must_use]
    pub fn system() -> Self {
        Self(Arc::new(Inner::System { began: Instant::now(), began_at: wall().as_micros(), offset: AtomicI64::new(0) }))
    }

    /// Now.
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

    /// Follows another clock: from now on `now()` is near `theirs`, which was read just now.
    pub fn follow(&self, theirs: Timestamp) {
        if let Inner::System { offset, .. } = &*self.0 {
            offset.fetch_add(theirs.as_micros() - self.now().as_micros(), Ordering::Relaxed);
        }
    }
}

/// The machine's wall clock, for what is compared with other machines and never used to decide.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub fn wall() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// A clock that stands still until a test moves it.
#[derive(Clone)]
pub struct FakeClock(Clock);

impl FakeClock {
    /// A clock that stands at this time.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self(Clock(Arc::new(Inner::Fake(AtomicI64::new(now.as_micros())))))
    }

    /// The clock to hand to what is tested.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.0.clone()
    }

    /// Lets time pass.
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

    /// A number in 0..1.
    #[must_use]
    pub fn unit(self) -> f64 {
        rand::random()
    }
}

/// Makes the ids of one process: they grow, also when the clock does not.
#[derive(Clone)]
pub struct Ids {
    source: Arc<Mutex<IdSource>>,
    clock: Clock,
}

impl Ids {
    /// A source that stamps ids with this clock.
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
    fn a_clock_follows_another() {
        let clock = Clock::system();
        let theirs = clock.now() + domain::Span::from_secs(3_600);
        clock.follow(theirs);
        assert!(clock.now().since(theirs) < domain::Span::from_secs(60));
        assert!(clock.now() >= theirs);
    }

    #[test]
    fn a_fake_clock_moves_only_when_told() {
        let fake = FakeClock::at(Timestamp::from_micros(5));
        assert_eq!(fake.clock().now(), fake.clock().now());
        fake.advance(domain::Span::from_secs(1));
        assert_eq!(fake.clock().now(), Timestamp::from_micros(1_000_005));
    }
}
