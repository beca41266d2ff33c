//! Errors as people and programs see them: a stable code, one page each, a sentence with a way out.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Declares the codes. Each names its page at compile time: a code without a page does not build.
macro_rules! codes {
    ($($variant:ident = $text:literal, $status:literal, $exit:literal, $title:literal;)+) => {
        domain::string_enum! {
            /// A stable error code.
            pub enum Code { $(#[doc = $title] $variant = $text),+ }
        }

        impl Code {
            /// The HTTP status that goes with it.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status),+ }
            }

            /// The exit status of a command that ends with it.
            #[must_use]
            pub const fn exit(self) -> u8 {
                match self { $(Self::$variant => $exit),+ }
            }

            /// What happened, in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title),+ }
            }

            /// The page that explains it: what, why, what to do.
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
    UnknownRoute = "unknown_route", 404, 2, "there is no such route";
    MethodNotAllowed = "method_not_allowed", 405, 2, "the route does not take this method";
    RateLimited = "rate_limited", 429, 1, "too many requests";
    RequestTimeout = "request_timeout", 504, 1, "the request took too long";
    CrossSite = "cross_site", 403, 5, "the request came from another site";
    Unauthenticated = "unauthenticated", 401, 4, "nobody is signed in";
    TokenInvalid = "token_invalid", 401, 4, "the token is not known";
    TokenExpired = "token_expired", 401, 4, "the token has expired";
    TokenRevoked = "token_revoked", 401, 4, "the token was revoked";
    SessionEnded = "session_ended", 401, 4, "the session has ended";
    LoginFailed = "login_failed", 401, 4, "the sign-in failed";
    LoginThrottled = "login_throttled", 429, 4, "too many failed tries";
    LinkInvalid = "link_invalid", 410, 4, "the link is used up or too old";
    DevicePending = "device_pending", 428, 4, "the login waits for a person";
    DeviceEnded = "device_ended", 410, 4, "the login was refused or took too long";
    Forbidden = "forbidden", 403, 5, "the role does not allow this";
    NotFound = "not_found", 404, 6, "there is no such thing here";
    NameTaken = "name_taken", 409, 7, "the name is taken";
    LastAdmin = "last_admin", 409, 7, "the last one must stay";
    ConfirmationNeeded = "confirmation_needed", 409, 2, "this must be confirmed";
    JoinTokenInvalid = "join_token_invalid", 401, 4, "the join token is not known";
    JoinTokenExpired = "join_token_expired", 410, 4, "the join token has expired";
    JoinTokenUsed = "join_token_used", 410, 4, "the join token is used up";
    HubKeyMismatch = "hub_key_mismatch", 421, 4, "this is not the expected hub";
    HostRevoked = "host_revoked", 403, 5, "the host's keys were revoked";
    HostInUse = "host_in_use", 409, 7, "the host still has jobs";
    HostTakesNoServers = "host_takes_no_servers", 409, 7, "the host takes no servers";
    HostUnreachable = "host_unreachable", 409, 8, "the host does not answer";
    ServerInUse = "server_in_use", 409, 7, "the server runs, or jobs wait for it";
    ServerRefused = "server_refused", 409, 7, "the server did not take it";
    DuplicateHost = "duplicate_host", 409, 7, "another machine uses the same key";
    SessionSuperseded = "session_superseded", 409, 7, "a newer session took over";
    ClockSkew = "clock_skew", 409, 1, "the clocks disagree";
    VersionMismatch = "version_mismatch", 426, 9, "the versions do not fit";
    HubBusy = "hub_busy", 503, 8, "the hub is admitting others first";
    HubStopping = "hub_stopping", 503, 8, "the hub is stopping";
    HubUnreachable = "hub_unreachable", 503, 8, "the hub cannot be reached";
    DatabaseDown = "database_down", 503, 8, "the database does not answer";
    DatabaseNewer = "database_newer", 500, 9, "the database is newer than the program";
    DatabaseBusy = "database_busy", 500, 1, "another hub uses this database";
    DiskFull = "disk_full", 507, 1, "the disk is full";
    PortTaken = "port_taken", 500, 1, "the port is taken";
    FolderUnusable = "folder_unusable", 500, 1, "the data folder cannot be used";
    ConfigInvalid = "config_invalid", 500, 2, "the configuration is not right";
    AuditTampered = "audit_tampered", 500, 1, "the audit log was altered";
    NotJoined = "not_joined", 409, 2, "this machine has not joined a hub";
    AlreadyJoined = "already_joined", 409, 7, "this machine has already joined a hub";
    PayloadInvalid = "payload_invalid", 422, 2, "the payload does not fit its definition";
    DefinitionInvalid = "definition_invalid", 422, 2, "the definition is not right";
    DefinitionDisabled = "definition_disabled", 409, 7, "the definition is switched off";
    FilterInvalid = "filter_invalid", 422, 2, "the filter cannot be read";
    OffsetTooLarge = "offset_too_large", 422, 2, "the offset is too large";
    JobOver = "job_over", 409, 7, "the job is already over";
    JobNotOver = "job_not_over", 409, 7, "the job is not over yet";
    JobRunning = "job_running", 409, 7, "the job is running";
    KeyHeld = "key_held", 409, 7, "another holds the key";
    IdempotencyMismatch = "idempotency_mismatch", 409, 7, "the key was used for another request";
    RunStale = "run_stale", 409, 7, "the run is no longer yours";
    AlertOver = "alert_over", 409, 7, "the alert is over";
    SignatureInvalid = "signature_invalid", 401, 4, "the message is not believed";
    ChangedMeanwhile = "changed_meanwhile", 409, 7, "somebody else changed it first";
    QueueFull = "queue_full", 429, 1, "the queue is full";
    SecretMissing = "secret_missing", 409, 7, "a secret is missing";
    SecretKeyWrong = "secret_key_wrong", 500, 1, "the key of the secrets does not fit";
    BackupDamaged = "backup_damaged", 422, 9, "the copy is not whole, or not of this version";
    OneMachine = "one_machine", 409, 7, "this hub is one machine's own";
    NotHome = "not_home", 409, 7, "this is kept at another hub";
    OwnerNotRunning = "owner_not_running", 503, 1, "nobody is there to change this database";
    Internal = "internal", 500, 1, "something went wrong inside";
}

/// An error body as in RFC 9457.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// The page that explains the code, relative to the hub.
    #[serde(rename = "type")]
    pub kind: String,
    /// What happened, in a few words; the same for every error of this code.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// The stable code, as in `not_found`.
    #[schema(value_type = String)]
    pub code: Code,
    /// What happened here, in a sentence.
    pub detail: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Names the request in the hub's log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// When another try makes sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<i64>,
    /// What exactly is wrong, each with a JSON pointer into what was sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Fault>,
}

/// One thing that is wrong in what was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fault {
    /// Where, as a JSON pointer; empty for the whole.
    pub pointer: String,
    /// What.
    pub detail: String,
}

impl From<domain::schema::Violation> for Fault {
    fn from(violation: domain::schema::Violation) -> Self {
        Self { pointer: violation.pointer, detail: violation.detail }
    }
}

impl Problem {
    /// The body for this code.
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
