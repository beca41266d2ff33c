//! The hubs' own heartbeat: since when at least one hub has been running without a break.

use crate::time::{Span, Timestamp};

/// The heartbeat interval of hubs.
pub const BEAT_EVERY: Span = Span::from_secs(5);
/// A longer silence of all hubs is a break: runners may have sent heartbeats that no hub received.
pub const BREAK_AFTER: Span = Span::from_secs(15);

/// The stored heartbeat of all hubs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HubLiveness {
    /// The start of the current unbroken period.
    pub since: Timestamp,
    /// The last heartbeat of any hub.
    pub seen_at: Timestamp,
}

/// The state after a hub's heartbeat at `now`. After a break a new period starts, because no hub received the runners'
/// heartbeats during it.
#[must_use]
pub fn beat(last: Option<HubLiveness>, now: Timestamp) -> HubLiveness {
    match last {
        Some(watch) if now.since(watch.seen_at) <= BREAK_AFTER => {
            HubLiveness { since: watch.since, seen_at: watch.seen_at.max(now) }
        }
        _ => HubLiveness { since: now, seen_at: now },
    }
}

/// Since when silence of a host counts, at time `now`. If the hubs' own heartbeat is overdue (the database was
/// unreachable or this machine was suspended), silence does not count until it is renewed.
#[must_use]
pub fn judged_since(watch: HubLiveness, now: Timestamp) -> Timestamp {
    if now.since(watch.seen_at) > BREAK_AFTER { now } else { watch.since }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_does_not_count_while_the_hub_heartbeat_is_stale() {
        let t = |secs: i64| Timestamp::from_micros(secs * 1_000_000);
        let watch = HubLiveness { since: t(100), seen_at: t(500) };
        assert_eq!(judged_since(watch, t(510)), t(100));
        assert_eq!(judged_since(watch, t(900)), t(900));
    }

    #[test]
    fn a_break_starts_a_new_period() {
        let t = |secs: i64| Timestamp::from_micros(secs * 1_000_000);
        let first = beat(None, t(100));
        assert_eq!(first, HubLiveness { since: t(100), seen_at: t(100) });
        let second = beat(Some(first), t(105));
        assert_eq!(second, HubLiveness { since: t(100), seen_at: t(105) });
        assert_eq!(beat(Some(second), t(500)), HubLiveness { since: t(500), seen_at: t(500) });
        // A hub whose clock is slightly behind does not move the heartbeat back.
        assert_eq!(beat(Some(second), t(104)).seen_at, t(105));
    }
}
