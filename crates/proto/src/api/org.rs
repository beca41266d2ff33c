//! Orgs, their members and invitations.

use domain::{InvitationId, OrgId, Role, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An org.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Org {
    /// Its id.
    #[schema(value_type = String)]
    pub id: OrgId,
    /// Its name in addresses and commands.
    pub slug: String,
    /// Its name for people.
    pub name: String,
    /// Its IANA time zone.
    pub timezone: String,
    /// Seconds of silence until a host is offline.
    pub offline_after_seconds: u32,
    /// Seconds until somebody is told.
    pub alert_after_seconds: u32,
    /// Jobs running at once; none = no limit.
    #[serde(default)]
    pub max_running: Option<i32>,
    /// Jobs begun in any minute; none = no limit.
    #[serde(default)]
    pub jobs_per_minute: Option<i32>,
    /// Seconds that jobs which succeeded are kept; none = as long as the hub keeps them.
    #[serde(default)]
    pub keep_succeeded_seconds: Option<u32>,
    /// Seconds that jobs which failed without another try are kept; none = as long as the hub keeps them.
    #[serde(default)]
    pub keep_failed_seconds: Option<u32>,
    /// Seconds that jobs which were given up after their last try are kept; none = as long as the hub keeps them.
    #[serde(default)]
    pub keep_dead_letter_seconds: Option<u32>,
    /// Seconds that jobs which were canceled or expired are kept; none = as long as the hub keeps them.
    #[serde(default)]
    pub keep_canceled_seconds: Option<u32>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// Asks for an org.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrgRequest {
    /// Its name in addresses and commands.
    pub slug: String,
    /// Its name for people; the slug unless said.
    #[serde(default)]
    pub name: Option<String>,
    /// Its IANA time zone; UTC unless said.
    #[serde(default)]
    pub timezone: Option<String>,
}

/// Changes to an org; absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrgPatch {
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its IANA time zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// Seconds of silence until a host is offline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offline_after_seconds: Option<u32>,
    /// Seconds until somebody is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alert_after_seconds: Option<u32>,
    /// Jobs running at once; null = no limit.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i32>)]
    pub max_running: Option<Option<i32>>,
    /// Jobs begun in any minute; null = no limit.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i32>)]
    pub jobs_per_minute: Option<Option<i32>>,
    /// Seconds that jobs which succeeded are kept; null = as long as the hub keeps them.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub keep_succeeded_seconds: Option<Option<u32>>,
    /// Seconds that jobs which failed without another try are kept; null = as long as the hub keeps them.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub keep_failed_seconds: Option<Option<u32>>,
    /// Seconds that jobs which were given up after their last try are kept; null = as long as the hub keeps them.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub keep_dead_letter_seconds: Option<Option<u32>>,
    /// Seconds that jobs which were canceled or expired are kept; null = as long as the hub keeps them.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub keep_canceled_seconds: Option<Option<u32>>,
}

/// Confirms the removal of an org with all that is in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrgRemoval {
    /// The slug, typed out.
    pub confirm: String,
}

/// A member of an org.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Member {
    /// The person.
    #[schema(value_type = String)]
    pub user_id: UserId,
    /// Their address.
    pub email: String,
    /// Their name.
    pub name: String,
    /// Their role here.
    #[schema(value_type = String, example = "operator")]
    pub role: Role,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When the role was last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A new role for a member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MemberPatch {
    /// The role.
    #[schema(value_type = String, example = "operator")]
    pub role: Role,
}

/// An invitation, without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Invitation {
    /// Its id.
    #[schema(value_type = String)]
    pub id: InvitationId,
    /// For whom.
    pub email: String,
    /// The role it gives.
    #[schema(value_type = String, example = "viewer")]
    pub role: Role,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// Invites a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationRequest {
    /// For whom.
    pub email: String,
    /// The role it gives.
    #[schema(value_type = String, example = "viewer")]
    pub role: Role,
}

/// An invitation with its link, shown once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InvitationCreated {
    /// The invitation.
    #[serde(flatten)]
    pub invitation: Invitation,
    /// The link to send to the person: never shown again.
    pub url: String,
}
