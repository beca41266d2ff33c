//! Signing in: password, one-time link, invitation, device code.

use domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Signs in with a password.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    /// The address.
    pub email: String,
    /// The password.
    pub password: String,
}

/// Signs in with a one-time link.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkLoginRequest {
    /// The secret at the end of the link.
    pub secret: String,
}

/// Takes up an invitation.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationAcceptRequest {
    /// The secret at the end of the link.
    pub secret: String,
    /// The person's name.
    pub name: String,
    /// A password, for a new person; at least 12 characters. Somebody already known gives their own.
    pub password: String,
}

/// What an invitation is for, before it is taken up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InvitationView {
    /// For whom.
    pub email: String,
    /// Into which org.
    pub org: String,
    /// With which role.
    pub role: String,
    /// Whether the person already has a password here.
    pub is_known: bool,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// Sets one's password.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordRequest {
    /// The one in force, if there is one.
    #[serde(default)]
    pub old: Option<String>,
    /// The new one; at least 12 characters.
    pub new: String,
}

/// Begins a device-code login.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviceStartRequest {
    /// What asks, as in `hostler on laptop-kim`; shown to the person who confirms.
    #[serde(default)]
    pub client: String,
}

/// A device-code login has begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeviceStarted {
    /// The part only the device knows.
    pub device_secret: String,
    /// What the person types.
    pub user_code: String,
    /// Where they type it.
    pub url: String,
    /// How often to ask.
    pub poll_seconds: u32,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// Asks whether the person has confirmed.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DevicePollRequest {
    /// The part only the device knows.
    pub device_secret: String,
}

/// Shows a person what they are about to confirm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeviceView {
    /// What was typed.
    pub user_code: String,
    /// What asks.
    pub client: String,
    /// From where it asked.
    pub address: String,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// A person's answer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviceAnswer {
    /// What the person typed.
    pub user_code: String,
    /// Whether they agree.
    pub approve: bool,
}

/// A one-time sign-in link, made by the owner of the hub's socket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SignInLink {
    /// The link: never shown again.
    pub url: String,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}
