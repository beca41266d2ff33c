//! Why a queued job does not run yet: one reason and one sentence, from the current facts.

use crate::{
    job::WaitReason,
    presence::{CATCHES_UP, HostStatus},
    quota::{Full, QuotaKind},
    time::Timestamp,
};

/// The input of [`judge`]: a queued job and everything that can block it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// The wait reason stored with the job, and the time until which it applies.
    pub parked: Option<(WaitReason, Timestamp)>,
    /// Whether the job's definition is disabled.
    pub is_definition_off: bool,
    /// The problem with the secrets that the job needs.
    pub secrets: Option<SecretFault>,
    /// A pause that covers the job: its subject and its note.
    pub pause: Option<(String, String)>,
    /// The hosts that match the target.
    pub hosts: Vec<HostFact>,
    /// Whether workers in other languages serve the queue.
    pub has_workers: bool,
    /// Exhausted limits: kind, subject, reason.
    pub full: Vec<(QuotaKind, String, Full)>,
    /// The target for people: `host db-2`, `queue default`, `env=prod`.
    pub target: String,
}

/// Why the secrets of a job cannot be passed to a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretFault {
    /// These secrets are not set in the org.
    Missing(Vec<String>),
    /// The secrets cannot be decrypted; the text is the reason.
    Locked(String),
}

impl SecretFault {
    fn text(&self) -> String {
        match self {
            Self::Missing(names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let (noun, verb) = if names.len() == 1 { ("secret", "is") } else { ("secrets", "are") };
                format!("the {noun} {} {verb} not set in its org", names.join(", "))
            }
            Self::Locked(why) => format!("its secrets cannot be decrypted: {why}"),
        }
    }
}

/// A host that matches the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostFact {
    pub name: String,
    pub status: HostStatus,
    /// The reason for the state.
    pub reason: String,
    /// The exhausted limit of the host, if any.
    pub full: Option<Full>,
    /// Whether the runner's version is too old for this job.
    pub is_too_old: bool,
    /// The primary hub of the host, if it is another hub.
    pub primary_hub: Option<String>,
}

/// Why a job waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// `None` if nothing blocks the job.
    pub reason: Option<WaitReason>,
    pub text: String,
}

fn why(reason: WaitReason, text: String) -> Why {
    Why { reason: Some(reason), text }
}

/// Why the job waits: the first obstacle in a fixed order. Obstacles of the job itself come before those of its hosts.
#[must_use]
pub fn judge(facts: &Facts, now: Timestamp) -> Why {
    if let Some((reason, until)) = facts.parked {
        return why(reason, parked(reason, until, now));
    }
    if facts.is_definition_off {
        return why(WaitReason::DefinitionDisabled, "the definition of the job is disabled".to_owned());
    }
    if let Some(fault) = &facts.secrets {
        return why(WaitReason::SecretMissing, fault.text());
    }
    if let Some((what, note)) = &facts.pause {
        let note = if note.is_empty() { String::new() } else { format!(": {note}") };
        return why(WaitReason::Paused, format!("{what} is paused{note}"));
    }
    if facts.hosts.is_empty() && !facts.has_workers {
        return why(WaitReason::NoHostMatches, format!("no host matches {}", facts.target));
    }
    if let Some((kind, subject, full)) = facts.full.first() {
        return limited(*kind, subject, *full);
    }
    if facts.has_workers {
        return Why { reason: None, text: "the job is about to start".to_owned() };
    }
    if facts.hosts.iter().all(|host| host.is_too_old) {
        return why(WaitReason::RunnerTooOld, format!("the runner of {} is too old for this job", names(&facts.hosts)));
    }
    if let Some(HostFact { name, primary_hub: Some(primary_hub), .. }) =
        facts.hosts.first().filter(|_| facts.hosts.iter().all(|host| host.primary_hub.is_some()))
    {
        return why(WaitReason::NotPrimary, format!("host {name} gets its jobs from its primary hub {primary_hub}"));
    }
    hosts(facts)
}

fn parked(reason: WaitReason, until: Timestamp, now: Timestamp) -> String {
    match reason {
        WaitReason::Later => format!("scheduled for {until:.0} (in {})", until.since(now)),
        WaitReason::RetryBackoff => {
            format!("the last run failed; the next attempt starts at {until:.0} (in {})", until.since(now))
        }
        WaitReason::Held => {
            "the host of the last run is unreachable; the job waits until that host returns and reports the result"
                .to_owned()
        }
        other => other.to_string(),
    }
}

fn limited(kind: QuotaKind, subject: &str, full: Full) -> Why {
    let (reason, what) = match kind {
        QuotaKind::Org => (WaitReason::OrgLimit, "the org".to_owned()),
        QuotaKind::Definition => (WaitReason::AtLimit, format!("the definition {subject}")),
        QuotaKind::DefinitionOnHost => (WaitReason::AtLimit, format!("the definition {subject} on this host")),
        QuotaKind::Key => (WaitReason::AtLimit, format!("the key {subject}")),
    };
    match full {
        Full::Running(max) => why(reason, format!("{what} has reached its limit of running jobs ({max})")),
        Full::Rate(next) => {
            why(WaitReason::RateLimit, format!("{what} has reached its limit of starts per minute{}", slot(next)))
        }
    }
}

fn slot(next: Option<Timestamp>) -> String {
    next.map_or_else(String::new, |next| format!("; the next job can start at {next:.0}"))
}

/// The job itself is not blocked, so its hosts are: the reason of the host that is closest to taking it.
fn hosts(facts: &Facts) -> Why {
    let best = |of: &dyn Fn(&HostFact) -> bool| facts.hosts.iter().find(|host| host.primary_hub.is_none() && of(host));
    let is_up = |host: &HostFact| matches!(host.status, HostStatus::Online | HostStatus::Degraded);
    if best(&|host| is_up(host) && host.full.is_none()).is_some() {
        return Why { reason: None, text: "the job is about to start".to_owned() };
    }
    if let Some(host) = best(&|host| is_up(host)) {
        return match host.full {
            Some(Full::Rate(next)) => why(
                WaitReason::RateLimit,
                format!("host {} has reached its limit of starts per minute{}", host.name, slot(next)),
            ),
            Some(Full::Running(max)) => {
                why(WaitReason::AtLimit, format!("host {} has reached its limit of running jobs ({max})", host.name))
            }
            None => Why { reason: None, text: "the job is about to start".to_owned() },
        };
    }
    for (status, reason, rest) in [
        (HostStatus::Asleep, WaitReason::HostAsleep, "the job will run when the host returns"),
        (HostStatus::Offline, WaitReason::HostOffline, "the job will run when the host returns"),
        (HostStatus::Pending, WaitReason::HostOffline, "the job will run when the runner connects"),
        (HostStatus::Paused, WaitReason::HostPaused, "the job will run when the host is resumed"),
    ] {
        if let Some(host) = best(&|host| host.status == status) {
            let more =
                if facts.hosts.len() > 1 { format!(" ({} hosts match)", facts.hosts.len()) } else { String::new() };
            return why(reason, format!("host {} is {status}{more}{}; {rest}", host.name, without_state(host)));
        }
    }
    why(WaitReason::NoHostMatches, format!("no host that matches {} is available", facts.target))
}

/// The reason of a host without its state, with which many reasons start.
fn without_state(host: &HostFact) -> String {
    match host.reason.strip_prefix(host.status.as_str()) {
        Some(rest) => rest.trim_end_matches(CATCHES_UP).to_owned(),
        None => format!(": {}", host.reason),
    }
}

fn names(hosts: &[HostFact]) -> String {
    hosts.iter().map(|host| host.name.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn host(status: HostStatus, full: Option<Full>) -> HostFact {
        HostFact {
            name: "db-2".into(),
            status,
            reason: "no heartbeat for 18 m".into(),
            full,
            is_too_old: false,
            primary_hub: None,
        }
    }

    /// A host whose primary hub is another hub.
    fn away(status: HostStatus) -> HostFact {
        HostFact { primary_hub: Some("https://other:7411".into()), ..host(status, None) }
    }

    #[test]
    fn judge_names_the_first_obstacle() {
        let base = Facts { target: "host db-2".into(), ..Facts::default() };
        let with = |hosts: Vec<HostFact>| Facts { hosts, ..base.clone() };
        let table = [
            (Facts { parked: Some((WaitReason::Later, NOW)), ..base.clone() }, Some(WaitReason::Later)),
            (Facts { is_definition_off: true, ..base.clone() }, Some(WaitReason::DefinitionDisabled)),
            (Facts { pause: Some(("the org".into(), "moving".into())), ..base.clone() }, Some(WaitReason::Paused)),
            (base.clone(), Some(WaitReason::NoHostMatches)),
            (with(vec![host(HostStatus::Offline, None)]), Some(WaitReason::HostOffline)),
            (with(vec![host(HostStatus::Asleep, None)]), Some(WaitReason::HostAsleep)),
            (with(vec![host(HostStatus::Paused, None)]), Some(WaitReason::HostPaused)),
            (with(vec![host(HostStatus::Online, Some(Full::Running(1)))]), Some(WaitReason::AtLimit)),
            (with(vec![host(HostStatus::Online, Some(Full::Rate(None)))]), Some(WaitReason::RateLimit)),
            (with(vec![host(HostStatus::Online, None)]), None),
            (with(vec![away(HostStatus::Online)]), Some(WaitReason::NotPrimary)),
            (with(vec![away(HostStatus::Online), host(HostStatus::Offline, None)]), Some(WaitReason::HostOffline)),
            (with(vec![away(HostStatus::Online), host(HostStatus::Online, None)]), None),
            (with(vec![host(HostStatus::Asleep, None), host(HostStatus::Online, None)]), None),
            (
                Facts {
                    full: vec![(QuotaKind::Org, String::new(), Full::Running(5))],
                    ..with(vec![host(HostStatus::Online, None)])
                },
                Some(WaitReason::OrgLimit),
            ),
        ];
        for (facts, reason) in table {
            let why = judge(&facts, NOW);
            assert_eq!(why.reason, reason, "{}", why.text);
        }
    }

    #[test]
    fn text_names_the_host_and_what_happens_next() {
        let facts = Facts { hosts: vec![host(HostStatus::Offline, None)], ..Facts::default() };
        assert_eq!(
            judge(&facts, NOW).text,
            "host db-2 is offline: no heartbeat for 18 m; the job will run when the host returns"
        );
        let asleep =
            HostFact { reason: format!("asleep · last seen 9 h ago{CATCHES_UP}"), ..host(HostStatus::Asleep, None) };
        let facts = Facts { hosts: vec![asleep.clone(), asleep], ..Facts::default() };
        let said = "host db-2 is asleep (2 hosts match) · last seen 9 h ago; the job will run when the host returns";
        assert_eq!(judge(&facts, NOW).text, said);
    }
}
