//! Webhook endpoints that receive events from other systems.

use domain::{HookId, Timestamp, hook::HookScheme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A webhook endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hook {
    #[schema(value_type = String)]
    pub id: HookId,
    pub name: String,
    /// The URL to which the other system posts.
    pub url: String,
    /// How the sender signs messages: `standard` or `github`.
    #[schema(value_type = String, example = "standard")]
    pub scheme: HookScheme,
    /// The name of the events that it creates.
    pub event_name: String,
    /// When a message was last accepted.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_ok_at: Option<Timestamp>,
    /// Why a message was last rejected.
    pub last_error: Option<String>,
    /// The time of the last error.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_error_at: Option<Timestamp>,
    pub created_by: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// All webhook endpoints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hooks {
    /// Sorted by name.
    pub items: Vec<Hook>,
}

/// A webhook endpoint to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HookRequest {
    pub name: String,
    /// The name of the events that it creates, as in `shop.order_paid`.
    pub event_name: String,
    /// How the sender signs messages; `standard` if absent.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub scheme: Option<HookScheme>,
    /// The secret for signatures; generated if absent.
    #[serde(default)]
    pub secret: Option<String>,
}

/// The new webhook endpoint with its secret, which is shown only once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HookMade {
    pub hook: Hook,
    /// The secret with which the sender must sign messages.
    pub secret: String,
}
