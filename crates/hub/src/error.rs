//! The hub's error: a problem for the caller, and a cause for the log.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::Span;
use proto::{Code, Problem};

/// An error of the hub. The only type here that becomes an HTTP response.
#[derive(Debug)]
pub struct Error {
    /// What the caller is told.
    pub problem: Box<Problem>,
    /// What only the log is told.
    pub cause: Option<anyhow::Error>,
}

/// A result of the hub.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error with this code and sentence.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { problem: Box::new(Problem::new(code, detail)), cause: None }
    }

    /// The same with a way out.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.problem.hint = Some(hint.into());
        self
    }

    /// The same with a time to wait.
    #[must_use]
    pub fn retry_after(mut self, span: Span) -> Self {
        self.problem.retry_after_ms = Some(span.as_millis());
        self
    }

    /// The same with all that is wrong, each with its JSON pointer.
    #[must_use]
    pub fn faults(mut self, faults: impl IntoIterator<Item = domain::schema::Violation>) -> Self {
        self.problem.errors = faults.into_iter().map(proto::error::Fault::from).collect();
        self
    }

    /// There is no such thing here. The same answer for what does not exist and for another org's.
    pub fn not_found(kind: &str, name: impl std::fmt::Display) -> Self {
        Self::new(Code::NotFound, format!("there is no {kind} `{name}` here"))
    }

    /// A value that is not allowed.
    pub fn invalid(detail: impl std::fmt::Display) -> Self {
        Self::new(Code::InvalidValue, detail.to_string())
    }

    /// Something inside went wrong; the cause goes to the log, not to the caller.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        let mut error =
            Self::new(Code::Internal, "the hub could not do this").hint("look in the hub's log for the request id");
        error.cause = Some(cause.into());
        error
    }

    /// The stable code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.problem.code
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.problem.detail)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(AsRef::as_ref)
    }
}

impl Error {
    /// Whether another transaction was in the way: the same again can do.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self.of_store(), Some(store::Error::Busy(_)))
    }

    /// Whether what ended with this may have been committed all the same.
    pub(crate) fn is_unsure(&self) -> bool {
        self.of_store().is_some_and(store::Error::is_unsure)
    }

    /// Whether it must be done again with locks. Nothing was written.
    pub(crate) fn is_stale_view(&self) -> bool {
        matches!(self.of_store(), Some(store::Error::StaleView))
    }

    fn of_store(&self) -> Option<&store::Error> {
        self.cause.as_ref().and_then(|cause| cause.downcast_ref())
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        use store::Error as Store;
        let mut answer = match &error {
            Store::UniqueViolation(name) => Self::new(Code::NameTaken, format!("somebody was there first ({name})")),
            Store::Dangling => Self::new(Code::NotFound, "what this refers to is gone"),
            Store::Busy(_) => Self::new(Code::DatabaseDown, "the database is too busy").hint("try again in a moment"),
            Store::Down(_) | Store::Closed => Self::new(Code::DatabaseDown, "the database does not answer")
                .hint("try again; `hostler doctor` on the hub says more"),
            Store::Full(_) => Self::new(Code::DiskFull, "the disk of the database is full")
                .hint("free some space on the database's machine"),
            _ => return Self::internal(error),
        };
        answer.cause = Some(error.into());
        answer
    }
}

impl From<domain::label::LabelRefused> for Error {
    fn from(refused: domain::label::LabelRefused) -> Self {
        Self::invalid(refused)
    }
}

impl From<domain::name::NameRefused> for Error {
    fn from(refused: domain::name::NameRefused) -> Self {
        Self::invalid(refused)
    }
}

impl From<domain::org::SettingRefused> for Error {
    fn from(refused: domain::org::SettingRefused) -> Self {
        Self::invalid(refused)
    }
}

impl From<domain::role::RoleRefused> for Error {
    fn from(refused: domain::role::RoleRefused) -> Self {
        use domain::role::RoleRefused;
        let code = match refused {
            RoleRefused::AboveOwn => Code::Forbidden,
            RoleRefused::LastAdmin => Code::LastAdmin,
            RoleRefused::NotAMemberRole => Code::InvalidValue,
        };
        Self::new(code, refused.to_string())
    }
}

/// Marks a response with its problem, so that the outermost layer can log it once and add the request id.
#[derive(Clone)]
pub(crate) struct LoggedProblem {
    pub(crate) problem: Problem,
    pub(crate) cause: Option<String>,
    /// Whether it may have been done all the same.
    pub(crate) is_unsure: bool,
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let is_unsure = self.is_unsure();
        let cause = self.cause.map(|cause| format!("{cause:#}"));
        let failed = LoggedProblem { problem: *self.problem, cause, is_unsure };
        let mut response = body(&failed.problem);
        response.extensions_mut().insert(failed);
        response
    }
}

/// The response for a problem.
pub(crate) fn body(problem: &Problem) -> Response {
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let json = serde_json::to_vec(problem).unwrap_or_default();
    let mut response = (status, [(header::CONTENT_TYPE, "application/problem+json")], json).into_response();
    if let Some(ms) = problem.retry_after_ms {
        let secs = ((ms + 999) / 1_000).max(1);
        if let Ok(value) = HeaderValue::from_str(&secs.to_string()) {
            response.headers_mut().insert(header::RETRY_AFTER, value);
        }
    }
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}
