//! An open runner session: reads its frames, writes grants and other frames, and closes it.
//!
//! One task per session. It handles one frame at a time, so a runner that sends faster than the database commits is
//! slowed down by TCP.

use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use domain::{FromHost, Span, rejection::RejectReason, session::clock_skew_ms};
use proto::{
    Code,
    link::{Bytes32, Heartbeat, Rotate, ToHub, ToRunner, is_signed_by, signed},
    sync::Packed,
};
use serde_json::json;
use store::{session::Beat, socket_credential::SocketCredential};
use tokio::sync::mpsc::error::TrySendError;

use crate::link::{
    heartbeat::HeartbeatResult,
    heartbeat_interval::millis,
    runner_session::{RunnerSession, refusal, send_frame},
    sync::{self, ReplicationChannels, Whose},
    work,
};
use crate::{
    Error, Hub, Result,
    app::{AuditEntry, RequestContext, hosts::runner_texts::check_key},
    live::Registration,
    queue::{
        dispatch::{Frames, RunnerChannel},
        finish::Credit,
    },
};

/// Why a session ended.
enum End {
    /// The runner sent `goodbye` with this reason.
    Goodbye(String),
    /// The socket broke or the runner stopped sending.
    Silence,
    /// The hub ended it.
    Ours(Error),
    Stopping,
}

/// Runs a session until it ends, then closes it in the store.
pub(crate) async fn hold(hub: &Hub, socket: &mut WebSocket, mut session: RunnerSession) {
    tracing::info!(host.id = %session.sender.host(), org.id = %session.sender.org(), epoch = session.sender.epoch(), "host {} connected", session.name);
    let entry = Registration::of_runner(
        hub,
        SocketCredential::Runner { host: session.sender.host(), epoch: session.sender.epoch() },
    );
    let RunnerChannel { mut frames, broken } =
        hub.queue.dispatcher.link(session.sender.host(), session.sender.epoch(), &session.lanes);
    let end = tokio::select! {
        end = exchange_frames(hub, socket, &mut session, &mut frames) => end,
        () = entry.closed() => End::Ours(Error::new(Code::HostRevoked, "session revoked: the host was revoked, removed, or connected again")),
        () = broken.cancelled() => End::Silence,
        () = hub.stopping().asked() => End::Stopping,
    };
    drop(entry);
    hub.queue.dispatcher.unlink(session.sender.host(), session.sender.epoch());
    let goodbye = match end {
        End::Goodbye(reason) => Some(reason),
        End::Silence => None,
        End::Ours(error) => {
            if error.code() == Code::MalformedRequest {
                hub.reject(session.sender.host(), RejectReason::MalformedFrame, 1, &error.to_string());
            }
            refuse(socket, &error).await;
            None
        }
        End::Stopping => {
            // Spread over five seconds, or all runners reconnect to the next hub in the same moment.
            let retry_after_ms = 200 + (hub.random.unit() * 5_000.0) as u32;
            let _ = send_frame(socket, &ToRunner::Stopping { retry_after_ms }).await;
            let _ = socket.send(Message::Close(None)).await;
            None
        }
    };
    let (host, epoch, now) = (session.sender.host(), session.sender.epoch(), hub.now());
    let closed = hub
        .store
        .write(move |tx| {
            Box::pin(async move { tx.host_session_close(host, epoch, goodbye, now).await.map_err(Error::from) })
        })
        .await;
    if let Err(error) = closed {
        tracing::warn!(host.id = %host, error = %error, "cannot write the end of a session");
    }
    hub.wakes.presence.wake();
    tracing::info!(host.id = %host, epoch, "host {} disconnected", session.name);
}

async fn exchange_frames(hub: &Hub, socket: &mut WebSocket, session: &mut RunnerSession, frames: &mut Frames) -> End {
    // After three missed heartbeats the socket is dead, even if TCP has not noticed.
    let max_wait = Duration::from_millis(u64::try_from(hub.options.heartbeat.as_millis()).unwrap_or(10_000) * 3);
    let (mut heartbeat_intervals, mut promotions) = (hub.heartbeat_intervals.watch(), hub.promotions.watch());
    let mut key_rotations = hub.key_rotations.watch();
    // Requests made between the welcome and these subscriptions must be sent, too.
    promotions.mark_changed();
    key_rotations.mark_changed();
    let (mut rows, mut next): (Option<ReplicationChannels>, Option<ToRunner>) = (None, None);
    loop {
        // Send before reading: queued frames may be grants, and handling the next frame may wait for a commit.
        if !send_all(socket, next.take(), frames, max_wait).await {
            return End::Silence;
        }
        let frame = tokio::select! {
            frame = tokio::time::timeout(max_wait, read(socket)) => match frame {
                Ok(Ok(Some(frame))) => frame,
                Ok(Ok(None)) | Err(_) => return End::Silence,
                Ok(Err(error)) => return End::Ours(error),
            },
            Ok(()) = heartbeat_intervals.changed() => {
                let heartbeat_interval = hub.heartbeat_intervals.of(session.sender.host());
                if heartbeat_interval != session.heartbeat_interval {
                    session.heartbeat_interval = heartbeat_interval;
                    let _ = send_frame(socket, &ToRunner::HeartbeatInterval { heartbeat_ms: millis(heartbeat_interval) }).await;
                }
                continue;
            }
            Ok(()) = promotions.changed() => {
                let number = hub.promotions.of(session.sender.org());
                if let Some(number) = number.filter(|number| session.takes_promotions && session.promoted < Some(*number)) {
                    session.promoted = Some(number);
                    let _ = send_frame(socket, &ToRunner::Promoted { number }).await;
                }
                continue;
            }
            Ok(()) = key_rotations.changed() => {
                request_rotation(hub, socket, session).await;
                continue;
            }
            Some(packed) = next_sync_frame(&mut rows) => {
                let _ = send_packed(socket, packed).await;
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
        let frame = FromHost::new(session.sender, frame);
        // Boxed, so that an idle session, as most are, does not reserve the memory of this future.
        if let Err(error) = Box::pin(answer(hub, socket, session, &mut rows, frame)).await {
            return End::Ours(error);
        }
    }
}

/// Requests a new key from the runner, once per version. The runner answers with `rotate`.
async fn request_rotation(hub: &Hub, socket: &mut WebSocket, session: &mut RunnerSession) {
    let wanted = hub.key_rotations.of(session.sender.host()).filter(|wanted| *wanted > session.key_version);
    if let Some(version) = wanted.filter(|wanted| session.takes_rotations && session.rotation_sent < Some(*wanted)) {
        session.rotation_sent = Some(version);
        let _ = send_frame(socket, &ToRunner::RotateKey { version }).await;
    }
}

/// Handles one frame.
async fn answer(
    hub: &Hub,
    socket: &mut WebSocket,
    session: &mut RunnerSession,
    rows: &mut Option<ReplicationChannels>,
    frame: FromHost<ToHub>,
) -> Result<()> {
    let (sender, frame) = frame.into_parts();
    match frame {
        ToHub::Heartbeat(beat) => heartbeat(hub, socket, session, FromHost::new(sender, beat)).await,
        ToHub::Rotate(rotate) => rotated(hub, socket, session, rotate).await,
        ToHub::Inventory(inventory) => work::inventory(hub, socket, FromHost::new(sender, inventory)).await,
        ToHub::Credit { limit } => {
            hub.queue.dispatcher.set_credit(Credit { host: sender.host(), epoch: sender.epoch(), limit });
            Ok(())
        }
        ToHub::Results(frame) => work::results(hub, socket, session, FromHost::new(sender, frame)).await,
        ToHub::Started { runs } => work::started(hub, FromHost::new(sender, runs)).await,
        ToHub::Log(frame) => work::log(hub, socket, FromHost::new(sender, frame)).await,
        ToHub::Progress(frame) => work::progress(hub, FromHost::new(sender, frame)).await,
        ToHub::Ordered(answer) => hub.order_answered(FromHost::new(sender, answer)).await,
        ToHub::Sync(packed) => {
            let rows = rows.get_or_insert_with(|| sync::begin(hub, whose(session)));
            // Dropped if the channel is full: only frames that were not requested can fill it, and the hub requests
            // missing rows again.
            match rows.from_runner.try_send(packed) {
                // The replication task has panicked. A new session starts a new one.
                Err(TrySendError::Closed(_)) => {
                    Err(Error::new(Code::Internal, "replication with this host has stopped"))
                }
                _ => Ok(()),
            }
        }
        // Handled in `talk`.
        ToHub::Goodbye(_) => Ok(()),
        ToHub::Hello(_) | ToHub::Proof(_) => Err(Error::new(Code::MalformedRequest, "the handshake is already done")),
    }
}

fn whose(session: &RunnerSession) -> Whose {
    Whose { sender: session.sender, name: session.name.clone(), is_packed: session.is_packed }
}

/// The next replication frame to send; pending until the runner has started replication.
async fn next_sync_frame(rows: &mut Option<ReplicationChannels>) -> Option<Packed> {
    match rows {
        Some(rows) => rows.to_runner.recv().await,
        None => std::future::pending().await,
    }
}

async fn heartbeat(
    hub: &Hub,
    socket: &mut WebSocket,
    session: &mut RunnerSession,
    beat: FromHost<Heartbeat>,
) -> Result<()> {
    let (sender, mut beat) = beat.into_parts();
    if !beat.metrics.is_plausible() {
        return Err(Error::new(Code::MalformedRequest, "the metrics are out of range"));
    }
    let now = hub.now();
    let round_trip = Span::from_millis(beat.round_trip_ms.map_or(0, i64::from));
    session.clock_skew_ms = clock_skew_ms(beat.time, now, round_trip);
    session.servers.retain_own(hub, sender, &mut beat.metrics).await;
    let written = Beat { sender, at: now, clock_skew_ms: session.clock_skew_ms, metrics: json!(beat.metrics) };
    match hub.heartbeats.submit(written).await {
        HeartbeatResult::Kept => {
            hub.samples.beat(&FromHost::new(sender, &beat.metrics), now);
            // Ignore a failed answer: the runner's `goodbye` may still be waiting to be read.
            let _ = send_frame(
                socket,
                &ToRunner::HeartbeatAck { seq: beat.seq, time: now, heartbeat_ms: millis(session.heartbeat_interval) },
            )
            .await;
            Ok(())
        }
        HeartbeatResult::Stale => Err(Error::new(Code::SessionSuperseded, "a newer session of this host was opened")),
        // No answer: the database is unavailable, not the runner. The runner sends its next heartbeat as usual.
        HeartbeatResult::Lost => Ok(()),
    }
}

/// Replaces the host's key. The message is signed by the old key (same host) and by the new one (proof of possession).
async fn rotated(hub: &Hub, socket: &mut WebSocket, session: &mut RunnerSession, rotate: Rotate) -> Result<()> {
    let refuse = |why: &str| Error::new(Code::InvalidValue, format!("the new key was rejected: {why}"));
    if rotate.version != session.key_version + 1 {
        return Err(refuse("its version does not follow the current one"));
    }
    check_key(&rotate.public_key)?;
    let (host, org, old, version) = (session.sender.host(), session.sender.org(), session.key_version, rotate.version);
    let message = signed::next_key(host, version, &rotate.public_key);
    let (hub_in, now, name) = (hub.clone(), hub.now(), session.name.clone());
    hub.store
        .write(move |tx| {
            Box::pin(async move {
                let key = tx.host_key_get(host, old).await?.ok_or_else(|| refuse("the old key no longer exists"))?;
                let is_ours = is_signed_by(&Bytes32(key), &message, &rotate.signature)
                    && is_signed_by(&rotate.public_key, &message, &rotate.possession);
                if !is_ours {
                    return Err(refuse("a signature does not match"));
                }
                let mut view = tx.host_lock(org, host).await?.ok_or_else(|| Error::not_found("host", host))?;
                tx.host_key_insert(host, version, rotate.public_key.0, now).await?;
                tx.host_key_remove_below(host, version).await?;
                view.host.key_version = version;
                view.host.key_version_wanted = None;
                view.host.updated_at = now;
                tx.host_update(&view.host).await?;
                let by = RequestContext::host(host, &name);
                let diff = json!({"key_version": [old, version]});
                by.record(
                    &hub_in,
                    tx,
                    Some(org),
                    AuditEntry {
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
    send_frame(socket, &ToRunner::Rotated { version }).await
}

/// The next frame; `None` when the socket has ended.
pub(super) async fn read(socket: &mut WebSocket) -> Result<Option<ToHub>> {
    loop {
        return match socket.recv().await {
            Some(Ok(Message::Text(text))) => ToHub::parse(&text)
                .map(Some)
                .map_err(|error| Error::new(Code::MalformedRequest, format!("cannot parse a frame: {error}"))),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            // Only replication frames are binary.
            Some(Ok(Message::Binary(bytes))) => Ok(Some(ToHub::Sync(Packed::Binary(bytes.into())))),
            Some(Ok(Message::Close(_)) | Err(_)) | None => Ok(None),
        };
    }
}

/// Sends all queued frames. Returns whether the socket accepted each in time; a broken socket is noticed by the read.
async fn send_all(socket: &mut WebSocket, mut next: Option<ToRunner>, frames: &mut Frames, max_wait: Duration) -> bool {
    while let Some(frame) = next.take().or_else(|| frames.try_recv().ok()) {
        if tokio::time::timeout(max_wait, send_frame(socket, &frame)).await.is_err() {
            return false;
        }
    }
    true
}

async fn send_packed(socket: &mut WebSocket, packed: Packed) -> Result<()> {
    let message = match packed {
        Packed::Text(text) => Message::text(text),
        Packed::Binary(bytes) => Message::binary(bytes),
    };
    socket.send(message).await.map_err(|_| Error::new(Code::HubUnreachable, "the runner disconnected"))
}

/// Sends the reason to the runner and closes the socket.
pub(super) async fn refuse(socket: &mut WebSocket, error: &Error) {
    tracing::info!(code = %error.code(), "rejected a runner: {error}");
    let _ = send_frame(socket, &ToRunner::Refused(refusal(error))).await;
    let _ = socket.send(Message::Close(None)).await;
}
