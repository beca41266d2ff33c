//! The web UI, inside the binary: assets with their cache headers, and the page with its policy.
//!
//! The page is one `index.html` for every address; it gets a fresh nonce each time it is served, because the
//! policy allows no other inline style. Assets have hashed names and are kept for ever.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    handler::Handler,
    http::{HeaderValue, Method, header},
    response::{Html, IntoResponse, Response},
};
use memory_serve::CacheControl;

/// The page, with a placeholder where each nonce goes.
const INDEX: &str = include_str!(concat!(env!("OUT_DIR"), "/index.html"));
const PLACEHOLDER: &str = "__CSP_NONCE__";
/// Where the page says under which prefix it is.
const BASE_PATH: &str = "name=\"base-path\" content=\"\"";

/// Serves the UI; what is neither an asset nor a page goes to `not_found`. People see it under this prefix, which is
/// empty or as in `/hostler`.
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

/// Addresses of people have no dot and are not the API's: an unknown file must be a 404, not the page.
fn is_page(request: &Request) -> bool {
    let path = request.uri().path();
    let is_ours = ["/api/", "/assets/", "/docs/"].iter().all(|prefix| !path.starts_with(prefix));
    matches!(*request.method(), Method::GET | Method::HEAD) && is_ours && !path.contains('.')
}

/// The page as it is under a prefix. Addresses are relative to its own depth in the source; here it can be at any depth.
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
