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
    /// Its id.
    pub id: AuditId,
    /// The org it is about; `None` for the installation.
    pub org: Option<OrgId>,
    /// When.
    pub at: Timestamp,
    /// Who: the kind of actor.
    pub actor_kind: ActorKind,
    /// Who: the id.
    pub actor_id: Option<String>,
    /// Who: the name at that time.
    pub actor_name: String,
    /// From where.
    pub address: Option<String>,
    /// What, as in `host.renamed`.
    pub action: String,
    /// To what: the kind.
    pub subject_kind: String,
    /// To what: the id.
    pub subject_id: Option<String>,
    /// To what: the name at that time.
    pub subject_name: Option<String>,
    /// From what to what, as JSON text.
    pub diff: String,
    /// The request.
    pub request_id: Option<String>,
}

/// A hash in the chain.
pub type Link = [u8; 32];

/// The link before the first row.
pub const CHAIN_START: Link = [0; 32];

/// The link of the row with this number, after the link `before` it.
#[must_use]
pub fn seal(before: &Link, number: i64, row: &AuditRow) -> Link {
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
        // Length before content, and a mark for "absent", so that no two rows have equal bytes.
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

/// A sealed row, as read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Its number in the chain of its org.
    pub number: i64,
    /// The link that was stored.
    pub link: Link,
    /// The row.
    pub row: AuditRow,
}

/// What is wrong with a chain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// Rows are missing.
    #[error("row {expected} is missing (found {found} in its place)")]
    Gap {
        /// The number that should be here.
        expected: i64,
        /// The number that is.
        found: i64,
    },
    /// A row is not what was sealed.
    #[error("row {number} ({id}) was altered after it was sealed")]
    Altered {
        /// Its number.
        number: i64,
        /// Its id.
        id: AuditId,
    },
    /// The end of the chain is missing.
    #[error("the chain ends at row {found}, but {expected} rows were sealed")]
    Cut {
        /// How many rows were sealed.
        expected: i64,
        /// The last that is there.
        found: i64,
    },
}

/// Where verification of a chain stands; begin with `default`, then pass the pages in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The last number seen.
    pub number: i64,
    /// Its link.
    pub link: Link,
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
    /// The first row that does not fit.
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

    /// Checks that the chain ends where its head says.
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
    fn an_untouched_chain_holds() {
        assert_eq!(verify(&chain(5), 5), Ok(5));
        assert_eq!(verify(&[], 0), Ok(0));
    }

    #[test]
    fn every_kind_of_tampering_shows() {
        let mut edited = chain(5);
        edited[2].row.actor_name = "somebody else".into();
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
