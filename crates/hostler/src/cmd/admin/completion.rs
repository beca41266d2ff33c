//! `hostler completion`: shell completion scripts.

use std::process::ExitCode;

use clap::Args;
use clap_complete::{Shell, generate};

use crate::tree;

/// Print a shell completion script
#[derive(Args)]
pub(crate) struct CompletionArgs {
    /// Shell to print the script for
    shell: Shell,
}

pub(crate) fn completion(args: &CompletionArgs, root: clap::Command) -> ExitCode {
    generate(args.shell, &mut tree::with_all_options(root), "hostler", &mut std::io::stdout());
    ExitCode::SUCCESS
}
