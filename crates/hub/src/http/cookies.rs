//! The cookies of browsers: the session, and the mark of a browser that has signed in before.

use axum::http::HeaderMap;

/// Names of the session cookie: on plain HTTP and on HTTPS.
pub(super) const COOKIES: [&str; 2] = ["hostler", "__Host-hostler"];
/// Names of the cookie of a known browser: on plain HTTP and on HTTPS.
pub(super) const BROWSER_COOKIES: [&str; 2] = ["hostler-browser", "__Host-hostler-browser"];

/// The session cookie for this kind of connection. On HTTPS only the `__Host-` name counts: the plain one could have
/// been injected over an unencrypted connection.
pub(super) fn cookie(headers: &HeaderMap, is_encrypted: bool) -> Option<String> {
    named(headers, COOKIES[usize::from(is_encrypted)])
}

/// The cookie of a known browser for this kind of connection.
pub(super) fn browser_cookie(headers: &HeaderMap, is_encrypted: bool) -> Option<String> {
    named(headers, BROWSER_COOKIES[usize::from(is_encrypted)])
}

fn named(headers: &HeaderMap, name: &str) -> Option<String> {
    let jar = axum_extra::extract::CookieJar::from_headers(headers);
    jar.get(name).map(|cookie| cookie.value().to_owned())
}
