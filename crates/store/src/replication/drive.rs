//! The protocol's cores are plain functions; a database answers later. What a core asks for is therefore looked up, and
//! the core is run again from the beginning with all answers so far, until it needs none any more. It asks a handful of
//! questions, always the same ones in the same order.

use std::cell::{Cell, RefCell};

use domain::{
    HostId, HubId, Timestamp,
    sync::{
        Budget, Lane, Mark, Place,
        doc::Held,
        frame::{Forward, FromHub, FromOrigin, HubEpoch, Reach, Received, Row, Seen, SyncError, TableSum},
        hub::{self, Cursor, HubShelf, HubSync, LogPage, Taken},
        origin::{self, OriginShelf, OriginSync, Page},
        table::{Kind, Table},
        tables,
    },
};

use super::{HubSide, Seat};
use crate::{Result, Tx};

/// The answer is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wait;

/// Questions and their answers, in order.
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
            // Another answer than was asked for: the core did not do the same again.
            _ => Err(Wait),
        }
    };
}

// --- the hub's side

enum HubAsks {
    Epoch,
    LogMark(u64),
    Renew(u32),
    Cursor(HostId, Lane),
    Witnesses(HostId, Lane),
    Note(Vec<Seen>),
    Take(Box<Taken<Held>>),
    Log(HostId, u64, Budget),
    Sums(HostId, Lane),
    Distrust(HostId, Lane),
}

answers!(HubAnswer {
    Sums(Vec<TableSum>),
    Epoch(HubEpoch),
    LogMark(Option<Mark>),
    Cursor(Cursor),
    Witnesses(Vec<Place>),
    Log(LogPage<Held>),
    Done(()),
});

struct HubScript(Script<HubAsks, HubAnswer>);

impl HubShelf for HubScript {
    type Body = Held;
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
    fn cursor(&self, origin: HostId, lane: Lane) -> std::result::Result<Cursor, Wait> {
        asks!(self, HubAsks::Cursor(origin, lane), HubAnswer::Cursor)
    }
    fn witnesses(&self, origin: HostId, lane: Lane) -> std::result::Result<Vec<Place>, Wait> {
        asks!(self, HubAsks::Witnesses(origin, lane), HubAnswer::Witnesses)
    }
    fn note(&mut self, seen: &[Seen]) -> std::result::Result<(), Wait> {
        if seen.is_empty() {
            return Ok(());
        }
        asks!(self, HubAsks::Note(seen.to_vec()), HubAnswer::Done)
    }
    fn table(&self, name: &str) -> Option<&Table> {
        tables::table(name)
    }
    fn check(&self, _: HostId, row: &Row<Held>) -> std::result::Result<std::result::Result<(), SyncError>, Wait> {
        Ok(row.check())
    }
    fn take(&mut self, taken: Taken<Held>) -> std::result::Result<(), Wait> {
        asks!(self, HubAsks::Take(Box::new(taken)), HubAnswer::Done)
    }
    fn log(&self, host: HostId, after: u64, budget: Budget) -> std::result::Result<LogPage<Held>, Wait> {
        asks!(self, HubAsks::Log(host, after, budget), HubAnswer::Log)
    }
    fn sums(&self, origin: HostId, lane: Lane) -> std::result::Result<Vec<TableSum>, Wait> {
        asks!(self, HubAsks::Sums(origin, lane), HubAnswer::Sums)
    }
    fn distrust(&mut self, origin: HostId, lane: Lane) -> std::result::Result<(), Wait> {
        asks!(self, HubAsks::Distrust(origin, lane), HubAnswer::Done)
    }
    fn complete(&self, _: HostId) -> std::result::Result<Vec<Seen>, Wait> {
        // Only the hub's own rows are forwarded: a log that begins anew says by itself when it has said all of them.
        Ok(Vec::new())
    }
}

/// What a core made of an event.
#[derive(Debug, Clone)]
pub struct Handled<C, S> {
    /// The core afterwards: it counts once the transaction is committed.
    pub core: C,
    /// What to say.
    pub says: Vec<S>,
}

impl Tx<'_> {
    /// Lets the hub's side of a link handle an event.
    pub async fn sync_hub_handle(
        &mut self,
        side: &HubSide,
        core: HubSync,
        input: hub::Input<Held>,
    ) -> Result<Handled<HubSync, FromHub<Held>>> {
        let mut shelf = HubScript(Script::new());
        loop {
            let mut attempt = core.clone();
            shelf.0.next.set(0);
            if let Ok(says) = attempt.handle(&mut shelf, side.now, input.clone()) {
                if let hub::Input::Heard(FromOrigin::CatchUp { .. }) = &input {
                    self.sync_told_put(attempt.origin(), attempt.confirmed().unwrap_or(0), side.now).await?;
                }
                return Ok(Handled { core: attempt, says });
            }
            let Some(question) = shelf.0.asked.take() else { return Err(crate::Error::Panicked) };
            let answer = self.hub_answer(side, question).await?;
            shelf.0.answers.push(answer);
        }
    }

    async fn hub_answer(&mut self, side: &HubSide, question: HubAsks) -> Result<HubAnswer> {
        Ok(match question {
            HubAsks::Epoch => HubAnswer::Epoch(self.sync_hub_epoch(side.random, side.now).await?),
            HubAsks::LogMark(hseq) => HubAnswer::LogMark(self.sync_hub_mark(hseq).await?),
            HubAsks::Renew(above) => self.sync_hub_renew(above, side.random, side.now).await?.into(),
            HubAsks::Cursor(origin, lane) => HubAnswer::Cursor(self.sync_cursor(origin, lane).await?),
            HubAsks::Witnesses(origin, lane) => HubAnswer::Witnesses(self.sync_witnesses(origin, lane).await?),
            HubAsks::Note(seen) => self.sync_note(&seen).await?.into(),
            HubAsks::Sums(origin, lane) => HubAnswer::Sums(self.sync_sums(origin, lane).await?),
            HubAsks::Distrust(origin, lane) => self.sync_distrust(origin, lane).await?.into(),
            HubAsks::Take(taken) => self.sync_take(side, *taken).await?.into(),
            HubAsks::Log(host, after, budget) => HubAnswer::Log(self.sync_log_page(side, host, after, budget).await?),
        })
    }
}

// --- the runner's side

enum OriginAsks {
    Epoch,
    Reach(Lane),
    Mark(Lane, u64),
    Page(Lane, u64, Budget),
    Renumber(u32),
    Confirm(HubId, Lane, Place),
    Received(HubId),
    Take(HubId, Box<Forward<Held>>),
    Sums(Lane),
}

answers!(OriginAnswer {
    Sums(Vec<TableSum>),
    Epoch(u32),
    Reach(Reach),
    Mark(Option<Mark>),
    Page(Page<Held>),
    Received(Option<Received>),
    Done(()),
});

struct OriginScript(Script<OriginAsks, OriginAnswer>);

impl OriginShelf for OriginScript {
    type Body = Held;
    type Error = Wait;

    fn epoch(&self) -> std::result::Result<u32, Wait> {
        asks!(self, OriginAsks::Epoch, OriginAnswer::Epoch)
    }
    fn reach(&self, lane: Lane) -> std::result::Result<Reach, Wait> {
        asks!(self, OriginAsks::Reach(lane), OriginAnswer::Reach)
    }
    fn mark(&self, lane: Lane, seq: u64) -> std::result::Result<Option<Mark>, Wait> {
        asks!(self, OriginAsks::Mark(lane, seq), OriginAnswer::Mark)
    }
    fn page(&self, lane: Lane, after: u64, budget: Budget) -> std::result::Result<Page<Held>, Wait> {
        asks!(self, OriginAsks::Page(lane, after, budget), OriginAnswer::Page)
    }
    fn renumber(&mut self, epoch: u32) -> std::result::Result<(), Wait> {
        asks!(self, OriginAsks::Renumber(epoch), OriginAnswer::Done)
    }
    fn confirm(&mut self, hub: HubId, lane: Lane, place: Place) -> std::result::Result<(), Wait> {
        asks!(self, OriginAsks::Confirm(hub, lane, place), OriginAnswer::Done)
    }
    fn received(&self, hub: HubId) -> std::result::Result<Option<Received>, Wait> {
        asks!(self, OriginAsks::Received(hub), OriginAnswer::Received)
    }
    fn sums(&self, lane: Lane) -> std::result::Result<Vec<TableSum>, Wait> {
        asks!(self, OriginAsks::Sums(lane), OriginAnswer::Sums)
    }
    fn is_doubting(&self, _: HubId) -> std::result::Result<bool, Wait> {
        // Only rows of the hub itself are held: see [`Tx::sync_take_forward`].
        Ok(false)
    }
    fn seen(&self) -> std::result::Result<Vec<Seen>, Wait> {
        Ok(Vec::new())
    }
    fn take(&mut self, hub: HubId, forward: &Forward<Held>) -> std::result::Result<(), Wait> {
        asks!(self, OriginAsks::Take(hub, Box::new(forward.clone())), OriginAnswer::Done)
    }
}

/// How a runner's side is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OriginSide {
    /// Now.
    pub now: Timestamp,
    /// Whether this transaction may write. If not, confirmations are handed back to be written later; nothing depends
    /// on them but what may be forgotten.
    pub may_write: bool,
    /// Where triggers of this hub fire here, if they do.
    pub seat: Option<Seat>,
}

/// This event needs a transaction that may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeedsWrite;

/// What a runner's core made of an event, and what is left to write down.
type OriginHandled = (Handled<OriginSync, FromOrigin<Held>>, Vec<(HubId, Lane, Place)>);

impl Tx<'_> {
    /// Lets the runner's side of a link handle an event. Returns what hubs have confirmed, if that was not written.
    ///
    /// `ahead` is the page after a number, if it was read before: what has changed since has a number after it and comes
    /// later.
    pub async fn sync_origin_handle(
        &mut self,
        side: OriginSide,
        core: OriginSync,
        input: origin::Input<Held>,
        mut ahead: Option<(u64, Page<Held>)>,
    ) -> Result<std::result::Result<OriginHandled, NeedsWrite>> {
        let mut shelf = OriginScript(Script::new());
        let mut confirmed = Vec::new();
        loop {
            let mut attempt = core.clone();
            shelf.0.next.set(0);
            if let Ok(says) = attempt.handle(&mut shelf, input.clone()) {
                return Ok(Ok((Handled { core: attempt, says }, confirmed)));
            }
            let Some(question) = shelf.0.asked.take() else { return Err(crate::Error::Panicked) };
            let answer = match question {
                OriginAsks::Page(_, from, _) if ahead.as_ref().is_some_and(|(after, _)| *after == from) => {
                    ahead.take().map_or_else(|| ().into(), |(_, page)| OriginAnswer::Page(page))
                }
                OriginAsks::Confirm(hub, lane, place) if !side.may_write => {
                    confirmed.push((hub, lane, place));
                    ().into()
                }
                OriginAsks::Renumber(_) | OriginAsks::Take(..) if !side.may_write => return Ok(Err(NeedsWrite)),
                question => self.origin_answer(side, question).await?,
            };
            shelf.0.answers.push(answer);
        }
    }

    async fn origin_answer(&mut self, side: OriginSide, question: OriginAsks) -> Result<OriginAnswer> {
        let now = side.now;
        Ok(match question {
            OriginAsks::Epoch => OriginAnswer::Epoch(self.sync_epoch().await?.unwrap_or(1)),
            OriginAsks::Reach(lane) => OriginAnswer::Reach(self.sync_reach(lane).await?),
            OriginAsks::Mark(lane, seq) => OriginAnswer::Mark(self.sync_mark(lane, seq).await?),
            OriginAsks::Page(lane, after, budget) => OriginAnswer::Page(self.sync_page(lane, after, budget).await?),
            OriginAsks::Renumber(epoch) => self.sync_renumber(epoch, now).await?.into(),
            OriginAsks::Confirm(hub, lane, place) => self.sync_confirm(hub, lane, place, now).await?.into(),
            OriginAsks::Received(hub) => OriginAnswer::Received(self.sync_received(hub).await?),
            OriginAsks::Sums(lane) => {
                let mut sums = Vec::new();
                for table in tables::TABLES.iter().filter(|table| table.lane == lane && table.kind == Kind::Mirror) {
                    sums.push(TableSum { table: table.name.into(), digest: self.sync_own_digest(table).await? });
                }
                OriginAnswer::Sums(sums)
            }
            OriginAsks::Take(hub, forward) => self.sync_take_forward(side, hub, &forward).await?.into(),
        })
    }
}
