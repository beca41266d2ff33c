//! Hostile runners and networks against the hub, with a client that speaks only the wire protocol.
//!
//! - `frames`: every frame in every hostile variant
//! - `network`: broken connections, forged certificates and proofs
//! - `reproductions`: attacks that once succeeded
//! - `world`: the hub, the victim and the attackers

mod frames;
mod network;
mod reproductions;
mod world;
