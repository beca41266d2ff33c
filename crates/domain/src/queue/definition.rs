//! Definitions: the commands that jobs can run, with their limits and retry policy.
//!
//! `argv` validates the command template, `schema` the payload's schema, and `role` decides who may change a
//! definition.

use std::{collections::BTreeSet, fmt, ops::RangeInclusive, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::{
    DefinitionId, Selector, Span, Timestamp,
    argv::Argv,
    backoff::Backoff,
    job::OnLost,
    label::LabelRefused,
    lane::DEFAULT_QUEUE,
    name,
    schema::{Schema, Violation},
};

/// The longest key.
pub const KEY_LENGTH_MAX: usize = 64;
/// The longest description.
pub const DESCRIPTION_LENGTH_MAX: usize = 2_000;
/// The range of timeouts. Up to thirty days, for backups and simulations.
pub const TIMEOUT_SECONDS: RangeInclusive<u32> = 1..=30 * 86_400;
/// The range of `max_attempts`.
pub const MAX_ATTEMPTS: RangeInclusive<u32> = 1..=100;
/// The range of limits on running jobs.
pub const MAX_RUNNING: RangeInclusive<u32> = 1..=100_000;
/// The range of limits on starts per minute.
pub const JOBS_PER_MINUTE: RangeInclusive<u32> = 1..=1_000_000;
/// The longest delay between two attempts.
pub const BACKOFF_CAP_MAX: Span = Span::from_secs(7 * 86_400);
/// The range of the growth of delays.
pub const BACKOFF_FACTOR: RangeInclusive<f64> = 1.0..=10.0;
/// The most entries in a list of names.
pub const NAMES_MAX: usize = 256;
/// The prefix of environment variables that are reserved for Hostler.
pub const OWN_ENV_PREFIX: &str = "HOSTLER_";

crate::string_enum! {
    /// The source of the definitions that a host runs.
    #[derive(Default)]
    pub enum Trust {
        /// Its hub.
        #[default]
        Hub = "hub",
        /// Only its own folder `catalogue.d`.
        Local = "local",
    }
}

/// The delays between attempts: exponential, with a random part.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetryBackoff {
    /// The maximum of the first delay.
    #[serde(rename = "initial_ms", with = "span_ms")]
    pub initial: Span,
    /// The maximum of all delays.
    #[serde(rename = "cap_ms", with = "span_ms")]
    pub cap: Span,
    /// The growth of the maximum from one delay to the next.
    pub factor: f64,
}

impl Default for RetryBackoff {
    fn default() -> Self {
        Self { initial: Span::from_secs(2), cap: Span::from_secs(300), factor: 2.0 }
    }
}

/// A selector together with its original text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostSelector {
    text: String,
    selector: Selector,
}

impl HostSelector {
    /// The parsed selector.
    #[must_use]
    pub const fn selector(&self) -> &Selector {
        &self.selector
    }
}

impl FromStr for HostSelector {
    type Err = LabelRefused;
    fn from_str(text: &str) -> Result<Self, LabelRefused> {
        Ok(Self { selector: text.parse()?, text: text.trim().to_owned() })
    }
}

impl fmt::Display for HostSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl Serialize for HostSelector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for HostSelector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A command that jobs can run, with a schema for their payload. The fields are those of the JSON form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    pub id: DefinitionId,
    /// The name used by people and in jobs.
    pub key: String,
    /// Incremented by every change; a job keeps the version that it was created with.
    pub version: i32,
    /// The purpose, for people.
    #[serde(default)]
    pub description: String,
    pub argv: Argv,
    /// The JSON Schema of payloads.
    #[serde(default = "no_payload")]
    pub arg_schema: Value,
    /// The longest duration of a run.
    #[serde(default = "default_timeout_seconds")]
    pub timeout_seconds: u32,
    #[serde(default = "default_max_attempts")]
    pub max_attempts: u32,
    #[serde(default)]
    pub backoff: RetryBackoff,
    /// Exit codes that end the job without a retry.
    #[serde(default)]
    pub no_retry_exit_codes: BTreeSet<i32>,
    /// The handling of jobs whose host is lost; `None` means the default for their target, see
    /// [`Definition::on_lost`].
    #[serde(default)]
    pub on_lost: Option<OnLost>,
    /// Only runners that serve this queue take the jobs.
    #[serde(default = "default_queue")]
    pub queue: String,
    /// Only hosts with these labels run the jobs; `None` means all hosts.
    #[serde(default)]
    pub selector: Option<HostSelector>,
    /// The limit of running jobs; `None` means no limit.
    #[serde(default)]
    pub max_running: Option<u32>,
    /// The limit of starts per minute; `None` means no limit.
    #[serde(default)]
    pub jobs_per_minute: Option<u32>,
    /// The limit of running jobs on one host; `None` means no limit.
    #[serde(default)]
    pub max_running_per_host: Option<u32>,
    /// The limit of starts per minute on one host; `None` means no limit.
    #[serde(default)]
    pub jobs_per_minute_per_host: Option<u32>,
    /// Names of the org's secrets that are set in the environment of the process.
    #[serde(default)]
    pub secrets: Vec<String>,
    /// Names of the runner's environment variables that the process inherits.
    #[serde(default)]
    pub env_allow: Vec<String>,
    /// Names of environment variables that users of a server made from the definition may set.
    #[serde(default)]
    pub env_settable: Vec<String>,
    /// The user of the host that the process runs as, by name or id; `None` means the runner's setting. Absent instead
    /// of null, so that a runner of an earlier version, which would ignore it, rejects only definitions that name one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Slugs of the orgs that may use the definition; `None` means all.
    #[serde(default)]
    pub orgs: Option<Vec<String>>,
    /// Whether jobs can be created from it. Definitions are disabled instead of deleted, because jobs refer to them.
    #[serde(default = "active")]
    pub is_active: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A field that differs between two versions of a definition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    pub field: String,
    pub old: Value,
    pub new: Value,
}

impl Definition {
    /// Creates a definition with default values.
    #[must_use]
    pub fn new(id: DefinitionId, key: &str, argv: Argv, arg_schema: Value, now: Timestamp) -> Self {
        Self {
            id,
            key: key.to_owned(),
            version: 1,
            description: String::new(),
            argv,
            arg_schema,
            timeout_seconds: default_timeout_seconds(),
            max_attempts: default_max_attempts(),
            backoff: RetryBackoff::default(),
            no_retry_exit_codes: BTreeSet::new(),
            on_lost: None,
            queue: default_queue(),
            selector: None,
            max_running: None,
            jobs_per_minute: None,
            max_running_per_host: None,
            jobs_per_minute_per_host: None,
            secrets: Vec::new(),
            env_allow: Vec::new(),
            env_settable: Vec::new(),
            user: None,
            orgs: None,
            is_active: active(),
            created_at: now,
            updated_at: now,
        }
    }

    /// Parses the definition in a file, which has no id, version and timestamps.
    ///
    /// # Errors
    /// Every violation, with a pointer to its field.
    pub fn from_fields(fields: Value) -> Result<Self, Vec<Violation>> {
        let Value::Object(mut fields) = fields else {
            return Err(vec![Violation::new("", "a definition must be a table of fields")]);
        };
        let now = json!(Timestamp::from_micros(0));
        for (name, own) in [
            ("id", json!(DefinitionId::from_bytes([0; 16]))),
            ("version", json!(1)),
            ("created_at", now.clone()),
            ("updated_at", now),
        ] {
            fields.insert(name.to_owned(), own);
        }
        let definition: Self = serde_json::from_value(Value::Object(fields))
            .map_err(|error| vec![Violation::new("", error.to_string())])?;
        definition.check()?;
        Ok(definition)
    }

    /// Checks every field, and that the command fits the schema.
    ///
    /// # Errors
    /// Every violation, with a pointer to its field.
    pub fn check(&self) -> Result<(), Vec<Violation>> {
        let mut found = Found(Vec::new());
        if !is_key(&self.key) {
            found.add(
                "/key",
                format!(
                    "a key must be lower-case words joined by `-`, `.` or `_`, at most {KEY_LENGTH_MAX} characters"
                ),
            );
        }
        if self.version < 1 {
            found.add("/version", "must be at least 1");
        }
        if self.description.chars().count() > DESCRIPTION_LENGTH_MAX {
            found.add("/description", format!("at most {DESCRIPTION_LENGTH_MAX} characters"));
        }
        self.check_command(&mut found);
        found.range("/timeout_seconds", Some(self.timeout_seconds), &TIMEOUT_SECONDS);
        found.range("/max_attempts", Some(self.max_attempts), &MAX_ATTEMPTS);
        found.range("/max_running", self.max_running, &MAX_RUNNING);
        found.range("/jobs_per_minute", self.jobs_per_minute, &JOBS_PER_MINUTE);
        found.range("/max_running_per_host", self.max_running_per_host, &MAX_RUNNING);
        found.range("/jobs_per_minute_per_host", self.jobs_per_minute_per_host, &JOBS_PER_MINUTE);
        self.check_backoff(&mut found);
        if let Some(wrong) = self.no_retry_exit_codes.iter().find(|code| !(0..=255).contains(*code)) {
            found.add("/no_retry_exit_codes", format!("{wrong} is not an exit code (0 to 255)"));
        }
        if let Err(refused) = name::check(&self.queue) {
            found.add("/queue", refused.to_string());
        }
        found.names("/secrets", &self.secrets, check_env_name);
        found.names("/env_allow", &self.env_allow, check_env_name);
        found.names("/env_settable", &self.env_settable, check_env_name);
        if let Some(both) = self.secrets.iter().find(|secret| self.env_allow.contains(secret)) {
            found.add("/env_allow", format!("`{both}` is also a secret; remove it here"));
        }
        if let Some(both) = self.secrets.iter().find(|secret| self.env_settable.contains(secret)) {
            found.add("/env_settable", format!("`{both}` is also a secret; remove it here"));
        }
        if self.user.as_deref().is_some_and(|user| !crate::server::is_user(user)) {
            found.add("/user", "expected the name or the id of a user");
        }
        if let Some(orgs) = &self.orgs {
            if orgs.is_empty() {
                found.add("/orgs", "must name an org; write null for all orgs, or set is_active to false");
            }
            found.names("/orgs", orgs, |slug| name::check(slug).map_err(|refused| refused.to_string()));
        }
        if found.0.is_empty() { Ok(()) } else { Err(found.0) }
    }

    fn check_command(&self, found: &mut Found) {
        let schema = match Schema::compile(self.arg_schema.clone()) {
            Ok(schema) => schema,
            Err(error) => return found.add("/arg_schema", error.to_string()),
        };
        if let Err(violations) = self.argv.check(&schema) {
            found.0.extend(violations.into_iter().map(|violation| violation.inside("/argv")));
        }
    }

    fn check_backoff(&self, found: &mut Found) {
        let RetryBackoff { initial, cap, factor } = self.backoff;
        if initial == Span::ZERO || initial > cap {
            found.add("/backoff/initial_ms", "must be at least 1 and at most cap_ms");
        }
        if cap > BACKOFF_CAP_MAX {
            found.add("/backoff/cap_ms", format!("must be at most {}", BACKOFF_CAP_MAX.as_millis()));
        }
        if !BACKOFF_FACTOR.contains(&factor) {
            let (least, most) = (BACKOFF_FACTOR.start(), BACKOFF_FACTOR.end());
            found.add("/backoff/factor", format!("must be between {least} and {most}"));
        }
    }

    /// The fields that differ from an older version. Version and timestamps are omitted, because they always differ.
    #[must_use]
    pub fn diff(old: &Self, new: &Self) -> Vec<Change> {
        let (Ok(Value::Object(old)), Ok(Value::Object(mut new))) =
            (serde_json::to_value(old), serde_json::to_value(new))
        else {
            return Vec::new();
        };
        // An optional field can be absent from the newer version only.
        for field in old.keys() {
            new.entry(field.clone()).or_insert(Value::Null);
        }
        new.into_iter()
            .filter(|(field, _)| !["id", "version", "created_at", "updated_at"].contains(&field.as_str()))
            .map(|(field, new)| Change { old: old.get(&field).cloned().unwrap_or_default(), field, new })
            .filter(|change| change.old != change.new)
            .collect()
    }

    /// The delay after attempt number `attempt` (1 is the first) has failed. `jitter` is uniform in 0..1.
    #[must_use]
    pub fn retry_delay(&self, attempt: u32, jitter: f64) -> Span {
        let RetryBackoff { initial, cap, factor } = self.backoff;
        // Limits the exponent to the range of `i32`; larger ones make no practical difference.
        let growth = factor.max(1.0).powi(i32::try_from(attempt.saturating_sub(1).min(10_000)).unwrap_or(i32::MAX));
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a delay needs no exactness")]
        let grown = (initial.as_millis() as f64 * growth).min(cap.as_millis() as f64) as i64;
        Backoff { first: Span::from_millis(grown), cap }.delay(0, jitter)
    }

    /// The handling of a job whose host is lost. By default a job bound to one host waits for that host, because no
    /// other host can run it.
    #[must_use]
    pub fn on_lost(&self, is_host_bound: bool) -> OnLost {
        self.on_lost.unwrap_or(if is_host_bound { OnLost::Hold } else { OnLost::Retry })
    }

    /// Whether an org may use the definition.
    #[must_use]
    pub fn is_for(&self, org_slug: &str) -> bool {
        self.orgs.as_ref().is_none_or(|orgs| orgs.iter().any(|slug| slug == org_slug))
    }
}

/// The objects in a file, each as its fields. The file contains one object, a list of objects, or a list under the name
/// of the kind, as in `definition`.
///
/// # Errors
/// The file has another form.
pub fn listed(file: Value, kind: &str) -> Result<Vec<Value>, Violation> {
    Ok(match file {
        Value::Array(all) => all,
        Value::Object(mut fields) => match fields.remove(kind) {
            Some(Value::Array(all)) => all,
            Some(one) => vec![one],
            None => vec![Value::Object(fields)],
        },
        _ => return Err(Violation::new("", format!("a {kind} must be a table of fields"))),
    })
}

/// The definitions that every hub has from the start. Their ids are the same on every hub.
#[must_use]
pub fn builtin(now: Timestamp) -> Vec<Definition> {
    let make = |number: u8, key: &str, description: &str, argv: Value, schema: Value| {
        let mut id = [0; 16];
        id[15] = number;
        let argv = Argv::parse(argv).expect("a test reads every template");
        let made = Definition::new(DefinitionId::from_bytes(id), key, argv, schema, now);
        Definition { description: description.to_owned(), ..made }
    };
    let operates = |op: crate::server::ServerOp, description: &str| {
        let argv = json!([crate::argv::OWN_PROGRAM, "server", op.as_str(), "{{ server }}"]);
        let made = make(op.number(), op.key(), description, argv, server_payload());
        // No retries: the server's own restart policy handles failures.
        Definition { max_attempts: 1, no_retry_exit_codes: BTreeSet::from([1]), ..made }
    };
    vec![
        operates(crate::server::ServerOp::Start, "Starts a server; succeeds when it is ready."),
        operates(crate::server::ServerOp::Stop, "Stops a server; succeeds when its processes have exited."),
        operates(crate::server::ServerOp::Restart, "Stops a server and starts it again; succeeds when it is ready."),
        make(
            1,
            "hello",
            "Prints a greeting: a first job to try.",
            json!(["echo", "Hello, {{ name }}! This is {{ host.name }}."]),
            json!({
                "type": "object", "additionalProperties": false,
                "properties": {"name": {
                    "type": "string", "maxLength": 100, "default": "world", "description": "The name to greet."
                }}
            }),
        ),
        make(
            2,
            "host-report",
            "Prints the host's system information and health.",
            json!([crate::argv::OWN_PROGRAM, "report"]),
            no_payload(),
        ),
        make(
            3,
            "sleep",
            "Waits for some seconds: for testing limits, cancellation and restarts.",
            json!(["sleep", "{{ seconds }}"]),
            json!({
                "type": "object", "additionalProperties": false,
                "properties": {"seconds": {
                    "type": "integer", "minimum": 0, "maximum": 86_400, "default": 1, "description": "Seconds to wait."
                }}
            }),
        ),
    ]
}

/// The payload of jobs that start, stop or restart a server.
fn server_payload() -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["server"],
        "properties": {"server": {
            "type": "string", "minLength": 1, "maxLength": 64, "description": "The server, by id or name."
        }}
    })
}

/// The violations found so far.
struct Found(Vec<Violation>);

impl Found {
    fn add(&mut self, pointer: &str, detail: impl Into<String>) {
        self.0.push(Violation::new(pointer, detail));
    }

    fn range(&mut self, pointer: &str, value: Option<u32>, range: &RangeInclusive<u32>) {
        if value.is_some_and(|value| !range.contains(&value)) {
            self.add(pointer, format!("must be between {} and {}", range.start(), range.end()));
        }
    }

    fn names(&mut self, pointer: &str, names: &[String], check: impl Fn(&str) -> Result<(), String>) {
        if names.len() > NAMES_MAX {
            return self.add(pointer, format!("at most {NAMES_MAX} names"));
        }
        let mut seen = BTreeSet::new();
        for (n, name) in names.iter().enumerate() {
            if let Err(detail) = check(name) {
                self.add(&format!("{pointer}/{n}"), detail);
            } else if !seen.insert(name) {
                self.add(&format!("{pointer}/{n}"), format!("`{name}` is listed twice"));
            }
        }
    }
}

fn is_key(key: &str) -> bool {
    // The keys of server operations are fixed and exempt from the rules.
    if crate::server::ServerOp::of_key(key).is_some() {
        return true;
    }
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    key.len() <= KEY_LENGTH_MAX && key.split(['-', '.', '_']).all(is_word)
}

/// Checks the name of an environment variable.
///
/// # Errors
/// The name is invalid or reserved.
pub fn check_env_name(name: &str) -> Result<(), String> {
    let is_name = name.len() <= KEY_LENGTH_MAX
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(format!(
            "an environment variable name has only letters, digits and `_`, and at most {KEY_LENGTH_MAX} characters"
        ));
    }
    if name.to_ascii_uppercase().starts_with(OWN_ENV_PREFIX) {
        return Err(format!("names that begin with {OWN_ENV_PREFIX} are reserved for Hostler; choose another name"));
    }
    Ok(())
}

/// The default schema: the payload must be empty.
fn no_payload() -> Value {
    json!({"type": "object", "additionalProperties": false})
}

const fn default_timeout_seconds() -> u32 {
    3_600
}

const fn default_max_attempts() -> u32 {
    3
}

fn default_queue() -> String {
    DEFAULT_QUEUE.to_owned()
}

const fn active() -> bool {
    true
}

/// Serializes spans as whole milliseconds.
mod span_ms {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::Span;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub(super) fn serialize<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(span.as_millis())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
        u32::deserialize(deserializer).map(|ms| Span::from_millis(i64::from(ms)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::argv::{Context, ContextName};

    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn sleep() -> Definition {
        builtin(NOW).into_iter().find(|definition| definition.key == "sleep").expect("there is one")
    }

    #[test]
    fn json_form_has_the_documented_fields() {
        let shown = serde_json::to_value(sleep()).expect("JSON");
        let mut fields: Vec<&str> = shown.as_object().expect("an object").keys().map(String::as_str).collect();
        let mut expected = vec![
            "id",
            "key",
            "version",
            "description",
            "argv",
            "arg_schema",
            "timeout_seconds",
            "max_attempts",
            "backoff",
            "no_retry_exit_codes",
            "on_lost",
            "queue",
            "selector",
            "max_running",
            "jobs_per_minute",
            "max_running_per_host",
            "jobs_per_minute_per_host",
            "secrets",
            "env_allow",
            "env_settable",
            "orgs",
            "is_active",
            "created_at",
            "updated_at",
        ];
        fields.sort_unstable();
        expected.sort_unstable();
        assert_eq!(fields, expected);
        assert_eq!(shown["backoff"], json!({"initial_ms": 2_000, "cap_ms": 300_000, "factor": 2.0}));
        assert_eq!(serde_json::from_value::<Definition>(shown).expect("a definition"), sleep());
    }

    #[test]
    fn only_key_and_argv_have_no_default() {
        let least = json!({
            "id": sleep().id, "key": "a", "version": 1, "argv": ["true"], "created_at": NOW, "updated_at": NOW
        });
        let read: Definition = serde_json::from_value(least).expect("a definition");
        assert_eq!(read.check(), Ok(()));
        assert_eq!(read, Definition::new(read.id, "a", read.argv.clone(), no_payload(), NOW));
    }

    #[test]
    fn builtin_definitions_are_valid_and_render() {
        let context = Context::default().with(ContextName::HostName, "web-1");
        let lines: Vec<String> = builtin(NOW)
            .iter()
            .map(|definition| {
                assert_eq!(definition.check(), Ok(()), "{}", definition.key);
                let schema = Schema::compile(definition.arg_schema.clone()).expect("a schema");
                let server = crate::server::ServerOp::of_key(&definition.key).map(|_| json!({"server": "mc-1"}));
                let payload = schema.with_defaults(server.unwrap_or_else(|| json!({})));
                assert_eq!(schema.check(&payload), []);
                definition.argv.render(&payload, &context).expect("arguments").join(" ")
            })
            .collect();
        let [own @ .., hello, report, sleep] = lines.as_slice() else { panic!("{lines:?}") };
        assert_eq!([hello, report, sleep], ["echo Hello, world! This is web-1.", "{hostler} report", "sleep 1"]);
        let server = ["{hostler} server start mc-1", "{hostler} server stop mc-1", "{hostler} server restart mc-1"];
        assert_eq!(own, server);
        let ids: BTreeSet<_> = builtin(NOW).iter().map(|definition| definition.id).collect();
        assert_eq!(ids.len(), lines.len());
    }

    #[test]
    fn check_reports_every_limit() {
        for (field, wrong, pointer) in [
            ("key", json!(""), "/key"),
            ("key", json!("Sync"), "/key"),
            ("key", json!("sync--all"), "/key"),
            ("key", json!("-sync"), "/key"),
            ("key", json!("x".repeat(65)), "/key"),
            ("version", json!(0), "/version"),
            ("description", json!("x".repeat(2_001)), "/description"),
            ("argv", json!(["sleep", "{{ minutes }}"]), "/argv/1"),
            ("arg_schema", json!({"type": "array"}), "/arg_schema"),
            ("timeout_seconds", json!(0), "/timeout_seconds"),
            ("timeout_seconds", json!(30 * 86_400 + 1), "/timeout_seconds"),
            ("max_attempts", json!(0), "/max_attempts"),
            ("max_attempts", json!(101), "/max_attempts"),
            ("max_running", json!(0), "/max_running"),
            ("jobs_per_minute", json!(0), "/jobs_per_minute"),
            ("backoff", json!({"initial_ms": 0}), "/backoff/initial_ms"),
            ("backoff", json!({"initial_ms": 2_000, "cap_ms": 1_000}), "/backoff/initial_ms"),
            ("backoff", json!({"cap_ms": 604_800_001}), "/backoff/cap_ms"),
            ("backoff", json!({"factor": 0.5}), "/backoff/factor"),
            ("no_retry_exit_codes", json!([1, 256]), "/no_retry_exit_codes"),
            ("no_retry_exit_codes", json!([-1]), "/no_retry_exit_codes"),
            ("queue", json!("A B"), "/queue"),
            ("secrets", json!(["GOOD", "NOT-GOOD"]), "/secrets/1"),
            ("secrets", json!(["TWICE", "TWICE"]), "/secrets/1"),
            ("env_allow", json!(["HOSTLER_RESULT"]), "/env_allow/0"),
            ("env_allow", json!(["1A"]), "/env_allow/0"),
            ("env_settable", json!(["HOSTLER_TOKEN"]), "/env_settable/0"),
            ("env_settable", json!(["A", "A"]), "/env_settable/1"),
            ("user", json!(""), "/user"),
            ("user", json!("a b"), "/user"),
            ("orgs", json!([]), "/orgs"),
            ("orgs", json!(["Not A Slug"]), "/orgs/0"),
        ] {
            let mut shown = serde_json::to_value(sleep()).expect("JSON");
            shown[field] = wrong.clone();
            let read: Definition = serde_json::from_value(shown).expect("a definition");
            let found = read.check().expect_err("refused");
            assert!(found.iter().all(|violation| violation.pointer == pointer), "{field} = {wrong}: {found:?}");
        }
        let both = Definition { secrets: vec!["A".to_owned()], env_allow: vec!["A".to_owned()], ..sleep() };
        assert!(both.check().is_err());
        let both = Definition { secrets: vec!["A".to_owned()], env_settable: vec!["A".to_owned()], ..sleep() };
        assert!(both.check().is_err());
        for key in ["a", "sync-all", "db.backup_2"] {
            assert_eq!(Definition { key: key.to_owned(), ..sleep() }.check(), Ok(()), "{key}");
        }
    }

    #[test]
    fn diff_lists_changed_fields() {
        let later = NOW + Span::from_secs(1);
        let selector = Some("env=prod, gpu".parse().expect("a selector"));
        let new = Definition { version: 2, updated_at: later, max_attempts: 5, selector, ..sleep() };
        let changes = Definition::diff(&sleep(), &new);
        assert_eq!(
            changes,
            [
                Change { field: "max_attempts".to_owned(), old: json!(3), new: json!(5) },
                Change { field: "selector".to_owned(), old: Value::Null, new: json!("env=prod, gpu") },
            ]
        );
        assert_eq!(Definition::diff(&new, &new), []);
        let other_user = Definition { user: Some("www-data".to_owned()), ..sleep() };
        let change = |old, new| Change { field: "user".to_owned(), old, new };
        assert_eq!(Definition::diff(&sleep(), &other_user), [change(Value::Null, json!("www-data"))]);
        assert_eq!(Definition::diff(&other_user, &sleep()), [change(json!("www-data"), Value::Null)]);
    }

    #[test]
    fn retry_delays_grow_to_the_cap() {
        let delays = |factor| {
            let backoff = RetryBackoff { factor, ..RetryBackoff::default() };
            let definition = Definition { backoff, ..sleep() };
            [0, 1, 2, 3, 8, 9, 100, u32::MAX].map(|attempt| definition.retry_delay(attempt, 1.0).as_millis() / 1_000)
        };
        assert_eq!(delays(2.0), [2, 2, 4, 8, 256, 300, 300, 300]);
        assert_eq!(delays(1.0), [2; 8]);
        assert_eq!(delays(10.0), [2, 2, 20, 200, 300, 300, 300, 300]);
    }

    #[test]
    fn bound_jobs_are_held_for_a_lost_host() {
        assert_eq!(sleep().on_lost(true), OnLost::Hold);
        assert_eq!(sleep().on_lost(false), OnLost::Retry);
        assert_eq!(Definition { on_lost: Some(OnLost::Retry), ..sleep() }.on_lost(true), OnLost::Retry);
    }

    #[test]
    fn definitions_are_for_listed_orgs_or_all() {
        let listed = Definition { orgs: Some(vec!["acme".to_owned()]), ..sleep() };
        assert!(sleep().is_for("any") && listed.is_for("acme") && !listed.is_for("any"));
    }

    proptest! {
        #[test]
        fn retry_delays_stay_within_the_cap_and_never_shrink(
            attempt in 1_u32..2_000,
            jitter in 0.0_f64..1.0,
            factor in 1.0_f64..10.0,
        ) {
            let backoff = RetryBackoff { factor, ..RetryBackoff::default() };
            let definition = Definition { backoff, ..sleep() };
            prop_assert!(definition.retry_delay(attempt, jitter) <= backoff.cap);
            prop_assert!(definition.retry_delay(attempt, jitter) <= definition.retry_delay(attempt + 1, jitter));
        }
    }
}
