//! Every kind of channel against receivers: real servers, third-party libraries and misbehaving peers.

mod commands;
mod fixture;
mod http;
mod mail;
mod python;
