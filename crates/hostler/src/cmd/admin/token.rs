//! `hostler token`: API tokens.

use std::process::ExitCode;

use clap::Subcommand;
use domain::{Role, role::Scope};
use proto::api::person::TokenRequest;
use reqwest::Method;

use crate::{
    client::{Client, WriteOutcome},
    fail::{CHANGES_PENDING, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, joined, text, when, wide, yes_no},
    parse, pick,
};

/// Manage API tokens
#[derive(Subcommand)]
pub(crate) enum TokenCommand {
    /// List your tokens; admins see all tokens of the org
    List,
    /// Create a token; its secret is shown once
    Create {
        /// Name of the token, for example its purpose
        name: String,
        /// Highest role of the token: viewer, operator or admin [default: your own role]
        #[arg(long)]
        role: Option<Role>,
        /// Scope of the token: api, read or worker; only admins create worker tokens
        #[arg(long)]
        scope: Option<Scope>,
        /// Queue that a worker token may claim from; repeat for several
        #[arg(long = "queue", value_name = "QUEUE")]
        queues: Vec<String>,
        /// Key of a definition whose jobs a worker token may claim; repeat for several [default: all]
        #[arg(long = "definition", value_name = "KEY")]
        definitions: Vec<String>,
        /// Validity, for example 30d; 0s for no expiry
        #[arg(long, default_value = "90d")]
        ttl: String,
        /// Allow the token to create further tokens, which are revoked with it
        #[arg(long)]
        may_create_tokens: bool,
    },
    /// Revoke a token and all tokens created with it
    Revoke {
        /// Token name, id or id prefix
        token: String,
    },
}

const COLUMNS: &[Column] = &[
    column("ID", |t| text(t, "id")),
    column("NAME", |t| text(t, "name")),
    column("HINT", |t| format!("{}…", text(t, "hint"))),
    column("ROLE", |t| text(t, "role")),
    column("SCOPE", |t| text(t, "scope")),
    wide("QUEUES", |t| joined(&t["queues"])),
    wide("DEFINITIONS", |t| joined(&t["definitions"])),
    column("EXPIRES", |t| when(t, "expires_at")),
    column("LAST USED", |t| when(t, "last_used_at")),
    column("REVOKED", |t| when(t, "revoked_at")),
    column("BY", |t| text(t, "created_by")),
    wide("CREATES TOKENS", |t| yes_no(t, "may_create_tokens")),
    wide("LOGIN", |t| yes_no(t, "is_login")),
    wide("PARENT", |t| text(t, "parent_id")),
    wide("USER", |t| text(t, "user_id")),
    wide("CREATED", |t| when(t, "created_at")),
];

pub(crate) async fn token(globals: &Globals, command: TokenCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        TokenCommand::List => output::show_list(globals, "token", "name", COLUMNS, || client.list("/tokens")).await,
        TokenCommand::Create { name, role, scope, queues, definitions, ttl, may_create_tokens } => {
            let ttl_seconds = Some(parse::seconds(&ttl)?);
            let definitions = Some(definitions).filter(|keys| !keys.is_empty());
            let request = TokenRequest { name, role, scope, queues, definitions, ttl_seconds, may_create_tokens };
            match client.write(globals, Method::POST, "/tokens", Some(&request)).await? {
                WriteOutcome::DryRun => Ok(ExitCode::from(CHANGES_PENDING)),
                WriteOutcome::Answer(made) => {
                    if output::is_table(globals) {
                        output::line(&text(&made, "secret"));
                        messages::note(
                            globals,
                            format!("  (shown once; role {}, scope {})", text(&made, "role"), text(&made, "scope")),
                        );
                    } else {
                        output::one(globals, made, "secret", &[])?;
                    }
                    Ok(ExitCode::SUCCESS)
                }
            }
        }
        TokenCommand::Revoke { token } => {
            let tokens = client.list("/tokens").await?;
            let found = pick::pick_one(&tokens, "token", "name", &token)?;
            let (id, name) = (text(found, "id"), text(found, "name"));
            let outcome = client.write(globals, Method::DELETE, &format!("/tokens/{id}"), None::<&()>).await?;
            outcome.report(globals, |_| format!("revoked token {name}"))
        }
    }
}
