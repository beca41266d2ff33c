//! The hub's side of replication: requests rows from a runner, stores them, and forwards rows of other origins to it.

use super::{
    Budget, Mark, Place, SchemaRange, SyncPriority,
    frame::{
        Forward, FromHub, FromOrigin, HubEpoch, Received, Rejected, Request, Response, Row, SyncError, TableSum,
        Witness,
    },
    planted::{Bug, has},
    table::{Table, Writer},
};
use crate::{HostId, Span, Timestamp};

/// Request interval for a runner that sends no hint. Runners do send hints; this covers lost ones.
const POLL_EVERY: Span = Span::from_secs(30);
/// Timeout of a request; it is repeated afterwards.
const ANSWER_WITHIN: Span = Span::from_secs(30);
/// Responses faster than this double the size of the next page.
const QUICK: Span = Span::from_millis(250);
/// Delay of the first checksum comparison after the link is up, and the interval of later ones.
const CHECK: (Span, Span) = (Span::from_secs(600), Span::from_secs(3_600));
/// Rows of the first and of the largest page. One page is one transaction, so it must not block other writers for long.
const ROWS: (u32, u32) = (256, 4_096);
/// Bytes of a page: leaves room in a frame for the encoding.
const BYTES_MAX: u32 = 768 * 1024;

/// The replica storage of a hub. Every write is one transaction.
pub trait HubReplica {
    type Body: Clone;
    type Error;

    /// The current epoch of its log.
    fn epoch(&self) -> Result<HubEpoch, Self::Error>;
    /// The mark of the transaction that wrote a log entry.
    fn log_mark(&self, hseq: u64) -> Result<Option<Mark>, Self::Error>;
    /// Starts a new epoch of the log, with a number above this one.
    fn renew(&mut self, above: u32) -> Result<(), Self::Error>;
    /// The position up to which an origin's rows of one priority are stored.
    fn cursor(&self, origin: HostId, priority: SyncPriority) -> Result<Cursor, Self::Error>;
    /// The positions of an origin that were learned from runners and that the origin has not confirmed yet, and the
    /// highest position it has reported.
    fn witnesses(&self, origin: HostId, priority: SyncPriority) -> Result<Vec<Place>, Self::Error>;
    /// Stores positions that a runner has reported of other origins.
    fn note(&mut self, seen: &[Witness]) -> Result<(), Self::Error>;
    fn table(&self, name: &str) -> Option<&Table>;
    /// Whether a row obeys the rules of its table.
    ///
    /// # Errors
    /// The inner result: why the row is invalid.
    fn check(&self, origin: HostId, row: &Row<Self::Body>) -> Result<Result<(), SyncError>, Self::Error>;
    /// Applies a page: rows, cursor, witnesses and log entries in one transaction. When a table whose rows were parked
    /// becomes known, the implementation applies those rows and resets the cursors of their origins, because some of
    /// the rows may have been deleted meanwhile.
    /// Returns the rows that it did not apply because they belong to others.
    fn take(&mut self, taken: ReceivedPage<Self::Body>) -> Result<Vec<Rejected>, Self::Error>;
    /// The log entries after this one that concern a host.
    fn log(&self, host: HostId, after: u64, budget: Budget) -> Result<LogPage<Self::Body>, Self::Error>;
    /// The checksums of an origin's stored rows, computed as [`super::origin::OriginReplica::sums`] does. Parked rows are
    /// included.
    fn sums(&self, origin: HostId, priority: SyncPriority) -> Result<Vec<TableSum>, Self::Error>;
    /// The stored rows of an origin differ from the origin's: request a full resend and report the difference.
    fn distrust(&mut self, origin: HostId, priority: SyncPriority) -> Result<(), Self::Error>;
    /// The position of each origin in a host's org, without origins whose full resend is in progress.
    fn complete(&self, host: HostId) -> Result<Vec<Witness>, Self::Error>;
}

/// The position up to which an origin's rows of one priority are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    pub place: Option<Place>,
    /// Set while a full resend is in progress: the origin's floor when it started.
    pub resetting_over: Option<u64>,
}

/// A received page, split into accepted and parked rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedPage<B> {
    pub origin: HostId,
    pub priority: SyncPriority,
    /// Rows to store, each only if it is newer than the stored version.
    pub rows: Vec<Row<B>>,
    /// Rows that cannot be stored in their table: parked, and shown to people.
    pub parked: Vec<(Row<B>, SyncError)>,
    /// The new cursor.
    pub upto: Place,
    /// The last position that the origin reports.
    pub head: Place,
    /// Witnesses that the request contained and the origin did not dispute, or that belong to histories it has left.
    pub settled: Vec<Place>,
    /// Set if this page starts a full resend: all stored rows of this origin and priority become unconfirmed. The value
    /// is the origin's floor.
    pub starts_resend: Option<u64>,
    /// Whether this page ends a full resend: rows that are still unconfirmed are deleted.
    pub ends_resend: bool,
}

/// A page of a hub's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPage<B> {
    pub rows: Vec<(HostId, Row<B>)>,
    /// The page contains all entries up to this one that concern the host.
    pub upto: u64,
    /// The mark of the transaction that wrote entry `upto`.
    pub mark: Mark,
    pub has_more: bool,
}

/// Inputs of the hub's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HubInput<B> {
    /// The runner has sent a message.
    Received(FromOrigin<B>),
    /// The log has new entries.
    Changed,
    /// A timer expired.
    Tick,
}

#[derive(Debug, Clone)]
struct Asking {
    /// The number and time of the outstanding request.
    asked: Option<(u64, Timestamp)>,
    /// The witnesses that it contains.
    witnesses: Vec<Place>,
    next_at: Timestamp,
    rows: u32,
}

#[derive(Debug, Clone, Copy)]
struct Forwarding {
    /// The entry that the runner has confirmed.
    at: u64,
    sent_at: Option<Timestamp>,
    /// Whether the runner has unconfirmed rows and needs `complete`.
    is_doubting: bool,
}

/// The hub's side of the link to one runner.
#[derive(Debug, Clone)]
pub struct HubSync {
    origin: HostId,
    schema: SchemaRange,
    requests: [Asking; 2],
    forwarding: Option<Forwarding>,
    next_req: u64,
    rows_max: u32,
    /// The time of the next comparison; `checking` is the number of the outstanding one.
    check_at: Option<Timestamp>,
    checking: Option<u64>,
}

impl HubSync {
    /// Creates the state machine for the link to this runner; it sends nothing before the runner's first message.
    #[must_use]
    pub fn new(origin: HostId, schema: SchemaRange, now: Timestamp) -> Self {
        let asking = Asking { asked: None, witnesses: Vec::new(), next_at: now, rows: ROWS.0 };
        Self {
            origin,
            schema,
            requests: [asking.clone(), asking],
            forwarding: None,
            next_req: 1,
            rows_max: ROWS.1,
            check_at: Some(now + CHECK.0),
            checking: None,
        }
    }

    /// Limits pages to this number of rows.
    #[must_use]
    pub fn with_pages_of(mut self, rows: u32) -> Self {
        self.rows_max = rows.max(1);
        self.requests.iter_mut().for_each(|request| request.rows = request.rows.min(self.rows_max));
        self
    }

    /// Disables checksum comparisons: for tests of the protocol without its safety net.
    #[must_use]
    pub fn without_checks(mut self) -> Self {
        self.check_at = None;
        self
    }

    /// Takes over the negotiated state of `before` after a message was lost on its way to the storage: the runner has
    /// already sent its schema and position and does not send them again.
    #[must_use]
    pub fn going_on(mut self, before: &Self) -> Self {
        self.forwarding = before.forwarding.map(|forwarding| Forwarding { sent_at: None, ..forwarding });
        self.next_req = before.next_req + 1;
        self.rows_max = before.rows_max;
        self.check_at = before.check_at;
        self
    }

    /// The runner on the other side of the link.
    #[must_use]
    pub const fn origin(&self) -> HostId {
        self.origin
    }

    /// The log entry that the runner has confirmed, once it has reported one.
    #[must_use]
    pub fn confirmed(&self) -> Option<u64> {
        self.forwarding.map(|forwarding| forwarding.at)
    }

    /// The time of the next timer.
    #[must_use]
    pub fn wakes_at(&self) -> Timestamp {
        let of = |request: &Asking| request.asked.as_ref().map_or(request.next_at, |(_, at)| *at + ANSWER_WITHIN);
        self.requests.iter().map(of).chain(self.check_at).min().unwrap_or(self.requests[0].next_at)
    }

    /// Handles one input; returns the messages to send.
    ///
    /// # Errors
    /// Errors of the replica storage. No message is sent in that case, but committed writes stay.
    pub fn handle<S: HubReplica>(
        &mut self,
        replica: &mut S,
        now: Timestamp,
        input: HubInput<S::Body>,
    ) -> Result<Vec<FromHub<S::Body>>, S::Error> {
        let mut frames = Vec::new();
        match input {
            HubInput::Received(FromOrigin::CatchUp { schema, received, is_doubting, seen }) => {
                if !self.schema.meets(schema) {
                    self.forwarding = None;
                    return Ok(vec![FromHub::Error { error: SyncError::SchemaMismatch, rows: Vec::new() }]);
                }
                if !has(Bug::NoSeen) {
                    replica.note(&seen)?;
                }
                let at = resume(replica, received)?;
                let is_first = self.forwarding.is_none();
                self.forwarding = Some(Forwarding { at, sent_at: None, is_doubting });
                self.forward(replica, now, is_first, &mut frames)?;
                if is_first {
                    self.request_all(replica, now, &mut frames)?;
                }
            }
            _ if self.forwarding.is_none() => {}
            HubInput::Received(FromOrigin::Response(response)) => self.answered(replica, now, response, &mut frames)?,
            HubInput::Received(FromOrigin::Sums { req, priority, at, sums }) => {
                if self.checking.take_if(|checking| *checking == req).is_some() {
                    self.compare(replica, priority, at, &sums)?;
                    self.requests[priority as usize].next_at = now;
                    self.request(replica, priority, now, &mut frames)?;
                }
            }
            HubInput::Received(FromOrigin::Hint { priority }) => {
                self.requests[priority as usize].next_at = now;
                self.request(replica, priority, now, &mut frames)?;
            }
            HubInput::Changed => self.forward(replica, now, false, &mut frames)?,
            HubInput::Tick => {
                self.request_all(replica, now, &mut frames)?;
                if self.check_at.is_some_and(|at| now >= at) {
                    // Only the control priority: archive rows are never replaced, and their owner may delete them.
                    frames.push(FromHub::Check { req: self.next_req, priority: SyncPriority::Control });
                    self.checking = Some(self.next_req);
                    self.next_req += 1;
                    self.check_at = Some(now + CHECK.1);
                }
                if let Some(forwarding) = &mut self.forwarding
                    && forwarding.sent_at.is_some_and(|at| now.since(at) > ANSWER_WITHIN)
                {
                    forwarding.sent_at = None;
                }
                self.forward(replica, now, true, &mut frames)?;
            }
        }
        Ok(frames)
    }

    /// Compares the checksums of both sides if they are at the same position. Requests a full resend if they differ.
    fn compare<S: HubReplica>(
        &self,
        replica: &mut S,
        priority: SyncPriority,
        at: Place,
        sums: &[TableSum],
    ) -> Result<(), S::Error> {
        let cursor = replica.cursor(self.origin, priority)?;
        if cursor.place != Some(at) || cursor.resetting_over.is_some() || has(Bug::NoCheck) {
            return Ok(());
        }
        // Skip tables that only one side knows.
        let theirs = |own: &TableSum| sums.iter().find(|sum| sum.table == own.table);
        let is_same = |own: &TableSum| theirs(own).is_none_or(|theirs| theirs.digest == own.digest);
        if replica.sums(self.origin, priority)?.iter().all(is_same) {
            Ok(())
        } else {
            replica.distrust(self.origin, priority)
        }
    }

    fn request_all<S: HubReplica>(
        &mut self,
        replica: &S,
        now: Timestamp,
        frames: &mut Vec<FromHub<S::Body>>,
    ) -> Result<(), S::Error> {
        SyncPriority::ALL.iter().try_for_each(|priority| self.request(replica, *priority, now, frames))
    }

    /// Requests the next page if it is due.
    fn request<S: HubReplica>(
        &mut self,
        replica: &S,
        priority: SyncPriority,
        now: Timestamp,
        frames: &mut Vec<FromHub<S::Body>>,
    ) -> Result<(), S::Error> {
        let asking = &mut self.requests[priority as usize];
        match asking.asked {
            Some((_, at)) if now.since(at) <= ANSWER_WITHIN => return Ok(()),
            // The last page may have been too large for the timeout.
            Some(_) => asking.rows = (asking.rows / 2).max(1),
            None if now < asking.next_at => return Ok(()),
            None => {}
        }
        asking.asked = Some((self.next_req, now));
        let cursor = replica.cursor(self.origin, priority)?;
        asking.witnesses = replica.witnesses(self.origin, priority)?;
        frames.push(FromHub::Request(Request {
            req: self.next_req,
            priority,
            since: cursor.place,
            witnesses: asking.witnesses.clone(),
            resetting_over: cursor.resetting_over,
            budget: Budget { rows: asking.rows, bytes: BYTES_MAX },
        }));
        self.next_req += 1;
        Ok(())
    }

    fn answered<S: HubReplica>(
        &mut self,
        replica: &mut S,
        now: Timestamp,
        response: Response<S::Body>,
        frames: &mut Vec<FromHub<S::Body>>,
    ) -> Result<(), S::Error> {
        let priority = response.priority;
        let asking = &mut self.requests[priority as usize];
        let Some((_, asked_at)) = asking.asked.filter(|(req, _)| *req == response.req || has(Bug::NoFromCheck)) else {
            // A late or repeated response.
            return Ok(());
        };
        asking.asked = None;
        asking.next_at = now + POLL_EVERY;
        if now.since(asked_at) < QUICK {
            asking.rows = (asking.rows * 2).min(self.rows_max);
        }
        let cursor = replica.cursor(self.origin, priority)?;
        if follows(&response, cursor) || has(Bug::NoFromCheck) {
            let has_more = response.has_more;
            if let Some(rejected) = self.keep(replica, response, cursor)?
                && !rejected.is_empty()
            {
                frames.push(FromHub::Error { error: SyncError::Rejected, rows: rejected });
            }
            if has_more {
                self.requests[priority as usize].next_at = now;
            }
        }
        self.request(replica, priority, now, frames)
    }

    /// Stores a page; returns the rejected rows, or `None` if the whole page was refused.
    fn keep<S: HubReplica>(
        &self,
        replica: &mut S,
        response: Response<S::Body>,
        cursor: Cursor,
    ) -> Result<Option<Vec<Rejected>>, S::Error> {
        let (mut rows, mut parked, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
        for row in response.rows {
            let verdict = match replica.table(&row.table) {
                None => Err(SyncError::UnknownTable),
                Some(table) if !is_theirs(table, response.priority) => Err(SyncError::Ownership),
                Some(_) => replica.check(self.origin, &row)?,
            };
            match verdict {
                Ok(()) => rows.push(row),
                Err(SyncError::UnknownTable) if has(Bug::UnknownBlocks) => return Ok(None),
                Err(error) if has(Bug::RejectionBlocks) && error != SyncError::UnknownTable => return Ok(None),
                Err(error) => {
                    rejected.push(Rejected { table: row.table.to_string(), id: row.id.clone(), error });
                    parked.push((row, error));
                }
            }
        }
        let ends_resend =
            !response.has_more && (response.is_reset || cursor.resetting_over.is_some()) && !has(Bug::NoSweep);
        let foreign = replica.take(ReceivedPage {
            origin: self.origin,
            priority: response.priority,
            rows,
            parked,
            upto: response.upto,
            head: response.head,
            settled: self.requests[response.priority as usize].witnesses.clone(),
            starts_resend: response.is_reset.then_some(response.floor),
            ends_resend,
        })?;
        rejected.extend(foreign);
        Ok(Some(rejected))
    }

    /// Sends the log entries that the runner has not confirmed, one page at a time. A runner with unconfirmed rows also
    /// gets `complete` when there are no new entries, but only if `again` is set; otherwise the two sides would
    /// exchange messages forever.
    fn forward<S: HubReplica>(
        &mut self,
        replica: &S,
        now: Timestamp,
        again: bool,
        frames: &mut Vec<FromHub<S::Body>>,
    ) -> Result<(), S::Error> {
        let Some(forwarding) = &mut self.forwarding else { return Ok(()) };
        if forwarding.sent_at.is_some() {
            return Ok(());
        }
        let page = replica.log(self.origin, forwarding.at, Budget { rows: ROWS.0, bytes: BYTES_MAX })?;
        let complete =
            if forwarding.is_doubting && !page.has_more { replica.complete(self.origin)? } else { Vec::new() };
        if page.upto == forwarding.at && (complete.is_empty() || !again) {
            return Ok(());
        }
        let (from, upto) = (forwarding.at, page.upto);
        if has(Bug::ForwardNotConfirmed) {
            forwarding.at = upto;
        } else {
            forwarding.sent_at = Some(now);
        }
        let LogPage { rows, mark, has_more, .. } = page;
        // The ticket is a signature: its caller adds it.
        let forward = Forward { hub: replica.epoch()?, from, upto, mark, has_more, rows, complete, ticket: None };
        frames.push(FromHub::Forward(forward));
        Ok(())
    }
}

/// Whether a runner may send rows of this table with this priority.
fn is_theirs(table: &Table, priority: SyncPriority) -> bool {
    has(Bug::NoOwnership) || table.writer == Writer::Runner && table.priority == priority
}

/// Whether a page starts at the cursor.
fn follows<B>(response: &Response<B>, cursor: Cursor) -> bool {
    match cursor.place {
        None => response.from == 0,
        Some(place) if response.is_reset => response.from == 0 && response.epoch >= place.at.epoch,
        Some(place) => (response.epoch, response.from) == (place.at.epoch, place.at.seq),
    }
}

/// The log entry from which to continue for this runner. If the runner has seen another epoch of this hub, this hub was
/// wiped or restored and must start a new epoch, provided that the hub has signed that epoch.
fn resume<S: HubReplica>(replica: &mut S, received: Option<Received>) -> Result<u64, S::Error> {
    let Some(received) = received else { return Ok(0) };
    let epoch = replica.epoch()?;
    let is_ours =
        received.hub == epoch && (received.hseq == 0 || replica.log_mark(received.hseq)? == Some(received.mark));
    if is_ours || has(Bug::NoHubEpoch) {
        return Ok(received.hseq);
    }
    if received.ticket.is_some() && received.hub.number >= epoch.number {
        replica.renew(received.hub.number)?;
    }
    Ok(0)
}
