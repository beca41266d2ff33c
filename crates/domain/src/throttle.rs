//! How many wrong tries are allowed. Only failures count: a fleet that joins at once is no attack.

use crate::time::{Span, Timestamp};

crate::words! {
    /// What is being guessed at.
    pub enum Guess {
        /// A password.
        Login = "login",
        /// A join token.
        Join = "join",
        /// A code or a link for signing in, or an invitation.
        Code = "code",
        /// A device-code login that was begun.
        Device = "device",
        /// Anything else that was refused before the caller was known.
        Request = "request",
    }
}

/// Wrong tries per minute from one address.
pub const PER_ADDRESS: u32 = 10;
/// Wrong tries per minute against one account, from anywhere.
pub const PER_ACCOUNT: u32 = 20;

/// What an address is counted under: one IPv6 network is one caller, however many addresses it has.
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

/// Whether another try may be made after so many failures in this minute, or when.
///
/// # Errors
/// How long to wait.
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
    fn a_network_is_one_caller() {
        assert_eq!(key("10.0.0.1"), "addr:10.0.0.1");
        assert_eq!(key("2001:db8:1:2:3:4:5:6"), "addr:2001:db8:1:2::/64");
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2::2"));
    }

    #[test]
    fn the_next_minute_is_free_again() {
        let now = Timestamp::from_micros(1_700_000_000_000_000).minute() + Span::from_secs(45);
        assert_eq!(may_try(PER_ADDRESS - 1, PER_ADDRESS, now), Ok(()));
        assert_eq!(may_try(PER_ADDRESS, PER_ADDRESS, now), Err(Span::from_secs(15)));
    }
}
