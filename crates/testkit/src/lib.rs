//! Test helpers: SQLite and PostgreSQL databases, and a connection pooler, started by the tests themselves.
//!
//! - `db`: a database for one test
//! - `pgbouncer`: PgBouncer in transaction mode in front of PostgreSQL
//! - `postgres`: the PostgreSQL server of a test process

pub mod db;
pub mod pgbouncer;
pub mod postgres;

pub use db::{TestDb, block_on, with};

/// Defines a test that runs on SQLite and on PostgreSQL.
///
/// ```text
/// testkit::db_test!(hosts_are_listed_by_name, |db| async move { … });
/// ```
#[macro_export]
macro_rules! db_test {
    ($(#[$meta:meta])* $name:ident, |$db:ident| $body:expr) => {
        mod $name {
            #[allow(unused_imports, reason = "not every body uses all imports of its file")]
            use super::*;

            async fn check($db: $crate::TestDb) {
                $body.await
            }

            $(#[$meta])*
            #[test]
            fn on_sqlite() {
                $crate::block_on(async { $crate::with($crate::TestDb::sqlite().await, check).await });
            }

            $(#[$meta])*
            #[test]
            fn on_postgres() {
                $crate::block_on(async { $crate::with($crate::TestDb::postgres().await, check).await });
            }
        }
    };
}
