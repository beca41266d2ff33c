//! State that all supervisors of servers share.

use std::{path::PathBuf, sync::Arc};

use runtime::{TaskTracker, clock::Ids};
use store::Store;

use crate::exec::{Confinement, Shim};

/// State shared by all supervisors.
pub(super) struct ServerContext {
    pub(super) store: Store,
    pub(super) shim: Shim,
    pub(super) folder: PathBuf,
    pub(super) tasks: TaskTracker,
    pub(super) ids: Ids,
    pub(super) confinement: Arc<Confinement>,
}
