//! Fair shares: how much of a shared host each organization has used.

use domain::{
    HolderId, HostId, OrgId,
    claim::{COST_UNKNOWN_MS, Share, Spent},
};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids},
    value::{Db, hex},
};

struct UsageRow {
    org_id: OrgId,
    used_ms: f64,
    cost_ms: f64,
    is_waiting: bool,
}

rows! {
    UsageRow { org_id, used_ms, cost_ms, is_waiting }
}

statements! {
    HOST_USAGE = same("select org_id, used_ms, cost_ms, is_waiting from host_usage where host_id = $1");
    HOST_USAGE_SET = pair(
        "insert into host_usage (host_id, org_id, used_ms, cost_ms, is_waiting)
        select $2, unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3 from json_each($1) where true
        on conflict (host_id, org_id) do update
        set used_ms = excluded.used_ms, cost_ms = excluded.cost_ms, is_waiting = excluded.is_waiting",
        "insert into host_usage (host_id, org_id, used_ms, cost_ms, is_waiting)
        select $5, x.org, x.used, x.cost, x.is_waiting
        from unnest($1::uuid[], $2::float8[], $3::float8[], $4::boolean[]) x (org, used, cost, is_waiting)
        on conflict (host_id, org_id) do update
        set used_ms = excluded.used_ms, cost_ms = excluded.cost_ms, is_waiting = excluded.is_waiting"
    );
    // As `Share::settle`. `host_usage` may be changed only under the lock of the host's holder. This statement and
    // HOLDER_RELEASE are parts of one deferred statement, which run in no fixed order, so each locks the same holders
    // in the same order before it updates.
    HOST_USAGE_SETTLE = pair(
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
    HOST_USAGE_REMOVE = same("delete from host_usage where host_id = $1 and org_id = $2");
}

impl Tx<'_> {
    /// Returns the use of a host by each organization. To change it, the caller must hold the lock of the host's
    /// holder.
    pub async fn host_usage(&mut self, host: HostId) -> Result<Vec<(OrgId, Share)>> {
        let rows = all!(self, HOST_USAGE => UsageRow, host)?;
        let share = |row: &UsageRow| Share { used_ms: row.used_ms, cost_ms: row.cost_ms, is_waiting: row.is_waiting };
        Ok(rows.iter().map(|row| (row.org_id, share(row))).collect())
    }

    /// Stores the use of a host by organizations. Each may occur once.
    pub async fn host_usage_set(&mut self, host: HostId, shares: &[(OrgId, Share)]) -> Result<()> {
        self.flush_deferred(&HOST_USAGE_SETTLE).await?;
        let row = |(org, share): &(OrgId, Share)| json!([hex(*org), share.used_ms, share.cost_ms, share.is_waiting]);
        defer!(
            self,
            HOST_USAGE_SET,
            sqlite(Value::Array(shares.iter().map(row).collect()).to_string(), Db(host)),
            postgres(
                ids(shares, |row| row.0),
                column(shares, |row| row.1.used_ms),
                column(shares, |row| row.1.cost_ms),
                column(shares, |row| row.1.is_waiting),
                Db(host),
            ),
        )
    }

    /// Corrects the use of hosts by the real durations of ended runs. `holders` are the holders that these runs
    /// release.
    pub(crate) async fn host_usage_settle(
        &mut self,
        spent: &[(HostId, OrgId, Spent)],
        holders: &[HolderId],
    ) -> Result<()> {
        self.flush_deferred(&HOST_USAGE_SET).await?;
        let row = |(host, org, spent): &(HostId, OrgId, Spent)| {
            let (mean, weight) = spent.expected_next();
            json!([hex(*host), hex(*org), spent.correction_ms(), mean, weight])
        };
        defer!(
            self,
            HOST_USAGE_SETTLE,
            of Some(spent.len()).filter(|count| *count == holders.len()),
            sqlite(Value::Array(spent.iter().map(row).collect()).to_string(), COST_UNKNOWN_MS),
            postgres(
                ids(spent, |row| row.0),
                ids(spent, |row| row.1),
                column(spent, |row| row.2.correction_ms()),
                column(spent, |row| row.2.expected_next().0),
                column(spent, |row| row.2.expected_next().1),
                ids(holders, |holder| *holder),
                COST_UNKNOWN_MS,
            ),
        )
    }

    /// Deletes the use of a host by an organization, when the host is no longer shared with it.
    pub async fn host_usage_remove(&mut self, host: HostId, org: OrgId) -> Result<()> {
        execute!(self, HOST_USAGE_REMOVE, host, org)?;
        Ok(())
    }
}
