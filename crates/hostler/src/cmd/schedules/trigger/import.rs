//! `hostler trigger import`: import of crontabs, line by line.

use std::{io::Read as _, process::ExitCode};

use clap::Args;
use domain::crontab::{
    self, CrontabKind,
    import::{Fate, Import, ImportedJob, LineResult},
};
use reqwest::Method;
use serde_json::{Value, json};

use super::{ROUTE, is_table};
use crate::{
    client::Client,
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    messages,
    output::{self, text},
};

/// Maximum number of bytes read from the file, far above the size of real crontabs.
const BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Import a crontab
#[derive(Args)]
pub(crate) struct ImportArgs {
    /// Crontab file, or - for stdin, as in `crontab -l | hostler trigger import -`
    file: String,
    /// The file is a system crontab such as /etc/crontab, with a user name before each command
    #[arg(long)]
    system: bool,
    /// Host of the crontab; the jobs run there
    #[arg(long, value_name = "HOST")]
    on: Option<String>,
    /// Time zone of lines without CRON_TZ [default: the org's time zone]
    #[arg(long, value_name = "ZONE")]
    tz: Option<String>,
    /// Create a definition and a trigger for each supported line
    #[arg(long)]
    apply: bool,
}

pub(super) async fn import(globals: &Globals, args: &ImportArgs) -> Result<ExitCode> {
    let kind = if args.system { CrontabKind::System } else { CrontabKind::User };
    let import = Import { host: args.on.clone(), zone: args.tz.clone(), now: runtime::clock::wall() };
    let lines = crontab::read(&read(&args.file)?, kind);
    let results: Vec<LineResult> = lines.into_iter().map(|line| import.judge(line)).collect();
    report(globals, &results)?;
    let jobs = results.iter().filter(|result| !matches!(result.fate, Fate::Variable { .. })).count();
    let ready: Vec<&ImportedJob> = results
        .iter()
        .filter_map(|result| match &result.fate {
            Fate::Ready(job) => Some(job.as_ref()),
            _ => None,
        })
        .collect();
    if results.iter().any(|result| matches!(result.fate, Fate::NeedsShell { .. })) {
        messages::note(globals, "move commands that need a shell into a script, and call the script in the crontab");
    }
    if !args.apply {
        let add = if ready.is_empty() { "" } else { "; add --apply to import them" };
        messages::note(globals, format!("{} of {} can be imported{add}", ready.len(), output::count(jobs, "line")));
        return Ok(ExitCode::SUCCESS);
    }
    if globals.dry_run {
        messages::note(globals, format!("would import {} of {}", ready.len(), output::count(jobs, "line")));
        return Ok(ExitCode::from(if ready.is_empty() { 0 } else { CHANGES_PENDING }));
    }
    let client = Client::new(globals)?;
    let existing = client.list(ROUTE).await?;
    for job in &ready {
        import_job(globals, &client, &existing, job).await?;
    }
    messages::done(globals, format!("imported {} of {}", ready.len(), output::count(jobs, "line")));
    if !ready.is_empty() {
        messages::note(globals, "  remove these lines from the crontab, or the commands run twice");
    }
    Ok(ExitCode::SUCCESS)
}

fn read(file: &str) -> Result<String> {
    let unreadable = |error: std::io::Error| Failure::usage(format!("cannot read {file}")).because(&error);
    let mut bytes = Vec::new();
    if file == "-" {
        std::io::stdin().take(BYTES_MAX).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        let opened = std::fs::File::open(file).map_err(unreadable)?;
        opened.take(BYTES_MAX).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn report(globals: &Globals, results: &[LineResult]) -> Result<()> {
    if !is_table(globals) {
        let all = results.iter().map(|result| json!(result)).collect();
        return output::list(globals, all, "line", &[]);
    }
    for LineResult { line: number, fate } in results {
        output::line(&match fate {
            Fate::Ready(job) => {
                let user = job.user.as_ref().map(|user| format!(" (runs as the runner's user, not as {user})"));
                format!("line {number}: ✓ {}: {}{}", job.when, job.command, user.unwrap_or_default())
            }
            Fate::NeedsShell { command, reason } => format!("line {number}: ! needs a shell, {reason}: {command}"),
            Fate::NotUnderstood { reason } => format!("line {number}: ✕ {reason}"),
            Fate::Variable { name, value } => {
                format!("line {number}: · variable {name}={value}{}", variable_note(name))
            }
        });
    }
    Ok(())
}

/// How the import treats a variable.
fn variable_note(name: &str) -> &'static str {
    match name {
        "CRON_TZ" | "TZ" => ": time zone of the lines below",
        _ => ": not imported; set it in a script, or pass it with env_allow of the definition",
    }
}

/// Creates the definition and the trigger of a line, or updates those of an earlier import.
async fn import_job(globals: &Globals, client: &Client, existing: &[Value], job: &ImportedJob) -> Result<()> {
    client.send(Method::POST, "/api/v1/admin/jobs/definitions", Some(&job.definition)).await?;
    let key = text(&job.definition, "key");
    let earlier = existing.iter().find(|trigger| text(trigger, "definition_key") == key);
    match earlier {
        Some(trigger) => {
            let path = client.path(&format!("{ROUTE}/{}", text(trigger, "id")));
            client.send(Method::PATCH, &path, Some(&job.trigger)).await?;
            messages::note(globals, format!("~ {} ({key})", job.label));
        }
        None => {
            client.send(Method::POST, &client.path(ROUTE), Some(&job.trigger)).await?;
            messages::note(globals, format!("+ {} ({key})", job.label));
        }
    }
    Ok(())
}
