//! The ids that an attacker knows and puts into its frames.

use domain::{DefinitionId, HostId, JobId, OrderId, OrgId, RunId, ServerId, TriggerId};
use serde::{Deserialize, Serialize};

/// One thing of every kind, all of one owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    pub host: HostId,
    pub org: OrgId,
    pub job: JobId,
    /// The number of the job's current run.
    pub fence: i32,
    pub run: RunId,
    pub server: ServerId,
    pub order: OrderId,
    pub definition: DefinitionId,
    pub trigger: TriggerId,
}

impl Names {
    /// The same 16 bytes as the id of everything, for frames that put the id of one kind in the place of another.
    #[must_use]
    pub const fn all(bytes: [u8; 16]) -> Self {
        Self {
            host: HostId::from_bytes(bytes),
            org: OrgId::from_bytes(bytes),
            job: JobId::from_bytes(bytes),
            fence: 1,
            run: RunId::from_bytes(bytes),
            server: ServerId::from_bytes(bytes),
            order: OrderId::from_bytes(bytes),
            definition: DefinitionId::from_bytes(bytes),
            trigger: TriggerId::from_bytes(bytes),
        }
    }

    /// Everything under the id of this org.
    #[must_use]
    pub fn under_org(&self) -> Self {
        Self { org: self.org, ..Self::all(self.org.to_bytes()) }
    }
}

/// The knowledge of a hostile runner: its own things, those of its victim, and those of a removed host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownIds {
    pub own: Names,
    pub victim: Names,
    pub removed: Names,
}
