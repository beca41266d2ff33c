//! A hostile network: broken connections, forged proofs, and a man in the middle.

use std::net::SocketAddr;

use domain::HostId;
use hostile::{
    channel::{Channel, HostKey, RawFrame, handshake_with, hello, nonce, text_of},
    http,
    network::{Middle, Scheme, connect_tls, forged},
    session::RawSession,
};
use hub::{Hub, Listeners, Options};
use proto::{
    api::host::JoinTokenRequest,
    link::{Bytes32, Bytes64, FRAME_BYTES_MAX, Hello, JoinRequest, ToHub},
};
use runtime::{Clock, Shutdown};
use testkit::TestDb;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::fixture::{join_request, local};

/// A hub with a TCP port, and a host that has joined it.
struct PortHub {
    hub: Hub,
    address: SocketAddr,
    key: HostKey,
    stop: Shutdown,
    serving: JoinHandle<()>,
}

impl PortHub {
    #[expect(clippy::disallowed_methods, reason = "awaited by `stop`")]
    async fn new(db: &TestDb) -> Self {
        let options = Options { requests_per_second: 1_000_000, runners_per_second: 1_000_000, ..Options::default() };
        let hub = Hub::open(db.store.clone(), options, Clock::system()).await.expect("the hub opens");
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let (stop, serving) = (Shutdown::default(), hub.clone());
        let asked = stop.clone();
        let serving = tokio::spawn(async move {
            let listeners = Listeners { tcp: Some(listener), local: None };
            serving.serve(listeners, async move { asked.asked().await }).await.expect("the hub serves");
        });
        let key = Self::join(&hub, "web-1", [9; 32]).await;
        Self { hub, address, key, stop, serving }
    }

    async fn join(hub: &Hub, name: &str, seed: [u8; 32]) -> HostKey {
        let org = hub.org_list(&proto::page::PageQuery::default()).await.expect("lists").items[0].id;
        let token = hub.join_token_create(&local(), org, JoinTokenRequest::default()).await.expect("a join token");
        let joined = hub.join(&local(), join_request(&token.secret, name, seed)).await.expect("joins");
        HostKey::new(seed, joined.host_id, hub.identity.public_key())
    }

    async fn plain(&self) -> Channel {
        let stream = TcpStream::connect(self.address).await.expect("connects");
        Channel::open(stream, &self.address.to_string()).await.expect("the hub opens a link")
    }

    async fn tcp(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("connects")
    }

    /// Asserts that the hub is ready and that an honest runner can open a session.
    async fn assert_works(&self, after: &str) {
        let answer = http::request(self.tcp().await, &self.address.to_string(), "GET", "/readyz", None).await;
        assert_eq!(answer.map(|(status, _)| status).ok(), Some(200), "after {after}");
        let session = RawSession::open(self.plain().await, &self.key, &hello(self.key.host, "honest", &[])).await;
        let mut session = session.unwrap_or_else(|refusal| panic!("after {after}: {refusal:?}"));
        session.barrier().await.expect("heartbeats are confirmed");
    }

    async fn stop(self) {
        self.stop.begin();
        self.serving.await.expect("the hub stops");
    }
}

/// The request that opens a link, and a WebSocket frame that announces more bytes than follow.
const UPGRADE: &str = "GET /api/v1/link HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
    sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// Bytes that break off, each sent over a connection of its own that stays open.
fn broken_starts() -> Vec<(&'static str, Vec<u8>)> {
    let after_upgrade = |frame: &[u8]| [UPGRADE.as_bytes(), frame].concat();
    vec![
        ("nothing", Vec::new()),
        ("half a TLS record", vec![0x16, 0x03, 0x01, 0x02, 0x00, 0x01]),
        ("a TLS record of zeros", [&[0x16, 0x03, 0x01, 0x01, 0x00][..], &[0; 256]].concat()),
        ("half a request", b"GET /api/v1/link HTTP/1.1\r\nhost: x".to_vec()),
        ("a request with an endless header", [b"GET / HTTP/1.1\r\nx: ".to_vec(), vec![b'x'; 200_000]].concat()),
        (
            "a body that never comes",
            b"POST /api/v1/join HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n{".to_vec(),
        ),
        ("a link without a hello", UPGRADE.as_bytes().to_vec()),
        ("a truncated frame", after_upgrade(&[0x81, 0xfe, 0x01, 0xf4, 1, 2, 3, 4, b'{'])),
        ("a frame that announces a gigabyte", after_upgrade(&[0x82, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 2, 3, 4, 0])),
        ("a frame without a mask", after_upgrade(&[0x81, 0x02, b'{', b'}'])),
        ("a reserved opcode", after_upgrade(&[0x8f, 0x80, 1, 2, 3, 4])),
        ("text that is no UTF-8", after_upgrade(&[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe])),
        (
            "an endless series of fragments",
            after_upgrade(&[0x01, 0x81, 0, 0, 0, 0, b'{', 0x00, 0x81, 0, 0, 0, 0, b'{']),
        ),
    ]
}

testkit::db_test!(broken_connections_leave_the_hub_ready, |db| async move {
    let test = PortHub::new(&db).await;
    let mut held = Vec::new();
    for (what, bytes) in broken_starts() {
        let mut stream = test.tcp().await;
        // The hub may close the connection before it has read everything.
        let _ = stream.write_all(&bytes).await;
        held.push(stream);
        test.assert_works(what).await;
    }
    // A request that arrives byte by byte, with honest work in between.
    let mut trickle = test.tcp().await;
    for byte in UPGRADE.bytes() {
        trickle.write_all(&[byte]).await.expect("the hub waits for the request");
    }
    test.assert_works("a trickle").await;
    let mut answer = [0; 12];
    trickle.read_exact(&mut answer).await.expect("the hub answers");
    assert_eq!(&answer, b"HTTP/1.1 101");
    drop((held, trickle));
    test.stop().await;
});

testkit::db_test!(first_frames_that_are_no_hello_end_the_connection, |db| async move {
    let test = PortHub::new(&db).await;
    let text = |text: String| RawFrame::Text(text);
    let firsts = [
        ("two megabytes", text("x".repeat(2 * FRAME_BYTES_MAX))),
        ("two megabytes of bytes", RawFrame::Binary(vec![1; 2 * FRAME_BYTES_MAX])),
        ("no JSON", text("hello".to_owned())),
        ("deep JSON", text("[".repeat(100_000))),
        ("another frame", text(r#"{"type":"credit","limit":9}"#.to_owned())),
        ("a proof", text_of(&ToHub::Proof(proto::link::Proof { signature: Bytes64([0; 64]) }))),
        ("packed rows", RawFrame::Binary(vec![2, 0x28, 0xb5, 0x2f, 0xfd])),
        ("an unknown host", text_of(&ToHub::Hello(Box::new(hello(HostId::from_bytes([1; 16]), "x", &[]))))),
    ];
    for (what, first) in firsts {
        let mut channel = test.plain().await;
        let _ = channel.send(first).await;
        let mut welcomed = false;
        // An unknown host gets a challenge: before it is proven, the hub does not say which hosts exist.
        while let Some(frame) = channel.receive().await {
            welcomed |= frame["type"] == "welcome";
            if frame["type"] == "challenge" {
                let _ = channel.send(text_of(&ToHub::Proof(proto::link::Proof { signature: Bytes64([0; 64]) }))).await;
            }
        }
        assert!(!welcomed, "{what} opened a session");
        test.assert_works(what).await;
    }
    test.stop().await;
});

/// A way to make a proof from the hub's nonce and the hub's own proof.
type Forgery<'f> = (&'static str, Box<dyn Fn(&Bytes32, &Bytes32) -> Bytes64 + 'f>);

testkit::db_test!(forged_proofs_open_no_session, |db| async move {
    let test = PortHub::new(&db).await;
    let (key, other) = (test.key.clone(), PortHub::join(&test.hub, "web-2", [10; 32]).await);
    let old = (nonce(), nonce());
    let other_version = HostKey { version: 2, ..key.clone() };
    let other_hub = HostKey { hub_key: Bytes32([3; 32]), ..key.clone() };
    let other_host = HostKey { host: other.host, ..key.clone() };
    let forgeries: Vec<Forgery<'_>> = vec![
        ("zeros", Box::new(|_, _| Bytes64([0; 64]))),
        ("a proof of an earlier session", Box::new(|_, _| key.proof("runner proof", &old.0, &old.1))),
        ("a proof over the nonces in reverse", Box::new(|hub, own| key.proof("runner proof", own, hub))),
        ("a signature for the purpose of hubs", Box::new(|hub, own| key.proof("hub proof", hub, own))),
        ("a signature for a new key", Box::new(|hub, own| key.proof("next key", hub, own))),
        ("the key of another host", Box::new(|hub, own| other.proof("runner proof", hub, own))),
        ("the proof of another host", Box::new(|hub, own| other_host.proof("runner proof", hub, own))),
        ("another version of the key", Box::new(|hub, own| other_version.proof("runner proof", hub, own))),
        ("a proof for another hub", Box::new(|hub, own| other_hub.proof("runner proof", hub, own))),
        ("a bare signature of the nonce", Box::new(|hub, _| key.sign(&hub.0))),
    ];
    for (what, prove) in forgeries {
        let hello = hello(key.host, "forged", &[]);
        let mut channel = test.plain().await;
        let answer = handshake_with(&mut channel, &hello, |hub_nonce| prove(hub_nonce, &hello.nonce)).await;
        let refusal = answer.expect_err(what);
        assert_eq!(refusal.code(), "host_revoked", "{what}: {refusal:?}");
    }
    test.assert_works("forged proofs").await;
    test.stop().await;
});

/// The keys for which one signature is valid under every message, for a lax verification.
fn weak_keys() -> [[u8; 32]; 2] {
    let neutral = std::array::from_fn(|place| u8::from(place == 0));
    // The point of order two: y = -1.
    let two = std::array::from_fn(|place| match place {
        0 => 0xec,
        31 => 0x7f,
        _ => 0xff,
    });
    [neutral, two]
}

testkit::db_test!(weak_key_opens_no_session, |db| async move {
    let test = PortHub::new(&db).await;
    let org = test.hub.org_list(&proto::page::PageQuery::default()).await.expect("lists").items[0].id;
    for key in weak_keys().into_iter().chain([[0; 32], [0xff; 32]]) {
        let token = test.hub.join_token_create(&local(), org, JoinTokenRequest::default()).await.expect("a join token");
        let request = JoinRequest { public_key: Bytes32(key), ..join_request(&token.secret, "weak", [9; 32]) };
        let Ok(joined) = test.hub.join(&local(), request).await else { continue };
        // The neutral element as commitment and zero as response: valid for every message under a key of order one.
        let signature = Bytes64(std::array::from_fn(|place| u8::from(place == 0)));
        for _ in 0..4 {
            let hello = hello(joined.host_id, "weak", &[]);
            let opened = handshake_with(&mut test.plain().await, &hello, |_| signature).await;
            assert!(opened.is_err(), "any client can sign for the host with the key {key:?}");
        }
    }
    test.stop().await;
});

testkit::db_test!(proof_relayed_from_another_tls_connection_opens_no_session, |db| async move {
    let test = PortHub::new(&db).await;
    for scheme in Scheme::ALL {
        let middle = Middle::start(test.address, &forged(*scheme, &test.key.hub_key)).await.expect("the proxy starts");
        let stream = connect_tls(middle.address).await.expect("the proxy answers");
        let mut channel =
            Channel::open(stream, &middle.address.to_string()).await.expect("the proxy passes the request on");
        // A runner that was deceived by the proxy's certificate: it signs for the connection that it sees.
        let hello = Hello { is_bound: true, ..hello(test.key.host, "relayed", &[]) };
        let opened =
            handshake_with(&mut channel, &hello, |hub_nonce| test.key.proof("runner proof", hub_nonce, &hello.nonce))
                .await;
        assert!(!middle.recorded().is_empty(), "the proxy is in between");
        assert!(opened.is_err(), "a relayed proof opened a session over {scheme}: {opened:?}");
        middle.stop();
    }
    test.assert_works("relayed proofs").await;
    test.stop().await;
});
