//! `hostler api`: sending requests to the API.

use std::{io::Read as _, process::ExitCode};

use clap::Args;
use reqwest::Method;
use serde_json::Value;

use crate::{
    client::Client,
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    messages, output,
};

/// Send a request to the API
#[derive(Args)]
pub(crate) struct ApiArgs {
    /// GET, POST, PATCH or DELETE
    method: String,
    /// Path, for example /api/v1/hosts
    path: String,
    /// Request body: JSON, or - for stdin
    #[arg(long)]
    input: Option<String>,
}

pub(crate) async fn api(globals: &Globals, args: ApiArgs) -> Result<ExitCode> {
    let method = Method::from_bytes(args.method.to_uppercase().as_bytes())
        .map_err(|_| Failure::usage(format!("`{}` is not an HTTP method", args.method)))?;
    let body = match args.input {
        Some(input) if input == "-" => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|error| Failure::usage("cannot read the request body from stdin").because(&error))?;
            Some(text)
        }
        other => other,
    };
    let body: Option<Value> = body
        .map(|text| {
            serde_json::from_str(&text)
                .map_err(|error| Failure::usage(format!("the request body is not valid JSON: {error}")))
        })
        .transpose()?;
    if globals.dry_run && !method.is_safe() {
        messages::note(globals, format!("would send {method} {}", args.path));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    let answer = Client::new(globals)?.send(method, &args.path, body.as_ref()).await?;
    match answer {
        Value::Null => {}
        Value::String(text) => output::line(text.trim_end()),
        value => output::json_line(&serde_json::to_string_pretty(&value).unwrap_or_default()),
    }
    Ok(ExitCode::SUCCESS)
}
