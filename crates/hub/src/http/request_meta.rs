//! Metadata of a request before authentication, and its time limit.

use std::time::Duration;

use crate::Peer;

/// Time limit of a handler.
pub(crate) const REQUEST_TIME_MAX: Duration = Duration::from_secs(30);
/// Marks a forwarded request: its caller is not the socket's owner and must be authenticated by its own credential.
pub(crate) const FORWARDED: &str = "x-hostler-handed-over";

/// In a forwarded request: whether the response to the original caller is safe from readers on the network.
pub(crate) const FORWARDED_CONFIDENTIAL: &str = "x-hostler-confidential";
/// Headers that reverse proxies add.
pub(crate) const FORWARDING_HEADERS: [&str; 5] =
    ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];

/// Metadata of a request, before authentication.
#[derive(Clone)]
pub(crate) struct RequestMeta {
    pub(crate) peer: Peer,
    pub(crate) address: String,
    pub(crate) request_id: String,
    pub(crate) is_encrypted: bool,
    /// Whether the response is safe from readers on the network: the connection is encrypted or does not leave the machine.
    pub(crate) is_confidential: bool,
}

impl Default for RequestMeta {
    fn default() -> Self {
        Self {
            peer: Peer::Memory,
            address: "unknown".to_owned(),
            request_id: String::new(),
            is_encrypted: false,
            is_confidential: false,
        }
    }
}
