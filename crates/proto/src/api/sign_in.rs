//! Sign-in by password, one-time link, invitation or device code.

use domain::{Role, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Signs in with a password.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    /// The user's email address.
    pub email: String,
    pub password: String,
}

/// Signs in with a one-time link.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkLoginRequest {
    /// The secret at the end of the link.
    pub secret: String,
}

/// Accepts an invitation.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationAcceptRequest {
    /// The secret at the end of the link.
    pub secret: String,
    /// The name of the new user.
    pub name: String,
    /// The password of the new user, at least 12 characters. An existing user enters the current password.
    pub password: String,
}

/// An invitation, before it is accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InvitationView {
    /// The address of the invited person.
    pub email: String,
    /// The name of the org.
    pub org: String,
    /// The role of the new member.
    pub role: String,
    /// Whether a user with this address already has a password.
    pub is_known: bool,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// Changes the caller's password.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordRequest {
    /// The current password, if one is set.
    #[serde(default)]
    pub old: Option<String>,
    /// The new password, at least 12 characters.
    pub new: String,
}

/// Starts a device-code login.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviceStartRequest {
    /// The client, as in `hostler on laptop-kim`; shown to the user who confirms.
    #[serde(default)]
    pub client: String,
    /// The role that the client asks for. The user who confirms decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "operator")]
    pub role: Option<Role>,
}

/// A started device-code login.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeviceStarted {
    /// The secret of the device, for polling.
    pub device_secret: String,
    /// The code for the user to type.
    pub user_code: String,
    /// The page on which to type the code.
    pub url: String,
    /// The polling interval.
    pub poll_seconds: u32,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// Polls a device-code login.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DevicePollRequest {
    /// The secret of the device.
    pub device_secret: String,
}

/// A device-code login, shown to the user before confirmation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeviceView {
    /// The typed code.
    pub user_code: String,
    /// The client that requests the login.
    pub client: String,
    /// The client's address.
    pub address: String,
    /// The role that the token gets if the confirmation names none; never `super_admin`.
    #[schema(value_type = String, example = "operator")]
    pub role: Role,
    /// The roles that the caller can give.
    #[schema(value_type = Vec<String>)]
    pub roles: Vec<Role>,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// The user's decision on a device-code login.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviceAnswer {
    /// The typed code.
    pub user_code: String,
    /// Whether to allow the login.
    pub approve: bool,
    /// The role of the token; `role` of the login if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "operator")]
    pub role: Option<Role>,
}

/// A one-time sign-in link, created by the owner of the hub's Unix socket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SignInLink {
    /// The link; it cannot be shown again.
    pub url: String,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}
