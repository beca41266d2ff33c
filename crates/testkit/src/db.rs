//! A fresh, migrated database for one test.

use store::{Options, Store};
use tempfile::TempDir;

use crate::postgres;

/// A database of one test, gone with it.
pub struct TestDb {
    /// The opened store.
    pub store: Store,
    /// Its address, to open it again.
    pub url: String,
    /// The folder of the SQLite file; kept until the end of the test.
    _folder: Option<TempDir>,
}

impl TestDb {
    /// A new SQLite file.
    pub async fn sqlite() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let url = format!("sqlite:{}", folder.path().join("test.db").display());
        Self { store: open(&url).await, url, _folder: Some(folder) }
    }

    /// A new database in the PostgreSQL cluster of this test process.
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

/// Runs a test on a database, and closes that: whoever still holds it then must not keep the server's connections.
pub async fn with<F: Future<Output = ()>>(db: TestDb, test: impl FnOnce(TestDb) -> F) {
    let store = db.store.clone();
    test(db).await;
    store.close().await;
}

/// Runs a test on a runtime of its own.
pub fn block_on<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(test)
}
