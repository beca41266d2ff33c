//! `hostler user`: the members of an org.

use std::process::ExitCode;

use clap::Subcommand;
use domain::Role;
use proto::api::{
    org::{InvitationRequest, MemberPatch},
    person::UserPatch,
};
use reqwest::Method;
use serde_json::Value;

use crate::{
    client::{Client, WriteOutcome},
    fail::{CHANGES_PENDING, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, text, when, wide, yes_no},
    pick,
};

/// Manage the members of an org
#[derive(Subcommand)]
pub(crate) enum UserCommand {
    /// List members
    List,
    /// Invite a user; prints the link to send to them
    Invite {
        /// Email address
        email: String,
        /// Role: viewer, operator or admin
        #[arg(long, default_value = "viewer")]
        role: Role,
    },
    /// List open invitations
    Invitations,
    /// Change the role of a member
    Role {
        /// Email address, id or id prefix
        user: String,
        /// New role: viewer, operator or admin
        role: Role,
    },
    /// Confirm that an email address belongs to its user, as a super admin
    Verify {
        /// Email address, id or id prefix
        user: String,
    },
    /// Remove a member from the org
    Rm {
        /// Email address, id or id prefix
        user: String,
    },
}

const COLUMNS: &[Column] = &[
    column("EMAIL", |m| text(m, "email")),
    column("NAME", |m| text(m, "name")),
    column("ROLE", |m| text(m, "role")),
    column("VERIFIED", |m| yes_no(m, "is_email_verified")),
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
        UserCommand::List => output::show_list(globals, "user", "email", COLUMNS, || client.list("/members")).await,
        UserCommand::Invitations => {
            output::show_list(globals, "invitation", "email", INVITATIONS, || client.list("/invitations")).await
        }
        UserCommand::Invite { email, role } => {
            match client.write(globals, Method::POST, "/invitations", Some(&InvitationRequest { email, role })).await? {
                WriteOutcome::DryRun => Ok(ExitCode::from(CHANGES_PENDING)),
                WriteOutcome::Answer(made) => {
                    if output::is_table(globals) {
                        output::line(&text(&made, "url"));
                        messages::note(
                            globals,
                            format!("  (send this link to {}; valid for 7 days, shown once)", text(&made, "email")),
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
            let outcome = client.write(globals, Method::PATCH, &path, Some(&MemberPatch { role })).await?;
            outcome.report(globals, |_| {
                format!("changed the role of {} from {} to {role}", text(&found, "email"), text(&found, "role"))
            })
        }
        UserCommand::Verify { user } => {
            // Not a route of an org: the address is the account's, in all orgs.
            let found = find(&client, &user).await?;
            let path = format!("/api/v1/admin/users/{}", text(&found, "user_id"));
            let patch = UserPatch { is_email_verified: Some(true), ..UserPatch::default() };
            let outcome = client.write_at(globals, Method::PATCH, &path, Some(&patch)).await?;
            outcome.report(globals, |_| format!("confirmed the address of {}", text(&found, "email")))
        }
        UserCommand::Rm { user } => {
            let found = find(&client, &user).await?;
            if !globals.dry_run {
                messages::confirm(globals, &format!("Remove {} from the org", text(&found, "email")))?;
            }
            let outcome = client
                .write(globals, Method::DELETE, &format!("/members/{}", text(&found, "user_id")), None::<&()>)
                .await?;
            outcome.report(globals, |_| format!("removed {} from the org", text(&found, "email")))
        }
    }
}

/// Finds a member by email address or id. The id field of members is `user_id`.
async fn find(client: &Client, reference: &str) -> Result<Value> {
    let mut members = client.list("/members").await?;
    for member in &mut members {
        member["id"] = member["user_id"].clone();
    }
    pick::pick_one(&members, "user", "email", reference).cloned()
}
