//! Outages in a host's history, and how a machine detects its own: suspends and unreachable hubs.

use std::collections::BTreeMap;

use crate::time::{Span, Timestamp};

crate::string_enum! {
    /// The kinds of outages.
    pub enum OutageKind {
        /// An always-on host sent no heartbeats. Recorded by the hub.
        Offline = "offline",
        /// A host that is not always on sent no heartbeats. Recorded by the hub.
        Asleep = "asleep",
        /// The machine was suspended. Reported by the host.
        Suspended = "suspended",
        /// The host could not reach a hub. Reported by the host.
        HubAway = "hub_away",
    }
}

impl OutageKind {
    /// Whether the host itself reports this kind; the others are recorded by its hub.
    #[must_use]
    pub const fn is_from_host(self) -> bool {
        matches!(self, Self::Suspended | Self::HubAway)
    }
}

/// Shorter stops are not a suspend: reading two clocks takes a moment.
const SUSPENDED_MIN: Span = Span::from_secs(2);
/// The limit if only the wall clock is available, because a person may have adjusted it by some seconds.
const SUSPENDED_MIN_BY_WALL: Span = Span::from_secs(60);
/// Shorter interruptions of a link are not recorded: the hub was restarted or the network route changed.
pub const AWAY_MIN: Span = Span::from_secs(15);

/// The clocks of a machine, read at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    pub wall: Timestamp,
    /// Time since boot without suspends.
    pub awake: Span,
    /// Time since boot including suspends, where the operating system provides it.
    pub boot: Option<Span>,
}

/// How long the machine was suspended between two readings.
#[must_use]
pub fn suspended(before: &Clocks, now: &Clocks) -> Option<Span> {
    let awake = now.awake.as_micros() - before.awake.as_micros();
    let (passed, least) = match (before.boot, now.boot) {
        (Some(before), Some(now)) => (now.as_micros() - before.as_micros(), SUSPENDED_MIN),
        _ => (now.wall.as_micros() - before.wall.as_micros(), SUSPENDED_MIN_BY_WALL),
    };
    let still = passed - awake;
    (still >= least.as_micros()).then(|| Span::from_millis(still / 1_000))
}

/// The state of the link to a hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    pub hub: String,
    /// Since when the link is up; `None` while it is down.
    pub up_since: Option<Timestamp>,
    /// When the last message of the hub arrived.
    pub heard_at: Option<Timestamp>,
}

/// An outage that started, continues or ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    pub kind: OutageKind,
    /// The start; together with the kind it identifies the outage of a machine.
    pub from: Timestamp,
    /// `None` while the outage lasts.
    pub until: Option<Timestamp>,
    /// Details for people.
    pub note: String,
}

/// Detects outages from successive readings of the clocks and links.
#[derive(Debug, Clone)]
pub struct OutageTracker {
    began: Timestamp,
    last: Option<Clocks>,
    /// Unreachable hubs: since when, and whether the outage was reported.
    away: BTreeMap<String, (Timestamp, bool)>,
}

impl OutageTracker {
    /// A detector for a process that starts now.
    #[must_use]
    pub const fn new(began: Timestamp) -> Self {
        Self { began, last: None, away: BTreeMap::new() }
    }

    /// Processes one reading; returns the outages that started or ended. A hub counts as unreachable only while the
    /// machine is awake: a suspend ends such an outage and a new one starts afterwards.
    pub fn look(&mut self, now: Clocks, contacts: &[Contact]) -> Vec<Noted> {
        let mut noted = Vec::new();
        let slept = self.last.replace(now).and_then(|before| suspended(&before, &now));
        let fell_asleep = slept.map(|slept| now.wall - slept);
        if let Some(from) = fell_asleep {
            noted.push(Noted { kind: OutageKind::Suspended, from, until: Some(now.wall), note: String::new() });
        }
        for contact in contacts {
            let was_away = self.away.remove(&contact.hub);
            let heard = contact.heard_at.unwrap_or(self.began).min(now.wall);
            let (mut since, mut is_noted) = was_away.unwrap_or((heard, false));
            // Report the part before the suspend.
            if let Some(asleep) = fell_asleep.filter(|_| was_away.is_some() || contact.up_since.is_none()) {
                noted.extend(away(&contact.hub, since, asleep, is_noted));
                (since, is_noted) = (now.wall, false);
            }
            match contact.up_since {
                // The link was up the whole time.
                Some(_) if was_away.is_none() => {}
                Some(up) => noted.extend(away(&contact.hub, since, up.min(now.wall), is_noted)),
                None => {
                    let is_long = now.wall.since(since) >= AWAY_MIN;
                    if is_long && !is_noted {
                        noted.push(hub_away(&contact.hub, since, None));
                    }
                    self.away.insert(contact.hub.clone(), (since, is_noted || is_long));
                }
            }
        }
        noted
    }
}

/// The outage of a hub that ended, if it was long enough or was already reported.
fn away(hub: &str, from: Timestamp, until: Timestamp, is_noted: bool) -> Option<Noted> {
    (is_noted || until.since(from) >= AWAY_MIN).then(|| hub_away(hub, from, Some(until.max(from))))
}

fn hub_away(hub: &str, from: Timestamp, until: Option<Timestamp>) -> Noted {
    Noted { kind: OutageKind::HubAway, from, until, note: format!("the link to {hub} was down") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn at(secs: u32) -> Timestamp {
        T0 + Span::from_secs(secs)
    }

    /// Clocks after `secs` seconds, of which the machine was suspended for `still`.
    fn clocks(secs: u32, still: u32) -> Clocks {
        Clocks { wall: at(secs), awake: Span::from_secs(secs - still), boot: Some(Span::from_secs(secs)) }
    }

    fn by_wall(secs: u32, still: u32) -> Clocks {
        Clocks { boot: None, ..clocks(secs, still) }
    }

    #[test]
    fn a_suspend_is_detected_from_diverging_clocks() {
        let hour = Some(Span::from_secs(3_600));
        let set_back = Clocks { wall: T0 - Span::from_secs(7_200), ..clocks(10, 0) };
        let set_forward = Clocks { wall: at(7_200), ..clocks(10, 0) };
        for (case, before, now, expected) in [
            ("awake", clocks(0, 0), clocks(10, 0), None),
            ("a slow reading", clocks(0, 0), clocks(12, 1), None),
            ("an hour", clocks(10, 0), clocks(3_620, 3_600), hour),
            ("only the new suspend", clocks(3_620, 3_600), clocks(7_230, 7_200), hour),
            ("not again", clocks(3_620, 3_600), clocks(3_630, 3_600), None),
            ("a clock that was set back", clocks(0, 0), set_back, None),
            ("a clock that was set forward", clocks(0, 0), set_forward, None),
            ("by the wall", by_wall(10, 0), by_wall(3_620, 3_600), hour),
            ("a small step of the wall", by_wall(10, 0), by_wall(60, 40), None),
            ("the wall set back", by_wall(10, 0), Clocks { boot: None, ..set_back }, None),
        ] {
            assert_eq!(suspended(&before, &now), expected, "{case}");
        }
    }

    fn up(since: u32, heard: u32) -> Contact {
        Contact { hub: "hub".into(), up_since: Some(at(since)), heard_at: Some(at(heard)) }
    }

    fn down(heard: Option<u32>) -> Contact {
        Contact { hub: "hub".into(), up_since: None, heard_at: heard.map(at) }
    }

    /// Outages as tuples of kind, start and end in seconds.
    fn said(noted: &[Noted]) -> Vec<(OutageKind, i64, Option<i64>)> {
        let secs = |at: Timestamp| at.since(T0).as_millis() / 1_000;
        noted.iter().map(|one| (one.kind, secs(one.from), one.until.map(secs))).collect()
    }

    #[test]
    fn outages_are_reported_once_and_split_by_a_suspend() {
        use OutageKind::{HubAway, Suspended};
        type Step = (Clocks, Contact, Vec<(OutageKind, i64, Option<i64>)>);
        let cases: Vec<(&str, Vec<Step>)> = vec![
            ("no outage", vec![(clocks(0, 0), up(0, 0), vec![]), (clocks(10, 0), up(0, 9), vec![])]),
            (
                "a hub that is restarted",
                vec![
                    (clocks(10, 0), up(0, 9), vec![]),
                    (clocks(20, 0), down(Some(12)), vec![]),
                    (clocks(26, 0), up(25, 25), vec![]),
                ],
            ),
            (
                "a hub that is down for longer",
                vec![
                    (clocks(20, 0), down(Some(12)), vec![]),
                    (clocks(30, 0), down(Some(12)), vec![(HubAway, 12, None)]),
                    (clocks(40, 0), down(Some(12)), vec![]),
                    (clocks(50, 0), up(44, 49), vec![(HubAway, 12, Some(44))]),
                    (clocks(60, 0), up(44, 59), vec![]),
                ],
            ),
            (
                "never reached since the start",
                vec![(clocks(10, 0), down(None), vec![]), (clocks(20, 0), down(None), vec![(HubAway, 0, None)])],
            ),
            (
                "a suspend with a link",
                vec![
                    (clocks(10, 0), up(0, 9), vec![]),
                    (clocks(3_620, 3_600), up(0, 9), vec![(Suspended, 20, Some(3_620))]),
                ],
            ),
            (
                "the link is down after a suspend",
                vec![
                    (clocks(10, 0), up(0, 9), vec![]),
                    (clocks(3_620, 3_600), down(Some(9)), vec![(Suspended, 20, Some(3_620))]),
                    (clocks(3_630, 3_600), up(3_622, 3_622), vec![]),
                ],
            ),
            (
                "a suspend while the hub is down",
                vec![
                    (clocks(30, 0), down(Some(9)), vec![(HubAway, 9, None)]),
                    (clocks(3_640, 3_600), down(Some(9)), vec![(Suspended, 40, Some(3_640)), (HubAway, 9, Some(40))]),
                    (clocks(3_660, 3_600), down(Some(9)), vec![(HubAway, 3_640, None)]),
                    (clocks(3_670, 3_600), up(3_665, 3_665), vec![(HubAway, 3_640, Some(3_665))]),
                ],
            ),
        ];
        for (case, steps) in cases {
            let mut tracker = OutageTracker::new(T0);
            for (number, (clocks, contact, expected)) in steps.into_iter().enumerate() {
                assert_eq!(said(&tracker.look(clocks, &[contact])), expected, "{case}, step {number}");
            }
        }
    }

    #[test]
    fn outages_are_tracked_for_each_hub() {
        let mut tracker = OutageTracker::new(T0);
        let other = Contact { hub: "other".into(), ..down(Some(0)) };
        let noted = tracker.look(clocks(30, 0), &[up(0, 29), other.clone()]);
        assert_eq!(noted, [hub_away("other", T0, None)]);
        assert!(tracker.look(clocks(40, 0), &[up(0, 39), other]).is_empty());
    }
}
