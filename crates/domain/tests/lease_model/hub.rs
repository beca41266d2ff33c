//! The hubs' transactions. Each is one atomic step; a hub keeps nothing between two of them but a sweeper's note.
//!
//! Which hub acts does not matter: all of them see the one database, and a hub that is wrong about a session is
//! refused by the transaction. A hub that goes down between its commit and its answer is a lost message.

use domain::{
    Span, Timestamp,
    job::{After, End, EndReason, JobStatus, OnLost, Record, RunStatus, after},
};

use crate::state::{Db, Lease, MAX_ATTEMPTS, Message, Model, Mutant, Note, Outcome, State};

const NOW: Timestamp = Timestamp::from_micros(1_000_000_000);
const DELAY: Span = Span::from_secs(2);

impl Model {
    /// A session with the next epoch. Claims wait for its inventory.
    pub(crate) fn hello(state: &mut State, runner: u8) -> u8 {
        let session = &mut state.db.sessions[usize::from(runner)];
        session.epoch += 1;
        session.is_synced = false;
        session.is_silent = false;
        session.epoch
    }

    /// Whether a hub that believes `epoch` to be the runner's session may take the job for it.
    pub(crate) fn may_claim(&self, db: &Db, runner: u8, epoch: u8) -> bool {
        let session = db.sessions[usize::from(runner)];
        let is_current = epoch == session.epoch || self.has(Mutant::ClaimOldEpoch) && epoch > 0;
        let is_live = !session.is_silent || self.has(Mutant::ClaimForSilent);
        db.ready.is_some() && is_current && session.is_synced && is_live
    }

    pub(crate) fn claim(state: &mut State, runner: u8, epoch: u8) {
        let Some(fence) = state.db.ready.take().map(|fence| fence + 1) else { return };
        state.db.lease = Some(Lease { holder: runner, epoch, fence, is_held: false, is_cancel_asked: false });
        state.net.send(Message::Grant { runner, epoch, fence });
    }

    /// The runner says what it has. Only leases of its earlier sessions are judged by it: what this one was
    /// granted may have been on its way when the list was made.
    pub(crate) fn reconcile(&self, state: &mut State, runner: u8, epoch: u8, mask: u8) {
        let session = &mut state.db.sessions[usize::from(runner)];
        if session.epoch != epoch {
            return;
        }
        session.is_synced = true;
        session.is_silent = false;
        let is_listed = |fence: u8| mask >> (fence - 1) & 1 == 1;
        let is_judged = |lease: &Lease| {
            lease.holder == runner
                && (lease.epoch < epoch || lease.epoch == epoch && self.has(Mutant::InventoryOfOwnEpoch))
        };
        if let Some(lease) = state.db.lease.as_mut().filter(|lease| is_judged(lease)) {
            let is_kept = match self.mutant {
                Mutant::InventoryIgnored => true,
                Mutant::InventoryFreesAll => false,
                _ => is_listed(lease.fence),
            };
            if is_kept {
                lease.epoch = epoch;
                lease.is_held = false;
            } else {
                let lease = *lease;
                self.end(&mut state.db, lease, RunStatus::NotStarted);
            }
        }
        for fence in (1..=8).filter(|fence| is_listed(*fence)) {
            if !state.db.is_leased_to(runner, fence) {
                state.net.send(Message::Forget { runner, fence });
            }
        }
    }

    /// A report: applied if the lease is exactly the one it names. Answered with `Forget` once nothing is left to
    /// decide about that run; a report of an earlier session gets no answer, because it will be repeated in this one.
    pub(crate) fn finish(&self, state: &mut State, (runner, epoch, fence): (u8, u8, u8), status: RunStatus) {
        let db = &mut state.db;
        let is_hit = |lease: &Lease| {
            lease.holder == runner
                && (lease.epoch == epoch || self.has(Mutant::FinishIgnoresEpoch))
                && (lease.fence == fence || self.has(Mutant::FinishWithoutFence))
        };
        if let Some(lease) = db.lease.filter(is_hit) {
            self.end(db, lease, status);
        } else if self.has(Mutant::FinishWithoutLease) && db.lease.is_none() {
            let lease = Lease { holder: runner, epoch, fence, is_held: false, is_cancel_asked: false };
            self.end(db, lease, status);
        }
        if !db.is_leased_to(runner, fence) || self.has(Mutant::StaleForgets) {
            state.net.send(Message::Forget { runner, fence });
        }
    }

    /// The sweeper's look: a lease whose holder is silent.
    pub(crate) fn sweep_read(db: &Db) -> Option<Note> {
        let lease = db.lease.filter(|lease| db.sessions[usize::from(lease.holder)].is_silent)?;
        (!lease.is_held).then_some(Note { holder: lease.holder, epoch: lease.epoch, fence: lease.fence })
    }

    /// The sweeper's act, some time later: only upon the very lease it saw.
    pub(crate) fn sweep_write(&self, state: &mut State, note: Note) {
        let is_seen = |lease: &Lease| {
            self.has(Mutant::SweepWithoutFence)
                || (lease.holder, lease.epoch, lease.fence) == (note.holder, note.epoch, note.fence)
        };
        let Some(lease) = state.db.lease.as_mut().filter(|lease| is_seen(lease)) else { return };
        if self.on_lost == OnLost::Hold && !self.has(Mutant::SweepIgnoresHold) {
            lease.is_held = true;
        } else {
            let lease = *lease;
            self.end(&mut state.db, lease, RunStatus::Lost);
        }
    }

    /// A person cancels: at once if it waits; else the holder is told, again and again, and has the last word.
    pub(crate) fn cancel(&self, state: &mut State) {
        state.ghost.is_cancel_accepted = true;
        if let Some(lease) = &mut state.db.lease {
            lease.is_cancel_asked = true;
            return;
        }
        let fence = state.db.ready.or(state.db.waiting).unwrap_or_default() + 1;
        if !self.has(Mutant::CancelLeavesReady) {
            state.db.ready = None;
            state.db.waiting = None;
        }
        state.db.outcome = Some(Outcome { fence, status: JobStatus::Canceled });
    }

    /// A person ends a held job without its holder. Whatever still runs there is stopped on its return.
    pub(crate) fn force(state: &mut State) {
        if let Some(lease) = state.db.lease.take() {
            state.ghost.is_forced = true;
            state.db.outcome = Some(Outcome { fence: lease.fence + 1, status: JobStatus::Canceled });
        }
    }

    /// A run is over: what follows is the domain's decision.
    fn end(&self, db: &mut Db, lease: Lease, status: RunStatus) {
        if status.is_free() {
            db.free_ends += 1;
        } else {
            db.attempts += 1;
        }
        let record = Record {
            attempts: u32::from(db.attempts),
            free_ends: u32::from(db.free_ends),
            max_attempts: MAX_ATTEMPTS,
            is_cancel_asked: lease.is_cancel_asked && !self.has(Mutant::CancelForgotten),
            is_final_exit: false,
            expires_at: None,
        };
        db.lease = None;
        match after(End { status, exit_code: None, retry_after: None }, &record, DELAY, NOW) {
            After::Over(status, reason) => {
                assert_ne!(reason, Some(EndReason::Expired), "nothing expires here");
                db.outcome = Some(Outcome { fence: lease.fence, status });
            }
            After::Again(_) => db.waiting = Some(lease.fence),
        }
    }
}
