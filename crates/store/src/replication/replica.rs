//! Replication from the hub to a host, on the host: stores the primary hub's triggers, servers and definitions beside
//! the host's own.
//!
//! A hub's definition gets another id here than at its hub, and a key with an `@`, which no other key can contain, so
//! it never collides with the host's own. A row that came from a hub is changed only by that hub.

use domain::{
    DefinitionId, HostId, HubId, OrgId, ServerId, Timestamp, TriggerId,
    sync::{
        Version,
        doc::{DefinitionDoc, Doc, StoredDoc, TriggerDoc},
        frame::{Forward, Received, Row},
        tables::{DEFINITION, SERVER, TRIGGER},
    },
    trigger::FireTarget,
};
use serde_json::Value;

use super::{OriginSide, number};
use crate::{Result, Tx, trigger::Trigger, value::Json};

/// This machine in its standalone hub: where the primary hub's triggers fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StandaloneHost {
    /// The org of the standalone hub.
    pub org: OrgId,
    /// This machine's host in that org.
    pub host: HostId,
}

struct IdRow {
    id: TriggerId,
    tbl: String,
}

struct DefinitionKeyRow {
    id: DefinitionId,
    key: String,
}

rows! {
    IdRow { id, tbl }
    DefinitionKeyRow { id, key }
}

statements! {
    HOST_COPY_DOUBT = same("update sync_host_copy set is_doubted = $2 where hub_id = $1");
    HOST_COPY_PUT = same("
        insert into sync_host_copy (hub_id, tbl, id, epoch, hseq, is_doubted) values ($1, $2, $3, $4, $5, $6)
        on conflict (hub_id, tbl, id) do update
        set epoch = excluded.epoch, hseq = excluded.hseq, is_doubted = excluded.is_doubted
        where (excluded.epoch, excluded.hseq) > (sync_host_copy.epoch, sync_host_copy.hseq)
            or (sync_host_copy.is_doubted and (excluded.epoch, excluded.hseq) = (sync_host_copy.epoch, sync_host_copy.hseq))");
    HOST_COPY_LEFT = same("select id, tbl from sync_host_copy where hub_id = $1 and is_doubted = $2");
    HOST_COPY_FORGET_LEFT = same("delete from sync_host_copy where hub_id = $1 and is_doubted = $2");
    HOST_COPY_STOP = same("
        update trigger set deleted_at = $3, next_fire_at = null, updated_at = $3
        where id = $1 and hub_id = $2 and deleted_at is null");
    HOST_COPY_STOP_OTHERS = same("
        update trigger set deleted_at = $2, next_fire_at = null, updated_at = $2
        where hub_id is not null and hub_id <> $1 and deleted_at is null");
    HOST_COPY_SERVERS_STOP_OTHERS = same("
        update server set deleted_at = $2, updated_at = $2
        where hub_id is not null and hub_id <> $1 and deleted_at is null");
    HOST_COPY_FORGET_OTHERS = same("delete from sync_host_copy where hub_id <> $1");
    HOST_COPY_FORGET_RECEIVED = same("delete from sync_received where hub_id <> $1");
    HOST_COPY_DEFINITION_NAMES = same("select id, key from definition where key = $1 or id = $2");
    HOST_COPY_DEFINITION_PUT = same("
        insert into definition (id, key, version, is_active, hub_id, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $6)
        on conflict (id) do update
        set version = excluded.version, is_active = excluded.is_active, updated_at = excluded.updated_at");
    HOST_COPY_DEFINITION_VERSION_PUT = same("
        insert into definition_version (definition_id, version, body, created_by, created_at) values ($1, $2, $3, $4, $5)
        on conflict (definition_id, version) do update set body = excluded.body");
}

impl Tx<'_> {
    /// Applies a page of a hub's log and moves the cursor, in one transaction. Without a standalone host only the
    /// cursor moves: the hub is not this machine's primary hub, or may not decide which jobs run here.
    pub(super) async fn sync_take_forward(
        &mut self,
        side: OriginSide,
        hub: HubId,
        forward: &Forward<StoredDoc>,
    ) -> Result<()> {
        let received = Received { hub: forward.hub, hseq: forward.upto, mark: forward.mark, ticket: forward.ticket };
        self.sync_receive(hub, received, side.now).await?;
        let Some(standalone) = side.standalone else { return Ok(()) };
        if forward.from == 0 {
            execute!(self, HOST_COPY_DOUBT, hub, true)?;
        }
        for (_, row) in &forward.rows {
            self.host_copy_take(side.now, standalone, hub, row).await?;
        }
        if !forward.has_more {
            // End of a resend: rows that are still unconfirmed are no longer in the hub's log.
            for IdRow { id, tbl } in all!(self, HOST_COPY_LEFT => IdRow, hub, true)? {
                if tbl == SERVER.name {
                    self.host_copy_server_stop(ServerId::from_bytes(id.to_bytes()), hub, side.now).await?;
                } else if tbl == TRIGGER.name {
                    execute!(self, HOST_COPY_STOP, id, hub, side.now)?;
                }
            }
            execute!(self, HOST_COPY_FORGET_LEFT, hub, true)?;
        }
        Ok(())
    }

    /// Stops the triggers and servers of hubs that are not (or no longer) this machine's primary hub, and drops the
    /// cursors of those hubs. Returns the number of triggers.
    pub async fn sync_leave_others(&mut self, primary: Option<HubId>, now: Timestamp) -> Result<u64> {
        let primary = primary.unwrap_or(HubId::from_bytes([0; 16]));
        let stopped = execute!(self, HOST_COPY_STOP_OTHERS, primary, now)?;
        execute!(self, HOST_COPY_SERVERS_STOP_OTHERS, primary, now)?;
        execute!(self, HOST_COPY_FORGET_OTHERS, primary)?;
        execute!(self, HOST_COPY_FORGET_RECEIVED, primary)?;
        Ok(stopped)
    }

    async fn host_copy_take(
        &mut self,
        now: Timestamp,
        standalone: StandaloneHost,
        hub: HubId,
        row: &Row<StoredDoc>,
    ) -> Result<()> {
        let Version { epoch, seq } = row.version;
        // Ids of all tables have the same form.
        let Ok(id) = row.id.parse::<TriggerId>() else { return Ok(()) };
        let table = row.table.to_string();
        if execute!(self, HOST_COPY_PUT, hub, table, id, i64::from(epoch), number(seq), false)? == 0 {
            return Ok(());
        }
        match &row.body.doc {
            Doc::Definition(doc) if row.table == DEFINITION.name => self.host_copy_definition(hub, doc).await,
            Doc::Server(doc) if doc.id.to_bytes() == id.to_bytes() => {
                self.host_copy_server(now, standalone, hub, doc, row.is_deleted).await
            }
            Doc::Trigger(doc) if doc.id == id => {
                self.host_copy_trigger(now, standalone, hub, doc, row.is_deleted).await
            }
            _ if row.table == SERVER.name => {
                self.host_copy_server_stop(ServerId::from_bytes(id.to_bytes()), hub, now).await
            }
            // Deleted, or in a newer format that this version cannot read: stop it rather than fire an outdated
            // version.
            _ if row.table == TRIGGER.name => {
                execute!(self, HOST_COPY_STOP, id, hub, now)?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    async fn host_copy_definition(&mut self, hub: HubId, doc: &DefinitionDoc) -> Result<()> {
        let id = DefinitionDoc::id_across(doc.id, hub);
        let mut key = format!("{}@hub", doc.key);
        let names = all!(self, HOST_COPY_DEFINITION_NAMES => DefinitionKeyRow, key.clone(), id)?;
        if let Some(known) = names.iter().find(|row| row.id == id) {
            key.clone_from(&known.key);
        } else if !names.is_empty() {
            key = format!("{key}-{}", doc.id.to_string().to_lowercase());
        }
        let mut body = doc.body.clone();
        if let Value::Object(fields) = &mut body {
            fields.insert("key".to_owned(), Value::from(key.clone()));
            // The hub has already checked which orgs may use it.
            fields.insert("orgs".to_owned(), Value::Null);
        }
        execute!(self, HOST_COPY_DEFINITION_PUT, id, key, doc.version, doc.is_active, hub, doc.created_at)?;
        let by = doc.created_by.clone();
        execute!(self, HOST_COPY_DEFINITION_VERSION_PUT, id, doc.version, Json(body), by, doc.created_at)?;
        Ok(())
    }

    async fn host_copy_trigger(
        &mut self,
        now: Timestamp,
        standalone: StandaloneHost,
        hub: HubId,
        doc: &TriggerDoc,
        is_deleted: bool,
    ) -> Result<()> {
        let before = self.trigger_anywhere(&[doc.id]).await?.into_iter().next();
        if before.as_ref().is_some_and(|before| before.hub_id.is_none()) {
            // A trigger of this machine's own: no hub may change it.
            return Ok(());
        }
        let mut body = doc.body.clone();
        body.target = FireTarget::Host(standalone.host);
        if let Some(definition) = doc.definition {
            let id = DefinitionDoc::id_across(definition, hub);
            let names = all!(self, HOST_COPY_DEFINITION_NAMES => DefinitionKeyRow, String::new(), id)?;
            body.definition_key = names.into_iter().next().map_or(body.definition_key, |row| row.key);
        }
        let deleted_at = (is_deleted || doc.deleted_at.is_some()).then_some(now);
        let is_same = |before: &&Trigger| {
            before.version == doc.version && before.body == body && before.deleted_at.is_none() && deleted_at.is_none()
        };
        if before.as_ref().filter(is_same).is_some() {
            return Ok(());
        }
        // Never move `settled_at` back: times that this host has decided would fire again.
        let settled_at = before.as_ref().map_or(doc.settled_at, |before| before.settled_at.max(doc.settled_at));
        let trigger = Trigger {
            id: doc.id,
            org_id: standalone.org,
            version: doc.version,
            body,
            settled_at,
            // Due now: the schedule loop then computes the next time.
            next_fire_at: deleted_at.is_none().then_some(now),
            enabled_at: doc.settled_at,
            origin: None,
            hub_id: Some(hub),
            created_by: doc.created_by.clone(),
            created_at: doc.created_at,
            updated_at: now,
            deleted_at,
        };
        self.trigger_put(&trigger).await?;
        self.trigger_host_number(&trigger, standalone.host, doc.ordinal).await
    }
}
