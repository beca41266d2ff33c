//! `hostler bench`: benchmarks.
//!
//! - `accept`: rates of reconnecting runners
//! - `counters`: counters that the simulated runners update
//! - `figures`: printing measurements
//! - `http`: HTTP client of the queue benchmark
//! - `link`: `hostler bench link`
//! - `queue`: `hostler bench queue`
//! - `runners`: simulated runners of the queue benchmark
//! - `spawn`: `hostler bench spawn`
//! - `sync`: `hostler bench sync`

mod accept;
mod counters;
mod figures;
mod http;
mod link;
mod queue;
mod runners;
mod spawn;
mod sync;

use std::process::ExitCode;

use clap::Subcommand;

use crate::{fail::Result, globals::Globals};

/// Run benchmarks
#[derive(Subcommand)]
pub(crate) enum BenchCommand {
    /// Link many runners to one hub and measure how they reconnect after an outage of the hub
    Link(link::LinkArgs),
    /// Measure the throughput and latency of the queue
    Queue(queue::QueueArgs),
    /// Measure how fast the row backlog of a machine is replicated to an empty hub
    Sync(sync::SyncArgs),
    /// Measure real processes per second, with shim, log and result, and their memory
    Spawn(spawn::SpawnArgs),
}

pub(crate) async fn bench(globals: &Globals, command: BenchCommand) -> Result<ExitCode> {
    match command {
        BenchCommand::Link(args) => link::link(globals, args).await,
        BenchCommand::Queue(args) => Box::pin(queue::queue(globals, args)).await,
        BenchCommand::Sync(args) => Box::pin(sync::sync(globals, args)).await,
        BenchCommand::Spawn(args) => Box::pin(spawn::spawn(globals, args)).await,
    }
}
