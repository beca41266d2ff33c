//! The outcome of each nominal time of a schedule on each of its hosts.
//!
//! The key is (trigger, nominal time, ordinal), where the ordinal is the host's number within the trigger. It does not
//! depend on who decided the time, so a time that is decided twice (by two hubs, after a crash, or by a host in
//! standalone mode whose fires are replicated later) has one row. `fire_insert` skips existing keys, and a hub queries
//! a key before it creates a job for it.

use domain::{HostId, JobId, OrgId, Timestamp, TriggerId, job::JobStatus, trigger::FireStatus};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids, times},
    value::{hex, id_texts},
};

/// The outcome of one nominal time of one trigger on one host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fire {
    pub trigger_id: TriggerId,
    pub nominal_at: Timestamp,
    /// Number of the host within the trigger; 0 for a trigger without hosts.
    pub ordinal: i32,
    pub org_id: OrgId,
    pub host_id: Option<HostId>,
    pub status: FireStatus,
    pub reason: String,
    pub job_id: Option<JobId>,
    /// Number of nominal times that this row covers: old ones share a row.
    pub stands_for: i32,
    /// Time of the decision.
    pub at: Timestamp,
    pub ended_status: Option<JobStatus>,
    pub ended_at: Option<Timestamp>,
    /// The host that decided this time; `None` if this hub did.
    pub origin: Option<HostId>,
}

/// A fire whose job's end is not stored yet, with the job's current status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenFire {
    pub trigger_id: TriggerId,
    pub nominal_at: Timestamp,
    pub ordinal: i32,
    pub org_id: OrgId,
    pub host_id: Option<HostId>,
    pub job_id: JobId,
    /// `None` if the job was deleted.
    pub status: Option<JobStatus>,
    pub finished_at: Option<Timestamp>,
}

struct Label {
    label: String,
}

rows! {
    Label { label }
    Fire { trigger_id, nominal_at, ordinal, org_id, host_id, status, reason, job_id, stands_for, at, ended_status, ended_at, origin }
    OpenFire { trigger_id, nominal_at, ordinal, org_id, host_id, job_id, status, finished_at }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select trigger_id, nominal_at, ordinal, org_id, host_id, status, reason, job_id, stands_for, at,
                ended_status, ended_at, origin
            from fire ",
            $rest
        )
    };
}

macro_rules! select_open {
    (sqlite, $rest:literal) => {
        select_open!("job_now n on n.id = f.job_id", $rest)
    };
    // A lateral query per job: in a plain join of these tables the planner would read whole tables.
    (postgres, $rest:literal) => {
        select_open!("lateral (select status, finished_at from job_now where id = f.job_id limit 1) n on true", $rest)
    };
    ($jobs:literal, $rest:literal) => {
        concat!(
            "select f.trigger_id, f.nominal_at, f.ordinal, f.org_id, f.host_id, f.job_id, n.status, n.finished_at
            from fire f left join ",
            $jobs,
            " where f.job_id is not null and f.ended_at is null ",
            $rest
        )
    };
}

statements! {
    FIRE_INSERT = pair(
        "insert into fire (trigger_id, nominal_at, ordinal, org_id, host_id, status, reason, job_id, stands_for, at)
        select unhex(value ->> 0), value ->> 1, value ->> 2, unhex(value ->> 3), unhex(value ->> 4), value ->> 5,
            value ->> 6, unhex(value ->> 7), value ->> 8, value ->> 9
        from json_each($1) where true
        on conflict (trigger_id, nominal_at, ordinal) do nothing",
        "insert into fire (trigger_id, nominal_at, ordinal, org_id, host_id, status, reason, job_id, stands_for, at)
        select * from unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::uuid[], $5::uuid[], $6::text[], $7::text[],
            $8::uuid[], $9::int[], $10::timestamptz[])
        on conflict (trigger_id, nominal_at, ordinal) do nothing"
    );
    FIRE_GET = same(select!("where trigger_id = $1 and nominal_at = $2 and ordinal = $3"));
    FIRE_OPEN = pair(
        select_open!(sqlite, "and f.trigger_id in (select unhex(value) from json_each($1))
            and (f.origin is null or (n.status is not null and n.finished_at is null))"),
        select_open!(postgres, "and f.trigger_id = any ($1::uuid[])
            and (f.origin is null or (n.status is not null and n.finished_at is null))")
    );
    // A deleted job has ended. Fires that a host decided are excluded, because the host reports their end.
    FIRE_ENDED = pair(
        select_open!(sqlite, "and f.origin is null and (n.status is null or n.finished_at is not null) limit $1"),
        select_open!(postgres, "and f.origin is null and (n.status is null or n.finished_at is not null) limit $1")
    );
    FIRE_END = same("
        update fire set ended_status = $4, ended_at = $5 where trigger_id = $1 and nominal_at = $2 and ordinal = $3");
    FIRE_REOPEN = same("update fire set ended_status = null, ended_at = null where job_id = $1");
    FIRE_LIST = same(select!("
        where trigger_id = $1 and nominal_at <= $2 and (nominal_at < $2 or ordinal > $3)
        order by nominal_at desc, ordinal
        limit $4"));
    FIRE_BETWEEN = same(select!("
        where trigger_id = $1 and nominal_at > $2 and nominal_at <= $3 order by nominal_at, ordinal limit $4"));
    FIRE_OF_HOST = same(select!("
        where host_id = $1 and nominal_at >= $2 and nominal_at < $3 order by nominal_at desc limit $4"));
    FIRE_OF_JOB = same(select!("where job_id = $1 order by nominal_at limit $2"));
    FIRE_CATCH_UP = same("
        update fire set status = 'caught_up', job_id = $5, reason = $6, origin = null
        where trigger_id = $1 and ordinal = $2 and nominal_at > $3 and nominal_at <= $4 and job_id is null
            and status in ('asleep', 'missed', 'skipped')");
    // Triggers whose newest fire failed within the last day.
    FIRE_FAILED_LAST = same("
        select f.trigger_id, f.nominal_at, f.ordinal, f.org_id, f.host_id, f.status, f.reason, f.job_id, f.stands_for, f.at,
            f.ended_status, f.ended_at, f.origin, t.label
        from fire f join trigger t on t.id = f.trigger_id
        where f.at > $1 and f.status = 'failed' and t.deleted_at is null
            and not exists (select 1 from fire n where n.trigger_id = f.trigger_id and n.nominal_at > f.nominal_at)
        order by f.trigger_id, f.ordinal limit $2");
    FIRE_PRUNE = pair(
        "delete from fire where rowid in (select rowid from fire where at < $1 and (job_id is null or ended_at is not null) limit $2)",
        "delete from fire where ctid = any (array(
            select ctid from fire where at < $1 and (job_id is null or ended_at is not null) limit $2))"
    );
}

impl Tx<'_> {
    /// Inserts fires and returns how many are new. An existing key is kept as it is.
    pub async fn fire_insert(&mut self, fires: &[Fire]) -> Result<u64> {
        if fires.is_empty() {
            return Ok(0);
        }
        let f = fires;
        let row = |f: &Fire| {
            json!([
                hex(f.trigger_id),
                f.nominal_at.as_micros(),
                f.ordinal,
                hex(f.org_id),
                f.host_id.map(hex),
                f.status,
                f.reason,
                f.job_id.map(hex),
                f.stands_for,
                f.at.as_micros()
            ])
        };
        let uuid = |bytes: [u8; 16]| crate::value::pg::Uuid(bytes);
        split_execute!(
            self,
            FIRE_INSERT,
            sqlite(Value::Array(fires.iter().map(row).collect()).to_string()),
            postgres(
                ids(f, |f| f.trigger_id),
                times(f, |f| f.nominal_at),
                column(f, |f| f.ordinal),
                ids(f, |f| f.org_id),
                column(f, |f| f.host_id.map(|id| uuid(id.to_bytes()))),
                column(f, |f| f.status.as_str()),
                column(f, |f| f.reason.as_str()),
                column(f, |f| f.job_id.map(|id| uuid(id.to_bytes()))),
                column(f, |f| f.stands_for),
                times(f, |f| f.at),
            ),
        )
    }

    /// Returns one fire.
    pub async fn fire_get(&mut self, trigger: TriggerId, nominal: Timestamp, ordinal: i32) -> Result<Option<Fire>> {
        one!(self, FIRE_GET => Fire, trigger, nominal, ordinal)
    }

    /// Returns the fires of these triggers whose jobs' end is not stored yet.
    pub async fn fire_open(&mut self, triggers: &[TriggerId]) -> Result<Vec<OpenFire>> {
        split!(self, FIRE_OPEN => OpenFire, sqlite(id_texts(triggers)), postgres(ids(triggers, |id| *id)))
    }

    /// Returns fires of all organizations whose jobs have ended but whose end is not stored yet.
    pub async fn fire_ended(&mut self, limit: u32) -> Result<Vec<OpenFire>> {
        all!(self, FIRE_ENDED => OpenFire, i64::from(limit))
    }

    /// Stores how the job of a fire ended.
    pub async fn fire_end(&mut self, fire: &OpenFire, status: JobStatus, at: Timestamp) -> Result<()> {
        execute!(self, FIRE_END, fire.trigger_id, fire.nominal_at, fire.ordinal, status, at)?;
        Ok(())
    }

    /// Clears the end of the fires of a job that was redriven.
    pub async fn fire_reopen(&mut self, job: JobId) -> Result<()> {
        execute!(self, FIRE_REOPEN, job)?;
        Ok(())
    }

    /// Returns fires of a trigger, newest first, after the row with this time and ordinal.
    pub async fn fire_list(
        &mut self,
        trigger: TriggerId,
        (nominal, ordinal): (Timestamp, i32),
        limit: u32,
    ) -> Result<Vec<Fire>> {
        all!(self, FIRE_LIST => Fire, trigger, nominal, ordinal, i64::from(limit))
    }

    /// Returns fires of a trigger with nominal times in (`after`, `until`], in order.
    pub async fn fire_between(
        &mut self,
        trigger: TriggerId,
        after: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Fire>> {
        all!(self, FIRE_BETWEEN => Fire, trigger, after, until, i64::from(limit))
    }

    /// Returns fires on a host, newest first.
    pub async fn fire_of_host(
        &mut self,
        host: HostId,
        from: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Fire>> {
        all!(self, FIRE_OF_HOST => Fire, host, from, until, i64::from(limit))
    }

    /// Returns the fires that a job covers.
    pub async fn fire_of_job(&mut self, job: JobId, limit: u32) -> Result<Vec<Fire>> {
        all!(self, FIRE_OF_JOB => Fire, job, i64::from(limit))
    }

    /// Marks the times in (`after`, `until`] that have no job as caught up by this fire's job.
    pub async fn fire_catch_up(&mut self, catch_up: &Fire, after: Timestamp) -> Result<u64> {
        let c = catch_up;
        execute!(self, FIRE_CATCH_UP, c.trigger_id, c.ordinal, after, c.nominal_at, c.job_id, c.reason.clone())
    }

    /// Returns triggers of all organizations whose newest fire failed within a day, each once, with the trigger's
    /// label.
    pub async fn fire_failed_last(&mut self, now: Timestamp, limit: u32) -> Result<Vec<(Fire, String)>> {
        let since = now - domain::Span::from_secs(86_400);
        let rows = all!(self, FIRE_FAILED_LAST => crate::sql::Both<Fire, Label>, since, i64::from(limit))?;
        let mut found: Vec<(Fire, String)> = rows.into_iter().map(|row| (row.0, row.1.label)).collect();
        found.dedup_by_key(|(fire, _)| fire.trigger_id);
        Ok(found)
    }

    /// Deletes at most `limit` fires decided before a time, except those whose job has not ended.
    pub async fn fire_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, FIRE_PRUNE, before, i64::from(limit))
    }
}
