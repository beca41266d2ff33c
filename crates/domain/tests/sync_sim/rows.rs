//! The simulated tables, and the state shared by all disks of a world.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use domain::{
    HostId, HubId,
    sync::{
        Mark, SyncPriority,
        digest::Digest,
        frame::{Row, TableSum},
        table::{ForwardTo, Kind, Table, Writer},
    },
};

use crate::bugs::DiskBug;

/// The table and id of a row.
pub(crate) type Key = (&'static str, String);

/// The content of a row. Each table uses some of the fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Body {
    pub(crate) content: u64,
    /// The writer's wall clock, which must not decide anything.
    pub(crate) clock: i64,
    pub(crate) thread: u8,
    pub(crate) member: Option<HostId>,
    pub(crate) fields: [Option<u64>; 2],
    pub(crate) bytes: u32,
}

const fn table(name: &'static str, priority: SyncPriority, kind: Kind, writer: Writer, forward: ForwardTo) -> Table {
    Table { name, priority, kind, writer, forward }
}

/// Tables with the shapes of hosts, runs, logs, usage, members, messages, deliveries, placements, name requests and
/// name owners; one that runners try to write although only hubs may; and one that hubs know only after their upgrade.
pub(crate) const TABLES: &[Table] = &[
    table("host", SyncPriority::Control, Kind::Mirror, Writer::Runner, ForwardTo::Everybody),
    table("run", SyncPriority::Control, Kind::Mirror, Writer::Runner, ForwardTo::Nobody),
    table("log", SyncPriority::Bulk, Kind::Archive, Writer::Runner, ForwardTo::Nobody),
    table("usage", SyncPriority::Control, Kind::Archive, Writer::Runner, ForwardTo::Nobody),
    table("member", SyncPriority::Control, Kind::Mirror, Writer::Runner, ForwardTo::Concerned),
    table("message", SyncPriority::Control, Kind::Archive, Writer::Runner, ForwardTo::Concerned),
    table("delivery", SyncPriority::Control, Kind::Merge, Writer::Runner, ForwardTo::Everybody),
    table("policy", SyncPriority::Control, Kind::Mirror, Writer::Hub, ForwardTo::Everybody),
    table("role", SyncPriority::Control, Kind::Mirror, Writer::Runner, ForwardTo::Everybody),
    table("name", SyncPriority::Control, Kind::Mirror, Writer::Runner, ForwardTo::Everybody),
    table("alias", SyncPriority::Control, Kind::Mirror, Writer::Hub, ForwardTo::Everybody),
    table("novel", SyncPriority::Control, Kind::Mirror, Writer::Runner, ForwardTo::Nobody),
];

pub(crate) fn table_of(name: &str) -> &'static Table {
    TABLES.iter().find(|table| table.name == name).expect("a table")
}

/// The origin of rows that an org's primary hub writes itself; different from every host.
pub(crate) const fn voice(org: u8) -> HostId {
    HostId::from_bytes([VOICES + org; 16])
}

/// Greater than every host number.
const VOICES: u8 = 200;

/// Rows that break a rule of their table. Rows that decide who may see other rows are excluded: hubs that still have an
/// older version of such a row would rightly differ from hubs that do not.
pub(crate) fn is_bad(body: &Body) -> bool {
    body.content.is_multiple_of(23) && body.member.is_none()
}

/// The checksums of the mirrored tables of one priority.
pub(crate) fn sums<'r>(priority: SyncPriority, rows: impl Iterator<Item = &'r Row<Body>>) -> Vec<TableSum> {
    let is_mirror = |table: &&Table| table.priority == priority && table.kind == Kind::Mirror;
    let mut digests: BTreeMap<&'static str, Digest> =
        TABLES.iter().filter(is_mirror).map(|table| (table.name, Digest::default())).collect();
    for row in rows.filter(|row| !row.is_deleted) {
        if let Some(digest) = digests.get_mut(row.table.as_ref()) {
            digest.add(&row.table, &row.id, Some(row.version));
        }
    }
    digests.into_iter().map(|(table, digest)| TableSum { table: table.into(), digest }).collect()
}

pub(crate) fn key_of(row: &Row<Body>) -> Key {
    (table_of(&row.table).name, row.id.clone())
}

/// Fields are set once and never changed: if two values were written, the smaller one wins.
pub(crate) fn merged(one: &Body, other: &Body) -> Body {
    let field = |n: usize| [one.fields[n], other.fields[n]].into_iter().flatten().min();
    Body { fields: [field(0), field(1)], ..one.clone() }
}

/// A write that failed, or whose result was lost in a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Crash;

/// The state shared by all disks of a world; it is stored on none of them.
#[derive(Clone, Default)]
pub(crate) struct Shared(Rc<Inner>);

#[derive(Default)]
struct Inner {
    last: Cell<u64>,
    fuse: Cell<Option<u32>>,
    bug: Cell<Option<DiskBug>>,
    violations: RefCell<Vec<String>>,
    orgs: RefCell<BTreeMap<HostId, u8>>,
    primaries: RefCell<BTreeMap<u8, HubId>>,
    members: RefCell<BTreeSet<(u8, HostId)>>,
    written: RefCell<BTreeSet<(HostId, Key, u64)>>,
}

impl Shared {
    pub(crate) fn new(bug: Option<DiskBug>) -> Self {
        let shared = Self::default();
        shared.0.bug.set(bug);
        shared
    }

    pub(crate) fn has(&self, bug: DiskBug) -> bool {
        self.0.bug.get() == Some(bug)
    }

    /// A unique number.
    pub(crate) fn unique(&self) -> u64 {
        self.0.last.set(self.0.last.get() + 1);
        self.0.last.get()
    }

    /// A unique number that breaks no rule.
    pub(crate) fn sound(&self) -> u64 {
        std::iter::repeat_with(|| self.unique()).find(|number| !number.is_multiple_of(23)).expect("one comes")
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.unique())
    }

    /// The process crashes at the write after this many.
    pub(crate) fn light(&self, writes: u32) {
        self.0.fuse.set(Some(writes));
    }

    pub(crate) fn put_out(&self) {
        self.0.fuse.set(None);
    }

    /// A write that succeeds, fails, or succeeds although the process crashes.
    pub(crate) fn write<T>(&self, write: impl FnOnce() -> T) -> Result<T, Crash> {
        match self.0.fuse.get() {
            None => Ok(write()),
            Some(0) => {
                self.put_out();
                if self.unique().is_multiple_of(2) {
                    write();
                }
                Err(Crash)
            }
            Some(left) => {
                self.0.fuse.set(Some(left - 1));
                Ok(write())
            }
        }
    }

    pub(crate) fn complain(&self, what: String) {
        self.0.violations.borrow_mut().push(what);
    }

    pub(crate) fn violations(&self) -> Vec<String> {
        self.0.violations.borrow().clone()
    }

    pub(crate) fn join(&self, host: HostId, org: u8) {
        self.0.orgs.borrow_mut().insert(host, org);
    }

    pub(crate) fn org(&self, host: HostId) -> u8 {
        let of_voice = host.to_bytes()[0].checked_sub(VOICES);
        of_voice.or_else(|| self.0.orgs.borrow().get(&host).copied()).unwrap_or(u8::MAX)
    }

    /// Makes a hub the primary hub of an org.
    pub(crate) fn set_primary(&self, org: u8, primary: HubId) {
        self.0.primaries.borrow_mut().insert(org, primary);
    }

    pub(crate) fn is_primary(&self, hub: HubId, org: u8) -> bool {
        self.0.primaries.borrow().get(&org) == Some(&hub)
    }

    pub(crate) fn orgs(&self) -> Vec<u8> {
        self.0.primaries.borrow().keys().copied().collect()
    }

    pub(crate) fn hosts_of(&self, org: u8) -> Vec<HostId> {
        self.0.orgs.borrow().iter().filter(|(_, of)| **of == org).map(|(host, _)| *host).collect()
    }

    pub(crate) fn hosts(&self) -> Vec<HostId> {
        self.0.orgs.borrow().keys().copied().collect()
    }

    /// Records that a row was written.
    pub(crate) fn wrote(&self, host: HostId, key: &Key, body: &Body) {
        self.0.written.borrow_mut().insert((host, key.clone(), body.content));
        if let (Some(member), "member") = (body.member, key.0) {
            self.0.members.borrow_mut().insert((body.thread, member));
        }
    }

    pub(crate) fn was_written(&self, host: HostId, key: &Key, body: &Body) -> bool {
        self.0.written.borrow().contains(&(host, key.clone(), body.content))
    }

    /// Whether this host was ever a member of a thread.
    pub(crate) fn was_member(&self, thread: u8, host: HostId) -> bool {
        self.0.members.borrow().contains(&(thread, host))
    }
}
