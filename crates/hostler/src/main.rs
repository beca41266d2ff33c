//! The `hostler` binary: hub, runner, web UI and command line.
//!
//! This crate reads arguments, environment and files, builds the hub and the runner from them and runs them. It has no
//! rules about jobs or hosts.
//!
//! - `cli`: the command-line grammar, and the function that runs each command
//! - `client`: HTTP client of a hub
//! - `cmd`: the commands
//! - `config`: settings from flags, environment, file and defaults
//! - `context`: saved hubs and their tokens
//! - `environment`: environment variables
//! - `examples`: examples in the help texts
//! - `fail`: failures and exit statuses
//! - `globals`: the global options
//! - `home`: the data folder and its lock
//! - `logging`: log output of long-running commands
//! - `memory`: returning unused memory to the system
//! - `messages`: messages and prompts on stderr
//! - `output`: tables, JSON and YAML on stdout
//! - `parse`: parsers of argument values
//! - `pick`: lookup of resources by id, prefix, name or pattern
//! - `terminal`: writes to stdout and stderr, without escape sequences of other programs
//! - `times`: times for readers
//! - `tree`: help texts of the command tree

mod cli;
mod client;
mod cmd;
mod config;
mod context;
mod environment;
mod examples;
mod fail;
mod globals;
mod home;
mod logging;
mod memory;
mod messages;
mod output;
mod parse;
mod pick;
mod terminal;
mod times;
mod tree;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // One TLS provider for the whole process. It is installed only here, so the result can be ignored.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let cli = match cli::parse() {
        Ok(cli) => cli,
        Err(error) => return cli::refuse(&error),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().on_thread_park(memory::rest).build() {
        Ok(runtime) => runtime,
        Err(error) => {
            output::terminal::error_line(&format!("error: cannot start: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let globals = cli.globals.clone();
    let outcome = runtime.block_on(cli::run(cli));
    // A blocking read from a terminal cannot be canceled and must not keep the process alive.
    runtime.shutdown_timeout(std::time::Duration::from_millis(500));
    match outcome {
        Ok(code) => code,
        Err(failure) => failure.report(&globals),
    }
}
