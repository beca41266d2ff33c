//! Replication from the hub to its hosts, on the hub: the log (`sync_log`) of the triggers and servers that each host
//! must have, by the sequence number of their last change.
//!
//! Sequence numbers come from one row (`sync_hub`) whose lock is held until the end of the transaction. So any number
//! of hubs commit them in order, and a reader that has seen one has seen all before it. Writers do not wait long for
//! that lock: only changes of what hosts must have take numbers, and they take them last.

use std::collections::BTreeMap;

use domain::{
    HostId, ServerId, Timestamp, TriggerId,
    sync::{
        Budget, Mark, Version,
        doc::{DefinitionDoc, Doc, StoredDoc, TriggerDoc},
        frame::Row,
        hub::LogPage,
        tables::{DEFINITION, SERVER, TRIGGER},
    },
};

use super::{HubSide, bits, number, servers::doc_of, unsigned};
use crate::{Result, Tx, columns::ids, definition::Definition, trigger::Trigger, value::id_texts};

/// Most log entries per query, whatever the budget.
const STEP: u32 = 1_000;

/// A log entry to write: a host must have this trigger, or must stop it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handed {
    pub host_id: HostId,
    pub trigger_id: TriggerId,
    /// Whether the host must stop the trigger.
    pub is_deleted: bool,
    /// The hub has decided every nominal time up to this one; the host continues after it.
    pub from_at: Timestamp,
}

/// A stored log entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holding {
    pub host_id: HostId,
    pub trigger_id: TriggerId,
    /// Sequence number of the entry.
    pub hseq: i64,
    /// Whether the host must stop the trigger and has not confirmed yet that it did.
    pub is_deleted: bool,
    /// The hub has decided every nominal time up to this one; the host continues after it.
    pub from_at: Timestamp,
}

/// A log entry for one host. `id` is the id of a row of any table; all ids have the same form.
struct EntryRow {
    id: TriggerId,
    tbl: String,
    hseq: i64,
    is_deleted: bool,
    from_at: Timestamp,
}

rows! {
    Holding { host_id, trigger_id, hseq, is_deleted, from_at }
    EntryRow { id, tbl, hseq, is_deleted, from_at }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select l.only_host as host_id, l.id as trigger_id, l.hseq, l.is_deleted, l.from_at from sync_log l ",
            $rest
        )
    };
}

statements! {
    SYNC_LOG_HEAD = same("update sync_hub set hseq = hseq + $1, updated_at = $2 where id = 1 returning hseq");
    SYNC_LOG_MARK = same("insert into sync_hub_mark (hseq, mark) values ($1, $2)");
    SYNC_LOG_PUT = same("
        insert into sync_log (only_host, tbl, id, hseq, is_deleted, from_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $7)
        on conflict (only_host, tbl, id) do update set hseq = excluded.hseq, is_deleted = excluded.is_deleted,
            from_at = excluded.from_at, updated_at = excluded.updated_at");
    SYNC_LOG_OF = pair(
        select!("where l.tbl = 'trigger' and l.id in (select unhex(value) from json_each($1)) order by l.hseq"),
        select!("where l.tbl = 'trigger' and l.id = any ($1::uuid[]) order by l.hseq")
    );
    SYNC_LOG_OF_HOST = same(select!("where l.tbl = 'trigger' and l.only_host = $1 order by l.hseq"));
    SYNC_LOG_OF_DEFINITION = same(select!("
        join trigger t on t.id = l.id
        where l.tbl = 'trigger' and l.is_deleted = $2 and t.body ->> 'definition_key' = $1 order by l.hseq"));
    SYNC_LOG_AFTER = same("
        select l.id, l.tbl, l.hseq, l.is_deleted, l.from_at from sync_log l
        where l.only_host = $1 and l.hseq > $2 and l.hseq <= $3 order by l.hseq limit $4");
    SYNC_LOG_RELEASE = same("
        delete from sync_log where only_host = $1 and tbl = $5 and id = $2 and is_deleted = $4 and hseq <= $3");
    SYNC_LOG_HAS_SERVER = same("
        select 1 from sync_log where only_host = $1 and tbl = 'server' and id = $2 and is_deleted = $3");
    // No update if the position is unchanged.
    SYNC_ACKED_PUT = same("
        insert into sync_acked (host_id, hseq, created_at, updated_at) values ($1, $2, $3, $3)
        on conflict (host_id) do update set hseq = excluded.hseq, updated_at = excluded.updated_at
        where sync_acked.hseq <> excluded.hseq");
    // A host at position 0 needs no mark. While a host has not reported its position, all marks stay: it may be at any
    // of them.
    SYNC_MARKS_PRUNE = same("
        delete from sync_hub_mark where hseq in (
            select hseq from sync_hub_mark
            where hseq < (select min(hseq) from sync_acked where hseq > 0) and not exists (
                select 1 from sync_cursor c where not exists (select 1 from sync_acked t where t.host_id = c.origin))
            order by hseq limit $1)");
    SYNC_LOG_IS_PRIMARY = same("select 1 from host where id = $1 and primary_hub is null and revoked_at is null");
}

impl Tx<'_> {
    /// Writes log entries under new sequence numbers. Call it last in the transaction: it locks the row from which
    /// every other transaction takes its numbers. `random` becomes the mark of the transaction.
    pub async fn sync_log_put(&mut self, handed: &[Handed], random: u64, now: Timestamp) -> Result<()> {
        if handed.is_empty() {
            return Ok(());
        }
        self.sync_hub_epoch(random, now).await?;
        let count = i64::try_from(handed.len()).unwrap_or(i64::MAX);
        let head = self.sync_log_number(count, random, now).await?;
        for (hseq, entry) in (head - count + 1..).zip(handed) {
            let Handed { host_id, trigger_id, is_deleted, from_at } = *entry;
            let table = TRIGGER.name.to_owned();
            execute!(self, SYNC_LOG_PUT, host_id, table, trigger_id, hseq, is_deleted, from_at, now)?;
        }
        Ok(())
    }

    /// Writes a log entry for a server, as [`Tx::sync_log_put`] does for triggers.
    pub async fn sync_log_server(
        &mut self,
        host: HostId,
        server: ServerId,
        is_deleted: bool,
        random: u64,
        now: Timestamp,
    ) -> Result<()> {
        self.sync_hub_epoch(random, now).await?;
        let hseq = self.sync_log_number(1, random, now).await?;
        let table = SERVER.name.to_owned();
        execute!(self, SYNC_LOG_PUT, host, table, server, hseq, is_deleted, now, now)?;
        Ok(())
    }

    /// Whether the log's current entry says that a host must have a server.
    pub async fn sync_log_has_server(&mut self, host: HostId, server: ServerId) -> Result<bool> {
        Ok(value!(self, SYNC_LOG_HAS_SERVER => i32, host, server, false)?.is_some())
    }

    /// Takes the next `count` sequence numbers, stores the mark at the last of them, and returns it.
    pub(super) async fn sync_log_number(&mut self, count: i64, random: u64, now: Timestamp) -> Result<i64> {
        let head = value!(self, SYNC_LOG_HEAD => i64, count, now)?.unwrap_or(count);
        execute!(self, SYNC_LOG_MARK, head, bits(Mark(random)))?;
        Ok(head)
    }

    /// The log entries of these triggers: hosts that have them, or have not confirmed yet that they stopped.
    pub async fn sync_log_of(&mut self, triggers: &[TriggerId]) -> Result<Vec<Holding>> {
        split!(self, SYNC_LOG_OF => Holding, sqlite(id_texts(triggers)), postgres(ids(triggers, |id| *id)))
    }

    /// The log entries of a host's triggers, including those it has not confirmed to have stopped.
    pub async fn sync_log_of_host(&mut self, host: HostId) -> Result<Vec<Holding>> {
        all!(self, SYNC_LOG_OF_HOST => Holding, host)
    }

    /// The log entries of the triggers, of all orgs, that run this definition.
    pub async fn sync_log_of_definition(&mut self, key: &str) -> Result<Vec<Holding>> {
        all!(self, SYNC_LOG_OF_DEFINITION => Holding, key.to_owned(), false)
    }

    /// Deletes the entry with this number after its host has stopped the trigger or server. Returns whether there was
    /// one.
    pub(super) async fn sync_log_release(
        &mut self,
        host: HostId,
        table: &str,
        id: [u8; 16],
        hseq: u64,
    ) -> Result<bool> {
        let id = TriggerId::from_bytes(id);
        Ok(execute!(self, SYNC_LOG_RELEASE, host, id, number(hseq), true, table.to_owned())? > 0)
    }

    /// Stores the position of the log that a host has confirmed.
    pub(super) async fn sync_acked_put(&mut self, host: HostId, hseq: u64, now: Timestamp) -> Result<()> {
        execute!(self, SYNC_ACKED_PUT, host, number(hseq), now)?;
        Ok(())
    }

    /// Deletes at most `limit` marks below the position that every host has confirmed.
    pub async fn sync_marks_prune(&mut self, limit: u32) -> Result<u64> {
        execute!(self, SYNC_MARKS_PRUNE, i64::from(limit))
    }

    /// The log entries for a host after a sequence number, with the content of their rows. Each trigger follows its
    /// definition in the same page, so a host never has one without the other.
    pub async fn sync_log_page(
        &mut self,
        side: &HubSide,
        host: HostId,
        after: u64,
        budget: Budget,
    ) -> Result<LogPage<StoredDoc>> {
        // Read the head before the entries: every entry up to it is committed.
        let head = self.sync_hub_head().await?;
        let limit = budget.rows.clamp(1, STEP);
        let is_primary = value!(self, SYNC_LOG_IS_PRIMARY => i32, host)?.is_some();
        let mut found = if is_primary {
            all!(self, SYNC_LOG_AFTER => EntryRow, host, number(after), number(head), i64::from(limit) + 1)?
        } else {
            Vec::new()
        };
        let mut has_more = found.len() > limit as usize;
        found.truncate(limit as usize);
        if found.is_empty() {
            // A host that starts at 0 needs the head even if it has no rows: that ends its resend. For other hosts the
            // position stays.
            let upto = if after == 0 && is_primary { head } else { after };
            let mark = self.sync_hub_mark(upto).await?.unwrap_or(Mark(0));
            return Ok(LogPage { rows: Vec::new(), upto, mark, has_more: false });
        }
        let epoch = self.sync_hub_epoch(side.random, side.now).await?.number;
        let mut docs = self.down_docs(host, &found).await?;
        docs.extend(self.down_servers(&found).await?);
        let (mut rows, mut bytes, mut upto) = (Vec::new(), 0, after);
        for holding in &found {
            let docs = docs.remove(&holding.id).unwrap_or_default();
            let size: usize = docs.iter().map(|(.., doc)| doc.size()).sum();
            if !rows.is_empty() && bytes + size > budget.bytes as usize {
                has_more = true;
                break;
            }
            (bytes, upto) = (bytes + size, unsigned(holding.hseq));
            let version = Version { epoch, seq: upto };
            rows.extend(docs.into_iter().map(|(table, id, doc)| {
                let is_deleted = table != DEFINITION.name && (holding.is_deleted || doc == Doc::Gone);
                let row =
                    Row { table: table.into(), id, version, mark: Mark(0), is_deleted, body: StoredDoc::from(doc) };
                (HostId::from_bytes([0; 16]), row)
            }));
        }
        let upto = if has_more { upto } else { head };
        let mark = self.sync_hub_mark(upto).await?.unwrap_or(Mark(0));
        Ok(LogPage { rows, upto, mark, has_more })
    }

    /// The content of the triggers in these entries, each with its definition.
    async fn down_docs(&mut self, host: HostId, found: &[EntryRow]) -> Result<BTreeMap<TriggerId, Vec<Named>>> {
        let is_trigger = |entry: &&EntryRow| entry.tbl == TRIGGER.name;
        let wanted: Vec<TriggerId> = found.iter().filter(is_trigger).map(|entry| entry.id).collect();
        if wanted.is_empty() {
            return Ok(BTreeMap::new());
        }
        let triggers = self.trigger_anywhere(&wanted).await?;
        let numbers = self.trigger_hosts(&wanted).await?;
        let mut definitions: BTreeMap<String, Option<Definition>> = BTreeMap::new();
        let mut docs = BTreeMap::new();
        for holding in found.iter().filter(is_trigger) {
            let id = holding.id;
            let Some(trigger) = triggers.iter().find(|trigger| trigger.id == id) else {
                docs.insert(id, vec![(TRIGGER.name, id.to_string(), Doc::Gone)]);
                continue;
            };
            let key = &trigger.body.definition_key;
            if !definitions.contains_key(key) {
                definitions.insert(key.clone(), self.definition_get(key).await?);
            }
            let definition = definitions.get(key).and_then(Option::as_ref);
            let number = numbers.iter().find(|row| row.trigger_id == id && row.host_id == host);
            let doc = trigger_doc(trigger, holding.from_at, number.map_or(0, |row| row.ordinal), definition);
            let first = definition.map(|row| (DEFINITION.name, row.id.to_string(), definition_doc(row)));
            let own = (TRIGGER.name, id.to_string(), Doc::Trigger(Box::new(doc)));
            docs.insert(id, first.into_iter().chain([own]).collect());
        }
        Ok(docs)
    }

    /// The content of the servers in these entries.
    async fn down_servers(&mut self, found: &[EntryRow]) -> Result<BTreeMap<TriggerId, Vec<Named>>> {
        let entries = found.iter().filter(|entry| entry.tbl == SERVER.name);
        let wanted: Vec<ServerId> = entries.map(|entry| ServerId::from_bytes(entry.id.to_bytes())).collect();
        if wanted.is_empty() {
            return Ok(BTreeMap::new());
        }
        let servers = self.server_anywhere(&wanted).await?;
        let doc = |id: &ServerId| match servers.iter().find(|server| server.id == *id) {
            Some(server) => Doc::Server(Box::new(doc_of(server.clone()))),
            None => Doc::Gone,
        };
        let row = |id: &ServerId| (TriggerId::from_bytes(id.to_bytes()), vec![(SERVER.name, id.to_string(), doc(id))]);
        Ok(wanted.iter().map(row).collect())
    }
}

/// The table, id and content of a row.
type Named = (&'static str, String, Doc);

fn trigger_doc(trigger: &Trigger, from_at: Timestamp, ordinal: i32, definition: Option<&Definition>) -> TriggerDoc {
    TriggerDoc {
        id: trigger.id,
        version: trigger.version,
        body: trigger.body.clone(),
        settled_at: from_at,
        created_by: trigger.created_by.clone(),
        created_at: trigger.created_at,
        updated_at: trigger.updated_at,
        deleted_at: trigger.deleted_at,
        ordinal,
        definition: definition.map(|definition| definition.id),
        of: None,
    }
}

fn definition_doc(row: &Definition) -> Doc {
    Doc::Definition(Box::new(DefinitionDoc {
        id: row.id,
        key: row.key.clone(),
        version: row.version,
        is_active: row.is_active,
        body: row.body.clone(),
        created_by: row.created_by.clone(),
        created_at: row.updated_at,
    }))
}
