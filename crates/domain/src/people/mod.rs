//! Users, orgs, roles, tokens and saved views.
//!
//! - `actor`: the actor of a request, its name in the audit log, and its permissions
//! - `org`: settings of orgs
//! - `role`: roles, permissions and token scopes
//! - `secret`: the text form and hash of tokens and other secrets
//! - `throttle`: limits on failed authentication attempts
//! - `view`: saved views of pages

pub mod actor;
pub mod org;
pub mod role;
pub mod secret;
pub mod throttle;
pub mod view;
