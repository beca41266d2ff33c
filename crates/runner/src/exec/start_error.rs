//! Why a program did not begin, for people.

use std::io;

use shim::Step;

/// What was tried, and what the system said to it.
#[must_use]
pub fn start_error(step: Step, errno: i32) -> String {
    let error = io::Error::from_raw_os_error(errno);
    match (step, error.kind()) {
        (Step::Program, io::ErrorKind::NotFound) => {
            "the program cannot be run: there is no such file, or what it is run by is missing".into()
        }
        (Step::Program, io::ErrorKind::PermissionDenied) => {
            "the program cannot be run: the file may not be executed; try `chmod +x`".into()
        }
        (Step::Program, _) => format!("the program cannot be run: {error}"),
        (Step::Folder, _) => format!("its folder cannot be entered: {error}"),
        (Step::User, _) => format!("the runner cannot become its user: {error}"),
        (Step::Setup, _) => format!("the run's files cannot be made: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_reasons_have_a_way_out() {
        for (step, errno, says) in [
            (Step::Program, 2, "there is no such file"),
            (Step::Program, 13, "try `chmod +x`"),
            (Step::Program, 8, "the program cannot be run: Exec format error"),
            (Step::Folder, 2, "its folder cannot be entered: No such file"),
            (Step::User, 1, "cannot become its user: Operation not permitted"),
            (Step::Setup, 28, "files cannot be made: No space left"),
        ] {
            let said = start_error(step, errno);
            assert!(said.contains(says), "{said}");
        }
    }
}
