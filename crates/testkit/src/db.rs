//! A new, migrated database for one test.

use store::{Options, Store};
use tempfile::TempDir;

use crate::postgres;

/// The database of one test; removed after the test.
pub struct TestDb {
    pub store: Store,
    /// The database URL, to open it again.
    pub url: String,
    /// The folder of the SQLite file, removed when dropped.
    _folder: Option<TempDir>,
}

impl TestDb {
    /// Creates an SQLite file.
    pub async fn sqlite() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let url = format!("sqlite:{}", folder.path().join("test.db").display());
        Self { store: open(&url).await, url, _folder: Some(folder) }
    }

    /// Creates a database in the PostgreSQL server of this test process.
    pub async fn postgres() -> Self {
        let url = postgres::fresh_database().await;
        Self { store: open(&url).await, url, _folder: None }
    }
}

async fn open(url: &str) -> Store {
    let mut options = Options::new(url);
    options.connections = 4;
    Store::open(&options).await.expect("the test database opens")
}

/// Runs a test, closes its database, so that clones of the store keep no connection of the shared server, and drops
/// it.
pub async fn with<F: Future<Output = ()>>(db: TestDb, test: impl FnOnce(TestDb) -> F) {
    let (store, url) = (db.store.clone(), db.url.clone());
    test(db).await;
    store.close().await;
    if url.starts_with("postgres:") {
        postgres::drop_database(&url).await;
    }
}

/// Runs a test on its own runtime.
pub fn block_on<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(test)
}
