//! Every function of the store, on both databases.

mod audit;
mod dedupe;
mod hosts;
mod jobs;
mod journal;
mod leases;
mod people;
mod pooler;
mod queue;
mod schema;
mod seed;
mod sign_in;
mod transactions;
