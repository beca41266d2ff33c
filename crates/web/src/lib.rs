//! The web UI, embedded in the binary: assets with cache headers, and the page with its content security policy.
//!
//! All addresses return the same `index.html`, each time with a new nonce, because the policy allows inline styles only
//! with it. Assets have hashed names, so browsers cache them without a time limit.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    handler::Handler,
    http::{HeaderValue, Method, header},
    response::{Html, IntoResponse, Response},
};
use memory_serve::CacheControl;

/// The page, with a placeholder for the nonce.
const INDEX: &str = include_str!(concat!(env!("OUT_DIR"), "/index.html"));
const PLACEHOLDER: &str = "__CSP_NONCE__";
/// The element of the page that holds the path prefix.
const BASE_PATH: &str = "name=\"base-path\" content=\"\"";

/// The routes of the UI. Requests for neither an asset nor a page go to `not_found`. `prefix` is the public path of the
/// UI behind a proxy, for example `/hostler`, or empty.
pub fn router<H, T>(prefix: &str, not_found: H) -> Router
where
    H: Handler<T, ()>,
    T: 'static,
{
    let assets = memory_serve::load!().index_file(None).cache_control(CacheControl::Long).into_router();
    let html: Arc<str> = html_under(prefix).into();
    assets.fallback(move |request: Request| {
        let (not_found, html) = (not_found.clone(), html.clone());
        async move { if is_page(&request) { page(&html) } else { not_found.call(request, ()).await } }
    })
}

/// Whether to answer with the page. Paths with a dot are excluded, so that an unknown file is a 404.
fn is_page(request: &Request) -> bool {
    let path = request.uri().path();
    let is_ours = ["/api/", "/assets/", "/docs/"].iter().all(|prefix| !path.starts_with(prefix));
    matches!(*request.method(), Method::GET | Method::HEAD) && is_ours && !path.contains('.')
}

/// The page for a prefix. Its relative links become absolute, because the page is served at paths of any depth.
fn html_under(prefix: &str) -> String {
    let escaped = prefix.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let named = INDEX.replace(BASE_PATH, &format!("name=\"base-path\" content=\"{escaped}\""));
    named.replace("=\"./", &format!("=\"{escaped}/"))
}

fn page(html: &str) -> Response {
    let nonce = data_encoding::BASE64URL_NOPAD.encode(&rand::random::<[u8; 16]>());
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    let html = html.replace(PLACEHOLDER, &nonce);
    let mut response = Html(html).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
