//! API tokens.

use domain::{OrgId, Role, Timestamp, TokenId, UserId, role::Scope, secret::SecretHash};

use serde_json::json;

use crate::{Result, Tx, columns::column, value::hex_bytes};

/// An API token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub id: TokenId,
    pub org_id: OrgId,
    pub user_id: UserId,
    /// The token that created this one; revoking it revokes this one. `None` if a user created it.
    pub parent_id: Option<TokenId>,
    pub name: String,
    pub hint: String,
    pub role: Role,
    pub scope: Scope,
    /// Created by a device login; a new password revokes it.
    pub is_login: bool,
    pub may_create_tokens: bool,
    /// Label of the creator; empty for tokens of older versions.
    pub created_by: String,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// A token with the current rights of its user. A request needs the rights of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenAuth {
    pub secret_hash: SecretHash,
    pub id: TokenId,
    pub org_id: OrgId,
    pub user_id: UserId,
    pub name: String,
    pub role: Role,
    pub scope: Scope,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
    pub user_is_super: bool,
    pub user_is_disabled: bool,
    /// `None`: the user's e-mail address is not confirmed.
    pub user_email_verified_at: Option<Timestamp>,
    pub authz_version: i64,
    pub member_role: Option<Role>,
}

rows! {
    Token {
        id, org_id, user_id, parent_id, name, hint, role, scope, is_login, may_create_tokens, created_by, expires_at,
        revoked_at, last_used_at, created_at
    }
    TokenAuth {
        secret_hash, id, org_id, user_id, name, role, scope, expires_at, revoked_at, last_used_at, user_is_super,
        user_is_disabled, user_email_verified_at, authz_version, member_role
    }
}

statements! {
    TOKEN_INSERT = same("
        insert into token
            (id, org_id, user_id, parent_id, name, hint, secret_hash, role, scope, is_login, may_create_tokens,
            created_by, expires_at, revoked_at, last_used_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, null, null, $14, $14)");
    TOKEN_LIST = same("
        select id, org_id, user_id, parent_id, name, hint, role, scope, is_login, may_create_tokens, created_by,
            expires_at, revoked_at, last_used_at, created_at
        from token
        where org_id = $1 and id > $2
        order by id
        limit $3");
    TOKEN_LIST_OF = same("
        select id, org_id, user_id, parent_id, name, hint, role, scope, is_login, may_create_tokens, created_by,
            expires_at, revoked_at, last_used_at, created_at
        from token
        where org_id = $1 and id > $2 and user_id = $3
        order by id
        limit $4");
    TOKEN_GET = same("
        select id, org_id, user_id, parent_id, name, hint, role, scope, is_login, may_create_tokens, created_by,
            expires_at, revoked_at, last_used_at, created_at
        from token
        where org_id = $1 and id = $2");
    TOKEN_AUTH = pair(r#"
        select t.secret_hash, t.id, t.org_id, t.user_id, t.name, t.role, t.scope, t.expires_at, t.revoked_at, t.last_used_at,
            u.is_super as user_is_super, u.is_disabled as user_is_disabled,
            u.email_verified_at as user_email_verified_at, u.authz_version, m.role as member_role
        from token t
        join "user" u on u.id = t.user_id
        left join member m on m.org_id = t.org_id and m.user_id = t.user_id
        where t.secret_hash in (select unhex(value) from json_each($1))"#,
        r#"
        select t.secret_hash, t.id, t.org_id, t.user_id, t.name, t.role, t.scope, t.expires_at, t.revoked_at, t.last_used_at,
            u.is_super as user_is_super, u.is_disabled as user_is_disabled,
            u.email_verified_at as user_email_verified_at, u.authz_version, m.role as member_role
        from token t
        join "user" u on u.id = t.user_id
        left join member m on m.org_id = t.org_id and m.user_id = t.user_id
        where t.secret_hash = any ($1::bytea[])"#);
    TOKEN_REVOKE = same("update token set revoked_at = $3, updated_at = $3 where org_id = $1 and id = $2 and revoked_at is null");
    TOKEN_REVOKE_BELOW = same("
        with recursive below (id) as (
            select id from token where org_id = $1 and parent_id = $2
            union
            select t.id from token t join below b on t.parent_id = b.id)
        update token
        set revoked_at = $3, updated_at = $3
        where id in (select id from below) and revoked_at is null");
    TOKEN_LOCK = same("update token set updated_at = updated_at where org_id = $1 and id = $2 and revoked_at is null");
    TOKENS_OF_LOGINS = same("
        select id, org_id, user_id, parent_id, name, hint, role, scope, is_login, may_create_tokens, created_by,
            expires_at, revoked_at, last_used_at, created_at
        from token
        where user_id = $1 and is_login = $2 and revoked_at is null
        order by id");
    TOKEN_USED = same("update token set last_used_at = $2, updated_at = $2 where id = $1");
}

impl Tx<'_> {
    /// Inserts a token.
    pub async fn token_insert(&mut self, token: &Token, secret: SecretHash) -> Result<()> {
        execute!(
            self,
            TOKEN_INSERT,
            token.id,
            token.org_id,
            token.user_id,
            token.parent_id,
            token.name.clone(),
            token.hint.clone(),
            secret,
            token.role,
            token.scope,
            token.is_login,
            token.may_create_tokens,
            token.created_by.clone(),
            token.expires_at,
            token.created_at
        )?;
        Ok(())
    }

    /// Returns the tokens of an organization, or of one user in it, after the given one.
    pub async fn token_list(
        &mut self,
        org: OrgId,
        of: Option<UserId>,
        after: TokenId,
        limit: u32,
    ) -> Result<Vec<Token>> {
        match of {
            None => all!(self, TOKEN_LIST => Token, org, after, i64::from(limit)),
            Some(user) => all!(self, TOKEN_LIST_OF => Token, org, after, user, i64::from(limit)),
        }
    }

    /// Returns a token of an organization.
    pub async fn token_get(&mut self, org: OrgId, id: TokenId) -> Result<Option<Token>> {
        one!(self, TOKEN_GET => Token, org, id)
    }

    /// Returns the tokens with these secrets, with the current rights of their users.
    pub async fn token_auth(&mut self, secrets: &[SecretHash]) -> Result<Vec<(SecretHash, TokenAuth)>> {
        let hashes = || json!(column(secrets, |secret| hex_bytes(&secret.0))).to_string();
        let found = split!(
            self, TOKEN_AUTH => TokenAuth,
            sqlite(hashes()),
            postgres(column(secrets, |secret| secret.0.as_slice())),
        )?;
        Ok(found.into_iter().map(|token| (token.secret_hash.clone(), token)).collect())
    }

    /// Locks a token until the end of the transaction, so that it cannot be revoked meanwhile. `None` if it is revoked
    /// or does not exist.
    pub async fn token_lock(&mut self, org: OrgId, id: TokenId) -> Result<Option<Token>> {
        if execute!(self, TOKEN_LOCK, org, id)? == 0 {
            return Ok(None);
        }
        self.token_get(org, id).await
    }

    /// Revokes a token, the tokens it created, and so on. Returns the number of tokens that were not revoked before.
    ///
    /// Repeated until a pass finds none: a token of this tree that another transaction inserted while a pass waited for
    /// its parent's lock is not in the snapshot of that pass. Revoked tokens cannot create further ones, so the passes
    /// end.
    pub async fn token_revoke(&mut self, org: OrgId, id: TokenId, now: Timestamp) -> Result<u64> {
        let mut revoked = execute!(self, TOKEN_REVOKE, org, id, now)?;
        loop {
            let below = execute!(self, TOKEN_REVOKE_BELOW, org, id, now)?;
            if below == 0 {
                return Ok(revoked);
            }
            revoked += below;
        }
    }

    /// Revokes all tokens of a user that device logins created, and the tokens created with them. Returns their number.
    pub async fn token_revoke_logins(&mut self, user: UserId, now: Timestamp) -> Result<u64> {
        let logins = all!(self, TOKENS_OF_LOGINS => Token, user, true)?;
        let mut revoked = 0;
        for token in logins {
            revoked += self.token_revoke(token.org_id, token.id, now).await?;
        }
        Ok(revoked)
    }

    /// Updates the last use of a token. Callers do this at most once a minute per token, not at every request.
    pub async fn token_used(&mut self, id: TokenId, now: Timestamp) -> Result<()> {
        execute!(self, TOKEN_USED, id, now)?;
        Ok(())
    }
}
