//! What runs at one place only, and moves: a host takes over when the one before it has said that it let go, and to whom.
//!
//! A disk that is put back runs what it ran then, and nobody can know that it does before it is heard of again. So this is
//! promised of machines whose disks only go forward; after one went back, the others are no longer looked at.

use domain::{HostId, sync::frame::Row};

use crate::{
    bugs::DiskBug,
    rows::{Body, Key},
    runner_disk::RunnerDisk,
    world::World,
};

/// Things that have one place each.
pub(crate) const SEATS: u8 = 2;

fn key(seat: u8) -> Key {
    ("seat", seat.to_string())
}

/// Which time it is that the seat is taken.
fn turn(row: &Row<Body>) -> u64 {
    row.body.fields[0].unwrap_or(0)
}

/// Whether this host runs it now.
fn runs(disk: &RunnerDisk, seat: u8) -> bool {
    disk.own.get(&key(seat)).is_some_and(|row| row.body.member.is_none())
}

/// The turn that is this host's next, if another host has let go in its favour.
fn offered(disk: &RunnerDisk, seat: u8) -> Option<u64> {
    let mine = disk.own.get(&key(seat)).map_or(0, turn);
    let to_me = |row: &&Row<Body>| row.body.member == Some(disk.id);
    let of_seat = disk.others.iter().filter(|((_, of), _)| *of == key(seat)).map(|(_, row)| row);
    of_seat.filter(to_me).map(|row| turn(row) + 1).filter(|next| *next > mine).max()
}

impl World {
    /// Everything has its first place.
    pub(crate) fn seat_all(&mut self) {
        for seat in 0..SEATS {
            let runner = usize::from(seat) % 2;
            self.sit(runner, seat, 1, None);
        }
    }

    /// Somebody moves a thing from the host that has it.
    pub(crate) fn move_seat(&mut self, runner: usize) {
        let seat = u8::try_from(self.dice.below(usize::from(SEATS))).expect("few");
        let disk = &self.runners[runner].disk;
        let Some(row) = disk.own.get(&key(seat)).filter(|row| row.body.member.is_none()) else { return };
        let (turn, id, org) = (turn(row), disk.id, self.shared.org(disk.id));
        let others: Vec<HostId> =
            self.shared.hosts().into_iter().filter(|host| *host != id && self.shared.org(*host) == org).collect();
        let to = others[self.dice.below(others.len())];
        if self.shared.has(DiskBug::StartsWhenTold) {
            // Both are told; the one that is to begin does so at once.
            let next = self.runners.iter().position(|runner| runner.disk.id == to).expect("it is there");
            self.sit(next, seat, turn + 1, None);
        }
        self.sit(runner, seat, turn, Some(to));
    }

    /// A host takes what was let go in its favour.
    pub(crate) fn take_seats(&mut self, runner: usize) {
        for seat in 0..SEATS {
            if let Some(next) = offered(&self.runners[runner].disk, seat) {
                self.sit(runner, seat, next, None);
            }
        }
    }

    fn sit(&mut self, runner: usize, seat: u8, turn: u64, to: Option<HostId>) {
        let clock = self.now.as_micros() / 1_000 + self.runners[runner].skew;
        let (content, fields) = (self.shared.sound(), [Some(turn), None]);
        let body = Body { content, clock, thread: 0, member: to, fields, bytes: 100 };
        self.write_all(runner, &[(key(seat), body, false)], clock);
        self.look_at_seats();
    }

    /// Nothing runs at two places.
    fn look_at_seats(&self) {
        if self.went_back {
            return;
        }
        for seat in 0..SEATS {
            let at: Vec<HostId> = self
                .runners
                .iter()
                .map(|runner| &runner.disk)
                .filter(|disk| runs(disk, seat))
                .map(|disk| disk.id)
                .collect();
            if at.len() > 1 {
                self.shared.complain(format!("{seat} runs at {} places", at.len()));
            }
        }
    }

    /// Everything runs somewhere.
    pub(crate) fn unseated(&self, found: &mut Vec<String>) {
        if self.went_back {
            return;
        }
        let nowhere = |seat: &u8| !self.runners.iter().any(|runner| runs(&runner.disk, *seat));
        found.extend((0..SEATS).filter(nowhere).map(|seat| format!("{seat} runs nowhere")));
    }
}
