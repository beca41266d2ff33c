//! Messages for programs that could not be started.

use std::io;

use shim::Step;

use super::Order;

/// The message for a failed step of a start. Without the order it names neither program nor folder nor user.
#[must_use]
pub fn start_error(step: Step, errno: i32, order: Option<&Order>) -> String {
    let error = io::Error::from_raw_os_error(errno);
    let program = order.map_or_else(|| "the program".into(), |order| order.program.to_string_lossy());
    let folder = order.map(|order| format!(" {}", order.folder.display())).unwrap_or_default();
    let user = order.and_then(|order| order.user).map(|user| format!(" {}", user.uid)).unwrap_or_default();
    match (step, error.kind()) {
        (Step::Program, io::ErrorKind::NotFound) => {
            format!("cannot run {program}: the file or its interpreter does not exist")
        }
        (Step::Program, io::ErrorKind::PermissionDenied) => {
            format!("cannot run {program}: the file is not executable; try `chmod +x`")
        }
        (Step::Program, _) => format!("cannot run {program}: {error}"),
        (Step::Folder, _) => format!("cannot enter the working directory{folder}: {error}"),
        (Step::User, _) => format!("cannot switch to the user{user}: {error}"),
        (Step::Isolation, _) => {
            format!("cannot hide Hostler's data folder from the program: {error}; see `hostler doctor`")
        }
        (Step::Setup, _) => format!("cannot set up the run: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, path::PathBuf};

    use domain::Span;
    use shim::{Caps, Limits, User};

    use super::*;

    fn order() -> Order {
        Order {
            run_id: "run".to_owned(),
            program: "pg_dump".into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            folder: PathBuf::from("/srv/db"),
            user: Some(User { uid: 70, gid: 70 }),
            timeout: None,
            grace: Span::ZERO,
            caps: Caps { head_bytes: 0, tail_bytes: 0 },
            is_merged: false,
            has_stdin: false,
            limits: Limits { memory_bytes: None, cpu_percent: None, processes: None },
            fence: None,
            isolation: shim::Isolation::default(),
        }
    }

    #[test]
    fn start_errors_name_the_step_and_the_cause() {
        for (step, errno, expected) in [
            (Step::Program, 2, "cannot run pg_dump: the file or its interpreter does not exist"),
            (Step::Program, 13, "try `chmod +x`"),
            (Step::Program, 8, "cannot run pg_dump: Exec format error"),
            (Step::Folder, 2, "cannot enter the working directory /srv/db: No such file"),
            (Step::User, 1, "cannot switch to the user 70: Operation not permitted"),
            (Step::Isolation, 28, "data folder from the program: No space left"),
            (Step::Setup, 28, "cannot set up the run: No space left"),
        ] {
            let text = start_error(step, errno, Some(&order()));
            assert!(text.contains(expected), "{text}");
        }
    }
}
