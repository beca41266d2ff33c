//! A simulated database of a runner. It survives a crash, and can be copied and restored.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    HostId, HubId,
    sync::{
        Budget, Mark, Place, SyncPriority, Version,
        frame::{EpochTicket, Forward, Reach, Received, Row, TableSum, Witness},
        origin::{OriginReplica, Page, beginning},
        table::{Kind, Writer},
    },
};

use crate::{
    bugs::DiskBug,
    rows::{Body, Crash, Key, Shared, key_of, merged, sums, table_of},
};

#[derive(Clone)]
pub(crate) struct RunnerDisk {
    pub(crate) id: HostId,
    pub(crate) shared: Shared,
    pub(crate) epoch: u32,
    priorities: [PriorityDisk; 2],
    pub(crate) own: BTreeMap<Key, Row<Body>>,
    pub(crate) others: BTreeMap<(HostId, Key), Row<Body>>,
    confirmed: BTreeMap<(HubId, SyncPriority), u64>,
    pub(crate) received: BTreeMap<HubId, Received>,
    doubt: BTreeMap<HubId, BTreeSet<(HostId, Key)>>,
    seen: BTreeMap<(HubId, HostId, SyncPriority), Place>,
    /// Rows whose transaction has assigned their numbers but has not committed.
    late: Vec<Row<Body>>,
}

#[derive(Clone, Default)]
struct PriorityDisk {
    head: u64,
    marks: BTreeMap<u64, Mark>,
    index: BTreeMap<(u64, Key), ()>,
    floor: u64,
}

impl RunnerDisk {
    pub(crate) fn new(id: HostId, shared: Shared) -> Self {
        Self {
            id,
            shared,
            epoch: 1,
            priorities: [PriorityDisk::default(), PriorityDisk::default()],
            own: BTreeMap::new(),
            others: BTreeMap::new(),
            confirmed: BTreeMap::new(),
            received: BTreeMap::new(),
            doubt: BTreeMap::new(),
            seen: BTreeMap::new(),
            late: Vec::new(),
        }
    }

    /// One transaction that writes or deletes rows. `clock` is the wall clock.
    pub(crate) fn write(&mut self, changes: &[(Key, Body, bool)], clock: i64) -> Result<(), Crash> {
        let mark = self.shared.mark();
        let shared = self.shared.clone();
        shared.write(|| self.commit(changes, mark, clock))
    }

    fn commit(&mut self, changes: &[(Key, Body, bool)], mark: Mark, clock: i64) {
        let late = std::mem::take(&mut self.late);
        let mut touched = BTreeSet::new();
        for (key, body, is_deleted) in changes {
            let priority = table_of(key.0).priority;
            let disk = &mut self.priorities[priority as usize];
            let is_first = touched.insert(priority);
            let seq = if self.shared.has(DiskBug::NumberedByClock) {
                // The clock has a resolution of fifty milliseconds.
                u64::try_from(clock / 50).unwrap_or(0).max(1)
            } else if self.shared.has(DiskBug::OneNumberPerTransaction) && !is_first {
                disk.head
            } else {
                disk.head + 1
            };
            disk.head = disk.head.max(seq);
            let version = Version { epoch: self.epoch, seq };
            let row = Row {
                table: key.0.into(),
                id: key.1.clone(),
                version,
                mark,
                is_deleted: *is_deleted,
                body: body.clone(),
            };
            disk.marks.insert(seq, mark);
            self.shared.wrote(self.id, key, body);
            if self.shared.has(DiskBug::LateCommit) && self.shared.unique().is_multiple_of(4) {
                self.late.push(row);
            } else {
                self.put(key.clone(), row);
            }
        }
        for row in late {
            let key = key_of(&row);
            if self.own.get(&key).is_none_or(|newer| newer.version < row.version) {
                self.put(key, row);
            }
        }
    }

    fn put(&mut self, key: Key, row: Row<Body>) {
        let index = &mut self.priorities[table_of(key.0).priority as usize].index;
        if let Some(before) = self.own.get(&key) {
            index.remove(&(before.version.seq, key.clone()));
        }
        if row.is_deleted && self.shared.has(DiskBug::HardDelete) {
            self.own.remove(&key);
            return;
        }
        index.insert((row.version.seq, key.clone()), ());
        self.own.insert(key, row);
    }

    /// Commits the pending rows.
    pub(crate) fn settle(&mut self) {
        self.commit(&[], Mark(0), 0);
    }

    /// Purges tombstones and confirmed log rows up to the position that all hubs have confirmed.
    pub(crate) fn forget(&mut self, hubs: &[HubId]) {
        for priority in SyncPriority::ALL {
            let known =
                hubs.iter().map(|hub| self.confirmed.get(&(*hub, *priority)).copied().unwrap_or(0)).min().unwrap_or(0);
            let upto =
                if self.shared.has(DiskBug::ForgetsEarly) { self.priorities[*priority as usize].head } else { known };
            let old: Vec<Key> = self
                .own
                .iter()
                .filter(|(key, row)| table_of(key.0).priority == *priority && row.version.seq <= upto)
                .filter(|(key, row)| row.is_deleted || key.0 == "log")
                .map(|(key, _)| key.clone())
                .collect();
            if old.is_empty() {
                continue;
            }
            let is_early = self.shared.has(DiskBug::ForgetsEarly);
            let disk = &mut self.priorities[*priority as usize];
            disk.floor = if is_early { disk.floor } else { disk.floor.max(upto) };
            for key in old {
                if let Some(row) = self.own.remove(&key) {
                    disk.index.remove(&(row.version.seq, key));
                }
            }
        }
    }

    fn take_row(&mut self, hub: HubId, origin: HostId, row: &Row<Body>) {
        let key = (origin, key_of(row));
        if self.shared.org(origin) != self.shared.org(self.id) {
            self.shared.complain(format!("{key:?} reached another org"));
        }
        if key.1.0 == "message" && !self.shared.was_member(row.body.thread, self.id) {
            self.shared.complain(format!("{key:?} reached a host that is not in its thread"));
        }
        let priority = table_of(key.1.0).priority;
        let place = Place { at: row.version, mark: row.mark };
        // Positions are stored for each hub: two hubs may have received two diverged histories of a host, and the
        // higher position proves nothing about the other. The position of a hub's own history is stored in `received`.
        if table_of(key.1.0).writer == Writer::Runner {
            self.seen.entry((hub, origin, priority)).and_modify(|seen| *seen = (*seen).max(place)).or_insert(place);
        }
        let before = self.others.get(&key);
        let is_newer = match before {
            None => true,
            Some(_) if self.shared.has(DiskBug::NoGuard) => true,
            Some(before) if self.shared.has(DiskBug::GuardByClock) => row.body.clock >= before.body.clock,
            Some(before) => row.version > before.version,
        };
        let row = match (table_of(key.1.0).kind, before) {
            (Kind::Merge, Some(before)) => {
                let body = merged(&before.body, &row.body);
                Row { version: row.version.max(before.version), body, ..row.clone() }
            }
            (Kind::Archive, Some(_)) => return,
            _ if !is_newer => return,
            _ => row.clone(),
        };
        if before.is_some_and(|before| before.version > row.version) {
            self.shared.complain(format!(
                "{key:?} went back from {:?} to {:?}",
                before.map(|b| b.version),
                row.version
            ));
        }
        if self.shared.has(DiskBug::Echo) {
            let changes = [(key.1.clone(), row.body.clone(), row.is_deleted)];
            self.commit(&changes, row.mark, row.body.clock);
        }
        self.others.insert(key, row);
    }
}

impl OriginReplica for RunnerDisk {
    type Body = Body;
    type Error = Crash;

    fn epoch(&self) -> Result<u32, Crash> {
        Ok(self.epoch)
    }

    fn reach(&self, priority: SyncPriority) -> Result<Reach, Crash> {
        let disk = &self.priorities[priority as usize];
        let head = match disk.marks.get(&disk.head) {
            Some(mark) => Place { at: Version { epoch: self.epoch, seq: disk.head }, mark: *mark },
            None => beginning(self.epoch),
        };
        Ok(Reach { head, floor: disk.floor })
    }

    fn mark(&self, priority: SyncPriority, seq: u64) -> Result<Option<Mark>, Crash> {
        Ok(self.priorities[priority as usize].marks.get(&seq).copied())
    }

    fn page(&self, priority: SyncPriority, after: u64, budget: Budget) -> Result<Page<Body>, Crash> {
        let disk = &self.priorities[priority as usize];
        let head = self.reach(priority)?.head;
        let (mut rows, mut bytes, mut has_more) = (Vec::<Row<Body>>::new(), 0, false);
        let mut of_table: BTreeMap<&str, u32> = BTreeMap::new();
        for (seq, key) in disk.index.range((after + 1, ("", String::new()))..).map(|(place, ())| place) {
            let row = &self.own[key];
            let is_full = if self.shared.has(DiskBug::LimitPerTable) {
                let count = of_table.entry(key.0).or_default();
                *count += 1;
                *count > budget.rows
            } else {
                rows.len() >= budget.rows as usize
                    || !rows.is_empty() && bytes + row.body.bytes > budget.bytes && !self.shared.has(DiskBug::NoBudget)
            };
            if is_full {
                has_more = true;
                if self.shared.has(DiskBug::LimitPerTable) {
                    continue;
                }
                break;
            }
            debug_assert_eq!(*seq, row.version.seq);
            bytes += row.body.bytes;
            rows.push(row.clone());
        }
        let upto = match rows.iter().map(|row| row.version).max() {
            Some(at) if has_more => Place { at, mark: disk.marks.get(&at.seq).copied().unwrap_or(Mark(0)) },
            _ => head,
        };
        Ok(Page { rows, upto, has_more })
    }

    fn renumber(&mut self, epoch: u32) -> Result<(), Crash> {
        let shared = self.shared.clone();
        shared.write(|| {
            self.epoch = epoch;
            self.priorities = [PriorityDisk::default(), PriorityDisk::default()];
            self.confirmed.clear();
            let mark = self.shared.mark();
            let mut rows: Vec<Row<Body>> = std::mem::take(&mut self.own).into_values().collect();
            rows.sort_by_key(|row| row.version);
            for row in rows {
                let key = key_of(&row);
                let disk = &mut self.priorities[table_of(key.0).priority as usize];
                disk.head += 1;
                disk.marks.insert(disk.head, mark);
                let version = Version { epoch, seq: disk.head };
                self.put(key, Row { version, mark, ..row });
            }
        })
    }

    fn sums(&self, priority: SyncPriority) -> Result<Vec<TableSum>, Crash> {
        Ok(sums(priority, self.own.values()))
    }

    fn confirm(&mut self, hub: HubId, priority: SyncPriority, place: Place) -> Result<(), Crash> {
        let shared = self.shared.clone();
        // The position may be lower than before if the hub was restored from a backup.
        shared.write(|| {
            self.confirmed.insert((hub, priority), place.at.seq);
        })
    }

    fn received(&self, hub: HubId) -> Result<Option<Received>, Crash> {
        Ok(self.received.get(&hub).copied())
    }

    fn is_doubting(&self, hub: HubId) -> Result<bool, Crash> {
        Ok(self.doubt.get(&hub).is_some_and(|doubt| !doubt.is_empty()))
    }

    fn seen(&self) -> Result<Vec<Witness>, Crash> {
        Ok(self
            .seen
            .iter()
            .map(|((_, origin, priority), place)| Witness { origin: *origin, priority: *priority, place: *place })
            .collect())
    }

    fn take(&mut self, hub: HubId, forward: &Forward<Body>) -> Result<(), Crash> {
        let shared = self.shared.clone();
        shared.write(|| {
            if self.received.get(&hub).is_none_or(|received| received.hub != forward.hub) {
                let mirrors = self
                    .others
                    .iter()
                    .filter(|((_, key), row)| table_of(key.0).kind == Kind::Mirror && !row.is_deleted);
                // This hub does not know the rows that another hub wrote.
                let is_primary = self.shared.is_primary(hub, self.shared.org(self.id));
                let doubtful = mirrors.filter(|((_, key), _)| is_primary || table_of(key.0).writer == Writer::Runner);
                let doubted = doubtful.map(|(key, _)| key.clone()).collect();
                self.doubt.insert(hub, doubted);
            }
            for (origin, row) in &forward.rows {
                self.take_row(hub, *origin, row);
                let key = (*origin, key_of(row));
                // An older version than the stored one does not confirm it: it may belong to an abandoned history.
                let is_confirmed = self.others.get(&key).is_some_and(|stored| stored.version == row.version)
                    || self.shared.has(DiskBug::AnyStateEndsDoubt);
                if let Some(doubt) = self.doubt.get_mut(&hub).filter(|_| is_confirmed) {
                    doubt.remove(&key);
                }
            }
            let mut doubt = self.doubt.remove(&hub).unwrap_or_default();
            for known in &forward.complete {
                doubt.retain(|key| {
                    let is_theirs = key.0 == known.origin && table_of(key.1.0).priority == known.priority;
                    let is_gone = is_theirs && self.others.get(key).is_some_and(|row| row.version <= known.place.at);
                    if is_gone {
                        // Removed without a tombstone: the row may only have stopped concerning this host, and the same
                        // version may be sent again.
                        self.others.remove(key);
                    }
                    !is_gone
                });
            }
            self.doubt.insert(hub, doubt);
            self.received.insert(
                hub,
                Received {
                    hub: forward.hub,
                    hseq: forward.upto,
                    mark: forward.mark,
                    ticket: Some(EpochTicket([0; 64])),
                },
            );
        })
    }
}
