//! `hostler help`: help for commands, topics and error codes.

use std::process::ExitCode;

use clap::Args;
use domain::filter::FilterKey;
use proto::Code;

use crate::{
    fail::{Failure, Result},
    output, tree,
};

/// Show help for a command, a topic or an error code
#[derive(Args)]
pub(crate) struct HelpArgs {
    /// A command, a topic (environment, exit-codes, filters, formats, options, time) or an error code
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
  0  success
  1  failure
  2  usage error, ambiguous reference, or missing confirmation
  3  some of several items failed
  4  not signed in
  5  not allowed
  6  not found
  7  conflict: the name is taken, or the revision is stale
  8  the hub or the database is unreachable
  9  incompatible versions or schemas
 10  the job failed
 11  the job is a dead letter: its last attempt failed
 12  the job was canceled
 20  --dry-run: there are changes
130  interrupted with Ctrl-C
Any other number is a failure too.",
    ),
    (
        "formats",
        "\
-o table    aligned columns on a terminal; tab-separated with a header line in a pipe
-o wide     table with more columns
-o json     one JSON document
-o jsonl    one JSON document per line
-o yaml     YAML
-o name     names only

--fields a,b limits JSON and YAML output to these fields. Messages go to stderr; stdout carries only results.
NO_COLOR, CLICOLOR and CLICOLOR_FORCE are respected; --color always|never overrides them.",
    ),
    (
        "time",
        "\
Write durations as 500ms, 90s, 15m, 8h or 7d, and times in RFC 3339, for example 2026-12-01T08:00:00Z.
On a terminal tables show times as `3 min ago` or in the local time zone, in a pipe as RFC 3339 in UTC.",
    ),
];

/// Topics whose text is computed.
const COMPUTED_TOPICS: [&str; 2] = ["environment", "options"];

pub(crate) fn help(args: &HelpArgs, mut root: clap::Command) -> Result<ExitCode> {
    let Some(word) = args.words.first() else {
        let _ = root.print_help();
        return Ok(ExitCode::SUCCESS);
    };
    if let Ok(code) = word.parse::<Code>() {
        output::line(code.page().trim_end());
    } else if let Some((_, text)) = TOPICS.iter().find(|(topic, _)| topic == word) {
        output::line(text);
        if word == "filters" {
            job_filter_keys();
        }
    } else if word == "environment" {
        environment();
    } else if word == "options" {
        output::line(&tree::global_options(&root).ansi().to_string());
    } else {
        command_help(&mut root, &args.words)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn command_help(root: &mut clap::Command, words: &[String]) -> Result<()> {
    root.build();
    let mut found = root;
    for word in tree::current_words(words) {
        found = found.find_subcommand_mut(word).ok_or_else(|| unknown(words))?;
    }
    let _ = found.print_help();
    Ok(())
}

fn unknown(words: &[String]) -> Failure {
    let mut topics: Vec<&str> = TOPICS.iter().map(|(topic, _)| *topic).chain(COMPUTED_TOPICS).collect();
    topics.sort_unstable();
    let detail = format!("there is no command, topic or error code `{}`", words.join(" "));
    Failure::usage(detail).hint(format!("`hostler help` lists the commands; topics: {}", topics.join(", ")))
}

/// The keys of filters that the hub applies to jobs.
fn job_filter_keys() {
    let key = |key: &FilterKey| match key {
        FilterKey::Label => "label.KEY",
        FilterKey::Argument => "arg.NAME",
        _ => key.as_str(),
    };
    let keys: Vec<&str> = FilterKey::ALL.iter().map(key).collect();
    output::line("");
    output::line("Jobs (ps, cancel, retry, job move) have these keys:");
    output::line(&format!("  {}", keys.join(" ")));
    output::line("Examples:");
    output::line("  after:-24h  before:2026-01-31  duration:>5m  attempts:>1  exit:1,75");
    output::line("  label.env=prod  arg.folder:/srv/*");
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
