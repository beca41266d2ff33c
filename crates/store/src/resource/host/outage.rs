//! Times in which a host was not there.

use domain::{HostId, Timestamp, timeline::OutageKind};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids, times, times_opt},
    value::{hex, pg},
};

/// A time in which a host was not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage {
    pub host_id: HostId,
    pub kind: OutageKind,
    pub from_at: Timestamp,
    /// `None` while it lasts.
    pub until_at: Option<Timestamp>,
    pub note: String,
}

rows! { Outage { host_id, kind, from_at, until_at, note } }

statements! {
    GAP_PUT = pair(
        "insert into host_gap (host_id, from_at, kind, until_at, note, created_at, updated_at)
        select unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, $2, $2 from json_each($1) where true
        on conflict (host_id, from_at, kind) do update
        set until_at = excluded.until_at, note = excluded.note, updated_at = excluded.updated_at",
        "insert into host_gap (host_id, from_at, kind, until_at, note, created_at, updated_at)
        select x.*, $6, $6 from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::timestamptz[], $5::text[]) x
        on conflict (host_id, from_at, kind) do update
        set until_at = excluded.until_at, note = excluded.note, updated_at = excluded.updated_at"
    );
    GAP_OPEN = same("
        select host_id, kind, from_at, until_at, note from host_gap where until_at is null order by host_id limit $1");
    GAP_CLOSE = same("
        update host_gap set until_at = case when from_at > $3 then from_at else $3 end, updated_at = $3
        where host_id = $1 and kind = $2 and until_at is null");
    GAP_REMOVE = same("delete from host_gap where host_id = $1 and kind = $2 and from_at = $3");
    GAP_LIST = same("
        select host_id, kind, from_at, until_at, note from host_gap
        where host_id = $1 and from_at < $3 and (until_at is null or until_at >= $2)
        order by from_at desc limit $4");
    GAP_PRUNE = pair(
        "delete from host_gap where rowid in (select rowid from host_gap where until_at < $1 limit $2)",
        "delete from host_gap where ctid = any (array(select ctid from host_gap where until_at < $1 limit $2))"
    );
}

impl Tx<'_> {
    /// Notes gaps, each once, or how they ended.
    pub async fn gap_put(&mut self, gaps: &[Outage], now: Timestamp) -> Result<()> {
        if gaps.is_empty() {
            return Ok(());
        }
        let g = gaps;
        let row = |g: &Outage| {
            json!([hex(g.host_id), g.from_at.as_micros(), g.kind, g.until_at.map(Timestamp::as_micros), g.note])
        };
        split_execute!(
            self,
            GAP_PUT,
            sqlite(Value::Array(gaps.iter().map(row).collect()).to_string(), now.as_micros()),
            postgres(
                ids(g, |g| g.host_id),
                times(g, |g| g.from_at),
                column(g, |g| g.kind.as_str()),
                times_opt(g, |g| g.until_at),
                column(g, |g| g.note.as_str()),
                pg::Instant(now.as_micros()),
            ),
        )?;
        Ok(())
    }

    /// Gaps of all hosts that last.
    pub async fn gap_open(&mut self, limit: u32) -> Result<Vec<Outage>> {
        all!(self, GAP_OPEN => Outage, i64::from(limit))
    }

    /// The gaps of this kind of a host are over; says how many lasted.
    pub async fn gap_close(&mut self, host: HostId, kind: OutageKind, now: Timestamp) -> Result<u64> {
        execute!(self, GAP_CLOSE, host, kind, now)
    }

    /// Forgets one gap.
    pub async fn gap_remove(&mut self, host: HostId, kind: OutageKind, from_at: Timestamp) -> Result<()> {
        execute!(self, GAP_REMOVE, host, kind, from_at)?;
        Ok(())
    }

    /// The gaps of a host within a time, newest first.
    pub async fn gap_list(
        &mut self,
        host: HostId,
        from: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Outage>> {
        all!(self, GAP_LIST => Outage, host, from, until, i64::from(limit))
    }

    /// Forgets gaps that were over before a time.
    pub async fn gap_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, GAP_PRUNE, before, i64::from(limit))
    }
}
