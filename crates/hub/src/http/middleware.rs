//! Middleware around every request, outermost first: request id, rate limit, same-site check, time limit; and on the
//! response the log line, the request id in errors, and the security headers.

use std::{net::IpAddr, sync::Arc};

use axum::{
    Router,
    extract::{MatchedPath, Request},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
};
use proto::Code;
use tower::util::MapRequest;
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    Error, Hub, Peer,
    connections::ConnectionPlace,
    error::{self, LoggedProblem},
    http::{
        owner_proxy::{forward, is_owners},
        request_meta::{FORWARDED, FORWARDED_CONFIDENTIAL, FORWARDING_HEADERS, REQUEST_TIME_MAX, RequestMeta},
        router, same_site,
    },
};

/// The route of the runner link, which has places of its own.
const RUNNER_LINK: &str = "/api/v1/link";
/// Browsers use HTTPS for a year after they have seen it.
const HSTS: &str = "max-age=31536000";

/// The complete application: routes, web UI and middleware.
pub fn app(hub: &Hub) -> Router {
    let router = router::router().method_not_allowed_fallback(wrong_method);
    let router = if hub.options.has_ui {
        router.fallback_service(web::router(hub.options.prefix(), no_route))
    } else {
        router.fallback(no_route)
    };
    let (prefix, hub) = (hub.options.prefix().to_owned(), hub.clone());
    let router = router
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(move |request, next| pass(hub.clone(), request, next)));
    if prefix.is_empty() {
        return router;
    }
    // Outside the router, because the path decides the route.
    let inner = MapRequest::new(router, move |request| without(&prefix, request));
    Router::new().fallback_service(inner)
}

/// Removes the prefix of the public URL from a request's path. A path without it is left as it is: some proxies remove
/// the prefix themselves.
fn without(prefix: &str, mut request: Request) -> Request {
    let rest = request.uri().path_and_query().and_then(|whole| whole.as_str().strip_prefix(prefix));
    let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
    let rest = rest.map(|rest| if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") });
    if let Some(uri) = rest.and_then(|rest| rest.parse().ok()) {
        *request.uri_mut() = uri;
    }
    request
}

async fn no_route(request: Request) -> Response {
    Error::new(Code::UnknownRoute, format!("there is no route {} {}", request.method(), request.uri().path()))
        .hint("/openapi.json lists all routes")
        .into_response()
}

async fn wrong_method(request: Request) -> Response {
    Error::new(Code::MethodNotAllowed, format!("{} does not support {}", request.uri().path(), request.method()))
        .into_response()
}

#[expect(clippy::needless_pass_by_value, reason = "the signature is the layer's")]
fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let text =
        panic.downcast_ref::<&str>().map(|text| (*text).to_owned()).or_else(|| panic.downcast_ref::<String>().cloned());
    Error::internal(anyhow::anyhow!("a handler panicked: {}", text.unwrap_or_default())).into_response()
}

async fn pass(hub: Hub, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Peer>().copied().unwrap_or(Peer::Memory);
    let seen = RequestMeta {
        peer,
        address: address(&hub, peer, request.headers()),
        request_id: hub.ids.next::<domain::id::kind::Audit>().to_string(),
        is_encrypted: is_encrypted(&hub, peer, request.headers()),
        is_confidential: is_confidential(&hub, peer, request.headers()),
    };
    // Logs name the route, never the path: some paths end in a secret.
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let began = std::time::Instant::now();
    request.extensions_mut().insert(hub.clone());
    request.extensions_mut().insert(seen.clone());
    let place = request.extensions().get::<Arc<ConnectionPlace>>().cloned();
    let answer = async {
        if let Some(place) = &place {
            place.check(route == RUNNER_LINK)?;
        }
        // The local socket is not rate-limited: its owner must be able to use the CLI during a flood.
        if !matches!(peer, Peer::Local { .. }) {
            hub.address_limiter.check(&seen.address)?;
        }
        same_site::same_site(&method, request.uri(), request.headers(), &hub.options.public_url)?;
        let answered = async {
            match &hub.options.owner {
                Some(owner) if is_owners(&method, request.uri().path()) => {
                    forward(owner, request, &seen).await.unwrap_or_else(Error::into_response)
                }
                _ => next.run(request).await,
            }
        };
        let timed = tokio::time::timeout(REQUEST_TIME_MAX, answered).await;
        timed.map_err(|_| {
            Error::new(Code::RequestTimeout, format!("the request took longer than {REQUEST_TIME_MAX:?}"))
                .hint("try again, or request less data")
        })
    };
    let mut response = answer.await.unwrap_or_else(Error::into_response);
    if response.status() == StatusCode::UNAUTHORIZED {
        hub.address_limiter.count_refusal(&seen.address);
    }
    if let Some(failed) = response.extensions_mut().remove::<LoggedProblem>() {
        let is_crowded = failed.problem.code == Code::TooManyConnections;
        response = report(failed, &seen, &method, &route);
        if is_crowded {
            // The refused client must not keep the place.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }
    hub.metrics.count_request(&method, &route, response.status());
    tracing::debug!(%method, route, status = response.status().as_u16(), took_ms = began.elapsed().as_millis() as u64, request.id = seen.request_id, "request");
    finish(&mut response, &seen);
    if hub.options.browser_tls.is_some() && matches!(peer, Peer::Tcp { is_tls: true, .. }) {
        // Only with a certificate for browsers: with the hub's own, a browser could never pass its warning again.
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
    response
}

/// Logs an error once, with its cause, and adds the request id to the problem.
fn report(failed: LoggedProblem, seen: &RequestMeta, method: &axum::http::Method, route: &str) -> Response {
    let LoggedProblem { mut problem, cause, .. } = failed;
    problem.request_id = Some(seen.request_id.clone());
    if problem.status >= 500 {
        let cause = cause.unwrap_or_default();
        tracing::error!(%method, route, code = %problem.code, cause, request.id = seen.request_id, "request {} failed: {}", seen.request_id, problem.detail);
    }
    error::body(&problem)
}

fn finish(response: &mut Response, seen: &RequestMeta) {
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&seen.request_id) {
        headers.insert("x-request-id", id);
    }
    let fixed: [(HeaderName, &'static str); 4] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    // The web UI sets its own policy and caching; all other responses get the strictest.
    for (name, value) in fixed {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// The caller's address: the peer's, or the one reported by a trusted proxy.
fn address(hub: &Hub, peer: Peer, headers: &HeaderMap) -> String {
    let Peer::Tcp { address, .. } = peer else { return peer.to_string() };
    let direct = address.ip().to_canonical();
    if !is_trusted(hub, direct) {
        return direct.to_string();
    }
    // Use the last address that is not a trusted proxy; the caller can have forged all before it.
    let forwarded =
        headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(",");
    for part in forwarded.rsplit(',') {
        match part.trim().parse::<IpAddr>() {
            Ok(address) if is_trusted(hub, address) => {}
            Ok(address) => return address.to_string(),
            // Not an address: the caller has forged this part and all before it.
            Err(_) => break,
        }
    }
    direct.to_string()
}

fn is_encrypted(hub: &Hub, peer: Peer, headers: &HeaderMap) -> bool {
    let Peer::Tcp { address, is_tls } = peer else { return true };
    let says_https = headers.get("x-forwarded-proto").is_some_and(|value| value == "https");
    is_tls || (says_https && is_trusted(hub, address.ip()))
}

/// Whether the response is safe from readers on the network. A request from loopback counts only if it was not
/// forwarded: behind a proxy on this machine, its sender is elsewhere, and only a trusted proxy says whether that part is
/// encrypted.
fn is_confidential(hub: &Hub, peer: Peer, headers: &HeaderMap) -> bool {
    if matches!(peer, Peer::Local { .. }) && headers.contains_key(FORWARDED) {
        return headers.get(FORWARDED_CONFIDENTIAL).is_some_and(|value| value == "true");
    }
    let is_forwarded = FORWARDING_HEADERS.iter().any(|name| headers.contains_key(*name));
    let is_local = matches!(peer, Peer::Tcp { address, .. } if address.ip().to_canonical().is_loopback());
    is_encrypted(hub, peer, headers) || (is_local && !is_forwarded)
}

fn is_trusted(hub: &Hub, address: IpAddr) -> bool {
    hub.options.trusts(address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    testkit::db_test!(only_encrypted_and_local_requests_are_confidential, |db| async move {
        let options = Options {
            trusted_proxies: vec!["127.0.0.9/32".parse().expect("a network"), "10.0.0.0/8".parse().expect("a network")],
            ..Options::default()
        };
        let hub = Hub::open(db.store.clone(), options, runtime::Clock::system()).await.expect("opens");
        let tcp = |address: &str, is_tls| Peer::Tcp { address: format!("{address}:9").parse().expect("one"), is_tls };
        let far = [("x-forwarded-for", "192.0.2.7")];
        let https = [("x-forwarded-for", "192.0.2.7"), ("x-forwarded-proto", "https")];
        let handed = [("x-hostler-handed-over", "1")];
        let handed_safely = [("x-hostler-handed-over", "1"), ("x-hostler-confidential", "true")];
        for (peer, headers, expected) in [
            (tcp("127.0.0.1", false), &[][..], true),
            (tcp("[::1]", false), &[], true),
            (tcp("[::ffff:127.0.0.1]", false), &[], true),
            (tcp("192.0.2.7", false), &[], false),
            (tcp("192.0.2.7", true), &[], true),
            // Headers of the client itself have no effect.
            (tcp("192.0.2.7", false), &https, false),
            (tcp("192.0.2.7", false), &handed_safely, false),
            // A proxy on this machine that is not listed, and listed ones without and with TLS before them.
            (tcp("127.0.0.1", false), &far, false),
            (tcp("127.0.0.1", false), &https, false),
            (tcp("127.0.0.9", false), &far, false),
            (tcp("127.0.0.9", false), &https, true),
            (tcp("10.1.1.1", false), &[], false),
            (tcp("10.1.1.1", false), &https, true),
            (Peer::Local { uid: 0 }, &[], true),
            (Peer::Local { uid: 0 }, &handed, false),
            (Peer::Local { uid: 0 }, &handed_safely, true),
        ] {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
            assert_eq!(is_confidential(&hub, peer, &map), expected, "{peer:?} {headers:?}");
        }
    });
}
