//! Who acts, as the audit log names them, and what they may do while they act.

use crate::{
    id::{HostId, OrgId, TokenId, TriggerId, UserId},
    role::{Permission, Role, Scope},
};

crate::words! {
    /// The kinds of actors in the audit log.
    pub enum ActorKind {
        /// A person in a browser.
        User = "user",
        /// An API token.
        Token = "token",
        /// The owner of the hub's Unix socket.
        Local = "local",
        /// A runner.
        Host = "host",
        /// An event rule or a schedule.
        Trigger = "trigger",
        /// Nobody known.
        Anonymous = "anonymous",
        /// Hostler itself.
        System = "system",
    }
}

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// A person in a browser.
    User { id: UserId, name: String },
    /// An API token, on behalf of the person who made it.
    Token { id: TokenId, user: UserId, name: String },
    /// The owner of the hub's Unix socket: super admin.
    Local { uid: u32 },
    /// A runner, known by its key.
    Host { id: HostId, name: String },
    /// An event rule or a schedule.
    Trigger { id: TriggerId, label: String },
    /// Somebody who has not said who they are.
    Anonymous,
    /// Hostler itself, for what no request asked for.
    System,
}

impl Actor {
    /// The kind, as stored.
    #[must_use]
    pub const fn kind(&self) -> ActorKind {
        match self {
            Self::User { .. } => ActorKind::User,
            Self::Token { .. } => ActorKind::Token,
            Self::Local { .. } => ActorKind::Local,
            Self::Host { .. } => ActorKind::Host,
            Self::Trigger { .. } => ActorKind::Trigger,
            Self::Anonymous => ActorKind::Anonymous,
            Self::System => ActorKind::System,
        }
    }

    /// The name by which the audit log remembers this actor after it is gone.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::User { name, .. } | Self::Host { name, .. } => name.clone(),
            Self::Token { name, .. } => format!("token:{name}"),
            Self::Trigger { label, .. } => format!("trigger:{label}"),
            Self::Local { uid } => format!("local:{uid}"),
            Self::Anonymous => "anonymous".to_owned(),
            Self::System => "hostler".to_owned(),
        }
    }

    /// The person behind this actor, if there is one.
    #[must_use]
    pub const fn user(&self) -> Option<UserId> {
        match self {
            Self::User { id, .. } => Some(*id),
            Self::Token { user, .. } => Some(*user),
            _ => None,
        }
    }

    /// The text of the id, if the actor has one.
    #[must_use]
    pub fn id_text(&self) -> Option<String> {
        match self {
            Self::User { id, .. } => Some(id.to_string()),
            Self::Token { id, .. } => Some(id.to_string()),
            Self::Host { id, .. } => Some(id.to_string()),
            Self::Trigger { id, .. } => Some(id.to_string()),
            Self::Local { uid } => Some(uid.to_string()),
            Self::Anonymous | Self::System => None,
        }
    }
}

/// An actor together with what it may do in the org it acts in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Who.
    pub actor: Actor,
    /// Where, if the request is about one org.
    pub org: Option<OrgId>,
    /// With which role there.
    pub role: Option<Role>,
    /// A token's limit; `Api` for everybody else.
    pub scope: Scope,
}

impl Caller {
    /// Whether this caller may do that where it acts.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        self.role.is_some_and(|role| role.may(permission)) && self.scope.covers(permission)
    }
}
