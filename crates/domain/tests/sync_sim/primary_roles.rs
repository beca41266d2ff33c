//! Roles that one host has at a time and that move between hosts. A host takes a role when the previous host has
//! released it in its favour.
//!
//! A host with a restored disk has the roles that it had when the backup was made, and no other host can know this
//! before it connects. So the guarantee holds only while no disk was restored or copied; after that the check is
//! skipped.

use domain::{HostId, sync::frame::Row};

use crate::{
    bugs::DiskBug,
    rows::{Body, Key},
    runner_disk::RunnerDisk,
    world::World,
};

/// The number of roles.
pub(crate) const ROLES: u8 = 2;

fn key(role: u8) -> Key {
    ("role", role.to_string())
}

/// The term in which the host took the role.
fn term(row: &Row<Body>) -> u64 {
    row.body.fields[0].unwrap_or(0)
}

/// Whether this host has the role now.
fn has_role(disk: &RunnerDisk, role: u8) -> bool {
    disk.own.get(&key(role)).is_some_and(|row| row.body.member.is_none())
}

/// The next term, if another host has released the role in favour of this host.
fn offered(disk: &RunnerDisk, role: u8) -> Option<u64> {
    let mine = disk.own.get(&key(role)).map_or(0, term);
    let to_me = |row: &&Row<Body>| row.body.member == Some(disk.id);
    let of_role = disk.others.iter().filter(|((_, of), _)| *of == key(role)).map(|(_, row)| row);
    of_role.filter(to_me).map(|row| term(row) + 1).filter(|next| *next > mine).max()
}

impl World {
    /// Assigns the first host of each role.
    pub(crate) fn assign_roles(&mut self) {
        for role in 0..ROLES {
            let runner = usize::from(role) % 2;
            self.write_role(runner, role, 1, None);
        }
    }

    /// Moves a role from the host that has it to another one.
    pub(crate) fn move_role(&mut self, runner: usize) {
        let role = u8::try_from(self.dice.below(usize::from(ROLES))).expect("few");
        let disk = &self.runners[runner].disk;
        let Some(row) = disk.own.get(&key(role)).filter(|row| row.body.member.is_none()) else { return };
        let (term, id, org) = (term(row), disk.id, self.shared.org(disk.id));
        let others: Vec<HostId> =
            self.shared.hosts().into_iter().filter(|host| *host != id && self.shared.org(*host) == org).collect();
        let to = others[self.dice.below(others.len())];
        if self.shared.has(DiskBug::StartsWhenRequested) {
            // Both hosts get the request, and the next host starts immediately.
            let next = self.runners.iter().position(|runner| runner.disk.id == to).expect("a runner");
            self.write_role(next, role, term + 1, None);
        }
        self.write_role(runner, role, term, Some(to));
    }

    /// A host takes the roles that were released in its favour.
    pub(crate) fn take_roles(&mut self, runner: usize) {
        for role in 0..ROLES {
            if let Some(next) = offered(&self.runners[runner].disk, role) {
                self.write_role(runner, role, next, None);
            }
        }
    }

    fn write_role(&mut self, runner: usize, role: u8, term: u64, to: Option<HostId>) {
        let clock = self.now.as_micros() / 1_000 + self.runners[runner].skew;
        let (content, fields) = (self.shared.sound(), [Some(term), None]);
        let body = Body { content, clock, thread: 0, member: to, fields, bytes: 100 };
        self.write_all(runner, &[(key(role), body, false)], clock);
        self.check_roles();
    }

    /// Checks that no role is taken by two hosts.
    fn check_roles(&self) {
        if self.went_back {
            return;
        }
        for role in 0..ROLES {
            let at: Vec<HostId> = self
                .runners
                .iter()
                .map(|runner| &runner.disk)
                .filter(|disk| has_role(disk, role))
                .map(|disk| disk.id)
                .collect();
            if at.len() > 1 {
                self.shared.complain(format!("role {role} is taken by {} hosts", at.len()));
            }
        }
    }

    /// Finds the roles that no host has.
    pub(crate) fn unassigned_roles(&self, found: &mut Vec<String>) {
        if self.went_back {
            return;
        }
        let nowhere = |role: &u8| !self.runners.iter().any(|runner| has_role(&runner.disk, *role));
        found.extend((0..ROLES).filter(nowhere).map(|role| format!("no host has role {role}")));
    }
}
