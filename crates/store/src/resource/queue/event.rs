//! The event log. Events are inserted by the transaction that causes them, and numbered in the order in which they
//! become visible, so that a reader with a cursor never skips one.
//!
//! On PostgreSQL that order is known only after the commit: a transaction may commit after another that started later.
//! There a separate step numbers committed events (ADR 8). SQLite has one writer, so events get their number when
//! inserted.

use domain::{Id, OrgId, Timestamp};
use serde_json::Value;

use crate::{
    Result, Tx,
    columns::{column, ids, times},
    tx::Conn,
    value::Db,
};

/// Newest events among which [`Tx::event_last_named`] searches.
const NAMED_WITHIN: i64 = 100_000;

/// Id of rows that are never referred to.
pub type EventId = Id<domain::id::kind::Audit>;

/// An event to insert.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    pub id: EventId,
    pub org_id: OrgId,
    pub name: String,
    pub at: Timestamp,
    /// JSON array with one object for each affected item, as text: the store does not parse it.
    pub items: String,
}

/// A numbered event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub seq: i64,
    pub org_id: OrgId,
    pub name: String,
    pub at: Timestamp,
    pub items: Value,
}

/// An event without its items, which are long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headline {
    pub seq: i64,
    pub org_id: OrgId,
    pub name: String,
}

struct Row {
    seq: i64,
    org_id: OrgId,
    name: String,
    at: Timestamp,
    items: String,
}

rows! {
    Headline { seq, org_id, name }
    Row { seq, org_id, name, at, items }
}

statements! {
    EVENT_INSERT = pair(
        "insert into event (id, org_id, name, at, items, seq)
        values ($1, $2, $3, $4, $5, $6)",
        "insert into event (id, org_id, name, at, items)
        select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[])"
    );
    EVENT_HEAD_LOCK = pair(
        "select seq from event_head where id = 1",
        "select seq from event_head where id = 1 for update"
    );
    EVENT_HEAD_FIRST = same("
        insert into event_head (id, seq) select 1, coalesce(max(seq), 0) from event where seq is not null
        on conflict do nothing");
    EVENT_NUMBER = same("
        update event set seq = x.seq
        from (
            select id, $1 + row_number() over (order by id) as seq
            from (select id from event where seq is null order by id limit $2) fresh
        ) x
        where event.id = x.id");
    EVENT_HEAD_SET = same("update event_head set seq = $1 where id = 1");
    EVENT_HEAD = same("select seq from event_head where id = 1");
    EVENT_AFTER = same("
        select seq, org_id, name, at, items from event where seq > $1 order by seq limit $2");
    EVENT_HEADLINES = same("
        select seq, org_id, name from event where seq > $1 order by seq limit $2");
    EVENT_NUMBERED = pair(
        "select seq, org_id, name, at, items from event where seq in (select value from json_each($1)) order by seq",
        "select seq, org_id, name, at, items from event where seq = any ($1::bigint[]) order by seq"
    );
    EVENT_AFTER_IN = same("
        select seq, org_id, name, at, items from event where org_id = $1 and seq > $2 order by seq limit $3");
    EVENT_NAMED = same("
        select seq, org_id, name, at, items from event
        where org_id = $1 and name = $2 and seq > $3 order by seq desc limit $4");
    // Skips events that were matched with triggers when they were inserted.
    EVENT_UNMATCHED = same("
        select seq, org_id, name, at, items from event where seq > $1 and not is_matched order by seq limit $2");
    EVENT_MATCHED = same("update event set is_matched = true where id = $1");
    EVENT_OLDEST = same("select min(seq) from event where seq is not null");
    EVENT_PRUNE = same("
        delete from event where id in (select id from event where at < $1 and seq is not null order by seq limit $2)");
}

impl Tx<'_> {
    /// Inserts events. On SQLite they get their numbers here, on PostgreSQL in [`Self::event_number`].
    pub async fn event_insert(&mut self, events: &[NewEvent]) -> Result<()> {
        if events.is_empty() {
            return Ok(());
        }
        if let Conn::Sqlite(_) = self.conn {
            let mut seq = self.event_head_lock().await?;
            let Conn::Sqlite(conn) = &mut self.conn else { return Ok(()) };
            // One statement per row: few rows with long texts, for which JSON would cost more.
            for e in events {
                seq += 1;
                let values: [&dyn rusqlite::ToSql; 6] =
                    [&Db(e.id), &Db(e.org_id), &&*e.name, &Db(e.at), &&*e.items, &seq];
                conn.execute(EVENT_INSERT.sqlite, &values)?;
            }
            execute!(self, EVENT_HEAD_SET, seq)?;
            return Ok(());
        }
        let e = events;
        defer!(
            self,
            EVENT_INSERT,
            of Some(e.len()),
            sqlite(),
            postgres(
                ids(e, |e| e.id),
                ids(e, |e| e.org_id),
                column(e, |e| e.name.as_str()),
                times(e, |e| e.at),
                column(e, |e| e.items.as_str()),
            ),
        )
    }

    /// Numbers at most `limit` events without a number, and returns how many. Locks the head row, so hubs number one
    /// after another.
    pub async fn event_number(&mut self, limit: u32) -> Result<u64> {
        let head = self.event_head_lock().await?;
        let numbered = execute!(self, EVENT_NUMBER, head, i64::from(limit))?;
        if numbered > 0 {
            execute!(self, EVENT_HEAD_SET, head + i64::try_from(numbered).unwrap_or(i64::MAX))?;
        }
        Ok(numbered)
    }

    /// Locks the head row and returns the highest number.
    async fn event_head_lock(&mut self) -> Result<i64> {
        if let Some(head) = value!(self, EVENT_HEAD_LOCK => i64)? {
            return Ok(head);
        }
        execute!(self, EVENT_HEAD_FIRST)?;
        value!(self, EVENT_HEAD_LOCK => i64)?.ok_or(crate::Error::Dangling)
    }

    /// Returns the highest number.
    pub async fn event_head(&mut self) -> Result<i64> {
        Ok(value!(self, EVENT_HEAD => i64)?.unwrap_or(0))
    }

    /// Returns the lowest number that is not yet deleted.
    pub async fn event_oldest(&mut self) -> Result<Option<i64>> {
        Ok(value!(self, EVENT_OLDEST => Option<i64>)?.flatten())
    }

    /// Returns events of all organizations after a number, in order.
    pub async fn event_after(&mut self, seq: i64, limit: u32) -> Result<Vec<Event>> {
        Ok(all!(self, EVENT_AFTER => Row, seq, i64::from(limit))?.into_iter().map(Event::from).collect())
    }

    /// Returns events of all organizations after a number, in order, without their items.
    pub async fn event_headlines(&mut self, seq: i64, limit: u32) -> Result<Vec<Headline>> {
        all!(self, EVENT_HEADLINES => Headline, seq, i64::from(limit))
    }

    /// Returns the events with these numbers, in order.
    pub async fn event_numbered(&mut self, numbers: &[i64]) -> Result<Vec<Event>> {
        let rows = split!(
            self, EVENT_NUMBERED => Row,
            sqlite(Value::from(numbers).to_string()),
            postgres(numbers.to_vec()),
        )?;
        Ok(rows.into_iter().map(Event::from).collect())
    }

    /// Returns events of one organization after a number, in order.
    pub async fn event_after_in(&mut self, org: OrgId, seq: i64, limit: u32) -> Result<Vec<Event>> {
        Ok(all!(self, EVENT_AFTER_IN => Row, org, seq, i64::from(limit))?.into_iter().map(Event::from).collect())
    }

    /// Returns the newest events with a name in an organization, in order. Searches only the last `NAMED_WITHIN` events
    /// of the database.
    pub async fn event_last_named(&mut self, org: OrgId, name: &str, limit: u32) -> Result<Vec<Event>> {
        let from = self.event_head().await? - NAMED_WITHIN;
        let rows = all!(self, EVENT_NAMED => Row, org, name.to_owned(), from, i64::from(limit))?;
        Ok(rows.into_iter().rev().map(Event::from).collect())
    }

    /// Returns events of all organizations after a number that are not yet matched with triggers.
    pub async fn event_unmatched(&mut self, seq: i64, limit: u32) -> Result<Vec<Event>> {
        Ok(all!(self, EVENT_UNMATCHED => Row, seq, i64::from(limit))?.into_iter().map(Event::from).collect())
    }

    /// Marks an event as matched with triggers.
    pub async fn event_matched(&mut self, id: EventId) -> Result<()> {
        execute!(self, EVENT_MATCHED, id)?;
        Ok(())
    }

    /// Deletes at most `limit` numbered events from before a time.
    pub async fn event_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, EVENT_PRUNE, before, i64::from(limit))
    }
}

impl From<Row> for Event {
    fn from(row: Row) -> Self {
        Self {
            seq: row.seq,
            org_id: row.org_id,
            name: row.name,
            at: row.at,
            items: serde_json::from_str(&row.items).unwrap_or_default(),
        }
    }
}
