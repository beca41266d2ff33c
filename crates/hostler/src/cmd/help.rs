//! Help on commands, topics and error codes.

use std::process::ExitCode;

use clap::Args;
use proto::Code;

use crate::{
    examples,
    fail::{Failure, Result},
    output,
};

/// Help on a command, a topic or an error code
#[derive(Args)]
pub(crate) struct HelpArgs {
    /// A command, or filters, exit-codes, environment, formats, time, or an error code
    words: Vec<String>,
}

/// Topics: name and text.
const TOPICS: &[(&str, &str)] = &[
    (
        "filters",
        "\
--filter takes words that must all fit:
  status:online,degraded     a field has one of these values
  name:web-*                 * stands for any letters
  label.env=prod             a label has this value
  -always_on:true            a minus turns it around
  text                       some field contains this text",
    ),
    (
        "exit-codes",
        "\
  0 ok · 1 failed · 2 wrong use, ambiguous, or a confirmation is needed · 3 partial: some of many failed
  4 not signed in · 5 not allowed · 6 not found · 7 conflict: name taken, stale revision
  8 hub or database unreachable · 9 versions or schemas do not fit
 10 job failed · 11 dead letter · 12 job canceled · 13 wait timed out
 20 --dry-run: there are changes · 130 interrupted. Every other number is a failure too.",
    ),
    (
        "formats",
        "\
-o table    aligned for people; tab-separated with a header line when piped
-o wide     the same with more columns
-o json     one document; -o jsonl one per line; -o yaml
-o name     names only
--fields a,b keeps these fields in JSON and YAML. Chatter goes to stderr, so stdout is clean for pipes.
NO_COLOR, CLICOLOR and CLICOLOR_FORCE are honoured; --color always|never wins.",
    ),
    (
        "time",
        "\
Lengths are 500ms, 90s, 15m, 8h, 7d. Times are RFC 3339, as in 2026-12-01T08:00:00Z.
On a terminal times are shown as `3 min ago`; piped they are RFC 3339 in UTC.",
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
            Failure::usage(format!("there is no help on `{word}`"))
                .hint("hostler help; topics: filters exit-codes environment formats time; or an error code")
        })?;
    }
    let _ = found.print_long_help();
    Ok(ExitCode::SUCCESS)
}

fn environment() {
    output::line("Of every command:");
    for (name, about) in [
        ("HOSTLER_HUB", "the hub's address"),
        ("HOSTLER_TOKEN", "an API token"),
        ("HOSTLER_ORG", "the org to work in"),
        ("HOSTLER_CONTEXT", "a context of `hostler context list`"),
        ("HOSTLER_HOME", "the data folder"),
        ("HOSTLER_CONFIG", "the settings file"),
        ("HOSTLER_CONFIG_HOME", "the folder of the contexts"),
        ("NO_COLOR", "no colours"),
    ] {
        output::line(&format!("  {name:30} {about}"));
    }
    output::line("Set for every run:");
    for (name, about) in [
        ("HOSTLER_JOB_ID, HOSTLER_RUN_ID", "the job and the run"),
        ("HOSTLER_FENCE", "the number of the run; it grows with every try"),
        ("HOSTLER_ORG", "the org's slug"),
        ("HOSTLER_CORRELATION_ID", "what the job belongs to"),
        ("HOSTLER_RESULT", "a file: JSON written there becomes the run's output value"),
        ("HOSTLER_SOCKET, HOSTLER_TOKEN", "where and as whom `hostler progress` speaks; the token is for nothing else"),
    ] {
        output::line(&format!("  {name:30} {about}"));
    }
    output::line("Settings:");
    for setting in crate::config::SETTINGS {
        output::line(&format!("  {:30} {}", setting.variable, setting.doc));
    }
}
