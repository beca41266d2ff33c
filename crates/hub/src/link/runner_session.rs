//! State of an open session, and the frames that every step of a session sends.

use axum::extract::ws::{Message, WebSocket};
use domain::{HostSender, LaneId, Span};
use proto::{
    Code,
    link::{Refused, ToRunner},
};

use super::host_servers::HostServers;
use crate::{Error, Result};

/// State of an open session.
pub(crate) struct RunnerSession {
    pub(crate) sender: HostSender,
    pub(crate) name: String,
    pub(crate) key_version: i32,
    /// Heartbeat interval last sent to the runner.
    pub(crate) heartbeat_interval: Span,
    /// The runner's clock minus the hub's.
    pub(crate) clock_skew_ms: i64,
    pub(crate) lanes: Vec<LaneId>,
    /// Owners of the servers that it reports metrics of.
    pub(crate) servers: HostServers,
    /// Results up to this number are committed and confirmed.
    pub(crate) settled_through: i64,
    /// Whether the runner supports packed (compressed binary) frames.
    pub(crate) is_packed: bool,
    /// Promotion number of this hub last sent to the runner.
    pub(crate) promoted: Option<u64>,
    /// Whether the runner supports `promoted` frames.
    pub(crate) takes_promotions: bool,
    /// Key version last requested from the runner.
    pub(crate) rotation_sent: Option<i32>,
    /// Whether the runner replaces its key within a session.
    pub(crate) takes_rotations: bool,
}

pub(super) async fn send_frame(socket: &mut WebSocket, frame: &ToRunner) -> Result<()> {
    let text = serde_json::to_string(frame).map_err(Error::internal)?;
    socket.send(Message::text(text)).await.map_err(|_| Error::new(Code::HubUnreachable, "the runner disconnected"))
}

/// The frame that rejects a runner.
pub(super) fn refusal(error: &Error) -> Refused {
    let hint = error.problem.hint.as_deref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    // No retry where only a person can help; every other reason passes by itself.
    let is_final = matches!(error.code(), Code::HostRevoked | Code::VersionMismatch | Code::MalformedRequest);
    let wait = error.problem.retry_after_ms.map_or(Span::from_secs(5), Span::from_millis);
    Refused {
        code: error.code(),
        detail: format!("{}{hint}", error.problem.detail),
        retry_after_ms: (!is_final).then(|| u32::try_from(wait.as_millis()).unwrap_or(u32::MAX)),
    }
}
