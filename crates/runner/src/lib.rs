//! The runner: our process on a host. It joins a hub, keeps one outgoing link to it, and runs what it is granted.
//!
//! Hub and runner meet only through `proto`: a runner never sees the hub's types.

pub mod absence;
pub mod desk;
pub mod dial;
pub mod error;
pub mod exec;
pub mod home;
pub mod identity;
pub mod join;
pub mod link;
pub mod logind;
pub mod machine;
pub mod pin;
pub mod servers;
pub mod sync;
pub mod work;

pub use desk::{Bench, Desk, desk};
pub use dial::Dial;
pub use error::{Error, Result};
pub use home::{Home, Seat};
pub use identity::{Identity, IdentityFile};
pub use link::{Link, LinkState, Options};
