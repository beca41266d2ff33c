//! `hostler hub promote`: making a hub the primary hub of hosts that have another one.

use std::process::ExitCode;

use clap::Subcommand;
use reqwest::Method;

use crate::{client::Client, fail::Result, globals::Globals, messages};

/// Commands to a running hub
#[derive(Subcommand)]
pub(crate) enum HubCommand {
    /// Make this hub the primary hub of the org's hosts, when their primary hub is lost
    ///
    /// A host that has joined several hubs takes jobs from one of them, its primary hub. After the promotion this hub
    /// is the primary hub: each host switches as soon as it receives the promotion, and keeps it across restarts. Host
    /// schedules and servers of the former primary hub stop on these hosts. Jobs queued at the former primary hub stay
    /// there; when that hub returns, it is a mirror.
    Promote,
}

pub(crate) async fn hub(globals: &Globals, command: HubCommand) -> Result<ExitCode> {
    let HubCommand::Promote = command;
    let client = Client::new(globals)?;
    if !globals.dry_run {
        messages::confirm(globals, "Make this hub the primary hub of all hosts of the org")?;
    }
    let outcome = client.write(globals, Method::POST, "/primary", None::<&()>).await?;
    outcome.report(globals, |promoted| {
        let moving = promoted["moving"].as_array().map_or(0, Vec::len);
        let hosts = match moving {
            0 => "no host has another primary hub".to_owned(),
            1 => "1 host switches as soon as it receives the promotion".to_owned(),
            _ => format!("{moving} hosts switch as soon as they receive the promotion"),
        };
        format!("this hub is now the primary hub (promotion {}); {hosts}", promoted["number"])
    })
}
