//! A runner's session: heartbeats, key rotation, goodbye.

use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use domain::{HostId, LaneId, OrgId, Span, session::clock_skew_ms};
use proto::{
    Code,
    link::{Bytes32, Heartbeat, Rotate, ToHub, ToRunner, is_signed_by, signed},
    sync::Packed,
};
use serde_json::json;
use store::{socket_credential::Ground, session::Beat};

use super::{
    accept::refusal,
    beats::Heard,
    paces::millis,
    sync::{self, Rows, Whose},
    work,
};
use crate::{
    Error, Hub, Result,
    app::{By, Deed},
    live::Registration,
    queue::{board::Seated, frames::Frames},
};

/// A session that is open.
pub(crate) struct Session {
    pub(crate) host: HostId,
    pub(crate) org: OrgId,
    pub(crate) name: String,
    pub(crate) epoch: i64,
    pub(crate) key_version: i32,
    /// The pace the runner was last told.
    pub(crate) pace: Span,
    /// The runner's clock minus ours.
    pub(crate) clock_skew_ms: i64,
    /// The lanes its host serves.
    pub(crate) lanes: Vec<LaneId>,
    /// All results up to this number are kept.
    pub(crate) settled_through: i64,
    /// Whether the runner understands packed frames.
    pub(crate) is_packed: bool,
    /// The promotion of this hub that the runner was last told of.
    pub(crate) promoted: Option<u64>,
    /// Whether it can be told of another one.
    pub(crate) takes_promotions: bool,
}

/// How a session ended.
enum End {
    /// The runner said goodbye, with its reason.
    Goodbye(String),
    /// The socket broke or fell silent.
    Silence,
    /// We ended it.
    Ours(Error),
    /// This hub is stopping.
    Stopping,
}

/// Holds a session until it ends, then writes down how.
pub(crate) async fn hold(hub: &Hub, socket: &mut WebSocket, mut session: Session) {
    tracing::info!(host.id = %session.host, org.id = %session.org, epoch = session.epoch, "host {} is linked", session.name);
    let entry = Registration::new(hub, Ground::Runner { host: session.host, epoch: session.epoch });
    let Seated { mut frames, broken } = hub.queue.board.join(session.host, session.epoch, &session.lanes);
    let end = tokio::select! {
        end = talk(hub, socket, &mut session, &mut frames) => end,
        () = entry.closed() => End::Ours(Error::new(Code::HostRevoked, "this session is no longer in force: the host was revoked, removed, or connected elsewhere")),
        () = broken.cancelled() => End::Silence,
        () = hub.stopping().asked() => End::Stopping,
    };
    drop(entry);
    hub.queue.board.leave(session.host, session.epoch);
    let goodbye = match end {
        End::Goodbye(reason) => Some(reason),
        End::Silence => None,
        End::Ours(error) => {
            refuse(socket, &error).await;
            None
        }
        End::Stopping => {
            // Spread over some seconds, or they all come to the next hub at once.
            let retry_after_ms = 200 + (hub.random.unit() * 5_000.0) as u32;
            let _ = say(socket, &ToRunner::Stopping { retry_after_ms }).await;
            let _ = socket.send(Message::Close(None)).await;
            None
        }
    };
    let (host, epoch, now) = (session.host, session.epoch, hub.now());
    let closed = hub
        .store
        .write(move |tx| {
            Box::pin(async move { tx.host_session_close(host, epoch, goodbye, now).await.map_err(Error::from) })
        })
        .await;
    if let Err(error) = closed {
        tracing::warn!(host.id = %host, error = %error, "could not note the end of a session");
    }
    hub.wakes.presence.wake();
    tracing::info!(host.id = %host, epoch, "host {} is no longer linked", session.name);
}

async fn talk(hub: &Hub, socket: &mut WebSocket, session: &mut Session, frames: &mut Frames) -> End {
    // Three missed heartbeats: the socket is dead, whatever TCP thinks.
    let patience = Duration::from_millis(u64::try_from(hub.options.heartbeat.as_millis()).unwrap_or(10_000) * 3);
    let (mut paces, mut promotions) = (hub.paces.watch(), hub.promotions.watch());
    // What changed between the welcome and now is not missed.
    promotions.mark_changed();
    let (mut rows, mut next): (Option<Rows>, Option<ToRunner>) = (None, None);
    loop {
        // Before anything more is heard: what is to be said may be grants, and the next frame may be a commit to wait for.
        if !are_taken(socket, next.take(), frames, patience).await {
            return End::Silence;
        }
        let frame = tokio::select! {
            frame = tokio::time::timeout(patience, read(socket)) => match frame {
                Ok(Ok(Some(frame))) => frame,
                Ok(Ok(None)) | Err(_) => return End::Silence,
                Ok(Err(error)) => return End::Ours(error),
            },
            Ok(()) = paces.changed() => {
                let pace = hub.paces.of(session.host);
                if pace != session.pace {
                    session.pace = pace;
                    let _ = say(socket, &ToRunner::Pace { heartbeat_ms: millis(pace) }).await;
                }
                continue;
            }
            Ok(()) = promotions.changed() => {
                let number = hub.promotions.of(session.org);
                if let Some(number) = number.filter(|number| session.takes_promotions && session.promoted < Some(*number)) {
                    session.promoted = Some(number);
                    let _ = say(socket, &ToRunner::Promoted { number }).await;
                }
                continue;
            }
            Some(packed) = said_about(&mut rows) => {
                let _ = say_packed(socket, packed).await;
                continue;
            }
            frame @ Some(_) = frames.recv() => {
                next = frame;
                continue;
            }
        };
        if let ToHub::Goodbye(goodbye) = frame {
            return End::Goodbye(goodbye.reason.chars().take(40).collect());
        }
        // In a box: a session that is silent, as most are, needs no room for it.
        if let Err(error) = Box::pin(answer(hub, socket, session, &mut rows, frame)).await {
            return End::Ours(error);
        }
    }
}

/// Does what a frame asks for.
async fn answer(
    hub: &Hub,
    socket: &mut WebSocket,
    session: &mut Session,
    rows: &mut Option<Rows>,
    frame: ToHub,
) -> Result<()> {
    match frame {
        ToHub::Heartbeat(beat) => heartbeat(hub, socket, session, beat).await,
        ToHub::Rotate(rotate) => rotated(hub, socket, session, rotate).await,
        ToHub::Inventory(said) => work::inventory(hub, socket, session, said).await,
        ToHub::Credit { limit } => {
            hub.queue.board.credit(session.host, session.epoch, limit);
            Ok(())
        }
        ToHub::Results(said) => work::results(hub, socket, session, said).await,
        ToHub::Started { runs } => work::started(hub, session, runs).await,
        ToHub::Log(said) => work::log(hub, socket, session, said).await,
        ToHub::Progress(said) => work::progress(hub, session, said).await,
        ToHub::Ordered(said) => hub.order_answered(session.host, said).await,
        ToHub::Sync(packed) => {
            let rows = rows.get_or_insert_with(|| sync::begin(hub, whose(session)));
            // A runner that says more than it was asked is not waited for; what is lost is asked for again.
            let _ = rows.said.try_send(packed);
            Ok(())
        }
        // Whoever reads frames has seen to it.
        ToHub::Goodbye(_) => Ok(()),
        ToHub::Hello(_) | ToHub::Proof(_) => Err(Error::new(Code::MalformedRequest, "the handshake is over")),
    }
}

fn whose(session: &Session) -> Whose {
    Whose { host: session.host, org: session.org, name: session.name.clone(), is_packed: session.is_packed }
}

/// The next thing to say about rows, once anything was said about them.
async fn said_about(rows: &mut Option<Rows>) -> Option<Packed> {
    match rows {
        Some(rows) => rows.says.recv().await,
        None => std::future::pending().await,
    }
}

async fn heartbeat(hub: &Hub, socket: &mut WebSocket, session: &mut Session, beat: Heartbeat) -> Result<()> {
    if !beat.metrics.is_plausible() {
        return Err(Error::new(Code::MalformedRequest, "these metrics cannot be kept"));
    }
    let now = hub.now();
    let round_trip = Span::from_millis(beat.round_trip_ms.map_or(0, i64::from));
    session.clock_skew_ms = clock_skew_ms(beat.time, now, round_trip);
    let written = Beat {
        host_id: session.host,
        epoch: session.epoch,
        at: now,
        clock_skew_ms: session.clock_skew_ms,
        metrics: json!(beat.metrics),
    };
    match hub.beats.hand_in(written).await {
        Heard::Kept => {
            hub.samples.beat(session.host, &beat.metrics, now);
            // A runner that is gone cannot be answered, but its goodbye may still be waiting to be read.
            let _ =
                say(socket, &ToRunner::Heard { seq: beat.seq, time: now, heartbeat_ms: millis(session.pace) }).await;
            Ok(())
        }
        Heard::Stale => Err(Error::new(Code::SessionSuperseded, "a newer session of this host has begun")),
        // Not answered: the runner will say it again. The database is away, not the runner.
        Heard::Lost => Ok(()),
    }
}

/// Takes a new key: signed by the old one (it is the same host) and by itself (it is really held).
async fn rotated(hub: &Hub, socket: &mut WebSocket, session: &mut Session, rotate: Rotate) -> Result<()> {
    let refuse = |why: &str| Error::new(Code::InvalidValue, format!("the new key was refused: {why}"));
    if rotate.version != session.key_version + 1 {
        return Err(refuse("its version does not follow the one in force"));
    }
    let (host, org, old, version) = (session.host, session.org, session.key_version, rotate.version);
    let message = signed::next_key(host, version, &rotate.public_key);
    let (hub_in, now, name) = (hub.clone(), hub.now(), session.name.clone());
    hub.store
        .write(move |tx| {
            Box::pin(async move {
                let key = tx.host_key_get(host, old).await?.ok_or_else(|| refuse("the old key is gone"))?;
                let is_ours = is_signed_by(&Bytes32(key), &message, &rotate.signature)
                    && is_signed_by(&rotate.public_key, &message, &rotate.possession);
                if !is_ours {
                    return Err(refuse("a signature does not fit"));
                }
                let mut view = tx.host_lock(org, host).await?.ok_or_else(|| Error::not_found("host", host))?;
                tx.host_key_insert(host, version, rotate.public_key.0, now).await?;
                tx.host_key_remove_below(host, version).await?;
                view.host.key_version = version;
                view.host.key_version_wanted = None;
                view.host.updated_at = now;
                tx.host_update(&view.host).await?;
                let by = By::host(host, &name);
                let diff = json!({"key_version": [old, version]});
                by.record(
                    &hub_in,
                    tx,
                    Some(org),
                    Deed {
                        action: "host.key_rotated",
                        kind: "host",
                        id: Some(host.to_string()),
                        name: Some(&name),
                        diff,
                    },
                )
                .await
            })
        })
        .await?;
    session.key_version = version;
    say(socket, &ToRunner::Rotated { version }).await
}

/// The next frame; `None` when the socket has ended.
pub(super) async fn read(socket: &mut WebSocket) -> Result<Option<ToHub>> {
    loop {
        return match socket.recv().await {
            Some(Ok(Message::Text(text))) => ToHub::parse(&text)
                .map(Some)
                .map_err(|error| Error::new(Code::MalformedRequest, format!("a frame cannot be read: {error}"))),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            // Only frames about rows are ever packed.
            Some(Ok(Message::Binary(bytes))) => Ok(Some(ToHub::Sync(Packed::Binary(bytes.into())))),
            Some(Ok(Message::Close(_)) | Err(_)) | None => Ok(None),
        };
    }
}

pub(super) async fn say(socket: &mut WebSocket, frame: &ToRunner) -> Result<()> {
    let text = serde_json::to_string(frame).map_err(Error::internal)?;
    socket.send(Message::text(text)).await.map_err(|_| Error::new(Code::HubUnreachable, "the runner is gone"))
}

/// Whether the socket takes what is to be said, each in time. One that is broken is noticed when it is read.
async fn are_taken(
    socket: &mut WebSocket,
    mut next: Option<ToRunner>,
    frames: &mut Frames,
    patience: Duration,
) -> bool {
    while let Some(frame) = next.take().or_else(|| frames.try_recv().ok()) {
        if tokio::time::timeout(patience, say(socket, &frame)).await.is_err() {
            return false;
        }
    }
    true
}

async fn say_packed(socket: &mut WebSocket, packed: Packed) -> Result<()> {
    let message = match packed {
        Packed::Text(text) => Message::text(text),
        Packed::Binary(bytes) => Message::binary(bytes),
    };
    socket.send(message).await.map_err(|_| Error::new(Code::HubUnreachable, "the runner is gone"))
}

/// Tells a runner why, and closes.
pub(super) async fn refuse(socket: &mut WebSocket, error: &Error) {
    tracing::info!(code = %error.code(), "a runner was turned away: {error}");
    let _ = say(socket, &ToRunner::Refused(refusal(error))).await;
    let _ = socket.send(Message::Close(None)).await;
}
