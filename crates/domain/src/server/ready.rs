//! Readiness checks of servers, and their JSON form.

use serde::{Deserialize, Serialize};

use crate::string_enum;

/// The readiness check of a server, with its timeout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "ReadyForm", into = "ReadyForm")]
pub struct Ready {
    pub check: ReadyCheck,
    /// The server fails if the check does not succeed within this time.
    pub timeout_seconds: u32,
}

/// The condition under which a server is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadyCheck {
    /// The process has stayed up for one second.
    Up,
    /// A port accepts connections.
    Tcp {
        /// This machine by default.
        host: String,
        port: u16,
    },
    /// A URL answers with a success status.
    Http { url: String },
    /// A line of output contains this text.
    Log { contains: String },
    /// A command succeeds.
    Command { argv: Vec<String> },
}

string_enum! {
    /// The kinds of readiness checks.
    pub enum ReadyKind {
        /// The process stays up.
        Up = "up",
        /// A port accepts connections.
        Tcp = "tcp",
        /// A URL answers.
        Http = "http",
        /// A line of output matches.
        Log = "log",
        /// A command succeeds.
        Command = "command",
    }
}

/// The JSON form of [`Ready`]: the kind and its fields on one level.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadyForm {
    #[serde(default = "up")]
    kind: ReadyKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contains: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    argv: Option<Vec<String>>,
    #[serde(default = "super::sixty")]
    timeout_seconds: u32,
}

const fn up() -> ReadyKind {
    ReadyKind::Up
}

impl From<Ready> for ReadyForm {
    fn from(ready: Ready) -> Self {
        let timeout_seconds = ready.timeout_seconds;
        let form = |kind| Self { kind, host: None, port: None, url: None, contains: None, argv: None, timeout_seconds };
        match ready.check {
            ReadyCheck::Up => form(ReadyKind::Up),
            ReadyCheck::Tcp { host, port } => Self { host: Some(host), port: Some(port), ..form(ReadyKind::Tcp) },
            ReadyCheck::Http { url } => Self { url: Some(url), ..form(ReadyKind::Http) },
            ReadyCheck::Log { contains } => Self { contains: Some(contains), ..form(ReadyKind::Log) },
            ReadyCheck::Command { argv } => Self { argv: Some(argv), ..form(ReadyKind::Command) },
        }
    }
}

impl TryFrom<ReadyForm> for Ready {
    type Error = String;
    fn try_from(form: ReadyForm) -> Result<Self, String> {
        let ReadyForm { kind, host, port, url, contains, argv, timeout_seconds } = form;
        let needs = |field: &str| format!("a ready check of the kind {kind} needs `{field}`");
        let others = |own: &[&str]| {
            let given = [
                ("host", host.is_some()),
                ("port", port.is_some()),
                ("url", url.is_some()),
                ("contains", contains.is_some()),
                ("argv", argv.is_some()),
            ];
            let odd = given.into_iter().find(|(name, is_given)| *is_given && !own.contains(name));
            odd.map_or(Ok(()), |(name, _)| Err(format!("a ready check of the kind {kind} has no `{name}`")))
        };
        let check = match kind {
            ReadyKind::Up => {
                others(&[])?;
                ReadyCheck::Up
            }
            ReadyKind::Tcp => {
                others(&["host", "port"])?;
                ReadyCheck::Tcp { host: host.unwrap_or_else(loopback), port: port.ok_or_else(|| needs("port"))? }
            }
            ReadyKind::Http => {
                others(&["url"])?;
                ReadyCheck::Http { url: url.ok_or_else(|| needs("url"))? }
            }
            ReadyKind::Log => {
                others(&["contains"])?;
                ReadyCheck::Log { contains: contains.ok_or_else(|| needs("contains"))? }
            }
            ReadyKind::Command => {
                others(&["argv"])?;
                ReadyCheck::Command { argv: argv.ok_or_else(|| needs("argv"))? }
            }
        };
        Ok(Self { check, timeout_seconds })
    }
}

fn loopback() -> String {
    "127.0.0.1".to_owned()
}

impl Default for Ready {
    fn default() -> Self {
        Self { check: ReadyCheck::Up, timeout_seconds: super::sixty() }
    }
}
