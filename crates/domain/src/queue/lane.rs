//! Targets of jobs, lanes of the queue, and which hosts serve a lane.

use crate::{
    DefinitionId, HostId, OrgId,
    label::{Labels, Selector},
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
    /// The queues that its runner serves.
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
