//! The hub's replica of each host's rows: cursor, version of every row, full resends and parked rows.
//!
//! A page and the cursor behind it are stored in one transaction: a crash between the two would lose rows or resend
//! them. Every row has a version (epoch and sequence number) and replaces only an older one, so a page that is received
//! twice or out of order changes nothing. During a full resend, stored rows are in doubt until the resend confirms
//! them; those still in doubt at its end were deleted on the host. Rows that cannot be applied are parked instead of
//! rejected, because a rejected row would block the rows after it forever.

use std::collections::HashSet;

use domain::{
    HostId, HostSender, HubId, Timestamp,
    sync::{
        Mark, Place, SyncPriority, Version,
        digest::Digest,
        doc::StoredDoc,
        frame::{HubEpoch, Rejected, Row, SyncError, TableSum, Witness},
        hub::{Cursor, ReceivedPage},
        table::{Kind, Table},
        tables,
    },
};
use serde_json::{Value, json};
use sqlx::types::Json as PgJson;

use super::{bits, epoch, mark, number, place, unsigned};
use crate::{
    Error, Result, Sql, Tx,
    columns::{column, share_columns},
    tx::Conn,
    value::Db,
};

/// Smallest number of log rows that is first inserted without `on conflict` (see [`Tx::archive_new`]).
const WORTH_A_TRY: usize = 64;

/// The hub that applies a host's page, the session that sent it, and the time.
#[derive(Debug, Clone)]
pub struct HubSide {
    /// This hub as hosts know it: the same id for all its processes and after restarts.
    pub hub: HubId,
    /// The session of the host.
    pub sender: HostSender,
    /// The host's name; part of the keys of its copied definitions.
    pub host_name: String,
    pub now: Timestamp,
    /// The id of a new epoch of the log, if one starts.
    pub random: u64,
}

struct EpochRow {
    number: i64,
    epoch_id: i64,
}

struct CursorRow {
    epoch: i64,
    seq: i64,
    mark: i64,
    head_epoch: i64,
    head_seq: i64,
    head_mark: i64,
    resetting_over: Option<i64>,
}

struct PlaceRow {
    epoch: i64,
    seq: i64,
    mark: i64,
}

struct HubKeyRow {
    tbl: String,
    id: String,
    epoch: i64,
    seq: i64,
}

struct RowKey {
    tbl: String,
    id: String,
}

rows! {
    EpochRow { number, epoch_id }
    CursorRow { epoch, seq, mark, head_epoch, head_seq, head_mark, resetting_over }
    PlaceRow { epoch, seq, mark }
    HubKeyRow { tbl, id, epoch, seq }
    RowKey { tbl, id }
}

macro_rules! archive_put {
    () => {
        "insert or ignore into sync_row (origin, tbl, id, epoch, seq, mark, is_deleted, is_doubted)
        values ($1, $2, $3, $4, $5, $6, $7, $8)"
    };
}

macro_rules! archive_new {
    () => {
        "insert into sync_row (origin, tbl, id, epoch, seq, mark, is_deleted, is_doubted)
        select $1, $2, x.id, x.epoch, x.seq, x.mark, false, false
        from unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[]) x (id, epoch, seq, mark)"
    };
}

statements! {
    SYNC_HUB_FIRST = same("
        insert into sync_hub (id, number, epoch_id, hseq, created_at, updated_at) values (1, 1, $1, 0, $2, $2)
        on conflict (id) do nothing");
    SYNC_HUB_EPOCH = same("select number, epoch_id from sync_hub where id = 1");
    SYNC_HUB_HEAD = same("select hseq from sync_hub where id = 1");
    SYNC_HUB_RENEW = same("
        update sync_hub set number = $1, epoch_id = $2, updated_at = $3 where id = 1 and number < $1");
    SYNC_HUB_MARK = same("
        select mark from sync_hub_mark where hseq >= $1 and $1 <= (select hseq from sync_hub where id = 1)
        order by hseq limit 1");
    SYNC_CURSOR = same("
        select epoch, seq, mark, head_epoch, head_seq, head_mark, resetting_over from sync_cursor
        where origin = $1 and priority = $2");
    SYNC_WITNESS = same("select epoch, seq, mark from sync_witness where origin = $1 and priority = $2 limit 100");
    SYNC_NOTE = same("
        insert into sync_witness (origin, priority, epoch, seq, mark) values ($1, $2, $3, $4, $5) on conflict do nothing");
    SYNC_SETTLE = same("
        delete from sync_witness where origin = $1 and priority = $2 and epoch = $3 and seq = $4 and mark = $5");
    // Without a condition: an old and a new session of one host, at two hubs, may both start at the same cursor. Each
    // page has all rows from that cursor to its end, and rows are upserted by version, so both ends are valid cursors;
    // after the lower one, some rows are only sent again.
    SYNC_CURSOR_SET = same("
        insert into sync_cursor (origin, priority, org_id, epoch, seq, mark, head_epoch, head_seq, head_mark, resetting_over,
            error, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
        on conflict (origin, priority) do update set org_id = excluded.org_id, epoch = excluded.epoch, seq = excluded.seq,
            mark = excluded.mark, head_epoch = excluded.head_epoch, head_seq = excluded.head_seq,
            head_mark = excluded.head_mark, resetting_over = excluded.resetting_over, error = excluded.error,
            updated_at = excluded.updated_at");
    SYNC_DOUBT = same("update sync_row set is_doubted = true where origin = $1 and tbl = $2 and not is_doubted");
    // A newer version replaces an older one. The same version only confirms a row that a full resend had put in doubt.
    SYNC_ROWS_PUT = pair(
        "insert into sync_row (origin, tbl, id, epoch, seq, mark, is_deleted, is_doubted, extra)
        select $1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, 0, value ->> 6
        from json_each($2) where true
        on conflict (origin, tbl, id) do update set epoch = excluded.epoch, seq = excluded.seq, mark = excluded.mark,
            is_deleted = excluded.is_deleted, is_doubted = 0, extra = excluded.extra
        where (excluded.epoch, excluded.seq) > (sync_row.epoch, sync_row.seq)
            or (sync_row.is_doubted and (excluded.epoch, excluded.seq) = (sync_row.epoch, sync_row.seq))
        returning tbl, id",
        "insert into sync_row (origin, tbl, id, epoch, seq, mark, is_deleted, is_doubted, extra)
        select $1, x.tbl, x.id, x.epoch, x.seq, x.mark, x.is_deleted, false, x.extra
        from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::boolean[], $8::jsonb[])
            x (tbl, id, epoch, seq, mark, is_deleted, extra)
        on conflict (origin, tbl, id) do update set epoch = excluded.epoch, seq = excluded.seq, mark = excluded.mark,
            is_deleted = excluded.is_deleted, is_doubted = false, extra = excluded.extra
        where (excluded.epoch, excluded.seq) > (sync_row.epoch, sync_row.seq)
            or (sync_row.is_doubted and (excluded.epoch, excluded.seq) = (sync_row.epoch, sync_row.seq))
        returning tbl, id"
    );
    // Archive rows never change: keep the first one.
    SYNC_ARCHIVE_PUT = pair(archive_put!(), concat!(archive_new!(), " on conflict do nothing"));
    SYNC_ARCHIVE_NEW = pair(archive_put!(), archive_new!());
    SAVEPOINT = same("savepoint archive");
    SAVEPOINT_BACK = same("rollback to savepoint archive");
    SYNC_SWEEP = same("
        update sync_row set is_deleted = true, is_doubted = false, epoch = $3, seq = $4, mark = $5
        where origin = $1 and tbl = $2 and is_doubted and not is_deleted returning tbl, id");
    SYNC_UNDOUBT = same("update sync_row set is_doubted = false where origin = $1 and tbl = $2 and is_doubted");
    SYNC_PARK = same("
        insert into sync_parked (origin, tbl, id, org_id, epoch, seq, mark, is_deleted, error, body, at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        on conflict (origin, tbl, id) do update set epoch = excluded.epoch, seq = excluded.seq, mark = excluded.mark,
            is_deleted = excluded.is_deleted, error = excluded.error, body = excluded.body, at = excluded.at
        where (excluded.epoch, excluded.seq) > (sync_parked.epoch, sync_parked.seq)");
    // A row that was accepted now is no longer parked.
    SYNC_UNPARK = pair(
        "delete from sync_parked where origin = $1 and (tbl, id) in (
            select value ->> 0, value ->> 1 from json_each($2))",
        "delete from sync_parked where origin = $1 and (tbl, id) in (select * from unnest($2::text[], $3::text[]))"
    );
    SYNC_PARKED_ANY = same("select 1 from sync_parked where origin = $1 limit 1");
    SYNC_KEYS = same("
        select tbl, id, epoch, seq from sync_row
        where origin = $1 and tbl = $2 and id > $3 and not is_deleted order by id limit $4");
    // The newest version of each row, stored or parked. Parked rows count: the host has them.
    SYNC_SUM_KEYS = same("
        select tbl, id, epoch, seq from (
            select r.tbl, r.id, r.epoch, r.seq, r.is_deleted from sync_row r
            where r.origin = $1 and r.tbl = $2 and not exists (
                select 1 from sync_parked p where p.origin = r.origin and p.tbl = r.tbl and p.id = r.id
                    and (p.epoch, p.seq) > (r.epoch, r.seq))
            union all
            select p.tbl, p.id, p.epoch, p.seq, p.is_deleted from sync_parked p
            where p.origin = $1 and p.tbl = $2 and not exists (
                select 1 from sync_row r where r.origin = p.origin and r.tbl = p.tbl and r.id = p.id
                    and (r.epoch, r.seq) >= (p.epoch, p.seq))) n
        where n.id > $3 and not n.is_deleted order by n.id limit $4");
    SYNC_DISTRUST = same("delete from sync_cursor where origin = $1 and priority = $2");
    SYNC_UNPARK_PRIORITY = same("delete from sync_parked where origin = $1 and tbl = $2");
    // While a table was unknown, changes and deletions of its rows were not applied, so the origin must resend all
    // rows.
    SYNC_CURSORS_RESET = same("
        delete from sync_cursor where priority = $2 and origin in (
            select origin from sync_parked where tbl = $1 and error = 'unknown_table')");
    SYNC_UNPARK_TABLE = same("delete from sync_parked where tbl = $1 and error = 'unknown_table'");
    SYNC_ORIGIN_FORGET_ROWS = same("delete from sync_row where origin = $1");
    SYNC_ORIGIN_FORGET_CURSORS = same("delete from sync_cursor where origin = $1");
    SYNC_ORIGIN_FORGET_PARKED = same("delete from sync_parked where origin = $1");
    SYNC_ORIGIN_FORGET_WITNESS = same("delete from sync_witness where origin = $1");
}

/// A page's rows without duplicates: the newest version of each key.
fn newest(mut rows: Vec<Row<StoredDoc>>) -> Vec<Row<StoredDoc>> {
    rows.sort_by(|a, b| (&a.table, &a.id, b.version).cmp(&(&b.table, &b.id, a.version)));
    rows.dedup_by(|a, b| (&a.table, &a.id) == (&b.table, &b.id));
    rows
}

fn rejected(row: &Row<StoredDoc>, error: SyncError) -> Rejected {
    Rejected { table: row.table.to_string(), id: row.id.clone(), error }
}

impl Tx<'_> {
    /// The current epoch of this hub's log. The first call creates the first epoch.
    pub async fn sync_hub_epoch(&mut self, random: u64, now: Timestamp) -> Result<HubEpoch> {
        let found = one!(self, SYNC_HUB_EPOCH => EpochRow)?;
        let row = match found {
            Some(row) => Some(row),
            None => {
                execute!(self, SYNC_HUB_FIRST, random.cast_signed(), now)?;
                one!(self, SYNC_HUB_EPOCH => EpochRow)?
            }
        };
        Ok(row.map_or(HubEpoch { number: 1, id: random }, |row| HubEpoch {
            number: epoch(row.number),
            id: row.epoch_id.cast_unsigned(),
        }))
    }

    /// The sequence number of the last log entry.
    pub async fn sync_hub_head(&mut self) -> Result<u64> {
        Ok(unsigned(value!(self, SYNC_HUB_HEAD => i64)?.unwrap_or(0)))
    }

    /// The mark of the transaction that wrote a log entry, if it is still stored.
    pub async fn sync_hub_mark(&mut self, hseq: u64) -> Result<Option<Mark>> {
        Ok(value!(self, SYNC_HUB_MARK => i64, number(hseq))?.map(mark))
    }

    /// Starts a new epoch of this hub's log, with a number above `above`. It writes an entry for no host, so that hosts
    /// notice the new epoch even if the log is otherwise empty.
    pub async fn sync_hub_renew(&mut self, above: u32, random: u64, now: Timestamp) -> Result<()> {
        if execute!(self, SYNC_HUB_RENEW, i64::from(above) + 1, random.cast_signed(), now)? > 0 {
            self.sync_log_number(1, random, now).await?;
        }
        Ok(())
    }

    async fn cursor_row(&mut self, origin: HostId, priority: SyncPriority) -> Result<Option<CursorRow>> {
        one!(self, SYNC_CURSOR => CursorRow, origin, priority)
    }

    /// The cursor of a host's rows of one priority: the position up to which its rows are stored here.
    pub async fn sync_cursor(&mut self, origin: HostId, priority: SyncPriority) -> Result<Cursor> {
        Ok(self.cursor_row(origin, priority).await?.map_or(Cursor::default(), |row| Cursor {
            place: Some(place(row.epoch, row.seq, row.mark)),
            resetting_over: row.resetting_over.map(unsigned),
        }))
    }

    /// The positions to check with the host: the highest it has reported, and those that other runners reported of it
    /// and it has not confirmed.
    pub async fn sync_witnesses(&mut self, origin: HostId, priority: SyncPriority) -> Result<Vec<Place>> {
        let head = self.cursor_row(origin, priority).await?;
        let witnesses = all!(self, SYNC_WITNESS => PlaceRow, origin, priority)?;
        let head = head.map(|row| place(row.head_epoch, row.head_seq, row.head_mark));
        Ok(head.into_iter().chain(witnesses.into_iter().map(|row| place(row.epoch, row.seq, row.mark))).collect())
    }

    /// Stores positions that a runner has reported of other hosts.
    pub async fn sync_note(&mut self, seen: &[Witness]) -> Result<()> {
        for Witness { origin, priority, place } in seen {
            let Place { at: Version { epoch, seq }, mark } = *place;
            execute!(self, SYNC_NOTE, *origin, *priority, i64::from(epoch), number(seq), bits(mark))?;
        }
        Ok(())
    }

    /// Applies a page in one transaction: rows, parked rows, witnesses and cursor.
    /// Returns the rows that belong to others.
    pub(super) async fn sync_take(&mut self, side: &HubSide, taken: ReceivedPage<StoredDoc>) -> Result<Vec<Rejected>> {
        let ReceivedPage { origin, priority, rows, parked, upto, head, settled, starts_resend, ends_resend } = taken;
        let before = self.cursor_row(origin, priority).await?;
        if starts_resend.is_some() {
            for table in tables::mirrors(priority) {
                execute!(self, SYNC_DOUBT, origin, table.to_owned())?;
                // The resend parks them again if they are still invalid.
                execute!(self, SYNC_UNPARK_PRIORITY, origin, table.to_owned())?;
            }
        }
        let mut parked = parked;
        let own_count = parked.len();
        let rows = self.own_rows(side, newest(rows), &mut parked).await?;
        let foreign = parked[own_count..].iter().map(|(row, error)| rejected(row, *error)).collect();
        // The host has late rows of a server that has moved. Their versions are stored, or the checksums of both sides
        // would differ; their content is not applied.
        let late: Vec<Row<StoredDoc>> =
            parked.extract_if(.., |(_, error)| *error == SyncError::Superseded).map(|(row, _)| row).collect();
        self.versions_put(origin, &late).await?;
        let (archived, mirrored): (Vec<_>, Vec<_>) = rows
            .into_iter()
            .partition(|row| tables::table(&row.table).is_some_and(|table| table.kind == Kind::Archive));
        self.archive(origin, &archived).await?;
        self.mirror(side, mirrored).await?;
        if ends_resend {
            self.sweep(origin, priority, upto).await?;
        }
        self.park(side, &parked).await?;
        for Place { at: Version { epoch, seq }, mark } in settled {
            execute!(self, SYNC_SETTLE, origin, priority, i64::from(epoch), number(seq), bits(mark))?;
        }
        let known = before.as_ref().map(|row| place(row.head_epoch, row.head_seq, row.head_mark));
        let head = known.map_or(head, |known| known.max(head));
        let resetting = before.and_then(|row| row.resetting_over);
        let resetting = starts_resend.map(number).or(resetting).filter(|_| !ends_resend);
        let error = parked.last().map(|(_, error)| error.as_str().to_owned());
        execute!(
            self,
            SYNC_CURSOR_SET,
            origin,
            priority,
            side.sender.org(),
            i64::from(upto.at.epoch),
            number(upto.at.seq),
            bits(upto.mark),
            i64::from(head.at.epoch),
            number(head.at.seq),
            bits(head.mark),
            resetting,
            error,
            side.now
        )?;
        Ok(foreign)
    }

    /// Stores rows of tables whose rows never change.
    async fn archive(&mut self, origin: HostId, rows: &[Row<StoredDoc>]) -> Result<()> {
        let rows: Vec<&Row<StoredDoc>> = rows.iter().filter(|row| !row.is_deleted).collect();
        for table in tables::TABLES.iter().filter(|table| table.kind == Kind::Archive) {
            let of_table: Vec<&Row<StoredDoc>> = rows.iter().copied().filter(|row| row.table == table.name).collect();
            if !of_table.is_empty() && !self.archive_new(origin, table.name, &of_table).await? {
                self.mirror_logs(origin, &of_table, false).await?;
                self.archive_put(origin, table.name, &of_table, SYNC_ARCHIVE_PUT).await?;
            }
        }
        Ok(())
    }

    /// Inserts rows on the assumption that none is stored yet, which is nearly always true; PostgreSQL then needs two
    /// thirds of the time, because it does not check for conflicts first. Returns `false`, with nothing written, if one
    /// was stored.
    async fn archive_new(&mut self, origin: HostId, table: &'static str, rows: &[&Row<StoredDoc>]) -> Result<bool> {
        if matches!(self.conn, Conn::Sqlite(_)) || rows.len() < WORTH_A_TRY {
            return Ok(false);
        }
        execute!(self, SAVEPOINT)?;
        self.mirror_logs(origin, rows, true).await?;
        self.archive_put(origin, table, rows, SYNC_ARCHIVE_NEW).await?;
        match self.flush().await {
            Err(Error::UniqueViolation(_)) => {
                execute!(self, SAVEPOINT_BACK)?;
                Ok(false)
            }
            written => written.map(|()| true),
        }
    }

    async fn archive_put(
        &mut self,
        origin: HostId,
        table: &'static str,
        r: &[&Row<StoredDoc>],
        sql: Sql,
    ) -> Result<()> {
        let same = share_columns(r, |r| r.version.epoch);
        defer!(
            self,
            sql,
            each(
                r,
                |r| Db(origin),
                table,
                r.id.as_str(),
                i64::from(r.version.epoch),
                number(r.version.seq),
                bits(r.mark),
                false,
                false
            ),
            postgres(
                Db(origin),
                table,
                column(r, |r| r.id.as_str()),
                same.column(|r| i64::from(r.version.epoch)),
                column(r, |r| number(r.version.seq)),
                column(r, |r| bits(r.mark)),
            ),
        )
    }

    /// Stores rows that can change, each only if it is newer than the stored version, and updates the hub's lists.
    async fn mirror(&mut self, side: &HubSide, rows: Vec<Row<StoredDoc>>) -> Result<()> {
        let origin = side.sender.host();
        let taken = self.versions_put(origin, &rows).await?;
        let rows = rows.into_iter().filter(|row| taken.contains(&(row.table.to_string(), row.id.clone()))).collect();
        self.project(side, rows).await
    }

    /// Stores the versions of rows that can change, each only if it is newer than the stored one. Returns the table and
    /// id of the rows that were newer.
    async fn versions_put(&mut self, origin: HostId, rows: &[Row<StoredDoc>]) -> Result<HashSet<(String, String)>> {
        if rows.is_empty() {
            return Ok(HashSet::new());
        }
        let r = rows;
        let texts = || {
            let row = |row: &Row<StoredDoc>| {
                let extra = row.body.extra.as_ref().map(Value::to_string);
                let Version { epoch, seq } = row.version;
                json!([row.table, row.id, epoch, number(seq), bits(row.mark), row.is_deleted, extra])
            };
            Value::Array(r.iter().map(row).collect()).to_string()
        };
        let taken = split!(
            self, SYNC_ROWS_PUT => RowKey,
            sqlite(Db(origin), texts()),
            postgres(
                Db(origin),
                column(r, |r| r.table.as_ref()),
                column(r, |r| r.id.as_str()),
                column(r, |r| i64::from(r.version.epoch)),
                column(r, |r| number(r.version.seq)),
                column(r, |r| bits(r.mark)),
                column(r, |r| r.is_deleted),
                column(r, |r| r.body.extra.as_ref().map(PgJson)),
            ),
        )?;
        let taken: HashSet<(String, String)> = taken.into_iter().map(|key| (key.tbl, key.id)).collect();
        if value!(self, SYNC_PARKED_ANY => i32, origin)?.is_some() {
            let keys = || Value::from_iter(taken.iter().map(|(tbl, id)| json!([tbl, id]))).to_string();
            let all: Vec<&(String, String)> = taken.iter().collect();
            split_execute!(
                self,
                SYNC_UNPARK,
                sqlite(Db(origin), keys()),
                postgres(Db(origin), column(&all, |key| key.0.as_str()), column(&all, |key| key.1.as_str())),
            )?;
        }
        Ok(taken)
    }

    /// Ends a full resend: rows that it did not contain were deleted on the host.
    async fn sweep(&mut self, origin: HostId, priority: SyncPriority, upto: Place) -> Result<()> {
        let Place { at: Version { epoch, seq }, mark } = upto;
        for table in tables::mirrors(priority) {
            let gone = all!(
                self, SYNC_SWEEP => RowKey, origin, table.to_owned(), i64::from(epoch), number(seq), bits(mark)
            )?;
            let ids: Vec<String> = gone.into_iter().map(|key| key.id).collect();
            self.unproject(origin, table, &ids).await?;
            execute!(self, SYNC_UNDOUBT, origin, table.to_owned())?;
        }
        Ok(())
    }

    /// Stores rows that cannot be applied, with the reason, to show them to people.
    async fn park(&mut self, side: &HubSide, parked: &[(Row<StoredDoc>, SyncError)]) -> Result<()> {
        let origin = side.sender.host();
        for (row, error) in parked.iter().filter(|(_, error)| error.is_parked()) {
            let body = serde_json::to_value(&row.body).unwrap_or(Value::Null);
            execute!(
                self,
                SYNC_PARK,
                origin,
                row.table.to_string(),
                row.id.clone(),
                side.sender.org(),
                i64::from(row.version.epoch),
                number(row.version.seq),
                bits(row.mark),
                row.is_deleted,
                error.as_str().to_owned(),
                crate::value::Json(body),
                side.now
            )?;
        }
        Ok(())
    }

    /// After an upgrade: drops the parked rows of tables that are now known, and resets the cursors of their hosts, so
    /// that they resend all rows. Returns the number of tables.
    pub async fn sync_learn(&mut self) -> Result<u64> {
        let mut learnt = 0;
        for table in tables::TABLES {
            execute!(self, SYNC_CURSORS_RESET, table.name.to_owned(), table.priority)?;
            learnt += u64::from(execute!(self, SYNC_UNPARK_TABLE, table.name.to_owned())? > 0);
        }
        Ok(learnt)
    }

    /// The checksum of a host's rows of one table, and their number.
    pub async fn sync_digest(&mut self, origin: HostId, table: &Table) -> Result<Digest> {
        let (mut digest, mut after) = (Digest::default(), String::new());
        loop {
            let rows = all!(self, SYNC_KEYS => HubKeyRow, origin, table.name.to_owned(), after.clone(), 10_000_i64)?;
            let Some(last) = rows.last() else { return Ok(digest) };
            after = last.id.clone();
            for row in rows {
                let version = Version { epoch: epoch(row.epoch), seq: unsigned(row.seq) };
                digest.add(&row.tbl, &row.id, (table.kind == Kind::Mirror).then_some(version));
            }
        }
    }

    /// The checksums of the tables of one priority, to compare them with the host's own. A parked row counts with its
    /// version.
    pub async fn sync_sums(&mut self, origin: HostId, priority: SyncPriority) -> Result<Vec<TableSum>> {
        let mut sums = Vec::new();
        for table in tables::mirrors(priority) {
            let (mut digest, mut after) = (Digest::default(), String::new());
            loop {
                let rows = all!(self, SYNC_SUM_KEYS => HubKeyRow, origin, table.to_owned(), after.clone(), 10_000_i64)?;
                let Some(last) = rows.last() else { break };
                after = last.id.clone();
                for row in rows {
                    let version = Version { epoch: epoch(row.epoch), seq: unsigned(row.seq) };
                    digest.add(&row.tbl, &row.id, Some(version));
                }
            }
            sums.push(TableSum { table: table.into(), digest });
        }
        Ok(sums)
    }

    /// The stored rows of one priority differ from the host's: drops the cursor, so that the host resends all rows.
    pub async fn sync_distrust(&mut self, origin: HostId, priority: SyncPriority) -> Result<()> {
        tracing::error!(host.id = %origin, %priority, "stored rows differ from the host's; requesting all rows again");
        execute!(self, SYNC_DISTRUST, origin, priority)?;
        Ok(())
    }

    /// Deletes the replication state of a host that has left this hub, and the copies of its schedules, servers and
    /// unfinished jobs, of whose end the hub would never learn. Finished jobs stay as history.
    pub async fn sync_origin_forget(&mut self, origin: HostId) -> Result<()> {
        for table in [tables::TRIGGER.name, tables::SERVER.name] {
            let mut after = String::new();
            loop {
                let keys = all!(self, SYNC_KEYS => HubKeyRow, origin, table.to_owned(), after.clone(), 10_000_i64)?;
                let Some(last) = keys.last() else { break };
                after = last.id.clone();
                let ids: Vec<String> = keys.into_iter().map(|key| key.id).collect();
                self.unproject(origin, table, &ids).await?;
            }
        }
        self.replicated_jobs_end(origin).await?;
        for sql in
            [SYNC_ORIGIN_FORGET_ROWS, SYNC_ORIGIN_FORGET_CURSORS, SYNC_ORIGIN_FORGET_PARKED, SYNC_ORIGIN_FORGET_WITNESS]
        {
            execute!(self, sql, origin)?;
        }
        Ok(())
    }
}
