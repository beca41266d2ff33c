//! Retry delays: exponential back-off, capped first, then full jitter.
//!
//! The order matters. With jitter first and the cap afterwards, all clients that have retried often enough wait exactly
//! the cap, and a fleet returns in one wave.

use crate::time::Span;

/// An exponential back-off with a cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The maximum of the first delay.
    pub first: Span,
    /// The maximum of all delays.
    pub cap: Span,
}

impl Backoff {
    /// The delay before retry number `tries` (0 is the first). `random` is uniform in 0..1.
    #[must_use]
    pub fn delay(self, tries: u32, random: f64) -> Span {
        let grown = self.first.as_micros().saturating_mul(1_i64 << tries.min(30));
        let ceiling = grown.min(self.cap.as_micros());
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a delay needs no exactness")]
        let micros = (ceiling as f64 * random.clamp(0.0, 1.0)) as i64;
        Span::from_millis(micros / 1_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: Backoff = Backoff { first: Span::from_secs(1), cap: Span::from_secs(30) };

    #[test]
    fn jitter_covers_the_whole_range_at_the_cap() {
        assert_eq!(LINK.delay(0, 1.0), Span::from_secs(1));
        assert_eq!(LINK.delay(3, 1.0), Span::from_secs(8));
        assert_eq!(LINK.delay(40, 1.0), Span::from_secs(30));
        assert_eq!(LINK.delay(40, 0.5), Span::from_secs(15));
        assert_eq!(LINK.delay(40, 0.0), Span::ZERO);
    }
}
