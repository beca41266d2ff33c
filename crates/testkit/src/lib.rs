//! For tests only: both databases, started by the tests themselves.

pub mod db;
pub mod pgbouncer;
pub mod postgres;

pub use db::{TestDb, block_on, with};

/// Writes a test once and runs it on both databases.
///
/// ```text
/// testkit::db_test!(hosts_are_listed_by_name, |db| async move { … });
/// ```
#[macro_export]
macro_rules! db_test {
    ($(#[$meta:meta])* $name:ident, |$db:ident| $body:expr) => {
        mod $name {
            #[allow(unused_imports, reason = "the body may or may not use what its file imports")]
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
