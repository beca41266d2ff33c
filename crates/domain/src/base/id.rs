//! Typed, time-ordered ids: ULIDs, shown as 26 characters.
//!
//! Do not rely on their order for correctness: two hubs create ids independently, and a clock can step back. Rows that
//! need an order have their own sequence number.

use std::{cmp::Ordering, fmt, hash, marker::PhantomData, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ulid::Ulid;

use crate::time::Timestamp;

/// An id of one kind of object. Ids of different kinds do not mix at compile time.
pub struct Id<K>(Ulid, PhantomData<fn() -> K>);

/// The kinds of ids.
pub mod kind {
    macro_rules! kinds {
        ($($(#[$meta:meta])* $kind:ident => $alias:ident),+ $(,)?) => { $(
            $(#[$meta])*
            #[derive(Debug)]
            pub enum $kind {}
        )+ }
    }
    kinds! {
        /// An organization.
        Org => OrgId,
        /// A person.
        User => UserId,
        /// An API token.
        Token => TokenId,
        /// An invitation of a person into an org.
        Invitation => InvitationId,
        /// A browser session.
        Session => SessionId,
        /// A one-time sign-in link.
        LoginLink => LoginLinkId,
        /// A device-code login.
        Device => DeviceId,
        /// A host.
        Host => HostId,
        /// A join token for hosts.
        JoinToken => JoinTokenId,
        /// A hub process.
        Hub => HubId,
        /// An audit row.
        Audit => AuditId,
        /// An allow-listed command.
        Definition => DefinitionId,
        /// A request to run a definition.
        Job => JobId,
        /// One start of one process.
        Run => RunId,
        /// Jobs of one org, target, definition and limit key: one ordered queue.
        Lane => LaneId,
        /// A holder of leases: the runner of a host, or a worker in another language.
        Holder => HolderId,
        /// A configured limit.
        Quota => QuotaId,
        /// A bulk action.
        Batch => BatchId,
        /// An event rule or a schedule.
        Trigger => TriggerId,
        /// An alert.
        Alert => AlertId,
        /// A channel for alert notifications.
        Channel => ChannelId,
        /// A notification of an alert.
        Notice => NoticeId,
        /// A maintenance window: a time without notifications.
        Window => WindowId,
        /// A program outside Hostler that reports its runs.
        Ping => PingId,
        /// A webhook endpoint that receives events.
        Hook => HookId,
        /// A long-lived process on one host.
        Server => ServerId,
        /// A one-time request to a server, such as a restart or a line of input.
        Order => OrderId,
        /// A saved view of a page.
        View => ViewId,
    }
}

/// Id of an org.
pub type OrgId = Id<kind::Org>;
/// Id of a user.
pub type UserId = Id<kind::User>;
/// Id of an API token.
pub type TokenId = Id<kind::Token>;
/// Id of an invitation.
pub type InvitationId = Id<kind::Invitation>;
/// Id of a browser session.
pub type SessionId = Id<kind::Session>;
/// Id of a one-time sign-in link.
pub type LoginLinkId = Id<kind::LoginLink>;
/// Id of a device-code login.
pub type DeviceId = Id<kind::Device>;
/// Id of a host.
pub type HostId = Id<kind::Host>;
/// Id of a join token.
pub type JoinTokenId = Id<kind::JoinToken>;
/// Id of one hub process.
pub type HubId = Id<kind::Hub>;
/// Id of an audit row.
pub type AuditId = Id<kind::Audit>;
/// Id of a definition.
pub type DefinitionId = Id<kind::Definition>;
/// Id of a job.
pub type JobId = Id<kind::Job>;
/// Id of a run.
pub type RunId = Id<kind::Run>;
/// Id of a lane.
pub type LaneId = Id<kind::Lane>;
/// Id of a holder of leases: equal to the id of its host or its worker.
pub type HolderId = Id<kind::Holder>;
/// Id of a configured limit.
pub type QuotaId = Id<kind::Quota>;
/// Id of a bulk action.
pub type BatchId = Id<kind::Batch>;
/// Id of a trigger.
pub type TriggerId = Id<kind::Trigger>;
/// Id of an alert.
pub type AlertId = Id<kind::Alert>;
/// Id of a channel.
pub type ChannelId = Id<kind::Channel>;
/// Id of a notice.
pub type NoticeId = Id<kind::Notice>;
/// Id of a maintenance window.
pub type WindowId = Id<kind::Window>;
/// Id of a saved view.
pub type ViewId = Id<kind::View>;
/// Id of a ping.
pub type PingId = Id<kind::Ping>;
/// Id of a webhook endpoint.
pub type HookId = Id<kind::Hook>;
/// Id of a server.
pub type ServerId = Id<kind::Server>;
/// Id of a one-time request to a server.
pub type OrderId = Id<kind::Order>;

impl From<HostId> for HolderId {
    fn from(host: HostId) -> Self {
        Self::from_bytes(host.to_bytes())
    }
}

impl<K> Id<K> {
    /// Creates an id from its 16 bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Ulid::from_bytes(bytes), PhantomData)
    }

    /// The smallest id that can be created at this time.
    #[must_use]
    pub fn first_at(at: Timestamp) -> Self {
        let ms = u64::try_from(at.as_micros() / 1_000).unwrap_or(0);
        let mut bytes = [0; 16];
        bytes[..6].copy_from_slice(&ms.to_be_bytes()[2..]);
        Self::from_bytes(bytes)
    }

    /// The 16 bytes of this id.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0.to_bytes()
    }
}

/// Generates ids that grow within one process, even if the clock stands still or steps back.
#[derive(Debug, Default)]
pub struct IdSource {
    last: u128,
}

impl IdSource {
    /// The next id. `random` fills the low 80 bits of the first id in a millisecond.
    pub fn next<K>(&mut self, now: Timestamp, random: u128) -> Id<K> {
        let ms = u64::try_from(now.as_micros() / 1_000).unwrap_or(0);
        let fresh = u128::from(Ulid::from_parts(ms, random));
        // Two ids in one millisecond, or a clock that steps back, must not produce a smaller id.
        self.last = if fresh > self.last { fresh } else { self.last + 1 };
        Id(Ulid(self.last), PhantomData)
    }
}

/// A text that is not a ULID.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an id (26 letters and digits, as in 01K4ZB6Y7QHX3T8M5N2V9W0RJC)")]
pub struct NotAnId(pub String);

impl<K> FromStr for Id<K> {
    type Err = NotAnId;
    fn from_str(text: &str) -> Result<Self, NotAnId> {
        Ulid::from_string(text)
            .map(|ulid| Self(ulid, PhantomData))
            .map_err(|_| NotAnId(text.chars().take(64).collect()))
    }
}

impl<K> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.array_to_str(&mut [0; ulid::ULID_LEN]))
    }
}

impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

// Implemented by hand: a derive would require the same traits of `K`, which is only a marker.
impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Id<K> {}
impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<K> Eq for Id<K> {}
impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}
impl<K> hash::Hash for Id<K> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<K> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.array_to_str(&mut [0; ulid::ULID_LEN]))
    }
}
impl<'de, K> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_grow_if_the_clock_steps_back() {
        let mut source = IdSource::default();
        let noon = Timestamp::from_micros(1_700_000_000_000_000);
        let a: HostId = source.next(noon, u128::MAX);
        let b: HostId = source.next(noon, 0);
        let c: HostId = source.next(noon - crate::Span::from_secs(3600), 7);
        assert!(a < b && b < c);
    }

    #[test]
    fn text_form_round_trips_and_rejects_invalid_text() {
        let id: OrgId = IdSource::default().next(Timestamp::from_micros(1_700_000_000_000_000), 42);
        assert_eq!(id.to_string().parse::<OrgId>(), Ok(id));
        assert!("not-an-id".parse::<OrgId>().is_err());
    }
}
