//! The hub's side: it asks a runner for its rows, keeps them, and forwards to it what concerns it of others.

use super::{
    Budget, Lane, Mark, Place, Schema,
    frame::{
        Forward, FromHub, FromOrigin, HubEpoch, Received, Rejected, Request, Response, Row, Seen, SyncError, TableSum,
    },
    planted::{Bug, has},
    table::{Table, Writer},
};
use crate::{HostId, Span, Timestamp};

/// A runner that gives no hint is asked again after this long. Runners do give hints: this is for those that were lost.
const POLL_EVERY: Span = Span::from_secs(30);
/// An answer that has not come by then is asked for again.
const ANSWER_WITHIN: Span = Span::from_secs(30);
/// Answers that come within this let the next page be larger.
const QUICK: Span = Span::from_millis(250);
/// Both sides are compared some time after they have met, and then now and again.
const CHECK: (Span, Span) = (Span::from_secs(600), Span::from_secs(3_600));
/// Rows of the first page, and of the largest: what is kept in one transaction must not make others wait for long.
const ROWS: (u32, u32) = (256, 4_096);
/// Bytes of a page: less than a frame holds, whatever the encoding adds.
const BYTES_MAX: u32 = 768 * 1024;

/// Where a hub keeps rows. Every write is one transaction.
pub trait HubShelf {
    /// What rows hold.
    type Body: Clone;
    /// Why it did not work.
    type Error;

    /// The history its log is in.
    fn epoch(&self) -> Result<HubEpoch, Self::Error>;
    /// The mark of the transaction that wrote an entry of the log.
    fn log_mark(&self, hseq: u64) -> Result<Option<Mark>, Self::Error>;
    /// Begins another history of the log, with a number above this one.
    fn renew(&mut self, above: u32) -> Result<(), Self::Error>;
    /// How far an origin's lane is kept.
    fn cursor(&self, origin: HostId, lane: Lane) -> Result<Cursor, Self::Error>;
    /// Places of an origin that were heard of and that it has not confirmed yet, and the furthest one it was at.
    fn witnesses(&self, origin: HostId, lane: Lane) -> Result<Vec<Place>, Self::Error>;
    /// Notes places that were heard of.
    fn note(&mut self, seen: &[Seen]) -> Result<(), Self::Error>;
    /// A table by its name.
    fn table(&self, name: &str) -> Option<&Table>;
    /// Whether a row keeps the rules of its own table.
    ///
    /// # Errors
    /// Inside: why it does not.
    fn check(&self, origin: HostId, row: &Row<Self::Body>) -> Result<Result<(), SyncError>, Self::Error>;
    /// Takes a page: rows, cursor, witness and log entries together. Once a table is known whose rows were put aside,
    /// they are kept and the cursors of their origins forgotten: some of them may be gone by then.
    fn take(&mut self, taken: Taken<Self::Body>) -> Result<(), Self::Error>;
    /// The entries of the log after this one that concern a host.
    fn log(&self, host: HostId, after: u64, budget: Budget) -> Result<LogPage<Self::Body>, Self::Error>;
    /// The rows of an origin's lane as they are kept here, summed up as [`super::origin::OriginShelf::sums`] does. A row
    /// that was put aside counts as what it is.
    fn sums(&self, origin: HostId, lane: Lane) -> Result<Vec<TableSum>, Self::Error>;
    /// What is kept of an origin's lane is not what the origin has: it is to tell everything anew, and people to know.
    fn distrust(&mut self, origin: HostId, lane: Lane) -> Result<(), Self::Error>;
    /// How far each origin of a host's org is kept, without those that are being told anew.
    fn complete(&self, host: HostId) -> Result<Vec<Seen>, Self::Error>;
}

/// How far an origin's lane is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    /// Up to here.
    pub place: Option<Place>,
    /// If the origin is telling everything anew: its floor when it began to.
    pub resetting_over: Option<u64>,
}

/// A page that is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken<B> {
    /// Whose.
    pub origin: HostId,
    /// The lane.
    pub lane: Lane,
    /// Rows to keep, each only if it is newer than what is there.
    pub rows: Vec<Row<B>>,
    /// Rows that cannot be kept as what they are: put aside and shown.
    pub parked: Vec<(Row<B>, SyncError)>,
    /// The cursor from now on.
    pub upto: Place,
    /// How far the origin says it is.
    pub head: Place,
    /// Places the origin was asked about and did not object to, or that are of histories it has left.
    pub settled: Vec<Place>,
    /// If all that is there of this origin and lane is in doubt from now on: the origin's floor.
    pub begins_anew: Option<u64>,
    /// Whether what still is in doubt after these rows is gone.
    pub ends_anew: bool,
}

/// Some entries of a hub's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPage<B> {
    /// The rows and their origins.
    pub rows: Vec<(HostId, Row<B>)>,
    /// All entries up to this one that concern the host are among them.
    pub upto: u64,
    /// The mark of the transaction that wrote it.
    pub mark: Mark,
    /// Whether more follows.
    pub has_more: bool,
}

/// What happens to a hub's side of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input<B> {
    /// The runner has said something.
    Heard(FromOrigin<B>),
    /// The log has grown.
    Changed,
    /// Time has passed.
    Tick,
}

#[derive(Debug, Clone)]
struct Asking {
    /// The request that is under way.
    asked: Option<(u64, Timestamp)>,
    /// The places it asks about.
    witnesses: Vec<Place>,
    next_at: Timestamp,
    rows: u32,
}

#[derive(Debug, Clone, Copy)]
struct Forwarding {
    /// What the runner has confirmed.
    at: u64,
    sent_at: Option<Timestamp>,
    /// Whether the runner wants to know what is complete.
    is_doubting: bool,
}

/// A hub's side of the link to one runner.
#[derive(Debug, Clone)]
pub struct HubSync {
    origin: HostId,
    schema: Schema,
    lanes: [Asking; 2],
    forwarding: Option<Forwarding>,
    next_req: u64,
    rows_max: u32,
    /// The next comparison, and the one under way.
    check_at: Option<Timestamp>,
    checking: Option<u64>,
}

impl HubSync {
    /// For the link to this runner; it is heard first.
    #[must_use]
    pub fn new(origin: HostId, schema: Schema, now: Timestamp) -> Self {
        let asking = Asking { asked: None, witnesses: Vec::new(), next_at: now, rows: ROWS.0 };
        Self {
            origin,
            schema,
            lanes: [asking.clone(), asking],
            forwarding: None,
            next_req: 1,
            rows_max: ROWS.1,
            check_at: Some(now + CHECK.0),
            checking: None,
        }
    }

    /// The same with pages of at most so many rows.
    #[must_use]
    pub fn with_pages_of(mut self, rows: u32) -> Self {
        self.rows_max = rows.max(1);
        self.lanes.iter_mut().for_each(|lane| lane.rows = lane.rows.min(self.rows_max));
        self
    }

    /// The same without comparing: for those who want to see what the protocol does by itself.
    #[must_use]
    pub fn without_checks(mut self) -> Self {
        self.check_at = None;
        self
    }

    /// The same after something was lost on the way into the shelf: the runner has said before what it can speak and how
    /// far it is, and need not say it again.
    #[must_use]
    pub fn going_on(mut self, before: &Self) -> Self {
        self.forwarding = before.forwarding.map(|forwarding| Forwarding { sent_at: None, ..forwarding });
        self.next_req = before.next_req + 1;
        self.rows_max = before.rows_max;
        self.check_at = before.check_at;
        self
    }

    /// The runner.
    #[must_use]
    pub const fn origin(&self) -> HostId {
        self.origin
    }

    /// How far the runner has confirmed this hub's log, once it has said so.
    #[must_use]
    pub fn confirmed(&self) -> Option<u64> {
        self.forwarding.map(|forwarding| forwarding.at)
    }

    /// When it has to be woken if nothing happens before.
    #[must_use]
    pub fn wakes_at(&self) -> Timestamp {
        let of = |lane: &Asking| lane.asked.as_ref().map_or(lane.next_at, |(_, at)| *at + ANSWER_WITHIN);
        self.lanes.iter().map(of).chain(self.check_at).min().unwrap_or(self.lanes[0].next_at)
    }

    /// Does what an event calls for; returns what to say.
    ///
    /// # Errors
    /// Those of the shelf. Nothing was said then, and what was written stands.
    pub fn handle<S: HubShelf>(
        &mut self,
        shelf: &mut S,
        now: Timestamp,
        input: Input<S::Body>,
    ) -> Result<Vec<FromHub<S::Body>>, S::Error> {
        let mut says = Vec::new();
        match input {
            Input::Heard(FromOrigin::CatchUp { schema, received, is_doubting, seen }) => {
                if !self.schema.meets(schema) {
                    self.forwarding = None;
                    return Ok(vec![FromHub::Error { error: SyncError::SchemaMismatch, rows: Vec::new() }]);
                }
                if !has(Bug::NoSeen) {
                    shelf.note(&seen)?;
                }
                let at = resume(shelf, received)?;
                let is_first = self.forwarding.is_none();
                self.forwarding = Some(Forwarding { at, sent_at: None, is_doubting });
                self.forward(shelf, now, is_first, &mut says)?;
                if is_first {
                    self.ask_all(shelf, now, &mut says)?;
                }
            }
            _ if self.forwarding.is_none() => {}
            Input::Heard(FromOrigin::Response(response)) => self.answered(shelf, now, response, &mut says)?,
            Input::Heard(FromOrigin::Sums { req, lane, at, sums }) => {
                if self.checking.take_if(|checking| *checking == req).is_some() {
                    self.compare(shelf, lane, at, &sums)?;
                    self.lanes[lane as usize].next_at = now;
                    self.ask(shelf, lane, now, &mut says)?;
                }
            }
            Input::Heard(FromOrigin::Hint { lane }) => {
                self.lanes[lane as usize].next_at = now;
                self.ask(shelf, lane, now, &mut says)?;
            }
            Input::Changed => self.forward(shelf, now, false, &mut says)?,
            Input::Tick => {
                self.ask_all(shelf, now, &mut says)?;
                if self.check_at.is_some_and(|at| now >= at) {
                    // Only the lane of what changes: what is written once is never replaced, and its owner may drop it.
                    says.push(FromHub::Check { req: self.next_req, lane: Lane::Control });
                    self.checking = Some(self.next_req);
                    self.next_req += 1;
                    self.check_at = Some(now + CHECK.1);
                }
                if let Some(forwarding) = &mut self.forwarding
                    && forwarding.sent_at.is_some_and(|at| now.since(at) > ANSWER_WITHIN)
                {
                    forwarding.sent_at = None;
                }
                self.forward(shelf, now, true, &mut says)?;
            }
        }
        Ok(says)
    }

    /// Compares what both sides have, if they are at the same place. Where they differ, all of it is told anew.
    fn compare<S: HubShelf>(&self, shelf: &mut S, lane: Lane, at: Place, sums: &[TableSum]) -> Result<(), S::Error> {
        let cursor = shelf.cursor(self.origin, lane)?;
        if cursor.place != Some(at) || cursor.resetting_over.is_some() || has(Bug::NoCheck) {
            return Ok(());
        }
        // One side may know tables that the other does not.
        let theirs = |own: &TableSum| sums.iter().find(|sum| sum.table == own.table);
        let is_same = |own: &TableSum| theirs(own).is_none_or(|theirs| theirs.digest == own.digest);
        if shelf.sums(self.origin, lane)?.iter().all(is_same) { Ok(()) } else { shelf.distrust(self.origin, lane) }
    }

    fn ask_all<S: HubShelf>(
        &mut self,
        shelf: &S,
        now: Timestamp,
        says: &mut Vec<FromHub<S::Body>>,
    ) -> Result<(), S::Error> {
        Lane::ALL.iter().try_for_each(|lane| self.ask(shelf, *lane, now, says))
    }

    /// Asks for the next page, if it is time to.
    fn ask<S: HubShelf>(
        &mut self,
        shelf: &S,
        lane: Lane,
        now: Timestamp,
        says: &mut Vec<FromHub<S::Body>>,
    ) -> Result<(), S::Error> {
        let asking = &mut self.lanes[lane as usize];
        match asking.asked {
            Some((_, at)) if now.since(at) <= ANSWER_WITHIN => return Ok(()),
            // Perhaps it was too much at once.
            Some(_) => asking.rows = (asking.rows / 2).max(1),
            None if now < asking.next_at => return Ok(()),
            None => {}
        }
        asking.asked = Some((self.next_req, now));
        let cursor = shelf.cursor(self.origin, lane)?;
        asking.witnesses = shelf.witnesses(self.origin, lane)?;
        says.push(FromHub::Request(Request {
            req: self.next_req,
            lane,
            since: cursor.place,
            witnesses: asking.witnesses.clone(),
            resetting_over: cursor.resetting_over,
            budget: Budget { rows: asking.rows, bytes: BYTES_MAX },
        }));
        self.next_req += 1;
        Ok(())
    }

    fn answered<S: HubShelf>(
        &mut self,
        shelf: &mut S,
        now: Timestamp,
        response: Response<S::Body>,
        says: &mut Vec<FromHub<S::Body>>,
    ) -> Result<(), S::Error> {
        let lane = response.lane;
        let asking = &mut self.lanes[lane as usize];
        let Some((_, asked_at)) = asking.asked.filter(|(req, _)| *req == response.req || has(Bug::NoFromCheck)) else {
            // Late, or said twice.
            return Ok(());
        };
        asking.asked = None;
        asking.next_at = now + POLL_EVERY;
        if now.since(asked_at) < QUICK {
            asking.rows = (asking.rows * 2).min(self.rows_max);
        }
        let cursor = shelf.cursor(self.origin, lane)?;
        if follows(&response, cursor) || has(Bug::NoFromCheck) {
            let has_more = response.has_more;
            if let Some(rejected) = self.keep(shelf, response, cursor)?
                && !rejected.is_empty()
            {
                says.push(FromHub::Error { error: SyncError::Rejected, rows: rejected });
            }
            if has_more {
                self.lanes[lane as usize].next_at = now;
            }
        }
        self.ask(shelf, lane, now, says)
    }

    /// Keeps a page; returns what of it was refused, or nothing if it was not taken at all.
    fn keep<S: HubShelf>(
        &self,
        shelf: &mut S,
        response: Response<S::Body>,
        cursor: Cursor,
    ) -> Result<Option<Vec<Rejected>>, S::Error> {
        let (mut rows, mut parked, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
        for row in response.rows {
            let verdict = match shelf.table(&row.table) {
                None => Err(SyncError::UnknownTable),
                Some(table) if !is_theirs(table, response.lane) => Err(SyncError::Ownership),
                // Whatever it held: that it is gone must be heard.
                Some(_) if row.is_deleted => Ok(()),
                Some(_) => shelf.check(self.origin, &row)?,
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
        let ends_anew =
            !response.has_more && (response.is_reset || cursor.resetting_over.is_some()) && !has(Bug::NoSweep);
        shelf.take(Taken {
            origin: self.origin,
            lane: response.lane,
            rows,
            parked,
            upto: response.upto,
            head: response.head,
            settled: self.lanes[response.lane as usize].witnesses.clone(),
            begins_anew: response.is_reset.then_some(response.floor),
            ends_anew,
        })?;
        Ok(Some(rejected))
    }

    /// Says what the runner has not confirmed, one page at a time. Those who doubt are told what is complete also
    /// when there is nothing new, but only `again` and then, or the two would never stop talking.
    fn forward<S: HubShelf>(
        &mut self,
        shelf: &S,
        now: Timestamp,
        again: bool,
        says: &mut Vec<FromHub<S::Body>>,
    ) -> Result<(), S::Error> {
        let Some(forwarding) = &mut self.forwarding else { return Ok(()) };
        if forwarding.sent_at.is_some() {
            return Ok(());
        }
        let page = shelf.log(self.origin, forwarding.at, Budget { rows: ROWS.0, bytes: BYTES_MAX })?;
        let complete = if forwarding.is_doubting && !page.has_more { shelf.complete(self.origin)? } else { Vec::new() };
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
        says.push(FromHub::Forward(Forward { hub: shelf.epoch()?, from, upto, mark, has_more, rows, complete }));
        Ok(())
    }
}

/// Whether a runner may say rows of this table in this lane.
fn is_theirs(table: &Table, lane: Lane) -> bool {
    has(Bug::NoOwnership) || table.writer == Writer::Runner && table.lane == lane
}

/// Whether a page begins where the cursor is.
fn follows<B>(response: &Response<B>, cursor: Cursor) -> bool {
    match cursor.place {
        None => response.from == 0,
        Some(place) if response.is_reset => response.from == 0 && response.epoch >= place.at.epoch,
        Some(place) => (response.epoch, response.from) == (place.at.epoch, place.at.seq),
    }
}

/// Where to go on in the log for a runner that has received this much. If it has heard of another history of this hub,
/// that one is over: this hub was wiped or restored.
fn resume<S: HubShelf>(shelf: &mut S, received: Option<Received>) -> Result<u64, S::Error> {
    let Some(received) = received else { return Ok(0) };
    let epoch = shelf.epoch()?;
    let is_ours =
        received.hub == epoch && (received.hseq == 0 || shelf.log_mark(received.hseq)? == Some(received.mark));
    if is_ours || has(Bug::NoHubEpoch) {
        return Ok(received.hseq);
    }
    if received.hub.number >= epoch.number {
        shelf.renew(received.hub.number)?;
    }
    Ok(0)
}
