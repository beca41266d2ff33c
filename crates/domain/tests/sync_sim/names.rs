//! Unique names. `alice@host` is a row of its host and never conflicts. The short name `alice` is assigned by one hub,
//! the primary hub of the org: the first host that requests it gets the name, and when that host no longer requests it,
//! the next one. The assignment is a row of the primary hub that is sent to all hosts. No request is rejected: a host
//! that did not get the name reads there who has it.
//!
//! Other hubs receive nothing from the primary hub. They learn the assignment from the owner, which stores in its own
//! row that it has the name.

use domain::{
    HostId,
    sync::{Mark, Version, frame::Row},
};

use crate::{
    bugs::DiskBug,
    hub_disk::{HubDisk, Kept},
    rows::{Body, Key, voice},
    runner_disk::RunnerDisk,
    world::World,
};

/// Names that several hosts request.
const NAMES: [&str; 2] = ["alice", "bob"];

/// A host's own row: a request for this name.
fn asked(name: &str) -> Key {
    ("name", name.to_owned())
}

/// The primary hub's row: the owner of the name.
fn alias(name: &str) -> Key {
    ("alias", name.to_owned())
}

fn asks(disk: &RunnerDisk, name: &str) -> bool {
    disk.own.get(&asked(name)).is_some_and(|row| !row.is_deleted)
}

fn owner_in(row: Option<&Row<Body>>) -> Option<HostId> {
    row.filter(|row| !row.is_deleted).and_then(|row| row.body.member)
}

impl HubDisk {
    /// Whether another host has requested the name, as far as this hub knows.
    pub(crate) fn is_taken(&self, origin: HostId, name: &str) -> bool {
        let org = self.shared.org(origin);
        let others = self.shared.hosts_of(org).into_iter().filter(|host| *host != origin);
        others.filter_map(|host| self.asks_since(host, name)).next().is_some()
    }

    /// Assigns each requested name to one of the requesting hosts, and takes it from a host that no longer requests it.
    /// An owner keeps its name even if another host's request reached another hub earlier.
    pub(crate) fn give_names(&mut self, org: u8, mark: Mark) {
        if !self.shared.is_primary(self.id, org) && !self.shared.has(DiskBug::EveryHubGivesNames) {
            return;
        }
        for name in NAMES {
            let owner = self.owner(org, name);
            if owner.is_some_and(|owner| self.asks_since(owner, name).is_some()) {
                continue;
            }
            let asking = self.shared.hosts_of(org).into_iter();
            let next = asking.filter_map(|host| Some((self.asks_since(host, name)?, host))).min().map(|(_, host)| host);
            if next != owner {
                self.say_name(org, name, next, mark);
            }
        }
    }

    /// Assigns all names again: a row received in a previous epoch does not override the row that a host has stored.
    pub(crate) fn give_names_anew(&mut self, mark: Mark) {
        if self.shared.has(DiskBug::NamesOfAnOldHistory) {
            return;
        }
        for org in self.shared.orgs() {
            for name in NAMES {
                if let Some(owner) = self.owner(org, name) {
                    self.say_name(org, name, Some(owner), mark);
                }
            }
        }
    }

    fn owner(&self, org: u8, name: &str) -> Option<HostId> {
        owner_in(self.rows.get(&(voice(org), alias(name))).map(|kept| &kept.row))
    }

    /// The log entry of a host's request for a name.
    fn asks_since(&self, host: HostId, name: &str) -> Option<u64> {
        self.rows.get(&(host, asked(name))).filter(|kept| !kept.row.is_deleted).map(|kept| kept.hseq)
    }

    fn say_name(&mut self, org: u8, name: &str, owner: Option<HostId>, mark: Mark) {
        let (key, content) = (alias(name), self.shared.sound());
        let body = Body { content, clock: 0, thread: 0, member: owner, fields: [None; 2], bytes: 100 };
        self.shared.wrote(voice(org), &key, &body);
        let hseq = self.append((voice(org), key.clone()), None);
        let version = Version { epoch: self.epoch.number, seq: hseq };
        let row = Row { table: key.0.into(), id: key.1.clone(), version, mark, is_deleted: owner.is_none(), body };
        self.rows.insert((voice(org), key), Kept { row, is_doubted: false, hseq });
    }
}

impl World {
    /// A host requests a name, or withdraws its request.
    pub(crate) fn ask_for_name(&mut self, runner: usize) {
        let name = NAMES[self.dice.below(NAMES.len())];
        let is_deleted = asks(&self.runners[runner].disk, name) && self.dice.below(2) == 0;
        self.note_name(runner, name, is_deleted);
    }

    /// A host stores which of its names the primary hub has assigned to it.
    pub(crate) fn note_names(&mut self, runner: usize) {
        for name in NAMES {
            let disk = &self.runners[runner].disk;
            let is_noted = owner_in(disk.own.get(&asked(name))).is_some();
            if asks(disk, name) && is_noted != self.is_called(disk, name) {
                self.note_name(runner, name, false);
            }
        }
    }

    fn is_called(&self, disk: &RunnerDisk, name: &str) -> bool {
        self.owner_by(disk, name) == Some(disk.id)
    }

    /// The owner of a name, as far as a host knows.
    fn owner_by(&self, disk: &RunnerDisk, name: &str) -> Option<HostId> {
        owner_in(disk.others.get(&(voice(self.shared.org(disk.id)), alias(name))))
    }

    fn note_name(&mut self, runner: usize, name: &str, is_deleted: bool) {
        let disk = &self.runners[runner].disk;
        let member = Some(disk.id).filter(|_| self.is_called(disk, name));
        let clock = self.now.as_micros() / 1_000 + self.runners[runner].skew;
        let body = Body { content: self.shared.sound(), clock, thread: 0, member, fields: [None; 2], bytes: 100 };
        self.write_all(runner, &[(asked(name), body, is_deleted)], clock);
    }

    /// All hosts and hubs agree on the owner of each name, the owner is one of the requesting hosts, and no request was
    /// parked.
    pub(crate) fn misnamed(&self, found: &mut Vec<String>) {
        for org in self.shared.orgs() {
            let hosts: Vec<&RunnerDisk> =
                self.runners.iter().map(|runner| &runner.disk).filter(|disk| self.shared.org(disk.id) == org).collect();
            for name in NAMES {
                let asking: Vec<HostId> = hosts.iter().filter(|disk| asks(disk, name)).map(|disk| disk.id).collect();
                let primary =
                    self.hubs.iter().find(|hub| self.shared.is_primary(hub.disk.id, org)).expect("every org has one");
                let owner = primary.disk.owner(org, name);
                if owner.is_none_or(|owner| !asking.contains(&owner)) && !(owner.is_none() && asking.is_empty()) {
                    found.push(format!("{name} is {owner:?}'s and asked for by {asking:?}"));
                }
                for disk in &hosts {
                    let known = self.owner_by(disk, name);
                    if known != owner {
                        found.push(format!("{name} is {owner:?}'s, and {known:?}'s at {:?}", disk.id));
                    }
                }
                for hub in &self.hubs {
                    let row = |disk: &&&RunnerDisk| hub.disk.rows.get(&(disk.id, asked(name)));
                    let known: Vec<HostId> = hosts
                        .iter()
                        .filter(|disk| owner_in(row(disk).map(|kept| &kept.row)).is_some())
                        .map(|disk| disk.id)
                        .collect();
                    if known != Vec::from_iter(owner) {
                        found.push(format!("{name} is {owner:?}'s, and of {known:?} at a hub"));
                    }
                    if hosts.iter().any(|disk| hub.disk.parked.contains_key(&(disk.id, asked(name)))) {
                        found.push(format!("a request for {name} was parked"));
                    }
                }
            }
        }
    }
}
