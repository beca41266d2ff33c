//! The address guard, against server-side request forgery: notifications go only to public addresses, unless the
//! operator of the hub allows further networks.
//!
//! Members of an org choose the addresses of channels. Without a guard they could make the hub send requests to
//! services that only the hub can reach: its database, the metadata service of its cloud, a printer. So a host name is
//! resolved once, all its addresses are checked, and exactly these addresses are connected to. A second lookup at
//! connect time could return another address (DNS rebinding).

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    str::FromStr,
};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// The IPv4 networks that are not public, with a description.
const REFUSED_V4: &[(Ipv4Net, &str)] = &[
    (v4(0, 0, 0, 0, 8), "not a host address"),
    (v4(10, 0, 0, 0, 8), "private"),
    (v4(100, 64, 0, 0, 10), "carrier-grade NAT"),
    (v4(127, 0, 0, 0, 8), "this machine"),
    (v4(169, 254, 0, 0, 16), "link-local"),
    (v4(172, 16, 0, 0, 12), "private"),
    (v4(192, 0, 0, 0, 24), "reserved"),
    (v4(192, 0, 2, 0, 24), "documentation"),
    (v4(192, 88, 99, 0, 24), "reserved"),
    (v4(192, 168, 0, 0, 16), "private"),
    (v4(198, 18, 0, 0, 15), "benchmarks"),
    (v4(198, 51, 100, 0, 24), "documentation"),
    (v4(203, 0, 113, 0, 24), "documentation"),
    (v4(224, 0, 0, 0, 4), "multicast"),
    (v4(240, 0, 0, 0, 4), "reserved"),
];

/// The networks inside [`PUBLIC_V6`] that are not public, with a description.
const REFUSED_V6: &[(Ipv6Net, &str)] = &[
    // Includes Teredo, benchmarks and ORCHID.
    (v6(0x2001, 0, 23), "reserved"),
    (v6(0x2001, 0x0db8, 32), "documentation"),
    (v6(0x3fff, 0, 20), "documentation"),
];

/// The global unicast range of IPv6. All addresses outside it are rejected.
const PUBLIC_V6: Ipv6Net = v6(0x2000, 0, 3);
/// IPv4 through NAT64 (RFC 6052): checked as the embedded IPv4 address.
const NAT64: Ipv6Net = v6(0x0064, 0xff9b, 96);
/// IPv4 through 6to4: checked as the embedded IPv4 address.
const SIX_TO_FOUR: Ipv6Net = v6(0x2002, 0, 16);

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(a: u16, b: u16, length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), length)
}

/// Networks that are allowed although they are not public.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowed(Vec<IpNet>);

/// The error for a text that is not a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a network (examples: 10.0.0.0/8, 127.0.0.1/32, ::1/128)")]
pub struct NotANetwork(pub String);

impl Allowed {
    /// Parses networks such as `10.0.0.0/8`.
    ///
    /// # Errors
    /// One of them is not a network.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, NotANetwork> {
        let network = |text: &str| {
            let text = text.trim();
            let one = || text.parse::<IpAddr>().map(IpNet::from);
            text.parse::<IpNet>().or_else(|_| one()).map_err(|_| NotANetwork(text.chars().take(60).collect()))
        };
        texts.into_iter().map(network).collect::<Result<_, _>>().map(Self)
    }

    /// Whether an address is in one of the networks.
    #[must_use]
    pub fn contains(&self, ip: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&ip))
    }
}

/// Parses networks separated by commas.
impl FromStr for Allowed {
    type Err = NotANetwork;
    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        Self::parse(text.split(',').filter(|part| !part.trim().is_empty()))
    }
}

/// Why a host is not contacted.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// One of its addresses is not public.
    #[error(
        "`{host}` resolves to {ip}, which is not public ({what}); to allow it, add its network to hub.notify_allow"
    )]
    Inside {
        host: String,
        ip: IpAddr,
        /// The description of its network.
        what: &'static str,
    },
    /// The name could not be resolved.
    #[error("cannot resolve `{host}`: {why}")]
    Unknown {
        host: String,
        /// The error of the resolver.
        why: String,
    },
}

impl Refused {
    /// Whether a retry cannot help. A name that is not found may be registered later.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Inside { .. })
    }
}

/// Checks the addresses of receivers.
#[derive(Debug, Clone, Default)]
pub struct AddressGuard {
    allowed: Allowed,
}

impl AddressGuard {
    /// A guard that accepts public addresses and these networks.
    #[must_use]
    pub const fn new(allowed: Allowed) -> Self {
        Self { allowed }
    }

    /// Checks an address.
    ///
    /// # Errors
    /// The description of its network, if it is not public.
    pub fn judge(&self, ip: IpAddr) -> Result<(), &'static str> {
        // An IPv4-mapped IPv6 address connects to the IPv4 address.
        let ip = ip.to_canonical();
        if self.allowed.contains(ip) {
            return Ok(());
        }
        match ip {
            IpAddr::V4(ip) => judge_v4(ip),
            IpAddr::V6(ip) => judge_v6(ip),
        }
    }

    /// Resolves a host and checks all its addresses. Connect only to these.
    ///
    /// # Errors
    /// One of the addresses is not public, or there is none.
    pub async fn resolve(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, Refused> {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let unknown = |why: &dyn fmt::Display| Refused::Unknown { host: host.to_owned(), why: why.to_string() };
        let found: Vec<SocketAddr> = match bare.parse::<IpAddr>() {
            Ok(ip) => vec![SocketAddr::new(ip, port)],
            Err(_) => tokio::net::lookup_host((bare, port)).await.map_err(|error| unknown(&error))?.collect(),
        };
        if found.is_empty() {
            return Err(unknown(&"no addresses found"));
        }
        for address in &found {
            self.judge(address.ip()).map_err(|what| Refused::Inside {
                host: host.to_owned(),
                ip: address.ip(),
                what,
            })?;
        }
        Ok(found)
    }
}

fn judge_v4(ip: Ipv4Addr) -> Result<(), &'static str> {
    REFUSED_V4.iter().find(|(network, _)| network.contains(&ip)).map_or(Ok(()), |(_, what)| Err(what))
}

fn judge_v6(ip: Ipv6Addr) -> Result<(), &'static str> {
    let octets = ip.octets();
    let inner = |at: usize| Ipv4Addr::new(octets[at], octets[at + 1], octets[at + 2], octets[at + 3]);
    if NAT64.contains(&ip) {
        return judge_v4(inner(12));
    }
    if SIX_TO_FOUR.contains(&ip) {
        return judge_v4(inner(2));
    }
    if !PUBLIC_V6.contains(&ip) {
        return Err(name_v6(ip));
    }
    REFUSED_V6.iter().find(|(network, _)| network.contains(&ip)).map_or(Ok(()), |(_, what)| Err(what))
}

/// The description of an address outside the global unicast range.
fn name_v6(ip: Ipv6Addr) -> &'static str {
    if ip.is_loopback() {
        "this machine"
    } else if ip.is_unicast_link_local() {
        "link-local"
    } else if ip.is_unique_local() {
        "private"
    } else if ip.is_multicast() {
        "multicast"
    } else {
        "not public"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(allowed: &str) -> AddressGuard {
        AddressGuard::new(allowed.parse().expect(allowed))
    }

    #[test]
    fn non_public_addresses_are_rejected() {
        let refused = [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "169.254.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.0.170",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "192.168.255.255",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:0:7f00:1",
            "::10.0.0.1",
            "::8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::808:808",
            "100::1",
            "2001::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "2002:c0a8:101::",
            "2002:a9fe:a9fe::",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fdff::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
            "ff0e::1",
        ];
        for text in refused {
            assert!(guard("").judge(text.parse().expect(text)).is_err(), "{text} was accepted");
        }
    }

    #[test]
    fn public_addresses_are_accepted() {
        let public = [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.255.255",
            "169.255.0.1",
            "172.15.255.255",
            "172.32.0.1",
            "192.0.1.1",
            "192.167.1.1",
            "192.169.0.1",
            "198.17.255.255",
            "198.20.0.1",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2002:808:808::1",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a01:4f8::1",
            "3ffe::1",
        ];
        for text in public {
            assert_eq!(guard("").judge(text.parse().expect(text)), Ok(()), "{text}");
        }
    }

    #[test]
    fn networks_can_be_allowed() {
        for (allowed, ip, is_allowed) in [
            ("10.0.0.0/8", "10.1.2.3", true),
            ("10.0.0.0/8", "11.1.2.3", true),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("10.0.0.0/8", "192.168.0.1", false),
            ("10.1.0.0/16", "10.2.0.1", false),
            ("127.0.0.1/32, ::1/128", "::1", true),
            ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1/32", "127.0.0.2", false),
            // A NAT64 address is another route to the same machine and must be allowed separately.
            ("10.0.0.0/8", "64:ff9b::a00:1", false),
            ("0.0.0.0/0", "::1", false),
        ] {
            assert_eq!(guard(allowed).judge(ip.parse().expect(ip)).is_ok(), is_allowed, "{ip} with {allowed}");
        }
        for wrong in ["10.0.0.0/33", "lan", "10.0.0", "::1/129"] {
            assert_eq!(wrong.parse::<Allowed>(), Err(NotANetwork(wrong.to_owned())));
        }
    }

    #[tokio::test]
    async fn host_names_are_checked_by_their_addresses() {
        for host in ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"] {
            let refused = guard("").resolve(host, 80).await.expect_err(host);
            assert!(refused.is_final() && refused.to_string().contains("hub.notify_allow"), "{refused}");
        }
        let found = guard("127.0.0.0/8,::1/128").resolve("localhost", 80).await.expect("allowed");
        assert!(found.iter().all(|address| address.ip().is_loopback() && address.port() == 80));
        let refused = guard("").resolve("no-such-name.invalid", 80).await.expect_err("unknown");
        assert!(!refused.is_final(), "{refused}");
    }
}
