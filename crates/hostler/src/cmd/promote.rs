//! Making a hub the home of hosts that work for another one.

use std::process::ExitCode;

use clap::Subcommand;
use reqwest::Method;

use super::wrote;
use crate::{cli::Globals, client::Client, fail::Result, say};

/// What a hub that runs is told
#[derive(Subcommand)]
pub(crate) enum HubCommand {
    /// Make this hub the home of the org's hosts, when theirs is gone
    ///
    /// Hosts that have joined several hubs get their work from one of them, their home. From now on that is this one: each
    /// host moves as soon as it hears of it, and keeps to it through restarts. Schedules and servers that the former home
    /// had on them stop. What waits at the former home stays there; when it comes back, it is a mirror.
    Promote,
}

pub(crate) async fn hub(globals: &Globals, command: HubCommand) -> Result<ExitCode> {
    let HubCommand::Promote = command;
    let client = Client::new(globals)?;
    if !globals.dry_run {
        say::confirm(globals, "Make this hub the home of all hosts of the org")?;
    }
    let done = client.write(globals, Method::POST, "/home", None::<&()>).await?;
    wrote(globals, done, |promoted| {
        let moving = promoted["moving"].as_array().map_or(0, Vec::len);
        let hosts = match moving {
            0 => "no host has another home".to_owned(),
            1 => "1 host moves as soon as it hears of it".to_owned(),
            _ => format!("{moving} hosts move as soon as they hear of it"),
        };
        format!("this hub is the home (promotion {}); {hosts}", promoted["number"])
    })
}
