//! The email channel against a real SMTP server.

use std::io::Write as _;

use notify::{Notice, NoticeState};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::{
    fixture::{IMPATIENCE, certificate, channel, local, notice, sender},
    python::Python,
};

fn plain(port: &Value) -> Value {
    json!({
        "kind": "email", "host": "127.0.0.1", "port": port, "security": "none",
        "from": "Hostler <alerts@example.org>", "to": ["Jörg <joerg@example.org>", "ann@example.org"],
    })
}

fn text<'a>(mail: &'a Value, header: &str) -> &'a str {
    mail["headers"][header].as_str().unwrap_or_default()
}

#[tokio::test]
async fn mails_arrive_complete_and_form_a_thread() {
    let (mut server, first) = Python::start("smtp_server.py", &["none"]).await;
    let channel = channel(plain(&first["port"]));
    let sent =
        sender().send(&channel, &notice(), Some("{{ text }}\n\nÜber {{ fields.zone }}")).await.expect("delivered");
    assert_eq!(sent.answer, "250 taken");
    let raised = server.received().await;
    assert_eq!(raised["sender"], "alerts@example.org");
    assert_eq!(raised["recipients"], json!(["joerg@example.org", "ann@example.org"]));
    assert_eq!(text(&raised, "subject"), notice().title);
    assert_eq!(text(&raised, "from"), "Hostler <alerts@example.org>");
    assert!(text(&raised, "to").contains("Jörg <joerg@example.org>"), "{raised}");
    assert_eq!(text(&raised, "auto-submitted"), "auto-generated");
    assert_eq!(text(&raised, "date"), "Thu, 09 Oct 2025 08:53:20 +0000");
    let body = "no heartbeat for 15 min\n.\n& <!channel> @everyone\n\nÜber a\n\nhttps://hub.example/hosts/web-1\n";
    assert_eq!(raised["body"].as_str().map(|body| body.replace("\r\n", "\n")).as_deref(), Some(body));
    assert_eq!(raised["is_ascii"], true);

    let resolved =
        Notice { id: "01J9Z3K6".to_owned(), state: NoticeState::Resolved, title: "da".to_owned(), ..notice() };
    sender().send(&channel, &resolved, None).await.expect("delivered");
    let resolved = server.received().await;
    assert!(!text(&raised, "references").is_empty());
    assert_eq!(text(&raised, "references"), text(&resolved, "references"));
    assert_ne!(text(&raised, "message-id"), text(&resolved, "message-id"));

    sender().send(&channel, &notice(), None).await.expect("delivered");
    assert_eq!(
        text(&server.received().await, "message-id"),
        text(&raised, "message-id"),
        "a retry has the same message id"
    );

    let other = Notice { subject: "web-2".to_owned(), ..notice() };
    sender().send(&channel, &other, None).await.expect("delivered");
    assert_ne!(text(&server.received().await, "references"), text(&raised, "references"));
}

#[tokio::test]
async fn notice_with_line_breaks_adds_no_headers() {
    let (mut server, first) = Python::start("smtp_server.py", &["none"]).await;
    let evil = "x\r\nBcc: evil@example.org\r\n\r\nbody".to_owned();
    let notice = Notice { id: evil.clone(), kind: evil.clone(), subject: evil.clone(), title: evil, ..notice() };
    sender()
        .send(&channel(plain(&first["port"])), &notice, Some("a\r\n.\r\nMAIL FROM:<evil@example.org>"))
        .await
        .expect("delivered");
    let mail = server.received().await;
    assert_eq!(mail["headers"]["bcc"], Value::Null);
    assert_eq!(mail["recipients"], json!(["joerg@example.org", "ann@example.org"]));
    assert_eq!(text(&mail, "subject"), "x  Bcc: evil@example.org    body");
    assert!(mail["body"].as_str().is_some_and(|body| body.contains("MAIL FROM")), "{mail}");
}

#[tokio::test]
async fn tls_modes_authenticate_and_verify_the_server() {
    let certified = certificate();
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    write!(file, "{}{}", certified.cert.pem(), certified.signing_key.serialize_pem()).expect("writable");
    let path = file.path().to_str().expect("a path");
    let trusting = local().trust(certified.cert.der().to_vec()).build().expect("TLS");
    for mode in ["starttls", "tls"] {
        let (mut server, first) = Python::start("smtp_server.py", &[mode, path]).await;
        let config = |host: &str, password: &str| {
            channel(json!({
                "kind": "email", "host": host, "port": first["port"], "security": mode, "username": "ann",
                "password": password, "from": "alerts@example.org", "to": ["ann@example.org"],
            }))
        };
        trusting.send(&config("localhost", "geheim"), &notice(), None).await.expect(mode);
        let mail = server.received().await;
        assert_eq!((&mail["is_tls"], &mail["is_signed_in"]), (&json!(true), &json!(true)), "{mode}");

        let failure = trusting.send(&config("localhost", "falsch"), &notice(), None).await.expect_err("wrong password");
        assert!(failure.is_final && failure.text.contains("535") && !failure.text.contains("falsch"), "{failure:?}");
        let failure = trusting.send(&config("127.0.0.1", "geheim"), &notice(), None).await.expect_err("another name");
        assert!(!failure.is_final && failure.text.contains("certificate"), "{mode}: {failure:?}");
        let failure = sender().send(&config("localhost", "geheim"), &notice(), None).await.expect_err("not trusted");
        assert!(!failure.is_final && failure.text.contains("certificate"), "{mode}: {failure:?}");
    }
}

#[tokio::test]
async fn missing_starttls_is_a_final_failure() {
    let (_server, first) = Python::start("smtp_server.py", &["none"]).await;
    let mut config = plain(&first["port"]);
    config["security"] = "starttls".into();
    let failure = sender().send(&channel(config), &notice(), None).await.expect_err("no STARTTLS");
    assert!(failure.is_final && failure.text.contains("STARTTLS"), "{failure:?}");
}

#[tokio::test]
async fn smtp_reply_codes_decide_about_retries() {
    let (_server, first) = Python::start("smtp_server.py", &["none"]).await;
    for (to, is_final, word) in
        [("unknown@example.org", true, "no such mailbox"), ("later@example.org", false, "come back later")]
    {
        let mut config = plain(&first["port"]);
        config["to"] = json!([to]);
        let failure = sender().send(&channel(config), &notice(), None).await.expect_err(to);
        assert!(failure.is_final == is_final && failure.text.contains(word), "{failure:?}");
    }
}

#[tokio::test]
async fn silent_or_endless_server_is_disconnected() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (channel, notice) = (channel(plain(&json!(port))), notice());
    let silent = async {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all).await;
    };
    let sender = local().time_max(IMPATIENCE).build().expect("TLS");
    let (sent, ()) = tokio::join!(Box::pin(sender.send(&channel, &notice, None)), silent);
    let failure = sent.expect_err("time limit");
    assert!(!failure.is_final && failure.text.contains("did not finish"), "{failure:?}");

    let endless = async {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        while stream.write_all(b"220 and another thing and ").await.is_ok() {}
    };
    let sender = crate::fixture::sender();
    let (sent, ()) = tokio::join!(Box::pin(sender.send(&channel, &notice, None)), endless);
    let failure = sent.expect_err("too much data");
    assert!(!failure.is_final && failure.text.contains("too much data"), "{failure:?}");
}
