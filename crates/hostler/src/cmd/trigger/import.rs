//! Crontabs: what each line means here, and taking them over.

use std::{io::Read as _, process::ExitCode};

use clap::Args;
use domain::{
    crontab::{self, Content, CrontabJob, CrontabKind, Start},
    definition::Definition,
    schedule::Schedule,
};
use reqwest::Method;
use serde_json::{Value, json};

use super::{ROUTE, is_table};
use crate::{
    cli::Globals,
    client::Client,
    fail::{CHANGES_PENDING, Failure, Result},
    output::{self, text},
    say,
};

/// The most of a file that is read: far more than the longest crontab has.
const BYTES_MAX: u64 = 16 * 1024 * 1024;
/// The longest part of a key that comes from the name of a program.
const SLUG_MAX: usize = 40;
/// cron ends nothing, so the longest a definition may run is a day and not an hour.
const TIMEOUT_SECONDS: u32 = 86_400;
/// Two literal braces, as definitions write them.
const BRACES: &str = "{{ \"{{\" }}";

/// Read a crontab
#[derive(Args)]
pub(crate) struct ImportArgs {
    /// A crontab, or - for stdin, as in crontab -l | hostler trigger import -
    file: String,
    /// It is the machine's own, as in /etc/crontab: a user stands before each command
    #[arg(long)]
    system: bool,
    /// The machine it is from: its jobs run there
    #[arg(long, value_name = "HOST")]
    on: Option<String>,
    /// The zone of lines without CRON_TZ; the org's unless said
    #[arg(long, value_name = "ZONE")]
    tz: Option<String>,
    /// Make a definition and a trigger of each line that is understood
    #[arg(long)]
    apply: bool,
}

/// What becomes of one line.
struct Verdict {
    number: usize,
    kind: Kind,
}

enum Kind {
    /// It can be taken over.
    Ready(Box<Taken>),
    /// A shell has to start it.
    Shell { command: String, reason: String },
    /// It cannot.
    Refused(String),
    /// A variable.
    Variable { name: String, value: String },
}

/// A line that can be taken over.
struct Taken {
    label: String,
    words: String,
    command: String,
    user: Option<String>,
    definition: Value,
    trigger: Value,
}

pub(super) async fn import(globals: &Globals, args: &ImportArgs) -> Result<ExitCode> {
    let kind = if args.system { CrontabKind::System } else { CrontabKind::User };
    let lines = crontab::read(&read(&args.file)?, kind);
    let verdicts: Vec<Verdict> = lines
        .into_iter()
        .map(|line| Verdict { number: line.number, kind: judge(args, line.number, line.content) })
        .collect();
    report(globals, &verdicts)?;
    let jobs = verdicts.iter().filter(|verdict| !matches!(verdict.kind, Kind::Variable { .. })).count();
    let ready: Vec<&Taken> = verdicts
        .iter()
        .filter_map(|verdict| match &verdict.kind {
            Kind::Ready(taken) => Some(taken.as_ref()),
            _ => None,
        })
        .collect();
    if verdicts.iter().any(|verdict| matches!(verdict.kind, Kind::Shell { .. })) {
        say::note(globals, "put what needs a shell into a script, and name the script in the crontab");
    }
    if !args.apply {
        let add = if ready.is_empty() { "" } else { "; add --apply to take them over" };
        say::note(globals, format!("{} of {jobs} lines can be taken over{add}", ready.len()));
        return Ok(ExitCode::SUCCESS);
    }
    if globals.dry_run {
        say::note(globals, format!("would take over {} of {jobs} lines", ready.len()));
        return Ok(ExitCode::from(if ready.is_empty() { 0 } else { CHANGES_PENDING }));
    }
    let client = Client::new(globals)?;
    let known = client.list(ROUTE).await?;
    for taken in &ready {
        take(globals, &client, &known, taken).await?;
    }
    say::done(globals, format!("{} of {jobs} lines were taken over", ready.len()));
    if !ready.is_empty() {
        say::note(globals, "  take them out of the crontab, or they run twice");
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

fn judge(args: &ImportArgs, number: usize, content: Content) -> Kind {
    let job = match content {
        Content::Job(job) => job,
        Content::Variable { name, value } => return Kind::Variable { name, value },
        Content::NotUnderstood(reason) => return Kind::Refused(reason),
    };
    match &job.start {
        Start::Shell(reason) => Kind::Shell { command: job.command.clone(), reason: reason.clone() },
        Start::Argv(argv) => {
            taken(args, number, &job, argv).map_or_else(Kind::Refused, |taken| Kind::Ready(Box::new(taken)))
        }
    }
}

/// The definition and the trigger of a line, checked as far as that is possible without a hub.
fn taken(args: &ImportArgs, number: usize, job: &CrontabJob, argv: &[String]) -> Result<Taken, String> {
    let key = format!("cron-{}-{number}", slug(&argv[0]));
    let zone = job.zone.as_ref().or(args.tz.as_ref());
    let schedule = Schedule::parse(&job.expression, zone.map_or("UTC", String::as_str), &key, runtime::clock::wall())
        .map_err(|refused| refused.to_string())?;
    let argv: Vec<String> = argv.iter().map(|word| word.replace("{{", BRACES)).collect();
    let mut definition = json!({
        "key": key, "argv": argv, "timeout_seconds": TIMEOUT_SECONDS,
        // cron tries once; what is not made for a second try must not get one.
        "max_attempts": 1,
        "arg_schema": {"type": "object", "additionalProperties": false},
    });
    definition["description"] = json!(format!("From line {number} of a crontab."));
    Definition::from_fields(definition.clone()).map_err(|faults| {
        let all: Vec<String> = faults.iter().map(|fault| format!("{} {}", fault.pointer, fault.detail)).collect();
        all.join("; ")
    })?;
    let label = job.label.clone().unwrap_or_else(|| key.clone());
    let mut trigger = json!({"label": label, "definition_key": key, "cron_expr": job.expression});
    if let Some(zone) = zone {
        trigger["timezone"] = json!(zone);
    }
    if let Some(host) = &args.on {
        trigger["target"] = json!({"host": host});
    }
    let zone = zone.map(|zone| format!(" in {zone}")).unwrap_or_default();
    let words = format!("{}{zone}", schedule.describe());
    Ok(Taken { label, words, command: job.command.clone(), user: job.user.clone(), definition, trigger })
}

/// The name of a program as part of a key.
fn slug(program: &str) -> String {
    let name = program.rsplit('/').next().unwrap_or(program).to_ascii_lowercase();
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-");
    let short: String = slug.chars().take(SLUG_MAX).collect();
    if short.is_empty() { "job".to_owned() } else { short.trim_end_matches('-').to_owned() }
}

fn report(globals: &Globals, verdicts: &[Verdict]) -> Result<()> {
    if !is_table(globals) {
        let all = verdicts.iter().map(as_json).collect();
        return output::list(globals, all, "line", &[]);
    }
    for Verdict { number, kind } in verdicts {
        output::line(&match kind {
            Kind::Ready(taken) => {
                let user = taken.user.as_ref().map(|user| format!(" (was run as {user}; here as the runner's user)"));
                format!("line {number}: ✓ {}: {}{}", taken.words, taken.command, user.unwrap_or_default())
            }
            Kind::Shell { command, reason } => format!("line {number}: ! needs a shell, {reason}: {command}"),
            Kind::Refused(reason) => format!("line {number}: ✕ {reason}"),
            Kind::Variable { name, value } => format!("line {number}: · variable {name}={value}{}", said_of(name)),
        });
    }
    Ok(())
}

/// What becomes of a variable.
fn said_of(name: &str) -> &'static str {
    match name {
        "CRON_TZ" | "TZ" => ": the zone of the lines below",
        _ => ": not taken over; a definition's env_allow or a script sets it",
    }
}

fn as_json(verdict: &Verdict) -> Value {
    let line = verdict.number;
    match &verdict.kind {
        Kind::Ready(taken) => json!({"line": line, "verdict": "ready", "when": taken.words, "command": taken.command,
            "user": taken.user, "definition": taken.definition, "trigger": taken.trigger}),
        Kind::Shell { command, reason } => {
            json!({"line": line, "verdict": "needs_shell", "command": command, "reason": reason})
        }
        Kind::Refused(reason) => json!({"line": line, "verdict": "not_understood", "reason": reason}),
        Kind::Variable { name, value } => json!({"line": line, "verdict": "variable", "name": name, "value": value}),
    }
}

/// Makes the definition and the trigger of a line, or brings those of an earlier import up to date.
async fn take(globals: &Globals, client: &Client, known: &[Value], taken: &Taken) -> Result<()> {
    client.send(Method::POST, "/api/v1/admin/jobs/definitions", Some(&taken.definition)).await?;
    let key = text(&taken.definition, "key");
    let earlier = known.iter().find(|trigger| text(trigger, "definition_key") == key);
    match earlier {
        Some(trigger) => {
            let path = client.path(&format!("{ROUTE}/{}", text(trigger, "id")));
            client.send(Method::PATCH, &path, Some(&taken.trigger)).await?;
            say::note(globals, format!("~ {} ({key})", taken.label));
        }
        None => {
            client.send(Method::POST, &client.path(ROUTE), Some(&taken.trigger)).await?;
            say::note(globals, format!("+ {} ({key})", taken.label));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_become_parts_of_keys() {
        for (program, part) in [
            ("/usr/local/bin/Backup_Home.sh", "backup-home-sh"),
            ("php", "php"),
            ("/opt/été", "t"),
            ("/", "job"),
            (&"x".repeat(99), &"x".repeat(SLUG_MAX)),
        ] {
            assert_eq!(slug(program), part);
        }
    }
}
