//! The command-line options for the settings of a server.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::{
    client::Client,
    cmd::run::payload::{coerce_payload, object, payload},
    fail::{Failure, Result},
    parse::seconds,
};

/// Settings of a server; settings without an option of their own are given with --set
#[derive(Args)]
pub(crate) struct SpecArgs {
    /// Program and arguments, after `--`
    #[arg(last = true, value_name = "PROGRAM ARGS")]
    argv: Vec<String>,
    /// Key of a definition to run instead of a program
    #[arg(long, value_name = "KEY", conflicts_with = "argv")]
    definition: Option<String>,
    /// Payload value for the definition, for example port=25565; repeat for several
    #[arg(long = "with", value_name = "NAME=VALUE", requires = "definition")]
    values: Vec<String>,
    /// Working directory, as an absolute path; needs a super admin [default: a directory of its own]
    #[arg(long, value_name = "PATH")]
    folder: Option<PathBuf>,
    /// Environment variable; repeat for several. Needs a super admin, unless `env_settable` of the definition names it
    #[arg(long = "env", value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// User to run as [default: the user of the runner]
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    /// Port it listens on, for information only; repeat for several
    #[arg(long = "port", value_name = "PORT")]
    ports: Vec<u16>,
    /// Ready when this TCP port accepts connections
    #[arg(long, value_name = "[HOST:]PORT", group = "check")]
    ready_tcp: Option<String>,
    /// Ready when this URL answers with a success status
    #[arg(long, value_name = "URL", group = "check")]
    ready_http: Option<String>,
    /// Ready when a line of its output contains this
    #[arg(long, value_name = "TEXT", group = "check")]
    ready_log: Option<String>,
    /// Time limit until it is ready, for example 5m
    #[arg(long, value_name = "DURATION")]
    ready_within: Option<String>,
    /// Line written to its standard input to stop it, for example stop
    #[arg(long, value_name = "LINE")]
    stop_command: Option<String>,
    /// Time limit until it has stopped, for example 1m
    #[arg(long, value_name = "DURATION")]
    stop_within: Option<String>,
    /// Signal that stops it: TERM, INT, QUIT, HUP, USR1 or USR2
    #[arg(long, value_name = "NAME")]
    stop_signal: Option<String>,
    /// Restart policy: never, on_failure or always
    #[arg(long, value_name = "POLICY")]
    restart: Option<String>,
    /// Start the server when its host starts
    #[arg(long)]
    autostart: bool,
    /// Do not start the server when its host starts
    #[arg(long, conflicts_with = "autostart")]
    no_autostart: bool,
    /// Memory limit in MB, if the host's system supports limits
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// CPU limit in percent of one core, if the host's system supports limits
    #[arg(long, value_name = "PERCENT")]
    cpu: Option<u32>,
    /// Further settings as JSON or @FILE, for example {"restart": {"loop_after": 3}}
    #[arg(long, value_name = "JSON")]
    set: Option<String>,
}

impl SpecArgs {
    /// The given fields, with payload values converted to the types of the definition's schema.
    pub(super) async fn coerced_fields(&self, client: &Client) -> Result<Map<String, Value>> {
        let mut fields = self.fields()?;
        coerce_payload(client, self.definition.as_deref(), &self.values, fields.get_mut("payload")).await;
        Ok(fields)
    }

    /// The given fields.
    fn fields(&self) -> Result<Map<String, Value>> {
        let mut fields = match &self.set {
            Some(source) => object("--set", source)?,
            None => Map::new(),
        };
        let mut put = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
        if !self.argv.is_empty() {
            put("argv", json!(self.argv));
        }
        if let Some(key) = &self.definition {
            put("definition_key", json!(key));
            put("payload", payload(&self.values, None)?);
        }
        if let Some(folder) = &self.folder {
            put("folder", json!(folder));
        }
        if !self.env.is_empty() {
            put("env", Value::Object(variables(&self.env)?));
        }
        if let Some(user) = &self.user {
            put("user", json!(user));
        }
        if !self.ports.is_empty() {
            put("ports", json!(self.ports));
        }
        if self.autostart || self.no_autostart {
            put("autostart", json!(self.autostart));
        }
        self.nested_fields(&mut fields)?;
        Ok(fields)
    }

    fn nested_fields(&self, fields: &mut Map<String, Value>) -> Result<()> {
        let mut within = |group: &str, name: &str, value: Value| {
            let group = fields.entry(group.to_owned()).or_insert_with(|| json!({}));
            if let Value::Object(group) = group {
                group.insert(name.to_owned(), value);
            }
        };
        if let Some(place) = &self.ready_tcp {
            let (host, port) = place.rsplit_once(':').map_or((None, place.as_str()), |(host, port)| (Some(host), port));
            let port: u16 =
                port.parse().map_err(|_| Failure::usage(format!("--ready-tcp: `{place}` is not a port")))?;
            within("ready", "kind", json!("tcp"));
            within("ready", "port", json!(port));
            if let Some(host) = host {
                within("ready", "host", json!(host));
            }
        }
        if let Some(url) = &self.ready_http {
            within("ready", "kind", json!("http"));
            within("ready", "url", json!(url));
        }
        if let Some(contains) = &self.ready_log {
            within("ready", "kind", json!("log"));
            within("ready", "contains", json!(contains));
        }
        if let Some(length) = &self.ready_within {
            within("ready", "timeout_seconds", json!(seconds(length)?));
        }
        if let Some(command) = &self.stop_command {
            within("stop", "command", json!(command));
        }
        if let Some(length) = &self.stop_within {
            let name = if self.stop_command.is_some() { "command_seconds" } else { "signal_seconds" };
            within("stop", name, json!(seconds(length)?));
        }
        if let Some(signal) = &self.stop_signal {
            within("stop", "signal", json!(signal.trim_start_matches("SIG")));
        }
        if let Some(policy) = &self.restart {
            within("restart", "policy", json!(policy.replace('-', "_")));
        }
        if let Some(megabytes) = self.memory {
            within("caps", "memory_bytes", json!(megabytes * 1_000_000));
        }
        if let Some(percent) = self.cpu {
            within("caps", "cpu_percent", json!(percent));
        }
        Ok(())
    }
}

fn variables(pairs: &[String]) -> Result<Map<String, Value>> {
    pairs
        .iter()
        .map(|pair| {
            let (name, value) = pair.split_once('=').ok_or_else(|| {
                Failure::usage(format!("--env: `{pair}` is not NAME=VALUE")).hint("write for example --env LANG=C")
            })?;
            Ok((name.to_owned(), json!(value)))
        })
        .collect()
}
