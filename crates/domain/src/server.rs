//! Servers: long-lived processes that people start, stop and restart, each on one host. The settings ([`Server`])
//! belong to the owner.
//!
//! - `life`: the state machine; it runs on the host, which also decides about restarts while no hub is reachable
//! - `ready`: the readiness check
//! - `rights`: the settings that only a super admin may choose

pub mod life;
mod ready;
mod rights;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{
    ready::{Ready, ReadyCheck, ReadyKind},
    rights::{Restricted, restricted},
};
use crate::{
    DefinitionId,
    definition::check_env_name,
    schema::Violation,
    string_enum,
    time::{Span, Timestamp},
};

string_enum! {
    /// The state of a server, as shown to people.
    pub enum ServerState {
        /// No process, and the desired state is stopped.
        Stopped = "stopped",
        /// The process runs, but is not ready yet.
        Starting = "starting",
        /// The process is ready.
        Running = "running",
        /// The process is being stopped and has not exited yet.
        Stopping = "stopping",
        /// The process exited and will be restarted after a short pause.
        Waiting = "waiting",
        /// The process exited too often in a row; the pauses between restarts grow.
        CrashLoop = "crash_loop",
        /// The process failed, or could not be started, and is not restarted automatically.
        Failed = "failed",
    }
}

string_enum! {
    /// The desired state of a server.
    pub enum DesiredState {
        /// The server should run.
        Up = "up",
        /// The server should not run.
        Down = "down",
    }
}

string_enum! {
    /// The operations that jobs perform on servers.
    pub enum ServerOp {
        /// Start the server if it does not run.
        Start = "start",
        /// Stop the server if it runs.
        Stop = "stop",
        /// Stop the server if it runs, then start it.
        Restart = "restart",
    }
}

string_enum! {
    /// When a server is restarted after its process exits.
    pub enum RestartPolicy {
        /// Not automatically.
        Never = "never",
        /// After a failure.
        OnFailure = "on_failure",
        /// After every exit.
        Always = "always",
    }
}

string_enum! {
    /// Orders that reach a server immediately, without a job.
    pub enum OrderKind {
        /// Kill the server, whatever operation is in progress.
        Kill = "kill",
        /// Write a line to standard input.
        Input = "input",
    }
}

/// The longest name, in characters.
const NAME_CHARS_MAX: usize = 64;
/// The most arguments, ports or environment variables, each.
const ITEMS_MAX: usize = 256;
/// The longest argument or value, in bytes.
const TEXT_MAX: usize = 8 * 1024;
/// The longest line for standard input; below `PIPE_BUF`, so a pipe accepts it completely or not at all.
pub const INPUT_BYTES_MAX: usize = 4_000;
/// The upper limit of all times in the settings.
const SECONDS_MAX: u32 = 86_400;
/// The range of the output that is kept of one server, in bytes.
const LOG_BYTES: (u64, u64) = (64 * 1024, 4 * 1024 * 1024 * 1024);
/// The upper limit of the days for which output is kept.
const LOG_DAYS_MAX: u32 = 3_650;
/// The signals that can stop a server.
const SIGNALS: &[(&str, i32)] = &[("HUP", 1), ("INT", 2), ("QUIT", 3), ("USR1", 10), ("USR2", 12), ("TERM", 15)];

impl ServerOp {
    /// The key of the operation's built-in definition.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Start => "SERVER_START",
            Self::Stop => "SERVER_STOP",
            Self::Restart => "SERVER_RESTART",
        }
    }

    /// The operation with this definition key.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.key() == key)
    }

    /// The last byte of the built-in definition's id, which is the same in every database.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Start => 101,
            Self::Stop => 102,
            Self::Restart => 103,
        }
    }

    /// The operation with this definition.
    #[must_use]
    pub fn of_definition(id: DefinitionId) -> Option<Self> {
        let [front @ .., last] = id.to_bytes();
        Self::ALL.iter().copied().find(|op| op.number() == last).filter(|_| front == [0; 15])
    }

    /// The operation in the past tense, for people: `started`, …
    #[must_use]
    pub const fn done(self) -> &'static str {
        match self {
            Self::Start => "started",
            Self::Stop => "stopped",
            Self::Restart => "restarted",
        }
    }
}

/// The settings of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// The program and its arguments. For a server made from a definition: the rendered command.
    #[serde(default)]
    pub argv: Vec<String>,
    /// The definition from which the server was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition_key: Option<String>,
    /// The payload for the definition.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub payload: Value,
    /// The working directory; a directory of its own if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Environment variables in addition to the default ones.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The Unix user of the process; the runner's user if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The ports on which it listens. Shown to people; not enforced.
    #[serde(default)]
    pub ports: Vec<u16>,
    /// The readiness check.
    #[serde(default)]
    pub ready: Ready,
    /// The steps of stopping it.
    #[serde(default)]
    pub stop: Stop,
    /// The restart policy.
    #[serde(default)]
    pub restart: Restart,
    /// Whether it starts when the host boots.
    #[serde(default)]
    pub autostart: bool,
    /// Whether its standard input stays open, so that lines can be sent to it.
    #[serde(default = "yes")]
    pub console: bool,
    /// The resource limits.
    #[serde(default)]
    pub caps: Caps,
    /// The retention of its output.
    #[serde(default)]
    pub log: LogKeep,
}

/// The steps of stopping a server: the command, then the signal, each with a timeout. The last step always kills all
/// its processes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// A line for standard input that makes the server exit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The timeout of the command.
    #[serde(default = "thirty")]
    pub command_seconds: u32,
    /// The signal that makes the server exit.
    #[serde(default = "term")]
    pub signal: String,
    /// The timeout of the signal.
    #[serde(default = "ten")]
    pub signal_seconds: u32,
}

/// The restart policy with its pauses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restart {
    /// After which exits the server is restarted.
    #[serde(default = "on_failure")]
    pub policy: RestartPolicy,
    /// The first pause; each following pause is twice as long.
    #[serde(default = "one")]
    pub first_seconds: u32,
    /// The longest pause.
    #[serde(default = "five_minutes")]
    pub cap_seconds: u32,
    /// After this many failures in a row the server is in a crash loop.
    #[serde(default = "five")]
    pub loop_after: u32,
    /// A server that stays up for this long is stable: the count of failures starts again.
    #[serde(default = "sixty")]
    pub stable_seconds: u32,
}

/// The resource limits of a server, enforced where the runner has a control group.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caps {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// In percent of one core: 150 is one and a half cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_percent: Option<u32>,
    /// The most processes and threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
}

/// The retention of a server's output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogKeep {
    /// Keep the newest bytes up to this size.
    #[serde(default = "default_log_bytes")]
    pub bytes: u64,
    /// Keep lines for this many days.
    #[serde(default = "default_log_days")]
    pub days: u32,
}

const fn yes() -> bool {
    true
}
const fn one() -> u32 {
    1
}
const fn five() -> u32 {
    5
}
const fn ten() -> u32 {
    10
}
const fn thirty() -> u32 {
    30
}
const fn sixty() -> u32 {
    60
}
const fn five_minutes() -> u32 {
    300
}
const fn on_failure() -> RestartPolicy {
    RestartPolicy::OnFailure
}
const fn default_log_bytes() -> u64 {
    64 * 1024 * 1024
}
const fn default_log_days() -> u32 {
    14
}
fn term() -> String {
    "TERM".to_owned()
}

impl Default for Stop {
    fn default() -> Self {
        Self { command: None, command_seconds: thirty(), signal: term(), signal_seconds: ten() }
    }
}

impl Default for Restart {
    fn default() -> Self {
        Self {
            policy: on_failure(),
            first_seconds: one(),
            cap_seconds: five_minutes(),
            loop_after: five(),
            stable_seconds: sixty(),
        }
    }
}

impl Default for LogKeep {
    fn default() -> Self {
        Self { bytes: default_log_bytes(), days: default_log_days() }
    }
}

impl Stop {
    /// The number of the signal.
    #[must_use]
    pub fn signal_number(&self) -> i32 {
        SIGNALS.iter().find(|(name, _)| *name == self.signal).map_or(15, |(_, number)| *number)
    }
}

impl Restart {
    /// The pause after this many failures in a row.
    #[must_use]
    pub fn pause(&self, ends: u32) -> Span {
        let doubled = u64::from(self.first_seconds) << ends.saturating_sub(1).min(20);
        Span::from_secs(u32::try_from(doubled.min(u64::from(self.cap_seconds))).unwrap_or(self.cap_seconds))
    }

    /// How long the server must stay up to be stable.
    #[must_use]
    pub const fn stable(&self) -> Span {
        Span::from_secs(self.stable_seconds)
    }
}

impl LogKeep {
    /// Output from before this time is deleted.
    #[must_use]
    pub fn before(&self, now: Timestamp) -> Timestamp {
        now - Span::from_secs(self.days.saturating_mul(86_400))
    }
}

impl Server {
    /// A server that runs this command, with default settings.
    #[must_use]
    pub fn new(argv: Vec<String>) -> Self {
        Self {
            argv,
            definition_key: None,
            payload: Value::Null,
            folder: None,
            env: BTreeMap::new(),
            user: None,
            ports: Vec::new(),
            ready: Ready::default(),
            stop: Stop::default(),
            restart: Restart::default(),
            autostart: false,
            console: true,
            caps: Caps::default(),
            log: LogKeep::default(),
        }
    }

    /// Checks the settings; reports everything that is invalid.
    ///
    /// # Errors
    /// Each violation has a JSON pointer to its field.
    pub fn check(&self) -> Result<(), Vec<Violation>> {
        let mut found = Vec::new();
        let mut add = |pointer: &str, detail: String| found.push(Violation::new(pointer, detail));
        if self.argv.first().is_none_or(|program| program.trim().is_empty()) {
            add("/argv", "must name a program, unless a definition is set".to_owned());
        }
        if self.argv.len() > ITEMS_MAX || self.argv.iter().any(|arg| !is_text(arg)) {
            add("/argv", format!("must have at most {ITEMS_MAX} arguments of at most {TEXT_MAX} bytes, without NUL"));
        }
        if self.folder.as_deref().is_some_and(|folder| !folder.starts_with('/') || !is_text(folder)) {
            add("/folder", "must be an absolute path, such as /srv/game".to_owned());
        }
        if self.env.len() > ITEMS_MAX {
            add("/env", format!("must have at most {ITEMS_MAX} variables"));
        }
        for (name, value) in &self.env {
            if let Err(why) = check_env_name(name) {
                add("/env", format!("`{}`: {why}", name.chars().take(64).collect::<String>()));
            } else if !is_text(value) {
                add("/env", format!("`{name}` is longer than {TEXT_MAX} bytes or contains NUL"));
            }
        }
        if self.user.as_deref().is_some_and(|user| !is_user(user)) {
            add("/user", "must be the name or the number of a user on the host".to_owned());
        }
        if self.ports.len() > ITEMS_MAX || self.ports.contains(&0) {
            add("/ports", format!("must have at most {ITEMS_MAX} ports, none of them 0"));
        }
        self.check_steps(&mut add);
        self.check_bounds(&mut add);
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    fn check_steps(&self, add: &mut impl FnMut(&str, String)) {
        match &self.ready.check {
            ReadyCheck::Tcp { port: 0, .. } => add("/ready/port", "must be between 1 and 65535".to_owned()),
            ReadyCheck::Tcp { host, .. } if host.is_empty() || host.len() > 253 => {
                add("/ready/host", "must be the name or address of a machine".to_owned());
            }
            ReadyCheck::Http { url } if !(url.starts_with("http://") && url.len() <= 2_000) => {
                add("/ready/url", "must be a URL that starts with http://".to_owned());
            }
            ReadyCheck::Log { contains } if contains.is_empty() || contains.len() > 500 => {
                add("/ready/contains", "must have 1 to 500 bytes".to_owned());
            }
            ReadyCheck::Command { argv } if argv.first().is_none_or(String::is_empty) || argv.len() > ITEMS_MAX => {
                add("/ready/argv", format!("must be a program and at most {ITEMS_MAX} arguments"));
            }
            _ => {}
        }
        if let Some(command) = &self.stop.command {
            if command.is_empty() || command.len() > INPUT_BYTES_MAX || command.contains(['\n', '\r', '\0']) {
                add("/stop/command", format!("must be one line of at most {INPUT_BYTES_MAX} bytes"));
            }
            if !self.console {
                add("/stop/command", "requires `console`: without it the server has no standard input".to_owned());
            }
        }
        if !SIGNALS.iter().any(|(name, _)| *name == self.stop.signal) {
            let names: Vec<&str> = SIGNALS.iter().map(|(name, _)| *name).collect();
            add("/stop/signal", format!("must be one of {}", names.join(", ")));
        }
    }

    fn check_bounds(&self, add: &mut impl FnMut(&str, String)) {
        for (pointer, value, least) in [
            ("/ready/timeout_seconds", self.ready.timeout_seconds, 1),
            ("/stop/command_seconds", self.stop.command_seconds, 0),
            ("/stop/signal_seconds", self.stop.signal_seconds, 0),
            ("/restart/first_seconds", self.restart.first_seconds, 1),
            ("/restart/cap_seconds", self.restart.cap_seconds, self.restart.first_seconds),
            ("/restart/loop_after", self.restart.loop_after, 2),
            ("/restart/stable_seconds", self.restart.stable_seconds, 1),
            ("/log/days", self.log.days, 1),
        ] {
            let most = if pointer == "/log/days" { LOG_DAYS_MAX } else { SECONDS_MAX };
            if value < least || value > most {
                add(pointer, format!("must be between {least} and {most}"));
            }
        }
        if self.log.bytes < LOG_BYTES.0 || self.log.bytes > LOG_BYTES.1 {
            add("/log/bytes", format!("must be between {} and {}", LOG_BYTES.0, LOG_BYTES.1));
        }
        let Caps { memory_bytes, cpu_percent, processes } = &self.caps;
        if memory_bytes.is_some_and(|bytes| !(1024 * 1024..=1 << 50).contains(&bytes)) {
            add("/caps/memory_bytes", "must be at least 1 MiB (1048576)".to_owned());
        }
        if cpu_percent.is_some_and(|percent| percent == 0 || percent > 100_000) {
            add("/caps/cpu_percent", "must be between 1 and 100000; 100 is one core".to_owned());
        }
        if processes.is_some_and(|count| count == 0 || count > 4_000_000) {
            add("/caps/processes", "must be between 1 and 4000000".to_owned());
        }
    }
}

/// Whether this is a valid name for a server.
///
/// # Errors
/// A description of valid names.
pub fn check_name(name: &str) -> Result<(), Violation> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_name = (1..=NAME_CHARS_MAX).contains(&name.chars().count())
        && name.chars().all(is_plain)
        && name.starts_with(char::is_alphanumeric);
    if is_name && name.parse::<crate::ServerId>().is_err() {
        return Ok(());
    }
    let detail = format!(
        "the name must be letters, digits, `-`, `_` and `.`, start with a letter or digit, and have at most {NAME_CHARS_MAX} characters"
    );
    Err(Violation::new("/name", detail))
}

/// Whether this line can be written to a server's standard input.
///
/// # Errors
/// A description of valid lines.
pub fn check_input(line: &str) -> Result<(), Violation> {
    if line.len() <= INPUT_BYTES_MAX && !line.contains(['\n', '\r', '\0']) {
        return Ok(());
    }
    Err(Violation::new("/line", format!("the input must be one line of at most {INPUT_BYTES_MAX} bytes")))
}

fn is_text(text: &str) -> bool {
    text.len() <= TEXT_MAX && !text.contains('\0')
}

pub(crate) fn is_user(user: &str) -> bool {
    (1..=32).contains(&user.len()) && user.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// The limit key that all jobs of a server share: one of them runs at a time.
#[must_use]
pub fn limit_key(server: crate::ServerId) -> String {
    format!("server:{server}")
}

/// The dedupe key of an operation on a server: while one such job waits, a second one is not created.
#[must_use]
pub fn dedupe_key(server: crate::ServerId, op: ServerOp) -> String {
    format!("server:{server}:{op}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn server(fields: &Value) -> Server {
        let mut all = json!({"argv": ["redis-server"]});
        for (name, value) in fields.as_object().expect("fields") {
            all[name] = value.clone();
        }
        serde_json::from_value(all).expect("a server")
    }

    #[test]
    fn a_server_needs_only_a_command() {
        assert_eq!(server(&json!({})), Server::new(vec!["redis-server".to_owned()]));
        assert_eq!(server(&json!({})).check(), Ok(()));
        let full = server(&json!({
            "folder": "/srv/game", "env": {"A": "1"}, "user": "game", "ports": [25565], "autostart": true,
            "ready": {"kind": "tcp", "port": 25565, "timeout_seconds": 300},
            "stop": {"command": "stop", "command_seconds": 60, "signal": "INT"},
            "restart": {"policy": "always", "loop_after": 3}, "caps": {"memory_bytes": 2_000_000_000u64},
            "log": {"days": 3}
        }));
        assert_eq!(full.check(), Ok(()));
        let again: Server = serde_json::from_value(json!(full)).expect("round-trips");
        assert_eq!(again, full);
        assert_eq!(full.stop.signal_number(), 2);
    }

    #[test]
    fn invalid_settings_are_rejected_with_a_json_pointer() {
        for (field, value, pointer) in [
            ("argv", json!([]), "/argv"),
            ("argv", json!(["a\0b"]), "/argv"),
            ("folder", json!("here"), "/folder"),
            ("env", json!({"1A": "x"}), "/env"),
            ("env", json!({"HOSTLER_RUN_ID": "x"}), "/env"),
            ("user", json!("ro ot"), "/user"),
            ("ports", json!([0]), "/ports"),
            ("ready", json!({"kind": "tcp", "port": 0}), "/ready/port"),
            ("ready", json!({"kind": "http", "url": "ftp://x"}), "/ready/url"),
            ("ready", json!({"kind": "log", "contains": ""}), "/ready/contains"),
            ("ready", json!({"kind": "command", "argv": []}), "/ready/argv"),
            ("ready", json!({"timeout_seconds": 0}), "/ready/timeout_seconds"),
            ("stop", json!({"command": "a\nb"}), "/stop/command"),
            ("stop", json!({"signal": "KILL"}), "/stop/signal"),
            ("restart", json!({"first_seconds": 0}), "/restart/first_seconds"),
            ("restart", json!({"first_seconds": 9, "cap_seconds": 3}), "/restart/cap_seconds"),
            ("restart", json!({"loop_after": 1}), "/restart/loop_after"),
            ("caps", json!({"memory_bytes": 5}), "/caps/memory_bytes"),
            ("caps", json!({"cpu_percent": 0}), "/caps/cpu_percent"),
            ("log", json!({"bytes": 1}), "/log/bytes"),
            ("log", json!({"days": 0}), "/log/days"),
        ] {
            let wrong = server(&json!({field: value})).check().expect_err(pointer);
            assert_eq!(wrong[0].pointer, pointer, "{field}: {value}");
        }
        let silent = server(&json!({"console": false, "stop": {"command": "stop"}}));
        assert_eq!(silent.check().expect_err("no input")[0].pointer, "/stop/command");
        for odd in [
            json!({"argv": ["x"], "autostrat": true}),
            json!({"argv": ["x"], "ready": {"kind": "tcp"}}),
            json!({"argv": ["x"], "ready": {"kind": "log", "port": 5}}),
            json!({"argv": ["x"], "ready": {"kind": "magic"}}),
        ] {
            assert!(serde_json::from_value::<Server>(odd.clone()).is_err(), "{odd}");
        }
    }

    #[test]
    fn an_id_is_not_a_valid_name() {
        for good in ["mc-1", "redis", "Überwelt", "a.b_c"] {
            assert_eq!(check_name(good), Ok(()), "{good}");
        }
        for bad in ["", "-x", "a b", "a/b", "x\n", "01K4ZB6Y7QHX3T8M5N2V9W0RJC", &"x".repeat(65)] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn restart_pauses_double_up_to_the_cap() {
        let restart = Restart::default();
        let pauses: Vec<i64> = (1..=10).map(|ends| restart.pause(ends).as_millis() / 1_000).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
        assert_eq!(restart.pause(u32::MAX), Span::from_secs(300));
    }

    #[test]
    fn every_operation_has_a_key_and_a_definition() {
        for op in ServerOp::ALL {
            assert_eq!(ServerOp::of_key(op.key()), Some(*op));
            let mut id = [0; 16];
            id[15] = op.number();
            assert_eq!(ServerOp::of_definition(DefinitionId::from_bytes(id)), Some(*op));
        }
        assert_eq!(ServerOp::of_definition(DefinitionId::from_bytes([101; 16])), None);
        assert_eq!(ServerOp::of_key("server_start"), None);
    }
}
