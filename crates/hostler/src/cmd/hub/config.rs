//! `hostler config`: showing and checking the settings.

use std::process::ExitCode;

use clap::Subcommand;
use serde_json::{Value, json};

use crate::{
    config::Config,
    fail::Result,
    globals::Globals,
    home, messages,
    output::{self, column, text, wide},
};

/// Show and check settings
#[derive(Subcommand, Clone, Copy)]
pub(crate) enum ConfigCommand {
    /// List all settings with their values and origins
    Show,
    /// Check the settings file and the environment
    Check,
}

pub(crate) fn config(globals: &Globals, command: ConfigCommand) -> Result<ExitCode> {
    let folder = home::folder(globals.home.as_deref());
    let config = Config::load(&folder, globals.config.as_deref(), &[])?;
    match command {
        ConfigCommand::Show => {
            let rows = config.redacted().into_iter().map(|(setting, value, origin)| json!({"key": setting.key, "value": value, "origin": origin, "variable": setting.variable, "about": setting.doc}));
            let rows: Vec<Value> = rows.collect();
            output::list(
                globals,
                rows,
                "key",
                &[
                    column("SETTING", |s| text(s, "key")),
                    column("VALUE", |s| text(s, "value")),
                    column("FROM", |s| text(s, "origin")),
                    wide("VARIABLE", |s| text(s, "variable")),
                    wide("DESCRIPTION", |s| text(s, "about")),
                ],
            )?;
        }
        ConfigCommand::Check => {
            check(&config)?;
            messages::done(globals, "all settings are valid");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Parses the settings and returns the first invalid one as a failure.
pub(crate) fn check(config: &Config) -> Result<()> {
    config.parse::<std::net::SocketAddr>("hub.listen")?;
    config.parse::<domain::Span>("hub.heartbeat")?;
    config.parse::<domain::definition::Trust>("runner.trust")?;
    config.parse::<runner::exec::IsolationLevel>("runner.isolation")?;
    config.parse::<u32>("hub.database_connections")?;
    config.parse::<u32>("hub.runners_per_second")?;
    config.parse::<u32>("hub.requests_per_second")?;
    config.parse::<u32>("hub.connections_per_address")?;
    config.list::<hub::options::Network>("hub.trusted_proxies")?;
    if let Some(url) = config.optional("hub.public_url") {
        runner::dial::HubUrl::parse(url)?;
    }
    Ok(())
}
