//! Whoever can hold leases: how much each runs, and what its runs have taken.
//!
//! The same rules for statements as in [`crate::queue`]. Locked by [`crate::claim`].

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

/// Places that a holder has given back, and a mark for how each run has ended.
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
    // A new session takes over what the old one counted.
    HOLDER_PUT = same("
        insert into holder (id, epoch, running, recent, ends) values ($1, $2, 0, '', '')
        on conflict (id) do update set epoch = excluded.epoch");
    HOLDER_GET = same("select running, recent from holder where id = $1");
    HOLDER_CHARGE = same("update holder set running = running + $2, recent = $3 where id = $1");
    // Both at once, for a turn.
    HOLDER_TURN = pair(
        "update holder set running = running + $2, recent = $3, ends = substr(ends || $4, -$5) where id = $1",
        "update holder set running = running + $2, recent = $3, ends = right(ends || $4, $5) where id = $1"
    );
    // Locked in the order of their ids: two that end runs of the same holders must not wait for each other in a circle.
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
    // What runs have really taken of hosts that are shared, as `Share::settle` says. Only who holds a holder may touch that, so all that are released
    // beside it are locked first, in the same order; whichever of the two comes first does it for both.
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
    /// Begins a holder's session: what its earlier sessions hold still counts.
    pub async fn holder_put(&mut self, holder: HolderId, epoch: i64) -> Result<()> {
        execute!(self, HOLDER_PUT, holder, epoch)?;
        Ok(())
    }

    /// What was seen of a holder must still be so when the rest is written. It is, where it was locked.
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

    /// How much a holder runs, and how many began lately.
    pub async fn holder_get(&mut self, holder: HolderId) -> Result<Option<(i32, Recent)>> {
        Ok(one!(self, HOLDER_GET => Load, holder)?.map(|load| (load.running, load.recent)))
    }

    /// Counts what a holder has taken.
    pub async fn holder_charge(&mut self, holder: HolderId, taken: i32, recent: &Recent) -> Result<()> {
        defer!(
            self,
            HOLDER_CHARGE,
            sqlite(Db(holder), taken, Db(recent.clone())),
            postgres(Db(holder), taken, Db(recent.clone())),
        )
    }

    /// Counts what a holder has taken instead of what it has given back, with a mark for how each of that ended.
    pub async fn holder_turn(&mut self, given: &GivenBack, taken: i32, recent: &Recent) -> Result<()> {
        let (more, kept) = (taken - given.count, i32::try_from(RUNS_WATCHED).unwrap_or(i32::MAX));
        defer!(
            self,
            HOLDER_TURN,
            sqlite(Db(given.holder), more, Db(recent.clone()), given.ends.as_str(), kept),
            postgres(Db(given.holder), more, Db(recent.clone()), given.ends.as_str(), kept),
        )
    }

    /// Counts what holders have given back, and notes how it ended: a mark each. Corrects what orgs have used of hosts
    /// that are shared by what their runs have really taken.
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
