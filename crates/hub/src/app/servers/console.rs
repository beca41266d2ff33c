//! The output of a server, by run and line.

use std::time::Duration;

use domain::{OrgId, RunId};
use proto::{
    api::server::{ConsolePage, ConsoleQuery},
    work::LogLine,
};
use store::{
    Tx,
    log::Chunk,
    server::{Server, ServerRun},
};

use crate::{
    Error, Hub, Result,
    app::jobs::log::{PAGE_BYTES, unfold},
};

/// Lines in one answer: default and maximum.
const LINES: u32 = 1_000;
const LINES_MAX: u32 = 10_000;
/// Chunks read per query.
const CHUNKS: u32 = 16;
/// Longest wait for new lines, in seconds, and the poll interval meanwhile, because another hub may receive the lines.
const WAIT_MAX: u64 = 30;
const ASK_EVERY: Duration = Duration::from_millis(250);

impl Hub {
    /// Returns lines of a server's output. With `wait`, waits up to that many seconds for the first line.
    ///
    /// # Errors
    /// Fails if the server or run does not exist in this organization.
    pub async fn server_console(&self, org: OrgId, text: &str, query: &ConsoleQuery) -> Result<ConsolePage> {
        let server = self.server_named(org, text).await?;
        let until = tokio::time::Instant::now() + Duration::from_secs(query.wait.unwrap_or(0).min(WAIT_MAX));
        loop {
            let (of, asked) = (server.clone(), query.clone());
            let (page, run) = self.store.read(move |tx| Box::pin(async move { page(tx, &of, &asked).await })).await?;
            let now = tokio::time::Instant::now();
            if !page.lines.is_empty() || page.is_complete || page.next_run.is_some() || now >= until {
                return Ok(page);
            }
            let most = ASK_EVERY.min(until - now);
            match run {
                Some(run) => self.queue.log_waiters.wait(run, most).await,
                None => tokio::time::sleep(most).await,
            }
        }
    }
}

async fn page(tx: &mut Tx<'_>, server: &Server, query: &ConsoleQuery) -> Result<(ConsolePage, Option<RunId>)> {
    let limit = query.limit.unwrap_or(LINES).clamp(1, LINES_MAX);
    let newest = tx.server_run_list(server.id, i32::MAX, 1).await?.pop();
    let run = match query.run {
        Some(no) => Some(tx.server_run_get(server.id, no).await?.ok_or_else(|| Error::not_found("run", no))?),
        None => newest.clone(),
    };
    let Some(run) = run else {
        let page = ConsolePage { run: 0, lines: Vec::new(), last: 0, is_complete: false, next_run: None };
        return Ok((page, None));
    };
    let last_kept = last_line(tx, &run).await?;
    let lines = match query.before {
        Some(before) => earlier(tx, &run, i64::try_from(before).unwrap_or(i64::MAX), limit).await?,
        None => {
            let after = match (query.after, query.tail) {
                (None, Some(tail)) => (last_kept - i64::from(tail)).max(0),
                (after, _) => i64::try_from(after.unwrap_or(0)).unwrap_or(i64::MAX),
            };
            later(tx, &run, after, limit).await?
        }
    };
    let last = lines.last().map_or(query.after.unwrap_or(0), |line| line.no);
    let is_last = query.before.is_none() && i64::try_from(last).unwrap_or(0) >= last_kept;
    let is_complete = run.finished_at.is_some() && is_last;
    let next_run = newest.map(|newest| newest.no).filter(|no| is_complete && *no > run.no).map(|_| run.no + 1);
    Ok((ConsolePage { run: run.no, lines, last, is_complete, next_run }, Some(run.id)))
}

/// Lines after a line number. A chunk may have only one line, so chunks are read until there are enough lines.
async fn later(tx: &mut Tx<'_>, run: &ServerRun, after: i64, limit: u32) -> Result<Vec<LogLine>> {
    let (mut lines, mut last, mut bytes) = (Vec::<LogLine>::new(), after, 0);
    while lines.len() < limit as usize && bytes < PAGE_BYTES {
        let chunks = chunks_from(tx, run, last + 1).await?;
        let Some(end) = chunks.last().map(|chunk| chunk.first_line + i64::from(chunk.lines) - 1) else { break };
        for chunk in chunks {
            bytes += i64::from(chunk.bytes);
            lines.extend(unfold(&chunk).into_iter().filter(|line| i64::try_from(line.no).unwrap_or(0) > last));
        }
        last = end.max(last + 1);
    }
    lines.truncate(limit as usize);
    Ok(lines)
}

/// The last lines before a line number.
async fn earlier(tx: &mut Tx<'_>, run: &ServerRun, before: i64, limit: u32) -> Result<Vec<LogLine>> {
    let (mut parts, mut count, mut first, mut bytes) = (Vec::new(), 0, before, 0);
    while count < limit as usize && bytes < PAGE_BYTES {
        let chunks = chunks_before(tx, run, first).await?;
        let Some(begin) = chunks.last().map(|chunk| chunk.first_line) else { break };
        for chunk in chunks {
            bytes += i64::from(chunk.bytes);
            let mut lines = unfold(&chunk);
            lines.retain(|line| i64::try_from(line.no).unwrap_or(i64::MAX) < first);
            count += lines.len();
            parts.push(lines);
        }
        first = begin;
    }
    let mut lines: Vec<LogLine> = parts.into_iter().rev().flatten().collect();
    let over = lines.len().saturating_sub(limit as usize);
    Ok(lines.split_off(over))
}

/// Whether the output was received over the runner link; otherwise it was replicated from the host.
async fn is_here(tx: &mut Tx<'_>, run: &ServerRun) -> Result<bool> {
    Ok(tx.log_last(run.id).await? > 0)
}

async fn chunks_from(tx: &mut Tx<'_>, run: &ServerRun, line: i64) -> Result<Vec<Chunk>> {
    Ok(if is_here(tx, run).await? {
        tx.log_from(run.id, line, CHUNKS).await?
    } else {
        tx.replicated_log_from(run.id, run.host_id, line, CHUNKS).await?
    })
}

async fn chunks_before(tx: &mut Tx<'_>, run: &ServerRun, line: i64) -> Result<Vec<Chunk>> {
    Ok(if is_here(tx, run).await? {
        tx.log_before(run.id, line, CHUNKS).await?
    } else {
        tx.replicated_log_before(run.id, run.host_id, line, CHUNKS).await?
    })
}

async fn last_line(tx: &mut Tx<'_>, run: &ServerRun) -> Result<i64> {
    let own = tx.log_last(run.id).await?;
    Ok(if own > 0 { own } else { tx.replicated_log_last(run.id, run.host_id).await? })
}
