//! Actors: the performer of an action, its name in the audit log, and its permissions.

use crate::{
    id::{HostId, OrgId, TokenId, TriggerId, UserId},
    role::{Permission, Role, Scope},
};

crate::string_enum! {
    /// The kinds of actors in the audit log.
    pub enum ActorKind {
        User = "user",
        Token = "token",
        /// A local user, through the hub's Unix socket.
        Local = "local",
        Host = "host",
        /// An event rule or a schedule.
        Trigger = "trigger",
        /// A caller without credentials.
        Anonymous = "anonymous",
        System = "system",
    }
}

/// The performer of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    User {
        id: UserId,
        name: String,
    },
    /// An API token, acting for the user who created it.
    Token {
        id: TokenId,
        user: UserId,
        name: String,
    },
    /// A local user with access to the hub's Unix socket: a super admin.
    Local {
        uid: u32,
    },
    /// A runner, authenticated by its host key.
    Host {
        id: HostId,
        name: String,
    },
    /// An event rule or a schedule.
    Trigger {
        id: TriggerId,
        label: String,
    },
    /// A caller without credentials.
    Anonymous,
    /// Hostler itself, for actions that no request caused.
    System,
}

impl Actor {
    /// The kind, as stored in the database.
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

    /// The name in the audit log, readable also after the actor was deleted.
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

    /// The user behind this actor, if there is one.
    #[must_use]
    pub const fn user(&self) -> Option<UserId> {
        match self {
            Self::User { id, .. } => Some(*id),
            Self::Token { user, .. } => Some(*user),
            _ => None,
        }
    }

    /// The text form of the actor's id, if it has one.
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

/// An actor with its permissions in the org of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub actor: Actor,
    /// The org of the request, if it has one.
    pub org: Option<OrgId>,
    /// The actor's role in that org.
    pub role: Option<Role>,
    /// The limit of a token; `Api` for all other actors.
    pub scope: Scope,
}

impl Caller {
    /// Whether the caller has this permission in the org of the request.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        self.role.is_some_and(|role| role.may(permission)) && self.scope.covers(permission)
    }
}
