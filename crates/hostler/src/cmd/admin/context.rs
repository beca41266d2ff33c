//! `hostler context`: saved hubs and their tokens.

use std::process::ExitCode;

use clap::Subcommand;
use serde_json::{Value, json};

use crate::{
    context::{Context, Contexts},
    fail::{CHANGES_PENDING, Result},
    globals::Globals,
    messages,
    output::{self, column, text, yes_no},
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
    let (would, done) = match command {
        ContextCommand::List => {
            let rows: Vec<Value> = contexts
                .contexts
                .iter()
                .map(|(name, context)| {
                    let is_current = contexts.current.as_ref() == Some(name);
                    json!({"name": name, "hub": context.hub, "org": context.org, "is_current": is_current, "has_token": context.token.is_some()})
                })
                .collect();
            output::list_of(
                globals,
                "context",
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
            contexts.current = Some(name.clone());
            (format!("would use context {name}"), format!("using context {name}"))
        }
        ContextCommand::Add { name, url } => {
            runner::dial::HubUrl::parse(&url)?;
            let context = Context { hub: url.clone(), token: None, org: globals.org.clone() };
            contexts.contexts.insert(name.clone(), context);
            (format!("would add context {name} ({url})"), format!("added context {name} ({url})"))
        }
        ContextCommand::Rm { name } => {
            contexts.get(&name)?;
            contexts.contexts.remove(&name);
            contexts.current = contexts.current.filter(|current| *current != name);
            let removed = format!("context {name} and its saved token");
            (format!("would remove {removed}"), format!("removed {removed}"))
        }
    };
    if globals.dry_run {
        messages::note(globals, would);
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    contexts.write()?;
    messages::done(globals, done);
    Ok(ExitCode::SUCCESS)
}
