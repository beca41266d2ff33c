//! `hostler help`: help for commands, topics and error codes.

use std::process::ExitCode;

use clap::Args;
use proto::Code;

use crate::{
    examples,
    fail::{Failure, Result},
    output,
};

/// Show help for a command, a topic or an error code
#[derive(Args)]
pub(crate) struct HelpArgs {
    /// A command, a topic (filters, exit-codes, environment, formats, time) or an error code
    words: Vec<String>,
}

/// Help topics: name and text.
const TOPICS: &[(&str, &str)] = &[
    (
        "filters",
        "\
--filter takes one or more terms; an item must match all of them:
  status:online,degraded     the field has one of these values
  name:web-*                 * matches any characters
  label.env=prod             the label has this value
  -always_on:true            a minus negates the term
  text                       any field contains this text",
    ),
    (
        "exit-codes",
        "\
  0 success · 1 failure · 2 usage error, ambiguous reference, or missing confirmation · 3 some of several items failed
  4 not signed in · 5 not allowed · 6 not found · 7 conflict: name taken, stale revision
  8 hub or database unreachable · 9 incompatible versions or schemas
 10 job failed · 11 job is a dead letter · 12 job canceled · 13 wait timed out
 20 --dry-run: there are changes · 130 interrupted. Any other number is a failure too.",
    ),
    (
        "formats",
        "\
-o table    aligned columns on a terminal; tab-separated with a header line in a pipe
-o wide     table with more columns
-o json     one JSON document; -o jsonl prints one document per line; -o yaml
-o name     names only
--fields a,b limits JSON and YAML output to these fields. Messages go to stderr; stdout carries only results.
NO_COLOR, CLICOLOR and CLICOLOR_FORCE are respected; --color always|never overrides them.",
    ),
    (
        "time",
        "\
Write durations as 500ms, 90s, 15m, 8h or 7d, and times in RFC 3339, for example 2026-12-01T08:00:00Z.
Tables show times as `3 min ago` or in the local time zone on a terminal, and as RFC 3339 in UTC in a pipe.",
    ),
];

pub(crate) fn help(args: &HelpArgs) -> Result<ExitCode> {
    let Some(word) = args.words.first() else {
        let _ = examples::command().print_help();
        return Ok(ExitCode::SUCCESS);
    };
    if word == "environment" {
        environment();
        return Ok(ExitCode::SUCCESS);
    }
    if let Some((_, text)) = TOPICS.iter().find(|(topic, _)| topic == word) {
        output::line(text);
        return Ok(ExitCode::SUCCESS);
    }
    if let Ok(code) = word.parse::<Code>() {
        output::line(code.page().trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    let mut command = examples::command();
    command.build();
    let mut found = &mut command;
    for word in &args.words {
        found = found.find_subcommand_mut(word).ok_or_else(|| {
            Failure::usage(format!("no help for `{word}`: not a command, a topic or an error code"))
                .hint("`hostler help` lists the commands; topics: filters exit-codes environment formats time")
        })?;
    }
    let _ = found.print_long_help();
    Ok(ExitCode::SUCCESS)
}

fn environment() {
    output::line("Options of all commands:");
    for (name, about) in [
        ("HOSTLER_HUB", "address of the hub"),
        ("HOSTLER_TOKEN", "API token"),
        ("HOSTLER_ORG", "org to work in"),
        ("HOSTLER_CONTEXT", "context to use; see `hostler context list`"),
        ("HOSTLER_HOME", "data folder"),
        ("HOSTLER_CONFIG", "settings file"),
        ("HOSTLER_CONFIG_HOME", "folder of the contexts file"),
        ("NO_COLOR", "disables colours"),
    ] {
        output::line(&format!("  {name:30} {about}"));
    }
    output::line("Set by Hostler in every run:");
    for (name, about) in [
        ("HOSTLER_JOB_ID, HOSTLER_RUN_ID", "ids of the job and the run"),
        ("HOSTLER_FENCE", "fencing number of the run; it increases with every attempt"),
        ("HOSTLER_ORG", "slug of the org"),
        ("HOSTLER_CORRELATION_ID", "correlation id of the job"),
        ("HOSTLER_RESULT", "path of a file; JSON written to it becomes the output value of the run"),
        ("HOSTLER_SOCKET, HOSTLER_TOKEN", "socket and token for `hostler progress`; the token is valid only there"),
    ] {
        output::line(&format!("  {name:30} {about}"));
    }
    output::line("Settings:");
    for setting in crate::config::SETTINGS {
        output::line(&format!("  {:30} {}", setting.variable, setting.doc));
    }
}
