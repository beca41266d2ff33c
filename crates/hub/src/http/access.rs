//! Who may call a route.

use domain::Permission;

/// Who may call a route. There is no way to add a route without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Public,
    /// Everybody, because the handshake inside asks for a key: the runner link.
    Link,
    /// Whoever is signed in, in whatever org.
    SignedIn,
    /// A person in a browser. A token cannot be more than it was made for, so it cannot do what makes new rights.
    Person,
    /// Whoever has this permission in the org the request is about. Mounted twice: for the caller's own org
    /// and under `/orgs/{org}`.
    Org(Permission),
    /// Whoever has this permission over the whole installation.
    Installation(Permission),
    /// A runner with a session in force, about itself.
    Runner,
}

impl std::fmt::Display for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Public => f.write_str("public"),
            Self::Link => f.write_str("link"),
            Self::SignedIn => f.write_str("signed in"),
            Self::Person => f.write_str("a person in a browser"),
            Self::Org(permission) => write!(f, "org: {permission}"),
            Self::Installation(permission) => write!(f, "installation: {permission}"),
            Self::Runner => f.write_str("runner"),
        }
    }
}
