//! Secrets of the org.

use std::{io::Read as _, process::ExitCode};

use clap::Subcommand;
use proto::api::secret::SecretRequest;
use reqwest::Method;

use super::{show_list, wrote};
use crate::{
    cli::Globals,
    client::{Client, encoded},
    fail::{CHANGES_PENDING, Failure, Result},
    output::{Column, column, text, when},
    say,
};

/// Secrets that definitions name and runs get in their environment
#[derive(Subcommand)]
pub(crate) enum SecretCommand {
    /// The names of the org's secrets; nobody can see their values
    List,
    /// Set a secret; its value is asked for, or read from stdin
    #[command(after_help = NOTE)]
    Set {
        /// The name of the variable that runs get it as
        name: String,
    },
    /// Remove a secret; jobs that need it wait until it is set again
    Rm {
        /// Its name
        name: String,
    },
}

const NOTE: &str = "\
The value is never an argument: the process list and the history of the shell would show it.
One line break at its end is left out.";

const COLUMNS: &[Column] = &[
    column("NAME", |s| text(s, "name")),
    column("SET BY", |s| text(s, "created_by")),
    column("SET", |s| when(s, "updated_at")),
    column("CREATED", |s| when(s, "created_at")),
];

fn read_value(globals: &Globals, name: &str) -> Result<String> {
    let unreadable = |error: &dyn std::fmt::Display| Failure::usage(format!("cannot read the value: {error}"));
    let mut value = if say::can_ask(globals) {
        let asked = dialoguer::Password::new().with_prompt(format!("Value of {name}")).interact();
        asked.map_err(|error| unreadable(&error))?
    } else {
        let mut piped = String::new();
        std::io::stdin().read_to_string(&mut piped).map_err(|error| unreadable(&error))?;
        piped
    };
    if value.ends_with('\n') {
        value.pop();
        if value.ends_with('\r') {
            value.pop();
        }
    }
    if value.is_empty() {
        return Err(Failure::usage("the value is empty").hint(format!("pipe it in: … | hostler secret set {name}")));
    }
    Ok(value)
}

pub(crate) async fn secret(globals: &Globals, command: SecretCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        SecretCommand::List => show_list(globals, "name", COLUMNS, || client.list("/secrets")).await,
        SecretCommand::Set { name } => {
            let path = format!("/secrets/{}", encoded(&name));
            if globals.dry_run {
                say::note(globals, format!("would set the secret {name}"));
                return Ok(ExitCode::from(CHANGES_PENDING));
            }
            let body = SecretRequest { value: read_value(globals, &name)? };
            let done = client.write(globals, Method::PUT, &path, Some(&body)).await?;
            wrote(globals, done, |_| format!("{name} is set; runs whose definition names it get it"))
        }
        SecretCommand::Rm { name } => {
            say::confirm(globals, &format!("Remove the secret {name}"))?;
            let path = format!("/secrets/{}", encoded(&name));
            let done = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            wrote(globals, done, |_| format!("removed {name}; jobs that need it wait"))
        }
    }
}
