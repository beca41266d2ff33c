//! Lets runners in at a rate: after a hub comes back, all of them knock at once.

use std::num::NonZeroU32;

use domain::Span;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

/// The longest a runner is told to wait.
const WAIT_MAX: Span = Span::from_secs(15);

/// The door.
pub(crate) struct Door {
    limit: DefaultDirectRateLimiter,
}

impl Door {
    pub(crate) fn new(per_second: u32) -> Self {
        let rate = NonZeroU32::new(per_second.max(1)).unwrap_or(NonZeroU32::MIN);
        Self { limit: RateLimiter::direct(Quota::per_second(rate)) }
    }

    /// Lets one in, or says how long to wait. `random` in 0..1 spreads those who are sent away.
    pub(crate) fn knock(&self, random: f64) -> Result<(), Span> {
        if self.limit.check().is_ok() {
            return Ok(());
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a delay needs no exactness")]
        let ms = (WAIT_MAX.as_millis() as f64 * random) as i64;
        Err(Span::from_millis(500 + ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_rate_runners_are_spread() {
        let door = Door::new(2);
        assert_eq!((0..2).filter(|_| door.knock(0.5).is_ok()).count(), 2);
        assert_eq!(door.knock(0.0), Err(Span::from_millis(500)));
        assert_eq!(door.knock(1.0), Err(Span::from_millis(15_500)));
    }
}
