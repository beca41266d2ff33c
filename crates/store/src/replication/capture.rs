//! Change capture on a runner's database: SQLite triggers give every change of a replicated row the next sequence
//! number. Triggers, because application code could forget to do it in one of the functions that write these tables,
//! and a row without a number would never reach a hub.
//!
//! A runner's database is always SQLite with a single writer, so sequence numbers are committed in their order: a
//! reader that has seen one has seen all before it.

use domain::Timestamp;

use crate::{Error, Result, Tx, tx::Conn};

/// A change that is captured: the trigger's table and event, and the replicated row it changes.
struct Watch {
    /// The table that the trigger is on.
    table: &'static str,
    /// The trigger event: `insert`, `update of …`.
    on: &'static str,
    /// The replicated table, which may differ from `table`, and its sync priority.
    tbl: &'static str,
    priority: &'static str,
    /// SQL expression of the row's id, in terms of `new`.
    id: &'static str,
    /// A `when` clause, or empty.
    only: &'static str,
}

const JOB_ID: &str = "hex(new.job_id)";
const SERVER_RUN_ID: &str = "hex(new.server_id) || ':' || new.no";
const FIRE_ID: &str = "hex(new.trigger_id) || ':' || new.nominal_at || ':' || new.ordinal";
const OUTAGE_ID: &str = "new.kind || ':' || new.from_at";
/// Only outages that the machine itself measures; those that hubs noticed are not its rows.
const OUTAGE_OWN: &str = "when new.kind in ('suspended', 'hub_away')";

const WATCHES: &[Watch] = &[
    // The state of a job is spread over these tables; each insert or update changes the replicated job.
    watch("ready", "insert", "job", JOB_ID),
    watch("waiting", "insert", "job", JOB_ID),
    watch("lease", "insert", "job", JOB_ID),
    watch("lease", "update of pid, held_at, cancel_at", "job", JOB_ID),
    watch("outcome", "insert", "job", JOB_ID),
    watch("redrive", "insert", "job", JOB_ID),
    watch("run", "insert", "run", "hex(new.job_id) || ':' || new.no"),
    Watch { priority: "bulk", ..watch("log_chunk", "insert", "log", "hex(new.run_id) || ':' || new.first_line") },
    Watch { only: "when new.origin is null", ..watch("definition", "insert", "definition", "hex(new.id)") },
    Watch { only: "when new.origin is null", ..watch("definition", "update", "definition", "hex(new.id)") },
    watch("trigger", "insert", "trigger", "hex(new.id)"),
    // Not `settled_at`: the trigger's fires report the times that were decided.
    watch("trigger", "update of version, body, deleted_at", "trigger", "hex(new.id)"),
    watch("fire", "insert", "fire", FIRE_ID),
    watch("fire", "update", "fire", FIRE_ID),
    Watch { only: OUTAGE_OWN, ..watch("host_outage", "insert", "outage", OUTAGE_ID) },
    Watch { only: OUTAGE_OWN, ..watch("host_outage", "update", "outage", OUTAGE_ID) },
];

/// Until schema 15 the replicated table `outage` was named `gap`. Migration 16 renames its rows; the triggers contain
/// the name as text.
const GAP_TRIGGERS_DROP: &str = "drop trigger if exists sync_14_host_gap;
    drop trigger if exists sync_15_host_gap;
    drop trigger sync_gap_gone;\n";

/// Triggers that a later version of the program added; see [`Tx::sync_capture`].
const SERVER_WATCHES: &[Watch] = &[
    watch("server", "insert", "server", "hex(new.id)"),
    watch("server", "update", "server", "hex(new.id)"),
    watch("server_run", "insert", "server_run", SERVER_RUN_ID),
    // Not `log_position`: how far its output was read is private to the runner.
    watch("server_run", "update of status, ready_at, finished_at, pid", "server_run", SERVER_RUN_ID),
];

/// A job that succeeded has no `outcome` row: its last run is the outcome, so that run changes the job.
const RUN_WATCHES: &[Watch] =
    &[Watch { only: "when new.status = 'succeeded'", ..watch("run", "insert", "job", JOB_ID) }];

const fn watch(table: &'static str, on: &'static str, tbl: &'static str, id: &'static str) -> Watch {
    Watch { table, on, tbl, priority: "control", id, only: "" }
}

/// SQL that gives a row the next sequence number of its sync priority, with a new mark.
fn touch(tbl: &str, priority: &str, id: &str, is_deleted: bool) -> String {
    let is_deleted = i32::from(is_deleted);
    format!(
        "update sync_priority set head = head + 1 where priority = '{priority}';
        insert into sync_own (tbl, id, priority, seq, is_deleted)
            select '{tbl}', {id}, priority, head, {is_deleted} from sync_priority where priority = '{priority}'
            on conflict (tbl, id) do update set seq = excluded.seq, is_deleted = excluded.is_deleted;
        insert into sync_mark (priority, seq, mark)
            select priority, head, random() from sync_priority where priority = '{priority}';"
    )
}

fn watching(first: usize, watches: &[Watch]) -> String {
    let mut text = String::new();
    for (number, watch) in (first..).zip(watches) {
        let Watch { table, on, tbl, priority, id, only } = watch;
        let body = touch(tbl, priority, id, false);
        text += &format!(
            "create trigger if not exists sync_{number}_{table} after {on} on \"{table}\" {only} begin {body} end;\n"
        );
    }
    text
}

fn later_triggers() -> String {
    watching(WATCHES.len(), SERVER_WATCHES)
        + &watching(WATCHES.len() + SERVER_WATCHES.len(), RUN_WATCHES)
        + &format!(
            "create trigger if not exists sync_server_gone after delete on server begin {} end;
            create trigger if not exists sync_server_run_gone after delete on server_run begin {} end;\n",
            touch("server", "control", "hex(old.id)", true),
            touch("server_run", "control", "hex(old.server_id) || ':' || old.no", true),
        )
}

fn triggers() -> String {
    let mut text = watching(0, WATCHES);
    text += &format!(
        "create trigger if not exists sync_job_gone after delete on job begin {} end;
        create trigger if not exists sync_run_gone after delete on run begin {} end;
        create trigger if not exists sync_fire_gone after delete on fire begin {} end;
        create trigger if not exists sync_outage_gone after delete on host_outage
            when old.kind in ('suspended', 'hub_away') begin {} end;
        create trigger if not exists sync_log_gone after delete on log_chunk begin
            delete from sync_own where tbl = 'log' and id = hex(old.run_id) || ':' || old.first_line;
        end;\n",
        touch("job", "control", "hex(old.id)", true),
        touch("run", "control", "hex(old.job_id) || ':' || old.no", true),
        touch("fire", "control", "hex(old.trigger_id) || ':' || old.nominal_at || ':' || old.ordinal", true),
        touch("outage", "control", "old.kind || ':' || old.from_at", true),
    );
    text
}

/// SQL that numbers the rows that existed before their triggers, in the order of creation. `has_first` and `has_fires`:
/// an earlier version of the program has numbered the first tables, or also triggers and fires.
fn backfill(has_first: bool, has_fires: bool) -> String {
    let numbered = |tbl: &str, priority: &str, id: &str, from: &str, order: &str| {
        format!(
            "insert into sync_own (tbl, id, priority, seq, is_deleted)
                select '{tbl}', {id}, '{priority}',
                    (select head from sync_priority where priority = '{priority}') + row_number() over (order by {order}), 0
                from {from};
            update sync_priority set head = coalesce((select max(seq) from sync_own where priority = '{priority}'), 0)
                where priority = '{priority}';\n"
        )
    };
    let mut text = String::new();
    if !has_first {
        text += &numbered("definition", "control", "hex(id)", "definition where origin is null", "id");
        text += &numbered("job", "control", "hex(id)", "job", "id");
        text += &numbered("run", "control", "hex(job_id) || ':' || no", "run", "job_id, no");
        text += &numbered("log", "bulk", "hex(run_id) || ':' || first_line", "log_chunk", "run_id, first_line");
    }
    if !has_fires {
        text += &numbered("trigger", "control", "hex(id)", "trigger where origin is null", "id");
        let fire = "hex(trigger_id) || ':' || nominal_at || ':' || ordinal";
        text += &numbered("fire", "control", fire, "fire", "nominal_at, trigger_id, ordinal");
    }
    let own = "host_outage where kind in ('suspended', 'hub_away')";
    text += &numbered("outage", "control", "kind || ':' || from_at", own, "from_at");
    text + "insert or ignore into sync_mark (priority, seq, mark) select priority, seq, random() from sync_own;\n"
}

impl Tx<'_> {
    /// Starts change capture on this database, and numbers the rows that exist already. On a database that has it, adds
    /// only the triggers and rows that an earlier version of the program did not capture.
    ///
    /// # Errors
    /// The database is not SQLite: only a runner's own database has change capture.
    pub fn sync_capture(&mut self, now: Timestamp) -> Result<()> {
        let Conn::Sqlite(conn) = &mut self.conn else {
            return Err(Error::Address("change capture requires a SQLite database".to_owned()));
        };
        let begun: Option<(i64,)> = conn.one("select epoch from sync_origin where id = 1", &[])?;
        let known: Vec<(String,)> = conn.all(
            "select name from sqlite_master where name in ('sync_fire_gone', 'sync_gap_gone', 'sync_outage_gone')",
            &[],
        )?;
        let knows = |name: &str| known.iter().any(|(known,)| known == name);
        // No backfill for the later triggers: servers did not exist before their triggers did, nor did jobs without an
        // `outcome`.
        if knows("sync_outage_gone") {
            return conn.batch(&later_triggers());
        }
        if knows("sync_gap_gone") {
            return conn.batch(&(GAP_TRIGGERS_DROP.to_owned() + &triggers() + &later_triggers()));
        }
        let at = now.as_micros();
        let first = format!(
            "insert into sync_origin (id, epoch, created_at, updated_at) values (1, 1, {at}, {at});
            insert into sync_priority (priority, head, floor) values ('control', 0, 0), ('bulk', 0, 0);\n"
        );
        let first = if begun.is_some() { String::new() } else { first };
        let text = first + &backfill(begun.is_some(), knows("sync_fire_gone")) + &triggers() + &later_triggers();
        conn.batch(&text)
    }
}
