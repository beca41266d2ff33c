//! The error type of the runner: a stable code, a message and a hint.

use proto::{Code, Problem};

/// An error of the runner.
#[derive(Debug, thiserror::Error)]
#[error("{}", problem.detail)]
pub struct Error {
    pub problem: Box<Problem>,
    #[source]
    pub source: Option<anyhow::Error>,
}

/// A result of the runner.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error with this code and message.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { problem: Box::new(Problem::new(code, detail)), source: None }
    }

    /// Adds a hint on how to solve it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.problem.hint = Some(hint.into());
        self
    }

    /// Adds the underlying error.
    #[must_use]
    pub fn because(mut self, source: impl Into<anyhow::Error>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The stable code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.problem.code
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self { problem: Box::new(problem), source: None }
    }
}
