//! A runner's session with its hub: who gets in, and which of two is the clone.

use crate::time::{Span, Timestamp};

/// How many heartbeats may be missing before a session no longer counts as live.
const LIVE_BEATS: i64 = 3;

/// What the store knows of a host's last session when its runner knocks again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastSession {
    /// Which run of the runner process held it.
    pub incarnation: String,
    /// When it was last heard.
    pub heartbeat_at: Timestamp,
    /// Whether it was closed.
    pub is_closed: bool,
}

/// What to do with a runner that proved its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Open a session with the next epoch.
    Open,
    /// The key is in use by another process that is alive: one of the two is a copy.
    Duplicate {
        /// When the other would have been silent for long enough.
        retry_after: Span,
    },
}

/// Decides on a runner that proved its key.
///
/// The same process coming back (`incarnation` equal) always gets in: its old socket is half-open.
/// A different process must wait until the old one is closed or silent, so that two machines with
/// one key can never take turns.
#[must_use]
pub fn admit(last: Option<&LastSession>, incarnation: &str, beat: Span, now: Timestamp) -> Admission {
    let Some(last) = last else { return Admission::Open };
    if last.is_closed || last.incarnation == incarnation {
        return Admission::Open;
    }
    let live_until = last.heartbeat_at + Span::from_millis(beat.as_millis() * LIVE_BEATS);
    if now >= live_until { Admission::Open } else { Admission::Duplicate { retry_after: live_until.since(now) } }
}

/// The host's clock minus ours, from one exchange: half of the way there is assumed to be the delay.
#[must_use]
pub fn clock_skew_ms(runner_time: Timestamp, received_at: Timestamp, round_trip: Span) -> i64 {
    let expected = received_at.as_micros() - round_trip.as_micros() / 2;
    (runner_time.as_micros() - expected) / 1_000
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);
    const BEAT: Span = Span::from_secs(10);

    #[test]
    fn a_second_machine_with_the_key_is_turned_away() {
        let last = |incarnation: &str, is_closed| LastSession {
            incarnation: incarnation.to_owned(),
            heartbeat_at: T0,
            is_closed,
        };
        let soon = T0 + Span::from_secs(4);
        let later = T0 + Span::from_secs(30);
        for (case, last, now, expected) in [
            ("first ever", None, soon, Admission::Open),
            ("same process, half-open socket", Some(last("a", false)), soon, Admission::Open),
            ("restart after a clean close", Some(last("b", true)), soon, Admission::Open),
            ("clone", Some(last("b", false)), soon, Admission::Duplicate { retry_after: Span::from_secs(26) }),
            ("restart after a power cut", Some(last("b", false)), later, Admission::Open),
        ] {
            assert_eq!(admit(last.as_ref(), "a", BEAT, now), expected, "{case}");
        }
    }

    #[test]
    fn skew_leaves_out_the_way() {
        let received = T0 + Span::from_millis(50);
        assert_eq!(clock_skew_ms(T0, received, Span::from_millis(100)), 0);
        assert_eq!(clock_skew_ms(T0 + Span::from_secs(3_600), received, Span::from_millis(100)), 3_600_000);
    }
}
