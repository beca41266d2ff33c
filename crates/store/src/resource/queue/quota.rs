//! Limits and pauses.

use domain::{
    DefinitionId, HolderId, HostId, OrgId, QuotaId, Timestamp,
    quota::{QuotaKind, Recent, Usage},
};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids},
    value::hex,
};

/// Zero id for "all hosts" and "all organizations": null values would not conflict in a unique index.
const NOBODY: [u8; 16] = [0; 16];

/// Identifies a limit by its scope.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuotaKey {
    /// `None` if the limit counts over all organizations.
    pub org: Option<OrgId>,
    pub kind: QuotaKind,
    /// The definition's key, or the limit key.
    pub subject: String,
    /// Set for a limit per host.
    pub host: Option<HostId>,
}

/// A limit and its current use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quota {
    pub id: QuotaId,
    pub org_id: OrgId,
    pub kind: QuotaKind,
    pub subject: String,
    pub host_id: HostId,
    pub max_running: Option<i32>,
    pub jobs_per_minute: Option<i32>,
    pub running: i32,
    pub recent: Recent,
}

/// A pause of an org, a definition, a queue or a limit key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    pub kind: String,
    pub subject: String,
    pub note: String,
    pub until_at: Option<Timestamp>,
    pub created_by: String,
    pub created_at: Timestamp,
}

rows! {
    Quota { id, org_id, kind, subject, host_id, max_running, jobs_per_minute, running, recent }
    Pause { kind, subject, note, until_at, created_by, created_at }
}

/// Adds limit `$1` to the limits of leases.
macro_rules! mark {
    ($which:literal) => {
        concat!(
            "update lease set counted = case when counted is null then $1 else counted || ',' || $1 end where ",
            $which
        )
    };
}

/// The same on PostgreSQL, with locks in the order of every transaction: by ascending job id.
macro_rules! mark_in_order {
    ($which:literal) => {
        concat!(
            "with hit as materialized (select job_id from lease where ",
            $which,
            " order by job_id for update) ",
            mark!("job_id = any (array(select job_id from hit))")
        )
    };
}

statements! {
    // Locks by ascending id, so that two claims cannot deadlock.
    QUOTA_LOCK = pair(
        "select q.id, q.org_id, q.kind, q.subject, q.host_id, q.max_running, q.jobs_per_minute, q.running, q.recent
        from json_each($1) x
        cross join quota q on q.org_id = unhex(x.value ->> 0) and q.kind = x.value ->> 1 and q.subject = x.value ->> 2
            and q.host_id = unhex(x.value ->> 3)
        order by q.id",
        "select q.id, q.org_id, q.kind, q.subject, q.host_id, q.max_running, q.jobs_per_minute, q.running, q.recent
        from quota q
        join unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) x (org_id, kind, subject, host_id)
            on q.org_id = x.org_id and q.kind = x.kind and q.subject = x.subject and q.host_id = x.host_id
        order by q.id
        for update of q"
    );
    QUOTA_LIST = same("
        select id, org_id, kind, subject, host_id, max_running, jobs_per_minute, running, recent
        from quota where org_id = $1 order by kind, subject limit $2");
    QUOTA_GET = same("
        select id, org_id, kind, subject, host_id, max_running, jobs_per_minute, running, recent
        from quota where org_id = $1 and kind = $2 and subject = $3 and host_id = $4");
    QUOTA_PUT = same("
        insert into quota (id, org_id, kind, subject, host_id, max_running, jobs_per_minute, running, recent, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, 0, '', $8, $8)
        on conflict (org_id, kind, subject, host_id) do update
        set max_running = excluded.max_running, jobs_per_minute = excluded.jobs_per_minute, updated_at = excluded.updated_at");
    QUOTA_REMOVE = same("delete from quota where org_id = $1 and kind = $2 and subject = $3 and host_id = $4");
    QUOTA_CHARGE = same("update quota set running = running + $2, recent = $3 where id = $1");
    QUOTA_RELEASE = same("update quota set running = running - $2 where id = $1");
    // Marks leases that started before the limit existed, so that their ends are subtracted from it.
    QUOTA_MARK_ORG = pair(mark!("org_id = $2"), mark_in_order!("org_id = $2"));
    QUOTA_MARK_DEFINITION = pair(mark!("definition_id = $2"), mark_in_order!("definition_id = $2"));
    QUOTA_MARK_ON_HOST = pair(
        mark!("definition_id = $2 and holder_id = $3"),
        mark_in_order!("definition_id = $2 and holder_id = $3")
    );
    QUOTA_MARK_KEY = pair(
        mark!("org_id = $2 and lane_id in (select id from lane where org_id = $2 and limit_key = $3)"),
        mark_in_order!("org_id = $2 and lane_id in (select id from lane where org_id = $2 and limit_key = $3)")
    );
    // A lease that another transaction has locked is counted by the first query only.
    QUOTA_LEASES_ON_HOST_LOCK = pair(
        "select true where $1 is not null and $2 is not null",
        "select (select count(*) from lease where definition_id = $1 and holder_id = $2) = (
            select count(*) from (
                select 1 from lease where definition_id = $1 and holder_id = $2 for update skip locked) locked)"
    );
    QUOTA_SET_RUNNING = same("update quota set running = $2 where id = $1");
    PAUSE_PUT = same("
        insert into pause (org_id, kind, subject, note, until_at, created_by, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $7)
        on conflict (org_id, kind, subject) do update
        set note = excluded.note, until_at = excluded.until_at, created_by = excluded.created_by, updated_at = excluded.updated_at");
    PAUSE_REMOVE = same("delete from pause where org_id = $1 and kind = $2 and subject = $3");
    PAUSE_LIST = same("
        select kind, subject, note, until_at, created_by, created_at
        from pause where org_id = $1 and (until_at is null or until_at > $2) order by kind, subject");
}

impl QuotaKey {
    fn org_id(&self) -> OrgId {
        self.org.unwrap_or(OrgId::from_bytes(NOBODY))
    }

    fn host_id(&self) -> HostId {
        self.host.unwrap_or(HostId::from_bytes(NOBODY))
    }
}

impl From<&Quota> for Usage {
    fn from(quota: &Quota) -> Self {
        Self::of(quota.max_running, quota.jobs_per_minute, quota.running, quota.recent.clone())
    }
}

impl Quota {
    /// The scope of this limit.
    #[must_use]
    pub fn key(&self) -> QuotaKey {
        let org = Some(self.org_id).filter(|id| id.to_bytes() != NOBODY);
        let host = Some(self.host_id).filter(|id| id.to_bytes() != NOBODY);
        QuotaKey { org, kind: self.kind, subject: self.subject.clone(), host }
    }
}

impl Tx<'_> {
    /// Locks those limits that exist, and returns them.
    pub async fn quota_lock(&mut self, keys: &[QuotaKey]) -> Result<Vec<Quota>> {
        let row = |k: &QuotaKey| json!([hex(k.org_id()), k.kind, k.subject, hex(k.host_id())]);
        split!(
            self, QUOTA_LOCK => Quota,
            sqlite(Value::Array(keys.iter().map(row).collect()).to_string()),
            postgres(
                ids(keys, QuotaKey::org_id), column(keys, |k| k.kind.as_str()), column(keys, |k| k.subject.as_str()),
                ids(keys, QuotaKey::host_id),
            ),
        )
    }

    /// Returns the limits of an organization.
    pub async fn quota_list(&mut self, org: OrgId, limit: u32) -> Result<Vec<Quota>> {
        all!(self, QUOTA_LIST => Quota, org, i64::from(limit))
    }

    /// Returns one limit.
    pub async fn quota_get(&mut self, key: &QuotaKey) -> Result<Option<Quota>> {
        one!(self, QUOTA_GET => Quota, key.org_id(), key.kind, key.subject.clone(), key.host_id())
    }

    /// Creates or changes a limit. Its counters are kept.
    pub async fn quota_put(
        &mut self,
        key: &QuotaKey,
        id: QuotaId,
        max_running: Option<i32>,
        jobs_per_minute: Option<i32>,
        now: Timestamp,
    ) -> Result<()> {
        execute!(
            self,
            QUOTA_PUT,
            id,
            key.org_id(),
            key.kind,
            key.subject.clone(),
            key.host_id(),
            max_running,
            jobs_per_minute,
            now
        )?;
        Ok(())
    }

    /// Removes a limit.
    pub async fn quota_remove(&mut self, key: &QuotaKey) -> Result<bool> {
        Ok(execute!(self, QUOTA_REMOVE, key.org_id(), key.kind, key.subject.clone(), key.host_id())? == 1)
    }

    /// Counts the runs in progress towards a new limit. Returns their number.
    pub async fn quota_recount(&mut self, quota: &Quota) -> Result<u64> {
        let (id, subject) = (quota.id.to_string(), quota.subject.clone());
        let definition = || subject.parse::<DefinitionId>().unwrap_or(DefinitionId::from_bytes(NOBODY));
        let running = match quota.kind {
            QuotaKind::Org => execute!(self, QUOTA_MARK_ORG, id, quota.org_id)?,
            QuotaKind::Definition => execute!(self, QUOTA_MARK_DEFINITION, id, definition())?,
            QuotaKind::DefinitionOnHost => {
                execute!(self, QUOTA_MARK_ON_HOST, id, definition(), HolderId::from(quota.host_id))?
            }
            QuotaKind::Key => execute!(self, QUOTA_MARK_KEY, id, quota.org_id, subject)?,
        };
        execute!(self, QUOTA_SET_RUNNING, quota.id, i32::try_from(running).unwrap_or(i32::MAX))?;
        Ok(running)
    }

    /// Locks the leases that a new limit of a definition on one host would count, without waiting: the caller has locked
    /// the holder, which every other transaction locks after its leases. Returns `false` if another transaction has
    /// locked one of them.
    pub async fn quota_leases_on_host_lock(&mut self, definition: DefinitionId, host: HostId) -> Result<bool> {
        let locked = value!(self, QUOTA_LEASES_ON_HOST_LOCK => bool, definition, HolderId::from(host))?;
        Ok(locked.unwrap_or(false))
    }

    /// Adds started jobs to a limit, whose row must be locked.
    pub async fn quota_charge(&mut self, id: QuotaId, begun: i32, recent: &Recent) -> Result<()> {
        execute!(self, QUOTA_CHARGE, id, begun, recent.clone())?;
        Ok(())
    }

    /// Subtracts ended runs from a limit, if it still exists.
    pub async fn quota_release(&mut self, id: QuotaId, ended: i32) -> Result<()> {
        execute!(self, QUOTA_RELEASE, id, ended)?;
        Ok(())
    }

    /// Pauses an organization, a definition, a queue or a limit key.
    pub async fn pause_put(&mut self, org: OrgId, pause: &Pause) -> Result<()> {
        let p = pause;
        execute!(
            self,
            PAUSE_PUT,
            org,
            p.kind.clone(),
            p.subject.clone(),
            p.note.clone(),
            p.until_at,
            p.created_by.clone(),
            p.created_at
        )?;
        Ok(())
    }

    /// Ends a pause.
    pub async fn pause_remove(&mut self, org: OrgId, kind: &str, subject: &str) -> Result<bool> {
        Ok(execute!(self, PAUSE_REMOVE, org, kind.to_owned(), subject.to_owned())? == 1)
    }

    /// Returns the pauses of an organization that are in force.
    pub async fn pause_list(&mut self, org: OrgId, now: Timestamp) -> Result<Vec<Pause>> {
        all!(self, PAUSE_LIST => Pause, org, now)
    }
}
