//! The messages about rows that runners and hubs exchange.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Budget, Mark, Place, SchemaRange, SyncPriority, Version, digest::Digest};
use crate::HostId;

/// A row in transit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row<B> {
    pub table: Cow<'static, str>,
    pub id: String,
    pub version: Version,
    /// The mark of the transaction that wrote this version.
    pub mark: Mark,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_deleted: bool,
    pub body: B,
}

/// The last and the oldest position that an origin can serve in one priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// The last change; sequence number 0 before the first.
    pub head: Place,
    /// Deletions below this sequence number may have been purged, so a cursor below it needs a full resend.
    pub floor: u64,
}

/// The position up to which a runner has applied a hub's replication log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// The epoch of the hub's log.
    pub hub: HubEpoch,
    /// The last applied entry.
    pub hseq: u64,
    /// The mark of the transaction that wrote that entry.
    pub mark: Mark,
    /// The hub's signature of its epoch. A hub removes invalid ones before it handles the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<EpochTicket>,
}

/// A hub's signature of the epoch of its log. A hub that was restored from a backup must start an epoch above all that its
/// hosts have seen; with the signature it believes only epochs that it has really had.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct EpochTicket(pub [u8; 64]);

impl std::fmt::Debug for EpochTicket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EpochTicket")
    }
}

impl Serialize for EpochTicket {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::base64::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for EpochTicket {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = super::base64::deserialize(deserializer)?;
        bytes.try_into().map(Self).map_err(|_| serde::de::Error::custom("a signature has 64 bytes"))
    }
}

/// The epoch of a hub's replication log: a wiped or restored hub starts a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubEpoch {
    /// Greater than the number of every epoch that its runners have seen.
    pub number: u32,
    /// Random: distinguishes two epochs that started with the same number.
    pub id: u64,
}

/// A position of another origin's history that a runner learned from a hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    pub origin: HostId,
    pub priority: SyncPriority,
    pub place: Place,
}

/// Messages from a runner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromOrigin<B> {
    /// Sent first, and again to confirm forwarded rows.
    CatchUp {
        schema: SchemaRange,
        /// The applied position of the hub's log.
        received: Option<Received>,
        /// Whether the runner has forwarded rows that the hub's current epoch has not confirmed yet.
        is_doubting: bool,
        /// Positions of other origins: a wiped hub learns from them which histories it had received.
        seen: Vec<Witness>,
    },
    /// Answers [`FromHub::Request`].
    #[serde(rename = "sync_response")]
    Response(Response<B>),
    /// Answers [`FromHub::Check`] with a checksum per table.
    #[serde(rename = "sync_sums")]
    Sums {
        /// The number of the check.
        req: u64,
        priority: SyncPriority,
        /// The last position of the priority.
        at: Place,
        /// One checksum for each table whose copy follows deletions.
        sums: Vec<TableSum>,
    },
    /// New rows exist: the hub should send a request.
    #[serde(rename = "sync_hint")]
    Hint { priority: SyncPriority },
}

/// The checksum of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSum {
    pub table: Cow<'static, str>,
    pub digest: Digest,
}

/// A page of an origin's rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response<B> {
    /// The number of the request.
    pub req: u64,
    pub priority: SyncPriority,
    pub epoch: u32,
    /// The page contains all changes after this sequence number …
    pub from: u64,
    /// … up to this position.
    pub upto: Place,
    /// The origin's last change, possibly after `upto`.
    pub head: Place,
    pub has_more: bool,
    /// Whether this page starts a full resend: rows that it does not contain were deleted.
    pub is_reset: bool,
    /// Deletions below this sequence number may have been purged.
    pub floor: u64,
    pub rows: Vec<Row<B>>,
}

/// Messages from a hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromHub<B> {
    /// Requests a page. The hub has stored everything up to `since`, so the request is also the confirmation.
    #[serde(rename = "sync_request")]
    Request(Request),
    /// Requests checksums: both sides should have the same rows; a difference triggers a full resend and is reported.
    #[serde(rename = "sync_check")]
    Check { req: u64, priority: SyncPriority },
    /// Rows of other origins.
    Forward(Forward<B>),
    /// Reports what the hub did not accept.
    #[serde(rename = "sync_error")]
    Error {
        /// The reason.
        error: SyncError,
        /// The rejected rows; the hub stored all others.
        rows: Vec<Rejected>,
    },
}

/// A request for a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub req: u64,
    pub priority: SyncPriority,
    /// The position up to which the hub has stored the rows.
    pub since: Option<Place>,
    /// Positions of this origin that the hub has learned from any runner. All of them are sent, not only the highest: a
    /// diverged history may have gone further than the current one, and its highest position says nothing about the
    /// lower ones.
    pub witnesses: Vec<Place>,
    /// Set while a full resend is in progress: the origin's floor when it started. If the origin has purged more
    /// deletions since then, the resend must start again.
    pub resetting_over: Option<u64>,
    /// The most the hub accepts in one page.
    pub budget: Budget,
}

/// Rows of other origins, in the order of the hub's replication log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forward<B> {
    /// The epoch of the hub's log.
    pub hub: HubEpoch,
    /// The message contains all entries after this one …
    pub from: u64,
    /// … up to this one.
    pub upto: u64,
    /// The mark of the transaction that wrote entry `upto`.
    pub mark: Mark,
    pub has_more: bool,
    pub rows: Vec<(HostId, Row<B>)>,
    /// For a runner with unconfirmed rows: the position up to which the hub has stored each origin. A row that should
    /// be below it and was not sent again was deleted.
    pub complete: Vec<Witness>,
    /// The hub's signature of its epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<EpochTicket>,
}

/// A row that the hub did not accept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    pub table: String,
    pub id: String,
    pub error: SyncError,
}

impl SyncError {
    /// Whether a row with this error is kept apart, to show it to people. Late rows and output beyond a budget are
    /// dropped: a runner sends them without a fault of its own, and they may be large.
    #[must_use]
    pub const fn is_parked(self) -> bool {
        !matches!(self, Self::Superseded | Self::OverBudget)
    }
}

crate::string_enum! {
    /// Why a message or a row was not accepted.
    pub enum SyncError {
        /// The two sides have no schema version in common.
        SchemaMismatch = "schema_version_mismatch",
        /// The sender may not write this row.
        Ownership = "ownership_violation",
        /// The receiver does not know the table yet; it keeps the row until it does.
        UnknownTable = "unknown_table",
        /// The row breaks a rule of its table.
        Rejected = "row_rejected",
        /// The row is larger than any may be.
        TooLarge = "too_large",
        /// A value in the row is nested too deeply.
        TooDeep = "too_deep",
        /// The row was valid before: its server has moved or was removed.
        Superseded = "superseded",
        /// The output exceeds the budget of its run or its host.
        OverBudget = "over_budget",
    }
}
