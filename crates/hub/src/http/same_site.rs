//! Rejects cross-site requests: a page of another site must not act with the browser's cookie.

use axum::http::{HeaderMap, Method, Uri, header};
use proto::Code;

use crate::{Error, Result};

/// Rejects requests that a browser sends on behalf of another site. Other programs send neither `Origin` nor
/// `Sec-Fetch-Site`.
pub(crate) fn same_site(method: &Method, uri: &Uri, headers: &HeaderMap, public_url: &str) -> Result<()> {
    let is_upgrade = headers.contains_key(header::UPGRADE);
    if method.is_safe() && !is_upgrade {
        return Ok(());
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let refuse = || {
        Err(Error::new(Code::CrossSite, "this request came from another site")
            .hint("open the web UI at the hub's own address, or set `hub.public_url`"))
    };
    if let Some(site) = text("sec-fetch-site")
        && !matches!(site, "same-origin" | "none")
    {
        return refuse();
    }
    let Some(origin) = text("origin") else { return Ok(()) };
    let origin_host = origin.split_once("://").map_or("", |(_, host)| host);
    let host = text("host").or_else(|| uri.authority().map(axum::http::uri::Authority::as_str)).unwrap_or_default();
    let public_host = public_url.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or_default());
    if !origin_host.is_empty() && (origin_host == host || origin_host == public_host) { Ok(()) } else { refuse() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cross_site_requests_are_rejected() {
        let check = |method: Method, pairs: &[(&'static str, &'static str)]| {
            let headers: HeaderMap =
                pairs.iter().map(|(k, v)| (k.parse().expect("name"), v.parse().expect("value"))).collect();
            same_site(&method, &Uri::from_static("/api/v1/hosts"), &headers, "https://hub.example").is_ok()
        };
        assert!(check(Method::POST, &[]), "the CLI sends neither");
        assert!(check(Method::GET, &[("origin", "https://evil.example"), ("host", "hub")]), "a plain read is harmless");
        assert!(check(Method::POST, &[("origin", "http://hub:7411"), ("host", "hub:7411")]));
        assert!(check(Method::POST, &[("origin", "https://hub.example"), ("host", "10.0.0.5:7411")]), "behind a proxy");
        assert!(!check(Method::POST, &[("origin", "https://evil.example"), ("host", "hub:7411")]));
        assert!(!check(Method::POST, &[("origin", "null"), ("host", "hub:7411")]));
        assert!(!check(Method::DELETE, &[("sec-fetch-site", "cross-site")]));
        assert!(!check(Method::DELETE, &[("sec-fetch-site", "same-site")]));
        assert!(!check(
            Method::GET,
            &[("upgrade", "websocket"), ("origin", "https://evil.example"), ("host", "hub:7411")]
        ));
        assert!(check(Method::GET, &[("upgrade", "websocket"), ("origin", "http://hub:7411"), ("host", "hub:7411")]));
    }
}
