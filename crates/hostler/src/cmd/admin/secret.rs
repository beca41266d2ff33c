//! `hostler secret`: secrets of the org.

use std::{io::Read as _, process::ExitCode};

use clap::Subcommand;
use proto::api::secret::SecretRequest;
use reqwest::Method;

use crate::{
    client::{Client, encoded},
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, text, when},
    parse,
};

/// Manage secrets that runs receive as environment variables
#[derive(Subcommand)]
pub(crate) enum SecretCommand {
    /// List the names of secrets; values cannot be read back
    List,
    /// Set a secret; the value is read from a prompt or from stdin
    #[command(after_help = NOTE)]
    Set {
        /// Secret name, which is also the name of the environment variable in runs
        name: String,
    },
    /// Remove a secret; jobs that need it wait until it is set again
    Rm {
        /// Secret name
        name: String,
    },
}

const NOTE: &str = "\
The value is not accepted as an argument, because the process list and the shell history would show it.
One line break at the end of the value is removed.";

const COLUMNS: &[Column] = &[
    column("NAME", |s| text(s, "name")),
    column("SET BY", |s| text(s, "created_by")),
    column("SET", |s| when(s, "updated_at")),
    column("CREATED", |s| when(s, "created_at")),
];

fn read_value(globals: &Globals, name: &str) -> Result<String> {
    let unreadable = |error: &dyn std::fmt::Display| Failure::usage(format!("cannot read the value: {error}"));
    let value = if messages::can_ask(globals) {
        let typed = dialoguer::Password::new().with_prompt(format!("Value of {name}")).interact();
        typed.map_err(|error| unreadable(&error))?
    } else {
        let mut piped = String::new();
        std::io::stdin().read_to_string(&mut piped).map_err(|error| unreadable(&error))?;
        piped
    };
    let value = parse::without_line_break(value);
    if value.is_empty() {
        return Err(Failure::usage("the value is empty").hint(format!("pipe it in: … | hostler secret set {name}")));
    }
    Ok(value)
}

pub(crate) async fn secret(globals: &Globals, command: SecretCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        SecretCommand::List => output::show_list(globals, "secret", "name", COLUMNS, || client.list("/secrets")).await,
        SecretCommand::Set { name } => {
            let path = format!("/secrets/{}", encoded(&name));
            if globals.dry_run {
                messages::note(globals, format!("would set the secret {name}"));
                return Ok(ExitCode::from(CHANGES_PENDING));
            }
            let body = SecretRequest { value: read_value(globals, &name)? };
            let outcome = client.write(globals, Method::PUT, &path, Some(&body)).await?;
            outcome.report(globals, |_| format!("set secret {name}; runs of definitions that list it receive it"))
        }
        SecretCommand::Rm { name } => {
            messages::confirm(globals, &format!("Remove the secret {name}"))?;
            let path = format!("/secrets/{}", encoded(&name));
            let outcome = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            outcome.report(globals, |_| format!("removed secret {name}; jobs that need it wait until it is set again"))
        }
    }
}
