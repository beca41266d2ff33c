//! Join tokens, with which a machine becomes a host.

use domain::{JoinTokenId, Labels, OrgId, Timestamp, lane::QueueNames, secret::SecretHash};

use crate::{Result, Tx};

/// A join token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinToken {
    pub id: JoinTokenId,
    pub org_id: OrgId,
    pub hint: String,
    pub labels: Labels,
    /// The queues that hosts that join with it may serve.
    pub queues: QueueNames,
    pub always_on: Option<bool>,
    pub uses: i32,
    pub used: i32,
    pub expires_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

rows! { JoinToken { id, org_id, hint, labels, queues, always_on, uses, used, expires_at, revoked_at, created_at } }

statements! {
    JOIN_TOKEN_INSERT = same("
        insert into join_token
            (id, org_id, hint, secret_hash, labels, queues, always_on, uses, used, expires_at, revoked_at, created_at,
             updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, null, $10, $10)");
    JOIN_TOKEN_LIST = same("
        select id, org_id, hint, labels, queues, always_on, uses, used, expires_at, revoked_at, created_at
        from join_token
        where org_id = $1 and id > $2
        order by id
        limit $3");
    JOIN_TOKEN_BY_HASH = same("
        select id, org_id, hint, labels, queues, always_on, uses, used, expires_at, revoked_at, created_at
        from join_token
        where secret_hash = $1");
    // Checks and increments the count in one statement, so that two machines cannot both take the last use.
    JOIN_TOKEN_USE = same("
        update join_token
        set used = used + 1, updated_at = $2
        where id = $1 and used < uses and revoked_at is null and expires_at > $2");
    JOIN_TOKEN_REVOKE = same("
        update join_token
        set revoked_at = $3, updated_at = $3
        where org_id = $1 and id = $2 and revoked_at is null
        returning hint");
    JOIN_TOKEN_PRUNE = same("delete from join_token where expires_at < $1");
}

impl Tx<'_> {
    /// Inserts a join token.
    pub async fn join_token_insert(&mut self, token: &JoinToken, secret: SecretHash) -> Result<()> {
        execute!(
            self,
            JOIN_TOKEN_INSERT,
            token.id,
            token.org_id,
            token.hint.clone(),
            secret,
            token.labels.clone(),
            token.queues.clone(),
            token.always_on,
            token.uses,
            token.expires_at,
            token.created_at
        )?;
        Ok(())
    }

    /// Returns the join tokens of an organization, after the given one.
    pub async fn join_token_list(&mut self, org: OrgId, after: JoinTokenId, limit: u32) -> Result<Vec<JoinToken>> {
        all!(self, JOIN_TOKEN_LIST => JoinToken, org, after, i64::from(limit))
    }

    /// Returns the join token with this secret, whatever its state.
    pub async fn join_token_by_hash(&mut self, secret: SecretHash) -> Result<Option<JoinToken>> {
        one!(self, JOIN_TOKEN_BY_HASH => JoinToken, secret)
    }

    /// Takes one use of a token. Returns `false` if none is left, or it is expired or revoked.
    pub async fn join_token_use(&mut self, id: JoinTokenId, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, JOIN_TOKEN_USE, id, now)? == 1)
    }

    /// Revokes a token and returns its hint (the start of its secret); `None` if it was revoked before.
    pub async fn join_token_revoke(&mut self, org: OrgId, id: JoinTokenId, now: Timestamp) -> Result<Option<String>> {
        value!(self, JOIN_TOKEN_REVOKE => String, org, id, now)
    }

    /// Deletes tokens that expired before a time.
    pub async fn join_token_prune(&mut self, before: Timestamp) -> Result<u64> {
        execute!(self, JOIN_TOKEN_PRUNE, before)
    }
}
