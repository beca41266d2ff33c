//! `hostler status` and `hostler version`.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    client::Client,
    fail::Result,
    globals::Globals,
    output::{self, column, text},
};

/// The glyph of each host state, as in the web UI.
const GLYPHS: &[(&str, &str)] = &[
    ("online", "●"),
    ("degraded", "◆"),
    ("offline", "▲"),
    ("asleep", "☾"),
    ("paused", "⏸"),
    ("pending", "○"),
    ("revoked", "⊘"),
];

pub(crate) async fn status(globals: &Globals) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let mut answer = client.get("/status").await?;
    // One page is enough: above 1,000 open alerts the exact number does not matter.
    if let Ok(page) = client.get("/alerts?limit=1000").await {
        answer["open_alerts"] = json!(page["items"].as_array().map_or(0, Vec::len));
    }
    output::one(
        globals,
        answer,
        "org",
        &[
            column("HUB", |s| format!("{} ({})", text(s, "hub_version"), text(s, "database"))),
            column("ORG", |s| text(s, "org")),
            column("HOSTS", hosts),
            column("ALERTS", |s| match text(s, "open_alerts").as_str() {
                "0" => "none open".to_owned(),
                "" => String::new(),
                count => format!("▲ {count} open (hostler alert list)"),
            }),
            column("HUB UP SINCE", |s| output::when(s, "watching_since")),
        ],
    )?;
    Ok(ExitCode::SUCCESS)
}

fn hosts(status: &Value) -> String {
    let count = |state: &str| status.pointer(&format!("/hosts/{state}")).and_then(Value::as_u64).unwrap_or(0);
    let parts: Vec<String> = GLYPHS
        .iter()
        .filter(|(state, _)| count(state) > 0)
        .map(|(state, glyph)| format!("{glyph} {} {state}", count(state)))
        .collect();
    if parts.is_empty() { "none yet (hostler invite)".to_owned() } else { parts.join("  ") }
}

pub(crate) async fn version(globals: &Globals) -> Result<ExitCode> {
    let mut versions = json!({"client": proto::VERSION});
    // The versions of hub and runners are optional: the client's version is versions without a hub too.
    if let Ok(client) = Client::new(globals)
        && let Ok(status) = client.get("/status").await
    {
        versions["hub"] = status["hub_version"].clone();
        versions["runners"] = status["runner_versions"].clone();
    }
    output::one(
        globals,
        versions,
        "client",
        &[column("client", |v| text(v, "client")), column("hub", |v| text(v, "hub")), column("runners", runners)],
    )?;
    Ok(ExitCode::SUCCESS)
}

fn runners(value: &Value) -> String {
    let Some(versions) = value.get("runners").and_then(Value::as_object) else { return String::new() };
    let parts = versions.iter().map(|(version, count)| {
        let note = if version == proto::VERSION { "" } else { " (update needed)" };
        format!("{version} ×{count}{note}")
    });
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn protocol_version_equals_the_version_of_the_binary() {
        assert_eq!(proto::VERSION, env!("CARGO_PKG_VERSION"));
    }
}
