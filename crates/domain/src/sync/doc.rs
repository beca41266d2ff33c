//! The format of replicated rows, one `…Doc` type per table, and the checks a received row must pass.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    SchemaRange,
    frame::{Row, SyncError},
    tables::{DEFINITION, FIRE, JOB, LOG, OUTAGE, RUN, SCHEMA, SERVER, SERVER_RUN, TRIGGER},
};
use crate::{
    DefinitionId, HubId, JobId, RunId, ServerId, Timestamp, TriggerId,
    job::{EndReason, JobStatus, OnLost, RunStatus, Source, WaitReason},
    schema::{DEPTH_MAX, is_deeper},
    server::{Server, ServerState, life::Life},
    timeline::OutageKind,
    trigger::{FireStatus, Trigger},
};

/// Size limit of a row, in bytes of JSON.
pub const ROW_BYTES_MAX: usize = 768 * 1024;
/// Longest short text in a row (names, keys, notes), in bytes.
const TEXT_MAX: usize = 1_000;
/// Levels of a whole row around its values: without this limit a row could be stored that no JSON parser reads again.
const BODY_DEPTH_MAX: usize = DEPTH_MAX + 8;
/// Lines in a block of output.
pub const LOG_LINES_MAX: i32 = 10_000;
/// Uncompressed size of a block of output, in bytes: runners send 320 KiB of text, which escapes enlarge up to six times.
pub const LOG_BYTES_MAX: i32 = 2 * 1024 * 1024;

/// The content of a row, by table.
#[derive(Debug, Clone, PartialEq)]
pub enum Doc {
    Definition(Box<DefinitionDoc>),
    Job(Box<JobDoc>),
    Run(Box<RunDoc>),
    Trigger(Box<TriggerDoc>),
    Fire(Box<FireDoc>),
    Server(Box<ServerDoc>),
    ServerRun(Box<ServerRunDoc>),
    Outage(Box<OutageDoc>),
    Log(Box<LogDoc>),
    /// A row of a table that this version does not know, or whose content does not have its table's format.
    Other(Value),
    /// Content that was rejected while it was parsed, and is not kept: it would be too deep or too large to store.
    Refused(SyncError),
    /// The row was deleted.
    Gone,
}

/// The content of a row with the columns that this version cannot read yet.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDoc {
    pub doc: Doc,
    /// Columns written by a newer version, kept until this version is upgraded.
    pub extra: Option<Value>,
}

/// A definition that a host owns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DefinitionDoc {
    pub id: DefinitionId,
    /// Its key, unique on the host.
    pub key: String,
    pub version: i32,
    /// Whether jobs may use it.
    pub is_active: bool,
    /// The definition itself.
    pub body: Value,
    /// The author of this version.
    pub created_by: String,
    pub created_at: Timestamp,
}

impl DefinitionDoc {
    /// Converts the id of a hub's definition to its id on hosts, and back. Built-in definitions have the same id in
    /// every database, so a hub's definition would collide with the host's own; XOR with the hub's id keeps them apart.
    #[must_use]
    pub fn id_across(id: DefinitionId, hub: HubId) -> DefinitionId {
        let (mut bytes, other) = (id.to_bytes(), hub.to_bytes());
        bytes.iter_mut().zip(other).for_each(|(byte, other)| *byte ^= other);
        DefinitionId::from_bytes(bytes)
    }
}

/// A trigger on a host. Used in both directions: a hub sends its trigger to the host, a host reports its triggers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TriggerDoc {
    pub id: TriggerId,
    /// Incremented with each change.
    pub version: i32,
    pub body: Trigger,
    /// The sender has decided every nominal time up to this one; the receiver continues after it.
    pub settled_at: Timestamp,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
    /// From a hub: the number of this host within the trigger (see [`FireDoc::ordinal`]).
    #[serde(default)]
    pub ordinal: i32,
    /// From a hub: the definition it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<DefinitionId>,
    /// From a host: set if the trigger belongs to a hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<OfHub>,
}

/// The entry of a hub's replication log from which the host last updated a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfHub {
    pub hub: HubId,
    /// The epoch of the hub's log.
    pub epoch: u32,
    /// The sequence number of the entry.
    pub hseq: u64,
}

/// The outcome of one nominal time of a trigger on a host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FireDoc {
    pub trigger: TriggerId,
    pub nominal_at: Timestamp,
    /// The number of the host within the trigger; part of the row's key.
    pub ordinal: i32,
    pub status: FireStatus,
    pub reason: String,
    pub job: Option<JobId>,
    /// The number of nominal times that this row covers; more than one after a catch-up.
    pub stands_for: i32,
    /// The time of the decision.
    pub at: Timestamp,
    /// The final status of its job and the time it finished.
    pub ended: Option<(JobStatus, Timestamp)>,
}

/// An outage that a host detected itself: the machine was suspended, or a hub was unreachable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutageDoc {
    pub kind: OutageKind,
    pub from_at: Timestamp,
    /// `None` while the outage lasts.
    pub until_at: Option<Timestamp>,
    /// Details for people.
    pub note: String,
}

/// A job of a host's own queue and its current state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobDoc {
    pub id: JobId,
    pub definition: DefinitionId,
    pub definition_version: i32,
    pub source: Source,
    /// The id of the trigger or other source that created it.
    pub source_ref: Option<String>,
    /// Lower numbers run first.
    pub priority: i32,
    /// Without secret values.
    pub payload: Value,
    /// While a job with this key exists, no second one is created.
    pub dedupe_key: Option<String>,
    /// Groups related jobs.
    pub correlation_id: Option<String>,
    /// Earliest start.
    pub scheduled_for: Timestamp,
    /// Latest start.
    pub expires_at: Option<Timestamp>,
    /// How many runs may fail before the job becomes a dead letter.
    pub max_attempts: i32,
    pub timeout_ms: i64,
    /// The handling of the job if its host is lost during a run.
    pub on_lost: OnLost,
    pub created_by: String,
    pub queued_at: Timestamp,
    pub status: JobStatus,
    /// How often the job was claimed.
    pub fence: i32,
    /// The wait reason and the time until which it applies.
    pub waits: Option<(WaitReason, Timestamp)>,
    /// Set if the job ended without a run's result.
    pub end_reason: Option<EndReason>,
    pub finished_at: Option<Timestamp>,
    pub running: Option<RunningDoc>,
}

/// The current run of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunningDoc {
    pub run: RunId,
    pub started_at: Timestamp,
    pub pid: Option<i32>,
}

/// A finished run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunDoc {
    pub id: RunId,
    pub job: JobId,
    /// The number of the run within its job, from 1.
    pub no: i32,
    pub status: RunStatus,
    pub started_at: Timestamp,
    pub finished_at: Timestamp,
    pub pid: Option<i32>,
    pub exit_code: Option<i32>,
    /// The signal that killed the process.
    pub signal: Option<i32>,
    pub error_text: Option<String>,
    /// The last part of standard output.
    pub stdout_tail: Option<String>,
    /// The last part of standard error.
    pub stderr_tail: Option<String>,
    /// The result that the program reported.
    pub output: Option<Value>,
}

/// A server on a host. Used in both directions: a hub sends the settings, a host reports the state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerDoc {
    pub id: ServerId,
    pub name: String,
    /// Incremented when the owner changes the settings.
    pub version: i32,
    /// The settings.
    pub body: Server,
    /// The state machine of the server.
    #[serde(default)]
    pub life: Life,
    /// The state shown to people; derived from `life`.
    pub state: ServerState,
    #[serde(default)]
    pub state_reason: String,
    /// The time of the last state change.
    pub state_at: Timestamp,
    /// The newest run.
    #[serde(default)]
    pub run: Option<RunId>,
    /// The number of the newest run.
    #[serde(default)]
    pub run_no: i32,
    #[serde(default)]
    pub pid: Option<i32>,
    #[serde(default)]
    pub started_at: Option<Timestamp>,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
    /// From a host: set if the server belongs to a hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<OfHub>,
}

/// One run of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerRunDoc {
    pub id: RunId,
    pub server: ServerId,
    /// The number of the run within its server, from 1.
    pub no: i32,
    /// `running` until it ends.
    pub status: RunStatus,
    pub started_at: Timestamp,
    #[serde(default)]
    pub ready_at: Option<Timestamp>,
    #[serde(default)]
    pub finished_at: Option<Timestamp>,
    #[serde(default)]
    pub pid: Option<i32>,
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// The signal that killed the process.
    #[serde(default)]
    pub signal: Option<i32>,
    /// Whether the kernel killed the process because memory ran out.
    #[serde(default)]
    pub is_oom: bool,
    #[serde(default)]
    pub error_text: Option<String>,
}

/// A block of a run's output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogDoc {
    pub run: RunId,
    pub first_line: i64,
    /// The number of lines.
    pub lines: i32,
    /// The uncompressed size.
    pub bytes: i32,
    /// The compressed lines.
    #[serde(with = "crate::sync::base64")]
    pub body: Vec<u8>,
    /// The time the lines were received.
    pub at: Timestamp,
}

impl From<Doc> for StoredDoc {
    fn from(doc: Doc) -> Self {
        Self { doc, extra: None }
    }
}

impl Serialize for StoredDoc {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.doc.serialize(serializer)
    }
}

impl Serialize for Doc {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Definition(doc) => doc.serialize(serializer),
            Self::Job(doc) => doc.serialize(serializer),
            Self::Run(doc) => doc.serialize(serializer),
            Self::Trigger(doc) => doc.serialize(serializer),
            Self::Fire(doc) => doc.serialize(serializer),
            Self::Server(doc) => doc.serialize(serializer),
            Self::ServerRun(doc) => doc.serialize(serializer),
            Self::Outage(doc) => doc.serialize(serializer),
            Self::Log(doc) => doc.serialize(serializer),
            Self::Other(value) => value.serialize(serializer),
            Self::Gone | Self::Refused(_) => serializer.serialize_unit(),
        }
    }
}

/// The id of a run's row.
#[must_use]
pub fn run_id(job: JobId, no: i32) -> String {
    format!("{job}:{no}")
}

/// The id of a server run's row.
#[must_use]
pub fn server_run_id(server: ServerId, no: i32) -> String {
    format!("{server}:{no}")
}

/// Parses an id made by [`server_run_id`].
#[must_use]
pub fn server_run_of_id(id: &str) -> Option<(ServerId, i32)> {
    let (server, no) = id.split_once(':')?;
    Some((server.parse().ok()?, no.parse().ok()?))
}

/// The id of a log row.
#[must_use]
pub fn log_id(run: RunId, first_line: i64) -> String {
    format!("{run}:{first_line}")
}

/// The id of a fire's row.
#[must_use]
pub fn fire_id(trigger: TriggerId, nominal_at: Timestamp, ordinal: i32) -> String {
    format!("{trigger}:{}:{ordinal}", nominal_at.as_micros())
}

/// Parses an id made by [`fire_id`].
#[must_use]
pub fn fire_of_id(id: &str) -> Option<(TriggerId, Timestamp, i32)> {
    let mut parts = id.splitn(3, ':');
    let (trigger, micros, ordinal) = (parts.next()?, parts.next()?, parts.next()?);
    Some((trigger.parse().ok()?, Timestamp::from_micros(micros.parse().ok()?), ordinal.parse().ok()?))
}

/// The id of an outage's row.
#[must_use]
pub fn outage_id(kind: OutageKind, from_at: Timestamp) -> String {
    format!("{kind}:{}", from_at.as_micros())
}

/// Parses an id made by [`outage_id`].
#[must_use]
pub fn outage_of_id(id: &str) -> Option<(OutageKind, Timestamp)> {
    let (kind, micros) = id.split_once(':')?;
    Some((kind.parse().ok()?, Timestamp::from_micros(micros.parse().ok()?)))
}

impl Doc {
    /// Parses the content of a table's row. Content that does not have its table's format becomes [`Doc::Other`], which
    /// [`Row::check`] rejects: the receiver parks it instead of losing it.
    #[must_use]
    pub fn read(table: &str, value: Value) -> Self {
        fn shaped<'d, T: Deserialize<'d>>(value: &'d Value, make: impl Fn(Box<T>) -> Doc) -> Option<Doc> {
            T::deserialize(value).ok().map(|doc| make(Box::new(doc)))
        }
        if is_deeper(&value, BODY_DEPTH_MAX) {
            return Self::Refused(SyncError::TooDeep);
        }
        let doc = if value.is_null() {
            Some(Self::Gone)
        } else if table == LOG.name {
            shaped(&value, Self::Log)
        } else if table == JOB.name {
            shaped(&value, Self::Job)
        } else if table == RUN.name {
            shaped(&value, Self::Run)
        } else if table == DEFINITION.name {
            shaped(&value, Self::Definition)
        } else if table == TRIGGER.name {
            shaped(&value, Self::Trigger)
        } else if table == FIRE.name {
            shaped(&value, Self::Fire)
        } else if table == SERVER.name {
            shaped(&value, Self::Server)
        } else if table == SERVER_RUN.name {
            shaped(&value, Self::ServerRun)
        } else if table == OUTAGE.name {
            shaped(&value, Self::Outage)
        } else {
            None
        };
        doc.unwrap_or(Self::Other(value))
    }

    /// Approximate size of the row as JSON, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let of = |value: &Value| json_size(value);
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        200 + match self {
            Self::Definition(doc) => of(&doc.body),
            Self::Job(doc) => 400 + of(&doc.payload),
            Self::Run(doc) => {
                200 + text(&doc.stdout_tail)
                    + text(&doc.stderr_tail)
                    + text(&doc.error_text)
                    + doc.output.as_ref().map_or(0, of)
            }
            Self::Trigger(doc) => 800 + of(&doc.body.payload_template),
            Self::Fire(doc) => 200 + doc.reason.len(),
            Self::Server(doc) => 1_200 + doc.body.argv.iter().map(String::len).sum::<usize>() + of(&doc.body.payload),
            Self::ServerRun(doc) => 200 + text(&doc.error_text),
            Self::Outage(doc) => doc.note.len(),
            Self::Log(doc) => doc.body.len() * 4 / 3,
            Self::Other(value) => of(value),
            Self::Gone | Self::Refused(_) => 0,
        }
    }
}

/// Approximate size of a value as JSON, in bytes.
fn json_size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|item| json_size(item) + 1).sum::<usize>() + 2,
        Value::Object(fields) => fields.iter().map(|(key, item)| key.len() + 4 + json_size(item)).sum::<usize>() + 2,
        _ => 8,
    }
}

impl Row<Value> {
    /// Parses the row's content. `sender` is the schema range of the side that sent it: only a newer sender can have
    /// columns that are unknown here.
    #[must_use]
    pub fn read(self, sender: SchemaRange) -> Row<StoredDoc> {
        let Self { table, id, version, mark, is_deleted, body } = self;
        let sent = (sender.version > SCHEMA.version).then(|| body.clone());
        let doc = Doc::read(&table, body);
        let extra = sent.and_then(|sent| unknown_columns(&doc, sent));
        // Borrow the table's static name instead of keeping one allocation per row.
        let table = super::tables::table(&table).map_or(table, |known| Cow::Borrowed(known.name));
        Row { table, id, version, mark, is_deleted, body: StoredDoc { doc, extra } }
    }
}

/// The columns of a row that this version cannot read.
fn unknown_columns(doc: &Doc, sent: Value) -> Option<Value> {
    let (Value::Object(mut sent), Ok(Value::Object(known))) = (sent, serde_json::to_value(doc)) else { return None };
    sent.retain(|name, _| !known.contains_key(name));
    (!sent.is_empty()).then_some(Value::Object(sent))
}

impl Doc {
    /// Whether a value inside the row is nested deeper than values may be. A definition's schema is one level below its
    /// body.
    fn is_too_deep(&self) -> bool {
        match self {
            Self::Job(doc) => is_deeper(&doc.payload, DEPTH_MAX),
            Self::Run(doc) => doc.output.as_ref().is_some_and(|output| is_deeper(output, DEPTH_MAX)),
            Self::Definition(doc) => is_deeper(&doc.body, DEPTH_MAX + 1),
            Self::Trigger(doc) => is_deeper(&doc.body.payload_template, DEPTH_MAX),
            Self::Server(doc) => is_deeper(&doc.body.payload, DEPTH_MAX),
            Self::Other(value) => is_deeper(value, DEPTH_MAX),
            _ => false,
        }
    }
}

impl Row<StoredDoc> {
    /// Whether the row obeys the rules of its table, as far as the row alone can show. A deletion has the id of a row and
    /// no content: with content, the id and the content could name two different rows.
    ///
    /// # Errors
    /// `TooLarge`, `TooDeep` or `Rejected`.
    pub fn check(&self) -> Result<(), SyncError> {
        if let Doc::Refused(error) = self.body.doc {
            return Err(error);
        }
        if self.is_deleted {
            let is_whole = self.id.len() <= TEXT_MAX && self.body.doc == Doc::Gone && self.subject().is_some();
            return if is_whole { Ok(()) } else { Err(SyncError::Rejected) };
        }
        if self.body.doc.is_too_deep() {
            return Err(SyncError::TooDeep);
        }
        let fits = |text: &str| text.len() <= TEXT_MAX;
        let fits_if_there = |text: &Option<String>| text.as_deref().is_none_or(fits);
        let is_whole = match &self.body.doc {
            Doc::Other(_) | Doc::Gone | Doc::Refused(_) => false,
            Doc::Definition(doc) => {
                doc.id.to_string() == self.id && doc.version > 0 && fits(&doc.key) && fits(&doc.created_by)
            }
            Doc::Job(doc) => {
                doc.id.to_string() == self.id
                    && doc.fence >= 0
                    && doc.status.is_over() == doc.finished_at.is_some()
                    && fits(&doc.created_by)
                    && [&doc.source_ref, &doc.dedupe_key, &doc.correlation_id].into_iter().all(fits_if_there)
            }
            Doc::Run(doc) => run_id(doc.job, doc.no) == self.id && doc.no > 0 && doc.status != RunStatus::Running,
            Doc::Trigger(doc) => doc.id.to_string() == self.id && doc.version > 0 && fits(&doc.created_by),
            Doc::Fire(doc) => {
                fire_id(doc.trigger, doc.nominal_at, doc.ordinal) == self.id && doc.ordinal >= 0 && doc.stands_for > 0
            }
            Doc::Server(doc) => {
                let texts = [&doc.name, &doc.created_by];
                doc.id.to_string() == self.id && doc.version > 0 && texts.into_iter().all(|text| fits(text))
            }
            Doc::ServerRun(doc) => {
                server_run_id(doc.server, doc.no) == self.id
                    && doc.no > 0
                    && (doc.status == RunStatus::Running) == doc.finished_at.is_none()
            }
            Doc::Outage(doc) => {
                outage_id(doc.kind, doc.from_at) == self.id
                    && doc.kind.is_from_host()
                    && doc.until_at.is_none_or(|until| until >= doc.from_at)
                    && fits(&doc.note)
            }
            Doc::Log(doc) => {
                log_id(doc.run, doc.first_line) == self.id
                    && doc.first_line > 0
                    && (1..=LOG_LINES_MAX).contains(&doc.lines)
                    && (1..=LOG_BYTES_MAX).contains(&doc.bytes)
            }
        };
        if !fits(&self.id) || !fits(&self.table) || self.body.doc.size() > ROW_BYTES_MAX {
            Err(SyncError::TooLarge)
        } else if is_whole {
            Ok(())
        } else {
            Err(SyncError::Rejected)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sync::{Mark, Version};

    fn row(table: &'static str, id: &str, body: Value) -> Row<Value> {
        Row {
            table: table.into(),
            id: id.to_owned(),
            version: Version { epoch: 1, seq: 1 },
            mark: Mark(1),
            is_deleted: false,
            body,
        }
    }

    fn run_body() -> Value {
        json!({"id": ID, "job": ID, "no": 1, "status": "failed",
            "started_at": "2026-01-01T00:00:00Z", "finished_at": "2100-01-01T00:00:00Z", "exit_code": 3})
    }

    const ID: &str = "01HZ0000000000000000000000";
    const RUN_ID: &str = "01HZ0000000000000000000000:1";

    #[test]
    fn a_row_in_its_tables_format_is_parsed() {
        let read = row("run", RUN_ID, run_body()).read(SCHEMA);
        assert_eq!(read.check(), Ok(()), "a timestamp in the year 2100 is accepted");
        let Doc::Run(doc) = &read.body.doc else { panic!("{read:?}") };
        assert_eq!((doc.exit_code, doc.pid), (Some(3), None));
        let again = serde_json::to_value(&read.body).expect("writes");
        assert_eq!(row("run", RUN_ID, again).read(SCHEMA), read);
    }

    #[test]
    fn a_row_not_in_its_tables_format_is_rejected() {
        let other = "01HX0000000000000000000000";
        let mut running = run_body();
        running["status"] = json!("running");
        let log =
            json!({"run": ID, "first_line": 1, "lines": 1, "bytes": 1, "body": "aGk=", "at": "2026-01-01T00:00:00Z"});
        let mut odd = log.clone();
        odd["body"] = json!("not base64!");
        let table = [
            ("another shape", row("run", RUN_ID, json!({"id": ID})), SyncError::Rejected),
            ("another table's", row("job", RUN_ID, run_body()), SyncError::Rejected),
            ("another id", row("run", other, run_body()), SyncError::Rejected),
            ("not ended", row("run", RUN_ID, running), SyncError::Rejected),
            ("nothing", row("run", RUN_ID, Value::Null), SyncError::Rejected),
            ("an unknown table's", row("novel", ID, json!({"a": 1})), SyncError::Rejected),
            ("a log of another run", row("log", &format!("{other}:1"), log), SyncError::Rejected),
            ("a log that is none", row("log", &format!("{ID}:1"), odd), SyncError::Rejected),
            ("a novel", row("novel", ID, json!("x".repeat(ROW_BYTES_MAX))), SyncError::TooLarge),
            ("an endless id", row("run", &"x".repeat(2_000), run_body()), SyncError::TooLarge),
        ];
        for (name, row, error) in table {
            assert_eq!(row.read(SCHEMA).check(), Err(error), "{name}");
        }
    }

    #[test]
    fn fire_id_contains_trigger_time_and_host_ordinal() {
        let (trigger, at) = (ID.parse().expect("an id"), Timestamp::from_micros(1_700_000_000_000_000));
        let id = fire_id(trigger, at, 3);
        assert_eq!(fire_of_id(&id), Some((trigger, at, 3)));
        assert_eq!(fire_of_id("x:1:2").or(fire_of_id(ID)).or(fire_of_id("")), None);
        let body = json!({"trigger": ID, "nominal_at": at, "ordinal": 3, "status": "fired", "reason": "", "job": ID,
            "stands_for": 1, "at": at, "ended": ["succeeded", at]});
        assert_eq!(row("fire", &id, body.clone()).read(SCHEMA).check(), Ok(()));
        assert_eq!(row("fire", ID, body).read(SCHEMA).check(), Err(SyncError::Rejected));
    }

    #[test]
    fn a_host_reports_only_outages_it_can_measure() {
        let at = Timestamp::from_micros(1_700_000_000_000_000);
        let checked = |kind: &str, until: Option<i64>| {
            let body = json!({"kind": kind, "from_at": at, "until_at": until.map(Timestamp::from_micros), "note": ""});
            row("outage", &format!("{kind}:{}", at.as_micros()), body).read(SCHEMA).check()
        };
        for kind in OutageKind::ALL {
            assert_eq!(outage_of_id(&outage_id(*kind, at)), Some((*kind, at)));
            let expected = if kind.is_from_host() { Ok(()) } else { Err(SyncError::Rejected) };
            assert_eq!(checked(kind.as_str(), None), expected, "{kind}");
        }
        assert_eq!(checked("suspended", Some(at.as_micros() + 1)), Ok(()));
        assert_eq!(checked("suspended", Some(at.as_micros() - 1)), Err(SyncError::Rejected), "ends before it begins");
        assert_eq!(outage_of_id("suspended").or(outage_of_id("x:1")).or(outage_of_id("suspended:x")), None);
    }

    #[test]
    fn a_hubs_definition_has_a_different_id_on_hosts() {
        let (id, hub) = (DefinitionId::from_bytes([3; 16]), HubId::from_bytes([9; 16]));
        let there = DefinitionDoc::id_across(id, hub);
        assert_ne!(there, id);
        assert_eq!(DefinitionDoc::id_across(there, hub), id);
    }

    #[test]
    fn columns_of_a_newer_version_are_kept() {
        let mut body = run_body();
        body["cpu_ms"] = json!(41);
        assert_eq!(
            row("run", RUN_ID, body.clone()).read(SCHEMA).body.extra,
            None,
            "a sender of this version has no unknown columns"
        );
        let newer = SchemaRange { min: 1, version: SCHEMA.version + 1 };
        let read = row("run", RUN_ID, body).read(newer);
        assert_eq!((read.check(), read.body.extra), (Ok(()), Some(json!({"cpu_ms": 41}))));
    }
}
