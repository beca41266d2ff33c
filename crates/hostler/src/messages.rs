//! Messages and prompts. They go to stderr, so that stdout carries only results.

use std::io::IsTerminal as _;

use crate::{
    fail::{Failure, Result},
    globals::Globals,
    output::terminal,
    times::with_local_times,
};

/// Whether colours are wanted on stderr.
pub(crate) fn is_colourful() -> bool {
    anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never
}

/// Prints a message on stderr, unless `-q` is set.
pub(crate) fn note(globals: &Globals, text: impl std::fmt::Display) {
    if !globals.quiet {
        terminal::error_line(&with_local_times(&text.to_string()));
    }
}

/// Prints a success message with a check mark.
pub(crate) fn done(globals: &Globals, text: impl std::fmt::Display) {
    let style = anstyle::AnsiColor::Green.on_default();
    note(globals, format!("{style}✓{style:#} {text}"));
}

/// Whether the command can prompt: stdin and stderr are terminals and `--no-input` is not set.
pub(crate) fn can_ask(globals: &Globals) -> bool {
    !globals.no_input && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Prompts for a confirmation. `--yes` answers it; without a terminal and without `--yes` the command fails.
pub(crate) fn confirm(globals: &Globals, question: &str) -> Result<()> {
    if globals.yes {
        return Ok(());
    }
    if !can_ask(globals) {
        let detail = format!("this needs a confirmation: {question}?");
        return Err(Failure::new(proto::Code::ConfirmationNeeded, detail).hint("add --yes to confirm"));
    }
    terminal::prompt(&format!("{question}? [y/N] "));
    let mut answer = String::new();
    let _ = std::io::stdin().read_line(&mut answer);
    if matches!(answer.trim(), "y" | "Y" | "yes") {
        Ok(())
    } else {
        Err(Failure::new(proto::Code::ConfirmationNeeded, "not confirmed; nothing was changed"))
    }
}

/// Prompts for the name of the resource to remove. Without a terminal `--confirm NAME` must be set.
pub(crate) fn confirm_name(globals: &Globals, action: &str, name: &str, confirmed: Option<&str>) -> Result<()> {
    let typed = match confirmed {
        Some(confirmed) => confirmed.to_owned(),
        None if can_ask(globals) => {
            terminal::prompt(&format!("{action} cannot be undone. Type {name} to confirm: "));
            let mut answer = String::new();
            let _ = std::io::stdin().read_line(&mut answer);
            answer.trim().to_owned()
        }
        None => {
            let hint = format!("add --confirm {name} to confirm");
            let detail = format!("{} cannot be undone", lower_case_first(action));
            return Err(Failure::new(proto::Code::ConfirmationNeeded, detail).hint(hint));
        }
    };
    if typed == name {
        Ok(())
    } else {
        let detail = format!("`{typed}` does not match `{name}`; nothing was changed");
        Err(Failure::new(proto::Code::ConfirmationNeeded, detail))
    }
}

/// A prompt's sentence as the detail of an error, which begins in lower case.
fn lower_case_first(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
