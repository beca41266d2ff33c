//! Hooks: addresses at which other systems send events.

use domain::{HookId, OrgId, Timestamp, hook::HookScheme};

use crate::{Result, Tx};

/// A hook: an address that creates events from the messages it receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    pub id: HookId,
    pub org_id: OrgId,
    pub name: String,
    pub scheme: HookScheme,
    /// Name of the events it creates.
    pub event_name: String,
    /// The secret that senders sign messages with, encrypted.
    pub sealed: Vec<u8>,
    pub is_enabled: bool,
    pub last_ok_at: Option<Timestamp>,
    pub last_error: Option<String>,
    pub last_error_at: Option<Timestamp>,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

rows! { Hook {
    id, org_id, name, scheme, event_name, sealed, is_enabled, last_ok_at, last_error, last_error_at, created_by,
    created_at, updated_at
} }

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select id, org_id, name, scheme, event_name, sealed, is_enabled, last_ok_at, last_error, last_error_at,
                created_by, created_at, updated_at
            from hook ",
            $rest
        )
    };
}

statements! {
    HOOK_INSERT = same("
        insert into hook (id, org_id, name, scheme, event_name, sealed, is_enabled, created_by, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)");
    HOOK_LIST = same(select!("where org_id = $1 order by name limit $2"));
    HOOK_ANYWHERE = same(select!("where id = $1"));
    HOOK_REMOVE = same("delete from hook where org_id = $1 and id = $2");
    HOOK_OK = same("update hook set last_ok_at = $2, last_error = null where id = $1");
    HOOK_FAILED = same("update hook set last_error = $3, last_error_at = $2 where id = $1");
    HOOK_SEE = same("insert into hook_seen (hook_id, message_id, at) values ($1, $2, $3) on conflict do nothing");
    HOOK_SEE_BODY = same("
        insert into hook_seen (hook_id, message_id, at)
        values ($1, $2, $3)
        on conflict (hook_id, message_id) do update set at = excluded.at where hook_seen.at < $4");
    HOOK_SEEN_PRUNE = pair(
        "delete from hook_seen where rowid in (select rowid from hook_seen where at < $1 limit $2)",
        "delete from hook_seen where ctid = any (array(select ctid from hook_seen where at < $1 limit $2))"
    );
}

impl Tx<'_> {
    /// Inserts a hook.
    pub async fn hook_insert(&mut self, hook: &Hook) -> Result<()> {
        let h = hook;
        execute!(
            self,
            HOOK_INSERT,
            h.id,
            h.org_id,
            h.name.clone(),
            h.scheme,
            h.event_name.clone(),
            h.sealed.clone(),
            h.is_enabled,
            h.created_by.clone(),
            h.created_at
        )?;
        Ok(())
    }

    /// Returns the hooks of an organization, by name.
    pub async fn hook_list(&mut self, org: OrgId, limit: u32) -> Result<Vec<Hook>> {
        all!(self, HOOK_LIST => Hook, org, i64::from(limit))
    }

    /// Returns a hook of any organization: a request identifies it by its id alone.
    pub async fn hook_anywhere(&mut self, id: HookId) -> Result<Option<Hook>> {
        one!(self, HOOK_ANYWHERE => Hook, id)
    }

    /// Deletes a hook. Returns `false` if it does not exist.
    pub async fn hook_remove(&mut self, org: OrgId, id: HookId) -> Result<bool> {
        Ok(execute!(self, HOOK_REMOVE, org, id)? > 0)
    }

    /// Stores that a message was accepted.
    pub async fn hook_ok(&mut self, id: HookId, now: Timestamp) -> Result<()> {
        execute!(self, HOOK_OK, id, now)?;
        Ok(())
    }

    /// Stores that a message was rejected.
    pub async fn hook_failed(&mut self, id: HookId, error: &str, now: Timestamp) -> Result<()> {
        execute!(self, HOOK_FAILED, id, now, error.to_owned())?;
        Ok(())
    }

    /// Stores the id of a message. Returns `false` if the message was received before.
    pub async fn hook_see(&mut self, id: HookId, message: &str, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, HOOK_SEE, id, message.to_owned(), now)? > 0)
    }

    /// Stores the digest of a message. Returns `false` if a message with this digest was received after `since`.
    pub async fn hook_see_body(&mut self, id: HookId, digest: &str, since: Timestamp, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, HOOK_SEE_BODY, id, digest.to_owned(), now, since)? > 0)
    }

    /// Deletes message ids from before a time.
    pub async fn hook_seen_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, HOOK_SEEN_PRUNE, before, i64::from(limit))
    }
}
