//! Failures of commands: a sentence, a hint, a stable error code and an exit status.

use std::process::ExitCode;

use proto::{Code, Problem};

use crate::{
    globals::{Format, Globals},
    terminal,
    times::with_local_times,
};

/// A command that failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) problem: Box<Problem>,
    /// Overrides the exit status of the error code.
    exit: Option<u8>,
    cause: Option<String>,
}

/// The result of a command.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Exit status of a `--dry-run` that found something to change.
pub(crate) const CHANGES_PENDING: u8 = 20;
/// Exit status of a command that failed for some of several items.
pub(crate) const PARTIAL: u8 = 3;
/// Exit status after Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

impl Failure {
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { problem: Box::new(Problem::new(code, detail)), exit: None, cause: None }
    }

    /// A usage error: exit status 2.
    pub(crate) fn usage(detail: impl Into<String>) -> Self {
        Self::new(Code::InvalidValue, detail)
    }

    /// The user pressed Ctrl-C while the command waited: exit status 130. Only the detail is printed, because no error
    /// code describes this.
    pub(crate) fn interrupted(detail: impl Into<String>) -> Self {
        Self { exit: Some(INTERRUPTED), ..Self::new(Code::RequestTimeout, detail) }
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.problem.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub(crate) fn because(mut self, cause: &dyn std::error::Error) -> Self {
        let mut chain = vec![cause.to_string()];
        let mut source = cause.source();
        while let Some(error) = source {
            chain.push(error.to_string());
            source = error.source();
        }
        self.cause = Some(chain.join(": "));
        self
    }

    /// Prints the failure on stderr, as text or, with `-o json`, as a problem document.
    pub(crate) fn report(&self, globals: &Globals) -> ExitCode {
        let problem = &self.problem;
        if self.exit == Some(INTERRUPTED) {
            terminal::error_line(&problem.detail);
            return ExitCode::from(INTERRUPTED);
        }
        if matches!(globals.output, Some(Format::Json | Format::Jsonl)) {
            terminal::error_json_line(&serde_json::to_string(problem).unwrap_or_default());
        } else {
            let style = anstyle::AnsiColor::Red.on_default().bold();
            terminal::error_line(&format!("{style}error:{style:#} {}", with_local_times(&problem.detail)));
            if let Some(cause) = self.cause.as_ref().filter(|cause| !problem.detail.contains(cause.as_str())) {
                terminal::error_line(&format!("  cause: {cause}"));
            }
            if let Some(hint) = &problem.hint {
                terminal::error_line(&format!("  {hint}"));
            }
            let request = problem.request_id.as_ref().map(|id| format!(", request {id}")).unwrap_or_default();
            terminal::error_line(&format!("  ({}{request}; hostler help {})", problem.code, problem.code));
        }
        ExitCode::from(self.exit.unwrap_or_else(|| problem.code.exit()))
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self { problem: Box::new(problem), exit: None, cause: None }
    }
}

impl From<runner::Error> for Failure {
    fn from(error: runner::Error) -> Self {
        let cause = error.source.as_ref().map(|source| format!("{source:#}"));
        Self { problem: error.problem, exit: None, cause }
    }
}

impl From<hub::Error> for Failure {
    fn from(error: hub::Error) -> Self {
        Self { problem: error.problem, exit: None, cause: error.cause.map(|cause| format!("{cause:#}")) }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        use store::Error as Store;
        let detail = error.to_string();
        let failure = match &error {
            Store::Newer { .. } => Self::new(Code::DatabaseNewer, detail)
                .hint("run the newer hostler, or restore a backup made before the upgrade"),
            Store::InUse { .. } => Self::new(Code::DatabaseBusy, detail)
                .hint("stop the other process, use another --home, or use PostgreSQL to run several hubs"),
            Store::Folder { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
                Self::new(Code::DiskFull, detail).hint("free space on the disk of the data folder")
            }
            Store::Folder { .. } => Self::new(Code::FolderUnusable, detail)
                .hint("check the owner of the folder, or choose another one with --home"),
            Store::Full(_) => Self::new(Code::DiskFull, detail).hint("free space on the disk of the database"),
            Store::Address(_) => Self::new(Code::ConfigInvalid, detail)
                .hint("set HOSTLER_DATABASE_URL, for example to postgres://user@host/db"),
            Store::UniqueViolation(_) => {
                Self::new(Code::NameTaken, "the database already contains a row with the same key")
            }
            Store::Down(_) | Store::Busy(_) => Self::new(Code::DatabaseDown, detail)
                .hint("check that the database is running and that its address is correct"),
            _ => Self::new(Code::Internal, detail),
        };
        failure.because(&error)
    }
}
