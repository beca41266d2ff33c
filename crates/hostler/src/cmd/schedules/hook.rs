//! `hostler hook`: webhooks that receive events from other systems.

use std::process::ExitCode;

use clap::Subcommand;
use domain::hook::HookScheme;
use proto::api::hook::HookRequest;
use reqwest::Method;

use crate::{
    client::{Client, WriteOutcome},
    fail::{CHANGES_PENDING, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, text, when, wide},
    parse, pick,
};

/// Manage webhooks that receive events from other systems
#[derive(Subcommand)]
pub(crate) enum HookCommand {
    /// List webhooks
    #[command(alias = "ls")]
    List,
    /// Add a webhook; prints its URL, and once its signing secret
    Add {
        /// Webhook name
        name: String,
        /// Name of the events that it publishes, for example shop.order_paid
        #[arg(long, value_name = "NAME")]
        event: String,
        /// Signature scheme of the requests: standard or github
        #[arg(long)]
        scheme: Option<HookScheme>,
        /// Signing secret: - for stdin, or env:NAME [default: generated]
        #[arg(long, value_name = "FROM")]
        secret: Option<String>,
    },
    /// Remove a webhook; its URL stops working
    Rm {
        /// Webhook name, id or id prefix
        hook: String,
    },
}

const COLUMNS: &[Column] = &[
    column("NAME", |h| text(h, "name")),
    column("EVENT", |h| text(h, "event_name")),
    column("SCHEME", |h| text(h, "scheme")),
    column("LAST ACCEPTED", |h| when(h, "last_ok_at")),
    column("LAST REJECTED", |h| when(h, "last_error_at")),
    column("LAST ERROR", |h| text(h, "last_error")),
    column("URL", |h| text(h, "url")),
    wide("ID", |h| text(h, "id")),
    wide("BY", |h| text(h, "created_by")),
];

pub(crate) async fn hook(globals: &Globals, command: HookCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        HookCommand::List => output::show_list(globals, "webhook", "name", COLUMNS, || client.list("/hooks")).await,
        HookCommand::Add { name, event, scheme, secret } => {
            let secret = secret.as_deref().map(|source| parse::secret("secret", source)).transpose()?;
            add(globals, &client, HookRequest { name, event_name: event, scheme, secret }).await
        }
        HookCommand::Rm { hook } => {
            let all = client.list("/hooks").await?;
            let found = pick::pick_one(&all, "webhook", "name", &hook)?;
            let name = text(found, "name");
            if !globals.dry_run {
                messages::confirm(globals, &format!("Remove the webhook {name}; its URL stops working"))?;
            }
            let path = format!("/hooks/{}", text(found, "id"));
            let outcome = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            outcome.report(globals, |_| format!("removed webhook {name}"))
        }
    }
}

async fn add(globals: &Globals, client: &Client, request: HookRequest) -> Result<ExitCode> {
    if globals.dry_run {
        // The request is not printed, because it contains the secret.
        messages::note(globals, format!("would add the webhook {}", request.name));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    let made = match client.write(globals, Method::POST, "/hooks", Some(&request)).await? {
        WriteOutcome::DryRun => return Ok(ExitCode::from(CHANGES_PENDING)),
        WriteOutcome::Answer(made) => made,
    };
    if output::is_table(globals) {
        let hook = &made["hook"];
        messages::done(
            globals,
            format!("added webhook {}: publishes {}", text(hook, "name"), text(hook, "event_name")),
        );
        output::line(&text(hook, "url"));
        output::line(&text(&made, "secret"));
        messages::note(globals, "  (URL and signing secret for the sending system; the secret is shown once)");
    } else {
        output::one(globals, made, "secret", &[])?;
    }
    Ok(ExitCode::SUCCESS)
}
