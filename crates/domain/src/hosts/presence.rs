//! The state of a host and the reason for it, computed from facts; it is never stored.

use crate::{
    job::RunStatus,
    time::{Span, Timestamp},
};

crate::string_enum! {
    /// The state of a host.
    pub enum HostStatus {
        /// The host has joined, but its runner has never connected.
        Pending = "pending",
        /// The last heartbeat is within the host's threshold.
        Online = "online",
        /// Online, with a problem.
        Degraded = "degraded",
        /// An always-on host without a heartbeat for longer than its threshold.
        Offline = "offline",
        /// A host that is not always on, without heartbeats: not a problem.
        Asleep = "asleep",
        /// The host takes no jobs until someone resumes it.
        Paused = "paused",
        /// The host's keys are no longer accepted.
        Revoked = "revoked",
    }
}

impl HostStatus {
    /// Whether the host's runner is connected.
    #[must_use]
    pub const fn is_here(self) -> bool {
        matches!(self, Self::Online | Self::Degraded | Self::Paused)
    }
}

crate::string_enum! {
    /// The reason a runner gives when it disconnects.
    pub enum Leaving {
        /// The runner stops. It may be restarted in a moment.
        Stop = "stop",
        /// The machine is suspended.
        Sleep = "sleep",
        /// The machine is shut down.
        Shutdown = "shutdown",
    }
}

impl Leaving {
    /// Whether the machine itself stops: the host is absent immediately, without waiting for the threshold.
    #[must_use]
    pub const fn is_for_good(self) -> bool {
        matches!(self, Self::Sleep | Self::Shutdown)
    }
}

/// Clock difference above which a host is degraded.
pub const CLOCK_SKEW_MAX: Span = Span::from_secs(30);
/// Disk usage above which a host is degraded.
pub const DISK_USED_MAX_PERCENT: f64 = 95.0;
/// The number of recent runs that count for a host's health.
pub const RUNS_WATCHED: usize = 20;
/// With this many failed runs among them the host is degraded: many different jobs fail, so the host is the likely
/// cause.
pub const RUNS_FAILED_MAX: usize = 5;
/// The number of results that may wait on a runner; more mean that they cannot be delivered.
pub const OUTBOX_MAX: u64 = 10_000;
/// For how long a second machine with the same key keeps a host degraded.
const DUPLICATE_REMEMBERED: Span = Span::from_secs(600);

/// Heartbeats per threshold: one may be late and one lost before the host counts as silent.
const BEATS_WITHIN_THRESHOLD: i64 = 3;
/// The shortest heartbeat interval that a hub asks for.
const HEARTBEAT_INTERVAL_MIN: Span = Span::from_millis(200);

/// The heartbeat interval of a host: short enough that a host is never offline only because it sends rarely.
#[must_use]
pub fn heartbeat_interval(usual: Span, offline_after: Span) -> Span {
    usual.min(Span::from_millis(offline_after.as_millis() / BEATS_WITHIN_THRESHOLD)).max(HEARTBEAT_INTERVAL_MIN)
}

/// A mark that a person sets on a host, until it expires or is removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManualMark {
    pub note: String,
    /// When the mark expires; `None` if it does not.
    pub until: Option<Timestamp>,
}

impl ManualMark {
    fn holds(&self, now: Timestamp) -> bool {
        self.until.is_none_or(|until| now < until)
    }

    fn because(&self, what: &str) -> String {
        let note = if self.note.is_empty() { String::new() } else { format!(": {}", self.note) };
        let end = self.until.map(|until| format!(" (until {until:.0})")).unwrap_or_default();
        format!("{what}{note}{end}")
    }
}

/// The last session of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFacts {
    pub heartbeat_at: Timestamp,
    pub connected_at: Timestamp,
    /// The reason given when the runner disconnected, if it gave one.
    pub goodbye: Option<String>,
    /// When another machine with the same key was last rejected.
    pub duplicate_at: Option<Timestamp>,
    /// The host's clock minus the hub's.
    pub clock_skew_ms: Option<i64>,
}

/// The input of [`judge`].
#[derive(Debug, Clone, PartialEq)]
pub struct HostFacts {
    pub revoked_at: Option<Timestamp>,
    /// Set while a person has paused the host.
    pub pause: Option<ManualMark>,
    /// Set while a person has marked the host as degraded.
    pub degrade: Option<ManualMark>,
    /// Whether the host should always be online.
    pub always_on: bool,
    /// The threshold: the longest time without a heartbeat.
    pub offline_after: Span,
    /// The last session; `None` if the runner never connected.
    pub seen: Option<SessionFacts>,
    /// Usage of the fullest disk, in percent.
    pub disk_used_percent: Option<f64>,
    /// Failed runs among the last [`RUNS_WATCHED`].
    pub failed_runs: usize,
    /// Results that wait on the host for delivery to the hub.
    pub outbox: Option<u64>,
}

/// The character recorded for a finished run; a host keeps those of its last [`RUNS_WATCHED`] runs.
#[must_use]
pub const fn end_mark(status: RunStatus) -> char {
    match status {
        RunStatus::Failed | RunStatus::Timeout | RunStatus::Lost | RunStatus::Crashed => 'x',
        RunStatus::Running | RunStatus::Succeeded | RunStatus::Canceled | RunStatus::NotStarted => '.',
    }
}

/// Counts the failed runs among the recorded ones.
#[must_use]
pub fn failed_ends(marks: &str) -> usize {
    marks.chars().filter(|mark| *mark == 'x').count()
}

/// The state of a host and its reason, in one sentence for people.
///
/// `judged_since` is the time since which at least one hub has been running without a break. Silence before that time
/// does not count: no hub was there to receive a heartbeat.
#[must_use]
pub fn judge(host: &HostFacts, now: Timestamp, judged_since: Timestamp) -> (HostStatus, String) {
    if let Some(at) = host.revoked_at {
        return (HostStatus::Revoked, format!("its keys were revoked at {at:.0}"));
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
                format!(
                    "the hub was down; waiting until {:.0} for the host to return",
                    judged_since + host.offline_after
                ),
            );
        }
        return absent(host, seen, silent);
    }
    present(host, seen, now)
}

/// The end of the reason of a host that is not always on.
pub(crate) const CATCHES_UP: &str = " · will catch up on return";

fn absent(host: &HostFacts, seen: &SessionFacts, silent: Span) -> (HostStatus, String) {
    if !host.always_on {
        return (HostStatus::Asleep, format!("asleep · last seen {silent} ago{CATCHES_UP}"));
    }
    let how = seen.goodbye.as_deref().map(|said| format!("; {}", departure(said))).unwrap_or_default();
    (HostStatus::Offline, format!("no heartbeat for {silent}{how}"))
}

fn present(host: &HostFacts, seen: &SessionFacts, now: Timestamp) -> (HostStatus, String) {
    if let Some((_, reason)) = fault(host, seen, now) {
        return (HostStatus::Degraded, reason);
    }
    match &seen.goodbye {
        Some(said) => {
            let next = if host.always_on { HostStatus::Offline } else { HostStatus::Asleep };
            (HostStatus::Online, format!("{}; this host will count as {next} soon", departure(said)))
        }
        None => (HostStatus::Online, "connected".to_owned()),
    }
}

/// The reason that a runner gave when it disconnected, in words.
fn departure(said: &str) -> &'static str {
    match said.parse() {
        Ok(Leaving::Sleep) => "the machine was suspended",
        Ok(Leaving::Shutdown) => "the machine was shut down",
        Ok(Leaving::Stop) | Err(_) => "the runner was stopped",
    }
}

/// The problems of an online host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A person has marked the host as degraded.
    ByHand,
    /// Another machine uses the same key.
    Duplicate,
    /// The clock differs too much from the hub's.
    ClockSkew,
    /// The disk, the recent runs or the outbox.
    Health,
}

/// The problem of an online host, in one sentence.
#[must_use]
pub fn fault(host: &HostFacts, seen: &SessionFacts, now: Timestamp) -> Option<(Fault, String)> {
    if let Some(mark) = host.degrade.as_ref().filter(|mark| mark.holds(now)) {
        return Some((Fault::ByHand, mark.because("marked degraded")));
    }
    // A duplicate exists only if the first machine still sends heartbeats after the second one was rejected. A
    // restarted runner also connects twice, but its old session is silent by then.
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
        return health(format!("a disk is {used:.0}% full"));
    }
    if host.failed_runs >= RUNS_FAILED_MAX {
        return health(format!("{} of its last {RUNS_WATCHED} runs failed", host.failed_runs));
    }
    let waiting = host.outbox.filter(|waiting| *waiting > OUTBOX_MAX)?;
    health(format!("{waiting} results are waiting to be sent to the hub"))
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
            seen: Some(SessionFacts {
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

    fn seen(host: &mut HostFacts) -> &mut SessionFacts {
        host.seen.as_mut().expect("the sample was seen")
    }

    fn mark(until: Option<Timestamp>) -> Option<ManualMark> {
        Some(ManualMark { note: "new disk".to_owned(), until })
    }

    type Change = fn(&mut HostFacts);

    #[test]
    fn judge_computes_state_and_reason() {
        use HostStatus::{Asleep, Degraded, Offline, Online, Paused, Pending, Revoked};
        let cases: &[(&str, Change, u32, HostStatus, &str)] = &[
            ("fresh", |_| {}, 1_010, Online, "connected"),
            ("at the threshold", |_| {}, 1_090, Online, "connected"),
            ("past it", |_| {}, 1_091, Offline, "no heartbeat for 1 min"),
            (
                "intermittent",
                |h| h.always_on = false,
                5_000,
                Asleep,
                "asleep · last seen 1 h ago · will catch up on return",
            ),
            ("never seen", |h| h.seen = None, 1_010, Pending, "joined, but its runner has not connected yet"),
            ("paused", |h| h.pause = mark(None), 1_010, Paused, "paused: new disk"),
            ("pause expired", |h| h.pause = mark(Some(at(1_005))), 1_010, Online, "connected"),
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
            ("disk", |h| h.disk_used_percent = Some(97.2), 1_010, Degraded, "a disk is 97% full"),
            ("failures", |h| h.failed_runs = 5, 1_010, Degraded, "5 of its last 20 runs failed"),
            ("outbox", |h| h.outbox = Some(10_001), 1_010, Degraded, "10001 results are waiting to be sent to the hub"),
            (
                "disconnected",
                |h| seen(h).goodbye = Some("stop".into()),
                1_010,
                Online,
                "the runner was stopped; this host will count as offline soon",
            ),
            (
                "silent after disconnecting",
                |h| seen(h).goodbye = Some("stop".into()),
                1_100,
                Offline,
                "no heartbeat for 1 min; the runner was stopped",
            ),
            (
                "turned off",
                |h| seen(h).goodbye = Some("shutdown".into()),
                1_010,
                Offline,
                "no heartbeat for 10 s; the machine was shut down",
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
                "a restart of a host that is not always on",
                |h| {
                    h.always_on = false;
                    seen(h).goodbye = Some("stop".into());
                },
                1_010,
                Online,
                "the runner was stopped; this host will count as asleep soon",
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
                "its keys were revoked at 2023-11-14T22:13:21Z",
            ),
        ];
        for (case, change, now, status, reason) in cases {
            let mut host = host();
            change(&mut host);
            assert_eq!(judge(&host, at(*now), T0), (*status, (*reason).to_owned()), "{case}");
        }
    }

    #[test]
    fn failed_ends_counts_only_ends_the_host_may_have_caused() {
        let marks: String = RunStatus::ALL.iter().map(|status| end_mark(*status)).collect();
        assert_eq!(failed_ends(&marks), 4, "{marks}");
        assert_eq!(failed_ends(""), 0);
    }

    #[test]
    fn heartbeat_interval_is_a_third_of_the_threshold_at_most() {
        for (usual_s, threshold_s, expected_ms) in [(10, 90, 10_000), (10, 15, 5_000), (10, 3, 1_000), (10, 0, 200)] {
            assert_eq!(
                heartbeat_interval(Span::from_secs(usual_s), Span::from_secs(threshold_s)).as_millis(),
                expected_ms
            );
        }
    }

    #[test]
    fn hosts_stay_online_for_a_threshold_after_the_hub_was_down() {
        let (status, reason) = judge(&host(), at(5_000), at(4_950));
        assert_eq!(status, HostStatus::Online);
        assert!(reason.starts_with("the hub was down"), "{reason}");
        assert_eq!(judge(&host(), at(5_041), at(4_950)).0, HostStatus::Offline);
    }
}
