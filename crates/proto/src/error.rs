//! Errors: a stable code with a documentation page, a sentence and a hint.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Declares the error codes. Each includes its page at compile time, so a code without a page does not build.
macro_rules! codes {
    ($($variant:ident = $text:literal, $status:literal, $exit:literal, $title:literal;)+) => {
        domain::string_enum! {
            /// A stable error code.
            pub enum Code { $(#[doc = $title] $variant = $text),+ }
        }

        impl Code {
            /// The HTTP status.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status),+ }
            }

            /// The exit status of a command that fails with it.
            #[must_use]
            pub const fn exit(self) -> u8 {
                match self { $(Self::$variant => $exit),+ }
            }

            /// A short description, the same for every error of this code.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title),+ }
            }

            /// The documentation page: what happened, why, and what to do.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("../../../docs/errors/", $text, ".md"))),+ }
            }
        }
    };
}

codes! {
    MalformedRequest = "malformed_request", 400, 2, "the request cannot be read";
    InvalidValue = "invalid_value", 422, 2, "a value is not allowed";
    BodyTooLarge = "body_too_large", 413, 2, "the body is too large";
    UnknownRoute = "unknown_route", 404, 2, "the route does not exist";
    MethodNotAllowed = "method_not_allowed", 405, 2, "the route does not support this method";
    RateLimited = "rate_limited", 429, 1, "too many requests";
    RequestTimeout = "request_timeout", 504, 1, "the request took too long";
    CrossSite = "cross_site", 403, 5, "the request came from another site";
    NameNotServed = "name_not_served", 421, 2, "the hub does not answer under this name";
    TooManyConnections = "too_many_connections", 429, 1, "too many open connections";
    Unauthenticated = "unauthenticated", 401, 4, "you are not signed in";
    TokenInvalid = "token_invalid", 401, 4, "the token is invalid";
    TokenExpired = "token_expired", 401, 4, "the token has expired";
    TokenRevoked = "token_revoked", 401, 4, "the token was revoked";
    SessionEnded = "session_ended", 401, 4, "the session has ended";
    LoginFailed = "login_failed", 401, 4, "the sign-in failed";
    LoginThrottled = "login_throttled", 429, 4, "too many failed attempts";
    LinkInvalid = "link_invalid", 410, 4, "the link was used or has expired";
    DevicePending = "device_pending", 428, 4, "the login is not confirmed yet";
    DeviceEnded = "device_ended", 410, 4, "the login was rejected or has expired";
    Forbidden = "forbidden", 403, 5, "the role does not allow this";
    NotEncrypted = "not_encrypted", 403, 5, "the connection is not encrypted";
    NotFound = "not_found", 404, 6, "the object does not exist";
    NameTaken = "name_taken", 409, 7, "the name is taken";
    EmailUnverified = "email_unverified", 409, 7, "the e-mail address is not confirmed";
    LastAdmin = "last_admin", 409, 7, "the last admin or org cannot be removed";
    ConfirmationNeeded = "confirmation_needed", 409, 2, "a confirmation is required";
    JoinTokenInvalid = "join_token_invalid", 401, 4, "the join token is invalid";
    JoinTokenExpired = "join_token_expired", 410, 4, "the join token has expired";
    JoinTokenUsed = "join_token_used", 410, 4, "the join token is used up";
    HubKeyMismatch = "hub_key_mismatch", 421, 4, "this is not the expected hub";
    HostRevoked = "host_revoked", 403, 5, "the host's keys were revoked";
    HostInUse = "host_in_use", 409, 7, "the host still has jobs or servers";
    HostTakesNoServers = "host_takes_no_servers", 409, 7, "the host accepts no servers from this hub";
    HostUnreachable = "host_unreachable", 409, 8, "the host does not answer";
    ServerInUse = "server_in_use", 409, 7, "the server is running or has waiting jobs";
    ServerRefused = "server_refused", 409, 7, "the server rejected the request";
    DuplicateHost = "duplicate_host", 409, 7, "another machine uses the same key";
    SessionSuperseded = "session_superseded", 409, 7, "a newer session has replaced this one";
    ClockSkew = "clock_skew", 409, 1, "the clocks differ too much";
    VersionMismatch = "version_mismatch", 426, 9, "the versions are incompatible";
    HubBusy = "hub_busy", 503, 8, "the hub is busy admitting other runners";
    HubStopping = "hub_stopping", 503, 8, "the hub is stopping";
    HubUnreachable = "hub_unreachable", 503, 8, "the hub cannot be reached";
    DatabaseDown = "database_down", 503, 8, "the database does not answer";
    DatabaseReadOnly = "database_read_only", 503, 8, "the database accepts no writes";
    OutcomeUnknown = "outcome_unknown", 503, 8, "the request may have taken effect";
    DatabaseNewer = "database_newer", 500, 9, "the database is newer than the program";
    DatabaseBusy = "database_busy", 500, 1, "another process uses this database";
    DiskFull = "disk_full", 507, 1, "the disk is full";
    PortTaken = "port_taken", 500, 1, "the port is taken";
    FolderUnusable = "folder_unusable", 500, 1, "the data folder cannot be used";
    ConfigInvalid = "config_invalid", 500, 2, "the configuration is invalid";
    AuditTampered = "audit_tampered", 500, 1, "the audit log was altered";
    NotJoined = "not_joined", 409, 2, "this machine has not joined a hub";
    AlreadyJoined = "already_joined", 409, 7, "this machine has already joined a hub";
    PayloadInvalid = "payload_invalid", 422, 2, "the payload does not match the definition's schema";
    DefinitionInvalid = "definition_invalid", 422, 2, "the definition is invalid";
    DefinitionDisabled = "definition_disabled", 409, 7, "the definition is disabled";
    FilterInvalid = "filter_invalid", 422, 2, "the filter cannot be read";
    OffsetTooLarge = "offset_too_large", 422, 2, "the offset is too large";
    JobOver = "job_over", 409, 7, "the job has already finished";
    JobNotOver = "job_not_over", 409, 7, "the job has not finished yet";
    JobRunning = "job_running", 409, 7, "the job is running";
    KeyHeld = "key_held", 409, 7, "the key is in use";
    IdempotencyMismatch = "idempotency_mismatch", 409, 7, "the key was used for another request";
    RunStale = "run_stale", 409, 7, "the worker no longer holds the run";
    AlertOver = "alert_over", 409, 7, "the alert is already resolved";
    SignatureInvalid = "signature_invalid", 401, 4, "the signature is invalid";
    ChangedMeanwhile = "changed_meanwhile", 409, 7, "another request changed the object";
    QueueFull = "queue_full", 429, 1, "the queue is full";
    SecretMissing = "secret_missing", 409, 7, "a secret is missing";
    SecretKeyWrong = "secret_key_wrong", 500, 1, "the encryption key does not match the stored secrets";
    BackupDamaged = "backup_damaged", 422, 9, "the backup is incomplete or has another version";
    OneMachine = "one_machine", 409, 7, "this hub runs in standalone mode";
    NotPrimary = "not_primary", 409, 7, "another hub is the primary hub";
    OwnerNotRunning = "owner_not_running", 503, 1, "the process that owns this database is not running";
    Internal = "internal", 500, 1, "internal error";
}

/// An error response as in RFC 9457.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// The documentation page of the code, relative to the hub.
    #[serde(rename = "type")]
    pub kind: String,
    /// A short description; the same for every error of this code.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// The stable code, as in `not_found`.
    #[schema(value_type = String)]
    pub code: Code,
    /// The description of this error, in one sentence.
    pub detail: String,
    /// A suggested action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The id of the request in the hub's log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The delay before a retry, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<i64>,
    /// The invalid fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Fault>,
}

/// An invalid field of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fault {
    /// A JSON pointer into the request; empty for the whole request.
    pub pointer: String,
    /// The problem.
    pub detail: String,
}

impl From<domain::schema::Violation> for Fault {
    fn from(violation: domain::schema::Violation) -> Self {
        Self { pointer: violation.pointer, detail: violation.detail }
    }
}

impl Problem {
    /// Creates an error response.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("/docs/errors/{code}"),
            title: code.title().to_owned(),
            status: code.status(),
            code,
            detail: detail.into(),
            hint: None,
            request_id: None,
            retry_after_ms: None,
            errors: Vec::new(),
        }
    }
}
