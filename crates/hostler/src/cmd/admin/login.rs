//! `hostler login`, `logout` and `whoami`: signing in to a hub from a terminal.

use std::{io::Read as _, process::ExitCode, time::Duration};

use clap::Args;
use domain::{
    Role,
    secret::{Secret, SecretKind},
};
use proto::{Code, api::sign_in::DeviceStartRequest};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    client::Client,
    context::{Context, Contexts},
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    messages,
    output::{self, column, text, yes_no},
};

/// Sign in to a hub
#[derive(Args)]
pub(crate) struct LoginArgs {
    /// Address of the hub
    url: Option<String>,
    /// Sign in with this API token instead of the browser; `-` reads it from stdin
    #[arg(long)]
    token: Option<String>,
    /// Name of the context [default: the hostname of the hub]
    #[arg(long)]
    name: Option<String>,
    /// Role to ask for: viewer, operator, admin or super_admin; you confirm or change it in the browser
    /// [default: your role, at most admin]
    #[arg(long, conflicts_with = "token")]
    role: Option<Role>,
}

pub(crate) async fn login(globals: &Globals, args: LoginArgs) -> Result<ExitCode> {
    let url = args.url.or_else(|| globals.hub.clone()).ok_or_else(|| {
        Failure::usage("the address of the hub is missing").hint("write hostler login http://10.0.0.5:7411")
    })?;
    if globals.dry_run {
        messages::note(globals, format!("would sign in to {url}"));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    let token = match args.token {
        Some(token) if token == "-" => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|error| Failure::usage("cannot read the token from stdin").because(&error))?;
            text.trim().to_owned()
        }
        Some(token) => token,
        None => device_token(globals, &url, args.role).await?,
    };
    Secret::parse(SecretKind::Token, &token)
        .map_err(|error| Failure::new(Code::TokenInvalid, format!("this is not an API token: {error}")))?;
    let client = Client::at(globals, &url, Some(token.clone()), None)?;
    let me = client.send(Method::GET, "/api/v1/me", None::<&()>).await?;
    let name = args.name.unwrap_or_else(|| {
        url.split("://").nth(1).unwrap_or("hub").split([':', '/']).next().unwrap_or("hub").to_owned()
    });
    let mut contexts = Contexts::read()?;
    contexts.contexts.insert(name.clone(), Context { hub: url, token: Some(token), org: globals.org.clone() });
    contexts.current = Some(name.clone());
    contexts.write()?;
    messages::done(globals, format!("signed in as {} (context {name})", text(&me, "name")));
    Ok(ExitCode::SUCCESS)
}

/// Prints a code and polls the hub until the user has confirmed the code in a browser.
async fn device_token(globals: &Globals, url: &str, role: Option<Role>) -> Result<String> {
    let client = Client::at(globals, url, None, None)?;
    let request = DeviceStartRequest { client: format!("hostler on {}", runner::machine::name()), role };
    let started = client.send(Method::POST, "/api/v1/sign-in/device", Some(&request)).await?;
    let (page, code) = (text(&started, "url"), text(&started, "user_code"));
    output::terminal::error_line(&format!("Open {page} and confirm the code {code}"));
    let poll = json!({"device_secret": text(&started, "device_secret")});
    let every = started.get("poll_seconds").and_then(Value::as_u64).unwrap_or(2);
    loop {
        match client.send(Method::POST, "/api/v1/sign-in/device/poll", Some(&poll)).await {
            Ok(made) => return Ok(text(&made, "secret")),
            Err(failure) if failure.problem.code == Code::DevicePending => {}
            Err(failure) => return Err(failure),
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(every)) => {}
            _ = tokio::signal::ctrl_c() => return Err(Failure::interrupted("interrupted; nothing was changed")),
        }
    }
}

pub(crate) fn logout(globals: &Globals) -> Result<ExitCode> {
    let mut contexts = Contexts::read()?;
    let name = globals
        .context
        .clone()
        .or(contexts.current.clone())
        .ok_or_else(|| Failure::new(Code::Unauthenticated, "you are not signed in to any hub"))?;
    contexts.get(&name)?;
    if let Some(context) = contexts.contexts.get_mut(&name) {
        context.token = None;
    }
    if contexts.current.as_ref() == Some(&name) {
        contexts.current = None;
    }
    if globals.dry_run {
        messages::note(globals, format!("would delete the saved token of context {name}"));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    contexts.write()?;
    messages::done(
        globals,
        format!("deleted the saved token of context {name}; to revoke it on the hub, use `hostler token revoke`"),
    );
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn whoami(globals: &Globals) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let me = client.send(Method::GET, "/api/v1/me", None::<&()>).await?;
    output::one(
        globals,
        me,
        "name",
        &[
            column("NAME", |me| text(me, "name")),
            column("EMAIL", |me| text(me, "email")),
            column("KIND", |me| text(me, "kind")),
            column("SUPER ADMIN", |me| yes_no(me, "is_super_admin")),
            column("ORGS", orgs),
        ],
    )?;
    Ok(ExitCode::SUCCESS)
}

fn orgs(me: &Value) -> String {
    let orgs = me.get("orgs").and_then(Value::as_array).into_iter().flatten();
    orgs.map(|org| format!("{} ({})", text(org, "slug"), text(org, "role"))).collect::<Vec<_>>().join(", ")
}
