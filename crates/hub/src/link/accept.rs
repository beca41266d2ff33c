//! A runner knocks: hello, challenge, proof, welcome.

use std::time::Duration;

use axum::{
    extract::{WebSocketUpgrade, ws::WebSocket},
    response::Response,
};
use domain::{
    HostId, Span, name,
    presence::pace,
    secret::{Secret, SecretKind},
    session::{Admission, LastSession, admit, clock_skew_ms},
};
use proto::{
    Code, VERSION,
    link::{
        Bytes32, Challenge, FRAME_BYTES_MAX, Hello, LINK_VERSIONS, Refused, ToHub, ToRunner, Welcome, common_version,
        is_signed_by, signed,
    },
};
use serde_json::json;
use store::{host::HostView, session::NewSession};

use super::{
    paces::millis,
    session::{self, Session},
};
use crate::{
    Error, Hub, Result,
    app::{By, Deed},
};

/// A runner must have said hello and proven its key within this time.
const HANDSHAKE_TIME_MAX: Duration = Duration::from_secs(15);

/// Opens the socket and sees the runner through the door.
pub(crate) fn accept(hub: Hub, upgrade: WebSocketUpgrade, address: String) -> Response {
    let crew = hub.crew.clone();
    // The default buffers would cost 136 kB per idle runner.
    let upgrade = upgrade
        .read_buffer_size(4096)
        .write_buffer_size(0)
        .max_message_size(FRAME_BYTES_MAX)
        .max_frame_size(FRAME_BYTES_MAX);
    upgrade.on_upgrade(move |mut socket| {
        crew.track(async move {
            match tokio::time::timeout(HANDSHAKE_TIME_MAX, welcome(&hub, &mut socket, &address)).await {
                Ok(Ok(session)) => session::hold(&hub, &mut socket, session).await,
                Ok(Err(error)) => session::refuse(&mut socket, &error).await,
                Err(_) => {
                    session::refuse(&mut socket, &Error::new(Code::RequestTimeout, "the handshake took too long")).await
                }
            }
        })
    })
}

async fn welcome(hub: &Hub, socket: &mut WebSocket, address: &str) -> Result<Session> {
    let Some(ToHub::Hello(hello)) = session::read(socket).await? else {
        return Err(Error::new(Code::MalformedRequest, "a runner says hello first"));
    };
    let received_at = hub.now();
    let version = common_version(LINK_VERSIONS, hello.versions).ok_or_else(|| {
        Error::new(
            Code::VersionMismatch,
            format!("this hub speaks link versions {LINK_VERSIONS:?}, the runner {:?}", hello.versions),
        )
        .hint("please update runner: install the hub's version there, then start it again")
    })?;
    let hub_key = hub.identity.public_key();
    let nonce = Bytes32(hub.random.bytes());
    let challenge = Challenge {
        version,
        nonce,
        proof: hub.identity.sign(&signed::hub_proof(&hub_key, &hello.nonce)),
        time: hub.now(),
    };
    let asked_at = hub.now();
    session::say(socket, &ToRunner::Challenge(challenge)).await?;
    let Some(ToHub::Proof(proof)) = session::read(socket).await? else {
        return Err(Error::new(Code::MalformedRequest, "a runner proves its key second"));
    };
    let round_trip = hub.now().since(asked_at);
    let view = proven(hub, &hello, &hub_key, &nonce, &proof.signature).await?;
    let skew = clock_skew_ms(hello.time, received_at, round_trip);
    open(hub, socket, hello, view, skew, address).await
}

/// The host, if its signature fits the key we have of it.
async fn proven(
    hub: &Hub,
    hello: &Hello,
    hub_key: &Bytes32,
    nonce: &Bytes32,
    signature: &proto::link::Bytes64,
) -> Result<HostView> {
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
        Error::new(Code::HostRevoked, "this hub does not know this host or this version of its key")
            .hint("if the host was removed, run `hostler leave` and join again")
    };
    let (Some(view), Some(key)) = found else { return Err(unknown()) };
    if let Some(at) = view.host.revoked_at {
        return Err(Error::new(Code::HostRevoked, format!("the keys of {} were revoked at {at}", view.host.name))
            .hint("run `hostler leave` and join again"));
    }
    let message = signed::runner_proof(hub_key, nonce, &hello.nonce, host, version);
    if !is_signed_by(&Bytes32(key), &message, signature) {
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
    address: &str,
) -> Result<Session> {
    let now = hub.now();
    let last = view.session.as_ref().map(|session| LastSession {
        incarnation: session.incarnation.clone(),
        heartbeat_at: session.heartbeat_at,
        is_closed: session.closed_at.is_some(),
    });
    if let Admission::Duplicate { retry_after } = admit(last.as_ref(), &hello.incarnation, hub.options.heartbeat, now) {
        let host = view.host.id;
        hub.store
            .write(move |tx| Box::pin(async move { tx.host_session_duplicate(host, now).await.map_err(Error::from) }))
            .await?;
        hub.wakes.presence.wake();
        return Err(Error::new(
            Code::DuplicateHost,
            format!("another process with the key of {} is connected", view.host.name),
        )
        .hint("if this machine is a copy: hostler leave --force here, then join with a token of its own")
        .retry_after(retry_after));
    }
    let secret = Secret::new(SecretKind::Runner, hub.random.bytes(), &[]);
    let opened = NewSession {
        host_id: view.host.id,
        hub_id: hub.id,
        token_hash: secret.hash(),
        incarnation: hello.incarnation.clone(),
        boot_id: hello.boot_id.clone(),
        runner_version: hello.runner_version.clone(),
        address: address.to_owned(),
        clock_skew_ms: skew,
    };
    let hub_in = hub.clone();
    let (epoch, name) =
        hub.store.write(move |tx| Box::pin(async move { begin(&hub_in, tx, view, &hello, &opened).await })).await?;
    hub.wakes.presence.wake();
    let host = epoch.host;
    let answer = Welcome {
        epoch: epoch.number,
        session_token: secret.reveal().to_owned(),
        name: name.clone(),
        heartbeat_ms: millis(epoch.pace),
        rotate_to: epoch.rotate_to,
        hub_version: VERSION.to_owned(),
        clock_skew_ms: skew,
    };
    session::say(socket, &ToRunner::Welcome(answer)).await?;
    Ok(Session { host, org: epoch.org, name, epoch: epoch.number, key_version: epoch.key_version, pace: epoch.pace })
}

/// What opening a session settled.
struct Begun {
    host: HostId,
    org: domain::OrgId,
    number: i64,
    key_version: i32,
    rotate_to: Option<i32>,
    pace: Span,
}

/// Opens the session and takes over what the runner says of its machine, in one transaction.
async fn begin(
    hub: &Hub,
    tx: &mut store::Tx<'_>,
    view: HostView,
    hello: &Hello,
    opened: &NewSession,
) -> Result<(Begun, String)> {
    let pace = pace(hub.options.heartbeat, view.offline_after());
    let (mut host, now) = (view.host, hub.now());
    let before = host.clone();
    let wish = hello.name.as_deref().map(name::from_machine);
    if let Some(wish) = wish.filter(|wish| !host.is_named_by_person && !is_numbered(&host.name, wish)) {
        let taken = tx.host_names_like(host.org_id, &wish).await?;
        host.name = name::free(&wish, |candidate| taken.iter().any(|name| name == candidate));
        let diff = json!({"name": [before.name, host.name]});
        let deed =
            Deed { action: "host.renamed", kind: "host", id: Some(host.id.to_string()), name: Some(&host.name), diff };
        By::host(host.id, &host.name).record(hub, tx, Some(host.org_id), deed).await?;
    }
    host.machine = json!(hello.machine);
    if host != before {
        host.updated_at = now;
        tx.host_update(&host).await?;
    }
    let number = tx.host_session_open(opened, now).await?;
    let rotate_to = host.key_version_wanted.filter(|wanted| *wanted > host.key_version);
    Ok((Begun { host: host.id, org: host.org_id, number, key_version: host.key_version, rotate_to, pace }, host.name))
}

/// Whether a name is the wish itself or the wish with the number it got because it was taken.
fn is_numbered(name: &str, wish: &str) -> bool {
    name.strip_prefix(wish)
        .is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(|n| n.parse::<u32>().is_ok()))
}

/// What a runner is told when it is turned away.
pub(super) fn refusal(error: &Error) -> Refused {
    let hint = error.problem.hint.as_deref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    // Trying again is pointless where only a person can help; everything else passes.
    let is_final = matches!(error.code(), Code::HostRevoked | Code::VersionMismatch | Code::MalformedRequest);
    let wait = error.problem.retry_after_ms.map_or(Span::from_secs(5), Span::from_millis);
    Refused {
        code: error.code(),
        detail: format!("{}{hint}", error.problem.detail),
        retry_after_ms: (!is_final).then(|| u32::try_from(wait.as_millis()).unwrap_or(u32::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::is_numbered;

    #[test]
    fn a_numbered_name_is_still_the_wish() {
        assert!(is_numbered("web", "web"));
        assert!(is_numbered("web-2", "web"));
        assert!(!is_numbered("web-server", "web"));
        assert!(!is_numbered("db", "web"));
    }
}
