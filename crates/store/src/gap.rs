//! Times in which a host was not there.

use domain::{HostId, Timestamp, timeline::GapKind};

use crate::{Result, Tx};

/// A time in which a host was not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    pub host_id: HostId,
    pub kind: GapKind,
    pub from_at: Timestamp,
    /// `None` while it lasts.
    pub until_at: Option<Timestamp>,
    pub note: String,
}

rows! { Gap { host_id, kind, from_at, until_at, note } }

statements! {
    GAP_PUT = same("
        insert into host_gap (host_id, from_at, kind, until_at, note, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $6)
        on conflict (host_id, from_at, kind) do update
        set until_at = excluded.until_at, note = excluded.note, updated_at = excluded.updated_at");
    GAP_OPEN = same("
        select host_id, kind, from_at, until_at, note from host_gap where until_at is null order by host_id limit $1");
    GAP_CLOSE = same("
        update host_gap set until_at = $3, updated_at = $3 where host_id = $1 and kind = $2 and until_at is null");
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
    /// Notes a gap, or how it ended.
    pub async fn gap_put(&mut self, gap: &Gap, now: Timestamp) -> Result<()> {
        execute!(self, GAP_PUT, gap.host_id, gap.from_at, gap.kind, gap.until_at, gap.note.clone(), now)?;
        Ok(())
    }

    /// Gaps of all hosts that last.
    pub async fn gap_open(&mut self, limit: u32) -> Result<Vec<Gap>> {
        all!(self, GAP_OPEN => Gap, i64::from(limit))
    }

    /// The gaps of this kind of a host are over; says how many lasted.
    pub async fn gap_close(&mut self, host: HostId, kind: GapKind, now: Timestamp) -> Result<u64> {
        execute!(self, GAP_CLOSE, host, kind, now)
    }

    /// The gaps of a host within a time, newest first.
    pub async fn gap_list(&mut self, host: HostId, from: Timestamp, until: Timestamp, limit: u32) -> Result<Vec<Gap>> {
        all!(self, GAP_LIST => Gap, host, from, until, i64::from(limit))
    }

    /// Forgets gaps that were over before a time.
    pub async fn gap_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, GAP_PRUNE, before, i64::from(limit))
    }
}
