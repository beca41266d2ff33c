//! Credentials of open sockets, checked every few seconds, so that a revoked caller does not keep a socket.

use domain::{HostId, SessionId, Timestamp, TokenId, UserId};

use crate::{Result, Tx};

/// The credential that an open socket depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SocketCredential {
    /// A browser session, with the version of the user's rights when the socket was opened.
    Browser { session: SessionId, user: UserId, authz_version: i64 },
    /// A token, with the version of the user's rights when the socket was opened.
    Token { token: TokenId, user: UserId, authz_version: i64 },
    /// A runner's session.
    Runner { host: HostId, epoch: i64 },
}

statements! {
    BROWSER_HOLDS = same(r#"
        select u.authz_version
        from browser_session s
        join "user" u on u.id = s.user_id
        where s.id = $1 and s.user_id = $2 and s.expires_at > $3 and u.is_disabled = $4"#);
    TOKEN_HOLDS = same(r#"
        select u.authz_version
        from token t
        join "user" u on u.id = t.user_id
        where t.id = $1 and t.user_id = $2 and t.revoked_at is null and (t.expires_at is null or t.expires_at > $3)
            and u.is_disabled = $4"#);
    RUNNER_HOLDS = same("
        select s.host_id
        from host_session s
        join host h on h.id = s.host_id
        where s.host_id = $1 and s.epoch = $2 and s.closed_at is null and h.revoked_at is null");
}

impl Tx<'_> {
    /// Whether the credential of an open socket is still valid.
    pub async fn socket_credential_is_valid(&mut self, credential: SocketCredential, now: Timestamp) -> Result<bool> {
        Ok(match credential {
            SocketCredential::Browser { session, user, authz_version } => {
                value!(self, BROWSER_HOLDS => i64, session, user, now, false)? == Some(authz_version)
            }
            SocketCredential::Token { token, user, authz_version } => {
                value!(self, TOKEN_HOLDS => i64, token, user, now, false)? == Some(authz_version)
            }
            SocketCredential::Runner { host, epoch } => value!(self, RUNNER_HOLDS => HostId, host, epoch)?.is_some(),
        })
    }
}
