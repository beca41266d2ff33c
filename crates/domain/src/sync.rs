//! Replication of rows between runners and hubs: nothing is lost, applied twice, or overwritten by an older version.
//!
//! Every row has one writer, its origin (a runner). The origin gives each change the next sequence number of the row's
//! sync priority; a row that changes again moves forward to its new number. A position is an epoch, a sequence number
//! and the mark of the transaction that assigned the number. Wall clocks never decide which row is newer.
//!
//! The mechanisms and the failures they handle:
//! - Cursor: a hub accepts a page only if it starts at the hub's cursor, and a request confirms everything before it. A
//!   lost, repeated or reordered message changes nothing.
//! - Mark: a history restored from a backup assigns the same sequence numbers again, but with other marks. The origin
//!   then starts a new epoch and resends all rows; otherwise the hub would keep rows that no longer exist and skip new
//!   ones.
//! - Witness: a position of an origin that other runners have received. It detects a restored backup even if the hub
//!   itself was restored or wiped.
//! - Unconfirmed row: after a new epoch of a hub's log, a runner keeps forwarded rows but marks them as unconfirmed
//!   until the hub sends them again. Rows that the hub does not send again are deleted.
//! - Parked row: a row of an unknown table or an invalid row is stored apart, so it neither blocks the rows after it
//!   nor is lost.
//!
//! - `base64`: binary columns in JSON
//! - `digest`: checksums that compare both sides without sending rows
//! - `doc`: the format of the rows
//! - `frame`: the messages
//! - `hub`: the hub's side of the protocol
//! - `subject`: the thing that a row is about, whose owner may write the row
//! - `origin`: the runner's side of the protocol
//! - `planted`: known bugs that the simulation in `tests/sync_sim` switches on
//! - `table`: the declaration of a replicated table
//! - `tables`: the list of replicated tables

pub(crate) mod base64;
pub mod digest;
pub mod doc;
pub mod frame;
pub mod hub;
pub mod origin;
pub mod planted;
pub mod subject;
pub mod table;
pub mod tables;

use serde::{Deserialize, Serialize};

use crate::string_enum;

string_enum! {
    /// Sync priority of a table. Rows of the same priority are sent in order; small control rows never wait behind
    /// logs.
    pub enum SyncPriority {
        /// Small rows that people wait for: jobs, runs, triggers, servers.
        Control = "control",
        /// Large rows that may arrive late: logs.
        Bulk = "bulk",
    }
}

/// A random number that a transaction stores with the sequence numbers it assigns; it identifies one history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mark(pub u64);

/// The version of a row: the greater of two versions is the newer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Version {
    /// The history of the origin: a higher epoch replaces all lower ones.
    pub epoch: u32,
    /// The sequence number of the change within the epoch.
    pub seq: u64,
}

/// A position in an origin's history, with the mark that identifies this history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    #[serde(flatten)]
    pub at: Version,
    /// The mark of the transaction that assigned this sequence number.
    pub mark: Mark,
}

/// The most that one page may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    pub rows: u32,
    /// A single row that exceeds this is sent alone.
    pub bytes: u32,
}

/// The range of schema versions that one side can read, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaRange {
    pub min: u32,
    /// The newest version, the one this side writes.
    pub version: u32,
}

impl SchemaRange {
    /// Whether both sides have a schema version in common.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.min <= other.version && other.min <= self.version
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_epoch_first() {
        let version = |epoch, seq| Version { epoch, seq };
        assert!(version(2, 1) > version(1, 900));
        assert!(version(2, 2) > version(2, 1));
    }

    #[test]
    fn schemas_meet_if_their_ranges_overlap() {
        let schema = |min, version| SchemaRange { min, version };
        assert!(schema(3, 5).meets(schema(5, 7)));
        assert!(schema(5, 7).meets(schema(3, 5)));
        assert!(!schema(1, 2).meets(schema(3, 4)));
    }

    #[test]
    fn place_serializes_without_nesting() {
        let place = Place { at: Version { epoch: 3, seq: 17 }, mark: Mark(9) };
        assert_eq!(serde_json::to_string(&place).expect("writes"), r#"{"epoch":3,"seq":17,"mark":9}"#);
    }
}
