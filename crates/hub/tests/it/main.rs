//! The hub through its real router, on both databases.

mod fixture;
mod front;
mod hosts;
mod live;
mod loops;
mod matrix;
mod people;
mod sign_in;
