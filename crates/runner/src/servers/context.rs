//! State that all supervisors of servers share.

use std::path::PathBuf;

use runtime::{TaskTracker, clock::Ids};
use store::Store;

use crate::exec::Shim;

/// State shared by all supervisors.
pub(super) struct ServerContext {
    pub(super) store: Store,
    pub(super) shim: Shim,
    pub(super) folder: PathBuf,
    pub(super) tasks: TaskTracker,
    pub(super) ids: Ids,
}
