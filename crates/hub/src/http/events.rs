//! Live events of an org over a WebSocket.

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
use tokio_util::sync::CancellationToken;

use super::cx::Cx;
use crate::{Error, Hub, Result, live::OrgEvent};

/// Live events of the org, as JSON text frames of the schema `LiveEvent`.
#[utoipa::path(get, path = "/api/v1/events", tag = "org", responses((status = 101, description = "Frames of `LiveEvent`; `resync` means some were missed")))]
pub(super) async fn events(cx: Cx, request: Request) -> Result<Response> {
    let org = cx.org()?;
    let (mut parts, _) = request.into_parts();
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &())
        .await
        .map_err(|error| Error::new(Code::MalformedRequest, error.body_text()).hint("this route is a WebSocket"))?;
    let hub = cx.hub.clone();
    let (id, closed) = match cx.ground {
        Some(ground) => hub.live.register(ground),
        // The owner of the hub's socket stands on nothing that can be taken away.
        None => (u64::MAX, CancellationToken::new()),
    };
    let crew = hub.crew.clone();
    let upgrade = upgrade.read_buffer_size(4096).write_buffer_size(0).max_message_size(4096);
    Ok(upgrade.on_upgrade(move |socket| {
        crew.track(async move {
            tell(&hub, org, socket, closed).await;
            hub.live.forget(id);
        })
    }))
}

async fn tell(hub: &Hub, org: OrgId, mut socket: WebSocket, closed: CancellationToken) {
    let mut events = hub.live.listen();
    let stopping = hub.crew.stopping();
    let now = || hub.now();
    let hello = json!({"type": "hello", "at": now(), "data": {"org_id": org}});
    if socket.send(Message::text(hello.to_string())).await.is_err() {
        return;
    }
    loop {
        let text = tokio::select! {
            () = closed.cancelled() => {
                let _ = socket.send(Message::text(json!({"type": "closed", "at": now(), "data": {"reason": "your rights have changed"}}).to_string())).await;
                break;
            }
            () = stopping.cancelled() => break,
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
        if socket.send(Message::text(text)).await.is_err() {
            return;
        }
    }
    let _ = socket.send(Message::Close(None)).await;
}
