//! People of the org.

use std::process::ExitCode;

use clap::Subcommand;
use domain::Role;
use proto::api::org::{InvitationRequest, MemberPatch};
use reqwest::Method;
use serde_json::Value;

use super::{show_list, wrote};
use crate::{
    cli::Globals,
    client::{Client, Done},
    fail::{CHANGES_PENDING, Result},
    output::{self, Column, Format, column, text, when, wide},
    pick, say,
};

/// People of the org
#[derive(Subcommand)]
pub(crate) enum UserCommand {
    /// The members of the org
    List,
    /// Invite a person; prints the link to send them
    Invite {
        /// Their address
        email: String,
        /// viewer, operator or admin
        #[arg(long, default_value = "viewer")]
        role: Role,
    },
    /// Invitations that nobody has taken up yet
    Invitations,
    /// Change a member's role
    Role {
        /// Their address, or the beginning of their id
        user: String,
        /// viewer, operator or admin
        role: Role,
    },
    /// Take a person out of the org
    Rm {
        /// Their address, or the beginning of their id
        user: String,
    },
}

const COLUMNS: &[Column] = &[
    column("EMAIL", |m| text(m, "email")),
    column("NAME", |m| text(m, "name")),
    column("ROLE", |m| text(m, "role")),
    column("SINCE", |m| when(m, "created_at")),
    wide("ID", |m| text(m, "user_id")),
];

const INVITATIONS: &[Column] = &[
    column("EMAIL", |i| text(i, "email")),
    column("ROLE", |i| text(i, "role")),
    column("EXPIRES", |i| when(i, "expires_at")),
    wide("ID", |i| text(i, "id")),
];

pub(crate) async fn user(globals: &Globals, command: UserCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        UserCommand::List => show_list(globals, "email", COLUMNS, || client.list("/members")).await,
        UserCommand::Invitations => show_list(globals, "email", INVITATIONS, || client.list("/invitations")).await,
        UserCommand::Invite { email, role } => {
            match client.write(globals, Method::POST, "/invitations", Some(&InvitationRequest { email, role })).await? {
                Done::WouldDo => Ok(ExitCode::from(CHANGES_PENDING)),
                Done::Answer(made) => {
                    if matches!(globals.output, None | Some(Format::Table | Format::Wide)) {
                        output::line(&text(&made, "url"));
                        say::note(
                            globals,
                            format!("  (send this to {}; good for 7 days, shown once)", text(&made, "email")),
                        );
                    } else {
                        output::one(globals, made, "url", &[])?;
                    }
                    Ok(ExitCode::SUCCESS)
                }
            }
        }
        UserCommand::Role { user, role } => {
            let found = find(&client, &user).await?;
            let path = format!("/members/{}", text(&found, "user_id"));
            let done = client.write(globals, Method::PATCH, &path, Some(&MemberPatch { role })).await?;
            wrote(globals, done, |_| format!("{}: {} → {role}", text(&found, "email"), text(&found, "role")))
        }
        UserCommand::Rm { user } => {
            let found = find(&client, &user).await?;
            if !globals.dry_run {
                say::confirm(globals, &format!("Take {} out of the org", text(&found, "email")))?;
            }
            let done = client
                .write(globals, Method::DELETE, &format!("/members/{}", text(&found, "user_id")), None::<&()>)
                .await?;
            wrote(globals, done, |_| format!("took {} out of the org", text(&found, "email")))
        }
    }
}

/// A member by address or id; members call their id `user_id`.
async fn find(client: &Client, reference: &str) -> Result<Value> {
    let mut members = client.list("/members").await?;
    for member in &mut members {
        member["id"] = member["user_id"].clone();
    }
    pick::pick_one(&members, "user", "email", reference).cloned()
}
