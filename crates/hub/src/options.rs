//! Settings of a hub.

use std::{net::IpAddr, path::PathBuf};

use domain::{Span, log_budget::LogBudget};
pub use notify::Allowed;

/// Settings of a hub. Every field has a usable default.
#[derive(Debug, Clone)]
pub struct Options {
    /// URL that browsers and runners use, such as `http://10.0.0.5:7411`. It may have a path, such as
    /// `https://example.com/hostler`.
    pub public_url: String,
    /// Default heartbeat interval; hosts that must be reported offline sooner get a shorter one.
    pub heartbeat: Span,
    /// Lifetime of a lease after the last heartbeat. A runner that is cut off ends its retryable runs when it expires.
    pub lost_after: Span,
    /// Additional time before the hub reports these runs as lost and retries their jobs. By then the runner has ended
    /// them, so no job runs twice.
    pub lost_grace: Span,
    /// Retention of succeeded jobs.
    pub keep_succeeded: Span,
    /// Retention of all other finished jobs.
    pub keep_others: Span,
    /// Delay after a host reconnects before its missed schedules run.
    pub settle: Span,
    /// Time that a notification waits for similar ones, to be sent as one.
    pub group_wait: Span,
    /// Interval of the alert checks.
    pub alerts_every: Span,
    /// Private networks to which channels may send requests.
    pub notify_allow: Allowed,
    /// Most queued jobs per organization; further requests are rejected.
    pub max_queued: i64,
    /// How much output is stored of one run, and of one host in a day.
    pub log_budget: LogBudget,
    /// Most runners per second that may start a handshake; the others receive a time to retry.
    pub runners_per_second: u32,
    /// Most requests per second from one address.
    pub requests_per_second: u32,
    /// Most TCP connections from one address; loopback addresses and trusted proxies have no such limit.
    pub connections_per_address: u32,
    /// Further names under which public routes answer, besides loopback names, IP addresses and the public URL's.
    pub allowed_hosts: Vec<String>,
    /// Reverse proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<Network>,
    /// Certificate and key for browsers.
    pub browser_tls: Option<BrowserTls>,
    /// File with the key that encrypts secrets, created on first use. All hubs of a database need the same key.
    pub secret_key_file: Option<PathBuf>,
    /// Whether this process serves the web UI.
    pub has_ui: bool,
    /// Whether this is a runner in standalone mode: the hub embedded in it accepts no other hosts.
    pub is_standalone: bool,
    /// Socket of the process that owns the database, if this process only serves the web UI for it. All writes except
    /// sign-ins are forwarded there.
    pub owner: Option<PathBuf>,
    /// The `hostler` binary to serve to machines that run the install script; `None` = not served.
    pub program: Option<PathBuf>,
}

/// A TLS certificate chain and its private key, in PEM.
#[derive(Clone)]
pub struct BrowserTls {
    pub certificates: String,
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
            log_budget: LogBudget::default(),
            runners_per_second: 500,
            requests_per_second: 500,
            connections_per_address: 1_000,
            allowed_hosts: Vec::new(),
            trusted_proxies: Vec::new(),
            browser_tls: None,
            secret_key_file: None,
            has_ui: true,
            is_standalone: false,
            owner: None,
            program: None,
        }
    }
}

impl Options {
    /// Interval at which the catch-up loop checks for hosts that have reconnected.
    #[must_use]
    pub fn catch_up_every(&self) -> Span {
        Span::from_millis(self.settle.as_millis() / 4).clamp(Span::from_millis(200), Span::from_secs(15))
    }
}

/// An IP address range, such as `10.0.0.0/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    base: u128,
    bits: u8,
}

/// Maps IPv4 addresses into IPv6, so that one comparison serves both.
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
    /// Whether this address is a trusted proxy.
    #[must_use]
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(address))
    }

    /// Path of the public URL, under which all routes lie: empty, or such as `/hostler`.
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
