//! Admission of runners: which of two processes with the same host key may open a session.

use crate::time::{Span, Timestamp};

/// A session counts as live until this many heartbeats are missing.
const LIVE_BEATS: i64 = 3;

/// The host's last session, when its runner connects again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastSession {
    /// The id of the runner process that opened it; each start of a runner has a new one.
    pub incarnation: String,
    pub heartbeat_at: Timestamp,
    pub is_closed: bool,
}

/// The decision on a runner that has proved its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Open a session, with the next epoch.
    Open,
    /// Another process with the same key has a live session: one of the two machines is a copy.
    Duplicate {
        /// When the other session stops being live, if it sends no more heartbeats.
        retry_after: Span,
    },
}

/// Decides whether a runner that has proved its key may open a session.
///
/// The same process (equal `incarnation`) is always admitted: it reconnects while its old socket is still half-open.
/// Another process must wait until the session is closed or has missed `LIVE_BEATS` heartbeats. Without this wait,
/// two machines with a copied key would end each other's sessions in turn, and both would start the host's jobs. A
/// restarted runner whose predecessor could not close its session (power cut) waits no longer than that.
#[must_use]
pub fn admit(last: Option<&LastSession>, incarnation: &str, beat: Span, now: Timestamp) -> Admission {
    let Some(last) = last else { return Admission::Open };
    if last.is_closed || last.incarnation == incarnation {
        return Admission::Open;
    }
    let live_until = last.heartbeat_at + Span::from_millis(beat.as_millis() * LIVE_BEATS);
    if now >= live_until { Admission::Open } else { Admission::Duplicate { retry_after: live_until.since(now) } }
}

/// The host's clock minus the hub's clock, from one exchange; assumes that the request took half of the round trip.
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
    fn second_process_with_the_same_key_is_rejected_while_the_first_is_live() {
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
    fn clock_skew_excludes_the_network_delay() {
        let received = T0 + Span::from_millis(50);
        assert_eq!(clock_skew_ms(T0, received, Span::from_millis(100)), 0);
        assert_eq!(clock_skew_ms(T0 + Span::from_secs(3_600), received, Span::from_millis(100)), 3_600_000);
    }
}
