//! The hub through its real router, on both databases.

mod alerts;
mod at_scale;
mod bench;
mod changes;
mod definitions;
mod events;
mod fixture;
mod front;
mod hosts;
mod idempotency;
mod install;
mod jobs;
mod lists;
mod live;
mod loops;
mod many_hosts;
mod matrix;
mod people;
mod place;
mod queue;
mod retention;
mod secrets;
mod servers;
mod sign_in;
mod triggers;
mod views;
