//! Saved views: named filters and columns of a page.

use domain::{
    Timestamp, ViewId,
    view::{ViewPage, Visibility},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A saved view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct View {
    #[schema(value_type = String)]
    pub id: ViewId,
    /// `jobs`, `hosts`, `servers`, `triggers`, `alerts` or `events`.
    #[schema(value_type = String, example = "jobs")]
    pub page: ViewPage,
    pub name: String,
    /// The part after the `?` of the page's URL.
    #[schema(example = "q=status%3Adead_letter")]
    pub query: String,
    /// `private` or `org`.
    #[schema(value_type = String, example = "private")]
    pub visibility: Visibility,
    /// Whether it belongs to the caller.
    pub is_mine: bool,
    /// The creator.
    pub created_by: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// Selects the views of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
pub struct ViewQuery {
    /// The views of all members, also private ones; for admins.
    #[serde(default)]
    pub all: bool,
}

/// The views that the caller can see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Views {
    /// Sorted by page and name.
    pub items: Vec<View>,
}

/// A view to save.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewRequest {
    /// `jobs`, `hosts`, `servers`, `triggers`, `alerts` or `events`.
    #[schema(value_type = String, example = "jobs")]
    pub page: ViewPage,
    pub name: String,
    /// The part after the `?` of the page's URL.
    pub query: String,
    /// `private` (default) or `org`.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "private")]
    pub visibility: Option<Visibility>,
}

/// Changes to a view. Absent fields keep their value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewPatch {
    #[serde(default)]
    pub name: Option<String>,
    /// The part after the `?` of the page's URL.
    #[serde(default)]
    pub query: Option<String>,
    /// `private` or `org`.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "org")]
    pub visibility: Option<Visibility>,
}
