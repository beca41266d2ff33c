//! Channels: destinations of notifications.

use domain::{ChannelId, OrgId, Timestamp, channel::ChannelKind};
use serde_json::Value;

use crate::{Result, Tx, value::Json};

/// A destination of notifications, such as an e-mail address or a webhook.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    pub id: ChannelId,
    pub org_id: OrgId,
    pub name: String,
    pub kind: ChannelKind,
    /// The settings without secrets, for display.
    pub shown: Value,
    /// All settings, encrypted.
    pub sealed: Vec<u8>,
    /// Which alerts are sent, when, how often and with which template.
    pub body: Value,
    pub is_enabled: bool,
    pub last_ok_at: Option<Timestamp>,
    pub last_error: Option<String>,
    pub last_error_at: Option<Timestamp>,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

struct Row {
    id: ChannelId,
    org_id: OrgId,
    name: String,
    kind: ChannelKind,
    shown: Json<Value>,
    sealed: Vec<u8>,
    body: Json<Value>,
    is_enabled: bool,
    last_ok_at: Option<Timestamp>,
    last_error: Option<String>,
    last_error_at: Option<Timestamp>,
    created_by: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

rows! { Row {
    id, org_id, name, kind, shown, sealed, body, is_enabled, last_ok_at, last_error, last_error_at, created_by,
    created_at, updated_at
} }

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select id, org_id, name, kind, shown, sealed, body, is_enabled, last_ok_at, last_error, last_error_at,
                created_by, created_at, updated_at
            from channel ",
            $rest
        )
    };
}

statements! {
    CHANNEL_INSERT = same("
        insert into channel (id, org_id, name, kind, shown, sealed, body, is_enabled, created_by, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)");
    CHANNEL_UPDATE = same("
        update channel set name = $3, kind = $4, shown = $5, sealed = $6, body = $7, is_enabled = $8, updated_at = $9
        where org_id = $1 and id = $2");
    CHANNEL_GET = same(select!("where org_id = $1 and id = $2"));
    CHANNEL_BY_NAME = same(select!("where org_id = $1 and name = $2"));
    CHANNEL_LIST = same(select!("where org_id = $1 order by name limit $2"));
    CHANNEL_ANYWHERE = same(select!("where id = $1"));
    CHANNEL_REMOVE = same("delete from channel where org_id = $1 and id = $2");
    CHANNEL_OK = same("update channel set last_ok_at = $2, last_error = null where id = $1");
    CHANNEL_FAILED = same("update channel set last_error = $3, last_error_at = $2 where id = $1");
}

impl Tx<'_> {
    /// Inserts a channel.
    pub async fn channel_insert(&mut self, channel: &Channel) -> Result<()> {
        let c = channel;
        let (shown, body) = (Json(c.shown.clone()), Json(c.body.clone()));
        execute!(
            self,
            CHANNEL_INSERT,
            c.id,
            c.org_id,
            c.name.clone(),
            c.kind,
            shown,
            c.sealed.clone(),
            body,
            c.is_enabled,
            c.created_by.clone(),
            c.created_at
        )?;
        Ok(())
    }

    /// Changes a channel. Returns `false` if it does not exist.
    pub async fn channel_update(&mut self, channel: &Channel) -> Result<bool> {
        let c = channel;
        let (shown, body) = (Json(c.shown.clone()), Json(c.body.clone()));
        let changed = execute!(
            self,
            CHANNEL_UPDATE,
            c.org_id,
            c.id,
            c.name.clone(),
            c.kind,
            shown,
            c.sealed.clone(),
            body,
            c.is_enabled,
            c.updated_at
        )?;
        Ok(changed > 0)
    }

    /// Returns a channel of an organization.
    pub async fn channel_get(&mut self, org: OrgId, id: ChannelId) -> Result<Option<Channel>> {
        Ok(one!(self, CHANNEL_GET => Row, org, id)?.map(Channel::from))
    }

    /// Returns a channel of an organization by its name.
    pub async fn channel_by_name(&mut self, org: OrgId, name: &str) -> Result<Option<Channel>> {
        Ok(one!(self, CHANNEL_BY_NAME => Row, org, name.to_owned())?.map(Channel::from))
    }

    /// Returns the channels of an organization, by name.
    pub async fn channel_list(&mut self, org: OrgId, limit: u32) -> Result<Vec<Channel>> {
        Ok(all!(self, CHANNEL_LIST => Row, org, i64::from(limit))?.into_iter().map(Channel::from).collect())
    }

    /// Returns a channel of any organization, for the sender of notifications.
    pub async fn channel_anywhere(&mut self, id: ChannelId) -> Result<Option<Channel>> {
        Ok(one!(self, CHANNEL_ANYWHERE => Row, id)?.map(Channel::from))
    }

    /// Deletes a channel with its unsent notices. Returns `false` if it does not exist.
    pub async fn channel_remove(&mut self, org: OrgId, id: ChannelId) -> Result<bool> {
        Ok(execute!(self, CHANNEL_REMOVE, org, id)? > 0)
    }

    /// Stores that a notification was delivered.
    pub async fn channel_ok(&mut self, id: ChannelId, now: Timestamp) -> Result<()> {
        execute!(self, CHANNEL_OK, id, now)?;
        Ok(())
    }

    /// Stores that a notification could not be delivered.
    pub async fn channel_failed(&mut self, id: ChannelId, error: &str, now: Timestamp) -> Result<()> {
        execute!(self, CHANNEL_FAILED, id, now, error.to_owned())?;
        Ok(())
    }
}

impl From<Row> for Channel {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            org_id: row.org_id,
            name: row.name,
            kind: row.kind,
            shown: row.shown.0,
            sealed: row.sealed,
            body: row.body.0,
            is_enabled: row.is_enabled,
            last_ok_at: row.last_ok_at,
            last_error: row.last_error,
            last_error_at: row.last_error_at,
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}
