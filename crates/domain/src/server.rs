//! Servers: long-lived processes that people start, stop and restart, each on one host.
//!
//! What a server is to be ([`Server`]) belongs to whoever made it. How it lives ([`life`]) belongs to its host, which
//! decides by itself, also when nobody is there to ask.

pub mod life;
mod ready;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::ready::{Ready, ReadyCheck, ReadyKind};
use crate::{
    DefinitionId,
    definition::check_env_name,
    schema::Violation,
    time::{Span, Timestamp},
    words,
};

words! {
    /// What people see of a server.
    pub enum ServerState {
        /// Nothing of it runs, and nobody wants it to.
        Stopped = "stopped",
        /// It has a process and is not ready yet.
        Starting = "starting",
        /// It is ready.
        Running = "running",
        /// It was asked to end.
        Stopping = "stopping",
        /// It has ended and is started again in a moment.
        Waiting = "waiting",
        /// It has ended too often in a row; it is tried again after longer and longer pauses.
        CrashLoop = "crash_loop",
        /// It has ended badly, or could not be started, and is not tried again by itself.
        Failed = "failed",
    }
}

words! {
    /// Whether a server is to run.
    pub enum Wish {
        /// It is.
        Up = "up",
        /// It is not.
        Down = "down",
    }
}

words! {
    /// What can be asked of a server by a job.
    pub enum ServerOp {
        /// That it runs.
        Start = "start",
        /// That it does not.
        Stop = "stop",
        /// That it ends and runs again.
        Restart = "restart",
    }
}

words! {
    /// When a server that has ended is started again.
    pub enum RestartPolicy {
        /// Not by itself.
        Never = "never",
        /// When it ended badly.
        OnFailure = "on_failure",
        /// Always.
        Always = "always",
    }
}

words! {
    /// What is said to a server at once, past all jobs.
    pub enum OrderKind {
        /// It is killed, whatever is under way.
        Kill = "kill",
        /// A line for its input.
        Input = "input",
    }
}

/// The longest name.
const NAME_CHARS_MAX: usize = 64;
/// Arguments, ports and variables, each.
const ITEMS_MAX: usize = 256;
/// The longest argument or value.
const TEXT_MAX: usize = 8 * 1024;
/// The longest line for its input; a pipe takes so much at once or not at all.
pub const INPUT_BYTES_MAX: usize = 4_000;
/// The longest time in a server's settings.
const SECONDS_MAX: u32 = 86_400;
/// Output kept of one server, at least and at most.
const LOG_BYTES: (u64, u64) = (64 * 1024, 4 * 1024 * 1024 * 1024);
/// Days that output is kept, at most.
const LOG_DAYS_MAX: u32 = 3_650;
/// Signals by which people let programs end.
const SIGNALS: &[(&str, i32)] = &[("HUP", 1), ("INT", 2), ("QUIT", 3), ("USR1", 10), ("USR2", 12), ("TERM", 15)];

impl ServerOp {
    /// The key of its built-in definition.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Start => "SERVER_START",
            Self::Stop => "SERVER_STOP",
            Self::Restart => "SERVER_RESTART",
        }
    }

    /// The one with this key.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.key() == key)
    }

    /// The last byte of its definition's id, which is the same everywhere.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Start => 101,
            Self::Stop => 102,
            Self::Restart => 103,
        }
    }

    /// The one with this definition.
    #[must_use]
    pub fn of_definition(id: DefinitionId) -> Option<Self> {
        let [front @ .., last] = id.to_bytes();
        Self::ALL.iter().copied().find(|op| op.number() == last).filter(|_| front == [0; 15])
    }

    /// What was done, for people: `started`, …
    #[must_use]
    pub const fn done(self) -> &'static str {
        match self {
            Self::Start => "started",
            Self::Stop => "stopped",
            Self::Restart => "restarted",
        }
    }
}

/// A server, as its owner wants it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// The program and its arguments. Of a server made from a definition: what that came to.
    #[serde(default)]
    pub argv: Vec<String>,
    /// The definition it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition_key: Option<String>,
    /// What the definition was given.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub payload: Value,
    /// Where it works; a folder of its own if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// What it finds in its environment, beside what every process does.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Whom it runs as; as the runner if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Where it listens: for people.
    #[serde(default)]
    pub ports: Vec<u16>,
    /// When it is ready.
    #[serde(default)]
    pub ready: Ready,
    /// How it is stopped.
    #[serde(default)]
    pub stop: Stop,
    /// When it is started again.
    #[serde(default)]
    pub restart: Restart,
    /// Whether it starts with its host.
    #[serde(default)]
    pub autostart: bool,
    /// Whether lines can be typed into it.
    #[serde(default = "yes")]
    pub console: bool,
    /// What it may use of its machine.
    #[serde(default)]
    pub caps: Caps,
    /// What is kept of its output.
    #[serde(default)]
    pub log: LogKeep,
}

/// How a server is stopped: each step has its time, then comes the next. The last is always to kill all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// A line for its input that makes it end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// How long it has after that.
    #[serde(default = "thirty")]
    pub command_seconds: u32,
    /// The signal that makes it end.
    #[serde(default = "term")]
    pub signal: String,
    /// How long it has after that.
    #[serde(default = "ten")]
    pub signal_seconds: u32,
}

/// When a server is started again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restart {
    /// After which ends.
    #[serde(default = "on_failure")]
    pub policy: RestartPolicy,
    /// The first pause; each is twice as long as the one before.
    #[serde(default = "one")]
    pub first_seconds: u32,
    /// The longest.
    #[serde(default = "five_minutes")]
    pub cap_seconds: u32,
    /// After so many ends in a row it counts as a crash loop.
    #[serde(default = "five")]
    pub loop_after: u32,
    /// Up for so long it counts as well again.
    #[serde(default = "sixty")]
    pub stable_seconds: u32,
}

/// What a server may use, where the system lets us say so.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caps {
    /// Memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Of one core: 150 is one and a half.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_percent: Option<u32>,
    /// Processes and threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
}

/// What is kept of a server's output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogKeep {
    /// The newest so many bytes.
    #[serde(default = "default_log_bytes")]
    pub bytes: u64,
    /// For so many days.
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
    /// The number of its signal.
    #[must_use]
    pub fn signal_number(&self) -> i32 {
        SIGNALS.iter().find(|(name, _)| *name == self.signal).map_or(15, |(_, number)| *number)
    }
}

impl Restart {
    /// How long to wait after so many ends in a row.
    #[must_use]
    pub fn pause(&self, ends: u32) -> Span {
        let doubled = u64::from(self.first_seconds) << ends.saturating_sub(1).min(20);
        Span::from_secs(u32::try_from(doubled.min(u64::from(self.cap_seconds))).unwrap_or(self.cap_seconds))
    }

    /// How long it must be up to count as well.
    #[must_use]
    pub const fn stable(&self) -> Span {
        Span::from_secs(self.stable_seconds)
    }
}

impl LogKeep {
    /// Output from before this time is not kept.
    #[must_use]
    pub fn before(&self, now: Timestamp) -> Timestamp {
        now - Span::from_secs(self.days.saturating_mul(86_400))
    }
}

impl Server {
    /// A server that runs this and wants nothing special.
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

    /// Whether a host could keep it: all that is wrong with it.
    ///
    /// # Errors
    /// Each with a JSON pointer to the field.
    pub fn check(&self) -> Result<(), Vec<Violation>> {
        let mut found = Vec::new();
        let mut add = |pointer: &str, detail: String| found.push(Violation::new(pointer, detail));
        if self.argv.first().is_none_or(|program| program.trim().is_empty()) {
            add("/argv", "name the program and its arguments, or a definition".to_owned());
        }
        if self.argv.len() > ITEMS_MAX || self.argv.iter().any(|arg| !is_text(arg)) {
            add("/argv", format!("at most {ITEMS_MAX} arguments of {TEXT_MAX} bytes, without NUL"));
        }
        if self.folder.as_deref().is_some_and(|folder| !folder.starts_with('/') || !is_text(folder)) {
            add("/folder", "an absolute path, as in /srv/game".to_owned());
        }
        if self.env.len() > ITEMS_MAX {
            add("/env", format!("at most {ITEMS_MAX} variables"));
        }
        for (name, value) in &self.env {
            if let Err(why) = check_env_name(name) {
                add("/env", format!("`{}`: {why}", name.chars().take(64).collect::<String>()));
            } else if !is_text(value) {
                add("/env", format!("`{name}` is longer than {TEXT_MAX} bytes or has a NUL in it"));
            }
        }
        if self.user.as_deref().is_some_and(|user| !is_user(user)) {
            add("/user", "the name of a user of the host, or its number".to_owned());
        }
        if self.ports.len() > ITEMS_MAX || self.ports.contains(&0) {
            add("/ports", format!("at most {ITEMS_MAX} ports, none of them 0"));
        }
        self.check_steps(&mut add);
        self.check_bounds(&mut add);
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    fn check_steps(&self, add: &mut impl FnMut(&str, String)) {
        match &self.ready.check {
            ReadyCheck::Tcp { port: 0, .. } => add("/ready/port", "a port is 1 to 65535".to_owned()),
            ReadyCheck::Tcp { host, .. } if host.is_empty() || host.len() > 253 => {
                add("/ready/host", "the name or address of a machine".to_owned());
            }
            ReadyCheck::Http { url } if !(url.starts_with("http://") && url.len() <= 2_000) => {
                add("/ready/url", "an address that begins with http://".to_owned());
            }
            ReadyCheck::Log { contains } if contains.is_empty() || contains.len() > 500 => {
                add("/ready/contains", "1 to 500 bytes of a line".to_owned());
            }
            ReadyCheck::Command { argv } if argv.first().is_none_or(String::is_empty) || argv.len() > ITEMS_MAX => {
                add("/ready/argv", format!("a program and at most {ITEMS_MAX} arguments"));
            }
            _ => {}
        }
        if let Some(command) = &self.stop.command {
            if command.is_empty() || command.len() > INPUT_BYTES_MAX || command.contains(['\n', '\r', '\0']) {
                add("/stop/command", format!("one line of at most {INPUT_BYTES_MAX} bytes"));
            }
            if !self.console {
                add("/stop/command", "needs `console`, or there is no input to write it to".to_owned());
            }
        }
        if !SIGNALS.iter().any(|(name, _)| *name == self.stop.signal) {
            let names: Vec<&str> = SIGNALS.iter().map(|(name, _)| *name).collect();
            add("/stop/signal", format!("one of {}", names.join(", ")));
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
            add("/caps/memory_bytes", "at least one MiB".to_owned());
        }
        if cpu_percent.is_some_and(|percent| percent == 0 || percent > 100_000) {
            add("/caps/cpu_percent", "between 1 and 100000; 100 is one core".to_owned());
        }
        if processes.is_some_and(|count| count == 0 || count > 4_000_000) {
            add("/caps/processes", "between 1 and 4000000".to_owned());
        }
    }
}

/// Whether this can be the name of a server.
///
/// # Errors
/// Says what names look like.
pub fn check_name(name: &str) -> Result<(), Violation> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_name = (1..=NAME_CHARS_MAX).contains(&name.chars().count())
        && name.chars().all(is_plain)
        && name.starts_with(char::is_alphanumeric);
    if is_name && name.parse::<crate::ServerId>().is_err() {
        return Ok(());
    }
    let detail = format!(
        "a name is letters, digits, `-`, `_` and `.`, begins with a letter or digit, and has at most {NAME_CHARS_MAX} characters"
    );
    Err(Violation::new("/name", detail))
}

/// Whether this can be said to a server.
///
/// # Errors
/// Says what lines look like.
pub fn check_input(line: &str) -> Result<(), Violation> {
    if line.len() <= INPUT_BYTES_MAX && !line.contains(['\n', '\r', '\0']) {
        return Ok(());
    }
    Err(Violation::new("/line", format!("one line of at most {INPUT_BYTES_MAX} bytes")))
}

fn is_text(text: &str) -> bool {
    text.len() <= TEXT_MAX && !text.contains('\0')
}

fn is_user(user: &str) -> bool {
    (1..=32).contains(&user.len()) && user.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// The free key that all jobs of a server share: one of them at a time.
#[must_use]
pub fn limit_key(server: crate::ServerId) -> String {
    format!("server:{server}")
}

/// The key that two jobs which ask the same of a server share, while one of them waits.
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
    fn a_server_needs_little() {
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
        let again: Server = serde_json::from_value(json!(full)).expect("reads what it wrote");
        assert_eq!(again, full);
        assert_eq!(full.stop.signal_number(), 2);
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_place() {
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
    fn names_are_names_and_never_ids() {
        for good in ["mc-1", "redis", "Überwelt", "a.b_c"] {
            assert_eq!(check_name(good), Ok(()), "{good}");
        }
        for bad in ["", "-x", "a b", "a/b", "x\n", "01K4ZB6Y7QHX3T8M5N2V9W0RJC", &"x".repeat(65)] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn pauses_double_up_to_their_cap() {
        let restart = Restart::default();
        let pauses: Vec<i64> = (1..=10).map(|ends| restart.pause(ends).as_millis() / 1_000).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
        assert_eq!(restart.pause(u32::MAX), Span::from_secs(300));
    }

    #[test]
    fn every_job_of_a_server_has_its_key_and_its_definition() {
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
