//! Notices: notifications to send, and the outcome of each.

use domain::{
    ChannelId, NoticeId, OrgId, Timestamp,
    alert::{AlertKind, Severity},
};
use serde_json::Value;

use crate::{Result, Tx, value::Json};

domain::string_enum! {
    /// Status of a notice.
    pub enum NoticeStatus {
        Due = "due",
        Sent = "sent",
        Failed = "failed",
        /// The alerts were resolved before it was sent.
        Dropped = "dropped",
    }
}

domain::string_enum! {
    /// Event that a notice reports about its alerts.
    pub enum NotificationState {
        Raised = "raised",
        /// The alerts are still open.
        Reminder = "reminder",
        Resolved = "resolved",
    }
}

/// One notification to one channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    pub id: NoticeId,
    pub org_id: OrgId,
    pub channel_id: ChannelId,
    pub kind: AlertKind,
    pub state: NotificationState,
    pub severity: Severity,
    /// The first of its alerts.
    pub items: Value,
    /// The number of its alerts.
    pub count: i32,
    pub status: NoticeStatus,
    pub due_at: Timestamp,
    pub tries: i32,
    pub last_error: Option<String>,
    pub sent_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

struct Row {
    id: NoticeId,
    org_id: OrgId,
    channel_id: ChannelId,
    kind: AlertKind,
    state: NotificationState,
    severity: Severity,
    items: Json<Value>,
    count: i32,
    status: NoticeStatus,
    due_at: Timestamp,
    tries: i32,
    last_error: Option<String>,
    sent_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

rows! { Row {
    id, org_id, channel_id, kind, state, severity, items, count, status, due_at, tries, last_error, sent_at, created_at,
    updated_at
} }

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select id, org_id, channel_id, kind, state, severity, items, count, status, due_at, tries, last_error,
                sent_at, created_at, updated_at
            from notice ",
            $rest
        )
    };
}

statements! {
    NOTICE_INSERT = same("
        insert into notice (id, org_id, channel_id, kind, state, severity, items, count, status, due_at, tries,
            last_error, sent_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)");
    // A notice without a delivery attempt can still take further alerts, or lose resolved ones.
    NOTICE_OPEN = pair(
        select!("where channel_id = $1 and kind = $2 and state = $3 and status = 'due' and tries = 0 limit 1"),
        select!("where channel_id = $1 and kind = $2 and state = $3 and status = 'due' and tries = 0 limit 1 for update")
    );
    NOTICE_OPEN_KIND = pair(
        select!("where org_id = $1 and kind = $2 and status = 'due' and tries = 0"),
        select!("where org_id = $1 and kind = $2 and status = 'due' and tries = 0 for update")
    );
    NOTICE_FILL = same("
        update notice set items = $2, count = $3, severity = $4, status = $5, updated_at = $6 where id = $1");
    // A taken notice becomes due again at `$2`. If the sender crashes before it stores the outcome, another hub sends
    // the notice then.
    NOTICE_TAKE = pair(
        "update notice set tries = tries + 1, due_at = $2, updated_at = $1
        where id in (select id from notice where status = 'due' and due_at <= $1 order by due_at limit $3)
        returning id, org_id, channel_id, kind, state, severity, items, count, status, due_at, tries, last_error, sent_at,
            created_at, updated_at",
        "update notice set tries = tries + 1, due_at = $2, updated_at = $1
        where id = any (array(
            select id from notice where status = 'due' and due_at <= $1 order by due_at limit $3 for update skip locked))
        returning id, org_id, channel_id, kind, state, severity, items, count, status, due_at, tries, last_error, sent_at,
            created_at, updated_at"
    );
    NOTICE_NEXT = same("select due_at from notice where status = 'due' order by due_at limit 1");
    NOTICE_SENT = same("
        update notice set status = 'sent', sent_at = $2, last_error = null, updated_at = $2 where id = $1");
    NOTICE_LATER = same("
        update notice set due_at = $2, tries = $5, last_error = $3, updated_at = $4 where id = $1 and status = 'due'");
    NOTICE_GIVE_UP = same("
        update notice set status = 'failed', last_error = $2, updated_at = $3 where id = $1 and status = 'due'");
    NOTICE_LIST = same(select!("where org_id = $1 and id < $2 order by id desc limit $3"));
    NOTICE_SENT_SINCE = same("
        select count(*) from notice where channel_id = $1 and status = 'sent' and sent_at >= $2");
    NOTICE_PRUNE = same("
        delete from notice where id in (select id from notice where status <> 'due' and updated_at < $1 limit $2)");
}

impl Tx<'_> {
    /// Inserts a notice.
    pub async fn notice_insert(&mut self, notice: &Notice) -> Result<()> {
        let n = notice;
        execute!(
            self,
            NOTICE_INSERT,
            n.id,
            n.org_id,
            n.channel_id,
            n.kind,
            n.state,
            n.severity,
            Json(n.items.clone()),
            n.count,
            n.status,
            n.due_at,
            n.tries,
            n.last_error.clone(),
            n.sent_at,
            n.created_at,
            n.updated_at
        )?;
        Ok(())
    }

    /// Returns a notice of this kind to this channel without a delivery attempt, locked.
    pub async fn notice_open(
        &mut self,
        channel: ChannelId,
        kind: AlertKind,
        state: NotificationState,
    ) -> Result<Option<Notice>> {
        Ok(one!(self, NOTICE_OPEN => Row, channel, kind, state)?.map(Notice::from))
    }

    /// Returns all notices of a kind in an organization without a delivery attempt, locked.
    pub async fn notice_open_kind(&mut self, org: OrgId, kind: AlertKind) -> Result<Vec<Notice>> {
        Ok(all!(self, NOTICE_OPEN_KIND => Row, org, kind)?.into_iter().map(Notice::from).collect())
    }

    /// Changes the alerts of a notice.
    pub async fn notice_fill(&mut self, notice: &Notice, now: Timestamp) -> Result<()> {
        let n = notice;
        execute!(self, NOTICE_FILL, n.id, Json(n.items.clone()), n.count, n.severity, n.status, now)?;
        Ok(())
    }

    /// Takes due notices of all organizations for sending. They become due again at `until`, unless their outcome is
    /// stored before.
    pub async fn notice_take(&mut self, now: Timestamp, until: Timestamp, limit: u32) -> Result<Vec<Notice>> {
        Ok(all!(self, NOTICE_TAKE => Row, now, until, i64::from(limit))?.into_iter().map(Notice::from).collect())
    }

    /// Returns when the next notice is due.
    pub async fn notice_next(&mut self) -> Result<Option<Timestamp>> {
        value!(self, NOTICE_NEXT => Timestamp)
    }

    /// Stores that a notice was delivered.
    pub async fn notice_sent(&mut self, id: NoticeId, now: Timestamp) -> Result<()> {
        execute!(self, NOTICE_SENT, id, now)?;
        Ok(())
    }

    /// Postpones a notice. `tries` is the number of delivery attempts so far.
    pub async fn notice_later(
        &mut self,
        id: NoticeId,
        due_at: Timestamp,
        why: &str,
        tries: i32,
        now: Timestamp,
    ) -> Result<()> {
        execute!(self, NOTICE_LATER, id, due_at, why.to_owned(), now, tries)?;
        Ok(())
    }

    /// Stores that a notice failed for the last time.
    pub async fn notice_give_up(&mut self, id: NoticeId, why: &str, now: Timestamp) -> Result<()> {
        execute!(self, NOTICE_GIVE_UP, id, why.to_owned(), now)?;
        Ok(())
    }

    /// Returns notices of an organization, newest first.
    pub async fn notice_list(&mut self, org: OrgId, before: NoticeId, limit: u32) -> Result<Vec<Notice>> {
        Ok(all!(self, NOTICE_LIST => Row, org, before, i64::from(limit))?.into_iter().map(Notice::from).collect())
    }

    /// Returns the number of notices delivered to a channel since a time.
    pub async fn notice_sent_since(&mut self, channel: ChannelId, since: Timestamp) -> Result<i64> {
        Ok(value!(self, NOTICE_SENT_SINCE => i64, channel, since)?.unwrap_or(0))
    }

    /// Deletes at most `limit` notices that were delivered, failed or dropped before a time.
    pub async fn notice_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, NOTICE_PRUNE, before, i64::from(limit))
    }
}

impl From<Row> for Notice {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            org_id: row.org_id,
            channel_id: row.channel_id,
            kind: row.kind,
            state: row.state,
            severity: row.severity,
            items: row.items.0,
            count: row.count,
            status: row.status,
            due_at: row.due_at,
            tries: row.tries,
            last_error: row.last_error,
            sent_at: row.sent_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}
