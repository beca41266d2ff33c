//! The hub's error type: a problem for the caller, and a cause for the log.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::Span;
use proto::{Code, Problem};

/// An error of the hub. The only type here that becomes an HTTP response.
#[derive(Debug)]
pub struct Error {
    /// Sent to the caller.
    pub problem: Box<Problem>,
    /// Written to the log only.
    pub cause: Option<anyhow::Error>,
}

/// Delay before a retry while the database accepts no writes: a failover takes seconds.
const READ_ONLY_RETRY: Span = Span::from_secs(5);

/// A result of the hub.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error with this code and detail. Details are written for terminals: no capital, no full stop, names in
    /// backticks. The web UI turns them into sentences.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { problem: Box::new(Problem::new(code, detail)), cause: None }
    }

    /// Adds what the caller can do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.problem.hint = Some(hint.into());
        self
    }

    /// Adds the time after which the caller should retry.
    #[must_use]
    pub fn retry_after(mut self, span: Span) -> Self {
        self.problem.retry_after_ms = Some(span.as_millis());
        self
    }

    /// Adds the invalid fields, each with its JSON pointer.
    #[must_use]
    pub fn faults(mut self, faults: impl IntoIterator<Item = domain::schema::Violation>) -> Self {
        self.problem.errors = faults.into_iter().map(proto::error::Fault::from).collect();
        self
    }

    /// The thing does not exist, or belongs to another org: both get the same answer, so that names of other orgs
    /// cannot be guessed.
    pub fn not_found(kind: &str, name: impl std::fmt::Display) -> Self {
        Self::new(Code::NotFound, format!("there is no {kind} `{name}`"))
    }

    /// Reports a violated unique constraint with the name that is taken; all other errors as usual.
    pub(crate) fn of_named(error: store::Error, kind: &str, name: &str) -> Self {
        match error {
            store::Error::UniqueViolation(_) => {
                Self::new(Code::NameTaken, format!("a {kind} named `{name}` already exists in this organization"))
            }
            other => other.into(),
        }
    }

    /// An invalid value.
    pub fn invalid(detail: impl std::fmt::Display) -> Self {
        Self::new(Code::InvalidValue, detail.to_string())
    }

    /// An unexpected failure. The cause is logged and not sent to the caller.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        let mut error = Self::new(Code::Internal, "internal error").hint("search the hub's log for the request id");
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
    /// Whether another transaction was in the way, so that a retry can succeed.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self.of_store(), Some(store::Error::Busy(_)))
    }

    /// Whether the write may have been committed although it failed.
    pub(crate) fn is_commit_unknown(&self) -> bool {
        self.of_store().is_some_and(store::Error::is_commit_unknown)
    }

    /// Whether a row with the same key exists already.
    pub(crate) fn is_unique_violation(&self) -> bool {
        matches!(self.of_store(), Some(store::Error::UniqueViolation(_)))
    }

    /// The request may have taken effect.
    pub(crate) fn outcome_unknown(detail: &str) -> Self {
        Self::new(Code::OutcomeUnknown, detail).hint(
            "repeat a POST request that had an Idempotency-Key with the same key; otherwise check whether it took effect",
        )
    }

    /// The error of a request that failed after it took effect: as a 5xx, it would mean that nothing was done.
    #[must_use]
    pub(crate) fn after_effect(self) -> Self {
        if self.code().status() < 500 {
            return self;
        }
        let cause = self.cause.unwrap_or_else(|| anyhow::Error::msg(self.problem.detail));
        Self {
            cause: Some(cause),
            ..Self::outcome_unknown("the request took effect, at least in part, before it failed")
        }
    }

    /// The database accepts no writes.
    pub(crate) fn read_only() -> Self {
        Self::new(Code::DatabaseReadOnly, "the database accepts no writes")
            .hint("nothing was changed; try again once the database's failover has ended")
            .retry_after(READ_ONLY_RETRY)
    }

    fn of_store(&self) -> Option<&store::Error> {
        self.cause.as_ref().and_then(|cause| cause.downcast_ref())
    }
}

/// Detail for a violated unique constraint. It cannot contain the value; callers that know it use [`Error::of_named`].
/// `None` for a constraint on anything but a name.
fn taken(constraint: &str) -> Option<&'static str> {
    Some(match constraint {
        "server_org_id_name_uq" => "a server with this name already exists in this organization",
        "host_org_id_name_uq" => "a host with this name already exists in this organization",
        "channel_org_id_name_uq" => "a channel with this name already exists in this organization",
        "hook_org_id_name_uq" => "a webhook with this name already exists in this organization",
        "org_slug_uq" => "an organization with this slug already exists",
        "user_email_uq" => "a user with this email address already exists",
        "definition_key_uq" => "a definition with this key already exists",
        "host_key_public_key_uq" => "this key already belongs to a host",
        _ => return None,
    })
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        use store::Error as Store;
        let mut answer = match &error {
            Store::UniqueViolation(constraint) => match taken(constraint) {
                Some(detail) => Self::new(Code::NameTaken, detail),
                None => Self::new(Code::NameTaken, "another request created the same object at the same time")
                    .hint("reload, then try again"),
            },
            Store::Dangling => {
                Self::new(Code::NotFound, "an object that this request refers to was removed in the meantime")
                    .hint("reload, then repeat the request")
            }
            Store::Busy(_) => Self::new(Code::DatabaseDown, "the database is busy").hint("try again in a moment"),
            Store::Down(_) | Store::Closed => Self::new(Code::DatabaseDown, "the database is unavailable")
                .hint("try again; `hostler doctor` on the hub's machine shows details"),
            Store::CommitUnknown(_) => {
                Self::outcome_unknown("the database failed while the request was being committed")
            }
            Store::ReadOnly(_) => Self::read_only(),
            Store::Full(_) => Self::new(Code::DiskFull, "the database's disk is full")
                .hint("free disk space on the database's machine"),
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

/// Attached to a response, so that the outermost middleware logs the problem once and adds the request id.
#[derive(Clone)]
pub(crate) struct LoggedProblem {
    pub(crate) problem: Problem,
    pub(crate) cause: Option<String>,
    /// Whether the write may have been committed although it failed.
    pub(crate) is_commit_unknown: bool,
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let is_commit_unknown = self.is_commit_unknown();
        let cause = self.cause.map(|cause| format!("{cause:#}"));
        let failed = LoggedProblem { problem: *self.problem, cause, is_commit_unknown };
        let mut response = body(&failed.problem);
        response.extensions_mut().insert(failed);
        response
    }
}

/// Builds the response for a problem.
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
