//! The HTTP API of the hub. Every route is registered with an access rule; there is no other way to add one.
//!
//! - `access`: access rules of routes
//! - `allowed_host`: the names under which public routes answer
//! - `auth`: authentication and authorization of requests
//! - `cookies`: the cookies of browsers
//! - `extract`: extractors for context, path, query and body
//! - `handlers`: request handlers, one file per resource
//! - `idempotency`: idempotency keys of POST requests
//! - `metrics`: Prometheus metrics
//! - `middleware`: layers around every request
//! - `openapi`: the OpenAPI document
//! - `owner_proxy`: forwards writes to the process that owns the database
//! - `rate_limit`: requests per address
//! - `request_meta`: metadata of a request before authentication
//! - `router`: table of all routes
//! - `same_site`: rejects cross-site requests of browsers

pub mod access;
pub(crate) mod allowed_host;
pub mod auth;
mod cookies;
pub mod extract;
pub mod handlers;
mod idempotency;
pub mod metrics;
pub mod middleware;
pub mod openapi;
mod owner_proxy;
pub mod rate_limit;
pub(crate) mod request_meta;
mod router;
mod same_site;

pub use access::Access;
pub use middleware::app;
pub use router::{Route, Routes, routes};
