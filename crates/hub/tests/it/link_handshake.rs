//! The handshake of a runner over real TLS connections: proofs bound to their connection, queues of the host.

use std::{net::SocketAddr, sync::Arc};

use domain::HostId;
use ed25519_dalek::{Signer as _, SigningKey};
use futures_util::{SinkExt as _, StreamExt as _};
use hub::Listeners;
use proto::{
    Code,
    link::{
        Bytes32, Bytes64, ChannelBinding, HUB_SERVER_NAME, Hello, JoinAccepted, KEY_ROTATION, LINK_VERSIONS, Proof,
        ToHub, ToRunner, Welcome, is_signed_by, signed,
    },
    metrics::Machine,
};
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName, pem::PemObject as _},
};
use serde_json::json;
use store::hub::HubIdentity;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{TlsConnector, client::TlsStream};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{ClientRequestBuilder, Message},
};

use crate::fixture::{As, TestHub, join_request, local};

const SEED: [u8; 32] = [1; 32];

/// Runs `body` with the address of the hub's TCP listener.
async fn while_serving(test: &TestHub, body: impl AsyncFnOnce(SocketAddr)) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let listeners = Listeners { tcp: Some(listener), local: None };
    tokio::select! {
        served = test.hub.serve(listeners, std::future::pending()) => panic!("the hub ended: {served:?}"),
        () = body(address) => {}
    }
}

/// TLS that trusts the hub's own certificate.
async fn trust(test: &TestHub) -> TlsConnector {
    let none = HubIdentity { private_key: Vec::new(), public_key: [0; 32], certificate: String::new() };
    let now = test.hub.now();
    let kept = test.write(move |tx| Box::pin(async move { Ok(tx.hub_identity(&none, now).await?) })).await;
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(kept.certificate.as_bytes()).expect("a certificate")).expect("a root");
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

async fn connect(trust: &TlsConnector, address: SocketAddr) -> (TlsStream<TcpStream>, ChannelBinding) {
    let stream = TcpStream::connect(address).await.expect("connects");
    let name = ServerName::try_from(HUB_SERVER_NAME).expect("a name");
    let stream = trust.connect(name, stream).await.expect("the certificate is the hub's");
    let exported = stream.get_ref().1.export_keying_material([0; 32], ChannelBinding::EXPORTER_LABEL, None);
    (stream, ChannelBinding(Bytes32(exported.expect("exports"))))
}

/// A host with the key of [`SEED`].
async fn host(test: &TestHub) -> HostId {
    let org = test.first_org().await;
    let (_, token) = test.join_token(org).await;
    test.hub.join(&local(), join_request(&token, "web-1", SEED)).await.expect("joins").host_id
}

/// The handshake of a runner, written by hand.
struct Handshake {
    host: HostId,
    /// Whether the hello announces bound proofs.
    is_bound: bool,
    /// The binding that the runner's proof signs.
    signs: Option<ChannelBinding>,
    queues: &'static [&'static str],
    caps: &'static [&'static str],
}

impl Handshake {
    fn of(host: HostId) -> Self {
        Self { host, is_bound: false, signs: None, queues: &[], caps: &[] }
    }

    /// Sends hello and proof; returns the challenge's signature, the welcome or the code of the rejection, and the link.
    async fn run<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        test: &TestHub,
        stream: S,
    ) -> (Option<Bytes64>, Result<Welcome, Code>, WebSocketStream<S>) {
        let request = ClientRequestBuilder::new("ws://hub.test/api/v1/link".parse().expect("an address"));
        let (mut socket, _) = client_async(request, stream).await.expect("upgrades");
        let nonce = Bytes32([5; 32]);
        let hello = Hello {
            versions: LINK_VERSIONS,
            host: self.host,
            key_version: 1,
            nonce,
            incarnation: "one".into(),
            boot_id: "boot".into(),
            runner_version: "0.1.0".into(),
            name: None,
            machine: Machine::default(),
            queues: self.queues.iter().map(|queue| (*queue).to_owned()).collect(),
            is_bound: self.is_bound,
            time: test.hub.now(),
            caps: self.caps.iter().map(|cap| (*cap).to_owned()).collect(),
            primary_hub: None,
            promotion: None,
        };
        send(&mut socket, &ToHub::Hello(Box::new(hello))).await;
        let challenge = match next(&mut socket).await {
            ToRunner::Challenge(challenge) => challenge,
            ToRunner::Refused(refused) => return (None, Err(refused.code), socket),
            other => panic!("{other:?}"),
        };
        let hub_key = test.hub.identity.public_key();
        let message = signed::runner_proof(&hub_key, &challenge.nonce, &nonce, self.host, 1, self.signs.as_ref());
        let signature = Bytes64(SigningKey::from_bytes(&SEED).sign(&message).to_bytes());
        send(&mut socket, &ToHub::Proof(Proof { signature })).await;
        let outcome = match next(&mut socket).await {
            ToRunner::Welcome(welcome) => Ok(welcome),
            ToRunner::Refused(refused) => Err(refused.code),
            other => panic!("{other:?}"),
        };
        (Some(challenge.proof), outcome, socket)
    }
}

async fn send<S: AsyncRead + AsyncWrite + Unpin>(socket: &mut WebSocketStream<S>, frame: &ToHub) {
    socket.send(Message::text(serde_json::to_string(frame).expect("serialises"))).await.expect("sends");
}

async fn next<S: AsyncRead + AsyncWrite + Unpin>(socket: &mut WebSocketStream<S>) -> ToRunner {
    loop {
        if let Message::Text(text) = socket.next().await.expect("a frame").expect("the link is open") {
            return ToRunner::parse(&text).expect("a frame");
        }
    }
}

testkit::db_test!(proofs_of_a_link_are_valid_only_on_their_own_tls_connection, |db| async move {
    let test = TestHub::new(db).await;
    let host = host(&test).await;
    let trust = trust(&test).await;
    while_serving(&test, async |address| {
        let hub_key = test.hub.identity.public_key();
        let hub_signed = |binding: Option<&ChannelBinding>, proof: &Bytes64| {
            is_signed_by(&hub_key, &signed::hub_proof(&hub_key, &Bytes32([5; 32]), binding), proof)
        };
        // A machine in the middle can only forward proofs that were made for another connection, or for none.
        let (_other, elsewhere) = connect(&trust, address).await;
        for signs in [Some(elsewhere), None] {
            let (stream, here) = connect(&trust, address).await;
            let relayed = Handshake { is_bound: true, signs, ..Handshake::of(host) };
            let (proof, outcome, _) = relayed.run(&test, stream).await;
            assert_eq!(outcome.err(), Some(Code::HostRevoked), "{signs:?}");
            let proof = proof.expect("the hub signs first");
            assert!(hub_signed(Some(&here), &proof), "for this connection");
            assert!(!hub_signed(Some(&elsewhere), &proof) && !hub_signed(None, &proof), "and for no other");
        }
        let (stream, here) = connect(&trust, address).await;
        let honest = Handshake { is_bound: true, signs: Some(here), ..Handshake::of(host) };
        let (_, outcome, socket) = honest.run(&test, stream).await;
        assert_eq!(outcome.expect("is welcome").epoch, 1);
        drop(socket);

        // A proxy that ends TLS and connects to the hub over TLS again: the runner has not seen the hub's key and binds
        // nothing. A bound proof cannot pass for an unbound one.
        let (stream, here) = connect(&trust, address).await;
        let stripped = Handshake { signs: Some(here), ..Handshake::of(host) };
        assert_eq!(stripped.run(&test, stream).await.1.err(), Some(Code::HostRevoked));
        let (stream, _) = connect(&trust, address).await;
        let (proof, outcome, _) = Handshake::of(host).run(&test, stream).await;
        assert!(outcome.is_ok() && hub_signed(None, &proof.expect("signs")), "{outcome:?}");
    })
    .await;
});

testkit::db_test!(bound_hello_is_rejected_where_tls_does_not_end_at_the_hub, |db| async move {
    let test = TestHub::new(db).await;
    let host = host(&test).await;
    let bound = Handshake { is_bound: true, signs: Some(ChannelBinding(Bytes32([9; 32]))), ..Handshake::of(host) };
    while_serving(&test, async |address| {
        let (_, outcome, _) = bound.run(&test, TcpStream::connect(address).await.expect("connects")).await;
        assert_eq!(outcome.err(), Some(Code::Forbidden), "loopback without TLS");
    })
    .await;
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    test.hub.serve_pipe(theirs);
    assert_eq!(bound.run(&test, ours).await.1.err(), Some(Code::Forbidden), "a pipe");
    let org = test.first_org().await;
    let (_, token) = test.join_token(org).await;
    let join = proto::link::JoinRequest { is_bound: true, ..join_request(&token, "web-2", [2; 32]) };
    let refused = test.hub.join(&local(), join).await.expect_err("the hub has no such connection");
    assert_eq!(refused.code(), Code::Forbidden);
});

testkit::db_test!(proof_of_a_join_is_bound_to_its_tls_connection, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let (_, token) = test.join_token(org).await;
    let trust = trust(&test).await;
    while_serving(&test, async |address| {
        let (mut stream, here) = connect(&trust, address).await;
        let join = proto::link::JoinRequest { is_bound: true, ..join_request(&token, "web-1", SEED) };
        let body = serde_json::to_string(&join).expect("serialises");
        let head =
            "POST /api/v1/join HTTP/1.1\r\nHost: hub.test\r\nConnection: close\r\nContent-Type: application/json";
        let request = format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).await.expect("sends");
        let mut answer = Vec::new();
        // The end of the connection, with or without an alert, ends the answer.
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8(answer).expect("text");
        let body = answer.split_once("\r\n\r\n").expect("an answer").1;
        let accepted: JoinAccepted = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
        let key = test.hub.identity.public_key();
        let is_bound_to = |binding| is_signed_by(&key, &signed::hub_proof(&key, &join.nonce, binding), &accepted.proof);
        assert!(is_bound_to(Some(&here)));
        assert!(!is_bound_to(None));
    })
    .await;
});

testkit::db_test!(host_serves_the_offered_queues_that_it_is_allowed, |db| async move {
    let test = TestHub::new(db).await;
    let (org, host) = (test.first_org().await, host(&test).await);
    let lanes = async || {
        let servant = test.write(move |tx| Box::pin(async move { Ok(tx.servant(host).await?) })).await;
        servant.expect("exists").queues
    };
    let offer = Handshake { queues: &["default", "payments"], ..Handshake::of(host) };
    while_serving(&test, async |address| {
        let (_, outcome, socket) = offer.run(&test, TcpStream::connect(address).await.expect("connects")).await;
        assert_eq!(outcome.expect("is welcome").refused_queues, ["payments"]);
        assert_eq!(lanes().await, ["default"]);
        let shown = test.call(&As::Local, "GET", "/api/v1/hosts/web-1", None).await.json();
        assert_eq!(
            (&shown["queues"], &shown["queues_offered"]),
            (&json!(["default"]), &json!(["default", "payments"]))
        );

        // An admin allows the queue; the open session serves it without a new hello.
        let user = test.person(org, "op@acme.example", domain::Role::Operator).await;
        let operator = As::Bearer(test.token(org, user, domain::Role::Operator).await.1);
        let patch = json!({"queues": ["payments", "gpu"]});
        let refused = test.call(&operator, "PATCH", "/api/v1/hosts/web-1", Some(patch.clone())).await;
        assert_eq!(refused.status, 403, "operators cannot: {}", refused.text);
        let changed = test.call(&As::Local, "PATCH", "/api/v1/hosts/web-1", Some(patch)).await;
        assert_eq!(changed.json()["queues"], json!(["gpu", "payments"]), "{}", changed.text);
        assert_eq!(lanes().await, ["payments"]);
        let audit = test.call(&As::Local, "GET", "/api/v1/audit?limit=1", None).await.json();
        let entry = &audit["items"][0];
        assert_eq!(entry["action"], "host.updated", "{audit}");
        assert_eq!(entry["diff"]["queues"], json!([["default"], ["gpu", "payments"]]), "{audit}");
        let too_many: Vec<String> = (0..65).map(|number| format!("q{number}")).collect();
        for wrong in [json!(["Payments"]), json!(["a\u{1b}"]), json!(too_many)] {
            let answer = test.call(&As::Local, "PATCH", "/api/v1/hosts/web-1", Some(json!({"queues": wrong}))).await;
            assert!(answer.status.is_client_error(), "{}", answer.text);
        }
        drop(socket);
    })
    .await;

    // A runner in the hub's own process is allowed every queue that it offers.
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    test.hub.serve_pipe(theirs);
    let (_, outcome, _) = offer.run(&test, ours).await;
    assert_eq!(outcome.expect("is welcome").refused_queues, [] as [&str; 0]);
    assert_eq!(lanes().await, ["default", "payments"]);
});

testkit::db_test!(join_token_decides_the_queues_of_its_hosts, |db| async move {
    let test = TestHub::new(db).await;
    let made = test.call(&As::Local, "POST", "/api/v1/join-tokens", Some(json!({"queues": ["gpu", "night"]}))).await;
    assert_eq!(made.json()["queues"], json!(["gpu", "night"]), "{}", made.text);
    let token = made.json()["secret"].as_str().expect("a secret").to_owned();
    test.hub.join(&local(), join_request(&token, "web-1", SEED)).await.expect("joins");
    let shown = test.call(&As::Local, "GET", "/api/v1/hosts/web-1", None).await.json();
    assert_eq!(shown["queues"], json!(["gpu", "night"]));
    let wrong = test.call(&As::Local, "POST", "/api/v1/join-tokens", Some(json!({"queues": ["no spaces"]}))).await;
    assert!(wrong.status.is_client_error(), "{}", wrong.text);
    let plain = test.call(&As::Local, "POST", "/api/v1/join-tokens", Some(json!({}))).await;
    assert_eq!(plain.json()["queues"], json!(["default"]), "{}", plain.text);
});

testkit::db_test!(new_key_is_requested_once_and_only_from_runners_that_can_replace_it, |db| async move {
    let test = TestHub::new(db).await;
    let (org, host) = (test.first_org().await, host(&test).await);
    while_serving(&test, async |address| {
        let old = Handshake::of(host);
        let (_, outcome, old_link) = old.run(&test, TcpStream::connect(address).await.expect("connects")).await;
        assert_eq!(outcome.expect("is welcome").rotate_to, None);
        drop(old_link);
        let new = Handshake { caps: &[KEY_ROTATION], ..Handshake::of(host) };
        let (_, outcome, mut link) = new.run(&test, TcpStream::connect(address).await.expect("connects")).await;
        outcome.expect("is welcome");
        test.hub.host_rotate_key(&local(), org, "web-1").await.expect("asks");
        assert_eq!(next(&mut link).await, ToRunner::RotateKey { version: 2 });

        // A weak key is rejected, and the old one stays.
        let mut weak = Bytes32([0; 32]);
        weak.0[0] = 1;
        let message = signed::next_key(host, 2, &weak);
        let mut forged = Bytes64([0; 64]);
        forged.0[0] = 1;
        let signature = Bytes64(SigningKey::from_bytes(&SEED).sign(&message).to_bytes());
        let rotate = proto::link::Rotate { version: 2, public_key: weak, signature, possession: forged };
        send(&mut link, &ToHub::Rotate(rotate)).await;
        match next(&mut link).await {
            ToRunner::Refused(refused) => assert_eq!(refused.code, Code::InvalidValue, "{}", refused.detail),
            other => panic!("{other:?}"),
        }
        drop(link);
        let shown = test.hub.host_get(org, "web-1").await.expect("exists").host;
        assert_eq!((shown.key_version, shown.key_version_wanted, shown.rotation_due), (1, Some(2), true));
        let (_, outcome, _) = old.run(&test, TcpStream::connect(address).await.expect("connects")).await;
        assert_eq!(outcome.expect("the old key is valid").rotate_to, Some(2), "and asks again");
    })
    .await;
});
