//! The primary hub of hosts that have joined several hubs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The result of the promotion of this hub to primary hub of an org's hosts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Promoted {
    /// The number of the promotion; hosts follow the highest number that they have received.
    pub number: u64,
    /// Hosts that have not received the promotion yet.
    pub moving: Vec<String>,
}
