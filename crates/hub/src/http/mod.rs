//! The front door: every route says who may call it, or it does not exist.
//!
//! `routes` holds the table; one file per resource holds its handlers; `front` is what every request passes.

pub mod access;
pub mod auth;
pub mod body;
pub mod cx;
pub mod front;
pub mod guard;
pub mod metrics;
pub mod openapi;
pub mod pings;
mod routes;

mod admin;
mod alerts;
mod audit;
mod batches;
mod channels;
mod definitions;
mod docs;
mod events;
mod health;
mod home;
mod hosts;
mod idempotency;
mod install;
mod jobs;
mod join_tokens;
mod limits;
mod members;
mod orgs;
mod owner;
mod runner;
mod secrets;
mod series;
mod servers;
mod sign_in;
mod sync;
mod tokens;
mod triggers;
mod views;
mod workers;

pub use access::Access;
pub use front::app;
pub use routes::{Route, Routes, routes};
