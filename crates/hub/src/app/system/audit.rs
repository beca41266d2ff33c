//! Lists the audit log and verifies its hash chains.

use domain::{AuditId, OrgId, audit::Verified};
use proto::{
    Page,
    api::audit::{AuditEntry, AuditQuery, AuditVerdict},
    page::PageQuery,
};
use store::audit::{AuditFilter, AuditLine};

use crate::app::FromStore;
use crate::{Error, Hub, Result};

/// Rows verified per read.
const PAGE: u32 = 1_000;

impl FromStore<AuditLine> for AuditEntry {
    fn from_store(line: AuditLine) -> Self {
        let row = line.row;
        Self {
            id: row.id,
            number: line.number,
            at: row.at,
            actor_kind: row.actor_kind.to_string(),
            actor_id: row.actor_id,
            actor: row.actor_name,
            address: row.address,
            action: row.action,
            subject_kind: row.subject_kind,
            subject_id: row.subject_id,
            subject: row.subject_name,
            diff: serde_json::from_str(&row.diff).unwrap_or_default(),
            request_id: row.request_id,
        }
    }
}

impl Hub {
    /// Lists the audit log of an organization, or of the installation, newest first.
    ///
    /// # Errors
    /// Fails if the cursor is invalid or on a database error.
    pub async fn audit_list(&self, org: Option<OrgId>, query: AuditQuery) -> Result<Page<AuditEntry>> {
        let limit = PageQuery { cursor: None, limit: query.limit }.limit();
        let newest = AuditId::from_bytes([0xff; 16]);
        let before = query.cursor.as_deref().map_or(Ok(newest), str::parse).map_err(Error::invalid)?;
        let filter = AuditFilter { actor: query.actor, action: query.action, since: query.since };
        let rows = self
            .store
            .read(move |tx| {
                Box::pin(async move { tx.audit_list(org, filter, before, limit + 1).await.map_err(Error::from) })
            })
            .await?;
        Ok(Page::cut(rows.into_iter().map(AuditEntry::from_store).collect(), limit, |entry| entry.id.to_string()))
    }

    /// Verifies the hash chain of an organization, or of the installation.
    ///
    /// # Errors
    /// Fails on a database error. A broken chain is a result, not an error.
    pub async fn audit_verify(&self, org: Option<OrgId>) -> Result<AuditVerdict> {
        let (sealed, unsealed) =
            self.store.read(move |tx| Box::pin(async move { tx.audit_counts(org).await.map_err(Error::from) })).await?;
        let mut verified = Verified::default();
        let problem = loop {
            let after = verified.number;
            if after >= sealed {
                break verified.end(sealed).err();
            }
            let mut page = self
                .store
                .read(move |tx| {
                    Box::pin(async move { tx.audit_chain_page(org, after, PAGE).await.map_err(Error::from) })
                })
                .await?;
            // Rows sealed after `sealed` was read belong to the next verification.
            page.retain(|line| line.number <= sealed);
            if page.is_empty() {
                break verified.end(sealed).err();
            }
            match verified.next(&page) {
                Ok(next) => verified = next,
                Err(broken) => break Some(broken),
            }
        };
        Ok(AuditVerdict {
            is_intact: problem.is_none(),
            problem: problem.map(|broken| broken.to_string()),
            sealed,
            unsealed,
        })
    }

    /// Verifies every chain: the installation's and each organization's, removed organizations included.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn audit_verify_all(&self) -> Result<AuditVerdict> {
        let chains =
            self.store.read(move |tx| Box::pin(async move { tx.audit_chains().await.map_err(Error::from) })).await?;
        let mut sum = AuditVerdict { is_intact: true, problem: None, sealed: 0, unsealed: 0 };
        for chain in chains {
            let verdict = self.audit_verify(chain).await?;
            sum.sealed += verdict.sealed;
            sum.unsealed += verdict.unsealed;
            if !verdict.is_intact && sum.is_intact {
                let of = match chain {
                    None => "the installation".to_owned(),
                    // A removed organization has no slug.
                    Some(org) => match self.org_slug(org).await {
                        Ok(slug) => format!("org {slug}"),
                        Err(_) => format!("org {org}"),
                    },
                };
                sum = AuditVerdict {
                    is_intact: false,
                    problem: verdict.problem.map(|problem| format!("{of}: {problem}")),
                    ..sum
                };
            }
        }
        Ok(sum)
    }
}
