//! Pages of lists: a cursor that names the last row seen, never an offset.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Rows per page unless asked otherwise.
pub const PAGE_SIZE: u32 = 100;
/// The most rows a page can have.
pub const PAGE_SIZE_MAX: u32 = 1_000;

/// One page of a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// Pass as `cursor` for the rows after these; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// Cuts a list that was read one row longer than the page, and names the last row kept.
    pub fn cut(mut rows: Vec<T>, limit: u32, cursor: impl Fn(&T) -> String) -> Self {
        let limit = limit as usize;
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let next = if has_more { rows.last().map(cursor) } else { None };
        Self { items: rows, next }
    }
}

/// Which page of a list.
#[derive(Debug, Clone, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Where the page starts: `next` of the page before.
    pub cursor: Option<String>,
    /// How many rows, 1 to 1,000.
    pub limit: Option<u32>,
}

impl PageQuery {
    /// The number of rows to give.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.limit.unwrap_or(PAGE_SIZE).clamp(1, PAGE_SIZE_MAX)
    }
}
