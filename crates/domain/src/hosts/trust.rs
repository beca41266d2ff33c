//! Trust between a host and its hubs: which source decides, and which servers a hub may operate.

use crate::{HubId, definition::Trust};

/// The trust in force: the strictest of its sources (the flag at join, the setting, the environment). A source that
/// trusts the hub never lifts one that does not.
#[must_use]
pub fn in_force(sources: impl IntoIterator<Item = Trust>) -> Trust {
    sources.into_iter().max().unwrap_or_default()
}

/// The sender of an order or of a server job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderSender {
    /// The standalone hub inside the runner's process, used by the owner of the machine.
    Standalone,
    /// A hub that the machine has joined.
    Joined(HubId),
}

/// Why a sender may not operate a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OperationRefused {
    #[error(
        "this host trusts only itself: its hub may operate a server only if a file in the host's catalogue.d has \
         `operate = true` for it"
    )]
    NotListed,
    #[error("this host trusts only itself and runs no servers of its hub")]
    SettingsOfHub,
    #[error("the server belongs to another hub of this host; operate it from there")]
    OtherHub,
}

/// Whether a sender may start, stop, kill or type into a server. `owner` is the hub that the server's settings come
/// from, `None` for the host's own servers; `is_listed` says whether the host's own catalogue allows the operation.
///
/// # Errors
/// The rule that forbids it.
pub fn operate(
    trust: Trust,
    sender: OrderSender,
    owner: Option<HubId>,
    is_listed: bool,
) -> Result<(), OperationRefused> {
    match (sender, trust, owner) {
        (OrderSender::Standalone, ..) | (OrderSender::Joined(_), Trust::Hub, None) => Ok(()),
        (OrderSender::Joined(_), Trust::Local, None) if is_listed => Ok(()),
        (OrderSender::Joined(_), Trust::Local, None) => Err(OperationRefused::NotListed),
        (OrderSender::Joined(_), Trust::Local, Some(_)) => Err(OperationRefused::SettingsOfHub),
        (OrderSender::Joined(hub), Trust::Hub, Some(owner)) if hub == owner => Ok(()),
        (OrderSender::Joined(_), Trust::Hub, Some(_)) => Err(OperationRefused::OtherHub),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strictest_source_is_in_force() {
        use Trust::{Hub, Local};
        for (sources, expected) in [
            (&[][..], Hub),
            (&[Hub, Hub, Hub], Hub),
            (&[Local, Hub, Hub], Local),
            (&[Hub, Local, Hub], Local),
            (&[Hub, Hub, Local], Local),
        ] {
            assert_eq!(in_force(sources.iter().copied()), expected, "{sources:?}");
        }
    }

    #[test]
    fn hub_operates_only_its_servers_and_what_the_host_allows() {
        use OperationRefused::{NotListed, OtherHub, SettingsOfHub};
        let (own, other) = (HubId::from_bytes([1; 16]), HubId::from_bytes([2; 16]));
        let joined = OrderSender::Joined(own);
        for (trust, sender, owner, is_listed, expected) in [
            (Trust::Hub, joined, None, false, Ok(())),
            (Trust::Hub, joined, Some(own), false, Ok(())),
            (Trust::Hub, joined, Some(other), true, Err(OtherHub)),
            (Trust::Local, joined, None, false, Err(NotListed)),
            (Trust::Local, joined, None, true, Ok(())),
            (Trust::Local, joined, Some(own), true, Err(SettingsOfHub)),
            (Trust::Local, joined, Some(other), true, Err(SettingsOfHub)),
            (Trust::Local, OrderSender::Standalone, None, false, Ok(())),
            (Trust::Hub, OrderSender::Standalone, Some(own), false, Ok(())),
        ] {
            assert_eq!(operate(trust, sender, owner, is_listed), expected, "{trust} {sender:?} {owner:?} {is_listed}");
        }
    }
}
