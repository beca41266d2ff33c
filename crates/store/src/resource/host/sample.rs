//! Measurements over time, one row per hour with a line per minute.

use domain::{HostId, HubId, Timestamp, series::SubjectId};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids, times},
    value::{hex, pg},
};

/// Lines of one hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    pub subject_id: SubjectId,
    pub hour_at: Timestamp,
    pub lines: String,
}

rows! { Sample { subject_id, hour_at, lines } }

statements! {
    SAMPLE_APPEND = pair(
        "insert into sample (subject_id, hour_at, hub_id, lines, created_at, updated_at)
        select unhex(value ->> 0), value ->> 1, $2, value ->> 2, $3, $3 from json_each($1) where true
        on conflict (subject_id, hour_at, hub_id) do update
        set lines = sample.lines || excluded.lines, updated_at = excluded.updated_at",
        "insert into sample (subject_id, hour_at, hub_id, lines, created_at, updated_at)
        select x.a, x.b, $4, x.c, $5, $5 from unnest($1::uuid[], $2::timestamptz[], $3::text[]) x (a, b, c)
        on conflict (subject_id, hour_at, hub_id) do update
        set lines = sample.lines || excluded.lines, updated_at = excluded.updated_at"
    );
    SAMPLE_LIST = same("
        select subject_id, hour_at, lines from sample
        where subject_id = $1 and hour_at >= $2 and hour_at < $3 order by hour_at limit $4");
    SAMPLE_FORGET = same("delete from sample where subject_id = $1");
    SAMPLE_PRUNE = pair(
        "delete from sample where (subject_id, hour_at, hub_id) in
            (select subject_id, hour_at, hub_id from sample where hour_at < $1 order by hour_at limit $2)",
        "delete from sample where ctid = any (array(select ctid from sample where hour_at < $1 order by hour_at limit $2))"
    );
}

impl Tx<'_> {
    /// Deletes all lines of a host.
    pub(crate) async fn sample_forget(&mut self, host: HostId) -> Result<u64> {
        execute!(self, SAMPLE_FORGET, SubjectId::of(host))
    }

    /// Appends lines to hours. Each subject and hour may occur once per call.
    pub async fn sample_append(&mut self, hub: HubId, samples: &[Sample], now: Timestamp) -> Result<()> {
        if samples.is_empty() {
            return Ok(());
        }
        let s = samples;
        let row = |s: &Sample| json!([hex(s.subject_id), s.hour_at.as_micros(), s.lines]);
        split_execute!(
            self,
            SAMPLE_APPEND,
            sqlite(Value::Array(s.iter().map(row).collect()).to_string(), hub.to_bytes().to_vec(), now.as_micros()),
            postgres(
                ids(s, |s| s.subject_id),
                times(s, |s| s.hour_at),
                column(s, |s| s.lines.as_str()),
                pg::Uuid(hub.to_bytes()),
                pg::Instant(now.as_micros()),
            ),
        )?;
        Ok(())
    }

    /// Returns the hours of a subject from `from` to before `before`, of all hubs.
    pub async fn sample_list(
        &mut self,
        subject: SubjectId,
        from: Timestamp,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<Sample>> {
        all!(self, SAMPLE_LIST => Sample, subject, from, before, i64::from(limit))
    }

    /// Deletes hours before a time.
    pub async fn sample_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, SAMPLE_PRUNE, before, i64::from(limit))
    }
}
