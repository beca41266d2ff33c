//! Events of an organization: live over a WebSocket or server-sent events, replayed from a cursor, or as a list.

use std::{net::IpAddr, time::Duration};

use axum::{
    Extension, Json,
    extract::{
        FromRequestParts as _, Request, WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
    http::{HeaderMap, header},
    response::{
        IntoResponse as _, Response, Sse,
        sse::{Event as SseEvent, KeepAlive},
    },
};
use domain::OrgId;
use proto::{
    Code,
    api::hub::{EventPage, EventQuery, LiveEvent},
};
use serde_json::json;
use tokio::sync::broadcast::{self, error::RecvError};

use crate::http::{
    extract::{Ctx, Query},
    request_meta::RequestMeta,
};
use crate::{
    Error, Hub, Peer, Result,
    live::{OrgEvent, Registration, unfold},
};

/// Rows per page of a replay, and default page size of the list.
const PAGE: u32 = 200;

/// Stream or list the organization's events. With a WebSocket upgrade: frames of `LiveEvent`. With the header
/// `Accept: text/event-stream`: the same as server-sent events. Otherwise: a list. `cursor` replays the events after
/// it; a `resync` event reports that some were missed.
#[utoipa::path(get, path = "/api/v1/events", tag = "events", params(EventQuery), responses((status = 200, body = EventPage), (status = 101, description = "Frames of `LiveEvent`")))]
pub(crate) async fn events(
    cx: Ctx,
    Extension(seen): Extension<RequestMeta>,
    Query(query): Query<EventQuery>,
    request: Request,
) -> Result<Response> {
    let org = cx.org()?;
    let hub = cx.hub.clone();
    let headers = request.headers();
    if !is_upgrade(headers) && !is_stream(headers) {
        return Ok(Json(hub.event_list(org, &query).await?).into_response());
    }
    let entry = Registration::of_client(&hub, cx.credential, limited_address(&hub, &seen))?;
    // A browser that reconnects sends the id of the last event it received.
    let last_id = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    let feed = Feed::new(hub.clone(), org, &EventQuery { cursor: query.cursor.or(last_id), ..query }, entry);
    if is_stream(headers) {
        return Ok(sse(feed));
    }
    let (mut parts, _) = request.into_parts();
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &())
        .await
        .map_err(|error| Error::new(Code::MalformedRequest, error.body_text()))?;
    let tasks = hub.tasks.clone();
    let upgrade = upgrade.read_buffer_size(4096).write_buffer_size(0).max_message_size(4096);
    Ok(upgrade.on_upgrade(move |socket| tasks.track(async move { send_events(feed, socket).await })))
}

/// The client's address if its number of streams is limited: not on this machine, and not that of a proxy that does not
/// name its clients.
fn limited_address<'a>(hub: &Hub, seen: &'a RequestMeta) -> Option<&'a str> {
    let Peer::Tcp { .. } = seen.peer else { return None };
    let address: IpAddr = seen.address.parse().ok()?;
    (!address.is_loopback() && !hub.options.trusts(address)).then_some(seen.address.as_str())
}

fn is_upgrade(headers: &HeaderMap) -> bool {
    headers.contains_key(header::UPGRADE)
}

fn is_stream(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/event-stream"))
}

/// A client that accepts no data for this long is disconnected.
const SEND_TIME_MAX: Duration = Duration::from_secs(5);
/// Interval of pings on an idle socket.
const PING_EVERY: Duration = Duration::from_secs(30);

/// Events for one client: first the replay after its cursor, then live events.
struct Feed {
    hub: Hub,
    org: OrgId,
    types: Vec<String>,
    live: broadcast::Receiver<OrgEvent>,
    entry: Registration,
    /// Events to send before the replay continues or live events follow.
    ready: std::collections::VecDeque<LiveEvent>,
    /// Position of the replay; `None` once it is complete.
    replay: Option<i64>,
    /// Number of the last event sent. Live events up to it were already replayed and are skipped.
    sent_seq: i64,
    is_over: bool,
}

impl Feed {
    fn new(hub: Hub, org: OrgId, query: &EventQuery, entry: Registration) -> Self {
        let types = query.types.as_deref().unwrap_or_default().split(',').map(str::trim);
        let types = types.filter(|word| !word.is_empty()).map(str::to_owned).collect();
        // Subscribe before the replay reads: an event committed in between would be lost.
        let live = hub.live.listen();
        let hello = own(&hub, "hello", json!({"org_id": org}));
        Self {
            hub,
            org,
            types,
            live,
            entry,
            ready: [hello].into(),
            replay: query.cursor,
            sent_seq: query.cursor.unwrap_or(0),
            is_over: false,
        }
    }

    fn wants(&self, event: &LiveEvent) -> bool {
        self.types.is_empty() || self.types.iter().any(|prefix| event.kind.starts_with(prefix.as_str()))
    }

    /// The next event to send; `None` at the end.
    async fn next(&mut self) -> Option<LiveEvent> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.is_over {
                return None;
            }
            if let Some(from) = self.replay {
                self.read_on(from).await;
                continue;
            }
            let stopping = self.hub.tasks.stopping();
            tokio::select! {
                () = self.entry.closed() => {
                    self.is_over = true;
                    return Some(own(&self.hub, "closed", json!({"reason": "your access rights have changed"})));
                }
                () = stopping.cancelled() => return None,
                received = self.live.recv() => match received {
                    Ok(OrgEvent { org, seq, event }) => {
                        let is_new = seq.is_none_or(|seq| seq > self.sent_seq);
                        if org == self.org && is_new && self.wants(&event) {
                            return Some((*event).clone());
                        }
                    }
                    // A client that fell too far behind must reload. Waiting for it would delay all others.
                    Err(RecvError::Lagged(_)) => return Some(own(&self.hub, "resync", json!({}))),
                    Err(RecvError::Closed) => return None,
                },
            }
        }
    }

    /// Reads the next page of the replay.
    async fn read_on(&mut self, from: i64) {
        let org = self.org;
        let read = self.hub.store.read(move |tx| {
            Box::pin(async move {
                Ok::<_, Error>((
                    tx.event_after_in(org, from, PAGE).await?,
                    tx.event_oldest().await?,
                    tx.event_head().await?,
                ))
            })
        });
        let Ok((page, oldest, head)) = read.await else {
            self.ready.push_back(own(&self.hub, "resync", json!({})));
            self.replay = None;
            return;
        };
        // Events deleted by retention cannot be replayed, nor can a cursor of another database.
        let is_lost = from > head || (from > 0 && oldest.map_or(head > from, |oldest| oldest > from + 1));
        if is_lost && self.sent_seq == from {
            self.ready.push_back(own(&self.hub, "resync", json!({})));
        }
        for event in page.iter().flat_map(unfold) {
            if self.wants(&event.event) {
                self.ready.push_back((*event.event).clone());
            }
        }
        let last = page.last().map_or(from, |event| event.seq);
        self.sent_seq = last;
        self.replay = (page.len() == PAGE as usize).then_some(last);
    }
}

fn own(hub: &Hub, kind: &str, data: serde_json::Value) -> LiveEvent {
    LiveEvent { kind: kind.to_owned(), at: hub.now(), host_id: None, cursor: None, data }
}

fn sse(feed: Feed) -> Response {
    let events = futures_util::stream::unfold(feed, |mut feed| async move {
        let event = feed.next().await?;
        let mut message = SseEvent::default().data(serde_json::to_string(&event).unwrap_or_default());
        if let Some(cursor) = event.cursor {
            message = message.id(cursor.to_string());
        }
        Some((Ok::<_, std::convert::Infallible>(message), feed))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(PING_EVERY)).into_response()
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), ()> {
    tokio::time::timeout(SEND_TIME_MAX, socket.send(message)).await.map_err(drop)?.map_err(drop)
}

async fn send_events(mut feed: Feed, mut socket: WebSocket) {
    let mut pings = tokio::time::interval_at(tokio::time::Instant::now() + PING_EVERY, PING_EVERY);
    loop {
        let message = tokio::select! {
            event = feed.next() => match event {
                Some(event) => Message::text(serde_json::to_string(&event).unwrap_or_default()),
                None => break,
            },
            _ = pings.tick() => Message::Ping(axum::body::Bytes::new()),
            received = socket.recv() => match received {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
        };
        if send(&mut socket, message).await.is_err() {
            return;
        }
    }
    let _ = send(&mut socket, Message::Close(None)).await;
    // Wait until the client has closed too, so that it can read the last frames before the connection ends.
    let drained = async { while let Some(Ok(_)) = socket.recv().await {} };
    let _ = tokio::time::timeout(SEND_TIME_MAX, drained).await;
}

impl Hub {
    /// Lists events of an organization after a cursor, in order.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn event_list(&self, org: OrgId, query: &EventQuery) -> Result<EventPage> {
        let (from, limit) = (query.cursor.unwrap_or(0), query.limit.unwrap_or(PAGE).clamp(1, 1_000));
        let page = self
            .store
            .read(move |tx| Box::pin(async move { tx.event_after_in(org, from, limit).await.map_err(Error::from) }))
            .await?;
        let next = page.last().map(|event| event.seq);
        let types: Vec<&str> =
            query.types.as_deref().unwrap_or_default().split(',').filter(|word| !word.is_empty()).collect();
        let items = page.iter().flat_map(unfold).map(|event| (*event.event).clone());
        let items = items.filter(|event| types.is_empty() || types.iter().any(|prefix| event.kind.starts_with(prefix)));
        Ok(EventPage { items: items.collect(), next })
    }
}
