//! Orgs, their members and invitations.

use domain::{InvitationId, OrgId, Role, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An organization.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Org {
    #[schema(value_type = String)]
    pub id: OrgId,
    /// The name in URLs and commands.
    pub slug: String,
    /// The name for people.
    pub name: String,
    /// An IANA time zone.
    pub timezone: String,
    /// Seconds without a heartbeat until a host counts as offline.
    pub offline_after_seconds: u32,
    /// Seconds offline until an alert is raised.
    pub alert_after_seconds: u32,
    /// The limit of running jobs; null for no limit.
    #[serde(default)]
    pub max_running: Option<i32>,
    /// The limit of starts per minute; null for no limit.
    #[serde(default)]
    pub jobs_per_minute: Option<i32>,
    /// How long succeeded jobs are kept; null for the hub's setting.
    #[serde(default)]
    pub keep_succeeded_seconds: Option<u32>,
    /// How long failed jobs are kept; null for the hub's setting.
    #[serde(default)]
    pub keep_failed_seconds: Option<u32>,
    /// How long dead letters are kept; null for the hub's setting.
    #[serde(default)]
    pub keep_dead_letter_seconds: Option<u32>,
    /// How long canceled and expired jobs are kept; null for the hub's setting.
    #[serde(default)]
    pub keep_canceled_seconds: Option<u32>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// An organization to create.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrgRequest {
    /// The name in URLs and commands.
    pub slug: String,
    /// The name for people; the slug if absent.
    #[serde(default)]
    pub name: Option<String>,
    /// An IANA time zone; UTC if absent.
    #[serde(default)]
    pub timezone: Option<String>,
}

/// Changes to an organization. Absent fields keep their value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrgPatch {
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// An IANA time zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// Seconds without a heartbeat until a host counts as offline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offline_after_seconds: Option<u32>,
    /// Seconds offline until an alert is raised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alert_after_seconds: Option<u32>,
    /// The limit of running jobs; null for no limit.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i32>)]
    pub max_running: Option<Option<i32>>,
    /// The limit of starts per minute; null for no limit.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i32>)]
    pub jobs_per_minute: Option<Option<i32>>,
    /// How long succeeded jobs are kept; null for the hub's setting.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub keep_succeeded_seconds: Option<Option<u32>>,
    /// How long failed jobs are kept; null for the hub's setting.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub keep_failed_seconds: Option<Option<u32>>,
    /// How long dead letters are kept; null for the hub's setting.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub keep_dead_letter_seconds: Option<Option<u32>>,
    /// How long canceled and expired jobs are kept; null for the hub's setting.
    #[serde(default, with = "crate::api::host::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub keep_canceled_seconds: Option<Option<u32>>,
}

/// Confirms the removal of an organization with all its data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrgRemoval {
    /// The slug, as a confirmation.
    pub confirm: String,
}

/// A member of an org.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Member {
    #[schema(value_type = String)]
    pub user_id: UserId,
    pub email: String,
    pub name: String,
    /// The role in this org.
    #[schema(value_type = String, example = "operator")]
    pub role: Role,
    /// Whether a super admin confirmed that the e-mail address belongs to the user.
    #[serde(default)]
    pub is_email_verified: bool,
    /// When the user became a member.
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
    #[schema(value_type = String, example = "operator")]
    pub role: Role,
}

/// An invitation, without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Invitation {
    #[schema(value_type = String)]
    pub id: InvitationId,
    /// The address of the invited person.
    pub email: String,
    /// The role of the new member.
    #[schema(value_type = String, example = "viewer")]
    pub role: Role,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// Invites a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationRequest {
    /// The address of the person.
    pub email: String,
    /// The role of the new member.
    #[schema(value_type = String, example = "viewer")]
    pub role: Role,
}

/// The new invitation with its link, which is shown only once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InvitationCreated {
    #[serde(flatten)]
    pub invitation: Invitation,
    /// The link for the invited person; it cannot be shown again.
    pub url: String,
}
