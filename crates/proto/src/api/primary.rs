//! The home of hosts that have joined several hubs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// This hub was made the home of an org's hosts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Promoted {
    /// Which promotion it is: hosts follow the highest they have heard of.
    pub number: u64,
    /// Hosts that get their work from another hub until they have heard of it.
    pub moving: Vec<String>,
}
