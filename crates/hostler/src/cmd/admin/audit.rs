//! `hostler audit`: the audit log.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use proto::Code;
use serde_json::Value;

use crate::{
    client::{Client, encoded},
    fail::{Failure, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, text, when, wide, yes_no},
    parse,
};

/// Show or verify the audit log
#[derive(Args)]
pub(crate) struct AuditArgs {
    #[command(subcommand)]
    command: Option<AuditCommand>,
    /// Only entries after this: a time, or a duration before now such as 24h
    #[arg(long)]
    since: Option<String>,
    /// Only entries of this actor
    #[arg(long)]
    actor: Option<String>,
    /// Only entries with this action; a trailing * matches a prefix, for example host.*
    #[arg(long)]
    action: Option<String>,
    /// Show the log of the installation instead of the org's log
    #[arg(long)]
    installation: bool,
    /// Number of newest entries
    #[arg(short = 'n', long, default_value_t = 100)]
    lines: usize,
}

#[derive(Subcommand)]
enum AuditCommand {
    /// Check that no sealed entry was altered or removed
    Verify,
}

const COLUMNS: &[Column] = &[
    column("AT", |a| when(a, "at")),
    column("ACTOR", |a| text(a, "actor")),
    column("ACTION", |a| text(a, "action")),
    column("SUBJECT", |a| {
        Some(text(a, "subject")).filter(|name| !name.is_empty()).unwrap_or_else(|| text(a, "subject_id"))
    }),
    column("CHANGE", change),
    column("ADDRESS", |a| text(a, "address")),
    wide("NUMBER", |a| text(a, "number")),
    wide("REQUEST", |a| text(a, "request_id")),
];

fn change(entry: &Value) -> String {
    let Some(diff) = entry.get("diff").and_then(Value::as_object) else { return String::new() };
    let parts = diff.iter().map(|(key, value)| match value.as_array().map(Vec::as_slice) {
        Some([before, after]) => format!("{key} {before}→{after}"),
        _ => format!("{key} {value}"),
    });
    parts.collect::<Vec<_>>().join(" ")
}

pub(crate) async fn audit(globals: &Globals, args: AuditArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    if let Some(AuditCommand::Verify) = args.command {
        return verify(globals, &client).await;
    }
    let since = args.since.as_deref().map(parse::past_time);
    let mut query = format!("?limit={}", args.lines.clamp(1, 1_000));
    for (name, value) in
        [("since", since.transpose()?.map(|at| at.to_string())), ("actor", args.actor), ("action", args.action)]
    {
        if let Some(value) = value {
            query.push_str(&format!("&{name}={}", encoded(&value)));
        }
    }
    let is_installation = args.installation;
    output::show_list(globals, "audit entry", "id", COLUMNS, || async {
        let mut page = if is_installation {
            client.send(reqwest::Method::GET, &format!("/api/v1/admin/audit{query}"), None::<&()>).await?
        } else {
            client.get(&format!("/audit{query}")).await?
        };
        Ok(page
            .get_mut("items")
            .map(Value::take)
            .and_then(|items| serde_json::from_value(items).ok())
            .unwrap_or_default())
    })
    .await
}

/// Verifies all chains if the caller is a super admin, else the chain of the org.
async fn verify(globals: &Globals, client: &Client) -> Result<ExitCode> {
    let all = client.send(reqwest::Method::GET, "/api/v1/admin/audit/verify", None::<&()>).await;
    let verdict = match all {
        Err(failure) if failure.problem.code == Code::Forbidden => client.get("/audit/verify").await?,
        other => other?,
    };
    let is_intact = verdict["is_intact"] == true;
    if globals.output.is_some() {
        output::one(
            globals,
            verdict.clone(),
            "is_intact",
            &[
                column("INTACT", |v| yes_no(v, "is_intact")),
                column("PROBLEM", |v| text(v, "problem")),
                column("SEALED", |v| text(v, "sealed")),
                column("UNSEALED", |v| text(v, "unsealed")),
            ],
        )?;
    }
    if !is_intact {
        let detail = format!("the audit log was tampered with: {}", text(&verdict, "problem"));
        return Err(Failure::new(Code::AuditTampered, detail)
            .hint("compare it with a backup; entries after this one cannot be trusted"));
    }
    messages::done(
        globals,
        format!(
            "audit log is intact: {} verified, {} not yet sealed",
            output::count(text(&verdict, "sealed"), "sealed entry"),
            text(&verdict, "unsealed")
        ),
    );
    Ok(ExitCode::SUCCESS)
}
