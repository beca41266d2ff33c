//! `hostler completion`: shell completion scripts.

use std::process::ExitCode;

use clap::Args;
use clap_complete::{Shell, generate};

use crate::examples;

/// Print a shell completion script
#[derive(Args)]
pub(crate) struct CompletionArgs {
    /// Shell to print the script for
    shell: Shell,
}

pub(crate) fn completion(args: &CompletionArgs) -> ExitCode {
    generate(args.shell, &mut examples::command(), "hostler", &mut std::io::stdout());
    ExitCode::SUCCESS
}
