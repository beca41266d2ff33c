//! Runners: how they join the hub's link, and what is said on it.

pub mod accept;
pub mod beats;
pub mod door;
pub(crate) mod paces;
pub(crate) mod promotions;
pub mod session;
mod sync;
pub(crate) mod work;
