//! The HTTP side of the hub. A route without a rule of access does not exist.
//!
//! - `access`: who may call a route
//! - `auth`: who is calling
//! - `deferred_auth`: a token check inside the transaction that writes
//! - `extract`: context, path, query and body of a request
//! - `handlers`: one file per resource
//! - `idempotency`: repeated requests with the same key
//! - `metrics`: the text of `/metrics`
//! - `middleware`: what every request passes
//! - `openapi`: the description of the API
//! - `owner_proxy`: forwards writes to the process that owns the database
//! - `rate_limit`: requests per address
//! - `router`: the table of all routes
//! - `same_site`: requests from pages of other sites

pub mod access;
pub mod auth;
pub(crate) mod deferred_auth;
pub mod extract;
pub mod handlers;
mod idempotency;
pub mod metrics;
pub mod middleware;
pub mod openapi;
mod owner_proxy;
pub mod rate_limit;
mod router;
mod same_site;

pub use access::Access;
pub use middleware::app;
pub use router::{Route, Routes, routes};
