//! The runner's journal of accepted runs, and the outbox of results that the hub has not confirmed.
//!
//! Recovery: a runner stores each step before it takes it. After a crash it reads the journal and inspects each run's
//! folder. A run in `starting` may have started even if its folder shows no process, because a power cut can lose the
//! last writes to the folder. After a reboot such a run counts as crashed: a run reported as not started is retried
//! without counting an attempt, and would then run twice. A result and the step `ended` are stored in one transaction,
//! so no result is lost.

use domain::{JobId, RunId, Timestamp, string_enum};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids, times},
    value::{Json, hex, id_texts},
};
use sqlx::types::Json as PgJson;

string_enum! {
    /// The step a run has reached, as far as it must survive a crash of the runner or a power cut.
    pub enum JournalState {
        /// Received from the hub; the process was not started.
        Accepted = "accepted",
        /// The process may have been started.
        Starting = "starting",
        /// The result is in the outbox.
        Ended = "ended",
    }
}

/// A run that the runner has accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub run_id: RunId,
    pub job_id: JobId,
    pub fence: i32,
    pub state: JournalState,
    /// Boot id of the machine when it reached this state.
    pub boot_id: String,
    pub grant: Value,
    pub accepted_at: Timestamp,
}

/// An outbox row: a result to send to the hub.
#[derive(Debug, Clone, PartialEq)]
pub struct OutboxEntry {
    pub seq: i64,
    pub run_id: RunId,
    pub body: Value,
}

struct Row {
    run_id: RunId,
    job_id: JobId,
    fence: i32,
    state: JournalState,
    boot_id: String,
    grant_body: Json<Value>,
    accepted_at: Timestamp,
}

/// A result that a hub has confirmed.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfirmedResult {
    pub job_id: JobId,
    pub fence: i32,
    pub body: Value,
}

struct DoneRow {
    job_id: JobId,
    fence: i32,
    body: Json<Value>,
}

impl From<DoneRow> for ConfirmedResult {
    fn from(row: DoneRow) -> Self {
        Self { job_id: row.job_id, fence: row.fence, body: row.body.0 }
    }
}

struct OutboxRow {
    seq: i64,
    run_id: RunId,
    body: Json<Value>,
}

struct JournalRunRow {
    run_id: RunId,
}

rows! {
    JournalRunRow { run_id }
    Row { run_id, job_id, fence, state, boot_id, grant_body, accepted_at }
    OutboxRow { seq, run_id, body }
    DoneRow { job_id, fence, body }
}

statements! {
    JOURNAL_ACCEPT = pair(
        "insert into journal (run_id, job_id, fence, state, boot_id, grant_body, accepted_at, source)
        select unhex(value ->> 0), unhex(value ->> 1), value ->> 2, 'accepted', value ->> 3, value -> 4, value ->> 5, $2
        from json_each($1) where true
        on conflict (run_id) do nothing",
        "insert into journal (run_id, job_id, fence, state, boot_id, grant_body, accepted_at, source)
        select x.run_id, x.job_id, x.fence, 'accepted', x.boot_id, x.body, x.at, $7
        from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::jsonb[], $6::timestamptz[])
            x (run_id, job_id, fence, boot_id, body, at)
        on conflict (run_id) do nothing"
    );
    JOURNAL_ADOPT = same("update journal set source = $1 where source = ''");
    OUTBOX_ADOPT = same("update outbox set source = $1 where source = ''");
    JOURNAL_STATE = pair(
        "update journal set state = $2, boot_id = $3 where run_id in (select unhex(value) from json_each($1))",
        "update journal set state = $2, boot_id = $3 where run_id = any ($1::uuid[])"
    );
    JOURNAL_ALL = same("
        select run_id, job_id, fence, state, boot_id, grant_body, accepted_at from journal
        where source = $1 order by accepted_at, run_id");
    JOURNAL_RUNS = same("select run_id from journal order by run_id");
    JOURNAL_FORGET = pair(
        "delete from journal where run_id in (select unhex(value) from json_each($1))",
        "delete from journal where run_id = any ($1::uuid[])"
    );
    OUTBOX_HEAD_FIRST = same("insert into outbox_head (id, seq) values (1, 0) on conflict do nothing");
    OUTBOX_HEAD = same("update outbox_head set seq = seq + $1 where id = 1 returning seq");
    OUTBOX_PUT = pair(
        "insert into outbox (seq, run_id, body, at, source)
        select value ->> 0, unhex(value ->> 1), value -> 2, value ->> 3, $2 from json_each($1)",
        "insert into outbox (seq, run_id, body, at, source)
        select x.*, $5 from unnest($1::bigint[], $2::uuid[], $3::jsonb[], $4::timestamptz[]) x"
    );
    OUTBOX_LIST = same("select seq, run_id, body from outbox where source = $1 and seq > $2 order by seq limit $3");
    // Deletes by the acknowledged number, so that results written meanwhile stay.
    OUTBOX_ACK_RUNS = same("
        delete from journal where state = 'ended' and run_id in (
            select run_id from outbox where source = $1 and seq <= $2)");
    OUTBOX_ACK = same("delete from outbox where source = $1 and seq <= $2");
    DONE_PUT = same("
        insert into done (source, job_id, fence, body, at)
        select o.source, j.job_id, j.fence, o.body, o.at from outbox o join journal j on j.run_id = o.run_id
        where o.source = $1 and o.seq <= $2 on conflict do nothing");
    DONE_FIND = pair(
        "select d.job_id, d.fence, d.body from json_each($2) x cross join done d
            on d.source = $1 and d.job_id = unhex(x.value ->> 0) and d.fence = x.value ->> 1",
        "select d.job_id, d.fence, d.body from unnest($2::uuid[], $3::int[]) x (job_id, fence)
        join done d on d.source = $1 and d.job_id = x.job_id and d.fence = x.fence"
    );
    DONE_LAST = same("select job_id, fence, body from done where source = $1 order by at desc limit $2");
    DONE_FORGET = same("delete from done where at < $1");
    DONE_FORGET_MANY = same("
        delete from done where source = $1 and at < (select min(at) from (
            select at from done where source = $1 order by at desc limit $2) kept)");
    OUTBOX_FORGET = pair(
        "delete from outbox where run_id in (select unhex(value) from json_each($1))",
        "delete from outbox where run_id = any ($1::uuid[])"
    );
    OUTBOX_DEPTH = same("select count(*) from outbox where source = $1");
}

impl Tx<'_> {
    /// Assigns entries without a hub to `source`: they were written before the runner supported several hubs.
    pub async fn journal_adopt(&mut self, source: &str) -> Result<()> {
        execute!(self, JOURNAL_ADOPT, source.to_owned())?;
        execute!(self, OUTBOX_ADOPT, source.to_owned())?;
        Ok(())
    }

    /// Inserts runs accepted from a hub. An existing entry is kept as it is.
    pub async fn journal_accept(&mut self, source: &str, entries: &[Entry]) -> Result<u64> {
        let e = entries;
        let row =
            |e: &Entry| json!([hex(e.run_id), hex(e.job_id), e.fence, e.boot_id, e.grant, e.accepted_at.as_micros()]);
        split_execute!(
            self,
            JOURNAL_ACCEPT,
            sqlite(Value::Array(e.iter().map(row).collect()).to_string(), source),
            postgres(
                ids(e, |e| e.run_id),
                ids(e, |e| e.job_id),
                column(e, |e| e.fence),
                column(e, |e| e.boot_id.as_str()),
                column(e, |e| PgJson(&e.grant)),
                times(e, |e| e.accepted_at),
                source,
            ),
        )
    }

    /// Stores the step that runs have reached.
    pub async fn journal_state(&mut self, runs: &[RunId], state: JournalState, boot_id: &str) -> Result<()> {
        split_execute!(
            self,
            JOURNAL_STATE,
            sqlite(id_texts(runs), state.as_str(), boot_id),
            postgres(ids(runs, |id| *id), state.as_str(), boot_id),
        )?;
        Ok(())
    }

    /// Returns all entries of a hub.
    pub async fn journal_all(&mut self, source: &str) -> Result<Vec<Entry>> {
        let rows = all!(self, JOURNAL_ALL => Row, source.to_owned())?;
        Ok(rows
            .into_iter()
            .map(|row| Entry {
                run_id: row.run_id,
                job_id: row.job_id,
                fence: row.fence,
                state: row.state,
                boot_id: row.boot_id,
                grant: row.grant_body.0,
                accepted_at: row.accepted_at,
            })
            .collect())
    }

    /// Returns the runs of all hubs in the journal.
    pub async fn journal_runs(&mut self) -> Result<Vec<RunId>> {
        Ok(all!(self, JOURNAL_RUNS => JournalRunRow)?.into_iter().map(|row| row.run_id).collect())
    }

    /// Deletes entries of runs that the hub no longer tracks.
    pub async fn journal_forget(&mut self, runs: &[RunId]) -> Result<u64> {
        split_execute!(self, JOURNAL_FORGET, sqlite(id_texts(runs)), postgres(ids(runs, |id| *id)))
    }

    /// Inserts results into the outbox, sets their runs to `ended`, and returns the last sequence number.
    pub async fn outbox_put(
        &mut self,
        source: &str,
        results: &[(RunId, Value)],
        boot_id: &str,
        now: Timestamp,
    ) -> Result<i64> {
        let count = i64::try_from(results.len()).unwrap_or(i64::MAX);
        execute!(self, OUTBOX_HEAD_FIRST)?;
        let last = value!(self, OUTBOX_HEAD => i64, count)?.ok_or(crate::Error::Dangling)?;
        let numbered: Vec<(i64, &RunId, &Value)> =
            (last - count + 1..).zip(results).map(|(seq, (run, body))| (seq, run, body)).collect();
        let rows = || {
            let row = |(seq, run, body): &(i64, &RunId, &Value)| json!([seq, hex(**run), body, now.as_micros()]);
            Value::Array(numbered.iter().map(row).collect()).to_string()
        };
        split_execute!(
            self,
            OUTBOX_PUT,
            sqlite(rows(), source),
            postgres(
                column(&numbered, |n| n.0),
                ids(&numbered, |n| *n.1),
                column(&numbered, |n| PgJson(n.2)),
                times(&numbered, |_| now),
                source,
            ),
        )?;
        let runs: Vec<RunId> = results.iter().map(|(run, _)| *run).collect();
        self.journal_state(&runs, JournalState::Ended, boot_id).await?;
        Ok(last)
    }

    /// Returns results for a hub after a sequence number, in order.
    pub async fn outbox_list(&mut self, source: &str, after: i64, limit: u32) -> Result<Vec<OutboxEntry>> {
        let rows = all!(self, OUTBOX_LIST => OutboxRow, source.to_owned(), after, i64::from(limit))?;
        Ok(rows.into_iter().map(|row| OutboxEntry { seq: row.seq, run_id: row.run_id, body: row.body.0 }).collect())
    }

    /// Deletes results that the hub has confirmed, with their journal entries. Keeps a copy in `done`, to answer a
    /// repeated grant.
    pub async fn outbox_ack(&mut self, source: &str, through: i64) -> Result<u64> {
        execute!(self, DONE_PUT, source.to_owned(), through)?;
        execute!(self, OUTBOX_ACK_RUNS, source.to_owned(), through)?;
        execute!(self, OUTBOX_ACK, source.to_owned(), through)
    }

    /// Returns results of these runs that the hub has confirmed before.
    pub async fn done_find(&mut self, source: &str, runs: &[(JobId, i32)]) -> Result<Vec<ConfirmedResult>> {
        let list = || Value::from_iter(runs.iter().map(|(job, fence)| json!([hex(*job), fence]))).to_string();
        let rows = split!(
            self, DONE_FIND => DoneRow,
            sqlite(source, list()),
            postgres(source, ids(runs, |run| run.0), column(runs, |run| run.1)),
        )?;
        Ok(rows.into_iter().map(ConfirmedResult::from).collect())
    }

    /// Returns the last results that the hub has confirmed.
    pub async fn done_last(&mut self, source: &str, limit: u32) -> Result<Vec<ConfirmedResult>> {
        let rows = all!(self, DONE_LAST => DoneRow, source.to_owned(), i64::from(limit))?;
        Ok(rows.into_iter().map(ConfirmedResult::from).collect())
    }

    /// Deletes confirmed results from before a time, and all but the last `kept` of a hub.
    pub async fn done_forget(&mut self, source: &str, before: Timestamp, kept: u32) -> Result<u64> {
        let old = execute!(self, DONE_FORGET, before)?;
        Ok(old + execute!(self, DONE_FORGET_MANY, source.to_owned(), i64::from(kept))?)
    }

    /// Deletes results of runs that the hub no longer tracks.
    pub async fn outbox_forget(&mut self, runs: &[RunId]) -> Result<u64> {
        split_execute!(self, OUTBOX_FORGET, sqlite(id_texts(runs)), postgres(ids(runs, |id| *id)))
    }

    /// Returns the number of results that the hub has not confirmed.
    pub async fn outbox_depth(&mut self, source: &str) -> Result<i64> {
        Ok(value!(self, OUTBOX_DEPTH => i64, source.to_owned())?.unwrap_or(0))
    }
}
