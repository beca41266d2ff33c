//! Addresses at which other systems tell events.

use std::process::ExitCode;

use clap::Subcommand;
use domain::hook::HookScheme;
use proto::api::hook::HookRequest;
use reqwest::Method;

use super::{secret::given, show_list, wrote};
use crate::{
    cli::Globals,
    client::{Client, Done},
    fail::{CHANGES_PENDING, Result},
    output::{self, Column, column, text, when, wide},
    pick, say,
};

/// Addresses at which other systems tell events
#[derive(Subcommand)]
pub(crate) enum HookCommand {
    /// Those there are
    #[command(alias = "ls")]
    List,
    /// Make one: prints its address, and its secret once
    Add {
        /// Its name
        name: String,
        /// The name of the events that it makes, as in shop.order_paid
        #[arg(long, value_name = "NAME")]
        event: String,
        /// How messages are signed: standard or github
        #[arg(long)]
        scheme: Option<HookScheme>,
        /// The secret they are signed with: - for stdin, or env:NAME; made if absent
        #[arg(long, value_name = "FROM")]
        secret: Option<String>,
    },
    /// Remove one: its address is gone
    Rm {
        /// Name, id or the beginning of it
        hook: String,
    },
}

const COLUMNS: &[Column] = &[
    column("NAME", |h| text(h, "name")),
    column("EVENT", |h| text(h, "event_name")),
    column("SIGNED", |h| text(h, "scheme")),
    column("TAKEN", |h| when(h, "last_ok_at")),
    column("REFUSED", |h| when(h, "last_error_at")),
    column("WHY", |h| text(h, "last_error")),
    column("ADDRESS", |h| text(h, "url")),
    wide("ID", |h| text(h, "id")),
    wide("BY", |h| text(h, "created_by")),
];

pub(crate) async fn hook(globals: &Globals, command: HookCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        HookCommand::List => show_list(globals, "name", COLUMNS, || client.list("/hooks")).await,
        HookCommand::Add { name, event, scheme, secret } => {
            let secret = secret.as_deref().map(|from| given("secret", from)).transpose()?;
            add(globals, &client, HookRequest { name, event_name: event, scheme, secret }).await
        }
        HookCommand::Rm { hook } => {
            let all = client.list("/hooks").await?;
            let found = pick::pick_one(&all, "hook", "name", &hook)?;
            let name = text(found, "name");
            if !globals.dry_run {
                say::confirm(globals, &format!("Remove the hook {name}; its address will be gone"))?;
            }
            let path = format!("/hooks/{}", text(found, "id"));
            let done = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            wrote(globals, done, |_| format!("removed {name}"))
        }
    }
}

async fn add(globals: &Globals, client: &Client, request: HookRequest) -> Result<ExitCode> {
    if globals.dry_run {
        // What would be sent holds a secret.
        say::note(globals, format!("would make the hook {}", request.name));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    let made = match client.write(globals, Method::POST, "/hooks", Some(&request)).await? {
        Done::WouldDo => return Ok(ExitCode::from(CHANGES_PENDING)),
        Done::Answer(made) => made,
    };
    if output::is_table(globals) {
        let hook = &made["hook"];
        say::done(globals, format!("{} makes events {}", text(hook, "name"), text(hook, "event_name")));
        output::line(&text(hook, "url"));
        output::line(&text(&made, "secret"));
        say::note(globals, "  (the secret is shown once; give both to the system that tells)");
    } else {
        output::one(globals, made, "secret", &[])?;
    }
    Ok(ExitCode::SUCCESS)
}
