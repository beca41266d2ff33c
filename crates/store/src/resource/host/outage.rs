//! Outages: times in which a host was not connected.

use domain::{HostId, Timestamp, timeline::OutageKind};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids, times, times_opt},
    value::{hex, pg},
};

/// An outage of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage {
    pub host_id: HostId,
    pub kind: OutageKind,
    pub from_at: Timestamp,
    /// `None` while the outage lasts.
    pub until_at: Option<Timestamp>,
    pub note: String,
}

rows! { Outage { host_id, kind, from_at, until_at, note } }

statements! {
    OUTAGE_PUT = pair(
        "insert into host_outage (host_id, from_at, kind, until_at, note, created_at, updated_at)
        select unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, $2, $2 from json_each($1) where true
        on conflict (host_id, from_at, kind) do update
        set until_at = excluded.until_at, note = excluded.note, updated_at = excluded.updated_at",
        "insert into host_outage (host_id, from_at, kind, until_at, note, created_at, updated_at)
        select x.*, $6, $6 from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::timestamptz[], $5::text[]) x
        on conflict (host_id, from_at, kind) do update
        set until_at = excluded.until_at, note = excluded.note, updated_at = excluded.updated_at"
    );
    OUTAGE_OPEN = same("
        select host_id, kind, from_at, until_at, note from host_outage where until_at is null order by host_id limit $1");
    OUTAGE_CLOSE = same("
        update host_outage set until_at = case when from_at > $3 then from_at else $3 end, updated_at = $3
        where host_id = $1 and kind = $2 and until_at is null");
    OUTAGE_REMOVE = same("delete from host_outage where host_id = $1 and kind = $2 and from_at = $3");
    OUTAGE_LIST = same("
        select host_id, kind, from_at, until_at, note from host_outage
        where host_id = $1 and from_at < $3 and (until_at is null or until_at >= $2)
        order by from_at desc limit $4");
    OUTAGE_PRUNE = pair(
        "delete from host_outage where rowid in (select rowid from host_outage where until_at < $1 limit $2)",
        "delete from host_outage where ctid = any (array(select ctid from host_outage where until_at < $1 limit $2))"
    );
}

impl Tx<'_> {
    /// Inserts outages, or updates how they ended. Each may occur once.
    pub async fn outage_put(&mut self, outages: &[Outage], now: Timestamp) -> Result<()> {
        if outages.is_empty() {
            return Ok(());
        }
        let o = outages;
        let row = |o: &Outage| {
            json!([hex(o.host_id), o.from_at.as_micros(), o.kind, o.until_at.map(Timestamp::as_micros), o.note])
        };
        split_execute!(
            self,
            OUTAGE_PUT,
            sqlite(Value::Array(outages.iter().map(row).collect()).to_string(), now.as_micros()),
            postgres(
                ids(o, |o| o.host_id),
                times(o, |o| o.from_at),
                column(o, |o| o.kind.as_str()),
                times_opt(o, |o| o.until_at),
                column(o, |o| o.note.as_str()),
                pg::Instant(now.as_micros()),
            ),
        )?;
        Ok(())
    }

    /// Returns open outages of all hosts.
    pub async fn outage_open(&mut self, limit: u32) -> Result<Vec<Outage>> {
        all!(self, OUTAGE_OPEN => Outage, i64::from(limit))
    }

    /// Ends the open outages of this kind of a host. Returns how many there were.
    pub async fn outage_close(&mut self, host: HostId, kind: OutageKind, now: Timestamp) -> Result<u64> {
        execute!(self, OUTAGE_CLOSE, host, kind, now)
    }

    /// Deletes one outage.
    pub async fn outage_remove(&mut self, host: HostId, kind: OutageKind, from_at: Timestamp) -> Result<()> {
        execute!(self, OUTAGE_REMOVE, host, kind, from_at)?;
        Ok(())
    }

    /// Returns outages of a host within a time range, newest first.
    pub async fn outage_list(
        &mut self,
        host: HostId,
        from: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Outage>> {
        all!(self, OUTAGE_LIST => Outage, host, from, until, i64::from(limit))
    }

    /// Deletes outages that ended before a time.
    pub async fn outage_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, OUTAGE_PRUNE, before, i64::from(limit))
    }
}
