//! Holders of leases (runners and workers): number of running jobs, starts within the last minute, results of the last
//! runs.
//!
//! The rules for statements of [`crate::insert`] apply. Lock order: [`crate::claim`] locks a holder first and limits
//! second. Statements that lock several holders lock them by ascending id. Any other order can deadlock.

use domain::{
    HolderId, HostId, OrgId,
    claim::{COST_UNKNOWN_MS, Spent},
    presence::RUNS_WATCHED,
    quota::Recent,
};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids},
    value::{Db, hex},
};

/// Slots that a holder released, with one mark per ended run for its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenBack {
    pub holder: HolderId,
    pub count: i32,
    pub ends: String,
}

struct Load {
    running: i32,
    recent: Recent,
}

rows! { Load { running, recent } }

statements! {
    HOLDER_GUARD = pair(
        "select 1",
        "select 1 / count(*) from (
            select id from holder where id = $1 and epoch = $2 and running = $3 and recent = $4 for update) seen"
    );
    // Keeps `running`: runs of earlier sessions still occupy their slots.
    HOLDER_PUT = same("
        insert into holder (id, epoch, running, recent, ends) values ($1, $2, 0, '', '')
        on conflict (id) do update set epoch = excluded.epoch");
    HOLDER_GET = same("select running, recent from holder where id = $1");
    HOLDER_CHARGE = same("update holder set running = running + $2, recent = $3 where id = $1");
    // Charge and release in one update, for a turn.
    HOLDER_TURN = pair(
        "update holder set running = running + $2, recent = $3, ends = substr(ends || $4, -$5) where id = $1",
        "update holder set running = running + $2, recent = $3, ends = right(ends || $4, $5) where id = $1"
    );
    // Locks the rows by ascending id: two transactions that end runs of the same holders would deadlock in any other
    // order.
    HOLDER_RELEASE = pair(
        "update holder set
            running = running - (select x.value ->> 1 from json_each($1) x where unhex(x.value ->> 0) = holder.id),
            ends = substr(ends || (select x.value ->> 2 from json_each($1) x where unhex(x.value ->> 0) = holder.id), -$2)
        where id in (select unhex(value ->> 0) from json_each($1))",
        "with locked as materialized (
            select h.id, x.given, x.ends from unnest($1::uuid[], $2::int[], $3::text[]) x (id, given, ends)
            join holder h on h.id = x.id order by h.id for update of h)
        update holder set running = holder.running - locked.given, ends = right(holder.ends || locked.ends, $4)
        from locked where holder.id = locked.id"
    );
    // Corrects the use of shared hosts by the real durations of ended runs, as in `Share::settle`. `host_usage` may be
    // changed only under the lock of the host's holder. This statement and HOLDER_RELEASE are parts of one deferred
    // statement, which run in no fixed order, so each locks the same holders in the same order before it updates.
    USAGE_SETTLE = pair(
        "update host_usage
        set used_ms = used_ms + x.correction,
            cost_ms = cost_ms + (x.mean - cost_ms) * case when cost_ms = $2 and x.weight > 0 then 1 else x.weight end
        from (
            select unhex(value ->> 0) as host_id, unhex(value ->> 1) as org_id, value ->> 2 as correction,
                value ->> 3 as mean, value ->> 4 as weight
            from json_each($1)) x
        where host_usage.host_id = x.host_id and host_usage.org_id = x.org_id",
        "with locked as materialized (
            select h.id from unnest($6::uuid[]) x (id) join holder h on h.id = x.id order by h.id for update of h)
        update host_usage
        set used_ms = used_ms + x.correction,
            cost_ms = cost_ms + (x.mean - cost_ms) * case when cost_ms = $7 and x.weight > 0 then 1 else x.weight end
        from unnest($1::uuid[], $2::uuid[], $3::float8[], $4::float8[], $5::float8[]) x (host, org, correction, mean, weight)
        where host_id = x.host and org_id = x.org and (select count(*) from locked) >= 0"
    );
}

impl Tx<'_> {
    /// Starts a session of a holder. Leases of its earlier sessions still count.
    pub async fn holder_put(&mut self, holder: HolderId, epoch: i64) -> Result<()> {
        execute!(self, HOLDER_PUT, holder, epoch)?;
        Ok(())
    }

    /// Adds a guard: the deferred writes fail with `StaleView` if the holder's row has changed since it was read. Does
    /// nothing in a transaction that has locked the row.
    pub fn holder_guard(&mut self, holder: HolderId, epoch: i64, running: i32, recent: &Recent) -> Result<()> {
        if self.is_optimistic() {
            self.deferred.guard(&HOLDER_GUARD);
            self.deferred.bind(Db(holder))?;
            self.deferred.bind(epoch)?;
            self.deferred.bind(running)?;
            self.deferred.bind(Db(recent.clone()))?;
        }
        Ok(())
    }

    /// Returns the number of running jobs of a holder, and its recent starts.
    pub async fn holder_get(&mut self, holder: HolderId) -> Result<Option<(i32, Recent)>> {
        Ok(one!(self, HOLDER_GET => Load, holder)?.map(|load| (load.running, load.recent)))
    }

    /// Adds started jobs to the load of a holder.
    pub async fn holder_charge(&mut self, holder: HolderId, taken: i32, recent: &Recent) -> Result<()> {
        defer!(
            self,
            HOLDER_CHARGE,
            sqlite(Db(holder), taken, Db(recent.clone())),
            postgres(Db(holder), taken, Db(recent.clone())),
        )
    }

    /// Adds started jobs and subtracts ended ones in one update, with a mark for the result of each ended run.
    pub async fn holder_turn(&mut self, given: &GivenBack, taken: i32, recent: &Recent) -> Result<()> {
        let (more, kept) = (taken - given.count, i32::try_from(RUNS_WATCHED).unwrap_or(i32::MAX));
        defer!(
            self,
            HOLDER_TURN,
            sqlite(Db(given.holder), more, Db(recent.clone()), given.ends.as_str(), kept),
            postgres(Db(given.holder), more, Db(recent.clone()), given.ends.as_str(), kept),
        )
    }

    /// Subtracts ended runs from the load of holders and appends a mark for each result. Also corrects the use of
    /// shared hosts by the real durations of the runs.
    pub async fn holder_release(&mut self, given: &[GivenBack], spent: &[(HostId, OrgId, Spent)]) -> Result<()> {
        let kept = i32::try_from(RUNS_WATCHED).unwrap_or(i32::MAX);
        let row = |one: &GivenBack| json!([hex(one.holder), one.count, one.ends]);
        defer!(
            self,
            HOLDER_RELEASE,
            of Some(given.len()),
            sqlite(Value::Array(given.iter().map(row).collect()).to_string(), kept),
            postgres(
                ids(given, |one| one.holder),
                column(given, |one| one.count),
                column(given, |one| one.ends.as_str()),
                kept,
            ),
        )?;
        if spent.is_empty() {
            return Ok(());
        }
        defer!(
            self,
            USAGE_SETTLE,
            of Some(spent.len()).filter(|count| *count == given.len()),
            sqlite(spent_rows(spent), COST_UNKNOWN_MS),
            postgres(
                ids(spent, |row| row.0),
                ids(spent, |row| row.1),
                column(spent, |row| row.2.correction_ms()),
                column(spent, |row| row.2.expected_next().0),
                column(spent, |row| row.2.expected_next().1),
                ids(given, |one| one.holder),
                COST_UNKNOWN_MS,
            ),
        )
    }
}

fn spent_rows(spent: &[(HostId, OrgId, Spent)]) -> String {
    let row = |(host, org, spent): &(HostId, OrgId, Spent)| {
        let (mean, weight) = spent.expected_next();
        json!([hex(*host), hex(*org), spent.correction_ms(), mean, weight])
    };
    Value::Array(spent.iter().map(row).collect()).to_string()
}
