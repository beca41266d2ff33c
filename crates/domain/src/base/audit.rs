//! The audit log's hash chain. Rows are written unchained with the change they record; a sealing loop
//! numbers and chains them per org, and `verify` finds the first row that was altered.

use sha2::{Digest, Sha256};

use crate::{
    actor::ActorKind,
    id::{AuditId, OrgId},
    time::Timestamp,
};

/// One line of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    pub id: AuditId,
    /// `None` for an event of the installation.
    pub org: Option<OrgId>,
    pub at: Timestamp,
    pub actor_kind: ActorKind,
    pub actor_id: Option<String>,
    /// The actor's name at that time.
    pub actor_name: String,
    /// The client's address.
    pub address: Option<String>,
    /// As in `host.renamed`.
    pub action: String,
    pub subject_kind: String,
    pub subject_id: Option<String>,
    /// The subject's name at that time.
    pub subject_name: Option<String>,
    /// The changed fields with their old and new values, as JSON text.
    pub diff: String,
    pub request_id: Option<String>,
}

/// The hash of a row and of all rows before it.
pub type ChainLink = [u8; 32];

/// The link before the first row.
pub const CHAIN_START: ChainLink = [0; 32];

/// The link of the row with this number, computed from the link `before` it.
#[must_use]
pub fn seal(before: &ChainLink, number: i64, row: &AuditRow) -> ChainLink {
    let mut hasher = Sha256::new();
    hasher.update(before);
    hasher.update(number.to_be_bytes());
    let org = row.org.map(|id| id.to_string());
    let (id, at) = (row.id.to_string(), row.at.as_micros().to_string());
    for field in [
        Some(id.as_str()),
        org.as_deref(),
        Some(at.as_str()),
        Some(row.actor_kind.as_str()),
        row.actor_id.as_deref(),
        Some(row.actor_name.as_str()),
        row.address.as_deref(),
        Some(row.action.as_str()),
        Some(row.subject_kind.as_str()),
        row.subject_id.as_deref(),
        row.subject_name.as_deref(),
        Some(row.diff.as_str()),
        row.request_id.as_deref(),
    ] {
        // Each field is preceded by a marker for present or absent and by its length, so that no two rows have equal
        // bytes.
        match field {
            Some(text) => {
                hasher.update([1]);
                hasher.update((text.len() as u64).to_be_bytes());
                hasher.update(text.as_bytes());
            }
            None => hasher.update([0]),
        }
    }
    hasher.finalize().into()
}

/// A sealed row as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// The row's position in the chain of its org.
    pub number: i64,
    /// The stored link.
    pub link: ChainLink,
    pub row: AuditRow,
}

/// Why a chain is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    #[error("entry {expected} is missing (found {found} in its place)")]
    Gap { expected: i64, found: i64 },
    #[error("entry {number} ({id}) was altered after it was sealed")]
    Altered { number: i64, id: AuditId },
    #[error("the chain ends at entry {found}, but {expected} entries were sealed")]
    Cut {
        /// The number of sealed rows.
        expected: i64,
        /// The number of the last row found.
        found: i64,
    },
}

/// The state of a verification; start with `default`, then pass the pages in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    pub number: i64,
    pub link: ChainLink,
}

impl Default for Verified {
    fn default() -> Self {
        Self { number: 0, link: CHAIN_START }
    }
}

impl Verified {
    /// Checks the next page.
    ///
    /// # Errors
    /// The first row that is missing or altered.
    pub fn next(mut self, page: &[Sealed]) -> Result<Self, Broken> {
        for sealed in page {
            if sealed.number != self.number + 1 {
                return Err(Broken::Gap { expected: self.number + 1, found: sealed.number });
            }
            let link = seal(&self.link, sealed.number, &sealed.row);
            if link != sealed.link {
                return Err(Broken::Altered { number: sealed.number, id: sealed.row.id });
            }
            self = Self { number: sealed.number, link };
        }
        Ok(self)
    }

    /// Checks that the chain ends at the row that the head records.
    ///
    /// # Errors
    /// Rows are missing at the end.
    pub fn end(self, head: i64) -> Result<i64, Broken> {
        if self.number == head { Ok(head) } else { Err(Broken::Cut { expected: head, found: self.number }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::IdSource;

    fn chain(rows: usize) -> Vec<Sealed> {
        let (mut ids, mut link) = (IdSource::default(), CHAIN_START);
        let at = Timestamp::from_micros(1_700_000_000_000_000);
        let mut sealed = Vec::new();
        for number in 1..=i64::try_from(rows).expect("small") {
            let row = AuditRow {
                id: ids.next(at, 1),
                org: None,
                at,
                actor_kind: ActorKind::System,
                actor_id: None,
                actor_name: "hostler".into(),
                address: None,
                action: "org.created".into(),
                subject_kind: "org".into(),
                subject_id: None,
                subject_name: Some(format!("org-{number}")),
                diff: "{}".into(),
                request_id: None,
            };
            link = seal(&link, number, &row);
            sealed.push(Sealed { number, link, row });
        }
        sealed
    }

    fn verify(rows: &[Sealed], head: i64) -> Result<i64, Broken> {
        Verified::default().next(rows)?.end(head)
    }

    #[test]
    fn verify_accepts_an_unaltered_chain() {
        assert_eq!(verify(&chain(5), 5), Ok(5));
        assert_eq!(verify(&[], 0), Ok(0));
    }

    #[test]
    fn verify_detects_altered_missing_and_cut_rows() {
        let mut edited = chain(5);
        edited[2].row.actor_name = "another actor".into();
        assert!(matches!(verify(&edited, 5), Err(Broken::Altered { number: 3, .. })));

        let mut removed = chain(5);
        removed.remove(1);
        assert_eq!(verify(&removed, 5), Err(Broken::Gap { expected: 2, found: 3 }));

        let mut cut = chain(5);
        cut.pop();
        assert_eq!(verify(&cut, 5), Err(Broken::Cut { expected: 5, found: 4 }));

        let mut moved = chain(5);
        moved[1].row.subject_id = Some(String::new());
        assert!(verify(&moved, 5).is_err(), "absent and empty are different");
    }
}
