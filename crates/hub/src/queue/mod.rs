//! The queue: enqueue, claim and finish. Everything in memory here is a cache; the store decides.
//!
//! - `board`: linked runners and their free slots
//! - `bold`: transactions without locks
//! - `claim`: choosing jobs and leasing them
//! - `coming`: enqueues in progress that a claim may wait for
//! - `definitions`: cache of compiled definitions
//! - `depths`: cache of the number of waiting jobs per org
//! - `enqueue`: inserting jobs in batches
//! - `events`: events and counts of a transaction
//! - `finish`: writing results of runs in batches
//! - `floors`: scan cursors of lanes
//! - `foresight`: prefetched heads of lanes
//! - `frames`: frames to one runner
//! - `grant`: grants for claimed jobs
//! - `handover`: enqueue and start in one transaction
//! - `known`: cached snapshot of an idle host
//! - `lanes`: cache of lanes
//! - `limits`: locks on limits
//! - `logs`: waiters for output
//! - `numbers`: recent statistics
//! - `others`: notifications between hubs
//! - `secrets`: secrets that only a run receives
//! - `servers`: jobs of servers
//! - `share`: fair shares of orgs on a host
//! - `slugs`: cache of org slugs
//! - `takeover`: claims that replace finished runs
//! - `test_support`: fixture of the queue's tests
//! - `turn`: finish and claim in one transaction

pub(crate) mod board;
pub(crate) mod bold;
pub(crate) mod claim;
mod coming;
pub(crate) mod definitions;
pub(crate) mod depths;
pub(crate) mod enqueue;
pub(crate) mod events;
pub(crate) mod finish;
mod floors;
mod foresight;
pub(crate) mod frames;
mod grant;
mod handover;
mod known;
pub(crate) mod lanes;
pub(crate) mod limits;
pub(crate) mod logs;
pub(crate) mod numbers;
pub(crate) mod others;
pub(crate) mod secrets;
pub(crate) mod servers;
mod share;
pub(crate) mod slugs;
mod takeover;
#[cfg(test)]
pub(crate) mod test_support;
pub(crate) mod turn;

use runtime::TaskTracker;
use store::Store;

pub(crate) use board::Board;
pub(crate) use definitions::Definitions;
pub(crate) use enqueue::Enqueuer;
pub(crate) use finish::Finisher;

/// What a hub keeps in memory about its queue.
pub(crate) struct Queue {
    /// Runners that are linked here, their credit and their lanes.
    pub(crate) board: Board,
    /// Where the heads of lanes were taken last.
    pub(crate) floors: floors::Floors,
    /// Whether jobs are handed over without locks.
    pub(crate) boldness: handover::Boldness,
    /// Definitions, compiled.
    pub(crate) definitions: Definitions,
    /// Lanes by what they are for.
    pub(crate) lanes: lanes::Lanes,
    /// Slugs of orgs.
    pub(crate) slugs: slugs::Slugs,
    /// Which secrets orgs have.
    pub(crate) secrets: secrets::Names,
    /// Who waits for output.
    pub(crate) logs: logs::Logs,
    /// How many jobs wait in each org.
    pub(crate) depths: depths::Depths,
    /// What was seen lately, for people who look.
    pub(crate) numbers: numbers::Numbers,
    /// Jobs on their way in.
    pub(crate) enqueuer: Enqueuer,
    /// Ends of runs on their way in.
    pub(crate) finisher: Finisher,
}

impl Queue {
    pub(crate) fn new() -> Self {
        Self {
            board: Board::default(),
            floors: floors::Floors::default(),
            boldness: handover::Boldness::default(),
            definitions: Definitions::default(),
            lanes: lanes::Lanes::default(),
            slugs: slugs::Slugs::default(),
            secrets: secrets::Names::default(),
            logs: logs::Logs::default(),
            depths: depths::Depths::default(),
            numbers: numbers::Numbers::default(),
            enqueuer: Enqueuer::new(),
            finisher: Finisher::new(),
        }
    }
}

/// How many writers work side by side: PostgreSQL commits two at a time faster than one, SQLite has one writer.
pub(crate) fn writers(store: &Store) -> usize {
    match store.kind() {
        store::Kind::Sqlite => 1,
        store::Kind::Postgres => 2,
    }
}

/// Starts the queue's writers.
pub(crate) fn start(hub: &crate::Hub, tasks: &TaskTracker) {
    tasks.spawn(others::tell(hub.clone(), tasks.stopping()));
    tasks.spawn(others::hear(hub.clone(), tasks.stopping()));
    for _ in 0..writers(&hub.store) {
        tasks.spawn(enqueue::write(hub.clone(), tasks.stopping()));
        tasks.spawn(finish::write(hub.clone(), tasks.stopping()));
        tasks.spawn(board::serve(hub.clone(), tasks.stopping()));
    }
}
