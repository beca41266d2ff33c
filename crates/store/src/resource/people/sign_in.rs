//! Browser sessions and one-time sign-in links.

use domain::{LoginLinkId, SessionId, Timestamp, UserId, secret::SecretHash};

use crate::{Result, Tx};

/// A browser session with the current rights of its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserSession {
    pub id: SessionId,
    pub user_id: UserId,
    pub user_name: String,
    pub user_email: String,
    pub user_is_super: bool,
    pub user_is_disabled: bool,
    /// `None`: the user's e-mail address is not confirmed.
    pub user_email_verified_at: Option<Timestamp>,
    pub authz_version: i64,
    pub expires_at: Timestamp,
    pub last_seen_at: Timestamp,
}

rows! { BrowserSession {
    id, user_id, user_name, user_email, user_is_super, user_is_disabled, user_email_verified_at, authz_version,
    expires_at, last_seen_at
} }

statements! {
    SESSION_INSERT = same("
        insert into browser_session (id, user_id, secret_hash, address, expires_at, last_seen_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $6, $6)");
    SESSION_AUTH = same(r#"
        select s.id, s.user_id, u.name as user_name, u.email as user_email, u.is_super as user_is_super,
            u.is_disabled as user_is_disabled, u.email_verified_at as user_email_verified_at, u.authz_version,
            s.expires_at, s.last_seen_at
        from browser_session s
        join "user" u on u.id = s.user_id
        where s.secret_hash = $1"#);
    SESSION_SEEN = same("update browser_session set last_seen_at = $2, updated_at = $2 where id = $1");
    SESSION_REMOVE = same("delete from browser_session where id = $1");
    SESSION_REMOVE_OTHERS = same("delete from browser_session where user_id = $1 and id <> $2");
    SESSION_PRUNE = same("delete from browser_session where expires_at < $1 or last_seen_at < $2");

    LINK_INSERT = same("
        insert into login_link (id, user_id, secret_hash, expires_at, used_at, created_at, updated_at)
        values ($1, $2, $3, $4, null, $5, $5)");
    LINK_USE = same("
        update login_link
        set used_at = $2, updated_at = $2
        where secret_hash = $1 and used_at is null and expires_at > $2
        returning user_id");
    LINK_PRUNE = same("delete from login_link where expires_at < $1");
}

impl Tx<'_> {
    /// Inserts a browser session.
    pub async fn browser_session_insert(
        &mut self,
        id: SessionId,
        user: UserId,
        secret: SecretHash,
        address: &str,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<()> {
        execute!(self, SESSION_INSERT, id, user, secret, address.to_owned(), expires_at, now)?;
        Ok(())
    }

    /// Returns the browser session with this secret, with the current rights of its user.
    pub async fn browser_session_auth(&mut self, secret: SecretHash) -> Result<Option<BrowserSession>> {
        one!(self, SESSION_AUTH => BrowserSession, secret)
    }

    /// Updates the last use of a session. Callers do this at most once a minute per session, not at every request.
    pub async fn browser_session_seen(&mut self, id: SessionId, now: Timestamp) -> Result<()> {
        execute!(self, SESSION_SEEN, id, now)?;
        Ok(())
    }

    /// Deletes a session.
    pub async fn browser_session_remove(&mut self, id: SessionId) -> Result<()> {
        execute!(self, SESSION_REMOVE, id)?;
        Ok(())
    }

    /// Deletes all other sessions of a user.
    pub async fn browser_session_remove_others(&mut self, user: UserId, keep: SessionId) -> Result<u64> {
        execute!(self, SESSION_REMOVE_OTHERS, user, keep)
    }

    /// Deletes sessions that have expired or were idle since `idle_since`, and expired links.
    pub async fn sign_in_prune(&mut self, now: Timestamp, idle_since: Timestamp) -> Result<u64> {
        let sessions = execute!(self, SESSION_PRUNE, now, idle_since)?;
        let links = execute!(self, LINK_PRUNE, now)?;
        Ok(sessions + links)
    }

    /// Inserts a one-time sign-in link.
    pub async fn login_link_insert(
        &mut self,
        id: LoginLinkId,
        user: UserId,
        secret: SecretHash,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<()> {
        execute!(self, LINK_INSERT, id, user, secret, expires_at, now)?;
        Ok(())
    }

    /// Marks a link as used and returns its user. `None` if it is unknown, used or expired.
    pub async fn login_link_use(&mut self, secret: SecretHash, now: Timestamp) -> Result<Option<UserId>> {
        value!(self, LINK_USE => UserId, secret, now)
    }
}
