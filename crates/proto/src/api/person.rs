//! Oneself, one's tokens, and all people of the installation.

use domain::{OrgId, Role, Timestamp, TokenId, UserId, role::Scope};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who the caller is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// `user`, `token` or `local`.
    pub kind: String,
    /// The person, unless the caller is the owner of the hub's socket.
    #[schema(value_type = Option<String>)]
    pub user_id: Option<UserId>,
    /// Their name.
    pub name: String,
    /// Their address.
    pub email: Option<String>,
    /// Whether they manage the installation.
    pub is_super_admin: bool,
    /// The org that `/api/v1/…` without an org is about.
    #[schema(value_type = Option<String>)]
    pub org_id: Option<OrgId>,
    /// All orgs they are in, with their role.
    pub orgs: Vec<Membership>,
}

/// An org and one's role in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Membership {
    /// The org.
    #[schema(value_type = String)]
    pub org_id: OrgId,
    /// Its name in addresses and commands.
    pub slug: String,
    /// Its name for people.
    pub name: String,
    /// Its time zone.
    pub timezone: String,
    /// One's role.
    #[schema(value_type = String, example = "admin")]
    pub role: Role,
}

/// An API token, without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Token {
    /// Its id.
    #[schema(value_type = String)]
    pub id: TokenId,
    /// What it is for.
    pub name: String,
    /// How it begins.
    pub hint: String,
    /// Who made it, and on whose behalf it acts.
    #[schema(value_type = String)]
    pub user_id: UserId,
    /// The most it may do.
    #[schema(value_type = String, example = "operator")]
    pub role: Role,
    /// What it is limited to.
    #[schema(value_type = String, example = "api")]
    pub scope: Scope,
    /// When it ends.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_used_at: Option<Timestamp>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// Asks for an API token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// What it is for.
    pub name: String,
    /// The most it may do; one's own role unless said.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub role: Option<Role>,
    /// What it is limited to; `api` unless said.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub scope: Option<Scope>,
    /// For how long; 90 days unless said, 0 = for ever.
    #[serde(default)]
    pub ttl_seconds: Option<u32>,
}

/// An API token with its secret, shown once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TokenCreated {
    /// The token.
    #[serde(flatten)]
    pub token: Token,
    /// The secret: never shown again.
    pub secret: String,
}

/// A person, as a super admin sees them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct User {
    /// Their id.
    #[schema(value_type = String)]
    pub id: UserId,
    /// Their address.
    pub email: String,
    /// Their name.
    pub name: String,
    /// Whether they manage the installation.
    pub is_super_admin: bool,
    /// Whether they may sign in.
    pub is_disabled: bool,
    /// When they came.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When they were last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// Changes to a person by a super admin.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserPatch {
    /// Whether they manage the installation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_super_admin: Option<bool>,
    /// Whether they may not sign in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_disabled: Option<bool>,
}
