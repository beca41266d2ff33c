//! The handshake of a runner: hello, challenge, proof, welcome.
//!
//! Both sides sign a nonce of the other, so a runner also proves that it talks to the hub whose key it pinned. The
//! session is opened last, in one transaction under the lock on the host's row (see `begin`).

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{WebSocketUpgrade, ws::WebSocket},
    response::Response,
};
use domain::{
    HostSender, LaneId, OrgId, Span,
    lane::QueueNames,
    name,
    presence::heartbeat_interval,
    primary::NUMBER_MAX,
    secret::{Secret, SecretKind},
    session::{Admission, LastSession, admit, clock_skew_ms},
};
use proto::{
    Code, VERSION,
    link::{
        Bytes32, Challenge, ChannelBinding, FRAME_BYTES_MAX, Hello, KEY_ROTATION, LINK_VERSIONS, ToHub, ToRunner,
        Welcome, common_version, is_signed_by, signed,
    },
    sync::{PACKED, PRIMARY, SERVERS, STANDALONE},
};
use serde_json::json;
use store::{
    host::{Host, HostView},
    session::NewSession,
};

use crate::link::{
    heartbeat_interval::millis,
    host_servers::HostServers,
    runner_session::{RunnerSession, send_frame},
    session,
};
use crate::queue::cache::lanes;
use crate::{
    Error, Hub, Result,
    app::{AuditEntry, RequestContext, hosts::runner_texts::check_texts, system::primary},
    connections::ConnectionPlace,
    scheduler::placement::host_changed,
};

/// Time limit of the whole handshake, so that a silent client does not hold a connection.
const HANDSHAKE_TIME_MAX: Duration = Duration::from_secs(15);

/// The connection of a link, as the listener knows it.
pub(crate) struct LinkOrigin {
    pub(crate) address: String,
    /// Set if TLS ends at this hub. Absent on plain loopback connections, in the pipe within this process, and behind a
    /// proxy that ends TLS: there the proofs cannot name the connection.
    pub(crate) binding: Option<ChannelBinding>,
    /// Whether the runner is part of this process.
    pub(crate) is_own_process: bool,
    /// The place among the connections of its address.
    pub(crate) place: Option<Arc<ConnectionPlace>>,
}

/// Upgrades the request to a WebSocket, runs the handshake on it and then the session.
///
/// The connection's place is freed when the runner has proven its key.
pub(crate) fn accept(hub: Hub, upgrade: WebSocketUpgrade, origin: LinkOrigin) -> Response {
    let tasks = hub.tasks.clone();
    // The default buffers would cost 136 kB per idle runner.
    let upgrade = upgrade
        .read_buffer_size(4096)
        .write_buffer_size(0)
        .max_message_size(FRAME_BYTES_MAX)
        .max_frame_size(FRAME_BYTES_MAX);
    upgrade.on_upgrade(move |mut socket| {
        tasks.track(async move {
            // Boxed, so that the memory of the handshake is freed before the session, which lasts for days.
            let welcome = Box::pin(welcome(&hub, &mut socket, &origin));
            match tokio::time::timeout(HANDSHAKE_TIME_MAX, welcome).await {
                Ok(Ok(session)) => {
                    if let Some(place) = &origin.place {
                        place.admit_runner();
                    }
                    session::hold(&hub, &mut socket, session).await;
                }
                Ok(Err(error)) => session::refuse(&mut socket, &error).await,
                Err(_) => {
                    session::refuse(&mut socket, &Error::new(Code::RequestTimeout, "the handshake timed out")).await
                }
            }
        })
    })
}

async fn welcome(hub: &Hub, socket: &mut WebSocket, origin: &LinkOrigin) -> Result<RunnerSession> {
    let Some(ToHub::Hello(hello)) = session::read(socket).await? else {
        return Err(Error::new(Code::MalformedRequest, "the first frame must be `hello`"));
    };
    check(&hello)?;
    if hub.options.owner.is_some() {
        return Err(Error::new(
            Code::OwnerNotRunning,
            "this process is read-only; connect to the hub of this database",
        ));
    }
    let received_at = hub.now();
    let version = common_version(LINK_VERSIONS, hello.versions).ok_or_else(|| no_common_version(hello.versions))?;
    let binding = asked_binding(hello.is_bound, origin.binding)?;
    let hub_key = hub.identity.public_key();
    let nonce = Bytes32(hub.random.bytes());
    let challenge = Challenge {
        version,
        nonce,
        proof: hub.identity.sign(&signed::hub_proof(&hub_key, &hello.nonce, binding.as_ref())),
        time: hub.now(),
    };
    let asked_at = hub.now();
    send_frame(socket, &ToRunner::Challenge(challenge)).await?;
    let Some(ToHub::Proof(proof)) = session::read(socket).await? else {
        return Err(Error::new(Code::MalformedRequest, "the second frame must be `proof`"));
    };
    let round_trip = hub.now().since(asked_at);
    let message = signed::runner_proof(&hub_key, &nonce, &hello.nonce, hello.host, hello.key_version, binding.as_ref());
    let view = proven(hub, &hello, &message, &proof.signature).await?;
    let skew = clock_skew_ms(hello.time, received_at, round_trip);
    open(hub, socket, *hello, view, skew, origin).await
}

/// The binding that the proofs of this connection must sign.
///
/// # Errors
/// The runner has recognized the hub's key in a TLS connection, but this hub is not its other end: another machine
/// forwards the frames.
pub(crate) fn asked_binding(is_bound: bool, binding: Option<ChannelBinding>) -> Result<Option<ChannelBinding>> {
    if is_bound && binding.is_none() {
        return Err(Error::new(Code::Forbidden, "the proof would be for another TLS connection than this one")
            .hint("connect to the hub itself, without a program in between that forwards the connection"));
    }
    Ok(binding.filter(|_| is_bound))
}

fn no_common_version((oldest, newest): (u32, u32)) -> Error {
    let (first, last) = LINK_VERSIONS;
    let detail = format!("this hub supports link versions {first} to {last}, the runner {oldest} to {newest}");
    Error::new(Code::VersionMismatch, detail).hint(if oldest > last {
        "update the hub: its version is older than the runner's"
    } else {
        "update the runner: install the hub's version on that machine and restart it"
    })
}

/// Rejects a hello with texts or numbers out of bounds.
fn check(hello: &Hello) -> Result<()> {
    if hello.promotion.is_some_and(|promotion| promotion.number > NUMBER_MAX) {
        return Err(Error::new(Code::MalformedRequest, format!("a promotion number is above {NUMBER_MAX}")));
    }
    let others = [&hello.incarnation, &hello.boot_id, hello.primary_hub.as_deref().unwrap_or_default()];
    check_texts("hello", &hello.machine, &hello.runner_version, hello.name.as_deref(), &others)
}

/// Returns the host if the runner's signature matches the key stored for it.
async fn proven(hub: &Hub, hello: &Hello, message: &[u8], signature: &proto::link::Bytes64) -> Result<HostView> {
    let (host, version) = (hello.host, hello.key_version);
    let found = hub
        .store
        .read(move |tx| {
            Box::pin(
                async move { Ok::<_, Error>((tx.host_anywhere(host).await?, tx.host_key_get(host, version).await?)) },
            )
        })
        .await?;
    let unknown = || {
        Error::new(Code::HostRevoked, "unknown host, or unknown version of its key")
            .hint("if the host was removed, run `hostler leave` and join again")
    };
    let (Some(view), Some(key)) = found else { return Err(unknown()) };
    if let Some(at) = view.host.revoked_at {
        return Err(Error::new(Code::HostRevoked, format!("the keys of {} were revoked at {at:.0}", view.host.name))
            .hint("run `hostler leave` and join again"));
    }
    if !is_signed_by(&Bytes32(key), message, signature) {
        return Err(unknown());
    }
    Ok(view)
}

async fn open(
    hub: &Hub,
    socket: &mut WebSocket,
    hello: Hello,
    view: HostView,
    skew: i64,
    origin: &LinkOrigin,
) -> Result<RunnerSession> {
    let secret = Secret::new(SecretKind::Runner, hub.random.bytes(), &[]);
    let opened = NewSession {
        host_id: view.host.id,
        hub_id: hub.id,
        token_hash: secret.hash(),
        incarnation: hello.incarnation.clone(),
        boot_id: hello.boot_id.clone(),
        runner_version: hello.runner_version.clone(),
        address: origin.address.clone(),
        clock_skew_ms: skew,
    };
    let (hub_in, org) = (hub.clone(), view.host.org_id);
    let [is_packed, takes_promotions, takes_rotations] =
        [PACKED, PRIMARY, KEY_ROTATION].map(|wanted| hello.caps.iter().any(|cap| cap == wanted));
    let (offered, is_own) = (QueueNames::offered(&hello.queues), origin.is_own_process);
    let offer = QueueOffer { queues: offered.clone(), is_own };
    let begun = hub
        .store
        .write(move |tx| Box::pin(async move { begin(&hub_in, tx, org, &hello, &offer, &opened).await }))
        .await?;
    hub.wakes.presence.wake();
    let begun = match begun {
        SessionStart::NewRunnerSession(opened) => opened,
        SessionStart::Duplicate { retry_after } => return Err(duplicate(&view.host.name, retry_after)),
    };
    let rotate_to = begun.host.key_version_wanted.filter(|wanted| *wanted > begun.host.key_version);
    let answer = Welcome {
        epoch: begun.epoch,
        session_token: secret.reveal().to_owned(),
        name: begun.host.name.clone(),
        heartbeat_ms: millis(begun.heartbeat_interval),
        rotate_to,
        hub_version: VERSION.to_owned(),
        clock_skew_ms: skew,
        lost_after_ms: millis(hub.options.lost_after),
        caps: vec![PACKED.to_owned()],
        log_budget: Some(hub.options.log_budget),
        refused_queues: offered.without(&begun.host.queues),
    };
    send_frame(socket, &ToRunner::Welcome(answer)).await?;
    let NewRunnerSession { host, epoch, heartbeat_interval, lanes, promoted } = *begun;
    if let Some(number) = promoted.filter(|_| takes_promotions) {
        send_frame(socket, &ToRunner::Promoted { number }).await?;
    }
    Ok(RunnerSession {
        sender: HostSender::proven(host.id, org, epoch),
        name: host.name,
        key_version: host.key_version,
        heartbeat_interval,
        clock_skew_ms: skew,
        lanes,
        servers: HostServers::default(),
        settled_through: 0,
        is_packed,
        promoted,
        takes_promotions,
        rotation_sent: rotate_to,
        takes_rotations,
    })
}

fn duplicate(name: &str, retry_after: Span) -> Error {
    Error::new(Code::DuplicateHost, format!("another runner with the key of {name} is connected"))
        .hint("if this machine is a clone: run `hostler leave --force` here, then join with a new token")
        .retry_after(retry_after)
}

/// Result of [`begin`].
enum SessionStart {
    NewRunnerSession(Box<NewRunnerSession>),
    Duplicate { retry_after: Span },
}

/// A session that [`begin`] opened.
struct NewRunnerSession {
    host: Host,
    epoch: i64,
    heartbeat_interval: Span,
    lanes: Vec<LaneId>,
    /// Number of this hub's own promotion, if the host must learn it.
    promoted: Option<u64>,
}

/// Opens the session and stores what the runner reports about its machine, in one transaction.
///
/// The lock on the host's row decides between two runners with the same key (a cloned disk): only one of them sees no
/// live session of the other. The host is read again under the lock, because it can be revoked, removed or connected
/// elsewhere since [`proven`] read it. The new epoch fences off everything that an older session still sends.
async fn begin(
    hub: &Hub,
    tx: &mut store::Tx<'_>,
    org: OrgId,
    hello: &Hello,
    offer: &QueueOffer,
    opened: &NewSession,
) -> Result<SessionStart> {
    let view = tx.host_lock(org, hello.host).await?.filter(|view| view.host.revoked_at.is_none());
    let view = view.ok_or_else(|| Error::new(Code::HostRevoked, "the host was just revoked or removed"))?;
    let (heartbeat_interval, now) = (heartbeat_interval(hub.options.heartbeat, view.offline_after()), hub.now());
    let last = view.session.as_ref().map(|session| LastSession {
        incarnation: session.incarnation.clone(),
        heartbeat_at: session.heartbeat_at,
        is_closed: session.closed_at.is_some(),
    });
    if let Admission::Duplicate { retry_after } = admit(last.as_ref(), &hello.incarnation, heartbeat_interval, now) {
        // Committed although the runner is rejected: the duplicate is noted on the host, which raises an alert.
        tx.host_session_duplicate(hello.host, now).await?;
        return Ok(SessionStart::Duplicate { retry_after });
    }
    let host = update_host(hub, tx, view.host, hello, offer).await?;
    let epoch = tx.host_session_open(opened, now).await?;
    tx.holder_put(host.id.into(), epoch).await?;
    tx.host_queues_set(host.id, offer.queues.names()).await?;
    let lanes = lanes::rewrite(tx, host.id).await?;
    let promoted = primary::receive_promotion(hub, tx, &host, hello.promotion).await?;
    Ok(SessionStart::NewRunnerSession(Box::new(NewRunnerSession { host, epoch, heartbeat_interval, lanes, promoted })))
}

/// The queues that a runner offers to serve.
struct QueueOffer {
    queues: QueueNames,
    /// Whether the runner is part of the hub's own process. The hub then allows every queue that the runner offers, as
    /// both have the same settings.
    is_own: bool,
}

/// Updates the host from its hello: machine, capabilities, primary hub, and its name unless a person has set one.
async fn update_host(
    hub: &Hub,
    tx: &mut store::Tx<'_>,
    before: Host,
    hello: &Hello,
    offer: &QueueOffer,
) -> Result<Host> {
    let has_standalone = hello.caps.iter().any(|cap| cap == STANDALONE);
    let has_servers = hello.caps.iter().any(|cap| cap == SERVERS);
    let (machine, primary_hub) = (json!(hello.machine), hello.primary_hub.clone());
    let queues = if offer.is_own { before.queues.and(&offer.queues) } else { before.queues.clone() };
    let mut host = Host { machine, primary_hub, has_standalone, has_servers, queues, ..before.clone() };
    let proposed = hello.name.as_deref().map(name::from_machine);
    if let Some(proposed) = proposed.filter(|proposed| !host.is_named_by_person && !is_numbered(&host.name, proposed)) {
        let taken = tx.host_names_like(host.org_id, &proposed).await?;
        host.name = name::free(&proposed, |candidate| taken.iter().any(|name| name == candidate));
        let (id, diff) = (Some(host.id.to_string()), json!({"name": [before.name, host.name]}));
        let entry = AuditEntry { action: "host.renamed", kind: "host", id, name: Some(&host.name), diff };
        RequestContext::host(host.id, &host.name).record(hub, tx, Some(host.org_id), entry).await?;
    }
    if host != before {
        host.updated_at = hub.now();
        tx.host_update(&host).await?;
    }
    if (host.has_standalone, &host.primary_hub) != (before.has_standalone, &before.primary_hub) {
        host_changed(hub, tx, &host, hub.now()).await?;
    }
    Ok(host)
}

/// Whether `name` is `proposed`, or `proposed` with the number it got because the name was taken.
fn is_numbered(name: &str, proposed: &str) -> bool {
    name.strip_prefix(proposed)
        .is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(|n| n.parse::<u32>().is_ok()))
}

#[cfg(test)]
mod tests {
    use super::is_numbered;

    #[test]
    fn numbered_name_counts_as_the_requested_name() {
        assert!(is_numbered("web", "web"));
        assert!(is_numbered("web-2", "web"));
        assert!(!is_numbered("web-server", "web"));
        assert!(!is_numbered("db", "web"));
    }
}
