//! The hub's settings.

use std::{net::IpAddr, path::PathBuf};

use domain::Span;
pub use notify::Allowed;

/// How a hub behaves. Every field has a default that needs no touching.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address people and runners use, as in `http://10.0.0.5:7411`; made from the listener if absent. It may have a
    /// path, as in `https://example.com/hostler`.
    pub public_url: String,
    /// The pace of heartbeats that the hub sets.
    pub heartbeat: Span,
    /// How long a runner may be silent before its runs are decided about.
    pub lost_after: Span,
    /// How much longer before another may begin them: by then the runner has ended them itself.
    pub lost_grace: Span,
    /// How long jobs that succeeded are kept.
    pub keep_succeeded: Span,
    /// How long jobs that ended otherwise are kept.
    pub keep_others: Span,
    /// How long a host that came back is left alone before its missed schedules are made up for.
    pub settle: Span,
    /// How long a notice waits for others like it.
    pub group_wait: Span,
    /// How often it is looked for what is wrong.
    pub alerts_every: Span,
    /// Networks that channels may call although they are not public.
    pub notify_allow: Allowed,
    /// How many jobs may wait in one org; more are refused.
    pub max_queued: i64,
    /// How many runners are let in per second; the others are told when to come back.
    pub runners_per_second: u32,
    /// How many requests one address may make per second.
    pub requests_per_second: u32,
    /// Reverse proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// A certificate and key for browsers, in PEM.
    pub browser_tls: Option<BrowserTls>,
    /// The key that secrets are encrypted with; made at first need. All hubs of a database have the same.
    pub secret_key_file: Option<PathBuf>,
    /// Whether this process serves the pages.
    pub has_supervisor: bool,
    /// Whether this is one machine's own: a runner's desk, which takes no other hosts.
    pub is_desk: bool,
    /// The socket of whoever owns the database, if this process only shows it: all changes but sign-ins are handed to
    /// the owner.
    pub owner: Option<PathBuf>,
    /// This program, to be handed out to machines that are to join; none = it is not.
    pub program: Option<PathBuf>,
}

/// A certificate chain and its key, in PEM.
#[derive(Clone)]
pub struct BrowserTls {
    /// The chain.
    pub certificates: String,
    /// The key.
    pub key: String,
}

impl std::fmt::Debug for BrowserTls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BrowserTls(•••)")
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            public_url: "http://127.0.0.1:7411".to_owned(),
            heartbeat: Span::from_secs(10),
            lost_after: Span::from_secs(300),
            lost_grace: Span::from_secs(30),
            keep_succeeded: Span::from_secs(30 * 86_400),
            keep_others: Span::from_secs(90 * 86_400),
            settle: Span::from_secs(60),
            group_wait: Span::from_secs(30),
            alerts_every: Span::from_secs(10),
            notify_allow: Allowed::default(),
            max_queued: 10_000_000,
            runners_per_second: 500,
            requests_per_second: 500,
            trusted_proxies: Vec::new(),
            browser_tls: None,
            secret_key_file: None,
            has_supervisor: true,
            is_desk: false,
            owner: None,
            program: None,
        }
    }
}

impl Options {
    /// How often it is looked whether a host came back and has settled.
    #[must_use]
    pub fn catch_up_every(&self) -> Span {
        Span::from_millis(self.settle.as_millis() / 4).clamp(Span::from_millis(200), Span::from_secs(15))
    }
}

/// A range of addresses, as in `10.0.0.0/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    base: u128,
    bits: u8,
}

/// IPv4 addresses are compared as if mapped into IPv6, so that one rule serves both.
fn wide(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => v4.to_ipv6_mapped().to_bits(),
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

impl Network {
    /// Whether this address is in the range.
    #[must_use]
    pub fn contains(self, address: IpAddr) -> bool {
        let shift = 128 - u32::from(self.bits);
        wide(address).checked_shr(shift).unwrap_or(0) == self.base.checked_shr(shift).unwrap_or(0)
    }
}

impl std::str::FromStr for Network {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || format!("`{text}` is not an address range (write 10.0.0.0/8 or 192.0.2.7)");
        let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| refuse())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits: u8 = bits.map_or(Ok(most), str::parse).map_err(|_| refuse())?;
        if bits > most {
            return Err(refuse());
        }
        Ok(Self { base: wide(address), bits: bits + (128 - most) })
    }
}

impl Options {
    /// The path of the public address, which everything is under: empty, or as in `/hostler`.
    #[must_use]
    pub fn prefix(&self) -> &str {
        let after_scheme = self.public_url.find("://").map_or(0, |place| place + 3);
        let path =
            self.public_url[after_scheme..].find('/').map_or("", |place| &self.public_url[after_scheme + place..]);
        path.trim_end_matches('/')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_contain_their_addresses() {
        for (network, address, inside) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("::/0", "10.0.0.1", true),
            ("fd00::/8", "fd12::1", true),
            ("fd00::/8", "10.0.0.1", false),
        ] {
            let parsed: Network = network.parse().expect(network);
            assert_eq!(parsed.contains(address.parse().expect(address)), inside, "{address} in {network}");
        }
        assert!("10.0.0.0/33".parse::<Network>().is_err());
        assert!("proxy.example".parse::<Network>().is_err());
    }
}
