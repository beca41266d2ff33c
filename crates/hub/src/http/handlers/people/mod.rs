//! Handlers about people: the caller's account and organization, their tokens and views, and the members.
//!
//! - `members`: members and invitations
//! - `orgs`: the caller's organization and its status
//! - `sign_in`: sign-in, sign-out, the caller's own account
//! - `tokens`: API tokens
//! - `views`: saved views of lists

pub(crate) mod members;
pub(crate) mod orgs;
pub(crate) mod sign_in;
pub(crate) mod tokens;
pub(crate) mod views;
