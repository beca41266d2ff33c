//! Completion for shells.

use std::process::ExitCode;

use clap::Args;
use clap_complete::{Shell, generate};

use crate::examples;

/// Completion for a shell
#[derive(Args)]
pub(crate) struct CompletionArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn completion(args: &CompletionArgs) -> ExitCode {
    generate(args.shell, &mut examples::command(), "hostler", &mut std::io::stdout());
    ExitCode::SUCCESS
}
