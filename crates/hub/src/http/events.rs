//! Live events of an org over a WebSocket.

use std::time::Duration;

use axum::{
    extract::{
        FromRequestParts as _, Request, WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
    response::Response,
};
use domain::OrgId;
use proto::Code;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;

use super::cx::Cx;
use crate::{
    Error, Hub, Result,
    live::{OrgEvent, Registration},
};

/// Live events of the org, as JSON text frames of the schema `LiveEvent`.
#[utoipa::path(get, path = "/api/v1/events", tag = "org", responses((status = 101, description = "Frames of `LiveEvent`; `resync` means some were missed")))]
pub(super) async fn events(cx: Cx, request: Request) -> Result<Response> {
    let org = cx.org()?;
    let (mut parts, _) = request.into_parts();
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &())
        .await
        .map_err(|error| Error::new(Code::MalformedRequest, error.body_text()).hint("this route is a WebSocket"))?;
    let hub = cx.hub.clone();
    // The owner of the hub's socket stands on nothing that can be taken away.
    let entry = cx.ground.map(|ground| Registration::new(&hub, ground));
    let crew = hub.crew.clone();
    let upgrade = upgrade.read_buffer_size(4096).write_buffer_size(0).max_message_size(4096);
    Ok(upgrade.on_upgrade(move |socket| crew.track(async move { tell(&hub, org, socket, entry).await })))
}

/// A reader that takes nothing for this long is gone.
const SEND_TIME_MAX: Duration = Duration::from_secs(5);
/// How often a silent socket is asked whether somebody is there.
const PING_EVERY: Duration = Duration::from_secs(30);

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), ()> {
    tokio::time::timeout(SEND_TIME_MAX, socket.send(message)).await.map_err(drop)?.map_err(drop)
}

async fn tell(hub: &Hub, org: OrgId, mut socket: WebSocket, entry: Option<Registration>) {
    let mut events = hub.live.listen();
    let stopping = hub.crew.stopping();
    let mut pings = tokio::time::interval_at(tokio::time::Instant::now() + PING_EVERY, PING_EVERY);
    let lost_ground = async {
        match &entry {
            Some(entry) => entry.closed().await,
            None => std::future::pending().await,
        }
    };
    let mut lost_ground = std::pin::pin!(lost_ground);
    let now = || hub.now();
    let hello = json!({"type": "hello", "at": now(), "data": {"org_id": org}});
    if send(&mut socket, Message::text(hello.to_string())).await.is_err() {
        return;
    }
    loop {
        let text = tokio::select! {
            () = &mut lost_ground => {
                let told = json!({"type": "closed", "at": now(), "data": {"reason": "your rights have changed"}});
                let _ = send(&mut socket, Message::text(told.to_string())).await;
                break;
            }
            () = stopping.cancelled() => break,
            _ = pings.tick() => {
                if send(&mut socket, Message::Ping(axum::body::Bytes::new())).await.is_err() {
                    return;
                }
                continue;
            }
            heard = events.recv() => match heard {
                Ok(OrgEvent { org: of, event }) if of == org => serde_json::to_string(&*event).unwrap_or_default(),
                Ok(_) => continue,
                // A reader that fell behind starts over instead of holding everybody up.
                Err(RecvError::Lagged(_)) => json!({"type": "resync", "at": now(), "data": {}}).to_string(),
                Err(RecvError::Closed) => break,
            },
            said = socket.recv() => match said {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
        };
        if send(&mut socket, Message::text(text)).await.is_err() {
            return;
        }
    }
    let _ = send(&mut socket, Message::Close(None)).await;
    // Until the reader has closed too: what they have not read yet must not be lost with the connection.
    let drained = async { while let Some(Ok(_)) = socket.recv().await {} };
    let _ = tokio::time::timeout(SEND_TIME_MAX, drained).await;
}
