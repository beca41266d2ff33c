//! The names under which public routes answer.
//!
//! A web page can let its own name point to the hub's address (DNS rebinding). The browser of a person who can reach the
//! hub then sends the page's requests there, and the page reads the answers. No credential goes along, because cookies
//! belong to names; so only routes without a credential need this check.

use std::net::IpAddr;

use axum::http::{header, request::Parts, uri::Authority};
use proto::Code;

use crate::{Error, Options, Peer, Result, http::request_meta::RequestMeta};

/// Public routes that need no check: their caller proves a secret that no other page knows, and uses the names in join
/// tokens and in the settings of other systems.
const WITH_OWN_SECRET: [&str; 4] = ["/j/", "/ping/", "/in/", "/api/v1/join"];

/// Marks requests over a TLS connection that named [`proto::link::HUB_SERVER_NAME`]: runners, which pin the hub's key.
/// No browser completes such a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PinnedTls;

/// Rejects a request to a public route under a name that is not known to belong to this hub.
pub(crate) fn check(options: &Options, seen: &RequestMeta, parts: &Parts) -> Result<()> {
    let Peer::Tcp { address, .. } = seen.peer else { return Ok(()) };
    // A trusted proxy decides itself which names it serves, and often replaces this header.
    let is_proxied = options.trusts(address.ip());
    let path = parts.uri.path();
    let has_secret = WITH_OWN_SECRET.iter().any(|start| path.starts_with(start));
    if is_proxied || has_secret || parts.extensions.get::<PinnedTls>().is_some() {
        return Ok(());
    }
    let named = parts.headers.get(header::HOST).map(|host| host.to_str().unwrap_or("?"));
    let Some(named) = named.or_else(|| parts.uri.authority().map(Authority::as_str)) else {
        // Browsers always send it.
        return Ok(());
    };
    if is_allowed(name_of(named), options) {
        return Ok(());
    }
    let shown: String = name_of(named).chars().filter(char::is_ascii_graphic).take(100).collect();
    Err(Error::new(Code::NameNotServed, format!("this hub does not answer under the name `{shown}`"))
        .hint("use the address in `hub.public_url`, or add the name to `hub.allowed_hosts` and restart the hub"))
}

/// The name without the port.
fn name_of(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().unwrap_or_default();
    }
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

fn is_allowed(name: &str, options: &Options) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let after_scheme = options.public_url.split_once("://").map_or("", |(_, rest)| rest);
    let own = name_of(after_scheme.split('/').next().unwrap_or_default()).to_ascii_lowercase();
    name == "localhost"
        || name.ends_with(".localhost")
        || name.parse::<IpAddr>().is_ok()
        || name == own
        || options.allowed_hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_names_and_addresses_are_allowed() {
        let options = Options {
            public_url: "https://hub.example:8443/ops".to_owned(),
            allowed_hosts: vec!["Hub.lan".to_owned()],
            ..Options::default()
        };
        for (host, expected) in [
            ("localhost:7411", true),
            ("app.localhost", true),
            ("127.0.0.1:7411", true),
            ("10.0.0.5", true),
            ("[::1]:7411", true),
            ("[fd00::5]", true),
            ("hub.example:8443", true),
            ("HUB.example.", true),
            ("hub.lan:7411", true),
            ("evil.example", false),
            ("evil.example:7411", false),
            ("hub.example.evil.example", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(name_of(host), &options), expected, "{host}");
        }
    }
}
