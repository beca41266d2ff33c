//! Every kind of channel against somebody who listens: real servers, other people's libraries, and the ill-behaved.

mod commands;
mod fixture;
mod http;
mod mail;
mod python;
