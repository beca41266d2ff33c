//! Since when some hub has been listening without a break.

use crate::time::{Span, Timestamp};

/// How often a hub notes that it is here.
pub const BEAT_EVERY: Span = Span::from_secs(5);
/// A silence of all hubs longer than this is a break: runners may have been unable to be heard.
pub const BREAK_AFTER: Span = Span::from_secs(15);

/// What the database remembers of the hubs' presence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watch {
    /// The beginning of the present unbroken watch.
    pub since: Timestamp,
    /// When a hub was last here.
    pub seen_at: Timestamp,
}

/// The watch after a hub has noted that it is here at `now`. A hub that starts always begins a new
/// watch when it is alone: nobody heard the runners while it was down.
#[must_use]
pub fn beat(last: Option<Watch>, now: Timestamp) -> Watch {
    match last {
        Some(watch) if now.since(watch.seen_at) <= BREAK_AFTER => {
            Watch { since: watch.since, seen_at: watch.seen_at.max(now) }
        }
        _ => Watch { since: now, seen_at: now },
    }
}

/// Since when silence counts at `now`. A watch that itself was not renewed (the database was away, or this
/// machine slept) says nothing about hosts until it is.
#[must_use]
pub fn judged_since(watch: Watch, now: Timestamp) -> Timestamp {
    if now.since(watch.seen_at) > BREAK_AFTER { now } else { watch.since }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_watch_judges_nobody() {
        let t = |secs: i64| Timestamp::from_micros(secs * 1_000_000);
        let watch = Watch { since: t(100), seen_at: t(500) };
        assert_eq!(judged_since(watch, t(510)), t(100));
        assert_eq!(judged_since(watch, t(900)), t(900));
    }

    #[test]
    fn a_break_begins_a_new_watch() {
        let t = |secs: i64| Timestamp::from_micros(secs * 1_000_000);
        let first = beat(None, t(100));
        assert_eq!(first, Watch { since: t(100), seen_at: t(100) });
        let second = beat(Some(first), t(105));
        assert_eq!(second, Watch { since: t(100), seen_at: t(105) });
        assert_eq!(beat(Some(second), t(500)), Watch { since: t(500), seen_at: t(500) });
        // Another hub's clock a little behind does not turn the watch back.
        assert_eq!(beat(Some(second), t(104)).seen_at, t(105));
    }
}
