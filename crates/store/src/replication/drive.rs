//! Runs the protocol's state machines on a database. They are synchronous functions, but a query is asynchronous. So
//! each storage call that has no answer yet aborts the state machine; the query is run, and the state machine starts
//! again with all answers so far, until it finishes. It makes a handful of calls, always the same ones in the same
//! order.

use std::cell::{Cell, RefCell};

use domain::{
    HostId, HubId, Timestamp,
    sync::{
        Budget, Mark, Place, SyncPriority,
        doc::StoredDoc,
        frame::{Forward, FromHub, FromOrigin, HubEpoch, Reach, Received, Rejected, Row, SyncError, TableSum, Witness},
        hub::{self, Cursor, HubReplica, HubSync, LogPage, ReceivedPage},
        origin::{self, OriginReplica, OriginSync, Page},
        table::{Kind, Table},
        tables,
    },
};

use super::{HubSide, StandaloneHost};
use crate::{Result, Tx};

/// The error by which a storage call without an answer aborts the state machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wait;

/// The storage calls of a state machine and their answers, in order.
struct Script<Q, A> {
    answers: Vec<A>,
    next: Cell<usize>,
    asked: RefCell<Option<Q>>,
}

impl<Q, A: Clone> Script<Q, A> {
    fn new() -> Self {
        Self { answers: Vec::new(), next: Cell::new(0), asked: RefCell::new(None) }
    }

    fn ask(&self, question: impl FnOnce() -> Q) -> std::result::Result<A, Wait> {
        let at = self.next.get();
        self.next.set(at + 1);
        self.answers.get(at).cloned().ok_or_else(|| {
            self.asked.replace(Some(question()));
            Wait
        })
    }
}

macro_rules! answers {
    ($answer:ident { $($name:ident($t:ty)),+ $(,)? }) => {
        #[derive(Clone)]
        enum $answer { $($name($t)),+ }
        impl From<()> for $answer {
            fn from((): ()) -> Self {
                Self::Done(())
            }
        }
    };
}

macro_rules! asks {
    ($self:ident, $question:expr, $answer:ident :: $name:ident) => {
        match $self.0.ask(|| $question)? {
            $answer::$name(answer) => Ok(answer),
            // The answer belongs to another call: the state machine did not repeat its calls.
            _ => Err(Wait),
        }
    };
}

// --- the hub's side

enum HubAsks {
    Epoch,
    LogMark(u64),
    Renew(u32),
    Cursor(HostId, SyncPriority),
    Witnesses(HostId, SyncPriority),
    Note(Vec<Witness>),
    Take(Box<ReceivedPage<StoredDoc>>),
    Log(HostId, u64, Budget),
    Sums(HostId, SyncPriority),
    Distrust(HostId, SyncPriority),
}

answers!(HubAnswer {
    Sums(Vec<TableSum>),
    Epoch(HubEpoch),
    LogMark(Option<Mark>),
    Cursor(Cursor),
    Witnesses(Vec<Place>),
    Log(LogPage<StoredDoc>),
    Taken(Vec<Rejected>),
    Done(()),
});

struct HubScript(Script<HubAsks, HubAnswer>);

impl HubReplica for HubScript {
    type Body = StoredDoc;
    type Error = Wait;

    fn epoch(&self) -> std::result::Result<HubEpoch, Wait> {
        asks!(self, HubAsks::Epoch, HubAnswer::Epoch)
    }
    fn log_mark(&self, hseq: u64) -> std::result::Result<Option<Mark>, Wait> {
        asks!(self, HubAsks::LogMark(hseq), HubAnswer::LogMark)
    }
    fn renew(&mut self, above: u32) -> std::result::Result<(), Wait> {
        asks!(self, HubAsks::Renew(above), HubAnswer::Done)
    }
    fn cursor(&self, origin: HostId, priority: SyncPriority) -> std::result::Result<Cursor, Wait> {
        asks!(self, HubAsks::Cursor(origin, priority), HubAnswer::Cursor)
    }
    fn witnesses(&self, origin: HostId, priority: SyncPriority) -> std::result::Result<Vec<Place>, Wait> {
        asks!(self, HubAsks::Witnesses(origin, priority), HubAnswer::Witnesses)
    }
    fn note(&mut self, seen: &[Witness]) -> std::result::Result<(), Wait> {
        if seen.is_empty() {
            return Ok(());
        }
        asks!(self, HubAsks::Note(seen.to_vec()), HubAnswer::Done)
    }
    fn table(&self, name: &str) -> Option<&Table> {
        tables::table(name)
    }
    fn check(&self, _: HostId, row: &Row<StoredDoc>) -> std::result::Result<std::result::Result<(), SyncError>, Wait> {
        Ok(row.check())
    }
    fn take(&mut self, taken: ReceivedPage<StoredDoc>) -> std::result::Result<Vec<Rejected>, Wait> {
        asks!(self, HubAsks::Take(Box::new(taken)), HubAnswer::Taken)
    }
    fn log(&self, host: HostId, after: u64, budget: Budget) -> std::result::Result<LogPage<StoredDoc>, Wait> {
        asks!(self, HubAsks::Log(host, after, budget), HubAnswer::Log)
    }
    fn sums(&self, origin: HostId, priority: SyncPriority) -> std::result::Result<Vec<TableSum>, Wait> {
        asks!(self, HubAsks::Sums(origin, priority), HubAnswer::Sums)
    }
    fn distrust(&mut self, origin: HostId, priority: SyncPriority) -> std::result::Result<(), Wait> {
        asks!(self, HubAsks::Distrust(origin, priority), HubAnswer::Done)
    }
    fn complete(&self, _: HostId) -> std::result::Result<Vec<Witness>, Wait> {
        // The hub forwards only its own rows, and the last page of its log already ends their resend.
        Ok(Vec::new())
    }
}

/// The result of handling an input.
#[derive(Debug, Clone)]
pub struct Handled<C, S> {
    /// The state machine afterwards. Keep it only once the transaction is committed.
    pub core: C,
    /// The messages to send.
    pub frames: Vec<S>,
}

impl Tx<'_> {
    /// Handles an input of the hub's side of a link. The state machine must be that of the sender's link.
    pub async fn sync_hub_handle(
        &mut self,
        side: &HubSide,
        core: HubSync,
        input: hub::HubInput<StoredDoc>,
    ) -> Result<Handled<HubSync, FromHub<StoredDoc>>> {
        if core.origin() != side.sender.host() {
            return Err(crate::Error::Dangling);
        }
        let mut replica = HubScript(Script::new());
        loop {
            let mut attempt = core.clone();
            replica.0.next.set(0);
            if let Ok(frames) = attempt.handle(&mut replica, side.now, input.clone()) {
                if let hub::HubInput::Received(FromOrigin::CatchUp { .. }) = &input {
                    self.sync_acked_put(attempt.origin(), attempt.confirmed().unwrap_or(0), side.now).await?;
                }
                return Ok(Handled { core: attempt, frames });
            }
            let Some(question) = replica.0.asked.take() else { return Err(crate::Error::Panicked) };
            let answer = self.hub_answer(side, question).await?;
            replica.0.answers.push(answer);
        }
    }

    async fn hub_answer(&mut self, side: &HubSide, question: HubAsks) -> Result<HubAnswer> {
        Ok(match question {
            HubAsks::Epoch => HubAnswer::Epoch(self.sync_hub_epoch(side.random, side.now).await?),
            HubAsks::LogMark(hseq) => HubAnswer::LogMark(self.sync_hub_mark(hseq).await?),
            HubAsks::Renew(above) => self.sync_hub_renew(above, side.random, side.now).await?.into(),
            HubAsks::Cursor(origin, priority) => HubAnswer::Cursor(self.sync_cursor(origin, priority).await?),
            HubAsks::Witnesses(origin, priority) => HubAnswer::Witnesses(self.sync_witnesses(origin, priority).await?),
            HubAsks::Note(seen) => self.sync_note(&seen).await?.into(),
            HubAsks::Sums(origin, priority) => HubAnswer::Sums(self.sync_sums(origin, priority).await?),
            HubAsks::Distrust(origin, priority) => self.sync_distrust(origin, priority).await?.into(),
            HubAsks::Take(page) => HubAnswer::Taken(self.sync_take(side, *page).await?),
            HubAsks::Log(host, after, budget) => HubAnswer::Log(self.sync_log_page(side, host, after, budget).await?),
        })
    }
}

// --- the runner's side

enum OriginAsks {
    Epoch,
    Reach(SyncPriority),
    Mark(SyncPriority, u64),
    Page(SyncPriority, u64, Budget),
    Renumber(u32),
    Confirm(HubId, SyncPriority, Place),
    Received(HubId),
    Take(HubId, Box<Forward<StoredDoc>>),
    Sums(SyncPriority),
}

answers!(OriginAnswer {
    Sums(Vec<TableSum>),
    Epoch(u32),
    Reach(Reach),
    Mark(Option<Mark>),
    Page(Page<StoredDoc>),
    Received(Option<Received>),
    Done(()),
});

struct OriginScript(Script<OriginAsks, OriginAnswer>);

impl OriginReplica for OriginScript {
    type Body = StoredDoc;
    type Error = Wait;

    fn epoch(&self) -> std::result::Result<u32, Wait> {
        asks!(self, OriginAsks::Epoch, OriginAnswer::Epoch)
    }
    fn reach(&self, priority: SyncPriority) -> std::result::Result<Reach, Wait> {
        asks!(self, OriginAsks::Reach(priority), OriginAnswer::Reach)
    }
    fn mark(&self, priority: SyncPriority, seq: u64) -> std::result::Result<Option<Mark>, Wait> {
        asks!(self, OriginAsks::Mark(priority, seq), OriginAnswer::Mark)
    }
    fn page(&self, priority: SyncPriority, after: u64, budget: Budget) -> std::result::Result<Page<StoredDoc>, Wait> {
        asks!(self, OriginAsks::Page(priority, after, budget), OriginAnswer::Page)
    }
    fn renumber(&mut self, epoch: u32) -> std::result::Result<(), Wait> {
        asks!(self, OriginAsks::Renumber(epoch), OriginAnswer::Done)
    }
    fn confirm(&mut self, hub: HubId, priority: SyncPriority, place: Place) -> std::result::Result<(), Wait> {
        asks!(self, OriginAsks::Confirm(hub, priority, place), OriginAnswer::Done)
    }
    fn received(&self, hub: HubId) -> std::result::Result<Option<Received>, Wait> {
        asks!(self, OriginAsks::Received(hub), OriginAnswer::Received)
    }
    fn sums(&self, priority: SyncPriority) -> std::result::Result<Vec<TableSum>, Wait> {
        asks!(self, OriginAsks::Sums(priority), OriginAnswer::Sums)
    }
    fn is_doubting(&self, _: HubId) -> std::result::Result<bool, Wait> {
        // The hub forwards only its own rows: see [`Tx::sync_take_forward`].
        Ok(false)
    }
    fn seen(&self) -> std::result::Result<Vec<Witness>, Wait> {
        Ok(Vec::new())
    }
    fn take(&mut self, hub: HubId, forward: &Forward<StoredDoc>) -> std::result::Result<(), Wait> {
        asks!(self, OriginAsks::Take(hub, Box::new(forward.clone())), OriginAnswer::Done)
    }
}

/// The context in which the runner's side handles an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OriginSide {
    pub now: Timestamp,
    /// Whether this transaction may write. If not, confirmations are returned, to be written later: only the purge of
    /// deletions and marks depends on them.
    pub may_write: bool,
    /// Where the triggers of this hub fire on this machine; `None` if they do not.
    pub standalone: Option<StandaloneHost>,
}

/// The input needs a transaction that may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeedsWrite;

/// The result of the runner's side, and the confirmations that were not written.
type OriginHandled = (Handled<OriginSync, FromOrigin<StoredDoc>>, Vec<(HubId, SyncPriority, Place)>);

impl Tx<'_> {
    /// Handles an input of the runner's side of a link. Returns the hub's confirmations that were not written.
    ///
    /// `ahead` is a page that was read before, and the sequence number it follows. It may be stale: a row that has
    /// changed since has a higher number and is part of a later page.
    pub async fn sync_origin_handle(
        &mut self,
        side: OriginSide,
        core: OriginSync,
        input: origin::OriginInput<StoredDoc>,
        mut ahead: Option<(u64, Page<StoredDoc>)>,
    ) -> Result<std::result::Result<OriginHandled, NeedsWrite>> {
        let mut replica = OriginScript(Script::new());
        let mut confirmed = Vec::new();
        loop {
            let mut attempt = core.clone();
            replica.0.next.set(0);
            if let Ok(frames) = attempt.handle(&mut replica, input.clone()) {
                return Ok(Ok((Handled { core: attempt, frames }, confirmed)));
            }
            let Some(question) = replica.0.asked.take() else { return Err(crate::Error::Panicked) };
            let answer = match question {
                OriginAsks::Page(_, from, _) if ahead.as_ref().is_some_and(|(after, _)| *after == from) => {
                    ahead.take().map_or_else(|| ().into(), |(_, page)| OriginAnswer::Page(page))
                }
                OriginAsks::Confirm(hub, priority, place) if !side.may_write => {
                    confirmed.push((hub, priority, place));
                    ().into()
                }
                OriginAsks::Renumber(_) | OriginAsks::Take(..) if !side.may_write => return Ok(Err(NeedsWrite)),
                question => self.origin_answer(side, question).await?,
            };
            replica.0.answers.push(answer);
        }
    }

    async fn origin_answer(&mut self, side: OriginSide, question: OriginAsks) -> Result<OriginAnswer> {
        let now = side.now;
        Ok(match question {
            OriginAsks::Epoch => OriginAnswer::Epoch(self.sync_epoch().await?.unwrap_or(1)),
            OriginAsks::Reach(priority) => OriginAnswer::Reach(self.sync_reach(priority).await?),
            OriginAsks::Mark(priority, seq) => OriginAnswer::Mark(self.sync_mark(priority, seq).await?),
            OriginAsks::Page(priority, after, budget) => {
                OriginAnswer::Page(self.sync_page(priority, after, budget).await?)
            }
            OriginAsks::Renumber(epoch) => self.sync_renumber(epoch, now).await?.into(),
            OriginAsks::Confirm(hub, priority, place) => self.sync_confirm(hub, priority, place, now).await?.into(),
            OriginAsks::Received(hub) => OriginAnswer::Received(self.sync_received(hub).await?),
            OriginAsks::Sums(priority) => {
                let mut sums = Vec::new();
                for table in
                    tables::TABLES.iter().filter(|table| table.priority == priority && table.kind == Kind::Mirror)
                {
                    sums.push(TableSum { table: table.name.into(), digest: self.sync_own_digest(table).await? });
                }
                OriginAnswer::Sums(sums)
            }
            OriginAsks::Take(hub, forward) => self.sync_take_forward(side, hub, &forward).await?.into(),
        })
    }
}
