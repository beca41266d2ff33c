//! The queue: guarantees, transactions, locks and caches.
//!
//! **Guarantees.** An accepted job is durable before its caller gets an answer. A job runs in one run at a time: a lease
//! names its holder, the epoch of the holder's session, and a fence that grows with every claim; a report that names
//! another lease is stored as evidence and changes nothing. Limits hold over all hubs. A claim takes the jobs of a lane in
//! the order of priority, due time and id; a job that another claim has locked is skipped.
//!
//! **Transactions.** Three functions work on arrays inside a transaction: [`enqueue`], [`claim`] and [`finish`]. Four
//! transactions call them:
//!
//! | Transaction | Calls | For |
//! |---|---|---|
//! | `dispatch::enqueue_and_claim` | enqueue, then claim if a runner is idle | requests |
//! | `dispatch::claim_loop` | claim | runners in the line, HTTP workers |
//! | `dispatch::finish_and_claim` | finish, then claim for the new credit | reports of one runner |
//! | `dispatch::finish_and_claim::finish_all`, and loops and use cases in `hub` | finish | reports of several runners, lost runs, inventories, forced cancellations |
//!
//! Schedules and event triggers call `enqueue` inside transactions of their own.
//!
//! **Locks**, in this order in every transaction, rows of one table by ascending id: dedupe keys, idempotency keys; leases;
//! holders, which also protect the shares of their host; limits; ready rows. The last step skips locked rows, and a claim
//! skips a locked holder. Lanes are created in a transaction of their own, because that locks the org.
//!
//! **Caches.** Everything in `cache` and in the dispatcher may be lost: immutable rows are read again, and a wrong hint
//! costs a query or a wait of at most one poll (ADR 25).
//!
//! Modules import in one direction: `cache` ← `claim` ← {`enqueue`, `finish`} ← `dispatch`.
//!
//! - `cache`: immutable rows and hints
//! - `claim`: leases for jobs that a holder can start
//! - `commit`: commits whose answer was lost
//! - `dispatch`: linked runners, and the transactions above
//! - `enqueue`: insertion of jobs
//! - `events`: events and counts of a transaction
//! - `finish`: ends of runs
//! - `log_waiters`: requests that wait for output lines
//! - `model_tests`: random histories beside a reference model
//! - `servers`: jobs that start, stop or restart a server
//! - `stats`: recent statistics for display
//! - `test_support`: fixture of the queue's tests

pub(crate) mod cache;
pub(crate) mod claim;
mod commit;
pub(crate) mod dispatch;
pub(crate) mod enqueue;
pub(crate) mod events;
pub(crate) mod finish;
pub(crate) mod log_waiters;
#[cfg(test)]
mod model_tests;
pub(crate) mod servers;
pub(crate) mod stats;
#[cfg(test)]
pub(crate) mod test_support;

use runtime::TaskTracker;
use store::Store;

use self::{
    cache::{
        definitions::Definitions, lane_cursor::LaneCursors, lanes::Lanes, org_slug::OrgSlugs, queue_depth::QueueDepth,
        secret_names::SecretNames,
    },
    dispatch::{Dispatcher, claim_loop, enqueue_and_claim, finish_and_claim, hub_notify},
    enqueue::Enqueuer,
    finish::Finisher,
    log_waiters::LogWaiters,
    stats::QueueStats,
};

/// The queue of a hub: its writers' inputs, linked runners, and caches.
pub(crate) struct Queue {
    pub(crate) enqueuer: Enqueuer,
    pub(crate) finisher: Finisher,
    pub(crate) dispatcher: Dispatcher,
    pub(crate) definitions: Definitions,
    pub(crate) lanes: Lanes,
    pub(crate) lane_cursors: LaneCursors,
    pub(crate) org_slugs: OrgSlugs,
    pub(crate) queue_depth: QueueDepth,
    pub(crate) secret_names: SecretNames,
    pub(crate) log_waiters: LogWaiters,
    pub(crate) stats: QueueStats,
}

impl Queue {
    pub(crate) fn new() -> Self {
        Self {
            enqueuer: Enqueuer::new(),
            finisher: Finisher::new(),
            dispatcher: Dispatcher::default(),
            definitions: Definitions::default(),
            lanes: Lanes::default(),
            lane_cursors: LaneCursors::default(),
            org_slugs: OrgSlugs::default(),
            queue_depth: QueueDepth::default(),
            secret_names: SecretNames::default(),
            log_waiters: LogWaiters::default(),
            stats: QueueStats::default(),
        }
    }
}

/// Number of writers: PostgreSQL commits two transactions at a time faster than one, SQLite has one writer.
pub(crate) fn writers(store: &Store) -> usize {
    match store.kind() {
        store::Kind::Sqlite => 1,
        store::Kind::Postgres => 2,
    }
}

/// Starts the writers of the queue.
pub(crate) fn start(hub: &crate::Hub, tasks: &TaskTracker) {
    hub.spawn_writer(tasks, "notify", hub_notify::send);
    hub.spawn_writer(tasks, "notified", hub_notify::receive);
    for _ in 0..writers(&hub.store) {
        hub.spawn_writer(tasks, enqueue_and_claim::NAME, enqueue_and_claim::write);
        hub.spawn_writer(tasks, finish_and_claim::NAME, finish_and_claim::write);
        hub.spawn_writer(tasks, claim_loop::NAME, claim_loop::serve);
    }
}
