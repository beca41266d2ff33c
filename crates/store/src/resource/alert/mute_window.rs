//! Mute windows: times in which alerts are raised without notifications.

use domain::{OrgId, Timestamp, WindowId};
use serde_json::Value;

use crate::{Result, Tx, value::Json};

/// A maintenance window or a mute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MuteWindow {
    pub id: WindowId,
    pub org_id: OrgId,
    pub label: String,
    pub body: domain::alert::Window,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

struct Row {
    id: WindowId,
    org_id: OrgId,
    label: String,
    body: Json<Value>,
    created_by: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

rows! { Row { id, org_id, label, body, created_by, created_at, updated_at } }

macro_rules! select {
    ($rest:literal) => {
        concat!("select id, org_id, label, body, created_by, created_at, updated_at from mute_window ", $rest)
    };
}

statements! {
    MUTE_WINDOW_INSERT = same("
        insert into mute_window (id, org_id, label, body, ends_at, created_by, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $7)");
    MUTE_WINDOW_LIST = same(select!("where org_id = $1 order by id limit $2"));
    MUTE_WINDOW_LIST_ALL = same(select!("where ends_at is null or ends_at > $1 order by id limit $2"));
    MUTE_WINDOW_REMOVE = same("delete from mute_window where org_id = $1 and id = $2");
    MUTE_WINDOW_PRUNE = same("
        delete from mute_window where id in (select id from mute_window where ends_at < $1 limit $2)");
}

impl Tx<'_> {
    /// Inserts a window.
    pub async fn mute_window_insert(&mut self, window: &MuteWindow) -> Result<()> {
        let w = window;
        let body = Json(serde_json::to_value(&w.body).unwrap_or_default());
        execute!(
            self,
            MUTE_WINDOW_INSERT,
            w.id,
            w.org_id,
            w.label.clone(),
            body,
            w.body.ends_at,
            w.created_by.clone(),
            w.created_at
        )?;
        Ok(())
    }

    /// Returns the windows of an organization.
    pub async fn mute_window_list(&mut self, org: OrgId, limit: u32) -> Result<Vec<MuteWindow>> {
        read_all(all!(self, MUTE_WINDOW_LIST => Row, org, i64::from(limit))?)
    }

    /// Returns the windows of all organizations that have not ended.
    pub async fn mute_window_list_all(&mut self, now: Timestamp, limit: u32) -> Result<Vec<MuteWindow>> {
        read_all(all!(self, MUTE_WINDOW_LIST_ALL => Row, now, i64::from(limit))?)
    }

    /// Deletes a window. Returns `false` if it does not exist.
    pub async fn mute_window_remove(&mut self, org: OrgId, id: WindowId) -> Result<bool> {
        Ok(execute!(self, MUTE_WINDOW_REMOVE, org, id)? > 0)
    }

    /// Deletes windows that ended before a time.
    pub async fn mute_window_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, MUTE_WINDOW_PRUNE, before, i64::from(limit))
    }
}

fn read_all(rows: Vec<Row>) -> Result<Vec<MuteWindow>> {
    rows.into_iter()
        .map(|row| {
            let body = serde_json::from_value(row.body.0).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
            Ok(MuteWindow {
                id: row.id,
                org_id: row.org_id,
                label: row.label,
                body,
                created_by: row.created_by,
                created_at: row.created_at,
                updated_at: row.updated_at,
            })
        })
        .collect()
}
