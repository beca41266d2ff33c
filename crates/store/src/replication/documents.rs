//! Reads the content of replicated rows on a runner, for the hubs that request them. A runner's database is SQLite; the
//! PostgreSQL variants exist because every statement must prepare on both.

use domain::{
    DefinitionId, HubId, JobId, RunId, Span, Timestamp, TriggerId,
    job::{EndReason, JobStatus, OnLost, RunStatus, Source, WaitReason},
    schema::{DEPTH_MAX, is_deeper},
    sync::{
        doc::{
            DefinitionDoc, Doc, FireDoc, JobDoc, LogDoc, OfHub, OutageDoc, RunDoc, RunningDoc, TriggerDoc, outage_id,
        },
        table::Table,
        tables::{DEFINITION, FIRE, JOB, LOG, OUTAGE, RUN, SERVER, SERVER_RUN, TRIGGER},
    },
};
use serde_json::{Value, json};

use super::{epoch, unsigned};
use crate::{
    Result, Tx,
    columns::{column, ids, times},
    fire::Fire,
    log::Chunk,
    outage::Outage,
    value::Json,
};

struct JobRow {
    id: JobId,
    definition_id: DefinitionId,
    definition_version: i32,
    source: Source,
    source_ref: Option<String>,
    priority: i32,
    payload: Json<Value>,
    dedupe_key: Option<String>,
    correlation_id: Option<String>,
    scheduled_for: Timestamp,
    expires_at: Option<Timestamp>,
    max_attempts: i32,
    timeout_ms: Span,
    on_lost: OnLost,
    created_by: String,
    queued_at: Timestamp,
    status: JobStatus,
    fence: i32,
    parked_reason: Option<WaitReason>,
    parked_until: Option<Timestamp>,
    end_reason: Option<EndReason>,
    finished_at: Option<Timestamp>,
    run_id: Option<RunId>,
    lease_started_at: Option<Timestamp>,
    pid: Option<i32>,
}

struct RunDocRow {
    id: RunId,
    job_id: JobId,
    no: i32,
    status: RunStatus,
    started_at: Timestamp,
    finished_at: Timestamp,
    pid: Option<i32>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    error_text: Option<String>,
    stdout_tail: Option<String>,
    stderr_tail: Option<String>,
    output: Option<Json<Value>>,
}

struct DefinitionRow {
    id: DefinitionId,
    key: String,
    version: i32,
    is_active: bool,
    body: Json<Value>,
    created_by: String,
    created_at: Timestamp,
}

struct TriggerRow {
    id: TriggerId,
    version: i32,
    body: Json<Value>,
    settled_at: Timestamp,
    hub_id: Option<HubId>,
    created_by: String,
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: Option<Timestamp>,
    epoch: Option<i64>,
    hseq: Option<i64>,
}

rows! {
    TriggerRow { id, version, body, settled_at, hub_id, created_by, created_at, updated_at, deleted_at, epoch, hseq }
    JobRow {
        id, definition_id, definition_version, source, source_ref, priority, payload, dedupe_key, correlation_id,
        scheduled_for, expires_at, max_attempts, timeout_ms, on_lost, created_by, queued_at, status, fence, parked_reason,
        parked_until, end_reason, finished_at, run_id, lease_started_at, pid,
    }
    RunDocRow {
        id, job_id, no, status, started_at, finished_at, pid, exit_code, signal, error_text, stdout_tail, stderr_tail, output,
    }
    DefinitionRow { id, key, version, is_active, body, created_by, created_at }
}

macro_rules! doc_columns {
    (job) => {
        "select n.id, n.definition_id, n.definition_version, n.source, n.source_ref, n.priority, n.payload, n.dedupe_key,
            n.correlation_id, n.scheduled_for, n.expires_at, n.max_attempts, n.timeout_ms, n.on_lost, n.created_by,
            n.queued_at, n.status, n.fence, n.parked_reason, n.parked_until, n.end_reason, n.finished_at, n.run_id,
            n.lease_started_at, n.pid "
    };
    (run) => {
        "select r.id, r.job_id, r.no, r.status, r.started_at, r.finished_at, r.pid, r.exit_code, r.signal, r.error_text,
            r.stdout_tail, r.stderr_tail, r.output "
    };
    (definition) => {
        "select d.id, d.key, d.version, d.is_active, v.body, v.created_by, v.created_at "
    };
    (trigger) => {
        "select t.id, t.version, t.body, t.settled_at, t.hub_id, t.created_by, t.created_at, t.updated_at, t.deleted_at,
            h.epoch, h.hseq "
    };
    (fire) => {
        "select f.trigger_id, f.nominal_at, f.ordinal, f.org_id, f.host_id, f.status, f.reason, f.job_id, f.stands_for, f.at,
            f.ended_status, f.ended_at, f.origin "
    };
    (outage) => {
        "select g.host_id, g.kind, g.from_at, g.until_at, g.note "
    };
    (log) => {
        "select l.run_id, l.first_line, l.lines, l.bytes, l.body, l.at "
    };
}

statements! {
    DOC_JOBS = pair(
        concat!(doc_columns!(job), "from json_each($1) x cross join job_now n on n.id = unhex(x.value)"),
        concat!(doc_columns!(job), "from unnest($1::text[]) x (id)
            cross join lateral (select * from job_now where id = x.id::uuid limit 1) n")
    );
    DOC_RUNS = pair(
        concat!(doc_columns!(run), "from json_each($1) x cross join run r
            on r.job_id = unhex(substr(x.value, 1, 32)) and r.no = cast(substr(x.value, 34) as integer)"),
        concat!(doc_columns!(run), "from unnest($1::text[]) x (id) join run r
            on r.job_id = substr(x.id, 1, 32)::uuid and r.no = substr(x.id, 34)::int")
    );
    DOC_DEFINITIONS = pair(
        concat!(doc_columns!(definition), "from json_each($1) x cross join definition d on d.id = unhex(x.value)
            join definition_version v on v.definition_id = d.id and v.version = d.version"),
        concat!(doc_columns!(definition), "from unnest($1::text[]) x (id) join definition d on d.id = x.id::uuid
            join definition_version v on v.definition_id = d.id and v.version = d.version")
    );
    DOC_TRIGGERS = pair(
        concat!(doc_columns!(trigger), "from json_each($1) x cross join trigger t on t.id = unhex(x.value)
            left join sync_host_copy h on h.hub_id = t.hub_id and h.tbl = 'trigger' and h.id = t.id"),
        concat!(doc_columns!(trigger), "from unnest($1::text[]) x (id) join trigger t on t.id = x.id::uuid
            left join sync_host_copy h on h.hub_id = t.hub_id and h.tbl = 'trigger' and h.id = t.id")
    );
    DOC_FIRES = pair(
        concat!(doc_columns!(fire), "from json_each($1) x cross join fire f
            on f.trigger_id = unhex(x.value ->> 0) and f.nominal_at = x.value ->> 1 and f.ordinal = x.value ->> 2"),
        concat!(doc_columns!(fire), "from unnest($1::uuid[], $2::timestamptz[], $3::int[]) x (id, nominal_at, ordinal)
            join fire f on f.trigger_id = x.id and f.nominal_at = x.nominal_at and f.ordinal = x.ordinal")
    );
    DOC_OUTAGES = pair(
        concat!(doc_columns!(outage), "from json_each($1) x cross join host_outage g
            on g.kind || ':' || g.from_at = x.value"),
        concat!(doc_columns!(outage), "from unnest($1::text[]) x (id) join host_outage g
            on g.kind || ':' || (extract(epoch from g.from_at) * 1000000)::bigint = x.id")
    );
    DOC_LOGS = pair(
        concat!(doc_columns!(log), "from json_each($1) x cross join log_chunk l
            on l.run_id = unhex(substr(x.value, 1, 32)) and l.first_line = cast(substr(x.value, 34) as integer)"),
        concat!(doc_columns!(log), "from unnest($1::text[]) x (id) join log_chunk l
            on l.run_id = substr(x.id, 1, 32)::uuid and l.first_line = substr(x.id, 34)::bigint")
    );
}

/// An id as the index of a runner's own rows (`sync_own`) contains it.
pub(super) fn hex<K>(id: domain::Id<K>) -> String {
    data_encoding::HEXUPPER.encode(&id.to_bytes())
}

impl Tx<'_> {
    /// The content of these rows of a table, each with its id from the index. Deleted rows are missing in the result.
    pub async fn sync_docs(&mut self, table: &Table, ids: &[String]) -> Result<Vec<(String, Doc)>> {
        let (list, texts) = (|| Value::from(ids).to_string(), || ids.to_vec());
        macro_rules! docs {
            ($sql:expr => $row:ty, |$r:ident| $id:expr, $doc:expr) => {{
                let rows = split!(self, $sql => $row, sqlite(list()), postgres(texts()))?;
                Ok(rows.into_iter().map(|$r| ($id, $doc)).collect())
            }};
        }
        if *table == LOG {
            docs!(DOC_LOGS => Chunk, |r| format!("{}:{}", hex(r.run_id), r.first_line), Doc::Log(Box::new(r.into())))
        } else if *table == JOB {
            docs!(DOC_JOBS => JobRow, |r| hex(r.id), Doc::Job(Box::new(r.into())))
        } else if *table == RUN {
            docs!(DOC_RUNS => RunDocRow, |r| format!("{}:{}", hex(r.job_id), r.no), Doc::Run(Box::new(r.into())))
        } else if *table == DEFINITION {
            docs!(DOC_DEFINITIONS => DefinitionRow, |r| hex(r.id), Doc::Definition(Box::new(r.into())))
        } else if *table == TRIGGER {
            let rows = split!(self, DOC_TRIGGERS => TriggerRow, sqlite(list()), postgres(texts()))?;
            rows.into_iter().map(|r| Ok((hex(r.id), Doc::Trigger(Box::new(r.try_into()?))))).collect()
        } else if *table == FIRE {
            self.fire_docs(ids).await
        } else if *table == SERVER {
            self.server_docs(ids).await
        } else if *table == SERVER_RUN {
            self.server_run_docs(ids).await
        } else if *table == OUTAGE {
            docs!(DOC_OUTAGES => Outage, |r| outage_id(r.kind, r.from_at), Doc::Outage(Box::new(r.into())))
        } else {
            Ok(Vec::new())
        }
    }
}

impl Tx<'_> {
    async fn fire_docs(&mut self, wanted: &[String]) -> Result<Vec<(String, Doc)>> {
        let keys: Vec<(TriggerId, Timestamp, i32)> = wanted.iter().filter_map(|id| fire_key(id)).collect();
        let k = keys.as_slice();
        let list = || {
            let key =
                |(trigger, at, ordinal): &(TriggerId, Timestamp, i32)| json!([hex(*trigger), at.as_micros(), ordinal]);
            Value::Array(keys.iter().map(key).collect()).to_string()
        };
        let rows = split!(
            self, DOC_FIRES => Fire,
            sqlite(list()),
            postgres(ids(k, |k| k.0), times(k, |k| k.1), column(k, |k| k.2)),
        )?;
        let id = |f: &Fire| format!("{}:{}:{}", hex(f.trigger_id), f.nominal_at.as_micros(), f.ordinal);
        Ok(rows.into_iter().map(|fire| (id(&fire), Doc::Fire(Box::new(fire.into())))).collect())
    }
}

/// Parses the id of a fire in the index.
fn fire_key(id: &str) -> Option<(TriggerId, Timestamp, i32)> {
    let mut parts = id.splitn(3, ':');
    let trigger = data_encoding::HEXUPPER.decode(parts.next()?.as_bytes()).ok()?;
    let nominal = Timestamp::from_micros(parts.next()?.parse().ok()?);
    Some((TriggerId::from_bytes(trigger.try_into().ok()?), nominal, parts.next()?.parse().ok()?))
}

impl TryFrom<TriggerRow> for TriggerDoc {
    type Error = crate::Error;
    fn try_from(r: TriggerRow) -> Result<Self> {
        let body = serde_json::from_value(r.body.0).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        let of = |hub| OfHub { hub, epoch: epoch(r.epoch.unwrap_or(0)), hseq: unsigned(r.hseq.unwrap_or(0)) };
        Ok(Self {
            id: r.id,
            version: r.version,
            body,
            settled_at: r.settled_at,
            created_by: r.created_by,
            created_at: r.created_at,
            updated_at: r.updated_at,
            deleted_at: r.deleted_at,
            ordinal: 0,
            definition: None,
            of: r.hub_id.map(of),
        })
    }
}

impl From<Fire> for FireDoc {
    fn from(r: Fire) -> Self {
        Self {
            trigger: r.trigger_id,
            nominal_at: r.nominal_at,
            ordinal: r.ordinal,
            status: r.status,
            reason: r.reason,
            job: r.job_id,
            stands_for: r.stands_for,
            at: r.at,
            ended: r.ended_status.zip(r.ended_at),
        }
    }
}

impl From<Outage> for OutageDoc {
    fn from(r: Outage) -> Self {
        Self { kind: r.kind, from_at: r.from_at, until_at: r.until_at, note: r.note }
    }
}

impl From<JobRow> for JobDoc {
    fn from(r: JobRow) -> Self {
        let running = r.run_id.zip(r.lease_started_at);
        Self {
            id: r.id,
            definition: r.definition_id,
            definition_version: r.definition_version,
            source: r.source,
            source_ref: r.source_ref,
            priority: r.priority,
            payload: r.payload.0,
            dedupe_key: r.dedupe_key,
            correlation_id: r.correlation_id,
            scheduled_for: r.scheduled_for,
            expires_at: r.expires_at,
            max_attempts: r.max_attempts,
            timeout_ms: r.timeout_ms.as_millis(),
            on_lost: r.on_lost,
            created_by: r.created_by,
            queued_at: r.queued_at,
            status: r.status,
            fence: r.fence,
            waits: r.parked_reason.zip(r.parked_until),
            end_reason: r.end_reason,
            finished_at: r.finished_at,
            running: running.map(|(run, started_at)| RunningDoc { run, started_at, pid: r.pid }),
        }
    }
}

impl From<RunDocRow> for RunDoc {
    fn from(r: RunDocRow) -> Self {
        Self {
            id: r.id,
            job: r.job_id,
            no: r.no,
            status: r.status,
            started_at: r.started_at,
            finished_at: r.finished_at,
            pid: r.pid,
            exit_code: r.exit_code,
            signal: r.signal,
            error_text: r.error_text,
            stdout_tail: r.stdout_tail,
            stderr_tail: r.stderr_tail,
            // A hub rejects rows with deeper values; those of older versions have no limit.
            output: r.output.map(|output| output.0).filter(|output| !is_deeper(output, DEPTH_MAX)),
        }
    }
}

impl From<DefinitionRow> for DefinitionDoc {
    fn from(r: DefinitionRow) -> Self {
        Self {
            id: r.id,
            key: r.key,
            version: r.version,
            is_active: r.is_active,
            body: r.body.0,
            created_by: r.created_by,
            created_at: r.created_at,
        }
    }
}

impl From<Chunk> for LogDoc {
    fn from(r: Chunk) -> Self {
        Self { run: r.run_id, first_line: r.first_line, lines: r.lines, bytes: r.bytes, body: r.body, at: r.at }
    }
}
