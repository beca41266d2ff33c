//! Following a job until it ends: output lines and progress.

use std::{io::IsTerminal as _, time::Duration};

use serde_json::Value;

use crate::{
    client::Client,
    fail::{Failure, Result},
    globals::Globals,
    messages,
    output::{self, text},
};

/// How long the hub may hold a request for log lines (long poll).
const WAIT_SECONDS: u64 = 5;
/// Poll interval while the job is queued.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// How output is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Stdout of the command to stdout, stderr to stderr.
    Plain,
    /// Like `Plain`, with a progress bar and the reason for waiting.
    Live,
    /// With time and stream before each line.
    Marked,
    /// No output.
    Silent,
}

/// A job that is followed.
pub(crate) struct Follow<'a> {
    pub(crate) client: &'a Client,
    pub(crate) globals: &'a Globals,
    pub(crate) style: Style,
}

fn has_ended(job: &Value) -> bool {
    !matches!(text(job, "status").as_str(), "queued" | "running")
}

impl Follow<'_> {
    /// Follows a job through all its runs until it ends, and returns it. Ctrl-C ends the wait, not the job.
    pub(crate) async fn follow_until_end(&self, id: &str) -> Result<Value> {
        tokio::select! {
            ended = self.all_runs(id) => ended,
            _ = tokio::signal::ctrl_c() => Err(Failure::interrupted(format!(
                "stopped waiting; job {id} continues; cancel it with `hostler cancel {id}`"
            ))),
        }
    }

    async fn all_runs(&self, id: &str) -> Result<Value> {
        let (mut attempt, mut printed) = (0, String::new());
        loop {
            let job = self.client.get(&format!("/jobs/{id}")).await?;
            let last = job.get("attempt_count").and_then(Value::as_i64).unwrap_or(0);
            if last > attempt {
                attempt = last;
                self.run(id, attempt).await?;
                continue;
            }
            if has_ended(&job) {
                return Ok(job);
            }
            let why = text(&job, "why.text");
            if self.style == Style::Live && why != printed && text(&job, "status") == "queued" {
                messages::note(self.globals, format!("  {why}"));
                printed = why;
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Prints the output of one run until it is complete.
    async fn run(&self, id: &str, attempt: i64) -> Result<()> {
        let mut after = 0;
        loop {
            let path = format!("/jobs/{id}/logs?attempt={attempt}&after={after}&wait={WAIT_SECONDS}");
            let page = self.client.get(&path).await?;
            for line in page.get("lines").and_then(Value::as_array).into_iter().flatten() {
                self.line(line);
            }
            after = page.get("last").and_then(Value::as_u64).unwrap_or(after);
            if page.get("is_complete").and_then(Value::as_bool) == Some(true) {
                return self.print_rest(id, attempt, after).await;
            }
        }
    }

    /// Reads the log again after the run is complete, because its last lines may arrive after its result.
    async fn print_rest(&self, id: &str, attempt: i64, after: u64) -> Result<()> {
        let page = self.client.get(&format!("/jobs/{id}/logs?attempt={attempt}&after={after}")).await?;
        for line in page.get("lines").and_then(Value::as_array).into_iter().flatten() {
            self.line(line);
        }
        Ok(())
    }

    /// Prints one line in the chosen style.
    pub(crate) fn line(&self, line: &Value) {
        let (stream, content) = (text(line, "stream"), text(line, "text"));
        if self.style == Style::Live
            && let Some(progress) = progress(&content)
        {
            return bar(progress.0, &progress.1);
        }
        match self.style {
            Style::Silent => {}
            Style::Marked => output::line(&format!("{} {stream:<3} {content}", output::log_time(&text(line, "at")))),
            Style::Plain | Style::Live if stream == "out" => output::line(&content),
            Style::Plain | Style::Live => output::terminal::error_line(&content),
        }
    }
}

/// Parses a `::progress PERCENT MESSAGE` line.
fn progress(line: &str) -> Option<(u8, String)> {
    let rest = line.strip_prefix("::progress ")?;
    let (percent, message) = rest.split_once(' ').unwrap_or((rest, ""));
    Some((percent.parse::<u8>().ok()?.min(100), message.to_owned()))
}

/// Draws a progress bar: in place on a terminal, as a line elsewhere.
fn bar(percent: u8, message: &str) {
    let filled = usize::from(percent) / 5;
    let drawn = format!("[{}{}] {percent:>3} % {message}", "█".repeat(filled), "░".repeat(20 - filled));
    if std::io::stderr().is_terminal() {
        output::terminal::replace_line(&drawn);
        if percent == 100 {
            output::terminal::error_line("");
        }
    } else {
        output::terminal::error_line(&drawn);
    }
}
