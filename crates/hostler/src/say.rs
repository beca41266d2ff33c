//! Talking to a person: chatter goes to stderr, so that stdout stays clean for pipes.

use std::io::{IsTerminal as _, Write as _};

use crate::{
    cli::Globals,
    fail::{Failure, Result},
};

/// Whether colours are wanted on stderr.
pub(crate) fn is_colourful() -> bool {
    anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never
}

/// A line for the person, not for the pipe. Silent with `-q`.
pub(crate) fn note(globals: &Globals, text: impl std::fmt::Display) {
    if !globals.quiet {
        anstream::eprintln!("{text}");
    }
}

/// A line with a check mark.
pub(crate) fn done(globals: &Globals, text: impl std::fmt::Display) {
    let style = anstyle::AnsiColor::Green.on_default();
    note(globals, format!("{style}✓{style:#} {text}"));
}

/// Whether a person can be asked.
pub(crate) fn can_ask(globals: &Globals) -> bool {
    !globals.no_input && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks before something with consequences. Without a terminal the answer must be `--yes`.
pub(crate) fn confirm(globals: &Globals, question: &str) -> Result<()> {
    if globals.yes {
        return Ok(());
    }
    if !can_ask(globals) {
        return Err(Failure::new(proto::Code::ConfirmationNeeded, format!("{question}: needs a yes")).hint("add --yes"));
    }
    eprint!("{question}? [y/N] ");
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    let _ = std::io::stdin().read_line(&mut answer);
    if matches!(answer.trim(), "y" | "Y" | "yes") { Ok(()) } else { Err(Failure::usage("nothing was changed")) }
}

/// Asks for the name of what is about to be gone. Without a terminal it must be given with `--confirm`.
pub(crate) fn confirm_name(globals: &Globals, what: &str, name: &str, given: Option<&str>) -> Result<()> {
    let typed = match given {
        Some(given) => given.to_owned(),
        None if can_ask(globals) => {
            eprint!("{what} cannot be undone. Type its name to go on: ");
            let _ = std::io::stderr().flush();
            let mut answer = String::new();
            let _ = std::io::stdin().read_line(&mut answer);
            answer.trim().to_owned()
        }
        None => {
            let hint = format!("add --confirm {name}");
            return Err(Failure::new(proto::Code::ConfirmationNeeded, format!("{what} cannot be undone")).hint(hint));
        }
    };
    if typed == name {
        Ok(())
    } else {
        Err(Failure::new(proto::Code::ConfirmationNeeded, format!("`{typed}` is not `{name}`; nothing was changed")))
    }
}
