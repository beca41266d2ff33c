//! How rows travel between runners and hubs without being lost, doubled or taken for newer than they are.
//!
//! Every row has one writer, its origin. The origin gives each change the next number of its lane; a changed row moves
//! forward to its new number. A position is an epoch, a number and the mark of the transaction that gave the number:
//! two histories that went different ways after a restored backup have the same numbers but not the same marks.
//! Wall clocks order nothing here.

pub(crate) mod base64;
pub mod digest;
pub mod doc;
pub mod frame;
pub mod hub;
pub mod origin;
pub mod planted;
pub mod table;
pub mod tables;

use serde::{Deserialize, Serialize};

use crate::words;

words! {
    /// Rows of one lane wait for each other, those of two do not: what people wait for never waits for logs.
    pub enum Lane {
        /// Small and wanted at once.
        Control = "control",
        /// Large and patient.
        Bulk = "bulk",
    }
}

/// A random number that a transaction leaves behind with the numbers it gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mark(pub u64);

/// Which state of a row this is: of two, the greater one is newer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Version {
    /// Which history of its origin.
    pub epoch: u32,
    /// Which change in it.
    pub seq: u64,
}

/// A position in an origin's history, with the proof that it is this history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Where.
    #[serde(flatten)]
    pub at: Version,
    /// The mark of the transaction that gave this number.
    pub mark: Mark,
}

/// How much one page may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Rows.
    pub rows: u32,
    /// Bytes; a single row that is larger goes alone.
    pub bytes: u32,
}

/// The versions of the schema that one side can speak, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// The oldest.
    pub min: u32,
    /// Its own.
    pub version: u32,
}

impl Schema {
    /// Whether the two have a version in common.
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
    fn schemas_meet_where_their_ranges_do() {
        let schema = |min, version| Schema { min, version };
        assert!(schema(3, 5).meets(schema(5, 7)));
        assert!(schema(5, 7).meets(schema(3, 5)));
        assert!(!schema(1, 2).meets(schema(3, 4)));
    }

    #[test]
    fn a_place_is_flat_on_the_wire() {
        let place = Place { at: Version { epoch: 3, seq: 17 }, mark: Mark(9) };
        assert_eq!(serde_json::to_string(&place).expect("writes"), r#"{"epoch":3,"seq":17,"mark":9}"#);
    }
}
