//! The caller, API tokens, and all users of the installation.

use domain::{OrgId, Role, Timestamp, TokenId, UserId, role::Scope};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The caller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// `user`, `token` or `local`.
    pub kind: String,
    /// The user; null for the owner of the hub's Unix socket.
    #[schema(value_type = Option<String>)]
    pub user_id: Option<UserId>,
    pub name: String,
    pub email: Option<String>,
    /// Whether the user manages the installation.
    pub is_super_admin: bool,
    /// The org used by requests that name none.
    #[schema(value_type = Option<String>)]
    pub org_id: Option<OrgId>,
    /// The orgs of the user, with the role in each.
    pub orgs: Vec<Membership>,
}

/// An org and the caller's role in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Membership {
    #[schema(value_type = String)]
    pub org_id: OrgId,
    /// The name in URLs and commands.
    pub slug: String,
    /// The name for people.
    pub name: String,
    pub timezone: String,
    #[schema(value_type = String, example = "admin")]
    pub role: Role,
}

/// An API token, without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Token {
    #[schema(value_type = String)]
    pub id: TokenId,
    /// The purpose of the token.
    pub name: String,
    /// The first characters of the secret.
    pub hint: String,
    /// The user who created the token and for whom it acts.
    #[schema(value_type = String)]
    pub user_id: UserId,
    /// The highest role of its requests.
    #[schema(value_type = String, example = "operator")]
    pub role: Role,
    /// `api` for all permissions of its role, `read` or `worker`.
    #[schema(value_type = String, example = "api")]
    pub scope: Scope,
    /// The only queues that a worker token may claim from; empty for other scopes.
    #[serde(default)]
    pub queues: Vec<String>,
    /// Keys of the only definitions whose jobs a worker token may claim; null for all.
    #[serde(default)]
    pub definitions: Option<Vec<String>>,
    /// Whether a device login created it. A new password revokes it.
    #[serde(default)]
    pub is_login: bool,
    /// Whether it can create further tokens.
    #[serde(default)]
    pub may_create_tokens: bool,
    /// The token that created this one and with which it is revoked; null if a user created it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub parent_id: Option<TokenId>,
    /// The creator, as in the audit log; empty for tokens of older versions.
    #[serde(default)]
    pub created_by: String,
    /// Null if it does not expire.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, rounded to the minute.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_used_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// An API token to create.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// The purpose of the token.
    pub name: String,
    /// The highest role of its requests; the caller's own role if absent.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub role: Option<Role>,
    /// `api` (default), `read` or `worker`. Only admins create worker tokens.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub scope: Option<Scope>,
    /// The only queues that a worker token may claim from; required for the scope `worker`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queues: Vec<String>,
    /// Keys of the only definitions whose jobs a worker token may claim; all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definitions: Option<Vec<String>>,
    /// The lifetime; 90 days if absent, 0 for no expiry.
    #[serde(default)]
    pub ttl_seconds: Option<u32>,
    /// Whether the token can create further tokens, which are revoked with it. Only users, and tokens with this right,
    /// can give it.
    #[serde(default)]
    pub may_create_tokens: bool,
}

/// The new API token with its secret, which is shown only once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TokenCreated {
    #[serde(flatten)]
    pub token: Token,
    /// The secret; it cannot be shown again.
    pub secret: String,
}

/// A user, as shown to super admins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct User {
    #[schema(value_type = String)]
    pub id: UserId,
    pub email: String,
    pub name: String,
    /// Whether the user manages the installation.
    pub is_super_admin: bool,
    /// Whether the user cannot sign in.
    pub is_disabled: bool,
    /// When a super admin confirmed that the address belongs to the user; null if it is unverified.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub email_verified_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// Changes to a user by a super admin.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserPatch {
    /// Whether the user manages the installation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_super_admin: Option<bool>,
    /// Whether the user cannot sign in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_disabled: Option<bool>,
    /// Whether the e-mail address is confirmed to belong to the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_email_verified: Option<bool>,
}
