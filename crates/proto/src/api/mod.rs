//! Bodies of the HTTP API, one file per resource.

pub mod alert;
pub mod audit;
pub mod batch;
pub mod channel;
pub mod definition;
pub mod hook;
pub mod host;
pub mod hub;
pub mod job;
pub mod limit;
pub mod org;
pub mod person;
pub mod ping;
pub mod primary;
pub mod secret;
pub mod series;
pub mod server;
pub mod sign_in;
pub mod sync;
pub mod trigger;
pub mod view;
pub mod worker;
