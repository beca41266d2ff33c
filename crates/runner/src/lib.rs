//! The runner: our process on a host. Here it joins a hub and keeps one outgoing link to it.
//!
//! Hub and runner meet only through `proto`: a runner never sees the hub's types.

pub mod dial;
pub mod error;
#[cfg(target_os = "linux")]
pub mod exec;
pub mod identity;
pub mod join;
pub mod link;
pub mod machine;
pub mod pin;

pub use dial::Dial;
pub use error::{Error, Result};
pub use identity::{Identity, IdentityFile};
pub use link::{Link, LinkState, Options};
