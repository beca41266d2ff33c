//! Output of runs, in chunks as received.

use domain::{HostSender, RunId, Timestamp};

use crate::{Result, Tx};

/// A compressed chunk of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    pub run_id: RunId,
    /// Number of the first line; lines count from 1.
    pub first_line: i64,
    pub lines: i32,
    /// Size before compression.
    pub bytes: i32,
    pub body: Vec<u8>,
    pub at: Timestamp,
}

/// Size of the chunk that marks the end of a log whose budget was used up.
pub const CUT_BYTES: i32 = 0;

/// The stored part of a run's output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogState {
    /// Number of the last line.
    pub last: i64,
    pub bytes: u64,
    /// Whether its last chunk marks that the budget was used up.
    pub is_cut: bool,
}

struct LogStateRow {
    last: i64,
    bytes: i64,
    is_cut: bool,
}

rows! { LogStateRow { last, bytes, is_cut } Chunk { run_id, first_line, lines, bytes, body, at } }

statements! {
    // A chunk that is received again is ignored.
    LOG_INSERT = same("
        insert into log_chunk (run_id, first_line, lines, bytes, body, at) values ($1, $2, $3, $4, $5, $6)
        on conflict (run_id, first_line) do nothing");
    LOG_FROM = same("
        select run_id, first_line, lines, bytes, body, at from log_chunk
        where run_id = $1 and first_line + lines > $2
        order by first_line limit $3");
    LOG_STATE = pair(
        "select coalesce(max(first_line + lines - 1), 0) as last, coalesce(sum(bytes), 0) as bytes,
            coalesce(min(bytes) = 0, 0) as is_cut
        from log_chunk where run_id = $1",
        "select coalesce(max(first_line + lines - 1), 0) as last, coalesce(sum(bytes), 0)::bigint as bytes,
            coalesce(min(bytes) = 0, false) as is_cut
        from log_chunk where run_id = $1"
    );
    LOG_LAST = same("select coalesce(max(first_line + lines - 1), 0) from log_chunk where run_id = $1");
    HOST_LOG_ADD = same("
        insert into host_log_day (host_id, day_at, bytes, created_at, updated_at)
        select h.id, $2, $3, $4, $4 from host h where h.id = $1
        on conflict (host_id, day_at) do update
        set bytes = host_log_day.bytes + excluded.bytes, updated_at = excluded.updated_at
        returning bytes");
    HOST_LOG_PRUNE = same("delete from host_log_day where day_at < $1");
    LOG_BEFORE = same("
        select run_id, first_line, lines, bytes, body, at from log_chunk
        where run_id = $1 and first_line < $2
        order by first_line desc limit $3");
}

impl Tx<'_> {
    /// The stored part of a run's output.
    pub async fn log_state(&mut self, run: RunId) -> Result<LogState> {
        let row = one!(self, LOG_STATE => LogStateRow, run)?;
        Ok(row.map_or_else(LogState::default, |row| LogState {
            last: row.last,
            bytes: u64::try_from(row.bytes).unwrap_or(0),
            is_cut: row.is_cut,
        }))
    }

    /// Adds output to the total of a host's day, and returns the total.
    pub async fn host_log_add(
        &mut self,
        sender: HostSender,
        day: Timestamp,
        bytes: u64,
        now: Timestamp,
    ) -> Result<u64> {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let total = value!(self, HOST_LOG_ADD => i64, sender.host(), day, bytes, now)?;
        Ok(total.map_or(0, |total| u64::try_from(total).unwrap_or(0)))
    }

    /// Deletes the totals of days before a time.
    pub async fn host_log_prune(&mut self, before: Timestamp) -> Result<u64> {
        execute!(self, HOST_LOG_PRUNE, before)
    }

    /// Inserts chunks of output.
    pub async fn log_insert(&mut self, chunks: &[Chunk]) -> Result<()> {
        for c in chunks {
            execute!(self, LOG_INSERT, c.run_id, c.first_line, c.lines, c.bytes, c.body.clone(), c.at)?;
        }
        Ok(())
    }

    /// Returns the chunk with this line and the chunks after it.
    pub async fn log_from(&mut self, run: RunId, line: i64, limit: u32) -> Result<Vec<Chunk>> {
        all!(self, LOG_FROM => Chunk, run, line, i64::from(limit))
    }

    /// Returns the chunks that start before this line, last first.
    pub async fn log_before(&mut self, run: RunId, line: i64, limit: u32) -> Result<Vec<Chunk>> {
        all!(self, LOG_BEFORE => Chunk, run, line, i64::from(limit))
    }

    /// Returns the number of the last stored line; 0 if there is none.
    pub async fn log_last(&mut self, run: RunId) -> Result<i64> {
        Ok(value!(self, LOG_LAST => i64, run)?.unwrap_or(0))
    }
}
