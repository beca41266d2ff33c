//! Holders of leases (runners and workers): number of running jobs, starts within the last minute, results of the last
//! runs.
//!
//! Lock order of a transaction: leases, holders by ascending id, limits (ADR 25). Any other order can deadlock.

use domain::{HolderId, HostId, OrgId, claim::Spent, presence::RUNS_WATCHED, quota::Recent};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids},
    value::{Db, hex},
};

/// Ended runs of a holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HolderRelease {
    pub holder: HolderId,
    /// Number of slots to release.
    pub count: i32,
    /// The results of the runs, one mark each.
    pub ends: String,
}

struct Load {
    running: i32,
    recent: Recent,
}

rows! { Load { running, recent } }

statements! {
    // Keeps `running`: runs of earlier sessions still occupy their slots.
    HOLDER_PUT = same("
        insert into holder (id, epoch, running, recent, ends) values ($1, $2, 0, '', '')
        on conflict (id) do update set epoch = excluded.epoch");
    HOLDER_GET = same("select running, recent from holder where id = $1");
    HOLDER_CHARGE = same("update holder set running = running + $2, recent = $3 where id = $1");
    // Locks the rows by ascending id: two transactions that end runs of the same holders would deadlock in any other
    // order.
    HOLDER_RELEASE = pair(
        "update holder set
            running = running - (select x.value ->> 1 from json_each($1) x where unhex(x.value ->> 0) = holder.id),
            ends = substr(ends || (select x.value ->> 2 from json_each($1) x where unhex(x.value ->> 0) = holder.id), -$2)
        where id in (select unhex(value ->> 0) from json_each($1))",
        "with locked as materialized (
            select h.id, x.count, x.ends from unnest($1::uuid[], $2::int[], $3::text[]) x (id, count, ends)
            join holder h on h.id = x.id order by h.id for update of h)
        update holder set running = holder.running - locked.count, ends = right(holder.ends || locked.ends, $4)
        from locked where holder.id = locked.id"
    );
}

impl Tx<'_> {
    /// Starts a session of a holder. Leases of its earlier sessions still count.
    pub async fn holder_put(&mut self, holder: HolderId, epoch: i64) -> Result<()> {
        execute!(self, HOLDER_PUT, holder, epoch)?;
        Ok(())
    }

    /// Returns the number of running jobs of a holder, and its recent starts.
    pub async fn holder_get(&mut self, holder: HolderId) -> Result<Option<(i32, Recent)>> {
        Ok(one!(self, HOLDER_GET => Load, holder)?.map(|load| (load.running, load.recent)))
    }

    /// Adds started jobs to the load of a holder, whose row must be locked.
    pub async fn holder_charge(&mut self, holder: HolderId, taken: i32, recent: &Recent) -> Result<()> {
        self.flush_deferred(&HOLDER_RELEASE).await?;
        defer!(
            self,
            HOLDER_CHARGE,
            sqlite(Db(holder), taken, Db(recent.clone())),
            postgres(Db(holder), taken, Db(recent.clone())),
        )
    }

    /// Subtracts ended runs from the load of holders, each listed once, and appends a mark for each result. Also
    /// corrects the use of shared hosts by the real durations of the runs.
    pub async fn holder_release(&mut self, releases: &[HolderRelease], spent: &[(HostId, OrgId, Spent)]) -> Result<()> {
        self.flush_deferred(&HOLDER_CHARGE).await?;
        let kept = i32::try_from(RUNS_WATCHED).unwrap_or(i32::MAX);
        let row = |one: &HolderRelease| json!([hex(one.holder), one.count, one.ends]);
        defer!(
            self,
            HOLDER_RELEASE,
            of Some(releases.len()),
            sqlite(Value::Array(releases.iter().map(row).collect()).to_string(), kept),
            postgres(
                ids(releases, |one| one.holder),
                column(releases, |one| one.count),
                column(releases, |one| one.ends.as_str()),
                kept,
            ),
        )?;
        if spent.is_empty() {
            return Ok(());
        }
        self.host_usage_settle(spent, &column(releases, |one| one.holder)).await
    }
}
