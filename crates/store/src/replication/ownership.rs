//! On a hub: which of a host's rows the host may write. Every row is checked, also a deletion, by its table and id alone.
//!
//! - A job belongs to the queue it was created in: rows of a host count only for jobs of its own queue.
//! - A trigger or a server of the hub counts if the hub has assigned it to this host; then the hub's row says to which
//!   org it belongs. A host's own ones belong to the org of the host.
//! - An unknown id is accepted: rows of one page can refer to rows of a later one.
//!
//! The statements that write name the origin as well, so that a row which slips through here still changes nothing.

use std::collections::{HashMap, HashSet};

use domain::{
    HostSender, JobId, ServerId, TriggerId,
    sync::{
        doc::StoredDoc,
        frame::{Row, SyncError},
        subject::RowSubject,
    },
};

use super::HubSide;
use crate::{
    Result, Tx,
    columns::ids,
    value::{Db, id_texts},
};

struct ForeignJobRow {
    job_id: JobId,
}

struct TriggerOwnerRow {
    id: TriggerId,
    is_theirs: bool,
    ordinal: Option<i32>,
}

struct ServerOwnerRow {
    id: ServerId,
    is_theirs: bool,
    was_theirs: bool,
}

rows! {
    ForeignJobRow { job_id }
    TriggerOwnerRow { id, is_theirs, ordinal }
    ServerOwnerRow { id, is_theirs, was_theirs }
}

statements! {
    // Jobs of the hub, of another host, or of an org that the host has left.
    FOREIGN_JOBS = pair(
        "select j.id as job_id from json_each($3) x cross join job j on j.id = unhex(x.value)
        where j.origin is null or j.origin <> $1 or j.org_id <> $2",
        "select j.id as job_id from unnest($3::uuid[]) x (id) join job j on j.id = x.id
        where j.origin is distinct from $1 or j.org_id <> $2"
    );
    // A host may write its own triggers, and fires of the hub's triggers in its org under its own ordinal.
    MIRROR_TRIGGER_OWNERS = pair(
        "select t.id, (t.origin is not null and t.origin = $1 and t.org_id = $2) as is_theirs,
            case when t.origin is null and t.org_id = $2 then h.ordinal end as ordinal
        from json_each($3) x cross join trigger t on t.id = unhex(x.value)
        left join trigger_host h on h.trigger_id = t.id and h.host_id = $1",
        "select t.id, (t.origin is not null and t.origin = $1 and t.org_id = $2) as is_theirs,
            case when t.origin is null and t.org_id = $2 then h.ordinal end as ordinal
        from unnest($3::uuid[]) x (id) join trigger t on t.id = x.id
        left join trigger_host h on h.trigger_id = t.id and h.host_id = $1"
    );
    // A host may write its own servers, and those of the hub in its org that it runs or has not confirmed to have
    // stopped. Of a server that has run there before, it may send late rows.
    MIRROR_SERVER_OWNERS = pair(
        "select s.id, coalesce(s.org_id = $2 and (s.origin = $1 or (s.origin is null and (s.host_id = $1 or exists
            (select 1 from sync_log l where l.only_host = $1 and l.tbl = 'server' and l.id = s.id)))), 0) as is_theirs,
            (s.org_id = $2 and s.origin is null and exists
            (select 1 from server_run r where r.server_id = s.id and r.host_id = $1)) as was_theirs
        from json_each($3) x cross join server s on s.id = unhex(x.value)",
        "select s.id, coalesce(s.org_id = $2 and (s.origin = $1 or (s.origin is null and (s.host_id = $1 or exists
            (select 1 from sync_log l where l.only_host = $1 and l.tbl = 'server' and l.id = s.id)))), false) as is_theirs,
            (s.org_id = $2 and s.origin is null and exists
            (select 1 from server_run r where r.server_id = s.id and r.host_id = $1)) as was_theirs
        from unnest($3::uuid[]) x (id) join server s on s.id = x.id"
    );
}

/// The owner of a server, as its sender sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerOwner {
    /// The host runs it.
    Sender,
    /// The host has run it before; it was moved.
    Former,
    Foreign,
    /// No server has this id: it was removed, or its row has not arrived yet.
    Unknown,
}

/// Owners of the things that the rows of a page are about.
#[derive(Default)]
struct Owners {
    foreign_jobs: HashSet<JobId>,
    triggers: HashMap<TriggerId, TriggerOwnerRow>,
    servers: HashMap<ServerId, ServerOwner>,
}

impl Owners {
    /// Whether the sender may write a row.
    fn check(&self, row: &Row<StoredDoc>) -> std::result::Result<(), SyncError> {
        if row.jobs().any(|job| self.foreign_jobs.contains(&job)) {
            return Err(SyncError::Ownership);
        }
        let trigger = |id: TriggerId, ordinal: Option<i32>| match self.triggers.get(&id) {
            None => Ok(()),
            Some(owner) if owner.is_theirs => Ok(()),
            Some(owner) if owner.ordinal.is_some() && (ordinal.is_none() || ordinal == owner.ordinal) => Ok(()),
            Some(_) => Err(SyncError::Ownership),
        };
        match row.subject() {
            Some(RowSubject::Trigger(id)) => trigger(id, None),
            Some(RowSubject::Fire(id, ordinal)) => trigger(id, Some(ordinal)),
            Some(RowSubject::Server(id)) => match self.servers.get(&id) {
                None | Some(ServerOwner::Unknown | ServerOwner::Sender) => Ok(()),
                Some(ServerOwner::Former) => Err(SyncError::Superseded),
                Some(ServerOwner::Foreign) => Err(SyncError::Ownership),
            },
            Some(RowSubject::Job(_) | RowSubject::Definition(_) | RowSubject::Sender) => Ok(()),
            None => Err(SyncError::Rejected),
        }
    }
}

impl Tx<'_> {
    /// Returns the rows that the sender may write, and appends the others to `rejected`.
    pub(super) async fn own_rows(
        &mut self,
        side: &HubSide,
        rows: Vec<Row<StoredDoc>>,
        rejected: &mut Vec<(Row<StoredDoc>, SyncError)>,
    ) -> Result<Vec<Row<StoredDoc>>> {
        let owners = self.owners(side, &rows).await?;
        let mut own = Vec::with_capacity(rows.len());
        for row in rows {
            match owners.check(&row) {
                Ok(()) => own.push(row),
                Err(error) => rejected.push((row, error)),
            }
        }
        Ok(own)
    }

    async fn owners(&mut self, side: &HubSide, rows: &[Row<StoredDoc>]) -> Result<Owners> {
        let (mut triggers, mut servers) = (HashSet::new(), HashSet::new());
        let jobs: HashSet<JobId> = rows.iter().flat_map(Row::jobs).collect();
        for subject in rows.iter().filter_map(Row::subject) {
            match subject {
                RowSubject::Trigger(id) | RowSubject::Fire(id, _) => _ = triggers.insert(id),
                RowSubject::Server(id) => _ = servers.insert(id),
                RowSubject::Definition(_) | RowSubject::Job(_) | RowSubject::Sender => {}
            }
        }
        let (host, org) = (side.sender.host(), side.sender.org());
        let mut owners = Owners::default();
        if !jobs.is_empty() {
            let jobs: Vec<JobId> = jobs.into_iter().collect();
            let foreign = split!(
                self, FOREIGN_JOBS => ForeignJobRow,
                sqlite(Db(host), Db(org), id_texts(&jobs)),
                postgres(Db(host), Db(org), ids(&jobs, |id| *id)),
            )?;
            owners.foreign_jobs = foreign.into_iter().map(|row| row.job_id).collect();
        }
        if !triggers.is_empty() {
            let triggers: Vec<TriggerId> = triggers.into_iter().collect();
            let found = split!(
                self, MIRROR_TRIGGER_OWNERS => TriggerOwnerRow,
                sqlite(Db(host), Db(org), id_texts(&triggers)),
                postgres(Db(host), Db(org), ids(&triggers, |id| *id)),
            )?;
            owners.triggers = found.into_iter().map(|row| (row.id, row)).collect();
        }
        if !servers.is_empty() {
            let servers: Vec<ServerId> = servers.into_iter().collect();
            owners.servers = self.server_owners(side.sender, &servers).await?;
        }
        Ok(owners)
    }

    /// The owners of these servers.
    pub async fn server_owners(
        &mut self,
        sender: HostSender,
        servers: &[ServerId],
    ) -> Result<HashMap<ServerId, ServerOwner>> {
        let found = split!(
            self, MIRROR_SERVER_OWNERS => ServerOwnerRow,
            sqlite(Db(sender.host()), Db(sender.org()), id_texts(servers)),
            postgres(Db(sender.host()), Db(sender.org()), ids(servers, |id| *id)),
        )?;
        let mut owners: HashMap<_, _> = servers.iter().map(|id| (*id, ServerOwner::Unknown)).collect();
        owners.extend(found.into_iter().map(|row| {
            let owner = match (row.is_theirs, row.was_theirs) {
                (true, _) => ServerOwner::Sender,
                (false, true) => ServerOwner::Former,
                (false, false) => ServerOwner::Foreign,
            };
            (row.id, owner)
        }));
        Ok(owners)
    }
}
