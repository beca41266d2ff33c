//! Every function of the store, on both databases.

mod audit;
mod hosts;
mod people;
mod pooler;
mod schema;
mod seed;
mod sign_in;
mod transactions;
