//! The transactions of the hubs. Each is one atomic step; between two of them a hub keeps nothing in memory but the
//! note of its reaper.
//!
//! The model does not record which hub acts: all hubs use one database, and a transaction rejects a hub with a stale
//! view of a session. A hub that crashes between its commit and its response is modeled as a lost message.

use domain::{
    Span, Timestamp,
    job::{After, End, EndReason, JobStatus, OnLost, Record, RunStatus, after},
};

use crate::state::{Db, Lease, MAX_ATTEMPTS, Message, Model, Mutant, Note, Outcome, State};

const NOW: Timestamp = Timestamp::from_micros(1_000_000_000);
const DELAY: Span = Span::from_secs(2);

impl Model {
    /// Opens a session with the next epoch. The runner gets no grants before its inventory has arrived.
    pub(crate) fn hello(state: &mut State, runner: u8) -> u8 {
        let session = &mut state.db.sessions[usize::from(runner)];
        session.epoch += 1;
        session.is_synced = false;
        session.is_silent = false;
        session.epoch
    }

    /// Whether a hub that assumes `epoch` to be the runner's current session may claim the job for it.
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

    /// Applies a runner's inventory. It decides only about leases of earlier sessions: a grant of the current session
    /// may have been under way when the inventory was made.
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

    /// Applies a report if the lease is exactly the one that the report names. The hub answers with `Forget` once
    /// nothing is left to decide about the run. A report of an earlier session gets no answer, because the runner
    /// repeats it in the current session.
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

    /// The reaper reads: a lease whose holder is silent.
    pub(crate) fn reap_read(db: &Db) -> Option<Note> {
        let lease = db.lease.filter(|lease| db.sessions[usize::from(lease.holder)].is_silent)?;
        (!lease.is_held).then_some(Note { holder: lease.holder, epoch: lease.epoch, fence: lease.fence })
    }

    /// The reaper writes, some time later: only if the lease is still the one that it read.
    pub(crate) fn reap_write(&self, state: &mut State, note: Note) {
        let is_seen = |lease: &Lease| {
            self.has(Mutant::ReapWithoutFence)
                || (lease.holder, lease.epoch, lease.fence) == (note.holder, note.epoch, note.fence)
        };
        let Some(lease) = state.db.lease.as_mut().filter(|lease| is_seen(lease)) else { return };
        if self.on_lost == OnLost::Hold && !self.has(Mutant::ReapIgnoresHold) {
            lease.is_held = true;
        } else {
            let lease = *lease;
            self.end(&mut state.db, lease, RunStatus::Lost);
        }
    }

    /// Cancels the job: immediately if it waits. Otherwise the request is sent to the holder repeatedly, and the
    /// holder's report decides.
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
        let is_wrong = self.has(Mutant::CancelRecordsFailure);
        let status = if is_wrong { JobStatus::Failed } else { JobStatus::Canceled };
        state.db.outcome = Some(Outcome { fence, status });
    }

    /// Cancels a held job by force, without its holder. A process that still runs is stopped when the holder returns.
    pub(crate) fn force(state: &mut State) {
        if let Some(lease) = state.db.lease.take() {
            state.ghost.is_forced = true;
            state.db.outcome = Some(Outcome { fence: lease.fence + 1, status: JobStatus::Canceled });
        }
    }

    /// Ends a run; `domain::job::after` decides what follows.
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
