//! Organizations, users, and the credentials of callers.
//!
//! - `device`: device-code logins of the CLI
//! - `failed_attempt`: failed attempts, for throttling
//! - `invitation`: invitations of users
//! - `org`: organizations
//! - `request_key`: idempotency keys of requests
//! - `sign_in`: browser sessions and sign-in links
//! - `socket_credential`: whether the credential of an open socket is still valid
//! - `token`: API tokens
//! - `user`: users and members
//! - `view`: saved filters
//! - `worker_token`: what tokens of workers may claim

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
pub mod worker_token;
