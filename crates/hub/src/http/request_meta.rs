//! Metadata of a request before authentication, and its time limit.

use std::time::Duration;

use crate::Peer;

/// Time limit of a handler.
pub(crate) const REQUEST_TIME_MAX: Duration = Duration::from_secs(30);
/// Marks a forwarded request: its caller is not the socket's owner and must be authenticated by its own credential.
pub(crate) const FORWARDED: &str = "x-hostler-handed-over";

/// Metadata of a request, before authentication.
#[derive(Clone)]
pub(crate) struct RequestMeta {
    pub(crate) peer: Peer,
    pub(crate) address: String,
    pub(crate) request_id: String,
    pub(crate) is_encrypted: bool,
}

impl Default for RequestMeta {
    fn default() -> Self {
        Self { peer: Peer::Memory, address: "unknown".to_owned(), request_id: String::new(), is_encrypted: false }
    }
}
