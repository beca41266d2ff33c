//! The channels over HTTP against correct, slow, unreachable and misbehaving receivers.

use std::{io, sync::Arc, time::Duration};

use domain::Timestamp;
use notify::{Delivered, Failure, Sender};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::{
    fixture::{IMPATIENCE, SECRET, certificate, channel, local, notice, sender, strict},
    python::Python,
};

/// A request as received.
struct ReceivedRequest {
    head: String,
    body: Value,
}

impl ReceivedRequest {
    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Reads one request.
async fn receive(stream: &mut (impl AsyncRead + Unpin)) -> ReceivedRequest {
    let mut bytes = Vec::new();
    loop {
        let mut buffer = [0; 4096];
        let count = stream.read(&mut buffer).await.expect("readable");
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let received = ReceivedRequest { head: head.to_owned(), body: Value::Null };
            let length: usize = received.header("content-length").expect("a length").parse().expect("a number");
            if body.len() >= length {
                return ReceivedRequest { body: serde_json::from_str(body).expect("JSON"), ..received };
            }
        }
        assert!(count > 0, "the call broke off: {text}");
    }
}

/// A listener and its port.
async fn listener() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    (listener, port)
}

/// Sends a notice to a receiver that responds with these bytes.
async fn answered(
    sender: &Sender,
    config: impl FnOnce(u16) -> Value,
    answer: impl AsRef<[u8]>,
) -> (Result<Delivered, Failure>, ReceivedRequest) {
    let (listener, port) = listener().await;
    let receiver = async {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let received = receive(&mut stream).await;
        // The sender closes the connection when it has read enough.
        let _ = stream.write_all(answer.as_ref()).await;
        received
    };
    let (channel, notice) = (channel(config(port)), notice());
    tokio::join!(Box::pin(sender.send(&channel, &notice, None)), receiver)
}

fn webhook(port: u16) -> Value {
    json!({ "kind": "webhook", "url": format!("http://127.0.0.1:{port}/hook"), "secret": SECRET })
}

/// The failure of a webhook with this response.
async fn failure(answer: &str) -> Failure {
    let (sent, _) = answered(&sender(), webhook, answer).await;
    sent.expect_err(answer)
}

#[tokio::test]
async fn webhook_is_verified_by_another_library() {
    let (mut python, first) = Python::start("webhook_receiver.py", &[SECRET]).await;
    let clock = Timestamp::from_micros(first["now"].as_i64().expect("a time") * 1_000_000);
    let sender = local_at(clock);
    let port = first["port"].as_u64().and_then(|port| port.try_into().ok()).expect("a port");
    let sent =
        sender.send(&channel(webhook(port)), &notice(), Some("{{ subject }} ist fort")).await.expect("delivered");
    assert_eq!((sent.answer.as_str(), sent.fell_back), ("204 No Content", None));
    let received = python.received().await;
    assert_eq!((&received["error"], &received["id"]), (&Value::Null, &json!("01J9Z3K5")));
    assert_eq!(received["event"]["type"], "alert.raised");
    assert_eq!(received["event"]["data"]["text"], "web-1 ist fort");
    assert_eq!(received["event"]["data"]["title"], notice().title);
    assert_eq!(received["agent"], "hostler");

    let other = json!({
        "kind": "webhook", "url": format!("http://127.0.0.1:{port}/"), "secret": domain::channel::webhook_secret([7; 32]),
    });
    let failure = sender.send(&channel(other), &notice(), None).await.expect_err("another secret");
    assert!(failure.is_final && failure.text.contains("401"), "{failure:?}");
    assert_ne!(python.received().await["error"], Value::Null);
}

fn local_at(clock: Timestamp) -> Sender {
    let allowed = "127.0.0.0/8".parse().expect("a network");
    Sender::builder(move || clock).allow(allowed).time_max(Duration::from_secs(120)).build().expect("TLS")
}

#[tokio::test]
async fn signed_webhook_passes_our_own_verification() {
    let (sent, received) = answered(&sender(), webhook, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
    assert_eq!(sent.expect("delivered").answer, "200 OK: ok");
    let signed = notify::Signed {
        id: received.header("webhook-id").expect("an id"),
        timestamp: received.header("webhook-timestamp").expect("a time"),
        signature: received.header("webhook-signature").expect("a signature"),
    };
    let body = received.body.to_string();
    let verified =
        notify::verify_webhook(SECRET, signed, body.as_bytes(), crate::fixture::now(), notify::inbound::TOLERANCE);
    assert_eq!(verified, Ok(()));
}

#[tokio::test]
async fn discord_embed_disables_mentions() {
    let config = |port| json!({ "kind": "discord", "url": format!("http://127.0.0.1:{port}/api/webhooks/1/geheim") });
    let (sent, received) = answered(&sender(), config, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    assert_eq!(sent.expect("delivered").answer, "200 OK");
    assert!(received.head.starts_with("POST /api/webhooks/1/geheim?wait=true HTTP/1.1"), "{}", received.head);
    let embed = &received.body["embeds"][0];
    assert_eq!((&embed["title"], &embed["color"]), (&json!(notice().title), &json!(0xe7_4c3c)));
    assert_eq!((&embed["description"], &embed["url"]), (&json!(notice().text), &json!(notice().url)));
    assert_eq!(received.body["allowed_mentions"], json!({ "parse": [] }));

    let repeats = "HTTP/1.1 404 Not Found\r\nContent-Length: 37\r\n\r\nno webhook at /api/webhooks/1/geheim ";
    let (sent, _) = answered(&sender(), config, repeats).await;
    let failure = sent.expect_err("not found");
    assert_eq!(failure.text, "`127.0.0.1` answered 404 Not Found: no webhook at •••");
    assert!(failure.is_final);
}

#[tokio::test]
async fn slack_text_is_escaped() {
    let config = |port| json!({ "kind": "slack", "url": format!("http://127.0.0.1:{port}/services/T0/B0/x") });
    let (sent, received) = answered(&sender(), config, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
    assert_eq!(sent.expect("delivered").answer, "200 OK: ok");
    assert_eq!(received.body["text"], "größter Rechner &lt;web-1&gt; ist fort");
    let section = received.body["blocks"][1]["text"]["text"].as_str().expect("a text");
    assert!(section.contains("&amp; &lt;!channel&gt;") && !section.contains('<'), "{section}");
}

#[tokio::test]
async fn ntfy_message_is_posted_to_its_topic() {
    let config =
        |port| json!({ "kind": "ntfy", "url": format!("http://127.0.0.1:{port}/alerts"), "token": "tk_geheim" });
    let (sent, received) = answered(&sender(), config, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    assert!(sent.is_ok(), "{sent:?}");
    assert!(received.head.starts_with("POST / HTTP/1.1"), "{}", received.head);
    assert_eq!(received.header("authorization"), Some("Bearer tk_geheim"));
    assert_eq!((&received.body["topic"], &received.body["priority"]), (&json!("alerts"), &json!(5)));
    assert_eq!((&received.body["title"], &received.body["message"]), (&json!(notice().title), &json!(notice().text)));
    assert_eq!(received.body["tags"], json!(["rotating_light", "host_offline"]));
}

#[tokio::test]
async fn redirect_is_a_final_failure() {
    let failure =
        failure("HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest/\r\nContent-Length: 0\r\n\r\n").await;
    assert!(failure.is_final && failure.text.contains("redirects are not followed"), "{failure:?}");
}

#[tokio::test]
async fn status_codes_decide_about_retries() {
    let hour = Duration::from_secs(3600);
    for (status, extra, is_final, retry_after) in [
        ("500 Internal Server Error", "", false, None),
        ("502 Bad Gateway", "Retry-After: 5\r\n", false, None),
        ("503 Service Unavailable", "Retry-After: 5\r\n", false, Some(Duration::from_secs(5))),
        ("503 Service Unavailable", "Retry-After: Thu, 01 Jan 2099 00:00:00 GMT\r\n", false, Some(hour)),
        ("429 Too Many Requests", "Retry-After: 30\r\n", false, Some(Duration::from_secs(30))),
        ("429 Too Many Requests", "Retry-After: 99999999999\r\n", false, Some(hour)),
        ("429 Too Many Requests", "", false, None),
        ("408 Request Timeout", "", false, None),
        ("425 Too Early", "", false, None),
        ("400 Bad Request", "", true, None),
        ("401 Unauthorized", "", true, None),
        ("404 Not Found", "Retry-After: 5\r\n", true, None),
        ("410 Gone", "", true, None),
    ] {
        let failure = failure(&format!("HTTP/1.1 {status}\r\n{extra}Content-Length: 4\r\n\r\nno\r\n")).await;
        assert_eq!((failure.is_final, failure.retry_after), (is_final, retry_after), "{status}");
        assert_eq!(failure.text, format!("`127.0.0.1` answered {status}: no"));
    }
}

#[tokio::test]
async fn large_response_is_read_only_partly() {
    let megabytes = format!("HTTP/1.1 200 OK\r\nContent-Length: 5242880\r\n\r\n{}", "x".repeat(5_242_880));
    let (sent, _) = answered(&sender(), webhook, &megabytes).await;
    assert!(sent.expect("delivered").answer.chars().count() < 300);
    let head = format!("HTTP/1.1 200 OK\r\nX-Long: {}", "x".repeat(5_242_880));
    let (sent, _) = answered(&sender(), webhook, &head).await;
    assert!(!sent.expect_err("an endless head").is_final);
    let failure = failure("SSH-2.0-OpenSSH_9.9\r\n\r\n").await;
    assert!(!failure.is_final && failure.text.contains("cannot reach"), "{failure:?}");
}

/// Responds to the next request with these bytes, then with single bytes until the sender closes the connection.
async fn drip(listener: &TcpListener, answer: &str) {
    let (mut stream, _) = listener.accept().await.expect("a connection");
    receive(&mut stream).await;
    let mut drops = tokio::time::interval(Duration::from_millis(20));
    let _ = stream.write_all(answer.as_bytes()).await;
    while stream.write_all(b"x").await.is_ok() {
        drops.tick().await;
    }
}

#[tokio::test]
async fn silent_or_slow_receiver_hits_the_time_limit() {
    let sender = local().time_max(IMPATIENCE).build().expect("TLS");
    let (listener, port) = listener().await;
    let (channel, notice) = (channel(webhook(port)), notice());
    let silent = async {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut all = Vec::new();
        // Ends when the sender closes the connection.
        let _ = stream.read_to_end(&mut all).await;
    };
    let (sent, ()) = tokio::join!(Box::pin(sender.send(&channel, &notice, None)), silent);
    let failure = sent.expect_err("time limit");
    assert!(!failure.is_final && failure.text.contains("did not finish within 0.3 s"), "{failure:?}");
    let slow = drip(&listener, "HTTP/1.1 200 OK\r\nX-Drip: ");
    let (sent, ()) = tokio::join!(Box::pin(sender.send(&channel, &notice, None)), slow);
    let failure = sent.expect_err("a head that never ends");
    assert!(!failure.is_final && failure.text.contains("did not finish"), "{failure:?}");
}

#[tokio::test]
async fn endless_body_does_not_change_the_status() {
    // Long enough for the head to arrive on a busy machine.
    let sender = local().time_max(Duration::from_secs(3)).build().expect("TLS");
    let (listener, port) = listener().await;
    let (channel, notice) = (channel(webhook(port)), notice());
    let taken = drip(&listener, "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\nok");
    let (sent, ()) = tokio::join!(Box::pin(sender.send(&channel, &notice, None)), taken);
    assert!(sent.expect("delivered").answer.starts_with("200 OK: okx"));
}

#[tokio::test]
async fn loopback_addresses_are_rejected_unless_allowed() {
    let (listener, port) = listener().await;
    let listener = listener.into_std().expect("a listener");
    listener.set_nonblocking(true).expect("nonblocking");
    let sender = strict().build().expect("TLS");
    for host in ["localhost", "127.0.0.1", "127.1", "0x7f000001", "2130706433", "[::ffff:127.0.0.1]", "0.0.0.0"] {
        let url = format!("http://{host}:{port}/alerts");
        for config in [
            json!({ "kind": "webhook", "url": url, "secret": SECRET }),
            json!({ "kind": "discord", "url": url }),
            json!({ "kind": "slack", "url": url }),
            json!({ "kind": "ntfy", "url": url }),
        ] {
            let failure = sender.send(&channel(config), &notice(), None).await.expect_err(host);
            assert!(failure.is_final && failure.text.contains("hub.notify_allow"), "{host}: {failure:?}");
        }
    }
    let mail = json!({
        "kind": "email", "host": "localhost", "port": port, "security": "none", "from": "a@b.example", "to": ["c@d.example"],
    });
    let failure = sender.send(&channel(mail), &notice(), None).await.expect_err("mail");
    assert!(failure.is_final && failure.text.contains("hub.notify_allow"), "{failure:?}");
    assert_eq!(listener.accept().expect_err("no connection was made").kind(), io::ErrorKind::WouldBlock);
}

#[tokio::test]
async fn unreachable_receiver_is_worth_a_retry() {
    let (listener, port) = listener().await;
    drop(listener);
    let failure = sender().send(&channel(webhook(port)), &notice(), None).await.expect_err("unreachable");
    assert!(!failure.is_final && failure.text.contains("cannot reach `127.0.0.1`"), "{failure:?}");
    let unknown = json!({ "kind": "slack", "url": "https://no-such-name.invalid/geheim" });
    let failure = sender().send(&channel(unknown), &notice(), None).await.expect_err("unknown");
    assert!(!failure.is_final && !failure.text.contains("geheim"), "{failure:?}");
}

#[tokio::test]
async fn masked_channel_is_rejected() {
    let masked = channel(webhook(9)).masked();
    let failure = sender().send(&masked, &notice(), None).await.expect_err("masked");
    assert!(failure.is_final && failure.text.contains("type it again"), "{failure:?}");
}

#[tokio::test]
async fn invalid_template_falls_back_to_the_default_text() {
    let (listener, port) = listener().await;
    let receiver = async {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let received = receive(&mut stream).await;
        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.expect("response sent");
        received
    };
    let (sender, channel, notice) = (sender(), channel(webhook(port)), notice());
    let (sent, received) = tokio::join!(Box::pin(sender.send(&channel, &notice, Some("{{ fields.disk }}"))), receiver);
    assert!(sent.expect("delivered").fell_back.is_some());
    assert_eq!(received.body["data"]["text"], notice.text);
}

#[tokio::test]
async fn certificates_are_verified() {
    let certified = certificate();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(certified.signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certified.cert.der().clone()], key)
        .expect("a certificate");
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let (listener, port) = listener().await;
    let trusting = local().trust(certified.cert.der().to_vec()).build().expect("TLS");
    for (sender, host, is_trusted) in
        [(&trusting, "localhost", true), (&trusting, "127.0.0.1", false), (&sender(), "localhost", false)]
    {
        let url = format!("https://{host}:{port}/hook");
        let channel = channel(json!({ "kind": "webhook", "url": url, "secret": SECRET }));
        let notice = notice();
        let receiver = async {
            let (stream, _) = listener.accept().await.expect("a connection");
            if let Ok(mut stream) = acceptor.accept(stream).await {
                serve(&mut stream).await;
            }
        };
        let (sent, ()) = tokio::join!(Box::pin(sender.send(&channel, &notice, None)), receiver);
        match sent {
            Ok(_) => assert!(is_trusted, "{host}"),
            Err(failure) => assert!(!is_trusted && failure.text.contains("certificate"), "{host}: {failure:?}"),
        }
    }
}

async fn serve(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) {
    let mut first = [0; 1];
    // A client that does not trust the certificate closes the connection.
    if stream.read_exact(&mut first).await.is_ok() {
        let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").await;
        let _ = stream.shutdown().await;
    }
}
