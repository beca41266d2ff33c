//! Access rules of routes.

use domain::Permission;

/// Access rule of a route. Every route must declare one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Public,
    /// No HTTP authentication, because the handshake inside authenticates by key: the runner link.
    Link,
    /// Any signed-in caller.
    SignedIn,
    /// A user in a browser. Tokens are excluded: they must not grant rights beyond their own.
    Person,
    /// Callers with this permission in the organization of the request. The route is mounted twice: for the caller's
    /// own organization and under `/orgs/{org}`.
    Org(Permission),
    /// Callers with this permission in the installation.
    Installation(Permission),
    /// A runner with an open session, acting on its own host.
    Runner,
}

/// The rule as a sentence of the API documentation.
impl std::fmt::Display for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Public => f.write_str("Public."),
            Self::Link => f.write_str("For runners."),
            Self::SignedIn => f.write_str("Requires a signed-in user."),
            Self::Person => f.write_str("Requires a browser session."),
            Self::Org(permission) => write!(f, "Requires the permission `{permission}` in the org."),
            Self::Installation(permission) => write!(f, "Requires the permission `{permission}` (super admins)."),
            Self::Runner => f.write_str("For runners."),
        }
    }
}
