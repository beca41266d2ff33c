//! `hostler secret`: secrets of the org.

use std::{io::Read as _, process::ExitCode};

use clap::Subcommand;
use proto::api::secret::SecretRequest;
use reqwest::Method;

use super::{show_list, wrote};
use crate::{
    cli::Globals,
    client::{Client, encoded},
    config,
    fail::{CHANGES_PENDING, Failure, Result},
    output::{Column, column, text, when},
    say,
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

/// Reads a secret from the source that an option names: `-` for stdin, or `env:NAME`. The secret itself is rejected,
/// because other users can read arguments in the process list.
pub(super) fn given(what: &str, from: &str) -> Result<String> {
    let value = match from.strip_prefix("env:") {
        Some(name) => config::environment(name)
            .ok_or_else(|| Failure::usage(format!("cannot read the {what}: there is no {name} in the environment")))?,
        None if from == "-" => {
            let mut piped = String::new();
            let read = std::io::stdin().read_to_string(&mut piped);
            read.map_err(|error| Failure::usage(format!("cannot read the {what} from stdin")).because(&error))?;
            piped
        }
        None => {
            let detail = format!("the {what} cannot be given on the command line, where other users can read it");
            return Err(Failure::usage(detail).hint("pipe it in and write -, or name a variable with env:NAME"));
        }
    };
    let value = without_break(value);
    if value.is_empty() { Err(Failure::usage(format!("the {what} is empty"))) } else { Ok(value) }
}

/// Removes the one line break that editors and `echo` append.
fn without_break(mut value: String) -> String {
    if value.ends_with('\n') {
        value.pop();
        if value.ends_with('\r') {
            value.pop();
        }
    }
    value
}

fn read_value(globals: &Globals, name: &str) -> Result<String> {
    let unreadable = |error: &dyn std::fmt::Display| Failure::usage(format!("cannot read the value: {error}"));
    let value = if say::can_ask(globals) {
        let asked = dialoguer::Password::new().with_prompt(format!("Value of {name}")).interact();
        asked.map_err(|error| unreadable(&error))?
    } else {
        let mut piped = String::new();
        std::io::stdin().read_to_string(&mut piped).map_err(|error| unreadable(&error))?;
        piped
    };
    let value = without_break(value);
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
            wrote(globals, done, |_| format!("set secret {name}; runs of definitions that list it receive it"))
        }
        SecretCommand::Rm { name } => {
            say::confirm(globals, &format!("Remove the secret {name}"))?;
            let path = format!("/secrets/{}", encoded(&name));
            let done = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            wrote(globals, done, |_| format!("removed secret {name}; jobs that need it wait until it is set again"))
        }
    }
}
