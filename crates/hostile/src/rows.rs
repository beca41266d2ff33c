//! One valid row of every replicated table, for given ids. A row of the attacker and a row about things of the victim
//! differ in nothing but the ids.

use domain::{
    Timestamp,
    server::{Server, ServerState, life::Life},
    string_enum,
    sync::{
        Mark, SyncPriority, Version,
        doc::{self, Doc},
        frame::Row,
        tables,
    },
    timeline::OutageKind,
};
use proto::work::{LogLine, Stream, fold};
use serde_json::{Value, json};

use crate::{names::Names, shape::Shape};

string_enum! {
    /// The replicated tables.
    pub enum RowKind {
        Definition = "definition",
        Job = "job",
        Run = "run",
        Trigger = "trigger",
        Fire = "fire",
        Outage = "outage",
        Server = "server",
        ServerRun = "server_run",
        Log = "log",
    }
}

/// The time of all rows: long ago, so that nothing in them is due.
pub const AT: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

impl RowKind {
    /// The table of a row. A new kind of row does not compile here until it has a hostile row, too.
    #[must_use]
    pub fn of(doc: &Doc) -> Option<Self> {
        Some(match doc {
            Doc::Definition(_) => Self::Definition,
            Doc::Job(_) => Self::Job,
            Doc::Run(_) => Self::Run,
            Doc::Trigger(_) => Self::Trigger,
            Doc::Fire(_) => Self::Fire,
            Doc::Server(_) => Self::Server,
            Doc::ServerRun(_) => Self::ServerRun,
            Doc::Outage(_) => Self::Outage,
            Doc::Log(_) => Self::Log,
            Doc::Other(_) | Doc::Refused(_) | Doc::Gone => return None,
        })
    }

    /// The sync priority of the table.
    #[must_use]
    pub fn priority(self) -> SyncPriority {
        tables::table(self.as_str()).map_or(SyncPriority::Control, |table| table.priority)
    }
}

/// A value nested this deep, around a text.
#[must_use]
pub fn nested(depth: usize, text: &str) -> Value {
    (0..depth).fold(json!(text), |inner, _| json!([inner]))
}

/// The row of a table about these things.
#[must_use]
pub fn row(kind: RowKind, names: &Names, shape: &Shape) -> Row<Value> {
    let (id, body) = body(kind, names, shape);
    row_of(kind, id, body)
}

/// The deletion of the same row. `body` is null in honest deletions.
#[must_use]
pub fn deleted(kind: RowKind, names: &Names, shape: &Shape, body: Value) -> Row<Value> {
    let (id, _) = self::body(kind, names, shape);
    Row { is_deleted: true, ..row_of(kind, id, body) }
}

/// A row with a free choice of id and content. Its version is set by the page that contains it.
#[must_use]
pub fn row_of(kind: RowKind, id: String, body: Value) -> Row<Value> {
    let version = Version { epoch: 1, seq: 1 };
    Row { table: kind.as_str().into(), id, version, mark: Mark(7), is_deleted: false, body }
}

fn body(kind: RowKind, names: &Names, shape: &Shape) -> (String, Value) {
    let no = names.fence.wrapping_add(shape.fence_shift).max(1);
    let value = nested(shape.depth, &shape.text());
    match kind {
        RowKind::Definition => definition(names, shape, &value),
        RowKind::Job => job(names, shape, no, &value),
        RowKind::Run => run(names, shape, no, &value),
        RowKind::Trigger => trigger(names, shape, &value),
        RowKind::Fire => {
            let body = json!({"trigger": names.trigger, "nominal_at": AT, "ordinal": 0, "status": "fired",
                "reason": shape.text(), "job": names.job, "stands_for": 1, "at": AT, "ended": ["succeeded", AT]});
            (doc::fire_id(names.trigger, AT, 0), body)
        }
        RowKind::Outage => {
            let kind = OutageKind::Suspended;
            let body = json!({"kind": kind, "from_at": AT, "until_at": AT, "note": shape.short()});
            (doc::outage_id(kind, AT), body)
        }
        RowKind::Server => server(names, shape, no, &value),
        RowKind::ServerRun => {
            let body = json!({"id": names.run, "server": names.server, "no": no, "status": "failed",
                "started_at": AT, "finished_at": AT, "exit_code": 3, "error_text": shape.text()});
            (doc::server_run_id(names.server, no), body)
        }
        RowKind::Log => log(names, shape),
    }
}

fn definition(names: &Names, shape: &Shape, value: &Value) -> (String, Value) {
    let body = json!({"id": names.definition, "key": format!("hostile-{}", shape.short()), "version": no_of(shape),
        "is_active": true, "body": {"argv": ["true"], "description": value}, "created_by": "hostile", "created_at": AT});
    (names.definition.to_string(), body)
}

fn no_of(shape: &Shape) -> i32 {
    1_i32.saturating_add(shape.fence_shift).max(1)
}

fn job(names: &Names, shape: &Shape, fence: i32, value: &Value) -> (String, Value) {
    let body = json!({"id": names.job, "definition": names.definition, "definition_version": 1, "source": "manual",
        "source_ref": null, "priority": 1, "payload": {"n": value}, "dedupe_key": shape.short(), "correlation_id": null,
        "scheduled_for": AT, "expires_at": null, "max_attempts": 1, "timeout_ms": 1_000, "on_lost": "retry",
        "created_by": "hostile", "queued_at": AT, "status": "canceled", "fence": fence, "waits": null,
        "end_reason": null, "finished_at": AT, "running": null});
    (names.job.to_string(), body)
}

fn run(names: &Names, shape: &Shape, no: i32, value: &Value) -> (String, Value) {
    let body = json!({"id": names.run, "job": names.job, "no": no, "status": "failed", "started_at": AT,
        "finished_at": AT, "pid": 1, "exit_code": 99, "signal": null, "error_text": shape.text(),
        "stdout_tail": shape.text(), "stderr_tail": null, "output": value});
    (doc::run_id(names.job, no), body)
}

fn trigger(names: &Names, shape: &Shape, value: &Value) -> (String, Value) {
    let trigger = json!({"label": "hostile", "is_enabled": true, "trigger_type": "schedule", "cron_expr": "0 3 * * *",
        "timezone": "UTC", "definition_key": "hello", "payload_template": {"n": value}, "place": "host",
        "missed": "skip", "missed_max": 1, "missed_window_seconds": 60, "overlap": "allow", "jitter": 0, "priority": 1});
    let body = json!({"id": names.trigger, "version": no_of(shape), "body": trigger, "settled_at": AT,
        "created_by": "hostile", "created_at": AT, "updated_at": AT});
    (names.trigger.to_string(), body)
}

fn server(names: &Names, shape: &Shape, no: i32, value: &Value) -> (String, Value) {
    let settings = Server { payload: value.clone(), argv: vec!["/bin/true".to_owned()], ..plain_server() };
    let body = json!({"id": names.server, "name": format!("hostile-{}", shape.short()), "version": no_of(shape),
        "body": settings, "life": Life::default(), "state": ServerState::Failed, "state_reason": shape.short(),
        "state_at": AT, "run": names.run, "run_no": no, "created_by": "hostile", "created_at": AT, "updated_at": AT});
    (names.server.to_string(), body)
}

fn plain_server() -> Server {
    serde_json::from_value(json!({})).expect("every setting has a default")
}

fn log(names: &Names, shape: &Shape) -> (String, Value) {
    let first = i64::try_from(shape.number.max(1)).unwrap_or(i64::MAX);
    let line = LogLine { no: shape.number.max(1), at: AT, stream: Stream::Stdout, text: shape.text(), is_cut: false };
    let (packed, size) = fold(&[line]).expect("lines can be compressed");
    let id = doc::log_id(names.run, first);
    let bytes = i32::try_from(size).unwrap_or(i32::MAX);
    (id, log_body(names, first, (1, bytes), &packed))
}

/// The content of a log row with a free choice of the number of lines, their size, and the compressed block.
#[must_use]
pub fn log_body(names: &Names, first_line: i64, (lines, bytes): (i32, i32), packed: &[u8]) -> Value {
    let packed = data_encoding::BASE64.encode(packed);
    json!({"run": names.run, "first_line": first_line, "lines": lines, "bytes": bytes, "body": packed, "at": AT})
}

#[cfg(test)]
mod tests {
    use domain::sync::tables::{SCHEMA, TABLES};

    use super::*;

    #[test]
    fn every_table_has_a_row_that_its_checks_accept() {
        let names = Names::all([3; 16]);
        for table in TABLES {
            let kind: RowKind = table.name.parse().expect("every replicated table has a hostile row");
            assert_eq!(kind.priority(), table.priority, "{kind}");
            let read = row(kind, &names, &Shape::plain()).read(SCHEMA);
            assert_eq!(read.check(), Ok(()), "{kind}: {:?}", read.body);
            assert_eq!(RowKind::of(&read.body.doc), Some(kind));
        }
        assert_eq!(RowKind::ALL.len(), TABLES.len());
    }
}
