//! The runner's own rows by sequence number, and the position each hub has confirmed.
//!
//! A sequence number identifies a change only within one epoch. If the runner's database is restored from a backup or
//! copied, it would assign numbers again that a hub has already stored with other content, and the hub would skip them
//! as known. A hub therefore returns the random mark of its position. If the mark differs from the runner's, the runner
//! starts a new epoch, and the hub receives all rows again.

use domain::{
    DefinitionId, HubId, JobId, RunId, ServerId, Timestamp, TriggerId,
    sync::{
        Budget, Mark, Place, SyncPriority, Version,
        digest::Digest,
        doc::{Doc, StoredDoc, fire_id, log_id, run_id, server_run_id},
        frame::{EpochTicket, HubEpoch, Reach, Received, Row},
        origin::{Page, beginning},
        table::{Kind, Table},
        tables,
    },
};
use std::collections::HashMap;

use super::{bits, epoch, mark, number, place, unsigned};
use crate::{Result, Tx};

/// Index rows per query.
const STEP: usize = 1_024;
/// The newest marks, all of which are kept. Older ones are kept only where a hub may ask for them: every thousandth,
/// the marks of existing rows and of confirmed positions.
const MARKS_KEPT: i64 = 10_000;

struct PriorityRow {
    epoch: i64,
    head: i64,
    floor: i64,
    mark: Option<i64>,
}

struct IndexRow {
    tbl: String,
    id: String,
    seq: i64,
    mark: i64,
    is_deleted: bool,
}

struct ReceivedRow {
    number: i64,
    epoch_id: i64,
    hseq: i64,
    mark: i64,
    ticket: Option<Vec<u8>>,
}

struct OriginKeyRow {
    tbl: String,
    id: String,
    seq: i64,
}

rows! {
    PriorityRow { epoch, head, floor, mark }
    IndexRow { tbl, id, seq, mark, is_deleted }
    ReceivedRow { number, epoch_id, hseq, mark, ticket }
    OriginKeyRow { tbl, id, seq }
}

statements! {
    SYNC_EPOCH = same("select epoch from sync_origin where id = 1");
    SYNC_REACH = same("
        select o.epoch, l.head, l.floor, m.mark from sync_priority l
        join sync_origin o on o.id = 1
        left join sync_mark m on m.priority = l.priority and m.seq = l.head
        where l.priority = $1");
    SYNC_MARK = same("select mark from sync_mark where priority = $1 and seq = $2");
    SYNC_PAGE = same("
        select i.tbl, i.id, i.seq, m.mark, i.is_deleted from sync_own i
        join sync_mark m on m.priority = i.priority and m.seq = i.seq
        where i.priority = $1 and i.seq > $2 order by i.seq limit $3");
    SYNC_EPOCH_SET = same("update sync_origin set epoch = $1, updated_at = $2 where id = 1");
    SYNC_MARKS_CLEAR = same("delete from sync_mark");
    SYNC_CONFIRMED_CLEAR = same("delete from sync_confirmed");
    // First make all numbers negative: `(priority, seq)` is unique at every moment of the update that follows.
    SYNC_RENUMBER_AWAY = same("update sync_own set seq = -seq");
    SYNC_RENUMBER = same("
        update sync_own set seq = n.seq from (
            select tbl, id, row_number() over (partition by priority order by seq desc) as seq from sync_own) n
        where sync_own.tbl = n.tbl and sync_own.id = n.id");
    SYNC_RENUMBER_HEADS = same("
        update sync_priority set floor = 0,
            head = coalesce((select max(seq) from sync_own where sync_own.priority = sync_priority.priority), 0)");
    SYNC_RENUMBER_MARKS = pair(
        "insert into sync_mark (priority, seq, mark) select priority, seq, random() from sync_own",
        "insert into sync_mark (priority, seq, mark) select priority, seq, (random() * 9e18)::bigint from sync_own"
    );
    SYNC_CONFIRM = same("
        insert into sync_confirmed (hub_id, priority, epoch, seq, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
        on conflict (hub_id, priority) do update
        set epoch = excluded.epoch, seq = excluded.seq, updated_at = excluded.updated_at
        where (sync_confirmed.epoch, sync_confirmed.seq) <> (excluded.epoch, excluded.seq)");
    SYNC_RECEIVED = same("select number, epoch_id, hseq, mark, ticket from sync_received where hub_id = $1");
    SYNC_RECEIVE = same("
        insert into sync_received (hub_id, number, epoch_id, hseq, mark, created_at, updated_at, ticket)
        values ($1, $2, $3, $4, $5, $6, $6, $7)
        on conflict (hub_id) do update set number = excluded.number, epoch_id = excluded.epoch_id,
            hseq = excluded.hseq, mark = excluded.mark, ticket = excluded.ticket, updated_at = excluded.updated_at");
    SYNC_FORGET_HUB = same("delete from sync_confirmed where hub_id = $1");
    // The lowest position over all hubs. Without a hub nothing is purged.
    SYNC_KNOWN_TO_ALL = same("
        select min(case when c.epoch = o.epoch then c.seq else 0 end) from sync_confirmed c
        join sync_origin o on o.id = 1 where c.priority = $1");
    SYNC_FORGET_GONE = same("delete from sync_own where priority = $1 and is_deleted and seq <= $2");
    SYNC_FLOOR = same("update sync_priority set floor = $2 where priority = $1 and floor < $2");
    SYNC_FORGET_MARKS = same("
        delete from sync_mark where priority = $1 and seq < (select head from sync_priority where priority = $1) - $2
            and seq % 1000 <> 0
            and not exists (select 1 from sync_own i where i.priority = sync_mark.priority and i.seq = sync_mark.seq)
            and not exists (select 1 from sync_confirmed c where c.priority = sync_mark.priority and c.seq = sync_mark.seq)");
    SYNC_OWN_KEYS = same("
        select tbl, id, seq from sync_own where tbl = $1 and id > $2 and not is_deleted order by id limit $3");
}

impl Tx<'_> {
    /// The epoch of this database's own history; `None` without change capture (see [`Tx::sync_capture`]).
    pub async fn sync_epoch(&mut self) -> Result<Option<u32>> {
        Ok(value!(self, SYNC_EPOCH => i64)?.map(epoch))
    }

    /// The last position and the floor of one priority.
    pub async fn sync_reach(&mut self, priority: SyncPriority) -> Result<Reach> {
        let row = one!(self, SYNC_REACH => PriorityRow, priority)?;
        Ok(row.map_or(Reach { head: beginning(1), floor: 0 }, |row| {
            let beginning = beginning(epoch(row.epoch));
            let head = row.mark.map_or(beginning, |mark| place(row.epoch, row.head, mark));
            Reach { head, floor: unsigned(row.floor) }
        }))
    }

    /// The mark of a sequence number, if it is still stored.
    pub async fn sync_mark(&mut self, priority: SyncPriority, seq: u64) -> Result<Option<Mark>> {
        Ok(value!(self, SYNC_MARK => i64, priority, number(seq))?.map(mark))
    }

    /// The rows after a sequence number, in order, as many as fit and at least one.
    pub async fn sync_page(&mut self, priority: SyncPriority, after: u64, budget: Budget) -> Result<Page<StoredDoc>> {
        let head = self.sync_reach(priority).await?.head;
        let (mut rows, mut bytes, mut at, mut has_more) = (Vec::new(), 0, number(after), false);
        let most = budget.rows.max(1) as usize;
        while !has_more && rows.len() < most {
            let step = STEP.min(most - rows.len());
            // One more than wanted, to know whether more follow.
            let limit = i64::try_from(step + 1).unwrap_or(i64::MAX);
            let mut found = all!(self, SYNC_PAGE => IndexRow, priority, at, limit)?;
            let is_last = found.len() <= step;
            found.truncate(step);
            let mut docs = self.docs_of(&found).await?;
            for row in found {
                let version = Version { epoch: head.at.epoch, seq: unsigned(row.seq) };
                let (id, doc) =
                    docs.remove(&(row.tbl.clone(), row.id.clone())).unwrap_or((wire_id(&row.tbl, &row.id), Doc::Gone));
                let size = doc.size();
                if !rows.is_empty() && bytes + size > budget.bytes as usize {
                    has_more = true;
                    break;
                }
                (bytes, at) = (bytes + size, row.seq);
                let is_deleted = row.is_deleted || doc == Doc::Gone;
                let table = tables::table(&row.tbl).map_or(row.tbl.into(), |table| table.name.into());
                rows.push(Row { table, id, version, mark: mark(row.mark), is_deleted, body: StoredDoc::from(doc) });
            }
            if is_last {
                break;
            }
            has_more |= rows.len() >= most;
        }
        let last = rows.last().filter(|_| has_more).map(|row| Place { at: row.version, mark: row.mark });
        Ok(Page { upto: last.unwrap_or(head), rows, has_more })
    }

    /// The content of index rows, by table and id. Deleted rows are missing in the result.
    async fn docs_of(&mut self, found: &[IndexRow]) -> Result<HashMap<(String, String), (String, Doc)>> {
        let ids = |table: &str| {
            let rows = found.iter().filter(|row| row.tbl == table && !row.is_deleted);
            rows.map(|row| row.id.clone()).collect::<Vec<_>>()
        };
        let mut docs = HashMap::with_capacity(found.len());
        for table in tables::TABLES {
            let ids = ids(table.name);
            if ids.is_empty() {
                continue;
            }
            for (id, doc) in self.sync_docs(table, &ids).await? {
                let wire = wire_id(table.name, &id);
                docs.insert((table.name.to_owned(), id), (wire, doc));
            }
        }
        Ok(docs)
    }

    /// Starts a new epoch: numbers all own rows from 1, in their previous order.
    pub async fn sync_renumber(&mut self, epoch: u32, now: Timestamp) -> Result<()> {
        execute!(self, SYNC_EPOCH_SET, i64::from(epoch), now)?;
        for sql in [
            SYNC_MARKS_CLEAR,
            SYNC_CONFIRMED_CLEAR,
            SYNC_RENUMBER_AWAY,
            SYNC_RENUMBER,
            SYNC_RENUMBER_HEADS,
            SYNC_RENUMBER_MARKS,
        ] {
            execute!(self, sql)?;
        }
        Ok(())
    }

    /// A hub has durably stored all rows up to this position.
    pub async fn sync_confirm(
        &mut self,
        hub: HubId,
        priority: SyncPriority,
        place: Place,
        now: Timestamp,
    ) -> Result<()> {
        execute!(self, SYNC_CONFIRM, hub, priority, i64::from(place.at.epoch), number(place.at.seq), now)?;
        Ok(())
    }

    /// Deletes a hub's confirmations after this machine has left it: it no longer delays the purge of deletions.
    pub async fn sync_forget_hub(&mut self, hub: HubId) -> Result<()> {
        execute!(self, SYNC_FORGET_HUB, hub)?;
        Ok(())
    }

    /// The position up to which a hub's log was applied.
    pub async fn sync_received(&mut self, hub: HubId) -> Result<Option<Received>> {
        Ok(one!(self, SYNC_RECEIVED => ReceivedRow, hub)?.map(|row| Received {
            hub: HubEpoch { number: epoch(row.number), id: row.epoch_id.cast_unsigned() },
            hseq: unsigned(row.hseq),
            mark: mark(row.mark),
            ticket: row.ticket.and_then(|bytes| bytes.try_into().ok()).map(EpochTicket),
        }))
    }

    /// Stores the position up to which a hub's log was applied.
    pub async fn sync_receive(&mut self, hub: HubId, received: Received, now: Timestamp) -> Result<()> {
        let Received { hub: HubEpoch { number: epoch, id }, hseq, mark, ticket } = received;
        let ticket = ticket.map(|ticket| ticket.0.to_vec());
        execute!(self, SYNC_RECEIVE, hub, i64::from(epoch), id.cast_signed(), number(hseq), bits(mark), now, ticket)?;
        Ok(())
    }

    /// Purges deletions that every hub has confirmed, and marks that no hub can ask for. Returns the number of purged
    /// marks.
    pub async fn sync_forget(&mut self) -> Result<u64> {
        let mut forgotten = 0;
        for priority in SyncPriority::ALL.iter().copied() {
            let known = value!(self, SYNC_KNOWN_TO_ALL => Option<i64>, priority)?.flatten().unwrap_or(0);
            if known > 0 && execute!(self, SYNC_FORGET_GONE, priority, known)? > 0 {
                execute!(self, SYNC_FLOOR, priority, known)?;
            }
            forgotten += execute!(self, SYNC_FORGET_MARKS, priority, MARKS_KEPT)?;
        }
        Ok(forgotten)
    }

    /// The checksum of this database's own rows of one table, and their number.
    pub async fn sync_own_digest(&mut self, table: &Table) -> Result<Digest> {
        let epoch = self.sync_epoch().await?.unwrap_or(0);
        let (mut digest, mut after) = (Digest::default(), String::new());
        loop {
            let rows = all!(self, SYNC_OWN_KEYS => OriginKeyRow, table.name.to_owned(), after.clone(), 10_000_i64)?;
            let Some(last) = rows.last() else { return Ok(digest) };
            after = last.id.clone();
            for row in rows {
                let version = Version { epoch, seq: unsigned(row.seq) };
                digest.add(&row.tbl, &wire_id(&row.tbl, &row.id), (table.kind == Kind::Mirror).then_some(version));
            }
        }
    }
}

/// An id as it is sent. The index has ids in hexadecimal, the only form that a SQLite trigger can make of a blob.
fn wire_id(table: &str, id: &str) -> String {
    let bytes = |hex: &str| -> Option<[u8; 16]> {
        data_encoding::HEXUPPER.decode(hex.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok())
    };
    let said = match table {
        "log" => {
            id.split_once(':').and_then(|(run, line)| Some(log_id(RunId::from_bytes(bytes(run)?), line.parse().ok()?)))
        }
        "run" => {
            id.split_once(':').and_then(|(job, no)| Some(run_id(JobId::from_bytes(bytes(job)?), no.parse().ok()?)))
        }
        "fire" => id.split_once(':').and_then(|(trigger, rest)| {
            let (micros, ordinal) = rest.split_once(':')?;
            let nominal = Timestamp::from_micros(micros.parse().ok()?);
            Some(fire_id(TriggerId::from_bytes(bytes(trigger)?), nominal, ordinal.parse().ok()?))
        }),
        "server_run" => id
            .split_once(':')
            .and_then(|(server, no)| Some(server_run_id(ServerId::from_bytes(bytes(server)?), no.parse().ok()?))),
        // An outage's id consists of a word and a number.
        "outage" => None,
        "definition" => bytes(id).map(|bytes| DefinitionId::from_bytes(bytes).to_string()),
        _ => bytes(id).map(|bytes| JobId::from_bytes(bytes).to_string()),
    };
    said.unwrap_or_else(|| id.to_owned())
}
