//! Every function of the store, on both databases.

mod alerts;
mod audit;
mod dedupe;
mod definitions;
mod dump;
mod events;
mod hosts;
mod jobs;
mod journal;
mod lanes;
mod leases;
mod limits;
mod logs;
mod people;
mod plans;
mod pooler;
mod queue;
mod schema;
mod secrets;
mod seed;
mod sign_in;
mod sync;
mod transactions;
mod triggers;
mod way_down;
mod workers;
