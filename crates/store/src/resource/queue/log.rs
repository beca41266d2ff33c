//! Output of runs, in chunks as received.

use domain::{HolderId, JobId, RunId, Timestamp};

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

rows! { Chunk { run_id, first_line, lines, bytes, body, at } }

statements! {
    // A chunk that is received again is ignored.
    LOG_INSERT = same("
        insert into log_chunk (run_id, first_line, lines, bytes, body, at) values ($1, $2, $3, $4, $5, $6)
        on conflict (run_id, first_line) do nothing");
    LOG_FROM = same("
        select run_id, first_line, lines, bytes, body, at from log_chunk
        where run_id = $1 and first_line + lines > $2
        order by first_line limit $3");
    LOG_LAST = same("select coalesce(max(first_line + lines - 1), 0) from log_chunk where run_id = $1");
    LOG_IS_OF = same("
        select 1 from lease where job_id = $1 and fence = $2 and run_id = $3 and holder_id = $4
        union all
        select 1 from run where job_id = $1 and no = $2 and id = $3 and holder_id = $4
        limit 1");
    LOG_BEFORE = same("
        select run_id, first_line, lines, bytes, body, at from log_chunk
        where run_id = $1 and first_line < $2
        order by first_line desc limit $3");
}

impl Tx<'_> {
    /// Whether a run belongs or belonged to this holder.
    pub async fn log_is_of(&mut self, job: JobId, fence: i32, run: RunId, holder: HolderId) -> Result<bool> {
        Ok(value!(self, LOG_IS_OF => i32, job, fence, run, holder)?.is_some())
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
