//! Pages of lists, with a cursor that identifies the last row of a page. An offset would skip or repeat rows when rows
//! are inserted.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The default page size.
pub const PAGE_SIZE: u32 = 100;
/// The largest page size.
pub const PAGE_SIZE_MAX: u32 = 1_000;

/// One page of a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Pass as `cursor` for the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// Builds a page from a list that was read with one row more than the limit.
    pub fn cut(mut rows: Vec<T>, limit: u32, cursor: impl Fn(&T) -> String) -> Self {
        let limit = limit as usize;
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let next = if has_more { rows.last().map(cursor) } else { None };
        Self { items: rows, next }
    }
}

/// Selects a page of a list.
#[derive(Debug, Clone, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The start of the page: `next` of the previous page.
    pub cursor: Option<String>,
    /// Page size, 1 to 1,000.
    pub limit: Option<u32>,
}

impl PageQuery {
    /// The number of rows to return.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.limit.unwrap_or(PAGE_SIZE).clamp(1, PAGE_SIZE_MAX)
    }
}
