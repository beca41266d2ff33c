//! What a table must declare to travel.

use super::Lane;

/// A table whose rows travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// Its name on the wire.
    pub name: &'static str,
    /// In which lane its rows travel.
    pub lane: Lane,
    /// What becomes of rows that change or go.
    pub kind: Kind,
    /// Who may write rows of it.
    pub writer: Writer,
    /// Which other hosts get its rows.
    pub forward: Forward,
}

/// What becomes of rows that change or go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The copy becomes what its owner has, deletions included.
    Mirror,
    /// Rows are written once. The owner may drop them after they were confirmed; copies stay.
    Archive,
    /// Fields are only ever filled, never changed: two copies are merged field by field.
    Merge,
}

/// Who may write rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// The runner whose row it is.
    Runner,
    /// The org's home hub.
    Hub,
}

/// Which other hosts get a table's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forward {
    /// None: they go to hubs only.
    Nobody,
    /// All hosts of the org.
    Everybody,
    /// Those that the row concerns; who that is may grow later.
    Concerned,
}
