//! Attackers for tests: a runner that sends any frame, and a network that forges, cuts and repeats. Everything here
//! speaks only the wire protocol (HTTP, WebSocket, JSON and packed frames, Ed25519 signatures over the documented bytes),
//! so it also runs against other builds of the hub.
//!
//! - `attacks`: each kind of frame in each hostile variant
//! - `channel`: a WebSocket to a hub with raw frames, and its handshake
//! - `frames`: one frame of every kind, for given ids and sizes
//! - `fuzz`: parsers under random input, and the mutations of their corpora
//! - `http`: a request over a plain connection
//! - `names`: the ids that an attacker knows
//! - `network`: a man in the middle and forged certificates
//! - `rows`: one row of every replicated table
//! - `session`: an open link: barriers, grants, results and pages of rows
//! - `shape`: the sizes and numbers of a frame or row

pub mod attacks;
pub mod channel;
pub mod frames;
pub mod fuzz;
pub mod http;
pub mod names;
pub mod network;
pub mod rows;
pub mod session;
pub mod shape;
