//! The session cookie.

use axum::http::HeaderMap;

/// Names of the session cookie: on plain HTTP and on HTTPS.
pub(super) const COOKIES: [&str; 2] = ["hostler", "__Host-hostler"];

/// The session cookie for this kind of connection. On HTTPS only the `__Host-` name counts: the plain one could have
/// been injected over an unencrypted connection.
pub(super) fn cookie(headers: &HeaderMap, is_encrypted: bool) -> Option<String> {
    let jar = axum_extra::extract::CookieJar::from_headers(headers);
    jar.get(COOKIES[usize::from(is_encrypted)]).map(|cookie| cookie.value().to_owned())
}
