//! What state a host is in, and why: one function over facts.

use crate::{
    job::RunStatus,
    time::{Span, Timestamp},
};

crate::words! {
    /// The state of a host.
    pub enum HostStatus {
        /// Has joined and was never seen.
        Pending = "pending",
        /// Heard from within its threshold.
        Online = "online",
        /// Online, but something is wrong with it.
        Degraded = "degraded",
        /// Always on, and silent for longer than its threshold.
        Offline = "offline",
        /// Not always on, and silent: nothing is wrong.
        Asleep = "asleep",
        /// Takes no work until somebody resumes it.
        Paused = "paused",
        /// Its keys are no longer accepted.
        Revoked = "revoked",
    }
}

impl HostStatus {
    /// Whether its runner is heard from.
    #[must_use]
    pub const fn is_here(self) -> bool {
        matches!(self, Self::Online | Self::Degraded | Self::Paused)
    }
}

crate::words! {
    /// Why a runner says goodbye.
    pub enum Leaving {
        /// The runner ends. It may be started anew in a moment.
        Stop = "stop",
        /// Its machine goes to sleep.
        Sleep = "sleep",
        /// Its machine is turned off.
        Shutdown = "shutdown",
    }
}

impl Leaving {
    /// Whether the machine itself is gone: nobody need wait to see whether it comes back.
    #[must_use]
    pub const fn is_for_good(self) -> bool {
        matches!(self, Self::Sleep | Self::Shutdown)
    }
}

/// A clock further off than this makes a host degraded.
pub const CLOCK_SKEW_MAX: Span = Span::from_secs(30);
/// A disk fuller than this makes a host degraded.
pub const DISK_USED_MAX_PERCENT: f64 = 95.0;
/// How many of its last runs are looked at.
pub const RUNS_WATCHED: usize = 20;
/// So many of them ended badly: something is wrong with the host, not with the jobs.
pub const RUNS_FAILED_MAX: usize = 5;
/// Results that a runner keeps for its hub; beyond it they are not on their way but stuck.
pub const OUTBOX_MAX: u64 = 10_000;
/// For how long a second machine with the same key keeps a host degraded.
const DUPLICATE_REMEMBERED: Span = Span::from_secs(600);

/// Heartbeats within a threshold: one may be late and one lost before silence counts.
const BEATS_WITHIN_THRESHOLD: i64 = 3;
/// No host is asked to beat more often.
const PACE_MIN: Span = Span::from_millis(200);

/// How often a host must give a sign of life, so that it is never offline by its own pace alone.
#[must_use]
pub fn pace(usual: Span, offline_after: Span) -> Span {
    usual.min(Span::from_millis(offline_after.as_millis() / BEATS_WITHIN_THRESHOLD)).max(PACE_MIN)
}

/// A note by a person, until it ends by itself or is taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Why.
    pub note: String,
    /// When it ends by itself.
    pub until: Option<Timestamp>,
}

impl Mark {
    fn holds(&self, now: Timestamp) -> bool {
        self.until.is_none_or(|until| now < until)
    }

    fn because(&self, what: &str) -> String {
        let note = if self.note.is_empty() { String::new() } else { format!(": {}", self.note) };
        let end = self.until.map(|until| format!(" (until {until})")).unwrap_or_default();
        format!("{what}{note}{end}")
    }
}

/// What is known of a host's last session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// When it was last heard.
    pub heartbeat_at: Timestamp,
    /// When this session began.
    pub connected_at: Timestamp,
    /// What it said when it left, if it said goodbye.
    pub goodbye: Option<String>,
    /// When another machine with the same key was turned away.
    pub duplicate_at: Option<Timestamp>,
    /// The host's clock minus ours.
    pub clock_skew_ms: Option<i64>,
}

/// Everything the state of a host depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct HostFacts {
    /// When its keys were revoked.
    pub revoked_at: Option<Timestamp>,
    /// Paused by a person.
    pub pause: Option<Mark>,
    /// Marked degraded by a person.
    pub degrade: Option<Mark>,
    /// Whether silence is a fault.
    pub always_on: bool,
    /// How long silence may last.
    pub offline_after: Span,
    /// Its last session; `None` if it was never seen.
    pub seen: Option<Seen>,
    /// The fullest disk, in percent.
    pub disk_used_percent: Option<f64>,
    /// How many of its last runs ended badly.
    pub failed_runs: usize,
    /// Results that wait on the host for its hub.
    pub outbox: Option<u64>,
}

/// How the end of a run is noted with its host; the marks of the last [`RUNS_WATCHED`] are kept.
#[must_use]
pub const fn end_mark(status: RunStatus) -> char {
    match status {
        RunStatus::Failed | RunStatus::Timeout | RunStatus::Lost | RunStatus::Crashed => 'x',
        RunStatus::Running | RunStatus::Succeeded | RunStatus::Canceled | RunStatus::NotStarted => '.',
    }
}

/// How many of the noted ends were bad.
#[must_use]
pub fn failed_ends(marks: &str) -> usize {
    marks.chars().filter(|mark| *mark == 'x').count()
}

/// The state and its reason, in one sentence for people.
///
/// `judged_since` is when some hub began to listen without a break: silence before that says
/// nothing about the host, because nobody was there to hear it.
#[must_use]
pub fn judge(host: &HostFacts, now: Timestamp, judged_since: Timestamp) -> (HostStatus, String) {
    if let Some(at) = host.revoked_at {
        return (HostStatus::Revoked, format!("its keys were revoked at {at}"));
    }
    let Some(seen) = &host.seen else {
        return (HostStatus::Pending, "joined, but its runner has not connected yet".to_owned());
    };
    if let Some(mark) = host.pause.as_ref().filter(|mark| mark.holds(now)) {
        return (HostStatus::Paused, mark.because("paused"));
    }
    let silent = now.since(seen.heartbeat_at);
    let said = seen.goodbye.as_deref().and_then(|said| said.parse::<Leaving>().ok());
    if said.is_some_and(Leaving::is_for_good) {
        return absent(host, seen, silent);
    }
    if silent > host.offline_after {
        if now.since(judged_since) <= host.offline_after {
            return (
                HostStatus::Online,
                format!("the hub was away; waiting until {} for it to return", judged_since + host.offline_after),
            );
        }
        return absent(host, seen, silent);
    }
    present(host, seen, now)
}

/// What is promised of a host that comes and goes.
pub(crate) const CATCHES_UP: &str = " · will catch up on return";

fn absent(host: &HostFacts, seen: &Seen, silent: Span) -> (HostStatus, String) {
    if !host.always_on {
        return (HostStatus::Asleep, format!("asleep · last seen {silent} ago{CATCHES_UP}"));
    }
    let how = seen.goodbye.as_ref().map(|said| format!(", after saying goodbye ({said})")).unwrap_or_default();
    (HostStatus::Offline, format!("not heard from for {silent}{how}"))
}

fn present(host: &HostFacts, seen: &Seen, now: Timestamp) -> (HostStatus, String) {
    if let Some((_, reason)) = fault(host, seen, now) {
        return (HostStatus::Degraded, reason);
    }
    match &seen.goodbye {
        Some(said) => (HostStatus::Online, format!("said goodbye ({said}); offline soon")),
        None => (HostStatus::Online, "connected".to_owned()),
    }
}

/// What can be wrong with a host that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A person says so.
    ByHand,
    /// Another machine uses its key.
    Duplicate,
    /// Its clock is off.
    ClockSkew,
    /// Its disk, its runs or its outbox.
    Health,
}

/// What is wrong with a host that is there, in one sentence.
#[must_use]
pub fn fault(host: &HostFacts, seen: &Seen, now: Timestamp) -> Option<(Fault, String)> {
    if let Some(mark) = host.degrade.as_ref().filter(|mark| mark.holds(now)) {
        return Some((Fault::ByHand, mark.because("marked degraded")));
    }
    // Only when the first machine is still heard after the second one knocked were there two.
    let is_duplicate = seen
        .duplicate_at
        .is_some_and(|at| seen.connected_at < at && seen.heartbeat_at > at && now.since(at) < DUPLICATE_REMEMBERED);
    if is_duplicate {
        return Some((Fault::Duplicate, "another machine uses the same key; remove one and join it again".to_owned()));
    }
    if let Some(skew) = seen.clock_skew_ms.filter(|ms| Span::from_millis(ms.abs()) > CLOCK_SKEW_MAX) {
        let side = if skew > 0 { "ahead of" } else { "behind" };
        let text = format!("its clock is {} {side} the hub's", Span::from_millis(skew.abs()));
        return Some((Fault::ClockSkew, text));
    }
    let health = |text| Some((Fault::Health, text));
    if let Some(used) = host.disk_used_percent.filter(|used| *used > DISK_USED_MAX_PERCENT) {
        return health(format!("a disk is {used:.0} % full"));
    }
    if host.failed_runs >= RUNS_FAILED_MAX {
        return health(format!("{} of its last {RUNS_WATCHED} runs failed", host.failed_runs));
    }
    let waiting = host.outbox.filter(|waiting| *waiting > OUTBOX_MAX)?;
    health(format!("{waiting} results wait on it for the hub"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn at(secs: u32) -> Timestamp {
        T0 + Span::from_secs(secs)
    }

    fn host() -> HostFacts {
        HostFacts {
            revoked_at: None,
            pause: None,
            degrade: None,
            always_on: true,
            offline_after: Span::from_secs(90),
            seen: Some(Seen {
                heartbeat_at: at(1_000),
                connected_at: at(0),
                goodbye: None,
                duplicate_at: None,
                clock_skew_ms: Some(3),
            }),
            disk_used_percent: Some(40.0),
            failed_runs: 4,
            outbox: Some(OUTBOX_MAX),
        }
    }

    fn seen(host: &mut HostFacts) -> &mut Seen {
        host.seen.as_mut().expect("the sample was seen")
    }

    fn mark(until: Option<Timestamp>) -> Option<Mark> {
        Some(Mark { note: "new disk".to_owned(), until })
    }

    type Change = fn(&mut HostFacts);

    #[test]
    fn states_follow_from_facts() {
        use HostStatus::{Asleep, Degraded, Offline, Online, Paused, Pending, Revoked};
        let cases: &[(&str, Change, u32, HostStatus, &str)] = &[
            ("fresh", |_| {}, 1_010, Online, "connected"),
            ("at the threshold", |_| {}, 1_090, Online, "connected"),
            ("past it", |_| {}, 1_091, Offline, "not heard from for 1 min"),
            (
                "intermittent",
                |h| h.always_on = false,
                5_000,
                Asleep,
                "asleep · last seen 1 h ago · will catch up on return",
            ),
            ("never seen", |h| h.seen = None, 1_010, Pending, "joined, but its runner has not connected yet"),
            ("paused", |h| h.pause = mark(None), 1_010, Paused, "paused: new disk"),
            ("pause over", |h| h.pause = mark(Some(at(1_005))), 1_010, Online, "connected"),
            ("degraded by hand", |h| h.degrade = mark(None), 1_010, Degraded, "marked degraded: new disk"),
            (
                "clock ahead",
                |h| seen(h).clock_skew_ms = Some(3_600_000),
                1_010,
                Degraded,
                "its clock is 1 h ahead of the hub's",
            ),
            (
                "clock behind",
                |h| seen(h).clock_skew_ms = Some(-31_000),
                1_010,
                Degraded,
                "its clock is 31 s behind the hub's",
            ),
            ("disk", |h| h.disk_used_percent = Some(97.2), 1_010, Degraded, "a disk is 97 % full"),
            ("failures", |h| h.failed_runs = 5, 1_010, Degraded, "5 of its last 20 runs failed"),
            ("outbox", |h| h.outbox = Some(10_001), 1_010, Degraded, "10001 results wait on it for the hub"),
            ("goodbye", |h| seen(h).goodbye = Some("stop".into()), 1_010, Online, "said goodbye (stop); offline soon"),
            (
                "gone after goodbye",
                |h| seen(h).goodbye = Some("stop".into()),
                1_100,
                Offline,
                "not heard from for 1 min, after saying goodbye (stop)",
            ),
            (
                "turned off",
                |h| seen(h).goodbye = Some("shutdown".into()),
                1_010,
                Offline,
                "not heard from for 10 s, after saying goodbye (shutdown)",
            ),
            (
                "lid closed",
                |h| {
                    h.always_on = false;
                    seen(h).goodbye = Some("sleep".into());
                },
                1_010,
                Asleep,
                "asleep · last seen 10 s ago · will catch up on return",
            ),
            (
                "a restart of a host that comes and goes",
                |h| {
                    h.always_on = false;
                    seen(h).goodbye = Some("stop".into());
                },
                1_010,
                Online,
                "said goodbye (stop); offline soon",
            ),
            (
                "clone",
                |h| seen(h).duplicate_at = Some(at(990)),
                1_010,
                Degraded,
                "another machine uses the same key; remove one and join it again",
            ),
            (
                "restart, not clone",
                |h| {
                    seen(h).duplicate_at = Some(at(990));
                    seen(h).connected_at = at(995);
                },
                1_010,
                Online,
                "connected",
            ),
            (
                "revoked wins",
                |h| {
                    h.revoked_at = Some(at(1));
                    h.pause = mark(None);
                },
                1_010,
                Revoked,
                "its keys were revoked at 2023-11-14T22:13:21.000000Z",
            ),
        ];
        for (case, change, now, status, reason) in cases {
            let mut host = host();
            change(&mut host);
            assert_eq!(judge(&host, at(*now), T0), (*status, (*reason).to_owned()), "{case}");
        }
    }

    #[test]
    fn bad_ends_are_those_that_the_host_may_be_to_blame_for() {
        let marks: String = RunStatus::ALL.iter().map(|status| end_mark(*status)).collect();
        assert_eq!(failed_ends(&marks), 4, "{marks}");
        assert_eq!(failed_ends(""), 0);
    }

    #[test]
    fn the_pace_fits_the_threshold() {
        for (usual_s, threshold_s, pace_ms) in [(10, 90, 10_000), (10, 15, 5_000), (10, 3, 1_000), (10, 0, 200)] {
            assert_eq!(pace(Span::from_secs(usual_s), Span::from_secs(threshold_s)).as_millis(), pace_ms);
        }
    }

    #[test]
    fn nobody_is_judged_for_the_time_the_hub_was_away() {
        let (status, reason) = judge(&host(), at(5_000), at(4_950));
        assert_eq!(status, HostStatus::Online);
        assert!(reason.starts_with("the hub was away"), "{reason}");
        assert_eq!(judge(&host(), at(5_041), at(4_950)).0, HostStatus::Offline);
    }
}
