//! The web UI, inside the binary: assets with their cache headers, and the page with its policy.
//!
//! The page is one `index.html` for every address; it gets a fresh nonce each time it is served, because the
//! policy allows no other inline style. Assets have hashed names and are kept for ever.

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

/// Serves the UI; what is neither an asset nor a page goes to `not_found`.
pub fn router<H, T>(not_found: H) -> Router
where
    H: Handler<T, ()>,
    T: 'static,
{
    let assets = memory_serve::load!().index_file(None).cache_control(CacheControl::Long).into_router();
    assets.fallback(move |request: Request| {
        let not_found = not_found.clone();
        async move { if is_page(&request) { page() } else { not_found.call(request, ()).await } }
    })
}

/// Addresses of people have no dot and are not the API's: an unknown file must be a 404, not the page.
fn is_page(request: &Request) -> bool {
    let path = request.uri().path();
    let is_ours = ["/api/", "/assets/", "/docs/"].iter().all(|prefix| !path.starts_with(prefix));
    matches!(*request.method(), Method::GET | Method::HEAD) && is_ours && !path.contains('.')
}

fn page() -> Response {
    let nonce = data_encoding::BASE64URL_NOPAD.encode(&rand::random::<[u8; 16]>());
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    // Addresses are relative to the page's own depth in the source; the page can be at any depth here.
    let html = INDEX.replace(PLACEHOLDER, &nonce).replace("=\"./", "=\"/");
    let mut response = Html(html).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
