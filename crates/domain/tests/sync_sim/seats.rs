//! Seats: objects that run at one place and move between hosts. A host takes a seat when the previous host has released
//! it in its favour.
//!
//! A restored disk runs the objects that it ran when the backup was made, and no other host can know this before it
//! connects. So the guarantee holds only while no disk was restored or copied; after that the check is skipped.

use domain::{HostId, sync::frame::Row};

use crate::{
    bugs::DiskBug,
    rows::{Body, Key},
    runner_disk::RunnerDisk,
    world::World,
};

/// The number of seats.
pub(crate) const SEATS: u8 = 2;

fn key(seat: u8) -> Key {
    ("seat", seat.to_string())
}

/// The number of the turn in which the seat was taken.
fn turn(row: &Row<Body>) -> u64 {
    row.body.fields[0].unwrap_or(0)
}

/// Whether this host has the seat now.
fn runs(disk: &RunnerDisk, seat: u8) -> bool {
    disk.own.get(&key(seat)).is_some_and(|row| row.body.member.is_none())
}

/// The next turn, if another host has released the seat in favour of this host.
fn offered(disk: &RunnerDisk, seat: u8) -> Option<u64> {
    let mine = disk.own.get(&key(seat)).map_or(0, turn);
    let to_me = |row: &&Row<Body>| row.body.member == Some(disk.id);
    let of_seat = disk.others.iter().filter(|((_, of), _)| *of == key(seat)).map(|(_, row)| row);
    of_seat.filter(to_me).map(|row| turn(row) + 1).filter(|next| *next > mine).max()
}

impl World {
    /// Assigns the first host of each seat.
    pub(crate) fn seat_all(&mut self) {
        for seat in 0..SEATS {
            let runner = usize::from(seat) % 2;
            self.sit(runner, seat, 1, None);
        }
    }

    /// Moves a seat from the host that has it to another one.
    pub(crate) fn move_seat(&mut self, runner: usize) {
        let seat = u8::try_from(self.dice.below(usize::from(SEATS))).expect("few");
        let disk = &self.runners[runner].disk;
        let Some(row) = disk.own.get(&key(seat)).filter(|row| row.body.member.is_none()) else { return };
        let (turn, id, org) = (turn(row), disk.id, self.shared.org(disk.id));
        let others: Vec<HostId> =
            self.shared.hosts().into_iter().filter(|host| *host != id && self.shared.org(*host) == org).collect();
        let to = others[self.dice.below(others.len())];
        if self.shared.has(DiskBug::StartsWhenTold) {
            // Both hosts get the request, and the next host starts immediately.
            let next = self.runners.iter().position(|runner| runner.disk.id == to).expect("a runner");
            self.sit(next, seat, turn + 1, None);
        }
        self.sit(runner, seat, turn, Some(to));
    }

    /// A host takes the seats that were released in its favour.
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

    /// Checks that no seat is taken at two places.
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

    /// Checks that every seat is taken somewhere.
    pub(crate) fn unseated(&self, found: &mut Vec<String>) {
        if self.went_back {
            return;
        }
        let nowhere = |seat: &u8| !self.runners.iter().any(|runner| runs(&runner.disk, *seat));
        found.extend((0..SEATS).filter(nowhere).map(|seat| format!("{seat} runs nowhere")));
    }
}
