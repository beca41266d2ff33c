//! Completion for shells.

use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_complete::{Shell, generate};

use crate::cli::Cli;

/// Completion for a shell
///
/// Examples:
///   hostler completion bash > /etc/bash_completion.d/hostler
///   hostler completion zsh > ~/.zfunc/_hostler
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct CompletionArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn completion(args: &CompletionArgs) -> ExitCode {
    generate(args.shell, &mut Cli::command(), "hostler", &mut std::io::stdout());
    ExitCode::SUCCESS
}
