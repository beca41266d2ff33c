//! The one binary: hub, runner, web UI and command line.
//!
//! This crate composes: it reads arguments, environment and files, builds the parts and runs them. It decides
//! nothing about jobs or hosts.

mod cli;
mod client;
mod cmd;
mod config;
mod context;
mod examples;
mod fail;
mod filter;
mod home;
mod logging;
mod memory;
mod output;
mod pick;
mod say;

use std::process::ExitCode;

use clap::FromArgMatches as _;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // One TLS provider for the whole process; a second install would be an error of ours.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let parsed = examples::command().try_get_matches().and_then(|matches| cli::Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return cli::refuse(&error),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().on_thread_park(memory::rest).build() {
        Ok(runtime) => runtime,
        Err(error) => {
            anstream::eprintln!("error: cannot start: {error}");
            return ExitCode::FAILURE;
        }
    };
    let globals = cli.globals.clone();
    let outcome = runtime.block_on(cmd::run(cli));
    // Whatever is still reading from a terminal must not keep the process.
    runtime.shutdown_timeout(std::time::Duration::from_millis(500));
    match outcome {
        Ok(code) => code,
        Err(failure) => failure.report(&globals),
    }
}
