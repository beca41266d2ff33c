//! What runners and hubs say to each other about rows.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Budget, Lane, Mark, Place, Schema, Version, digest::Digest};
use crate::HostId;

/// A row on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row<B> {
    /// The name of its table.
    pub table: Cow<'static, str>,
    /// Which row of it.
    pub id: String,
    /// Which state of it.
    pub version: Version,
    /// The mark of the transaction that wrote it.
    pub mark: Mark,
    /// Whether it is gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_deleted: bool,
    /// What it holds.
    pub body: B,
}

/// How far an origin is in one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// Its last change; number 0 before its first.
    pub head: Place,
    /// Below this number deletions may have been forgotten.
    pub floor: u64,
}

/// How far a hub's log of changes was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// Of which history of the hub.
    pub hub: HubEpoch,
    /// Up to which entry.
    pub hseq: u64,
    /// The mark of the transaction that wrote it.
    pub mark: Mark,
}

/// A history of a hub: a wiped or restored hub begins another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubEpoch {
    /// Greater than that of every history its runners have heard of.
    pub number: u32,
    /// Random: two that began with the same number are told apart.
    pub id: u64,
}

/// A position of somebody else's history that a runner has heard of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Whose.
    pub origin: HostId,
    /// In which lane.
    pub lane: Lane,
    /// How far.
    pub place: Place,
}

/// What a runner says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromOrigin<B> {
    /// Who it is and how far it has heard: at the beginning, and again as the confirmation of what was forwarded.
    CatchUp {
        /// What it can speak.
        schema: Schema,
        /// How far the hub's log was received.
        received: Option<Received>,
        /// Whether it holds rows that this history of the hub has not confirmed yet.
        is_doubting: bool,
        /// What it knows of others: a hub that was wiped learns from it what it had seen.
        seen: Vec<Seen>,
    },
    /// The answer to a request.
    #[serde(rename = "sync_response")]
    Response(Response<B>),
    /// What it has, summed up: the answer to a check.
    #[serde(rename = "sync_sums")]
    Sums {
        /// The check it answers.
        req: u64,
        /// The lane.
        lane: Lane,
        /// How far the lane is.
        at: Place,
        /// The tables of the lane whose copies follow deletions.
        sums: Vec<TableSum>,
    },
    /// There is more than the hub has asked for.
    #[serde(rename = "sync_hint")]
    Hint {
        /// In which lane.
        lane: Lane,
    },
}

/// The rows of a table, summed up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSum {
    /// Which table.
    pub table: Cow<'static, str>,
    /// Its rows.
    pub digest: Digest,
}

/// A page of an origin's rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response<B> {
    /// The request it answers.
    pub req: u64,
    /// The lane.
    pub lane: Lane,
    /// The origin's epoch.
    pub epoch: u32,
    /// All changes after this number …
    pub from: u64,
    /// … up to this place.
    pub upto: Place,
    /// The origin's last change, which may be further.
    pub head: Place,
    /// Whether more follows.
    pub has_more: bool,
    /// Whether this begins anew: what is not said again is gone.
    pub is_reset: bool,
    /// Below this number deletions may have been forgotten.
    pub floor: u64,
    /// The rows.
    pub rows: Vec<Row<B>>,
}

/// What a hub says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromHub<B> {
    /// Asks for a page. What it asks after is durable here: this is the confirmation.
    #[serde(rename = "sync_request")]
    Request(Request),
    /// Asks for sums of what the runner has: both sides should have the same, and if they do not, somebody should know.
    #[serde(rename = "sync_check")]
    Check {
        /// Its number.
        req: u64,
        /// The lane.
        lane: Lane,
    },
    /// Rows of others.
    Forward(Forward<B>),
    /// What was not taken.
    #[serde(rename = "sync_error")]
    Error {
        /// Why.
        error: SyncError,
        /// Rows that were not taken; the others were.
        rows: Vec<Rejected>,
    },
}

/// A request for a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Its number.
    pub req: u64,
    /// The lane.
    pub lane: Lane,
    /// What is kept already.
    pub since: Option<Place>,
    /// Places of this origin that the hub has heard of, from whomever. One further than the others proves nothing
    /// about those below it: a history that went another way may have come further than the one they are of.
    pub witnesses: Vec<Place>,
    /// If `since` is within a reset that is under way: the floor when it began. If more was forgotten meanwhile, it has
    /// to begin anew once more.
    pub resetting_over: Option<u64>,
    /// How much it takes.
    pub budget: Budget,
}

/// Rows of other origins, in the order of the hub's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forward<B> {
    /// The hub's history.
    pub hub: HubEpoch,
    /// All entries after this one …
    pub from: u64,
    /// … up to this one.
    pub upto: u64,
    /// The mark of the transaction that wrote it.
    pub mark: Mark,
    /// Whether more follows.
    pub has_more: bool,
    /// The rows and their origins.
    pub rows: Vec<(HostId, Row<B>)>,
    /// For those who doubt: how far the hub has heard each origin. What it must know and did not say is gone.
    pub complete: Vec<Seen>,
}

/// A row that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// Its table.
    pub table: String,
    /// Which row.
    pub id: String,
    /// Why.
    pub error: SyncError,
}

crate::words! {
    /// Why something was not taken.
    pub enum SyncError {
        /// The two sides have no version of the schema in common.
        SchemaMismatch = "schema_version_mismatch",
        /// The row is not the sender's to write.
        Ownership = "ownership_violation",
        /// The table is not known here yet; the row is kept until it is.
        UnknownTable = "unknown_table",
        /// The row breaks a rule of its table.
        Rejected = "row_rejected",
        /// The row is larger than any may be.
        TooLarge = "too_large",
    }
}
