//! Rows and hints that one hub keeps in memory. Everything here may be dropped at any time: immutable rows are read
//! again, and a missing or wrong hint costs a query or a wait of at most one poll.
//!
//! - `definitions`: compiled versions of definitions
//! - `lane_cursor`: positions from which claims read lanes
//! - `lanes`: ids of lanes by key
//! - `org_slug`: slugs of orgs
//! - `queue_depth`: number of queued jobs per org
//! - `secret_names`: names of the secrets of orgs

pub(crate) mod definitions;
pub(crate) mod lane_cursor;
pub(crate) mod lanes;
pub(crate) mod org_slug;
pub(crate) mod queue_depth;
pub(crate) mod secret_names;
