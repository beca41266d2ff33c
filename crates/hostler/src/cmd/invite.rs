//! The line that makes a machine a host.

use std::{collections::BTreeMap, process::ExitCode};

use clap::Args;
use domain::{Labels, Span};
use proto::api::host::JoinTokenRequest;
use reqwest::Method;

use crate::{
    cli::Globals,
    client::{Client, Done},
    fail::{CHANGES_PENDING, Failure, Result},
    output::{self, Format, text},
    say,
};

/// Print the line that makes a machine a host
#[derive(Args)]
pub(crate) struct InviteArgs {
    /// For how many machines
    #[arg(long, default_value_t = 1)]
    uses: u32,
    /// For how long
    #[arg(long, default_value = "15m")]
    ttl: String,
    /// A label for the machines that join with it
    #[arg(short, long, value_name = "KEY=VALUE")]
    label: Vec<String>,
    /// Whether silence of these machines is a fault
    #[arg(long)]
    always_on: Option<bool>,
}

pub(crate) async fn invite(globals: &Globals, args: InviteArgs) -> Result<ExitCode> {
    let ttl: Span = args.ttl.parse().map_err(|error: domain::time::NotASpan| Failure::usage(error.to_string()))?;
    let request = JoinTokenRequest {
        uses: Some(args.uses),
        ttl_seconds: Some(u32::try_from(ttl.as_millis() / 1_000).unwrap_or(u32::MAX)),
        labels: labels(&args.label)?,
        always_on: args.always_on,
    };
    let client = Client::new(globals)?;
    match client.write(globals, Method::POST, "/join-tokens", Some(&request)).await? {
        Done::WouldDo => Ok(ExitCode::from(CHANGES_PENDING)),
        Done::Answer(answer) => {
            // The command alone on stdout, so that it can be piped to where it is needed.
            if matches!(globals.output, None | Some(Format::Table | Format::Wide)) {
                output::line(&text(&answer, "command"));
                say::note(globals, format!("  (good for {} machine(s), {ttl}; shown once)", args.uses));
                if let Some(line) = answer["install"].as_str() {
                    say::note(globals, format!("  on a machine without hostler:\n{line}"));
                }
            } else {
                output::one(globals, answer, "secret", &[])?;
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Labels from `key=value` words.
pub(crate) fn labels(words: &[String]) -> Result<Labels> {
    let pairs = words.iter().map(|word| {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| Failure::usage(format!("`{word}` is not a label")).hint("write env=prod"))?;
        Ok((key.to_owned(), value.to_owned()))
    });
    let map: BTreeMap<String, String> = pairs.collect::<Result<_>>()?;
    Labels::try_from(map).map_err(|error| Failure::usage(error.to_string()))
}
