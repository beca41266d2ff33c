//! A runner reserved for a claim.

use domain::HostId;
use proto::{
    link::ToRunner,
    work::{FRAME_BYTES_GOAL, Grants},
};
use tokio_util::sync::CancellationToken;

use super::channel::FrameSender;
use crate::{
    Hub,
    queue::claim::{ClaimRequest, Claimant, Claimed, size},
};

/// A linked runner that is reserved for one claim, so that no other claim serves it at the same time. Dropping it ends
/// the reservation.
pub(crate) struct DispatchGuard {
    hub: Hub,
    pub(super) host: HostId,
    pub(super) epoch: i64,
    capacity: u32,
    /// Whether the claim returned as many jobs as requested: there may be more.
    is_filled: bool,
}

impl DispatchGuard {
    pub(super) fn new(hub: &Hub, host: HostId, epoch: i64, capacity: u32) -> Self {
        Self { hub: hub.clone(), host, epoch, capacity, is_filled: false }
    }

    /// The claim that serves this runner.
    pub(super) fn request(&self) -> ClaimRequest {
        ClaimRequest { claimant: Claimant::Host(self.host), epoch: self.epoch, capacity: self.capacity }
    }

    /// Sends the grants of a committed claim, and ends the reservation. If the runner has disconnected, its next inventory
    /// returns the leases.
    pub(super) fn send_grants(mut self, mut claimed: Claimed) {
        claimed.after_commit(&self.hub);
        let refused = std::mem::take(&mut claimed.refused);
        if !refused.is_empty() {
            let hub = self.hub.clone();
            self.hub.tasks.spawn(async move { super::end_refused(&hub, refused).await });
        }
        if claimed.grants.is_empty() {
            return;
        }
        self.is_filled = claimed.grants.len() >= self.capacity as usize;
        let granted = self.hub.queue.dispatcher.note_granted(self.host, self.epoch, &claimed);
        if let Some(GrantChannel { frames, broken, new_definitions }) = granted {
            let definitions = claimed.definitions.iter().map(|compiled| &compiled.definition);
            let mut frame = Grants {
                grants: Vec::new(),
                definitions: definitions
                    .filter(|one| new_definitions.contains(&(one.id, one.version)))
                    .cloned()
                    .collect(),
            };
            let send = |frame: Grants| {
                // A lease whose grant is not sent would never end: the session ends, and the runner's next inventory
                // returns the lease.
                if !frames.try_send(ToRunner::Grants(frame)) {
                    tracing::warn!(host.id = %self.host, "a runner does not accept its grants; closing its session");
                    broken.cancel();
                }
            };
            let mut bytes = 0;
            for grant in claimed.grants {
                let size = size(&grant);
                if bytes > 0 && bytes + size > FRAME_BYTES_GOAL {
                    send(std::mem::replace(&mut frame, Grants { grants: Vec::new(), definitions: Vec::new() }));
                    bytes = 0;
                }
                bytes += size;
                frame.grants.push(grant);
            }
            send(frame);
        }
    }

    /// Ends the runner's session, because it is unknown whether leases for it were committed: its next inventory settles
    /// that.
    pub(super) fn end_session(self) {
        self.hub.queue.dispatcher.end_session(self.host, self.epoch);
    }
}

impl Drop for DispatchGuard {
    fn drop(&mut self) {
        self.hub.queue.dispatcher.release(self.host, self.epoch, self.is_filled);
    }
}

/// Where to send the grants of a claim.
pub(super) struct GrantChannel {
    pub(super) frames: FrameSender,
    pub(super) broken: CancellationToken,
    /// Definitions that this session has not received yet.
    pub(super) new_definitions: Vec<(domain::DefinitionId, i32)>,
}
