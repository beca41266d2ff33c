//! The runner's side of replication: answers requests for its own rows and applies rows that hubs forward from others.

use super::{
    Budget, Mark, Place, SchemaRange, SyncPriority, Version,
    frame::{Forward, FromHub, FromOrigin, Reach, Received, Request, Response, Row, TableSum, Witness},
    planted::{Bug, has},
};
use crate::HubId;

/// The replica storage of a runner. Every write is one transaction.
pub trait OriginReplica {
    type Body: Clone;
    type Error;

    /// The current epoch of its history.
    fn epoch(&self) -> Result<u32, Self::Error>;
    /// The last position and the floor of a priority.
    fn reach(&self, priority: SyncPriority) -> Result<Reach, Self::Error>;
    /// The mark of the transaction that assigned this sequence number, if it is still stored.
    fn mark(&self, priority: SyncPriority, seq: u64) -> Result<Option<Mark>, Self::Error>;
    /// The rows after a sequence number, in order, as many as fit and at least one; read from one snapshot.
    fn page(&self, priority: SyncPriority, after: u64, budget: Budget) -> Result<Page<Self::Body>, Self::Error>;
    /// Starts a new history: assigns sequence numbers from 1 to all own rows, under this epoch.
    fn renumber(&mut self, epoch: u32) -> Result<(), Self::Error>;
    /// The checksums of the priority's tables whose copies follow deletions, sorted by table name.
    fn sums(&self, priority: SyncPriority) -> Result<Vec<TableSum>, Self::Error>;
    /// A hub has durably stored everything up to this position.
    fn confirm(&mut self, hub: HubId, priority: SyncPriority, place: Place) -> Result<(), Self::Error>;
    /// The position up to which a hub's log was applied.
    fn received(&self, hub: HubId) -> Result<Option<Received>, Self::Error>;
    /// Whether the runner has forwarded rows that the hub's current epoch has not confirmed yet.
    fn is_doubting(&self, hub: HubId) -> Result<bool, Self::Error>;
    /// The last known position of each other origin, for each hub separately. Not the maximum over all hubs: two hubs
    /// may have learned two diverged histories of the same host, and only one of them continues.
    fn seen(&self) -> Result<Vec<Witness>, Self::Error>;
    /// Applies forwarded rows and moves the cursor, in one transaction. A row replaces only an older version. A new
    /// epoch of the hub's log marks all forwarded rows as unconfirmed until the hub sends them again in the same or a
    /// newer version: an older version may come from a history that was abandoned.
    fn take(&mut self, hub: HubId, forward: &Forward<Self::Body>) -> Result<(), Self::Error>;
}

/// A page of an origin's rows, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<B> {
    pub rows: Vec<Row<B>>,
    /// The page contains all changes up to this position; the head if nothing follows.
    pub upto: Place,
    pub has_more: bool,
}

/// How the origin must answer a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestAnswer {
    /// The request is about the current history: continue after this sequence number.
    GoOn(u64),
    /// The position is from an older history, or deletions after it were purged: resend everything.
    Resend,
    /// The hub knows a position that the current history does not contain, as after a restored backup: start a new
    /// epoch.
    Diverged {
        /// Greater than every epoch that was seen.
        epoch: u32,
    },
}

/// Compares the positions that a hub knows of this origin with the origin's own history. `mark_of` returns the stored
/// mark of a sequence number.
///
/// # Errors
/// Errors of `mark_of`.
pub fn judge<E>(
    request: &Request,
    epoch: u32,
    reach: Reach,
    mark_of: impl Fn(u64) -> Result<Option<Mark>, E>,
) -> Result<RequestAnswer, E> {
    let witnesses = if has(Bug::NoWitness) { &[] } else { request.witnesses.as_slice() };
    let mut above = epoch;
    let mut has_diverged = false;
    for place in request.since.iter().chain(witnesses) {
        above = above.max(place.at.epoch);
        has_diverged |= if has(Bug::NoDivergenceCheck) || place.at.epoch < epoch {
            false
        } else if place.at.epoch > epoch || place.at.seq > reach.head.at.seq {
            true
        } else {
            // A mark that is no longer stored proves nothing. Treat it as a divergence: a full resend is safer than a
            // skipped row.
            place.at.seq > 0 && !has(Bug::NoMarks) && mark_of(place.at.seq)? != Some(place.mark)
        };
    }
    if has_diverged {
        return Ok(RequestAnswer::Diverged { epoch: above + 1 });
    }
    Ok(match request.since {
        Some(since) if since.at.epoch == epoch => {
            let is_known = request.resetting_over == Some(reach.floor);
            let is_forgotten = since.at.seq < reach.floor && !is_known && !has(Bug::NoFloor);
            if is_forgotten { RequestAnswer::Resend } else { RequestAnswer::GoOn(since.at.seq) }
        }
        Some(since) if has(Bug::NoDivergenceCheck) => RequestAnswer::GoOn(since.at.seq),
        _ => RequestAnswer::Resend,
    })
}

/// Inputs of the runner's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OriginInput<B> {
    /// The link was established.
    Linked,
    /// The hub has sent a message.
    Received(FromHub<B>),
    /// Own rows have changed.
    Changed(SyncPriority),
}

/// The runner's side of the link to one hub.
#[derive(Debug, Clone)]
pub struct OriginSync {
    hub: HubId,
    schema: SchemaRange,
}

impl OriginSync {
    /// Creates the state machine for the link to this hub.
    #[must_use]
    pub fn new(hub: HubId, schema: SchemaRange) -> Self {
        Self { hub, schema }
    }

    /// Handles one input; returns the messages to send.
    ///
    /// # Errors
    /// Errors of the replica storage. No message is sent in that case, but committed writes stay.
    pub fn handle<S: OriginReplica>(
        &mut self,
        replica: &mut S,
        input: OriginInput<S::Body>,
    ) -> Result<Vec<FromOrigin<S::Body>>, S::Error> {
        Ok(match input {
            OriginInput::Linked => vec![self.catch_up(replica)?],
            OriginInput::Changed(priority) => vec![FromOrigin::Hint { priority }],
            OriginInput::Received(FromHub::Request(request)) => {
                vec![FromOrigin::Response(self.answer(replica, &request)?)]
            }
            OriginInput::Received(FromHub::Forward(forward)) => {
                let received = replica.received(self.hub)?.filter(|received| received.hub == forward.hub);
                if received.map_or(0, |received| received.hseq) == forward.from
                    || has(Bug::ForwardGaps)
                    || has(Bug::ForwardNotConfirmed)
                {
                    replica.take(self.hub, &forward)?;
                }
                // Whether or not the rows were applied, this reports the position from which the hub must continue.
                vec![self.catch_up(replica)?]
            }
            OriginInput::Received(FromHub::Check { req, priority }) => {
                vec![FromOrigin::Sums {
                    req,
                    priority,
                    at: replica.reach(priority)?.head,
                    sums: replica.sums(priority)?,
                }]
            }
            OriginInput::Received(FromHub::Error { .. }) => Vec::new(),
        })
    }

    fn catch_up<S: OriginReplica>(&self, replica: &S) -> Result<FromOrigin<S::Body>, S::Error> {
        Ok(FromOrigin::CatchUp {
            schema: self.schema,
            received: replica.received(self.hub)?,
            is_doubting: replica.is_doubting(self.hub)?,
            seen: replica.seen()?,
        })
    }

    fn answer<S: OriginReplica>(&self, replica: &mut S, request: &Request) -> Result<Response<S::Body>, S::Error> {
        let priority = request.priority;
        let verdict = judge(request, replica.epoch()?, replica.reach(priority)?, |seq| replica.mark(priority, seq))?;
        let from = match verdict {
            RequestAnswer::GoOn(from) => {
                if let Some(since) = request.since {
                    replica.confirm(self.hub, priority, since)?;
                }
                from
            }
            RequestAnswer::Resend => 0,
            RequestAnswer::Diverged { epoch } => {
                replica.renumber(epoch)?;
                0
            }
        };
        let page = replica.page(priority, from, request.budget)?;
        let reach = replica.reach(priority)?;
        Ok(Response {
            req: request.req,
            priority,
            epoch: replica.epoch()?,
            from,
            upto: page.upto,
            head: reach.head,
            floor: reach.floor,
            has_more: page.has_more,
            is_reset: !matches!(verdict, RequestAnswer::GoOn(_)),
            rows: page.rows,
        })
    }
}

/// The position before the first change of an epoch.
#[must_use]
pub fn beginning(epoch: u32) -> Place {
    Place { at: Version { epoch, seq: 0 }, mark: Mark(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(epoch: u32, seq: u64, mark: u64) -> Place {
        Place { at: Version { epoch, seq }, mark: Mark(mark) }
    }

    #[test]
    fn a_request_continues_resends_or_diverges() {
        // The origin is in epoch 3 at number 100. The mark of each number is ten times the number; below 50 deletions
        // were purged.
        let reach = Reach { head: place(3, 100, 1_000), floor: 50 };
        let mark = |seq: u64| Ok::<_, ()>((seq > 5).then_some(Mark(seq * 10)));
        let good = place(3, 80, 800);
        let diverged = |epoch| RequestAnswer::Diverged { epoch };
        let table = [
            ("a new hub", None, None, None, RequestAnswer::Resend),
            ("continuing", Some(good), None, None, RequestAnswer::GoOn(80)),
            ("with a witness that fits", Some(good), Some(place(3, 100, 1_000)), None, RequestAnswer::GoOn(80)),
            ("exactly at the floor", Some(place(3, 50, 500)), None, None, RequestAnswer::GoOn(50)),
            ("below the floor", Some(place(3, 49, 490)), None, None, RequestAnswer::Resend),
            ("below the floor, within a resend", Some(place(3, 49, 490)), None, Some(50), RequestAnswer::GoOn(49)),
            (
                "below the floor, within a resend that started at a lower floor",
                Some(place(3, 49, 490)),
                None,
                Some(30),
                RequestAnswer::Resend,
            ),
            ("the beginning, within a resend", Some(beginning(3)), None, Some(50), RequestAnswer::GoOn(0)),
            ("an older history", Some(place(2, 900, 1)), None, None, RequestAnswer::Resend),
            ("a later history", Some(place(5, 1, 1)), None, None, diverged(6)),
            ("beyond the head", Some(place(3, 101, 1_010)), None, None, diverged(4)),
            ("the same number with another mark", Some(place(3, 80, 801)), None, None, diverged(4)),
            ("a mark that is no longer stored", Some(place(3, 5, 50)), None, Some(50), diverged(4)),
            ("a witness beyond the head", Some(good), Some(place(3, 120, 1)), None, diverged(4)),
            ("a witness of another history", Some(good), Some(place(3, 90, 1)), None, diverged(4)),
            ("a witness of a later history", None, Some(place(7, 1, 1)), None, diverged(8)),
            ("a witness of an older history", Some(good), Some(place(2, 500, 1)), None, RequestAnswer::GoOn(80)),
        ];
        for (name, since, witness, resetting_over, expected) in table {
            let budget = Budget { rows: 1, bytes: 1 };
            let witnesses = witness.into_iter().collect();
            let request = Request { req: 1, priority: SyncPriority::Control, since, witnesses, resetting_over, budget };
            assert_eq!(judge(&request, 3, reach, mark), Ok(expected), "{name}");
        }
    }
}
