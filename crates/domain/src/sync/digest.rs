//! A checksum over rows: shows whether both sides have the same rows without sending them.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Version;

/// Row count and checksum of a set of rows; independent of the order in which the rows are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Digest {
    pub rows: u64,
    /// The hashes of all rows, combined by XOR.
    pub sum: u64,
}

impl Digest {
    /// Adds a row. Pass no version for write-once rows: their content never changes, only their sequence number may
    /// differ.
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
    fn digest_ignores_order_and_detects_every_other_difference() {
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
