//! Where a job is to run, and which hosts may take it.

use crate::{
    DefinitionId, HostId, OrgId,
    label::{Labels, Selector},
    words,
};

words! {
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

/// The queue of jobs and runners that name none.
pub const DEFAULT_QUEUE: &str = "default";

/// Where a job is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// On this host.
    Host(HostId),
    /// On any host that serves this queue.
    Queue(String),
    /// On any host whose labels match.
    Selector(Selector),
}

impl Target {
    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> TargetKind {
        match self {
            Self::Host(_) => TargetKind::Host,
            Self::Queue(_) => TargetKind::Queue,
            Self::Selector(_) => TargetKind::Selector,
        }
    }

    /// Its text, as stored beside its kind.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Host(host) => host.to_string(),
            Self::Queue(queue) => queue.clone(),
            Self::Selector(selector) => selector.to_string(),
        }
    }

    /// From what is stored.
    ///
    /// # Errors
    /// The text does not fit the kind.
    pub fn read(kind: TargetKind, text: &str) -> Result<Self, String> {
        match kind {
            TargetKind::Host => text.parse().map(Self::Host).map_err(|error| format!("{error}")),
            TargetKind::Queue => Ok(Self::Queue(text.to_owned())),
            TargetKind::Selector => text.parse().map(Self::Selector).map_err(|error| format!("{error}")),
        }
    }

    /// Whether only one machine can take the job.
    #[must_use]
    pub const fn is_bound(&self) -> bool {
        matches!(self, Self::Host(_))
    }
}

/// A lane: the jobs of one org, target, definition and free limit key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneKey {
    /// Whose jobs.
    pub org: OrgId,
    /// Where they are to run.
    pub target: Target,
    /// What they run.
    pub definition: DefinitionId,
    /// The free key they share a limit by; empty if none.
    pub limit_key: String,
}

/// A host, as far as it matters which lanes it serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server<'a> {
    /// The host.
    pub host: HostId,
    /// The org it belongs to and those it is shared with.
    pub orgs: &'a [OrgId],
    /// Its labels.
    pub labels: &'a Labels,
    /// The queues its runner serves.
    pub queues: &'a [String],
}

impl Server<'_> {
    /// Whether it may take jobs of this lane.
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

    #[test]
    fn a_host_serves_its_own_its_queues_and_what_its_labels_match() {
        let (org, other) = (OrgId::from_bytes([1; 16]), OrgId::from_bytes([2; 16]));
        let host = HostId::from_bytes([3; 16]);
        let labels =
            Labels::try_from(std::collections::BTreeMap::from([("env".to_owned(), "prod".to_owned())])).expect("valid");
        let queues = ["default".to_owned()];
        let server = Server { host, orgs: &[org], labels: &labels, queues: &queues };
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
