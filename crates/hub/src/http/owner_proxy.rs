//! Forwards writes to the process that owns the database, over its local socket, if this process only serves the web
//! UI. SQLite has one writer process; a second one would bypass its caches and locks.

use std::path::Path;

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, Method, header},
    response::Response,
};
use http_body_util::BodyExt as _;
use hyper_util::rt::TokioIo;
use proto::Code;
use tokio::net::UnixStream;

use crate::http::{
    cookies::{COOKIES, cookie},
    idempotency,
    request_meta::{FORWARDED, FORWARDED_CONFIDENTIAL, RequestMeta},
};
use crate::{Error, Result};

/// Writes that are not forwarded: sign-in and sign-out.
const OUR_OWN: [&str; 2] = ["/api/v1/sign-in/", "/api/v1/sign-out"];
/// Headers that are forwarded.
const ALONG: [header::HeaderName; 4] = [header::AUTHORIZATION, header::CONTENT_TYPE, header::ACCEPT, idempotency::KEY];

/// Whether a request must be forwarded to the owner of the database.
pub(crate) fn is_owners(method: &Method, path: &str) -> bool {
    let is_change = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    is_change && !OUR_OWN.iter().any(|own| path.starts_with(own))
}

/// Forwards a request and returns the response.
pub(crate) async fn forward(owner: &Path, request: Request, seen: &RequestMeta) -> Result<Response> {
    let away = || {
        Error::new(Code::OwnerNotRunning, "the hub or runner that owns this database is not running")
            .hint("start it with the same data folder, then try again")
    };
    let stream = UnixStream::connect(owner).await.map_err(|_| away())?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(|_| away())?;
    let (parts, body) = request.into_parts();
    let target = parts.uri.path_and_query().map_or("/", |target| target.as_str());
    let mut handed = hyper::Request::builder().method(parts.method).uri(target);
    if let Some(headers) = handed.headers_mut() {
        headers.insert(header::HOST, HeaderValue::from_static("localhost"));
        headers.insert(FORWARDED, HeaderValue::from_static("1"));
        if seen.is_confidential {
            headers.insert(FORWARDED_CONFIDENTIAL, HeaderValue::from_static("true"));
        }
        for name in ALONG {
            if let Some(value) = parts.headers.get(&name) {
                headers.insert(name, value.clone());
            }
        }
        // Rename the cookie: the socket is a plain connection.
        if let Some(value) = cookie(&parts.headers, seen.is_encrypted) {
            let value = HeaderValue::from_str(&format!("{}={value}", COOKIES[0])).map_err(Error::internal)?;
            headers.insert(header::COOKIE, value);
        }
    }
    let handed = handed.body(body).map_err(Error::internal)?;
    // From here on the owner may have received the request.
    let lost = || Error::outcome_unknown("the hub or runner that owns this database ended before it answered");
    let answered = async {
        let sent = sender.send_request(handed).await;
        let response = sent.map_err(|error| if error.is_canceled() { away() } else { lost() })?;
        let (parts, body) = response.into_parts();
        // Read completely, because the connection ends with this call.
        let bytes = body.collect().await.map_err(|_| lost())?.to_bytes();
        Ok(Response::from_parts(parts, Body::from(bytes)))
    };
    let mut answered = std::pin::pin!(answered);
    tokio::select! {
        answer = &mut answered => answer,
        // An owner that is stopping closes the connection with its answer, which may have arrived.
        _ = connection => answered.await,
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::UnixListener,
    };

    use super::*;

    /// Forwards a request to an owner that reads it, sends this answer, and closes the connection.
    async fn forward_to_owner(answer: &str) -> Result<Response> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("hub.sock");
        let listener = UnixListener::bind(&path).expect("listens");
        let owner = async {
            let (mut stream, _) = listener.accept().await.expect("accepts");
            let mut bytes = Vec::new();
            while !bytes.ends_with(b"\r\n\r\n") {
                bytes.push(stream.read_u8().await.expect("reads the head"));
            }
            stream.write_all(answer.as_bytes()).await.expect("answers");
        };
        let request = Request::delete("/api/v1/tokens/a").body(Body::empty()).expect("a request");
        let seen = RequestMeta::default();
        tokio::join!(forward(&path, request, &seen), owner).0
    }

    #[tokio::test]
    async fn forwarded_request_without_an_answer_has_an_unknown_outcome() {
        for answer in ["", "HTTP/1.1 200 OK\r\ncontent-le", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"] {
            let lost = forward_to_owner(answer).await.expect_err("the owner has ended");
            assert_eq!(lost.code(), Code::OutcomeUnknown, "after {answer:?}");
        }
        let (folder, seen) = (tempfile::tempdir().expect("a folder"), RequestMeta::default());
        let request = Request::delete("/api/v1/tokens/a").body(Body::empty()).expect("a request");
        let away = forward(&folder.path().join("hub.sock"), request, &seen).await.expect_err("there is no owner");
        assert_eq!(away.code(), Code::OwnerNotRunning);
    }

    #[tokio::test]
    async fn answer_of_an_owner_that_closes_the_connection_is_returned() {
        // The tasks run in a random order.
        for _ in 0..50 {
            let answer = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}";
            let response = forward_to_owner(answer).await.expect("the answer has arrived");
            assert_eq!(response.status(), 200);
        }
    }

    #[test]
    fn writes_are_forwarded_except_sign_in_and_sign_out() {
        for (method, path, expected) in [
            (Method::GET, "/api/v1/jobs", false),
            (Method::POST, "/api/v1/jobs", true),
            (Method::PATCH, "/api/v1/hosts/a", true),
            (Method::DELETE, "/api/v1/tokens/a", true),
            (Method::POST, "/api/v1/sign-in/password", false),
            (Method::POST, "/api/v1/sign-out", false),
        ] {
            assert_eq!(is_owners(&method, path), expected, "{method} {path}");
        }
    }
}
