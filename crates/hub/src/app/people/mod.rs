//! Organizations, users, and the credentials of callers.
//!
//! - `attempts`: failed attempts to sign in: throttling and audit lines
//! - `known_browser`: browsers with their own count of failed attempts
//! - `members`: members of an organization and invitations
//! - `orgs`: organizations
//! - `password`: hashes and verifies passwords
//! - `sign_in`: sign-in by password, link, invitation and device code
//! - `token_lookup`: reads API tokens in batches, and their validity
//! - `tokens`: API tokens
//! - `users`: all users of the installation
//! - `verified`: the mark of users whose e-mail address is not confirmed

mod attempts;
pub(crate) mod known_browser;
pub(crate) mod members;
pub(crate) mod orgs;
pub(crate) mod password;
pub(crate) mod sign_in;
pub(crate) mod token_lookup;
pub(crate) mod tokens;
pub(crate) mod users;
pub(crate) mod verified;
