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
    request_meta::{FORWARDED, RequestMeta},
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
    let answered = async {
        let response = sender.send_request(handed).await.map_err(|_| away())?;
        let (parts, body) = response.into_parts();
        // Read completely, because the connection ends with this call.
        let bytes = body.collect().await.map_err(|_| away())?.to_bytes();
        Ok(Response::from_parts(parts, Body::from(bytes)))
    };
    tokio::select! {
        answer = answered => answer,
        _ = connection => Err(away()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
