//! `hostler invite`: the command that adds a machine.

use std::{collections::BTreeMap, process::ExitCode};

use clap::Args;
use domain::{Labels, lane::QueueNames};
use proto::api::host::JoinTokenRequest;
use reqwest::Method;

use crate::{
    client::{Client, WriteOutcome},
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    messages,
    output::{self, text},
    parse,
};

/// Print the command that adds a machine
#[derive(Args)]
pub(crate) struct InviteArgs {
    /// Number of machines that may join with this token
    #[arg(long, default_value_t = 1)]
    uses: u32,
    /// Validity of the token, for example 8h
    #[arg(long, default_value = "15m")]
    ttl: String,
    /// Label for the machines that join with this token; repeat for several
    #[arg(short, long, value_name = "KEY=VALUE")]
    label: Vec<String>,
    /// Queue that these machines may serve; repeat for several [default: default]
    #[arg(long, value_name = "QUEUE")]
    queue: Vec<String>,
    /// Raise an alert when one of these machines is offline
    #[arg(long)]
    always_on: Option<bool>,
}

pub(crate) async fn invite(globals: &Globals, args: InviteArgs) -> Result<ExitCode> {
    let ttl = parse::span(&args.ttl)?;
    let request = JoinTokenRequest {
        uses: Some(args.uses),
        ttl_seconds: Some(parse::seconds(&args.ttl)?),
        labels: labels(&args.label)?,
        queues: if args.queue.is_empty() { QueueNames::default() } else { queues(args.queue)? },
        always_on: args.always_on,
    };
    let client = Client::new(globals)?;
    match client.write(globals, Method::POST, "/join-tokens", Some(&request)).await? {
        WriteOutcome::DryRun => Ok(ExitCode::from(CHANGES_PENDING)),
        WriteOutcome::Answer(answer) => {
            // Only the command goes to stdout, so that it can be piped.
            if output::is_table(globals) {
                output::line(&text(&answer, "command"));
                let machines = output::count(args.uses, "machine");
                messages::note(globals, format!("  (valid for {machines} and {ttl}; shown once)"));
                if let Some(line) = answer["install"].as_str() {
                    messages::note(globals, format!("  on a machine where hostler is not installed:\n{line}"));
                }
            } else {
                output::one(globals, answer, "secret", &[])?;
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Parses the queues of a host.
pub(crate) fn queues(names: Vec<String>) -> Result<QueueNames> {
    QueueNames::try_from(names).map_err(|error| Failure::usage(error.to_string()))
}

/// Parses labels from `key=value` arguments.
pub(crate) fn labels(words: &[String]) -> Result<Labels> {
    let pairs = words.iter().map(|word| {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| Failure::usage(format!("`{word}` is not a label")).hint("write for example env=prod"))?;
        Ok((key.to_owned(), value.to_owned()))
    });
    let map: BTreeMap<String, String> = pairs.collect::<Result<_>>()?;
    Labels::try_from(map).map_err(|error| Failure::usage(error.to_string()))
}
