//! What rows hold, table by table.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Schema,
    frame::{Row, SyncError},
    tables::{DEFINITION, FIRE, GAP, JOB, LOG, RUN, SCHEMA, SERVER, SERVER_RUN, TRIGGER},
};
use crate::{
    DefinitionId, HubId, JobId, RunId, ServerId, Timestamp, TriggerId,
    job::{EndReason, JobStatus, OnLost, RunStatus, Source, WaitReason},
    server::{Server, ServerState, life::Life},
    timeline::GapKind,
    trigger::{FireStatus, Trigger},
};

/// The most a row may hold, in bytes of JSON.
pub const ROW_BYTES_MAX: usize = 768 * 1024;
/// The longest short text in a row: names, keys, notes.
const TEXT_MAX: usize = 1_000;

/// What a row holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Doc {
    /// Of `definition`.
    Definition(Box<DefinitionDoc>),
    /// Of `job`.
    Job(Box<JobDoc>),
    /// Of `run`.
    Run(Box<RunDoc>),
    /// Of `trigger`.
    Trigger(Box<TriggerDoc>),
    /// Of `fire`.
    Fire(Box<FireDoc>),
    /// Of `server`.
    Server(Box<ServerDoc>),
    /// Of `server_run`.
    ServerRun(Box<ServerRunDoc>),
    /// Of `gap`.
    Gap(Box<GapDoc>),
    /// Of `log`.
    Log(Box<LogDoc>),
    /// Of a table that is not known here, or not of the shape its table has.
    Other(Value),
    /// Nothing: the row is gone.
    Gone,
}

/// What a row holds, and what of it is not understood here yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// What is understood.
    pub doc: Doc,
    /// Columns that a newer version sent: kept for the day they are understood.
    pub extra: Option<Value>,
}

/// A definition that a host holds of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DefinitionDoc {
    /// Which.
    pub id: DefinitionId,
    /// Its key on its host.
    pub key: String,
    /// Its newest version.
    pub version: i32,
    /// Whether it may be used there.
    pub is_active: bool,
    /// What it says.
    pub body: Value,
    /// Who wrote this version.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
}

impl DefinitionDoc {
    /// The id of a hub's definition on its hosts, and back: the ids of two places must not meet, because every place has
    /// the same built-in ones.
    #[must_use]
    pub fn id_across(id: DefinitionId, hub: HubId) -> DefinitionId {
        let (mut bytes, other) = (id.to_bytes(), hub.to_bytes());
        bytes.iter_mut().zip(other).for_each(|(byte, other)| *byte ^= other);
        DefinitionId::from_bytes(bytes)
    }
}

/// A trigger that a host holds. The same on both ways: a hub hands it over, a host tells of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TriggerDoc {
    /// Which.
    pub id: TriggerId,
    /// Counts its changes.
    pub version: i32,
    /// As its owner wants it.
    pub body: Trigger,
    /// Who says it has decided everything up to here: the other one begins after it.
    pub settled_at: Timestamp,
    /// Who made it.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// When it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
    /// From a hub: the number of the host within it.
    #[serde(default)]
    pub ordinal: i32,
    /// From a hub: what it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<DefinitionId>,
    /// From a host: the hub whose trigger it is, if it is not the host's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<OfHub>,
}

/// Which entry of a hub's log the host has last taken of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfHub {
    /// Which hub.
    pub hub: HubId,
    /// Which history of it.
    pub epoch: u32,
    /// Which entry.
    pub hseq: u64,
}

/// What became of one time of a trigger on a host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FireDoc {
    /// Of which trigger.
    pub trigger: TriggerId,
    /// The time.
    pub nominal_at: Timestamp,
    /// The number of the host within the trigger.
    pub ordinal: i32,
    /// What became of it.
    pub status: FireStatus,
    /// Why.
    pub reason: String,
    /// The job it made.
    pub job: Option<JobId>,
    /// How many times it stands for.
    pub stands_for: i32,
    /// When it was decided.
    pub at: Timestamp,
    /// How its job ended, and when.
    pub ended: Option<(JobStatus, Timestamp)>,
}

/// A time in which a host stood still, or had no hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GapDoc {
    /// Which of the two.
    pub kind: GapKind,
    /// Since when.
    pub from_at: Timestamp,
    /// Until when; `None` while it lasts.
    pub until_at: Option<Timestamp>,
    /// What else is known.
    pub note: String,
}

/// A job of a host's own queue, and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobDoc {
    /// Which.
    pub id: JobId,
    /// What it runs.
    pub definition: DefinitionId,
    /// In which version.
    pub definition_version: i32,
    /// What made it.
    pub source: Source,
    /// Which one of these.
    pub source_ref: Option<String>,
    /// Lower first.
    pub priority: i32,
    /// Its values, without the secret ones.
    pub payload: Value,
    /// What it must not be made twice for.
    pub dedupe_key: Option<String>,
    /// What else it belongs to.
    pub correlation_id: Option<String>,
    /// Not before.
    pub scheduled_for: Timestamp,
    /// Not after.
    pub expires_at: Option<Timestamp>,
    /// How often it is tried.
    pub max_attempts: i32,
    /// How long a run may take.
    pub timeout_ms: i64,
    /// What becomes of it if its host is lost.
    pub on_lost: OnLost,
    /// Who made it.
    pub created_by: String,
    /// When.
    pub queued_at: Timestamp,
    /// Where it stands.
    pub status: JobStatus,
    /// How often it was given out.
    pub fence: i32,
    /// Why it waits, and until when.
    pub waits: Option<(WaitReason, Timestamp)>,
    /// Why it ended, if not by a run.
    pub end_reason: Option<EndReason>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// What runs now.
    pub running: Option<RunningDoc>,
}

/// The run under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunningDoc {
    /// Which.
    pub run: RunId,
    /// Since when.
    pub started_at: Timestamp,
    /// Its process.
    pub pid: Option<i32>,
}

/// A run that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunDoc {
    /// Which.
    pub id: RunId,
    /// Of which job.
    pub job: JobId,
    /// The how manieth.
    pub no: i32,
    /// How it ended.
    pub status: RunStatus,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// Its process.
    pub pid: Option<i32>,
    /// What it exited with.
    pub exit_code: Option<i32>,
    /// What ended it.
    pub signal: Option<i32>,
    /// What went wrong.
    pub error_text: Option<String>,
    /// The end of its output.
    pub stdout_tail: Option<String>,
    /// The end of its other output.
    pub stderr_tail: Option<String>,
    /// What it returned.
    pub output: Option<Value>,
}

/// A server that a host keeps. The same on both ways: a hub hands over what is wanted, a host tells how it lives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerDoc {
    /// Which.
    pub id: ServerId,
    /// What people call it.
    pub name: String,
    /// Counts the changes of what its owner wants.
    pub version: i32,
    /// As its owner wants it.
    pub body: Server,
    /// How it lives.
    #[serde(default)]
    pub life: Life,
    /// What people see of it.
    pub state: ServerState,
    /// Why.
    #[serde(default)]
    pub state_reason: String,
    /// Since when.
    pub state_at: Timestamp,
    /// Its newest run.
    #[serde(default)]
    pub run: Option<RunId>,
    /// The number of that.
    #[serde(default)]
    pub run_no: i32,
    /// Its process.
    #[serde(default)]
    pub pid: Option<i32>,
    /// Since when it has it.
    #[serde(default)]
    pub started_at: Option<Timestamp>,
    /// Who made it.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
    /// From a host: the hub whose server it is, if it is not the host's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<OfHub>,
}

/// One start of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerRunDoc {
    /// Which.
    pub id: RunId,
    /// Of which server.
    pub server: ServerId,
    /// The how manieth.
    pub no: i32,
    /// How it ended, or that it runs.
    pub status: RunStatus,
    /// When it began.
    pub started_at: Timestamp,
    /// When it was ready.
    #[serde(default)]
    pub ready_at: Option<Timestamp>,
    /// When it ended.
    #[serde(default)]
    pub finished_at: Option<Timestamp>,
    /// Its process.
    #[serde(default)]
    pub pid: Option<i32>,
    /// What it exited with.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// What ended it.
    #[serde(default)]
    pub signal: Option<i32>,
    /// Whether the system ended it for want of memory.
    #[serde(default)]
    pub is_oom: bool,
    /// What went wrong.
    #[serde(default)]
    pub error_text: Option<String>,
}

/// Some lines of a run's output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogDoc {
    /// Whose.
    pub run: RunId,
    /// The number of the first line.
    pub first_line: i64,
    /// How many.
    pub lines: i32,
    /// Their size.
    pub bytes: i32,
    /// They, compressed.
    #[serde(with = "crate::sync::base64")]
    pub body: Vec<u8>,
    /// When they came.
    pub at: Timestamp,
}

impl From<Doc> for Held {
    fn from(doc: Doc) -> Self {
        Self { doc, extra: None }
    }
}

impl Serialize for Held {
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
            Self::Gap(doc) => doc.serialize(serializer),
            Self::Log(doc) => doc.serialize(serializer),
            Self::Other(value) => value.serialize(serializer),
            Self::Gone => serializer.serialize_unit(),
        }
    }
}

/// How the id of a run's row is written.
#[must_use]
pub fn run_id(job: JobId, no: i32) -> String {
    format!("{job}:{no}")
}

/// How the id of a server's run is written.
#[must_use]
pub fn server_run_id(server: ServerId, no: i32) -> String {
    format!("{server}:{no}")
}

/// The same read again.
#[must_use]
pub fn server_run_of_id(id: &str) -> Option<(ServerId, i32)> {
    let (server, no) = id.split_once(':')?;
    Some((server.parse().ok()?, no.parse().ok()?))
}

/// How the id of a log's row is written.
#[must_use]
pub fn log_id(run: RunId, first_line: i64) -> String {
    format!("{run}:{first_line}")
}

/// How the id of a fire's row is written.
#[must_use]
pub fn fire_id(trigger: TriggerId, nominal_at: Timestamp, ordinal: i32) -> String {
    format!("{trigger}:{}:{ordinal}", nominal_at.as_micros())
}

/// The same read again.
#[must_use]
pub fn fire_of_id(id: &str) -> Option<(TriggerId, Timestamp, i32)> {
    let mut parts = id.splitn(3, ':');
    let (trigger, micros, ordinal) = (parts.next()?, parts.next()?, parts.next()?);
    Some((trigger.parse().ok()?, Timestamp::from_micros(micros.parse().ok()?), ordinal.parse().ok()?))
}

/// How the id of a gap's row is written.
#[must_use]
pub fn gap_id(kind: GapKind, from_at: Timestamp) -> String {
    format!("{kind}:{}", from_at.as_micros())
}

/// The same read again.
#[must_use]
pub fn gap_of_id(id: &str) -> Option<(GapKind, Timestamp)> {
    let (kind, micros) = id.split_once(':')?;
    Some((kind.parse().ok()?, Timestamp::from_micros(micros.parse().ok()?)))
}

impl Doc {
    /// What a table's row holds. What does not have its table's shape is kept as it is, to be put aside.
    #[must_use]
    pub fn read(table: &str, value: Value) -> Self {
        fn shaped<'d, T: Deserialize<'d>>(value: &'d Value, make: impl Fn(Box<T>) -> Doc) -> Option<Doc> {
            T::deserialize(value).ok().map(|doc| make(Box::new(doc)))
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
        } else if table == GAP.name {
            shaped(&value, Self::Gap)
        } else {
            None
        };
        doc.unwrap_or(Self::Other(value))
    }

    /// About how many bytes it takes on the wire.
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
            Self::Gap(doc) => doc.note.len(),
            Self::Log(doc) => doc.body.len() * 4 / 3,
            Self::Other(value) => of(value),
            Self::Gone => 0,
        }
    }
}

/// About how long a value is as JSON.
fn json_size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|item| json_size(item) + 1).sum::<usize>() + 2,
        Value::Object(fields) => fields.iter().map(|(key, item)| key.len() + 4 + json_size(item)).sum::<usize>() + 2,
        _ => 8,
    }
}

impl Row<Value> {
    /// The same row with what it holds taken apart. `sender` is what its writer can speak.
    #[must_use]
    pub fn read(self, sender: Schema) -> Row<Held> {
        let Self { table, id, version, mark, is_deleted, body } = self;
        let sent = (sender.version > SCHEMA.version).then(|| body.clone());
        let doc = Doc::read(&table, body);
        let extra = sent.and_then(|sent| unknown_columns(&doc, sent));
        // Names of known tables need not be kept each for itself.
        let table = super::tables::table(&table).map_or(table, |known| Cow::Borrowed(known.name));
        Row { table, id, version, mark, is_deleted, body: Held { doc, extra } }
    }
}

/// Columns of a row that this version does not know.
fn unknown_columns(doc: &Doc, sent: Value) -> Option<Value> {
    let (Value::Object(mut sent), Ok(Value::Object(known))) = (sent, serde_json::to_value(doc)) else { return None };
    sent.retain(|name, _| !known.contains_key(name));
    (!sent.is_empty()).then_some(Value::Object(sent))
}

impl Row<Held> {
    /// Whether it keeps the rules of its table, as far as they can be seen from itself.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self) -> Result<(), SyncError> {
        let fits = |text: &str| text.len() <= TEXT_MAX;
        let fits_if_there = |text: &Option<String>| text.as_deref().is_none_or(fits);
        let is_whole = match &self.body.doc {
            Doc::Other(_) | Doc::Gone => false,
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
            Doc::Gap(doc) => {
                gap_id(doc.kind, doc.from_at) == self.id
                    && doc.kind.is_told_by_host()
                    && doc.until_at.is_none_or(|until| until >= doc.from_at)
                    && fits(&doc.note)
            }
            Doc::Log(doc) => log_id(doc.run, doc.first_line) == self.id && doc.first_line > 0 && doc.lines > 0,
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
    fn a_row_of_its_tables_shape_is_taken_apart() {
        let read = row("run", RUN_ID, run_body()).read(SCHEMA);
        assert_eq!(read.check(), Ok(()), "a clock of the year 2100 is no reason to lose it");
        let Doc::Run(doc) = &read.body.doc else { panic!("{read:?}") };
        assert_eq!((doc.exit_code, doc.pid), (Some(3), None));
        let again = serde_json::to_value(&read.body).expect("writes");
        assert_eq!(row("run", RUN_ID, again).read(SCHEMA), read);
    }

    #[test]
    fn what_is_not_of_its_tables_shape_is_put_aside() {
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
    fn a_fire_is_known_by_its_trigger_time_and_host() {
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
    fn a_host_tells_only_of_gaps_that_it_can_know() {
        let at = Timestamp::from_micros(1_700_000_000_000_000);
        let checked = |kind: &str, until: Option<i64>| {
            let body = json!({"kind": kind, "from_at": at, "until_at": until.map(Timestamp::from_micros), "note": ""});
            row("gap", &format!("{kind}:{}", at.as_micros()), body).read(SCHEMA).check()
        };
        for kind in GapKind::ALL {
            assert_eq!(gap_of_id(&gap_id(*kind, at)), Some((*kind, at)));
            let expected = if kind.is_told_by_host() { Ok(()) } else { Err(SyncError::Rejected) };
            assert_eq!(checked(kind.as_str(), None), expected, "{kind}");
        }
        assert_eq!(checked("suspended", Some(at.as_micros() + 1)), Ok(()));
        assert_eq!(checked("suspended", Some(at.as_micros() - 1)), Err(SyncError::Rejected), "ends before it begins");
        assert_eq!(gap_of_id("suspended").or(gap_of_id("x:1")).or(gap_of_id("suspended:x")), None);
    }

    #[test]
    fn a_hubs_definition_has_another_id_on_its_hosts() {
        let (id, hub) = (DefinitionId::from_bytes([3; 16]), HubId::from_bytes([9; 16]));
        let there = DefinitionDoc::id_across(id, hub);
        assert_ne!(there, id);
        assert_eq!(DefinitionDoc::id_across(there, hub), id);
    }

    #[test]
    fn columns_of_a_newer_version_are_kept() {
        let mut body = run_body();
        body["cpu_ms"] = json!(41);
        assert_eq!(row("run", RUN_ID, body.clone()).read(SCHEMA).body.extra, None, "ours has no such columns");
        let newer = Schema { min: 1, version: SCHEMA.version + 1 };
        let read = row("run", RUN_ID, body).read(newer);
        assert_eq!((read.check(), read.body.extra), (Ok(()), Some(json!({"cpu_ms": 41}))));
    }
}
