//! What can go wrong for a runner, with a code and a way out.

use proto::{Code, Problem};

/// An error of the runner.
#[derive(Debug, thiserror::Error)]
#[error("{}", problem.detail)]
pub struct Error {
    /// What people and programs are told.
    pub problem: Box<Problem>,
    /// Why.
    #[source]
    pub source: Option<anyhow::Error>,
}

/// A result of the runner.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error with this code and sentence.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { problem: Box::new(Problem::new(code, detail)), source: None }
    }

    /// The same with a way out.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.problem.hint = Some(hint.into());
        self
    }

    /// The same with its cause.
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
