//! `hostler context`: saved hubs and their tokens.

use std::process::ExitCode;

use clap::Subcommand;
use serde_json::{Value, json};

use crate::{
    context::{Context, Contexts},
    fail::{CHANGES_PENDING, Result},
    globals::Globals,
    output::{self, column, text, yes_no},
    say,
};

/// Manage contexts: saved hubs and their tokens
#[derive(Subcommand)]
pub(crate) enum ContextCommand {
    /// List contexts
    List,
    /// Make a context the default
    Use {
        /// Context name
        name: String,
    },
    /// Add a context
    Add {
        /// Context name
        name: String,
        /// Address of the hub
        url: String,
    },
    /// Remove a context and its saved token
    Rm {
        /// Context name
        name: String,
    },
}

pub(crate) fn context(globals: &Globals, command: ContextCommand) -> Result<ExitCode> {
    let mut contexts = Contexts::read()?;
    match command {
        ContextCommand::List => {
            let rows: Vec<Value> = contexts
                .contexts
                .iter()
                .map(|(name, context)| {
                    let is_current = contexts.current.as_ref() == Some(name);
                    json!({"name": name, "hub": context.hub, "org": context.org, "is_current": is_current, "has_token": context.token.is_some()})
                })
                .collect();
            output::list(
                globals,
                rows,
                "name",
                &[
                    column("", |c| if c["is_current"] == true { "*".to_owned() } else { String::new() }),
                    column("NAME", |c| text(c, "name")),
                    column("HUB", |c| text(c, "hub")),
                    column("ORG", |c| text(c, "org")),
                    column("TOKEN", |c| yes_no(c, "has_token")),
                ],
            )?;
            return Ok(ExitCode::SUCCESS);
        }
        ContextCommand::Use { name } => {
            contexts.get(&name)?;
            contexts.current = Some(name);
        }
        ContextCommand::Add { name, url } => {
            runner::dial::HubUrl::parse(&url)?;
            contexts.contexts.insert(name, Context { hub: url, token: None, org: globals.org.clone() });
        }
        ContextCommand::Rm { name } => {
            contexts.get(&name)?;
            contexts.contexts.remove(&name);
            contexts.current = contexts.current.filter(|current| *current != name);
        }
    }
    if globals.dry_run {
        say::note(globals, "would save the contexts file");
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    contexts.write()?;
    say::done(globals, "saved the contexts file");
    Ok(ExitCode::SUCCESS)
}
