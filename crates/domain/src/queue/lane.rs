//! Targets of jobs, lanes of the queue, and which hosts serve a lane.

use serde::{Deserialize, Serialize};

use crate::{
    DefinitionId, HostId, OrgId,
    label::{Labels, Selector},
    name::{self, NameRefused},
    string_enum,
};

string_enum! {
    /// The kinds of targets.
    pub enum TargetKind {
        /// One host.
        Host = "host",
        /// Any host that serves a queue.
        Queue = "queue",
        /// Any host whose labels match.
        Selector = "selector",
    }
}

/// The queue of jobs and runners that set none.
pub const DEFAULT_QUEUE: &str = "default";

/// The most queues of one host.
pub const QUEUES_MAX: usize = 64;

/// Why a list of queues is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueuesRefused {
    #[error("a host can serve at most {QUEUES_MAX} queues")]
    TooMany,
    #[error(transparent)]
    Name(#[from] NameRefused),
}

/// The queues that a host may serve: valid names, sorted, each once. With an empty list, the host runs only jobs that
/// are bound to it by name or by labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct QueueNames(Vec<String>);

impl Default for QueueNames {
    fn default() -> Self {
        Self(vec![DEFAULT_QUEUE.to_owned()])
    }
}

impl TryFrom<Vec<String>> for QueueNames {
    type Error = QueuesRefused;

    fn try_from(mut names: Vec<String>) -> Result<Self, QueuesRefused> {
        names.sort();
        names.dedup();
        if names.len() > QUEUES_MAX {
            return Err(QueuesRefused::TooMany);
        }
        names.iter().try_for_each(|queue| name::check(queue))?;
        Ok(Self(names))
    }
}

impl From<QueueNames> for Vec<String> {
    fn from(queues: QueueNames) -> Self {
        queues.0
    }
}

impl QueueNames {
    /// The queues that a runner offers: the valid names that it sent, or else the default queue.
    #[must_use]
    pub fn offered(names: &[String]) -> Self {
        let mut names: Vec<String> = names.iter().filter(|queue| name::check(queue).is_ok()).cloned().collect();
        names.sort();
        names.dedup();
        names.truncate(QUEUES_MAX);
        if names.is_empty() { Self::default() } else { Self(names) }
    }

    /// The names.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Whether the list contains this queue.
    #[must_use]
    pub fn contains(&self, queue: &str) -> bool {
        self.0.iter().any(|name| name == queue)
    }

    /// The queues of this list that are not in `allowed`.
    #[must_use]
    pub fn without(&self, allowed: &Self) -> Vec<String> {
        self.0.iter().filter(|queue| !allowed.contains(queue)).cloned().collect()
    }

    /// Both lists together, as far as they fit: this list, then queues of `more`.
    #[must_use]
    pub fn and(&self, more: &Self) -> Self {
        let mut names = self.0.clone();
        names.extend(more.without(self));
        names.truncate(QUEUES_MAX);
        names.sort();
        Self(names)
    }
}

/// The target of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Host(HostId),
    /// Any host that serves this queue.
    Queue(String),
    /// Any host whose labels match.
    Selector(Selector),
}

impl Target {
    /// The kind of the target.
    #[must_use]
    pub const fn kind(&self) -> TargetKind {
        match self {
            Self::Host(_) => TargetKind::Host,
            Self::Queue(_) => TargetKind::Queue,
            Self::Selector(_) => TargetKind::Selector,
        }
    }

    /// The text form, stored beside the kind.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Host(host) => host.to_string(),
            Self::Queue(queue) => queue.clone(),
            Self::Selector(selector) => selector.to_string(),
        }
    }

    /// Parses the stored form.
    ///
    /// # Errors
    /// The text is invalid for the kind.
    pub fn read(kind: TargetKind, text: &str) -> Result<Self, String> {
        match kind {
            TargetKind::Host => text.parse().map(Self::Host).map_err(|error| format!("{error}")),
            TargetKind::Queue => Ok(Self::Queue(text.to_owned())),
            TargetKind::Selector => text.parse().map(Self::Selector).map_err(|error| format!("{error}")),
        }
    }

    /// Whether only one host can take the job.
    #[must_use]
    pub const fn is_bound(&self) -> bool {
        matches!(self, Self::Host(_))
    }
}

/// The key of a lane: jobs with the same org, target, definition and limit key. The jobs of a lane run in order and
/// count against the same limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneKey {
    pub org: OrgId,
    pub target: Target,
    pub definition: DefinitionId,
    /// The limit key that the job's creator chose; empty if none.
    pub limit_key: String,
}

/// The properties of a host that decide which lanes it serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneServer<'a> {
    pub host: HostId,
    /// The org that owns the host, and the orgs it is shared with.
    pub orgs: &'a [OrgId],
    pub labels: &'a Labels,
    /// The queues that its runner offers and that it may serve.
    pub queues: &'a [String],
}

impl LaneServer<'_> {
    /// Whether the host may take jobs of this lane.
    #[must_use]
    pub fn serves(&self, lane: &LaneKey) -> bool {
        self.orgs.contains(&lane.org)
            && match &lane.target {
                Target::Host(host) => *host == self.host,
                Target::Queue(queue) => self.queues.contains(queue),
                Target::Selector(selector) => selector.matches(self.labels),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queues(names: &[&str]) -> QueueNames {
        QueueNames::try_from(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).expect("valid")
    }

    #[test]
    fn queue_lists_are_sorted_bounded_and_valid() {
        assert_eq!(queues(&["gpu", "default", "gpu"]).names(), ["default", "gpu"]);
        assert_eq!(queues(&[]).names(), [] as [&str; 0]);
        assert!(QueueNames::try_from(vec!["GPU".to_owned()]).is_err());
        let many: Vec<String> = (0..=QUEUES_MAX).map(|number| format!("q{number}")).collect();
        assert_eq!(QueueNames::try_from(many.clone()), Err(QueuesRefused::TooMany));
        assert_eq!(QueueNames::offered(&many).names().len(), QUEUES_MAX, "of an offer, the rest is ignored");
    }

    #[test]
    fn runner_without_valid_queues_offers_the_default_queue() {
        let offer = |names: &[&str]| QueueNames::offered(&names.iter().map(|name| (*name).into()).collect::<Vec<_>>());
        assert_eq!(offer(&[]).names(), ["default"]);
        assert_eq!(offer(&["\u{1b}[2J", ""]).names(), ["default"]);
        assert_eq!(offer(&["gpu", "\n", "gpu"]).names(), ["gpu"]);
    }

    #[test]
    fn refused_queues_are_the_offered_ones_that_are_not_allowed() {
        for (offered, allowed, refused) in [
            (&["default"] as &[&str], &["default"] as &[&str], &[] as &[&str]),
            (&["default", "payments"], &["default"], &["payments"]),
            (&["payments"], &[], &["payments"]),
            (&["default"], &["default", "gpu"], &[]),
        ] {
            assert_eq!(queues(offered).without(&queues(allowed)), refused, "{offered:?} {allowed:?}");
        }
        assert_eq!(queues(&["default"]).and(&queues(&["a", "default"])), queues(&["a", "default"]));
    }

    #[test]
    fn a_host_serves_lanes_of_its_own_name_queues_and_labels() {
        let (org, other) = (OrgId::from_bytes([1; 16]), OrgId::from_bytes([2; 16]));
        let host = HostId::from_bytes([3; 16]);
        let labels =
            Labels::try_from(std::collections::BTreeMap::from([("env".to_owned(), "prod".to_owned())])).expect("valid");
        let queues = ["default".to_owned()];
        let server = LaneServer { host, orgs: &[org], labels: &labels, queues: &queues };
        let lane = |org, target| LaneKey {
            org,
            target,
            definition: DefinitionId::from_bytes([4; 16]),
            limit_key: String::new(),
        };
        for (org, target, serves) in [
            (org, Target::Host(host), true),
            (org, Target::Host(HostId::from_bytes([9; 16])), false),
            (org, Target::Queue("default".into()), true),
            (org, Target::Queue("gpu".into()), false),
            (org, Target::Selector("env=prod".parse().expect("a selector")), true),
            (org, Target::Selector("env=dev".parse().expect("a selector")), false),
            (other, Target::Host(host), false),
        ] {
            assert_eq!(server.serves(&lane(org, target.clone())), serves, "{target:?}");
            assert_eq!(Target::read(target.kind(), &target.text()), Ok(target));
        }
    }
}
