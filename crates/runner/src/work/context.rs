//! State that the engine shares with its runs, and the messages of the runs to the engine.

use std::{
    path::PathBuf,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU32, Ordering},
    },
};

use domain::RunId;
use store::{
    Store,
    journal::{Entry, JournalState},
};

use super::run_socket::RunSocket;
use crate::{HubGate, exec::Shim, machine};

/// State shared by the engine and all its runs.
pub(super) struct EngineContext {
    pub(super) store: Store,
    pub(super) shim: Shim,
    pub(super) folder: PathBuf,
    pub(super) run_socket: Arc<RunSocket>,
    pub(super) gate: HubGate,
    pub(super) host_name: RwLock<String>,
    pub(super) lost_after_ms: AtomicU32,
    /// Id of the hub in the tables `journal`, `outbox` and `done`.
    pub(super) source: Arc<str>,
}

impl EngineContext {
    pub(super) fn source(&self) -> Arc<str> {
        self.source.clone()
    }

    pub(super) fn host_name(&self) -> String {
        self.host_name.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn lost_after_ms(&self) -> u32 {
        self.lost_after_ms.load(Ordering::Relaxed)
    }

    pub(super) fn dir(&self, run: RunId) -> PathBuf {
        self.folder.join(run.to_string())
    }

    /// The journal entries of this hub.
    pub(super) async fn entries(&self) -> store::Result<Vec<Entry>> {
        let source = self.source();
        self.store.read(move |tx| Box::pin(async move { tx.journal_all(&source).await })).await
    }

    /// Updates the state of a run in the journal.
    pub(super) async fn journal(&self, run: RunId, state: JournalState) -> store::Result<()> {
        let boot = machine::boot_id();
        self.store.write(move |tx| Box::pin(async move { tx.journal_state(&[run], state, &boot).await })).await
    }
}
