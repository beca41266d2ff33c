//! Organizations, users, and how callers prove who they are.
//!
//! - `device`: sign-in from a terminal
//! - `failed_attempt`: failed sign-ins, for throttling
//! - `invitation`: invitations of users
//! - `org`: organizations
//! - `request_key`: idempotency keys of requests
//! - `sign_in`: browser sessions and sign-in links
//! - `socket_credential`: whether the credential of an open socket still counts
//! - `token`: API tokens
//! - `user`: users and members
//! - `view`: saved filters

pub mod device;
pub mod failed_attempt;
pub mod invitation;
pub mod org;
pub mod request_key;
pub mod sign_in;
pub mod socket_credential;
pub mod token;
pub mod user;
pub mod view;
