//! Runners, hubs and the links between them, driven by random events.

use std::collections::{BTreeSet, VecDeque};

use domain::{
    HostId, HubId, Span, Timestamp,
    sync::{
        SchemaRange, SyncPriority,
        frame::{FromHub, FromOrigin},
        hub::{self, HubReplica as _, HubSync},
        origin::{self, OriginReplica as _, OriginSync},
        table::{Kind, Writer},
    },
};

use crate::{
    bugs::DiskBug,
    hub_disk::HubDisk,
    rows::{Body, Crash, Key, Shared, is_bad, table_of},
    runner_disk::RunnerDisk,
};

const SCHEMA: SchemaRange = SchemaRange { min: 1, version: 2 };
/// A larger frame drops its link.
const FRAME_BYTES_MAX: u32 = 1_500_000;
/// All rows must arrive within this many rounds without faults.
const ROUNDS_MAX: u32 = 300;

/// Pseudo-random numbers; the same for the same seed.
#[derive(Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(most.max(1)).expect("small")).expect("small")
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.next().is_multiple_of(many)
    }
}

pub(crate) struct Runner {
    pub(crate) disk: RunnerDisk,
    backup: Option<RunnerDisk>,
    /// The same machine a second time, from a copied disk.
    twin: Option<RunnerDisk>,
    /// The wall clock minus the true time, in milliseconds.
    pub(crate) skew: i64,
}

pub(crate) struct Hub {
    pub(crate) disk: HubDisk,
    backup: Option<HubDisk>,
}

struct Link {
    origin: OriginSync,
    hub: HubSync,
    to_hub: VecDeque<FromOrigin<Body>>,
    to_runner: VecDeque<FromHub<Body>>,
}

pub(crate) struct World {
    pub(crate) dice: Dice,
    pub(crate) shared: Shared,
    pub(crate) now: Timestamp,
    pub(crate) runners: Vec<Runner>,
    pub(crate) hubs: Vec<Hub>,
    links: Vec<Vec<Option<Link>>>,
    /// Whether the two sides compare checksums.
    compares: bool,
    /// Whether a runner's disk was ever restored or copied.
    pub(crate) went_back: bool,
    pub(crate) faults: u64,
}

fn bytes(response: &FromOrigin<Body>) -> u32 {
    match response {
        FromOrigin::Response(page) => page.rows.iter().map(|row| row.body.bytes).sum(),
        _ => 0,
    }
}

impl World {
    pub(crate) fn new(seed: u64, bug: Option<DiskBug>) -> Self {
        let mut dice = Dice::new(seed);
        let shared = Shared::new(bug);
        // Small worlds repeat situations more often and find more bugs; some worlds are large.
        let is_large = dice.one_in(4);
        let count = 2 + dice.below(if is_large { 4 } else { 3 });
        let runners: Vec<Runner> = (0..count)
            .map(|number| {
                let id = HostId::from_bytes([u8::try_from(number).expect("few") + 1; 16]);
                // The fourth runner belongs to another org.
                shared.join(id, u8::from(number == 3));
                let skew = i64::try_from(dice.below(20_000)).expect("small") - 10_000;
                Runner { disk: RunnerDisk::new(id, shared.clone()), backup: None, twin: None, skew }
            })
            .collect();
        let hubs: Vec<Hub> = (0..=dice.below(if is_large { 3 } else { 2 }))
            .map(|number| {
                let id = HubId::from_bytes([u8::try_from(number).expect("few") + 101; 16]);
                Hub { disk: HubDisk::new(id, shared.clone()), backup: None }
            })
            .collect();
        // The two orgs may have different primary hubs.
        for (org, primary) in [(0, hubs.first()), (1, hubs.last())] {
            shared.set_primary(org, primary.expect("there is one").disk.id);
        }
        let links = runners.iter().map(|_| hubs.iter().map(|_| None).collect()).collect();
        Self {
            dice,
            shared,
            now: Timestamp::from_micros(1_000_000_000_000),
            runners,
            hubs,
            links,
            compares: false,
            went_back: false,
            faults: 0,
        }
    }

    /// Runs this many random events, then lets the world converge; returns the violations and the number of faults.
    pub(crate) fn run(mut self, steps: u32) -> (Vec<String>, u64) {
        self.assign_roles();
        for _ in 0..steps {
            self.step();
        }
        self.shared.put_out();
        self.runners.iter_mut().for_each(|runner| runner.disk.settle());
        self.converge("after all went well again");
        // An unknown table must not have blocked a hub; after the upgrade the hub has its rows.
        self.hubs.iter_mut().for_each(|hub| hub.disk.update());
        self.converge("after all were updated");
        if self.shared.violations().is_empty() && self.dice.one_in(3) {
            // A disk loses a row: the checksums differ, and the row is sent again.
            let (hub, number) = (self.dice.below(self.hubs.len()), self.dice.below(1_000));
            if self.hubs[hub].disk.rot(number) {
                self.faults += 1;
                self.compares = true;
                self.links.iter_mut().flatten().for_each(|link| *link = None);
                self.round();
                self.now = self.now + Span::from_secs(4_000);
                self.converge("after a disk lost a row");
            }
        }
        if self.shared.violations().is_empty() {
            // A hub can be wiped at any time: the runners send their rows again.
            let hub = self.dice.below(self.hubs.len());
            self.wipe(hub);
            self.converge("after a hub was wiped");
        }
        (self.shared.violations(), self.faults)
    }

    fn step(&mut self) {
        self.now = self.now + Span::from_millis(i64::try_from(self.dice.below(900)).expect("small"));
        let (runner, hub) = (self.dice.below(self.runners.len()), self.dice.below(self.hubs.len()));
        match self.dice.below(100) {
            0..=18 => self.write(runner),
            19 | 20 => self.ask_for_name(runner),
            21 | 22 => self.move_role(runner),
            23 | 24 => {
                self.take_roles(runner);
                self.note_names(runner);
            }
            25..=69 => self.deliver(runner, hub),
            70..=78 => self.tick(runner, hub),
            79..=84 => self.connect(runner, hub),
            85 => self.fault(|world| world.links[runner][hub] = None),
            86 => self.fault(|world| world.lose(runner, hub)),
            87 => self.fault(|world| world.double(runner, hub)),
            88 | 89 => {
                // The next process that writes crashes.
                self.faults += 1;
                let writes = u32::try_from(self.dice.below(6)).expect("small");
                self.shared.light(writes);
            }
            90 => {
                let hubs: Vec<HubId> = self.hubs.iter().map(|hub| hub.disk.id).collect();
                self.runners[runner].disk.forget(&hubs);
            }
            91 | 92 => self.runners[runner].backup = Some(self.runners[runner].disk.clone()),
            93 => self.fault(|world| world.restore_runner(runner)),
            94 => self.hubs[hub].backup = Some(self.hubs[hub].disk.clone()),
            95 => self.fault(|world| world.restore_hub(hub)),
            96 if self.dice.one_in(3) => self.fault(|world| world.wipe(hub)),
            97 => {
                // The clock is changed.
                self.faults += 1;
                self.runners[runner].skew = i64::try_from(self.dice.below(20_000)).expect("small") - 10_000;
            }
            98 => self.hubs[hub].disk.update(),
            _ if self.dice.one_in(2) => self.fault(|world| world.twin(runner)),
            _ => self.runners[runner].disk.settle(),
        }
    }

    /// Copies the disk of a runner, or swaps it with the copy: two machines with the same host id.
    fn twin(&mut self, runner: usize) {
        self.went_back = true;
        let one = &mut self.runners[runner];
        match one.twin.take() {
            None => one.twin = Some(one.disk.clone()),
            Some(other) => one.twin = Some(std::mem::replace(&mut one.disk, other)),
        }
        self.crash_runner(runner);
    }

    fn fault(&mut self, fault: impl FnOnce(&mut Self)) {
        self.faults += 1;
        fault(self);
    }

    /// A transaction of a runner that creates, changes and deletes rows.
    fn write(&mut self, runner: usize) {
        let count = if self.dice.one_in(12) { 40 } else { 1 + self.dice.below(4) };
        let clock = self.now.as_micros() / 1_000 + self.runners[runner].skew;
        let mut changes: Vec<(Key, Body, bool)> = Vec::new();
        let mut keys = BTreeSet::new();
        for _ in 0..count {
            let change = self.change(runner, clock);
            if keys.insert(change.0.clone()) {
                changes.push(change);
            }
        }
        self.write_all(runner, &changes, clock);
    }

    pub(crate) fn write_all(&mut self, runner: usize, changes: &[(Key, Body, bool)], clock: i64) {
        let touched: BTreeSet<SyncPriority> = changes.iter().map(|(key, ..)| table_of(key.0).priority).collect();
        if self.runners[runner].disk.write(changes, clock).is_err() {
            return self.crash_runner(runner);
        }
        for hub in 0..self.hubs.len() {
            for priority in &touched {
                self.runner_hears(runner, hub, origin::OriginInput::Changed(*priority));
            }
        }
    }

    fn change(&mut self, runner: usize, clock: i64) -> (Key, Body, bool) {
        let (content, thread) = (self.shared.unique(), u8::try_from(self.dice.below(3)).expect("small"));
        let hosts = self.shared.hosts();
        let somebody = hosts[self.dice.below(hosts.len())];
        let bytes = if self.dice.one_in(25) { 700_000 } else { 100 };
        let mut body = Body { content, clock, thread, member: None, fields: [None; 2], bytes };
        let fresh = content.to_string();
        let few = |dice: &mut Dice, most| dice.below(most).to_string();
        let (table, id): (&'static str, String) = match self.dice.below(20) {
            0..=3 => ("host", few(&mut self.dice, 3)),
            4..=7 => ("run", few(&mut self.dice, 12)),
            8..=11 => ("log", fresh),
            12 | 13 => ("usage", fresh),
            14 => ("member", few(&mut self.dice, 4)),
            15 | 16 => ("message", fresh),
            17 => ("delivery", few(&mut self.dice, 3)),
            18 => ("novel", few(&mut self.dice, 3)),
            _ => ("policy", few(&mut self.dice, 2)),
        };
        if matches!(table, "member" | "host") {
            body.member = Some(somebody);
        }
        let key = (table, id);
        let before = self.runners[runner].disk.own.get(&key);
        match table_of(table).kind {
            Kind::Merge => {
                let mut fields = before.map_or([None; 2], |row| row.body.fields);
                let place = self.dice.below(2);
                fields[place] = Some(fields[place].unwrap_or(content));
                body.fields = fields;
                // Merged rows have no other content.
                body.content = 1;
                (key, body, false)
            }
            Kind::Mirror => {
                let is_deleted = before.is_some_and(|row| !row.is_deleted) && self.dice.one_in(4);
                (key, body, is_deleted)
            }
            Kind::Archive => (key, body, false),
        }
    }

    fn connect(&mut self, runner: usize, hub: usize) {
        let (host, id) = (self.runners[runner].disk.id, self.hubs[hub].disk.id);
        let hub_side = HubSync::new(host, SCHEMA, self.now);
        let link = Link {
            origin: OriginSync::new(id, SCHEMA),
            // Comparing checksums would repair the errors that the protocol must not make.
            hub: if self.compares { hub_side } else { hub_side.without_checks() },
            to_hub: VecDeque::new(),
            to_runner: VecDeque::new(),
        };
        self.links[runner][hub] = Some(link);
        self.runner_hears(runner, hub, origin::OriginInput::Linked);
    }

    fn tick(&mut self, runner: usize, hub: usize) {
        self.now = self.now + Span::from_secs(u32::try_from(self.dice.below(12)).expect("small"));
        self.hub_hears(runner, hub, hub::HubInput::Tick);
    }

    /// Delivers the oldest frame in one direction.
    fn deliver(&mut self, runner: usize, hub: usize) {
        let Some(link) = &mut self.links[runner][hub] else { return };
        let is_up = self.dice.one_in(2);
        if is_up && let Some(frame) = link.to_hub.pop_front() {
            if bytes(&frame) > FRAME_BYTES_MAX {
                self.links[runner][hub] = None;
                return;
            }
            self.hub_hears(runner, hub, hub::HubInput::Received(frame));
        } else if let Some(frame) = link.to_runner.pop_front() {
            self.runner_hears(runner, hub, origin::OriginInput::Received(frame));
        }
    }

    /// Loses a frame, but never the first one of a link.
    fn lose(&mut self, runner: usize, hub: usize) {
        if let Some(link) = &mut self.links[runner][hub] {
            if !matches!(link.to_hub.front(), Some(FromOrigin::CatchUp { .. })) {
                link.to_hub.pop_front();
            }
            link.to_runner.pop_front();
        }
    }

    fn double(&mut self, runner: usize, hub: usize) {
        if let Some(link) = &mut self.links[runner][hub] {
            link.to_hub.extend(link.to_hub.front().cloned());
            link.to_runner.extend(link.to_runner.front().cloned());
        }
    }

    fn runner_hears(&mut self, runner: usize, hub: usize, input: origin::OriginInput<Body>) {
        let Some(link) = &mut self.links[runner][hub] else { return };
        match link.origin.handle(&mut self.runners[runner].disk, input) {
            Ok(frames) => link.to_hub.extend(frames),
            Err(Crash) => self.crash_runner(runner),
        }
    }

    fn hub_hears(&mut self, runner: usize, hub: usize, input: hub::HubInput<Body>) {
        let Some(link) = &mut self.links[runner][hub] else { return };
        let before = self.hubs[hub].disk.log_head();
        match link.hub.handle(&mut self.hubs[hub].disk, self.now, input) {
            Ok(frames) => link.to_runner.extend(frames),
            Err(Crash) => return self.crash_hub(hub),
        }
        if self.hubs[hub].disk.log_head() > before {
            for other in (0..self.runners.len()).filter(|other| *other != runner) {
                self.hub_hears(other, hub, hub::HubInput::Changed);
            }
        }
    }

    fn crash_runner(&mut self, runner: usize) {
        self.links[runner].iter_mut().for_each(|link| *link = None);
    }

    fn crash_hub(&mut self, hub: usize) {
        self.links.iter_mut().for_each(|links| links[hub] = None);
    }

    fn restore_runner(&mut self, runner: usize) {
        if let Some(backup) = self.runners[runner].backup.clone() {
            self.runners[runner].disk = backup;
            self.went_back = true;
            self.crash_runner(runner);
        }
    }

    fn restore_hub(&mut self, hub: usize) {
        if let Some(backup) = self.hubs[hub].backup.clone() {
            self.hubs[hub].disk = backup;
            self.crash_hub(hub);
        }
    }

    fn wipe(&mut self, hub: usize) {
        let old = &self.hubs[hub].disk;
        let (id, is_updated) = (old.id, old.is_updated);
        let mut empty = HubDisk::new(id, self.shared.clone());
        empty.is_updated = is_updated;
        self.hubs[hub].disk = empty;
        self.crash_hub(hub);
    }

    /// No more faults: all rows must arrive within a limited number of rounds.
    fn converge(&mut self, when: &str) {
        let mut left = Vec::new();
        for _ in 0..ROUNDS_MAX {
            self.round();
            left = self.differences();
            if left.is_empty() {
                break;
            }
        }
        for what in left.into_iter().take(5) {
            self.shared.complain(format!("{when}: {what}"));
        }
        self.inspect(when);
    }

    fn round(&mut self) {
        self.now = self.now + Span::from_secs(6);
        for runner in 0..self.runners.len() {
            for hub in 0..self.hubs.len() {
                if self.links[runner][hub].is_none() {
                    self.connect(runner, hub);
                }
                self.hub_hears(runner, hub, hub::HubInput::Tick);
                // Limits the frames, to detect two sides that exchange messages forever.
                for _ in 0..60 {
                    let link = self.links[runner][hub].as_ref();
                    if link.is_none_or(|link| link.to_hub.is_empty() && link.to_runner.is_empty()) {
                        break;
                    }
                    self.deliver(runner, hub);
                }
            }
            self.take_roles(runner);
            self.note_names(runner);
        }
    }

    /// The differences between runners and hubs.
    fn differences(&self) -> Vec<String> {
        let mut found = Vec::new();
        for runner in &self.runners {
            for hub in &self.hubs {
                self.compare_up(&runner.disk, &hub.disk, &mut found);
                self.compare_down(&runner.disk, &hub.disk, &mut found);
                compare_places(&runner.disk, &hub.disk, &mut found);
                self.compare_usage(&runner.disk, &hub.disk, &mut found);
            }
        }
        self.unassigned_roles(&mut found);
        self.misnamed(&mut found);
        found
    }

    /// The totals of usage rows are equal. A host whose disk was restored may have lost some of its own.
    fn compare_usage(&self, runner: &RunnerDisk, hub: &HubDisk, found: &mut Vec<String>) {
        let used = |rows: &mut dyn Iterator<Item = (&Key, &Body)>| -> u64 {
            rows.filter(|(key, body)| key.0 == "usage" && !is_bad(body)).map(|(_, body)| body.content).sum()
        };
        let here = used(&mut runner.own.iter().map(|(key, row)| (key, &row.body)));
        let of_runner = hub.rows.iter().filter(|((origin, _), _)| *origin == runner.id);
        let there = used(&mut of_runner.map(|((_, key), kept)| (key, &kept.row.body)));
        if there < here || there > here && !self.went_back {
            found.push(format!("{} used {here}, the hub says {there}", short(runner.id)));
        }
    }

    /// The hub has every row of the runner and, in mirrored tables, no others.
    fn compare_up(&self, runner: &RunnerDisk, hub: &HubDisk, found: &mut Vec<String>) {
        for (key, row) in &runner.own {
            let kept = hub.rows.get(&(runner.id, key.clone())).map(|kept| &kept.row);
            let kind = table_of(key.0).kind;
            if is_bad(&row.body) || key.0 == "policy" || key.0 == "novel" && !hub.is_updated {
                continue;
            }
            let is_same = match (kind, kept) {
                (Kind::Mirror, kept) if row.is_deleted => kept.is_none_or(|kept| kept.is_deleted),
                (_, None) => false,
                (Kind::Mirror, Some(kept)) => kept.version == row.version && kept.body == row.body && !kept.is_deleted,
                (Kind::Archive, Some(kept)) => kept.body == row.body,
                (Kind::Merge, Some(kept)) => {
                    row.body.fields.iter().zip(&kept.body.fields).all(|(own, theirs)| own.is_none() || theirs.is_some())
                }
            };
            if !is_same {
                found.push(format!("a hub has not {key:?} of {} at {:?}: {kept:?}", short(runner.id), row.version));
            }
        }
        for ((origin, key), kept) in hub.rows.iter().filter(|((origin, _), _)| *origin == runner.id) {
            let is_extra = table_of(key.0).kind == Kind::Mirror
                && !kept.row.is_deleted
                && runner.own.get(key).is_none_or(|row| row.is_deleted)
                && !self.is_put_aside(runner.id, key);
            if is_extra {
                found.push(format!("a hub still has {key:?} of {}", short(*origin)));
            }
        }
    }

    /// Whether a row breaks a rule of its table. Such a row is parked, not applied: some hubs still have its previous
    /// version and others do not.
    fn is_put_aside(&self, origin: HostId, key: &Key) -> bool {
        let runner = self.runners.iter().find(|runner| runner.disk.id == origin);
        runner.and_then(|runner| runner.disk.own.get(key)).is_some_and(|row| is_bad(&row.body))
    }

    /// The runner has every row of the hub that concerns it.
    fn compare_down(&self, runner: &RunnerDisk, hub: &HubDisk, found: &mut Vec<String>) {
        let of_org = |origin: &HostId| *origin != runner.id && self.shared.org(*origin) == self.shared.org(runner.id);
        for ((origin, key), kept) in hub.rows.iter().filter(|((origin, _), _)| of_org(origin)) {
            if !hub.concerns(key, &kept.row, runner.id) || self.is_put_aside(*origin, key) {
                continue;
            }
            let own = runner.others.get(&(*origin, key.clone()));
            let is_same = match own {
                None => kept.row.is_deleted,
                Some(own) if kept.row.is_deleted => own.is_deleted,
                Some(own) => !own.is_deleted && (table_of(key.0).kind != Kind::Mirror || own.body == kept.row.body),
            };
            if !is_same {
                found.push(format!(
                    "{} has not {key:?} of {}: {own:?} but {:?}",
                    short(runner.id),
                    short(*origin),
                    kept.row
                ));
            }
        }
        for ((origin, key), own) in &runner.others {
            let is_extra = table_of(key.0).forward == domain::sync::table::ForwardTo::Everybody
                && table_of(key.0).kind == Kind::Mirror
                && !own.is_deleted
                && !self.is_put_aside(*origin, key)
                && (table_of(key.0).writer == Writer::Runner
                    || self.shared.is_primary(hub.id, self.shared.org(runner.id)))
                && hub.rows.get(&(*origin, key.clone())).is_none_or(|kept| kept.row.is_deleted);
            if is_extra {
                found.push(format!("{} still has {key:?} of {}", short(runner.id), short(*origin)));
            }
        }
    }

    /// Invariants that hold at any time.
    fn inspect(&self, when: &str) {
        for hub in &self.hubs {
            for ((origin, key), kept) in &hub.disk.rows {
                let is_known = self.shared.was_written(*origin, key, &kept.row.body);
                if !is_known {
                    self.shared.complain(format!("{when}: {key:?} was never written by {}", short(*origin)));
                }
                if key.0 == "policy" {
                    self.shared.complain(format!("{when}: a runner wrote {key:?}"));
                }
            }
        }
    }
}

/// The hub's cursor is at the runner's last position.
fn compare_places(runner: &RunnerDisk, hub: &HubDisk, found: &mut Vec<String>) {
    for priority in SyncPriority::ALL {
        let head = runner.reach(*priority).expect("reads").head;
        let place = hub.cursor(runner.id, *priority).expect("reads").place;
        if place.unwrap_or(origin::beginning(1)) != head {
            found.push(format!("{priority} of {} is at {head:?}, the hub at {place:?}", short(runner.id)));
        }
    }
}

fn short(id: HostId) -> u8 {
    id.to_bytes()[0]
}
