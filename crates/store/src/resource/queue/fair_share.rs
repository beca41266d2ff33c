//! Fair shares: how much of a shared host each organization has used.

use domain::{HostId, OrgId, claim::Share};
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

    /// Deletes the use of a host by an organization, when the host is no longer shared with it.
    pub async fn host_usage_remove(&mut self, host: HostId, org: OrgId) -> Result<()> {
        execute!(self, HOST_USAGE_REMOVE, host, org)?;
        Ok(())
    }
}
