//! Saved views.

use domain::{
    Timestamp, ViewId,
    view::{ViewPage, Visibility},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A page as somebody wants to see it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct View {
    /// Its id.
    #[schema(value_type = String)]
    pub id: ViewId,
    /// `jobs`, `hosts`, `servers`, `triggers`, `alerts` or `events`.
    #[schema(value_type = String, example = "jobs")]
    pub page: ViewPage,
    /// What people call it.
    pub name: String,
    /// What stands after the `?` of the page's address.
    #[schema(example = "q=status%3Adead_letter")]
    pub query: String,
    /// `private` or `org`.
    #[schema(value_type = String, example = "private")]
    pub visibility: Visibility,
    /// Whether it is the caller's own.
    pub is_mine: bool,
    /// Whose it is.
    pub created_by: String,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// The views somebody has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Views {
    /// By page and name.
    pub items: Vec<View>,
}

/// A view to keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewRequest {
    /// `jobs`, `hosts`, `servers`, `triggers`, `alerts` or `events`.
    #[schema(value_type = String, example = "jobs")]
    pub page: ViewPage,
    /// What people call it.
    pub name: String,
    /// What stands after the `?` of the page's address.
    pub query: String,
    /// `private`, unless said otherwise, or `org`.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "private")]
    pub visibility: Option<Visibility>,
}

/// What changes of a view.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewPatch {
    /// What people call it.
    #[serde(default)]
    pub name: Option<String>,
    /// What stands after the `?` of the page's address.
    #[serde(default)]
    pub query: Option<String>,
    /// `private` or `org`.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "org")]
    pub visibility: Option<Visibility>,
}
