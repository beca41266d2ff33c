//! Hosts: their settings, labels, marks and capabilities.

use domain::{
    HostId, JoinTokenId, Labels, OrgId, Span, Timestamp,
    lane::QueueNames,
    presence::{HostFacts, ManualMark, SessionFacts, failed_ends},
};
use serde_json::Value;

use crate::{Result, Tx, value::Json};

/// A host.
#[derive(Debug, Clone, PartialEq)]
pub struct Host {
    pub id: HostId,
    pub org_id: OrgId,
    pub name: String,
    /// Set once a person has named the host. The name that the runner sends is then ignored.
    pub is_named_by_person: bool,
    pub labels: Labels,
    pub always_on: bool,
    pub machine: Value,
    pub max_running: Option<i32>,
    pub jobs_per_minute: Option<i32>,
    /// Overrides the organization's threshold.
    pub offline_after: Option<Span>,
    /// Overrides the organization's threshold for alerts.
    pub alert_after: Option<Span>,
    pub pause: Option<ManualMark>,
    pub degrade: Option<ManualMark>,
    pub key_version: i32,
    pub key_version_wanted: Option<i32>,
    pub revoked_at: Option<Timestamp>,
    pub join_token_id: Option<JoinTokenId>,
    /// Address of its primary hub, if that is another hub; this one then only shows copies.
    pub primary_hub: Option<String>,
    /// Whether its runner can fire schedules in standalone mode.
    pub has_standalone: bool,
    /// Whether its runner can run servers of this hub.
    pub has_servers: bool,
    /// The queues that it may serve.
    pub queues: QueueNames,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A host with its organization's threshold and its last session: everything that its state depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct HostView {
    pub host: Host,
    pub org_offline_after: Span,
    pub session: Option<HostSession>,
    /// Results of the last runs, one mark each.
    pub ends: String,
}

/// The current or last session of a host.
#[derive(Debug, Clone, PartialEq)]
pub struct HostSession {
    pub epoch: i64,
    pub incarnation: String,
    pub runner_version: String,
    pub address: String,
    pub connected_at: Timestamp,
    pub heartbeat_at: Timestamp,
    pub closed_at: Option<Timestamp>,
    pub goodbye: Option<String>,
    pub duplicate_at: Option<Timestamp>,
    pub clock_skew_ms: Option<i64>,
    pub metrics: Option<Value>,
}

impl HostView {
    /// Time without heartbeats after which the host is offline: its own threshold, or the organization's.
    #[must_use]
    pub fn offline_after(&self) -> Span {
        self.host.offline_after.unwrap_or(self.org_offline_after)
    }

    /// Returns the facts that the host's state is computed from. The caller passes values that it reads from the
    /// metrics.
    #[must_use]
    pub fn facts(&self, disk_used_percent: Option<f64>, outbox: Option<u64>) -> HostFacts {
        HostFacts {
            revoked_at: self.host.revoked_at,
            pause: self.host.pause.clone(),
            degrade: self.host.degrade.clone(),
            always_on: self.host.always_on,
            offline_after: self.offline_after(),
            seen: self.session.as_ref().map(|session| SessionFacts {
                heartbeat_at: session.heartbeat_at,
                connected_at: session.connected_at,
                goodbye: session.goodbye.clone(),
                duplicate_at: session.duplicate_at,
                clock_skew_ms: session.clock_skew_ms,
            }),
            disk_used_percent,
            failed_runs: failed_ends(&self.ends),
            outbox,
        }
    }
}

/// A row of the join of host, organization and session.
struct Row {
    id: HostId,
    org_id: OrgId,
    name: String,
    is_named_by_person: bool,
    labels: Labels,
    always_on: bool,
    machine: Json<Value>,
    max_running: Option<i32>,
    jobs_per_minute: Option<i32>,
    offline_after_ms: Option<Span>,
    alert_after_ms: Option<Span>,
    is_paused: bool,
    pause_note: String,
    pause_until: Option<Timestamp>,
    is_degraded: bool,
    degrade_note: String,
    degrade_until: Option<Timestamp>,
    key_version: i32,
    key_version_wanted: Option<i32>,
    revoked_at: Option<Timestamp>,
    join_token_id: Option<JoinTokenId>,
    primary_hub: Option<String>,
    has_standalone: bool,
    has_servers: bool,
    queues: QueueNames,
    created_at: Timestamp,
    updated_at: Timestamp,
    org_offline_after_ms: Span,
    epoch: Option<i64>,
    incarnation: Option<String>,
    runner_version: Option<String>,
    address: Option<String>,
    connected_at: Option<Timestamp>,
    heartbeat_at: Option<Timestamp>,
    closed_at: Option<Timestamp>,
    goodbye: Option<String>,
    duplicate_at: Option<Timestamp>,
    clock_skew_ms: Option<i64>,
    metrics: Option<Json<Value>>,
    ends: Option<String>,
}

rows! { Row {
    id, org_id, name, is_named_by_person, labels, always_on, machine, max_running, jobs_per_minute, offline_after_ms,
    alert_after_ms, is_paused, pause_note, pause_until, is_degraded, degrade_note, degrade_until, key_version,
    key_version_wanted, revoked_at, join_token_id, primary_hub, has_standalone, has_servers, queues, created_at, updated_at, org_offline_after_ms,
    epoch, incarnation, runner_version, address, connected_at, heartbeat_at, closed_at, goodbye, duplicate_at, clock_skew_ms, metrics, ends
} }

fn mark(is_set: bool, note: String, until: Option<Timestamp>) -> Option<ManualMark> {
    is_set.then_some(ManualMark { note, until })
}

impl From<Row> for HostView {
    fn from(row: Row) -> Self {
        let session =
            row.epoch.zip(row.connected_at).zip(row.heartbeat_at).map(|((epoch, connected_at), heartbeat_at)| {
                HostSession {
                    epoch,
                    incarnation: row.incarnation.unwrap_or_default(),
                    runner_version: row.runner_version.unwrap_or_default(),
                    address: row.address.unwrap_or_default(),
                    connected_at,
                    heartbeat_at,
                    closed_at: row.closed_at,
                    goodbye: row.goodbye,
                    duplicate_at: row.duplicate_at,
                    clock_skew_ms: row.clock_skew_ms,
                    metrics: row.metrics.map(|json| json.0),
                }
            });
        let host = Host {
            id: row.id,
            org_id: row.org_id,
            name: row.name,
            is_named_by_person: row.is_named_by_person,
            labels: row.labels,
            always_on: row.always_on,
            machine: row.machine.0,
            max_running: row.max_running,
            jobs_per_minute: row.jobs_per_minute,
            offline_after: row.offline_after_ms,
            alert_after: row.alert_after_ms,
            pause: mark(row.is_paused, row.pause_note, row.pause_until),
            degrade: mark(row.is_degraded, row.degrade_note, row.degrade_until),
            key_version: row.key_version,
            key_version_wanted: row.key_version_wanted,
            revoked_at: row.revoked_at,
            join_token_id: row.join_token_id,
            primary_hub: row.primary_hub,
            has_standalone: row.has_standalone,
            has_servers: row.has_servers,
            queues: row.queues,
            created_at: row.created_at,
            updated_at: row.updated_at,
        };
        Self { host, org_offline_after: row.org_offline_after_ms, session, ends: row.ends.unwrap_or_default() }
    }
}

/// The columns of `Row`, shared by all statements that read hosts.
macro_rules! select_hosts {
    ($rest:literal) => {
        concat!(
            "
        select h.id, h.org_id, h.name, h.is_named_by_person, h.labels, h.always_on, h.machine, h.max_running,
            h.jobs_per_minute, h.offline_after_ms, h.alert_after_ms, h.is_paused, h.pause_note, h.pause_until,
            h.is_degraded, h.degrade_note, h.degrade_until, h.key_version, h.key_version_wanted, h.revoked_at,
            h.join_token_id, h.primary_hub, h.has_standalone, h.has_servers, h.queues, h.created_at, h.updated_at,
            o.offline_after_ms as org_offline_after_ms,
            s.epoch, s.incarnation, s.runner_version, s.address, s.connected_at, s.heartbeat_at, s.closed_at,
            s.goodbye, s.duplicate_at, s.clock_skew_ms, s.metrics, r.ends
        from host h
        join org o on o.id = h.org_id
        left join host_session s on s.host_id = h.id
        left join holder r on r.id = h.id
        ",
            $rest
        )
    };
}

statements! {
    HOST_INSERT = same("
        insert into host
            (id, org_id, name, is_named_by_person, labels, always_on, machine, max_running, jobs_per_minute,
             offline_after_ms, alert_after_ms, is_paused, pause_note, pause_until, is_degraded, degrade_note,
             degrade_until, key_version, key_version_wanted, revoked_at, join_token_id, created_at, updated_at, primary_hub,
             has_standalone, has_servers, queues)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
            $26, $27)");
    HOST_GET = same(select_hosts!("where h.org_id = $1 and h.id = $2"));
    HOST_BY_NAME = same(select_hosts!("where h.org_id = $1 and h.name = $2"));
    HOST_LIST = same(select_hosts!("where h.org_id = $1 and h.name > $2 order by h.name limit $3"));
    HOST_LIST_ALL = same(select_hosts!("where h.id > $1 order by h.id limit $2"));
    // Locks the host for a read-modify-write. SQLite needs no lock: it has one writer.
    HOST_LOCK = pair(
        select_hosts!("where h.org_id = $1 and h.id = $2"),
        select_hosts!("where h.org_id = $1 and h.id = $2 for update of h")
    );
    HOST_LIST_INTERMITTENT = same(select_hosts!("where h.id > $1 and h.always_on = $3 order by h.id limit $2"));
    HOST_ANYWHERE = same(select_hosts!("where h.id = $1"));
    HOST_NAMES_LIKE = same("select name from host where org_id = $1 and (name = $2 or name like $3 escape '\\')");
    HOST_UPDATE = same("
        update host
        set name = $3, is_named_by_person = $4, labels = $5, always_on = $6, machine = $7, max_running = $8,
            jobs_per_minute = $9, offline_after_ms = $10, alert_after_ms = $11, is_paused = $12, pause_note = $13,
            pause_until = $14, is_degraded = $15, degrade_note = $16, degrade_until = $17, key_version = $18,
            key_version_wanted = $19, revoked_at = $20, updated_at = $21, primary_hub = $22, has_standalone = $23,
            has_servers = $24, queues = $25
        where org_id = $1 and id = $2");
    HOST_REMOVE = same("delete from host where org_id = $1 and id = $2");
    HOST_REMOVE_LOG = same("delete from sync_log where only_host = $1");
}

fn split(mark: Option<&ManualMark>) -> (bool, String, Option<Timestamp>) {
    mark.map_or((false, String::new(), None), |mark| (true, mark.note.clone(), mark.until))
}

impl Tx<'_> {
    /// Inserts a host. A name in use violates `host_org_id_name_uq`.
    pub async fn host_insert(&mut self, host: &Host) -> Result<()> {
        let ((is_paused, pause_note, pause_until), (is_degraded, degrade_note, degrade_until)) =
            (split(host.pause.as_ref()), split(host.degrade.as_ref()));
        execute!(
            self,
            HOST_INSERT,
            host.id,
            host.org_id,
            host.name.clone(),
            host.is_named_by_person,
            host.labels.clone(),
            host.always_on,
            Json(host.machine.clone()),
            host.max_running,
            host.jobs_per_minute,
            host.offline_after,
            host.alert_after,
            is_paused,
            pause_note,
            pause_until,
            is_degraded,
            degrade_note,
            degrade_until,
            host.key_version,
            host.key_version_wanted,
            host.revoked_at,
            host.join_token_id,
            host.created_at,
            host.updated_at,
            host.primary_hub.clone(),
            host.has_standalone,
            host.has_servers,
            host.queues.clone()
        )?;
        Ok(())
    }

    /// Returns a host of an organization.
    pub async fn host_get(&mut self, org: OrgId, id: HostId) -> Result<Option<HostView>> {
        Ok(one!(self, HOST_GET => Row, org, id)?.map(HostView::from))
    }

    /// Returns a host of an organization and locks it.
    pub async fn host_lock(&mut self, org: OrgId, id: HostId) -> Result<Option<HostView>> {
        Ok(one!(self, HOST_LOCK => Row, org, id)?.map(HostView::from))
    }

    /// Returns a host of an organization by its name.
    pub async fn host_by_name(&mut self, org: OrgId, name: &str) -> Result<Option<HostView>> {
        Ok(one!(self, HOST_BY_NAME => Row, org, name.to_owned())?.map(HostView::from))
    }

    /// Returns the hosts of an organization by name, after the given one.
    pub async fn host_list(&mut self, org: OrgId, after: &str, limit: u32) -> Result<Vec<HostView>> {
        Ok(all!(self, HOST_LIST => Row, org, after.to_owned(), i64::from(limit))?
            .into_iter()
            .map(HostView::from)
            .collect())
    }

    /// Returns the hosts of all organizations by id, after the given one.
    pub async fn host_list_all(&mut self, after: HostId, limit: u32) -> Result<Vec<HostView>> {
        Ok(all!(self, HOST_LIST_ALL => Row, after, i64::from(limit))?.into_iter().map(HostView::from).collect())
    }

    /// Returns a host of any organization: a runner is identified by its key, not by an organization.
    pub async fn host_anywhere(&mut self, id: HostId) -> Result<Option<HostView>> {
        Ok(one!(self, HOST_ANYWHERE => Row, id)?.map(HostView::from))
    }

    /// Returns hosts of all organizations that are not always on, by id.
    pub async fn host_list_intermittent(&mut self, after: HostId, limit: u32) -> Result<Vec<HostView>> {
        let rows = all!(self, HOST_LIST_INTERMITTENT => Row, after, i64::from(limit), false)?;
        Ok(rows.into_iter().map(HostView::from).collect())
    }

    /// Returns names in an organization that equal `name` or start with `name-`.
    pub async fn host_names_like(&mut self, org: OrgId, name: &str) -> Result<Vec<String>> {
        let pattern = format!("{}-%", name.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
        let names = all!(
            self,
            HOST_NAMES_LIKE => (crate::value::Db<String>,),
            org,
            name.to_owned(),
            pattern
        )?;
        Ok(names.into_iter().map(|(name,)| name.0).collect())
    }

    /// Updates a host. A name in use violates `host_org_id_name_uq`. Returns `false` if the host does not exist.
    pub async fn host_update(&mut self, host: &Host) -> Result<bool> {
        let ((is_paused, pause_note, pause_until), (is_degraded, degrade_note, degrade_until)) =
            (split(host.pause.as_ref()), split(host.degrade.as_ref()));
        let touched = execute!(
            self,
            HOST_UPDATE,
            host.org_id,
            host.id,
            host.name.clone(),
            host.is_named_by_person,
            host.labels.clone(),
            host.always_on,
            Json(host.machine.clone()),
            host.max_running,
            host.jobs_per_minute,
            host.offline_after,
            host.alert_after,
            is_paused,
            pause_note,
            pause_until,
            is_degraded,
            degrade_note,
            degrade_until,
            host.key_version,
            host.key_version_wanted,
            host.revoked_at,
            host.updated_at,
            host.primary_hub.clone(),
            host.has_standalone,
            host.has_servers,
            host.queues.clone()
        )?;
        Ok(touched == 1)
    }

    /// Deletes a host with its keys, session, measurements and replicated rows, apart from finished jobs. Its id is
    /// recorded for the machine's return.
    pub async fn host_remove(&mut self, org: OrgId, id: HostId, now: Timestamp) -> Result<bool> {
        self.removed_host_put(org, id, now).await?;
        let is_gone = execute!(self, HOST_REMOVE, org, id)? == 1;
        if is_gone {
            execute!(self, HOST_REMOVE_LOG, id)?;
            self.sync_origin_forget(id).await?;
            self.sample_forget(id).await?;
        }
        Ok(is_gone)
    }
}
