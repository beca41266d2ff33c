//! Limits on failed authentication attempts. Only failures count: many machines that join at the same time are no
//! attack.

use crate::time::{Span, Timestamp};

crate::string_enum! {
    /// The kinds of credentials that an attacker may guess.
    pub enum Guess {
        Login = "login",
        Join = "join",
        /// A sign-in code or link, or an invitation.
        Code = "code",
        /// The code of a device login.
        Device = "device",
        /// Any other request rejected before the caller was authenticated.
        Request = "request",
    }
}

/// Failed attempts per minute from one address.
pub const PER_ADDRESS: u32 = 10;
/// Failed attempts per minute against one account, from all addresses.
pub const PER_ACCOUNT: u32 = 20;
/// Failed attempts per minute from one browser that has signed in to the account before. They do not count against
/// address and account, so that a stranger's attempts cannot lock the owner out.
pub const PER_BROWSER: u32 = 10;

/// The counter key of an address. An IPv6 /64 network counts as one client, because a client can use any address of it.
#[must_use]
pub fn key(address: &str) -> String {
    match address.parse::<std::net::IpAddr>() {
        Ok(std::net::IpAddr::V6(v6)) => {
            let network = std::net::Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX));
            format!("addr:{network}/64")
        }
        _ => format!("addr:{address}"),
    }
}

/// Whether another attempt is allowed after this many failures in the current minute.
///
/// # Errors
/// The time until the next attempt is allowed.
pub fn may_try(failures: u32, limit: u32, now: Timestamp) -> Result<(), Span> {
    if failures < limit {
        return Ok(());
    }
    Err((now.minute() + Span::from_secs(60)).since(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_shares_one_counter() {
        assert_eq!(key("10.0.0.1"), "addr:10.0.0.1");
        assert_eq!(key("2001:db8:1:2:3:4:5:6"), "addr:2001:db8:1:2::/64");
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2::2"));
    }

    #[test]
    fn attempts_are_allowed_again_in_the_next_minute() {
        let now = Timestamp::from_micros(1_700_000_000_000_000).minute() + Span::from_secs(45);
        assert_eq!(may_try(PER_ADDRESS - 1, PER_ADDRESS, now), Ok(()));
        assert_eq!(may_try(PER_ADDRESS, PER_ADDRESS, now), Err(Span::from_secs(15)));
    }
}
