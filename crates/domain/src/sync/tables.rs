//! The tables that travel. A new one is declared here and described in [`super::doc`]; nothing else has to change.

use super::{
    Lane, Schema,
    table::{Forward, Kind, Table, Writer},
};

/// The versions of the tables that this program can read and write.
pub const SCHEMA: Schema = Schema { min: 1, version: 1 };

/// Definitions that a host holds of its own.
pub const DEFINITION: Table = control("definition");
/// Jobs of a host's own queue.
pub const JOB: Table = control("job");
/// Runs of such jobs.
pub const RUN: Table = control("run");
/// Schedules and rules that a host holds: its own, and those of its hub that fire there.
pub const TRIGGER: Table = control("trigger");
/// What became of each of their times.
pub const FIRE: Table = control("fire");
/// Servers that a host keeps: its own, and those of its hub.
pub const SERVER: Table = control("server");
/// Their runs.
pub const SERVER_RUN: Table = control("server_run");
/// Times in which a host stood still, or had no hub.
pub const GAP: Table = control("gap");
/// The output of runs.
pub const LOG: Table =
    Table { name: "log", lane: Lane::Bulk, kind: Kind::Archive, writer: Writer::Runner, forward: Forward::Nobody };

/// All of them.
pub const TABLES: &[Table] = &[DEFINITION, JOB, RUN, TRIGGER, FIRE, GAP, SERVER, SERVER_RUN, LOG];

const fn control(name: &'static str) -> Table {
    Table { name, lane: Lane::Control, kind: Kind::Mirror, writer: Writer::Runner, forward: Forward::Nobody }
}

/// A table by its name.
#[must_use]
pub fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name == name)
}

/// The names of a lane's tables whose copies follow deletions.
pub fn mirrors(lane: Lane) -> impl Iterator<Item = &'static str> {
    TABLES.iter().filter(move |table| table.lane == lane && table.kind == Kind::Mirror).map(|table| table.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_found_by_its_name() {
        for known in TABLES {
            assert_eq!(table(known.name), Some(known));
        }
        assert_eq!(table("users"), None);
    }

    #[test]
    fn logs_are_nobodys_to_wait_for() {
        let control = ["definition", "job", "run", "trigger", "fire", "gap", "server", "server_run"];
        assert_eq!(mirrors(Lane::Control).collect::<Vec<_>>(), control);
        assert_eq!(mirrors(Lane::Bulk).count(), 0);
        assert_eq!(LOG.lane, Lane::Bulk);
    }
}
