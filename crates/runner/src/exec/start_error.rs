//! Messages for programs that could not be started.

use std::io;

use shim::Step;

/// The message for a failed step of a start.
#[must_use]
pub fn start_error(step: Step, errno: i32) -> String {
    let error = io::Error::from_raw_os_error(errno);
    match (step, error.kind()) {
        (Step::Program, io::ErrorKind::NotFound) => {
            "cannot run the program: the file or its interpreter does not exist".into()
        }
        (Step::Program, io::ErrorKind::PermissionDenied) => {
            "cannot run the program: the file is not executable; try `chmod +x`".into()
        }
        (Step::Program, _) => format!("cannot run the program: {error}"),
        (Step::Folder, _) => format!("cannot enter the working directory: {error}"),
        (Step::User, _) => format!("cannot switch to the configured user: {error}"),
        (Step::Setup, _) => format!("cannot set up the run: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_errors_name_the_step_and_the_cause() {
        for (step, errno, says) in [
            (Step::Program, 2, "does not exist"),
            (Step::Program, 13, "try `chmod +x`"),
            (Step::Program, 8, "cannot run the program: Exec format error"),
            (Step::Folder, 2, "cannot enter the working directory: No such file"),
            (Step::User, 1, "cannot switch to the configured user: Operation not permitted"),
            (Step::Setup, 28, "cannot set up the run: No space left"),
        ] {
            let said = start_error(step, errno);
            assert!(said.contains(says), "{said}");
        }
    }
}
