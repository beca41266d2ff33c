//! Organizations, their people, and how callers prove who they are.
//!
//! - `members`: members of an organization and their invitations
//! - `orgs`: organizations
//! - `password`: hashing and checking passwords
//! - `sign_in`: browser sessions, sign-in links, devices
//! - `token_lookup`: looks up API tokens in batches, with a cache
//! - `tokens`: API tokens
//! - `users`: users

pub(crate) mod members;
pub(crate) mod orgs;
pub(crate) mod password;
pub(crate) mod sign_in;
pub(crate) mod token_lookup;
pub(crate) mod tokens;
pub(crate) mod users;
