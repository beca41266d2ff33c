//! Whether two sides hold the same rows, without sending them.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Version;

/// A number and a sum of rows, in whatever order they were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Digest {
    /// How many.
    pub rows: u64,
    /// Their hashes, each xored into it.
    pub sum: u64,
}

impl Digest {
    /// Adds a row. Rows that are written once are the same whichever number they have: those have no version here.
    pub fn add(&mut self, table: &str, id: &str, version: Option<Version>) {
        let mut hash = Sha256::new();
        hash.update(table.as_bytes());
        hash.update([0]);
        hash.update(id.as_bytes());
        hash.update([0]);
        if let Some(Version { epoch, seq }) = version {
            hash.update(epoch.to_be_bytes());
            hash.update(seq.to_be_bytes());
        }
        let hash: [u8; 32] = hash.finalize().into();
        let [a, b, c, d, e, f, g, h, ..] = hash;
        self.rows += 1;
        self.sum ^= u64::from_be_bytes([a, b, c, d, e, f, g, h]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_does_not_matter_and_all_else_does() {
        let sum = |rows: &[(&str, &str, u64)]| {
            let mut digest = Digest::default();
            for (table, id, seq) in rows {
                digest.add(table, id, Some(Version { epoch: 1, seq: *seq }));
            }
            digest
        };
        let one = sum(&[("job", "a", 1), ("run", "b", 2)]);
        assert_eq!(one, sum(&[("run", "b", 2), ("job", "a", 1)]));
        for other in [
            &[("job", "a", 1)][..],
            &[("job", "a", 1), ("run", "b", 3)],
            &[("job", "a", 1), ("run", "c", 2)],
            &[("job", "a", 1), ("log", "b", 2)],
            &[("joba", "", 1), ("run", "b", 2)],
        ] {
            assert_ne!(one, sum(other), "{other:?}");
        }
    }
}
