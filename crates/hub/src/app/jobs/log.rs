//! The log of runs, by line.

use std::time::Duration;

use domain::{JobId, OrgId, RunId, Span, Timestamp};
use proto::{
    api::job::{LogPage, LogQuery},
    work::{LogLine, Stream},
};
use store::{
    Tx,
    job::{JobNow, Run},
    log::Chunk,
};

use crate::{Error, Hub, Result};

/// Lines in one answer: default and maximum.
const LINES: u32 = 2_000;
const LINES_MAX: u32 = 10_000;
/// Chunks read per query.
const CHUNKS: u32 = 16;
/// Longest wait for new lines, in seconds, and how often the store is read meanwhile, because another hub may
/// receive the lines.
const WAIT_MAX: u64 = 30;
const ASK_EVERY: Duration = Duration::from_millis(500);
/// How long after the end of a run its last lines may still arrive: lines and result are sent separately.
const ARRIVE: Span = Span::from_secs(20);
/// Chunks at the end of a log that are searched for the last lines.
const CHUNKS_LAST: u32 = 8;

/// Uncompressed size at which an answer ends: a chunk has up to two megabytes, and an answer should not have more than one
/// or two of that size.
pub(crate) const PAGE_BYTES: i64 = 1024 * 1024;

/// The lines of a chunk. A chunk that cannot be read becomes one line that says so, so that the others stay readable.
pub(crate) fn unfold(chunk: &Chunk) -> Vec<LogLine> {
    proto::work::unfold(&chunk.body).unwrap_or_else(|error| {
        tracing::warn!(run.id = %chunk.run_id, line = chunk.first_line, error = %error, "cannot read output lines");
        let first = u64::try_from(chunk.first_line).unwrap_or(0);
        let text = format!("{} lines of output cannot be read", chunk.lines);
        vec![LogLine::system(first, chunk.at, text)]
    })
}

impl Hub {
    /// Returns lines of a job's run. With `wait`, waits up to that many seconds for the first line.
    ///
    /// # Errors
    /// Fails if the job or run does not exist in this organization.
    pub async fn job_log(&self, org: OrgId, text: &str, query: &LogQuery) -> Result<LogPage> {
        let id = self.job_id(org, text).await?;
        let limit = query.limit.unwrap_or(LINES).clamp(1, LINES_MAX);
        let until = tokio::time::Instant::now() + Duration::from_secs(query.wait.unwrap_or(0).min(WAIT_MAX));
        loop {
            let page = self.log_page(org, id, query, limit).await?;
            let now = tokio::time::Instant::now();
            if !page.0.lines.is_empty() || page.0.is_complete || now >= until {
                return Ok(page.0);
            }
            let most = ASK_EVERY.min(until - now);
            match page.1 {
                Some(run) => self.queue.log_waiters.wait(run, most).await,
                None => tokio::time::sleep(most).await,
            }
        }
    }

    async fn log_page(&self, org: OrgId, id: JobId, query: &LogQuery, limit: u32) -> Result<(LogPage, Option<RunId>)> {
        let (attempt, after, tail, now) = (query.attempt, query.after, query.tail, self.now());
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let job = tx.job_get(org, id).await?.ok_or_else(|| Error::not_found("job", id))?;
                    let runs = tx.runs_of_job(org, id).await?;
                    let run = match attempt {
                        Some(no) => {
                            Some(runs.iter().find(|run| run.no == no).ok_or_else(|| Error::not_found("run", no))?)
                        }
                        None => runs.last(),
                    };
                    let Some(run) = run else {
                        let page = LogPage {
                            attempt: 0,
                            lines: Vec::new(),
                            last: after.unwrap_or(0),
                            is_complete: job.status.is_over(),
                        };
                        return Ok((page, None));
                    };
                    let from = match (after, tail) {
                        (None, Some(tail)) => (log_last(tx, &job, run.id).await? - i64::from(tail)).max(0),
                        (after, _) => i64::try_from(after.unwrap_or(0)).unwrap_or(i64::MAX),
                    };
                    let (mut lines, mut bytes) = (Vec::new(), 0);
                    let chunks = match job.origin {
                        None => tx.log_from(run.id, from + 1, CHUNKS).await?,
                        Some(origin) => tx.replicated_log_from(run.id, origin, from + 1, CHUNKS).await?,
                    };
                    for chunk in chunks {
                        lines.extend(
                            unfold(&chunk).into_iter().filter(|line| i64::try_from(line.no).unwrap_or(0) > from),
                        );
                        bytes += i64::from(chunk.bytes);
                        if lines.len() >= limit as usize || bytes >= PAGE_BYTES {
                            break;
                        }
                    }
                    lines.truncate(limit as usize);
                    let last = lines.last().map_or(u64::try_from(from).unwrap_or(0), |line: &LogLine| line.no);
                    let is_last = i64::try_from(last).unwrap_or(0) >= log_last(tx, &job, run.id).await?;
                    let is_complete = is_last && has_arrived(tx, &job, run, now).await?;
                    Ok((LogPage { attempt: run.no, lines, last, is_complete }, Some(run.id)))
                })
            })
            .await
    }
}

/// The number of the last stored line of a run.
async fn log_last(tx: &mut Tx<'_>, job: &JobNow, run: RunId) -> Result<i64> {
    Ok(match job.origin {
        None => tx.log_last(run).await?,
        Some(origin) => tx.replicated_log_last(run, origin).await?,
    })
}

/// Whether a run has ended and its last lines, known from the tails in its result, have been stored.
async fn has_arrived(tx: &mut Tx<'_>, job: &JobNow, run: &Run, now: Timestamp) -> Result<bool> {
    let Some(finished_at) = run.finished_at else { return Ok(false) };
    // A worker process sends tails but no lines. It has no pid here, so do not wait for lines.
    if run.pid.is_none() || now.since(finished_at) > ARRIVE {
        return Ok(true);
    }
    let chunks = match job.origin {
        None => tx.log_before(run.id, i64::MAX, CHUNKS_LAST).await?,
        Some(origin) => tx.replicated_log_before(run.id, origin, i64::MAX, CHUNKS_LAST).await?,
    };
    let is_whole = chunks.len() < CHUNKS_LAST as usize;
    let mut lines = Vec::new();
    for chunk in chunks.iter().rev() {
        lines.extend(unfold(chunk));
    }
    let tails = [(Stream::Stdout, &run.stdout_tail), (Stream::Stderr, &run.stderr_tail)];
    Ok(tails.into_iter().all(|(stream, tail)| has_end(&lines, is_whole, stream, tail.as_deref().unwrap_or_default())))
}

/// Whether `lines`, the last ones stored, include the end of a stream's tail. If they are not the whole log, a stream
/// absent from them ended earlier and counts as complete.
fn has_end(lines: &[LogLine], is_whole: bool, stream: Stream, tail: &str) -> bool {
    let Some(end) = tail.lines().last() else { return true };
    match lines.iter().rfind(|line| line.stream == stream) {
        // The tail may start in the middle of this line.
        Some(line) => line.text.ends_with(end),
        None => !is_whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(no: u64, stream: Stream, text: &str) -> LogLine {
        LogLine { no, at: Timestamp::from_micros(0), stream, text: text.to_owned(), is_cut: false }
    }

    #[test]
    fn log_is_complete_once_its_tails_have_arrived() {
        let lines =
            [line(1, Stream::Stderr, "warn"), line(2, Stream::Stdout, "a long line"), line(3, Stream::System, "x")];
        for (stream, tail, has) in [
            (Stream::Stdout, "", true),
            (Stream::Stdout, "before\na long line\n", true),
            (Stream::Stdout, "long line", true),
            (Stream::Stdout, "a long line\nand one more\n", false),
            (Stream::Stderr, "warn\n", true),
            (Stream::Stderr, "warn\nfailed\n", false),
        ] {
            assert_eq!(has_end(&lines, true, stream, tail), has, "{stream} {tail:?}");
        }
        assert!(!has_end(&[], true, Stream::Stdout, "hello\n"), "no line has arrived");
        assert!(has_end(&lines[1..], false, Stream::Stderr, "warn\n"), "the end arrived in an earlier chunk");
    }
}
