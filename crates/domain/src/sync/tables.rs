//! The list of replicated tables. To add one, declare it here and describe its rows in [`super::doc`].

use super::{
    SchemaRange, SyncPriority,
    table::{ForwardTo, Kind, Table, Writer},
};

/// The schema versions that this program can read and write.
pub const SCHEMA: SchemaRange = SchemaRange { min: 1, version: 1 };

/// Definitions owned by a host.
pub const DEFINITION: Table = control("definition");
/// Jobs of a host's own queue.
pub const JOB: Table = control("job");
/// Finished runs of these jobs.
pub const RUN: Table = control("run");
/// Schedules and rules on a host: its own, and those of its hub that fire there.
pub const TRIGGER: Table = control("trigger");
/// The outcome of each nominal time of these triggers.
pub const FIRE: Table = control("fire");
/// Servers on a host: its own, and those of its hub.
pub const SERVER: Table = control("server");
/// Runs of these servers.
pub const SERVER_RUN: Table = control("server_run");
/// Outages that a host detected itself: suspends and unreachable hubs.
pub const OUTAGE: Table = control("outage");
/// Output of runs.
pub const LOG: Table = Table {
    name: "log",
    priority: SyncPriority::Bulk,
    kind: Kind::Archive,
    writer: Writer::Runner,
    forward: ForwardTo::Nobody,
};

/// All replicated tables.
pub const TABLES: &[Table] = &[DEFINITION, JOB, RUN, TRIGGER, FIRE, OUTAGE, SERVER, SERVER_RUN, LOG];

const fn control(name: &'static str) -> Table {
    Table {
        name,
        priority: SyncPriority::Control,
        kind: Kind::Mirror,
        writer: Writer::Runner,
        forward: ForwardTo::Nobody,
    }
}

/// Finds a table by its name.
#[must_use]
pub fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name == name)
}

/// The names of the tables of one priority whose copies follow deletions.
pub fn mirrors(priority: SyncPriority) -> impl Iterator<Item = &'static str> {
    TABLES.iter().filter(move |table| table.priority == priority && table.kind == Kind::Mirror).map(|table| table.name)
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
    fn logs_have_their_own_priority() {
        let control = ["definition", "job", "run", "trigger", "fire", "outage", "server", "server_run"];
        assert_eq!(mirrors(SyncPriority::Control).collect::<Vec<_>>(), control);
        assert_eq!(mirrors(SyncPriority::Bulk).count(), 0);
        assert_eq!(LOG.priority, SyncPriority::Bulk);
    }
}
