//! Triggers, and their state per host. Also the cursors of event readers.

use domain::{HostId, HubId, OrgId, Timestamp, TriggerId, trigger::Trigger as Body};
use serde_json::Value;

use crate::{
    Result, Tx,
    columns::ids,
    value::{Json, id_texts},
};

/// A trigger with its schedule state.
#[derive(Debug, Clone, PartialEq)]
pub struct Trigger {
    pub id: TriggerId,
    pub org_id: OrgId,
    /// Incremented by every change.
    pub version: i32,
    pub body: Body,
    /// All nominal times up to this one are decided.
    pub settled_at: Timestamp,
    /// The next nominal time that this hub must decide.
    pub next_fire_at: Option<Timestamp>,
    /// Time at which the trigger was last enabled.
    pub enabled_at: Timestamp,
    /// On a hub: the host that owns this copy.
    pub origin: Option<HostId>,
    /// On a host: the hub that owns this trigger.
    pub hub_id: Option<HubId>,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
}

/// The state of a trigger on one of its hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriggerHost {
    pub trigger_id: TriggerId,
    pub host_id: HostId,
    /// Number of the host within the trigger.
    pub ordinal: i32,
    /// Last success of the trigger's job on this host.
    pub succeeded_at: Option<Timestamp>,
    /// Epoch of the last session for which catch-up was decided, so that it is decided once per session.
    pub judged_epoch: i64,
    /// The host decided all nominal times up to this one before it gave the trigger back.
    pub settled_at: Option<Timestamp>,
}

struct Row {
    id: TriggerId,
    org_id: OrgId,
    version: i32,
    body: Json<Value>,
    settled_at: Timestamp,
    next_fire_at: Option<Timestamp>,
    enabled_at: Timestamp,
    origin: Option<HostId>,
    hub_id: Option<HubId>,
    created_by: String,
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: Option<Timestamp>,
}

rows! {
    Row { id, org_id, version, body, settled_at, next_fire_at, enabled_at, origin, hub_id, created_by, created_at, updated_at, deleted_at }
    TriggerHost { trigger_id, host_id, ordinal, succeeded_at, judged_epoch, settled_at }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select t.id, t.org_id, t.version, t.body, t.settled_at, t.next_fire_at, t.enabled_at, t.origin, t.hub_id,
                t.created_by, t.created_at, t.updated_at, t.deleted_at
            from trigger t ",
            $rest
        )
    };
}

statements! {
    TRIGGER_INSERT = same("
        insert into trigger (id, org_id, version, label, body, trigger_type, event_name, settled_at, next_fire_at,
            enabled_at, origin, hub_id, created_by, created_at, updated_at, deleted_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)");
    TRIGGER_UPDATE = same("
        update trigger
        set version = $2, label = $3, body = $4, trigger_type = $5, event_name = $6, settled_at = $7, next_fire_at = $8,
            enabled_at = $9, updated_at = $10, deleted_at = $11
        where id = $1 and version < $2");
    TRIGGER_GET = same(select!("where t.org_id = $1 and t.id = $2 and t.deleted_at is null"));
    TRIGGER_BY_LABEL = same(select!("where t.org_id = $1 and t.label = $2 and t.deleted_at is null
        order by t.origin is not null, t.id limit 2"));
    TRIGGER_LIST = same(select!("where t.org_id = $1 and t.id > $2 and t.deleted_at is null order by t.id limit $3"));
    TRIGGER_DUE = same(select!("where t.next_fire_at <= $1 order by t.next_fire_at limit $2"));
    TRIGGER_NEXT = same("select next_fire_at from trigger where next_fire_at is not null order by next_fire_at limit 1");
    // Skips triggers that another hub has locked: that hub decides them. SQLite has one writer, so no lock is needed.
    TRIGGER_TAKE = pair(
        select!("join json_each($1) x on t.id = unhex(x.value)"),
        select!("where t.id = any ($1::uuid[]) order by t.id for update skip locked")
    );
    TRIGGER_LOCK = pair(
        select!("where t.org_id = $1 and t.id = $2 and t.deleted_at is null"),
        select!("where t.org_id = $1 and t.id = $2 and t.deleted_at is null for update")
    );
    TRIGGER_ANYWHERE = pair(
        select!("join json_each($1) x on t.id = unhex(x.value)"),
        select!("where t.id = any ($1::uuid[])")
    );
    TRIGGER_PUT = same("
        insert into trigger (id, org_id, version, label, body, trigger_type, event_name, settled_at, next_fire_at,
            enabled_at, origin, hub_id, created_by, created_at, updated_at, deleted_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        on conflict (id) do update set org_id = excluded.org_id, version = excluded.version, label = excluded.label,
            body = excluded.body, trigger_type = excluded.trigger_type, event_name = excluded.event_name,
            settled_at = excluded.settled_at, next_fire_at = excluded.next_fire_at, enabled_at = excluded.enabled_at,
            origin = excluded.origin, hub_id = excluded.hub_id, updated_at = excluded.updated_at,
            deleted_at = excluded.deleted_at");
    TRIGGER_HOST_NUMBER = same("
        insert into trigger_host (trigger_id, host_id, org_id, ordinal, judged_epoch, created_at, updated_at)
        values ($1, $2, $3, $4, -1, $5, $5)
        on conflict (trigger_id, host_id) do update set ordinal = excluded.ordinal");
    TRIGGER_HOST_SETTLED = same("
        update trigger_host set settled_at = $3, updated_at = $4 where trigger_id = $1 and host_id = $2");
    // Resumes after the last time that the host decided, but not before the trigger was last enabled.
    TRIGGER_BACK = same("
        update trigger set next_fire_at = $3,
            settled_at = case
                when settled_at <= $2 then settled_at
                when enabled_at > $2 then enabled_at
                else $2
            end
        where id = $1 and deleted_at is null");
    TRIGGER_SETTLE = same("update trigger set settled_at = $2, next_fire_at = $3 where id = $1");
    TRIGGER_OF_EVENT = same(select!("
        where t.org_id = $1 and t.event_name = $2 and t.deleted_at is null and t.origin is null order by t.id limit $3"));
    TRIGGER_EVENT_NAMES = same("
        select distinct event_name from trigger
        where event_name is not null and deleted_at is null and origin is null");
    TRIGGER_SCHEDULES = same(select!("
        where t.org_id = $1 and t.trigger_type = 'schedule' and t.deleted_at is null and t.id > $2 order by t.id limit $3"));
    TRIGGER_HOST_PUT = same("
        insert into trigger_host (trigger_id, host_id, org_id, ordinal, judged_epoch, created_at, updated_at)
        select $1, $2, $3, coalesce((select max(ordinal) + 1 from trigger_host where trigger_id = $1), 0), -1, $4, $4
        where true
        on conflict (trigger_id, host_id) do nothing");
    TRIGGER_HOSTS = pair(
        "select trigger_id, host_id, ordinal, succeeded_at, judged_epoch, settled_at from trigger_host
        where trigger_id in (select unhex(value) from json_each($1)) order by trigger_id, ordinal",
        "select trigger_id, host_id, ordinal, succeeded_at, judged_epoch, settled_at from trigger_host
        where trigger_id = any ($1::uuid[]) order by trigger_id, ordinal"
    );
    TRIGGER_HOST_JUDGED = same("
        update trigger_host set judged_epoch = $3, updated_at = $4 where trigger_id = $1 and host_id = $2");
    TRIGGER_HOST_SUCCEEDED = same("
        update trigger_host set succeeded_at = $3, updated_at = $4
        where trigger_id = $1 and host_id = $2 and (succeeded_at is null or succeeded_at < $3)");
    READER_GET = pair(
        "select seq from reader where name = $1",
        "select seq from reader where name = $1 for update"
    );
    READER_LOOK = same("select seq from reader where name = $1");
    READER_SET = same("
        insert into reader (name, seq, created_at, updated_at) values ($1, $2, $3, $3)
        on conflict (name) do update set seq = excluded.seq, updated_at = excluded.updated_at");
}

impl Tx<'_> {
    /// Inserts a trigger.
    pub async fn trigger_insert(&mut self, trigger: &Trigger) -> Result<()> {
        let t = trigger;
        execute!(
            self,
            TRIGGER_INSERT,
            t.id,
            t.org_id,
            t.version,
            t.body.label.clone(),
            body(t),
            t.body.trigger_type(),
            t.body.event_name().map(str::to_owned),
            t.settled_at,
            t.next_fire_at,
            t.enabled_at,
            t.origin,
            t.hub_id,
            t.created_by.clone(),
            t.created_at,
            t.updated_at,
            t.deleted_at
        )?;
        Ok(())
    }

    /// Inserts or overwrites a replicated trigger.
    pub(crate) async fn trigger_put(&mut self, trigger: &Trigger) -> Result<()> {
        let t = trigger;
        execute!(
            self,
            TRIGGER_PUT,
            t.id,
            t.org_id,
            t.version,
            t.body.label.clone(),
            body(t),
            t.body.trigger_type(),
            t.body.event_name().map(str::to_owned),
            t.settled_at,
            t.next_fire_at,
            t.enabled_at,
            t.origin,
            t.hub_id,
            t.created_by.clone(),
            t.created_at,
            t.updated_at,
            t.deleted_at
        )?;
        Ok(())
    }

    /// Returns these triggers, whatever their organization, including deleted ones.
    pub(crate) async fn trigger_anywhere(&mut self, wanted: &[TriggerId]) -> Result<Vec<Trigger>> {
        read_all(split!(self, TRIGGER_ANYWHERE => Row, sqlite(id_texts(wanted)), postgres(ids(wanted, |id| *id)))?)
    }

    /// Stores the number that a hub gave this host within its trigger.
    pub(crate) async fn trigger_host_number(&mut self, trigger: &Trigger, host: HostId, ordinal: i32) -> Result<()> {
        execute!(self, TRIGGER_HOST_NUMBER, trigger.id, host, trigger.org_id, ordinal, trigger.updated_at)?;
        Ok(())
    }

    /// Stores up to which time a host has decided before it gave the trigger back. This hub decides the later times.
    pub(crate) async fn trigger_back(
        &mut self,
        trigger: TriggerId,
        host: HostId,
        settled_at: Timestamp,
        now: Timestamp,
    ) -> Result<()> {
        execute!(self, TRIGGER_HOST_SETTLED, trigger, host, settled_at, now)?;
        execute!(self, TRIGGER_BACK, trigger, settled_at, now)?;
        Ok(())
    }

    /// Changes a trigger. Returns `false` if a later version is stored.
    pub async fn trigger_update(&mut self, trigger: &Trigger) -> Result<bool> {
        let t = trigger;
        let changed = execute!(
            self,
            TRIGGER_UPDATE,
            t.id,
            t.version,
            t.body.label.clone(),
            body(t),
            t.body.trigger_type(),
            t.body.event_name().map(str::to_owned),
            t.settled_at,
            t.next_fire_at,
            t.enabled_at,
            t.updated_at,
            t.deleted_at
        )?;
        Ok(changed > 0)
    }

    /// Returns a trigger of an organization, unless it is deleted.
    pub async fn trigger_get(&mut self, org: OrgId, id: TriggerId) -> Result<Option<Trigger>> {
        one!(self, TRIGGER_GET => Row, org, id)?.map(Trigger::try_from).transpose()
    }

    /// Returns the triggers with this label; two if the label is ambiguous.
    pub async fn trigger_by_label(&mut self, org: OrgId, label: &str) -> Result<Vec<Trigger>> {
        read_all(all!(self, TRIGGER_BY_LABEL => Row, org, label.to_owned())?)
    }

    /// Returns triggers of an organization, except deleted ones.
    pub async fn trigger_list(&mut self, org: OrgId, after: TriggerId, limit: u32) -> Result<Vec<Trigger>> {
        read_all(all!(self, TRIGGER_LIST => Row, org, after, i64::from(limit))?)
    }

    /// Returns due triggers of all organizations, longest due first.
    pub async fn trigger_due(&mut self, now: Timestamp, limit: u32) -> Result<Vec<Trigger>> {
        read_all(all!(self, TRIGGER_DUE => Row, now, i64::from(limit))?)
    }

    /// Returns when the next trigger is due.
    pub async fn trigger_next(&mut self) -> Result<Option<Timestamp>> {
        value!(self, TRIGGER_NEXT => Timestamp)
    }

    /// Locks those of these triggers that no other transaction has locked, and returns them.
    pub async fn trigger_take(&mut self, wanted: &[TriggerId]) -> Result<Vec<Trigger>> {
        read_all(split!(self, TRIGGER_TAKE => Row, sqlite(id_texts(wanted)), postgres(ids(wanted, |id| *id)))?)
    }

    /// Locks a trigger, waiting for other transactions, and returns it.
    pub async fn trigger_lock(&mut self, org: OrgId, id: TriggerId) -> Result<Option<Trigger>> {
        one!(self, TRIGGER_LOCK => Row, org, id)?.map(Trigger::try_from).transpose()
    }

    /// Stores up to which time a trigger is decided, and when it is due next.
    pub async fn trigger_settle(
        &mut self,
        id: TriggerId,
        settled_at: Timestamp,
        next_fire_at: Option<Timestamp>,
    ) -> Result<()> {
        execute!(self, TRIGGER_SETTLE, id, settled_at, next_fire_at)?;
        Ok(())
    }

    /// Returns the event triggers of an organization for this event.
    pub async fn trigger_of_event(&mut self, org: OrgId, name: &str, limit: u32) -> Result<Vec<Trigger>> {
        read_all(all!(self, TRIGGER_OF_EVENT => Row, org, name.to_owned(), i64::from(limit))?)
    }

    /// Returns the names of all events that triggers of any organization wait for.
    pub async fn trigger_event_names(&mut self) -> Result<Vec<String>> {
        let rows = all!(self, TRIGGER_EVENT_NAMES => (crate::value::Db<String>,))?;
        Ok(rows.into_iter().map(|(row,)| row.0).collect())
    }

    /// Returns the schedules of an organization.
    pub async fn trigger_schedules(&mut self, org: OrgId, after: TriggerId, limit: u32) -> Result<Vec<Trigger>> {
        read_all(all!(self, TRIGGER_SCHEDULES => Row, org, after, i64::from(limit))?)
    }

    /// Assigns numbers within a trigger to hosts that have none. The trigger must be locked, so that no number is
    /// assigned twice.
    pub async fn trigger_host_put(&mut self, trigger: &Trigger, hosts: &[HostId], now: Timestamp) -> Result<()> {
        for host in hosts {
            execute!(self, TRIGGER_HOST_PUT, trigger.id, *host, trigger.org_id, now)?;
        }
        Ok(())
    }

    /// Returns the state of triggers on their hosts.
    pub async fn trigger_hosts(&mut self, triggers: &[TriggerId]) -> Result<Vec<TriggerHost>> {
        split!(self, TRIGGER_HOSTS => TriggerHost, sqlite(id_texts(triggers)), postgres(ids(triggers, |id| *id)))
    }

    /// Stores that catch-up was decided for this session of the host.
    pub async fn trigger_host_judged(
        &mut self,
        trigger: TriggerId,
        host: HostId,
        epoch: i64,
        now: Timestamp,
    ) -> Result<()> {
        execute!(self, TRIGGER_HOST_JUDGED, trigger, host, epoch, now)?;
        Ok(())
    }

    /// Stores that a job of the trigger succeeded on this host.
    pub async fn trigger_host_succeeded(
        &mut self,
        trigger: TriggerId,
        host: HostId,
        at: Timestamp,
        now: Timestamp,
    ) -> Result<()> {
        execute!(self, TRIGGER_HOST_SUCCEEDED, trigger, host, at, now)?;
        Ok(())
    }

    /// Returns the position of an event reader, locked; `None` if it has never read.
    pub async fn reader_get(&mut self, name: &str) -> Result<Option<i64>> {
        value!(self, READER_GET => i64, name.to_owned())
    }

    /// As [`Self::reader_get`], without the lock.
    pub async fn reader_look(&mut self, name: &str) -> Result<Option<i64>> {
        value!(self, READER_LOOK => i64, name.to_owned())
    }

    /// Stores the position of an event reader.
    pub async fn reader_set(&mut self, name: &str, seq: i64, now: Timestamp) -> Result<()> {
        execute!(self, READER_SET, name.to_owned(), seq, now)?;
        Ok(())
    }
}

fn body(trigger: &Trigger) -> Json<Value> {
    // Serialization cannot fail: all fields are texts, numbers or JSON.
    Json(serde_json::to_value(&trigger.body).unwrap_or_default())
}

fn read_all(rows: Vec<Row>) -> Result<Vec<Trigger>> {
    rows.into_iter().map(Trigger::try_from).collect()
}

impl TryFrom<Row> for Trigger {
    type Error = crate::Error;
    fn try_from(row: Row) -> Result<Self> {
        let body = serde_json::from_value(row.body.0).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        Ok(Self {
            id: row.id,
            org_id: row.org_id,
            version: row.version,
            body,
            settled_at: row.settled_at,
            next_fire_at: row.next_fire_at,
            enabled_at: row.enabled_at,
            origin: row.origin,
            hub_id: row.hub_id,
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
            deleted_at: row.deleted_at,
        })
    }
}
