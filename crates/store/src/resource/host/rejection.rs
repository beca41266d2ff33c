//! Rejected data of hosts: one row per host and reason, with a count and a description of the last case.

use domain::{HostId, OrgId, Timestamp, rejection::RejectReason};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids, times},
    value::{hex, pg},
};

/// Newly rejected data of one host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectionCount {
    pub host_id: HostId,
    pub reason: RejectReason,
    pub count: i64,
    /// The last case, for people.
    pub detail: String,
    pub last_at: Timestamp,
}

/// All data of one host that was rejected for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    pub host_id: HostId,
    pub org_id: OrgId,
    pub reason: RejectReason,
    pub count: i64,
    pub detail: String,
    pub first_at: Timestamp,
    pub last_at: Timestamp,
    /// When a person resolved the alert about it.
    pub cleared_at: Option<Timestamp>,
}

rows! { Rejection { host_id, org_id, reason, count, detail, first_at, last_at, cleared_at } }

statements! {
    // Reads the org from the host, and skips hosts that were removed meanwhile.
    REJECTION_ADD = pair(
        "insert into host_rejection (host_id, reason, org_id, count, detail, first_at, last_at, created_at, updated_at)
        select h.id, x.value ->> 1, h.org_id, x.value ->> 2, x.value ->> 3, x.value ->> 4, x.value ->> 4, $2, $2
        from json_each($1) x cross join host h on h.id = unhex(x.value ->> 0) where true
        on conflict (host_id, reason) do update set count = host_rejection.count + excluded.count,
            detail = excluded.detail, last_at = excluded.last_at, updated_at = excluded.updated_at",
        "insert into host_rejection (host_id, reason, org_id, count, detail, first_at, last_at, created_at, updated_at)
        select h.id, x.reason, h.org_id, x.count, x.detail, x.at, x.at, $6, $6
        from unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::timestamptz[]) x (id, reason, count, detail, at)
        join host h on h.id = x.id
        on conflict (host_id, reason) do update set count = host_rejection.count + excluded.count,
            detail = excluded.detail, last_at = excluded.last_at, updated_at = excluded.updated_at"
    );
    REJECTION_LIST = same("
        select host_id, org_id, reason, count, detail, first_at, last_at, cleared_at
        from host_rejection where org_id = $1 and host_id = $2 order by last_at desc, reason");
    REJECTION_SINCE = same("
        select host_id, org_id, reason, count, detail, first_at, last_at, cleared_at
        from host_rejection where last_at > $1 order by last_at desc limit $2");
    REJECTION_CLEAR = same("
        update host_rejection set cleared_at = $3, updated_at = $3 where org_id = $1 and host_id = $2");
}

impl Tx<'_> {
    /// Adds rejected data. Each host and reason may occur once per call.
    pub async fn rejection_add(&mut self, counts: &[RejectionCount], now: Timestamp) -> Result<()> {
        if counts.is_empty() {
            return Ok(());
        }
        let c = counts;
        let row = |c: &RejectionCount| json!([hex(c.host_id), c.reason, c.count, c.detail, c.last_at.as_micros()]);
        split_execute!(
            self,
            REJECTION_ADD,
            sqlite(Value::Array(c.iter().map(row).collect()).to_string(), now.as_micros()),
            postgres(
                ids(c, |c| c.host_id),
                column(c, |c| c.reason.as_str()),
                column(c, |c| c.count),
                column(c, |c| c.detail.as_str()),
                times(c, |c| c.last_at),
                pg::Instant(now.as_micros()),
            ),
        )?;
        Ok(())
    }

    /// Returns the rejected data of a host, last first.
    pub async fn rejection_list(&mut self, org: OrgId, host: HostId) -> Result<Vec<Rejection>> {
        all!(self, REJECTION_LIST => Rejection, org, host)
    }

    /// Returns data of all orgs that was rejected since a time, last first. For the alerts of all orgs.
    pub async fn rejections_since(&mut self, since: Timestamp, limit: u32) -> Result<Vec<Rejection>> {
        all!(self, REJECTION_SINCE => Rejection, since, i64::from(limit))
    }

    /// Removes the mark that rejected data has set on a host, until more is rejected.
    pub async fn rejection_clear(&mut self, org: OrgId, host: HostId, now: Timestamp) -> Result<()> {
        execute!(self, REJECTION_CLEAR, org, host, now)?;
        Ok(())
    }
}
