//! Development tasks: `cargo xtask gen` writes the generated files; the tests check the rules of the project.

mod generated;
#[cfg(test)]
mod licences;
mod queue_size;
mod states;
#[cfg(test)]
mod tidy;

use std::{path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("gen") => {
            for (path, text) in generated::files() {
                if let Err(error) = std::fs::write(root().join(path), text) {
                    eprintln!("cannot write {path}: {error}");
                    return ExitCode::FAILURE;
                }
            }
            ExitCode::SUCCESS
        }
        Some("queue-size") => {
            queue_size::print(&std::env::args().nth(2).map_or_else(root, PathBuf::from));
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: cargo xtask gen | queue-size [DIR]");
            ExitCode::from(2)
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
