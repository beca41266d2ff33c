//! A simulated database of a hub.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    HostId, HubId,
    sync::{
        Budget, Mark, Place, SyncPriority, Version,
        frame::{HubEpoch, Rejected, Row, SyncError, TableSum, Witness},
        hub::{Cursor, HubReplica, LogPage, ReceivedPage},
        table::{ForwardTo, Kind, Table, Writer},
    },
};

use crate::{
    bugs::DiskBug,
    rows::{Body, Crash, Key, Shared, TABLES, is_bad, key_of, merged, sums, table_of, voice},
};

#[derive(Clone)]
pub(crate) struct HubDisk {
    pub(crate) id: HubId,
    pub(crate) shared: Shared,
    pub(crate) epoch: HubEpoch,
    pub(crate) rows: BTreeMap<(HostId, Key), Kept>,
    log: BTreeMap<u64, Entry>,
    marks: BTreeMap<u64, Mark>,
    cursors: BTreeMap<(HostId, SyncPriority), Cursor>,
    heads: BTreeMap<(HostId, SyncPriority), Place>,
    learned: BTreeSet<(HostId, SyncPriority, Place)>,
    pub(crate) parked: BTreeMap<(HostId, Key), Row<Body>>,
    /// Whether it knows the newest table.
    pub(crate) is_updated: bool,
}

#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) row: Row<Body>,
    pub(crate) is_doubted: bool,
    pub(crate) hseq: u64,
}

#[derive(Clone)]
struct Entry {
    key: (HostId, Key),
    only: Option<HostId>,
}

impl HubDisk {
    pub(crate) fn new(id: HubId, shared: Shared) -> Self {
        let epoch = HubEpoch { number: 1, id: shared.unique() };
        Self {
            id,
            shared,
            epoch,
            rows: BTreeMap::new(),
            log: BTreeMap::new(),
            marks: BTreeMap::new(),
            cursors: BTreeMap::new(),
            heads: BTreeMap::new(),
            learned: BTreeSet::new(),
            parked: BTreeMap::new(),
            is_updated: false,
        }
    }

    pub(crate) fn log_head(&self) -> u64 {
        self.log.last_key_value().map_or(0, |(hseq, _)| *hseq)
    }

    /// Upgrades the hub: it now knows the table that was missing, and applies the parked rows. Some of them may have
    /// been deleted meanwhile, which could not be detected, so their origins must resend everything.
    pub(crate) fn update(&mut self) {
        self.is_updated = true;
        let (known, parked): (BTreeMap<_, _>, BTreeMap<_, _>) = std::mem::take(&mut self.parked)
            .into_iter()
            .partition(|((_, key), row)| key.0 == "novel" && !is_bad(&row.body));
        self.parked = parked;
        let mark = self.shared.mark();
        for ((origin, _), row) in known {
            self.cursors.remove(&(origin, table_of(&row.table).priority));
            self.keep(origin, row);
        }
        self.marks.insert(self.log_head(), mark);
    }

    /// Deletes a random row, to simulate disk corruption. Returns whether there was one.
    pub(crate) fn rot(&mut self, number: usize) -> bool {
        let mirrors: Vec<(HostId, Key)> = self
            .rows
            .iter()
            // A hub's own rows cannot be restored from a runner.
            .filter(|((_, key), _)| table_of(key.0).kind == Kind::Mirror && table_of(key.0).writer == Writer::Runner)
            .filter(|(_, kept)| !kept.row.is_deleted)
            .map(|(key, _)| key.clone())
            .collect();
        let Some(key) = mirrors.get(number % mirrors.len().max(1)) else { return false };
        self.rows.remove(key);
        true
    }

    pub(crate) fn append(&mut self, key: (HostId, Key), only: Option<HostId>) -> u64 {
        let hseq = self.log_head() + 1;
        self.log.insert(hseq, Entry { key, only });
        hseq
    }

    fn keep(&mut self, origin: HostId, row: Row<Body>) {
        let origin = match row.body.member {
            Some(other) if self.shared.has(DiskBug::BelievesRows) && row.table == "host" => other,
            _ => origin,
        };
        let key = (origin, key_of(&row));
        let kind = table_of(key.1.0).kind;
        if self.shared.has(DiskBug::CountsTwice) && key.1.0 == "usage" && self.rows.contains_key(&key) {
            let again: Key = ("usage", format!("{} again", key.1.1));
            self.shared.wrote(origin, &again, &row.body);
            self.rows.insert((origin, again), Kept { row, is_doubted: false, hseq: 0 });
            return;
        }
        let before = self.rows.get_mut(&key);
        let row = match (before, kind) {
            (Some(before), Kind::Archive) => {
                before.is_doubted = false;
                return;
            }
            (Some(before), Kind::Merge) => {
                let body = merged(&before.row.body, &row.body);
                if body == before.row.body && row.version <= before.row.version {
                    return;
                }
                Row { version: row.version.max(before.row.version), body, ..row }
            }
            (Some(before), Kind::Mirror) => {
                let is_newer = if self.shared.has(DiskBug::NoGuard) {
                    true
                } else if self.shared.has(DiskBug::GuardByClock) {
                    row.body.clock >= before.row.body.clock
                } else {
                    row.version > before.row.version
                };
                if row.version >= before.row.version {
                    before.is_doubted = false;
                }
                if !is_newer {
                    return;
                }
                if row.version < before.row.version {
                    let (from, to) = (before.row.version, row.version);
                    self.shared.complain(format!("{key:?} went back at a hub from {from:?} to {to:?}"));
                }
                row
            }
            (None, _) => row,
        };
        let hseq = self.append(key.clone(), None);
        let joined = (key.1.0 == "member" && !row.is_deleted).then_some((row.body.thread, row.body.member));
        self.rows.insert(key, Kept { row, is_doubted: false, hseq });
        if let Some((thread, Some(member))) = joined
            && !self.shared.has(DiskBug::NoBackfill)
        {
            self.backfill(thread, member);
        }
    }

    /// Sends the earlier messages and members of a thread to a host that joins it.
    fn backfill(&mut self, thread: u8, member: HostId) {
        let of_thread = |key: &Key, row: &Row<Body>| matches!(key.0, "message" | "member") && row.body.thread == thread;
        let earlier: Vec<(HostId, Key)> =
            self.rows.iter().filter(|(key, kept)| of_thread(&key.1, &kept.row)).map(|(key, _)| key.clone()).collect();
        for key in earlier {
            self.append(key, Some(member));
        }
    }

    fn is_visible(&self, entry: &Entry, hseq: u64, host: HostId) -> bool {
        let (origin, key) = (&entry.key.0, &entry.key.1);
        let Some(kept) = self.rows.get(&entry.key) else { return false };
        let is_current = kept.hseq == hseq || entry.only == Some(host);
        let is_theirs = *origin != host && self.shared.org(*origin) == self.shared.org(host);
        is_current && is_theirs && entry.only.is_none_or(|only| only == host) && self.concerns(key, &kept.row, host)
    }

    /// Whether a row concerns this host, which is not its origin.
    pub(crate) fn concerns(&self, key: &Key, row: &Row<Body>, host: HostId) -> bool {
        match table_of(key.0).forward {
            ForwardTo::Nobody => false,
            ForwardTo::Everybody => true,
            // A deletion is sent to everyone: a host that has the row must delete it, even if the row no longer
            // concerns it.
            ForwardTo::Concerned if row.is_deleted => true,
            ForwardTo::Concerned => self.rows.iter().any(|((by, member), kept)| {
                let is_member = member.0 == "member" && !kept.row.is_deleted && kept.row.body.member == Some(host);
                is_member && kept.row.body.thread == row.body.thread && self.shared.org(*by) == self.shared.org(host)
            }),
        }
    }
}

impl HubReplica for HubDisk {
    type Body = Body;
    type Error = Crash;

    fn epoch(&self) -> Result<HubEpoch, Crash> {
        Ok(self.epoch)
    }

    fn log_mark(&self, hseq: u64) -> Result<Option<Mark>, Crash> {
        let is_there = hseq <= self.log_head();
        Ok(self.marks.range(hseq..).next().map(|(_, mark)| *mark).filter(|_| is_there))
    }

    fn renew(&mut self, above: u32) -> Result<(), Crash> {
        let shared = self.shared.clone();
        shared.write(|| {
            self.epoch = HubEpoch { number: above + 1, id: self.shared.unique() };
            let mark = self.shared.mark();
            self.give_names_anew(mark);
            self.marks.insert(self.log_head(), mark);
        })
    }

    fn cursor(&self, origin: HostId, priority: SyncPriority) -> Result<Cursor, Crash> {
        Ok(self.cursors.get(&(origin, priority)).copied().unwrap_or_default())
    }

    fn witnesses(&self, origin: HostId, priority: SyncPriority) -> Result<Vec<Place>, Crash> {
        let learned =
            self.learned.iter().filter(|(by, of, _)| (*by, *of) == (origin, priority)).map(|(_, _, place)| *place);
        Ok(self.heads.get(&(origin, priority)).copied().into_iter().chain(learned).collect())
    }

    fn note(&mut self, seen: &[Witness]) -> Result<(), Crash> {
        let shared = self.shared.clone();
        shared.write(|| {
            self.learned.extend(seen.iter().map(|Witness { origin, priority, place }| (*origin, *priority, *place)));
        })
    }

    fn table(&self, name: &str) -> Option<&Table> {
        TABLES.iter().find(|table| table.name == name && (self.is_updated || table.name != "novel"))
    }

    fn check(&self, origin: HostId, row: &Row<Body>) -> Result<Result<(), SyncError>, Crash> {
        let is_refused =
            self.shared.has(DiskBug::RefusesTakenNames) && row.table == "name" && self.is_taken(origin, &row.id);
        Ok(if !row.is_deleted && (is_bad(&row.body) || is_refused) { Err(SyncError::Rejected) } else { Ok(()) })
    }

    fn take(&mut self, taken: ReceivedPage<Body>) -> Result<Vec<Rejected>, Crash> {
        let shared = self.shared.clone();
        shared.write(|| {
            let mark = self.shared.mark();
            let ReceivedPage { origin, priority, rows, parked, upto, head, settled, starts_resend, ends_resend } =
                taken;
            let is_of = |key: &(HostId, Key)| {
                key.0 == origin && table_of(key.1.0).priority == priority && table_of(key.1.0).kind == Kind::Mirror
            };
            if starts_resend.is_some() {
                // They are parked again if they are sent again.
                self.parked.retain(|key, _| key.0 != origin || table_of(key.1.0).priority != priority);
                self.rows.iter_mut().filter(|(key, _)| is_of(key)).for_each(|(_, kept)| kept.is_doubted = true);
            }
            for row in rows {
                self.keep(origin, row);
            }
            for (row, _) in parked {
                let key = (origin, key_of(&row));
                if self.parked.get(&key).is_none_or(|before| before.version < row.version) {
                    self.parked.insert(key, row);
                }
            }
            if ends_resend {
                let gone: Vec<(HostId, Key)> = self
                    .rows
                    .iter()
                    .filter(|(key, kept)| is_of(key) && kept.is_doubted && !kept.row.is_deleted)
                    .map(|(key, _)| key.clone())
                    .collect();
                for key in gone {
                    let hseq = self.append(key.clone(), None);
                    if let Some(kept) = self.rows.get_mut(&key) {
                        let version: Version = upto.at;
                        kept.row = Row { version, mark: upto.mark, is_deleted: true, ..kept.row.clone() };
                        (kept.hseq, kept.is_doubted) = (hseq, false);
                    }
                }
            }
            let cursor = self.cursors.entry((origin, priority)).or_default();
            cursor.resetting_over = starts_resend.or(cursor.resetting_over).filter(|_| !ends_resend);
            cursor.place = Some(upto);
            self.heads.entry((origin, priority)).and_modify(|known| *known = (*known).max(head)).or_insert(head);
            for place in settled {
                self.learned.remove(&(origin, priority, place));
            }
            self.give_names(self.shared.org(origin), mark);
            self.marks.insert(self.log_head(), mark);
            Vec::new()
        })
    }

    fn log(&self, host: HostId, after: u64, budget: Budget) -> Result<LogPage<Body>, Crash> {
        let (mut rows, mut upto, mut has_more) = (Vec::new(), self.log_head().max(after), false);
        for (hseq, entry) in self.log.range(after + 1..) {
            if rows.len() >= budget.rows as usize {
                has_more = true;
                break;
            }
            upto = *hseq;
            if self.is_visible(entry, *hseq, host) {
                rows.push((entry.key.0, self.rows[&entry.key].row.clone()));
            }
        }
        if !has_more {
            upto = self.log_head().max(after);
        }
        if self.shared.has(DiskBug::ForwardByOriginsNumbers) {
            upto = rows.iter().map(|(_, row)| row.version.seq).max().unwrap_or(after).max(after);
        }
        let mark = self.log_mark(upto)?.unwrap_or(Mark(0));
        Ok(LogPage { rows, upto, mark, has_more })
    }

    fn sums(&self, origin: HostId, priority: SyncPriority) -> Result<Vec<TableSum>, Crash> {
        let mut newest: BTreeMap<&Key, &Row<Body>> = BTreeMap::new();
        let kept = self.rows.iter().map(|(key, kept)| (key, &kept.row)).chain(&self.parked);
        for ((_, key), row) in kept.filter(|((by, _), _)| *by == origin) {
            let known = newest.entry(key).or_insert(row);
            if row.version > known.version {
                *known = row;
            }
        }
        Ok(sums(priority, newest.into_values()))
    }

    fn distrust(&mut self, origin: HostId, priority: SyncPriority) -> Result<(), Crash> {
        let shared = self.shared.clone();
        shared.write(|| {
            self.cursors.remove(&(origin, priority));
        })
    }

    fn complete(&self, host: HostId) -> Result<Vec<Witness>, Crash> {
        let of_org = |origin: &HostId| self.shared.org(*origin) == self.shared.org(host);
        let known =
            self.cursors.iter().filter(|((origin, _), cursor)| of_org(origin) && cursor.resetting_over.is_none());
        let seen = known.filter_map(|((origin, priority), cursor)| {
            Some(Witness { origin: *origin, priority: *priority, place: cursor.place? })
        });
        // A hub has all rows of its own.
        let org = self.shared.org(host);
        let at = Version { epoch: self.epoch.number, seq: self.log_head() };
        let own = Witness { origin: voice(org), priority: SyncPriority::Control, place: Place { at, mark: Mark(0) } };
        Ok(seen.chain(self.shared.is_primary(self.id, org).then_some(own)).collect())
    }
}
