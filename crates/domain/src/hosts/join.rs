//! Join tokens: whether a machine may join with one.

use crate::{
    OrgId,
    time::{Span, Timestamp},
};

/// The default lifetime of a join token.
pub const TTL: Span = Span::from_secs(15 * 60);
/// The longest lifetime of a join token.
pub const TTL_MAX: Span = Span::from_secs(30 * 86_400);
/// The most machines that one token allows.
pub const USES_MAX: u32 = 10_000;

/// The stored state of a join token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenState {
    /// The number of machines the token allows.
    pub uses: i32,
    /// The number of machines that have joined.
    pub used: i32,
    pub expires_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
}

/// Why a machine may not join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum JoinRefused {
    #[error("this join token expired {ago} ago")]
    Expired { ago: Span },
    #[error("this join token is used up ({uses} of {uses})")]
    Used {
        /// The number of machines the token allows.
        uses: i32,
    },
    #[error("this join token was revoked {ago} ago")]
    Revoked { ago: Span },
}

/// Whether one more machine may join with this token.
///
/// # Errors
/// The token is revoked, used up or expired.
pub fn may_join(token: &TokenState, now: Timestamp) -> Result<(), JoinRefused> {
    if let Some(at) = token.revoked_at {
        return Err(JoinRefused::Revoked { ago: now.since(at) });
    }
    if token.used >= token.uses {
        return Err(JoinRefused::Used { uses: token.uses });
    }
    if now >= token.expires_at {
        return Err(JoinRefused::Expired { ago: now.since(token.expires_at) });
    }
    Ok(())
}

/// A removed host, whose id a machine wants to use again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormerHost {
    /// The organization that it belonged to.
    pub org: OrgId,
    /// The last public key; `None` if it was not recorded.
    pub public_key: Option<[u8; 32]>,
    /// Whether that key was revoked.
    pub is_revoked: bool,
}

impl FormerHost {
    /// Whether a machine with this key may have the id in this organization. Copies of rows and audit entries name the
    /// host by its id, so in other hands the id would take its history along.
    #[must_use]
    pub fn may_return(&self, org: OrgId, public_key: &[u8; 32]) -> bool {
        self.org == org && !self.is_revoked && self.public_key.is_none_or(|key| key == *public_key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_id_is_for_the_same_key_and_organization() {
        let (acme, beta) = (OrgId::from_bytes([1; 16]), OrgId::from_bytes([2; 16]));
        let former = FormerHost { org: acme, public_key: Some([3; 32]), is_revoked: false };
        for (former, org, key, may_return) in [
            (former, acme, [3; 32], true),
            (former, acme, [4; 32], false),
            (former, beta, [3; 32], false),
            (FormerHost { is_revoked: true, ..former }, acme, [3; 32], false),
            (FormerHost { public_key: None, ..former }, acme, [4; 32], true),
            (FormerHost { public_key: None, ..former }, beta, [4; 32], false),
        ] {
            assert_eq!(former.may_return(org, &key), may_return, "{former:?}");
        }
    }

    #[test]
    fn tokens_end_by_expiry_use_or_revocation() {
        let t = |secs: i64| Timestamp::from_micros(secs * 1_000_000);
        let token = TokenState { uses: 2, used: 1, expires_at: t(100), revoked_at: None };
        for (token, now, expected) in [
            (token, 99, Ok(())),
            (token, 100, Err(JoinRefused::Expired { ago: Span::ZERO })),
            (token, 280, Err(JoinRefused::Expired { ago: Span::from_secs(180) })),
            (TokenState { used: 2, ..token }, 50, Err(JoinRefused::Used { uses: 2 })),
            (
                TokenState { revoked_at: Some(t(40)), ..token },
                50,
                Err(JoinRefused::Revoked { ago: Span::from_secs(10) }),
            ),
        ] {
            assert_eq!(may_join(&token, t(now)), expected);
        }
    }
}
