//! Typed, time-ordered ids: ULIDs in text form everywhere people see them.
//!
//! Nothing may rely on their order for correctness: two hubs make them independently, and a clock
//! can step back. Whatever needs an order carries its own sequence.

use std::{cmp::Ordering, fmt, hash, marker::PhantomData, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ulid::Ulid;

use crate::time::Timestamp;

/// An id of one kind of thing. Ids of two kinds do not mix at compile time.
pub struct Id<K>(Ulid, PhantomData<fn() -> K>);

/// What an id can be an id of.
pub mod kind {
    macro_rules! kinds {
        ($($(#[$meta:meta])* $kind:ident => $alias:ident),+ $(,)?) => { $(
            $(#[$meta])*
            #[derive(Debug)]
            pub enum $kind {}
        )+ }
    }
    kinds! {
        /// A tenant.
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
        /// A machine.
        Host => HostId,
        /// A join token for machines.
        JoinToken => JoinTokenId,
        /// A hub process.
        Hub => HubId,
        /// An audit row.
        Audit => AuditId,
        /// An allow-listed command.
        Definition => DefinitionId,
        /// A wish to run a definition.
        Job => JobId,
        /// One start of one process.
        Run => RunId,
        /// Jobs of one org, target, definition and limit key: one queue in order.
        Lane => LaneId,
        /// Whoever can hold leases: a host's runner, or a worker of another language.
        Holder => HolderId,
        /// A configured limit.
        Quota => QuotaId,
        /// A bulk action.
        Batch => BatchId,
        /// An event rule or a schedule.
        Trigger => TriggerId,
        /// Something wrong.
        Alert => AlertId,
        /// Where something wrong is told.
        Channel => ChannelId,
        /// One telling of something wrong.
        Notice => NoticeId,
        /// A time in which nothing wrong is told.
        Window => WindowId,
        /// A program elsewhere that says it has run.
        Ping => PingId,
        /// An address at which another system tells events.
        Hook => HookId,
        /// A long-lived process on one host.
        Server => ServerId,
        /// Something said to a server at once.
        Order => OrderId,
        /// A way to look at a page that somebody keeps.
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
/// Id of a holder of leases: that of its host, or that of its worker.
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
/// Id of an address for events.
pub type HookId = Id<kind::Hook>;
/// Id of a server.
pub type ServerId = Id<kind::Server>;
/// Id of something said to a server at once.
pub type OrderId = Id<kind::Order>;

impl From<HostId> for HolderId {
    fn from(host: HostId) -> Self {
        Self::from_bytes(host.to_bytes())
    }
}

impl<K> Id<K> {
    /// The id with these 16 bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Ulid::from_bytes(bytes), PhantomData)
    }

    /// The smallest id that can have been made at a time.
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

/// Makes ids that grow within one process, also when the clock stands still or steps back.
#[derive(Debug, Default)]
pub struct IdSource {
    last: u128,
}

impl IdSource {
    /// The next id. `random` fills the 80 low bits the first time a millisecond is seen.
    pub fn next<K>(&mut self, now: Timestamp, random: u128) -> Id<K> {
        let ms = u64::try_from(now.as_micros() / 1_000).unwrap_or(0);
        let fresh = u128::from(Ulid::from_parts(ms, random));
        // A step back of the clock, or two ids in one millisecond, must not make a smaller id.
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

// Written out because a derive would demand the same of `K`, which is only a marker.
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
    fn ids_grow_although_the_clock_steps_back() {
        let mut source = IdSource::default();
        let noon = Timestamp::from_micros(1_700_000_000_000_000);
        let a: HostId = source.next(noon, u128::MAX);
        let b: HostId = source.next(noon, 0);
        let c: HostId = source.next(noon - crate::Span::from_secs(3600), 7);
        assert!(a < b && b < c);
    }

    #[test]
    fn text_form_round_trips_and_rejects_nonsense() {
        let id: OrgId = IdSource::default().next(Timestamp::from_micros(1_700_000_000_000_000), 42);
        assert_eq!(id.to_string().parse::<OrgId>(), Ok(id));
        assert!("not-an-id".parse::<OrgId>().is_err());
    }
}
