//! Data that a host sent over its runner link, together with the session that sent it.
//!
//! An id that a host sends proves nothing: a host may name a job, a server or an org of others. So every
//! frame is wrapped when it is read, and store functions for such data take the wrapper: their statements name the
//! sender, and a row that belongs to another host or org does not match.

use crate::{HolderId, HostId, OrgId};

/// A runner session that has proved the key of its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostSender {
    host: HostId,
    org: OrgId,
    epoch: i64,
}

impl HostSender {
    /// The session that the handshake has opened. A tidy test checks that production code calls it only there.
    #[must_use]
    pub const fn proven(host: HostId, org: OrgId, epoch: i64) -> Self {
        Self { host, org, epoch }
    }

    #[must_use]
    pub const fn host(self) -> HostId {
        self.host
    }

    /// The org that owns the host. A host can also run jobs of other orgs that share it.
    #[must_use]
    pub const fn org(self) -> OrgId {
        self.org
    }

    /// The number of the session; a later session of the host has a higher one.
    #[must_use]
    pub const fn epoch(self) -> i64 {
        self.epoch
    }

    /// The host as holder of leases.
    #[must_use]
    pub fn holder(self) -> HolderId {
        self.host.into()
    }
}

/// A value that a host sent. [`FromHost::map`] keeps the sender; only [`FromHost::into_parts`] separates the two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FromHost<T> {
    sender: HostSender,
    value: T,
}

impl<T> FromHost<T> {
    /// Wraps a value that `sender` sent.
    #[must_use]
    pub const fn new(sender: HostSender, value: T) -> Self {
        Self { sender, value }
    }

    #[must_use]
    pub const fn sender(&self) -> HostSender {
        self.sender
    }

    #[must_use]
    pub const fn value(&self) -> &T {
        &self.value
    }

    /// Converts the value.
    #[must_use]
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> FromHost<U> {
        FromHost { sender: self.sender, value: convert(self.value) }
    }

    /// The sender and the value.
    #[must_use]
    pub fn into_parts(self) -> (HostSender, T) {
        (self.sender, self.value)
    }
}
