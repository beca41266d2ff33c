//! Join tokens, with which machines become hosts.

use domain::{
    JoinTokenId, OrgId, Span, join,
    secret::{Secret, SecretKind},
};
use proto::{
    Code, Page,
    api::host::{JoinToken as JoinTokenView, JoinTokenCreated, JoinTokenRequest},
    page::PageQuery,
};
use serde_json::json;
use store::join_token::JoinToken;

use crate::app::{AuditEntry, FromStore, RequestContext, after_id};
use crate::{Error, Hub, Result};

impl FromStore<JoinToken> for JoinTokenView {
    fn from_store(token: JoinToken) -> Self {
        Self {
            id: token.id,
            hint: token.hint,
            labels: token.labels,
            queues: token.queues,
            always_on: token.always_on,
            uses: token.uses,
            used: token.used,
            expires_at: token.expires_at,
            revoked_at: token.revoked_at,
            created_at: token.created_at,
        }
    }
}

impl Hub {
    /// Lists the join tokens of an organization.
    ///
    /// # Errors
    /// Fails if the cursor is invalid or on a database error.
    pub async fn join_token_list(&self, org: OrgId, query: &PageQuery) -> Result<Page<JoinTokenView>> {
        let (after, limit) = (after_id(query.cursor.as_deref())?, query.limit());
        let rows = self
            .store
            .read(move |tx| {
                Box::pin(async move { tx.join_token_list(org, after, limit + 1).await.map_err(Error::from) })
            })
            .await?;
        Ok(Page::cut(rows.into_iter().map(JoinTokenView::from_store).collect(), limit, |token| token.id.to_string()))
    }

    async fn has_host(&self, org: OrgId) -> Result<bool> {
        let found = self.store.read(move |tx| Box::pin(async move { tx.host_list(org, "", 1).await }));
        Ok(!found.await?.is_empty())
    }

    /// Creates a join token. The secret also carries the hub's key.
    ///
    /// # Errors
    /// Fails if a number is out of range, or if this is standalone mode with its one host.
    pub async fn join_token_create(
        &self,
        by: &RequestContext,
        org: OrgId,
        request: JoinTokenRequest,
    ) -> Result<JoinTokenCreated> {
        if self.options.is_standalone && self.has_host(org).await? {
            return Err(Error::new(Code::OneMachine, "a machine in standalone mode accepts no other hosts")
                .hint("start a hub with `hostler up`, run `hostler invite` there, and join this machine to it"));
        }
        let uses = request.uses.unwrap_or(1);
        let ttl = request.ttl_seconds.map_or(join::TTL, Span::from_secs);
        if uses == 0 || uses > join::USES_MAX {
            return Err(Error::invalid(format!("`uses` must be between 1 and {}", join::USES_MAX)));
        }
        if ttl == Span::ZERO || ttl > join::TTL_MAX {
            return Err(Error::invalid(format!(
                "the lifetime of a join token must be between 1 s and {}",
                join::TTL_MAX
            )));
        }
        let now = self.now();
        let secret = Secret::new(SecretKind::Join, self.random.bytes(), &self.identity.public_key().0);
        let token = JoinToken {
            id: self.ids.next(),
            org_id: org,
            hint: secret.hint(),
            labels: request.labels,
            queues: request.queues,
            always_on: request.always_on,
            uses: i32::try_from(uses).unwrap_or(i32::MAX),
            used: 0,
            expires_at: now + ttl,
            revoked_at: None,
            created_at: now,
        };
        let (hub, by, row, hash) = (self.clone(), by.clone(), token.clone(), secret.hash());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    tx.join_token_insert(&row, hash).await?;
                    let diff = json!({"uses": [null, row.uses], "expires_at": [null, row.expires_at], "labels": [null, row.labels], "queues": [null, row.queues]});
                    by.record(&hub, tx, Some(org), AuditEntry { action: "join_token.created", kind: "join_token", id: Some(row.id.to_string()), name: Some(&row.hint), diff }).await
                })
            })
            .await?;
        let command = format!("hostler join {} {}", self.options.public_url, secret.reveal());
        Ok(JoinTokenCreated {
            token: JoinTokenView::from_store(token),
            secret: secret.reveal().to_owned(),
            command,
            install: self.install_line(&secret),
        })
    }

    /// Revokes a join token. Hosts that joined with it stay.
    ///
    /// # Errors
    /// Fails if no valid token has this id.
    pub async fn join_token_revoke(&self, by: &RequestContext, org: OrgId, id: JoinTokenId) -> Result<()> {
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let hint = tx.join_token_revoke(org, id, now).await?;
                    let hint = hint.ok_or_else(|| Error::not_found("valid join token", id))?;
                    let entry = AuditEntry {
                        action: "join_token.revoked",
                        kind: "join_token",
                        id: Some(id.to_string()),
                        name: Some(&hint),
                        diff: json!({}),
                    };
                    by.record(&hub, tx, Some(org), entry).await
                })
            })
            .await
    }
}
