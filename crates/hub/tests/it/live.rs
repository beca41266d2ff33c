//! Live sockets: which events they receive, and when they are closed.

use domain::Role;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::DuplexStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{ClientRequestBuilder, Message},
};

use crate::fixture::{As, TestHub, local};

pub(crate) type Socket = WebSocketStream<DuplexStream>;

async fn listen(test: &TestHub, token: &str) -> Socket {
    listen_to(test, token, "").await
}

/// Opens a socket and reads its `hello`.
pub(crate) async fn listen_to(test: &TestHub, token: &str, query: &str) -> Socket {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    test.hub.serve_pipe(theirs);
    let request = ClientRequestBuilder::new(format!("ws://hostler/api/v1/events{query}").parse().expect("an address"))
        .with_header("Authorization", format!("Bearer {token}"));
    let (mut socket, _) = client_async(request, ours).await.expect("opens");
    assert_eq!(next(&mut socket).await.expect("speaks")["type"], "hello");
    socket
}

/// The next frame; `None` when the socket is closed.
pub(crate) async fn next(socket: &mut Socket) -> Option<Value> {
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Text(text) = message {
            return serde_json::from_str(&text).ok();
        }
    }
    None
}

/// The next frame of this type; skips others.
async fn wait_for(socket: &mut Socket, kind: &str) -> Value {
    loop {
        let frame = next(socket).await.unwrap_or_else(|| panic!("closed before {kind}"));
        if frame["type"] == kind {
            return frame;
        }
    }
}

testkit::db_test!(socket_receives_only_events_of_its_org, |db| async move {
    let test = TestHub::new(db).await;
    let (acme, beta) = (test.org("acme").await, test.org("beta").await);
    let host = test.host(acme, "web-1").await;
    test.host(beta, "db-1").await;
    let ana = test.person(acme, "ana@acme.example", Role::Viewer).await;
    let bo = test.person(beta, "bo@beta.example", Role::Viewer).await;
    let (_, ana) = test.token(acme, ana, Role::Viewer).await;
    let (_, bo) = test.token(beta, bo, Role::Viewer).await;
    let (mut hears, mut deaf) = (listen(&test, &ana).await, listen(&test, &bo).await);
    test.runner(host).await;
    test.hub.wakes.presence.wake();
    let event = wait_for(&mut hears, "host.online").await;
    assert_eq!((&event["host_id"], &event["data"]["name"]), (&json!(host), &json!("web-1")));
    // Beta receives its own next event, and none of acme's events before.
    test.host(beta, "db-2").await;
    let first = next(&mut deaf).await.expect("speaks");
    assert_eq!(first["data"]["name"].as_str().map(|name| name.starts_with("db")), Some(true), "{first}");
});

testkit::db_test!(revoked_token_and_changed_role_close_sockets, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.org("acme").await;
    test.person(org, "boss@acme.example", Role::Admin).await;
    let user = test.person(org, "ana@acme.example", Role::Viewer).await;
    let (id, first) = test.token(org, user, Role::Viewer).await;
    let (_, second) = test.token(org, user, Role::Viewer).await;
    let (mut revoked, mut changed) = (listen(&test, &first).await, listen(&test, &second).await);
    assert_eq!(test.hub.live.len(), 2);
    test.hub.token_revoke(&local(), org, id).await.expect("revokes");
    // The change wakes the loop, so the test does not wait for an interval.
    assert_eq!(wait_for(&mut revoked, "closed").await["data"]["reason"], "your access rights have changed");
    assert!(next(&mut revoked).await.is_none());
    changed.send(Message::Ping(Vec::new().into())).await.expect("the other one is still open");
    test.hub.member_update(&local(), org, user, Role::Operator).await.expect("changes");
    wait_for(&mut changed, "closed").await;
    assert!(next(&mut changed).await.is_none());
});

testkit::db_test!(unauthenticated_caller_gets_no_socket, |db| async move {
    let test = TestHub::new(db).await;
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    test.hub.serve_pipe(theirs);
    let refused = client_async("ws://hostler/api/v1/events", ours).await;
    assert!(matches!(refused, Err(tokio_tungstenite::tungstenite::Error::Http(response)) if response.status() == 401));
    let list = test.call(&As::Local, "GET", "/api/v1/events", None).await;
    assert_eq!((list.status, list.json()["items"].clone()), (axum::http::StatusCode::OK, serde_json::json!([])));
});
