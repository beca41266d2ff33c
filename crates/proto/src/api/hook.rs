//! Addresses at which other systems tell events.

use domain::{HookId, Timestamp, hook::HookScheme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Such an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hook {
    /// Its id.
    #[schema(value_type = String)]
    pub id: HookId,
    /// Its name.
    pub name: String,
    /// The address.
    pub url: String,
    /// How messages are signed.
    #[schema(value_type = String, example = "standard")]
    pub scheme: HookScheme,
    /// The name of the events that it makes.
    pub event_name: String,
    /// When a message was last taken.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_ok_at: Option<Timestamp>,
    /// Why one was last refused.
    pub last_error: Option<String>,
    /// When.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_error_at: Option<Timestamp>,
    /// Who made it.
    pub created_by: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// All of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hooks {
    /// By name.
    pub items: Vec<Hook>,
}

/// One to make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HookRequest {
    /// Its name.
    pub name: String,
    /// The name of the events that it makes, as in `shop.order_paid`.
    pub event_name: String,
    /// How messages are signed; `standard` if absent.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub scheme: Option<HookScheme>,
    /// The secret they are signed with; made if absent.
    #[serde(default)]
    pub secret: Option<String>,
}

/// A new one, with its secret. The secret is shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HookMade {
    /// It.
    pub hook: Hook,
    /// What messages are signed with.
    pub secret: String,
}
