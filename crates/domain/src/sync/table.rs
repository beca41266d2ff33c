//! The declaration of a replicated table: priority, kind of copy, writer, recipients.

use super::SyncPriority;

/// A replicated table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// The name in messages.
    pub name: &'static str,
    /// The sync priority of its rows.
    pub priority: SyncPriority,
    /// The handling of the copy when a row changes or is deleted.
    pub kind: Kind,
    /// The side that may write rows.
    pub writer: Writer,
    /// The other hosts that receive its rows.
    pub forward: ForwardTo,
}

/// The handling of the copy when a row changes or is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The copy follows the owner, deletions included.
    Mirror,
    /// Rows are written once. The owner may delete them after the hub has confirmed them; the copy stays.
    Archive,
    /// Fields are filled once and never changed: two copies are merged field by field.
    Merge,
}

/// The side that may write rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// The runner that owns the row.
    Runner,
    /// The org's primary hub.
    Hub,
}

/// The other hosts that receive a table's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForwardTo {
    /// No other host: rows are sent to hubs only.
    Nobody,
    Everybody,
    /// The hosts that the row concerns; this set may grow later.
    Concerned,
}
