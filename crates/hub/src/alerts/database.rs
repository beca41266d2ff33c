//! Measures the hub's database, for the alert `database_slow`.

use domain::{Timestamp, alert::DatabaseMonitor};

use crate::Hub;

/// Vacuum blockers read in one measurement. The first ones hold back the most rows.
const BLOCKERS_MAX: u32 = 100;

/// Adds one measurement. If it fails, the measurements start again and the other alerts are still evaluated: the role
/// of the hub may lack the right to read these views.
pub(crate) async fn measure(hub: &Hub, monitor: &mut DatabaseMonitor, now: Timestamp) {
    if let (Some(url), Some(time)) = (hub.store.sqlite_url(), hub.store.writer_time()) {
        monitor.add_writer_time(&url, time, now);
        return;
    }
    let read = hub.store.query(|tx| Box::pin(async move { tx.database_vacuum_blockers(BLOCKERS_MAX).await }));
    match read.await {
        Ok(blockers) => monitor.add_blockers(blockers, now),
        Err(error) => {
            tracing::warn!(error = %error, "cannot read which transactions hold back vacuum");
            *monitor = DatabaseMonitor::default();
        }
    }
}
