//! The state of a host, computed from its stored rows.

use domain::{
    Timestamp,
    presence::{HostStatus, judge},
};
use proto::metrics::HostMetrics;
use store::host::HostView;

/// Computes the state of a host and its reason from the stored rows.
#[must_use]
pub(crate) fn judged(view: &HostView, now: Timestamp, since: Timestamp) -> (HostStatus, String) {
    judge(&facts(view), now, since)
}

/// The inputs from which the state of a host is computed.
pub(crate) fn facts(view: &HostView) -> domain::presence::HostFacts {
    let metrics = metrics(view);
    let disk = metrics.as_ref().and_then(HostMetrics::disk_percent);
    view.facts(disk, metrics.and_then(|metrics| metrics.outbox))
}

/// Results in the host's outbox that this hub has not confirmed.
pub(crate) fn outbox(view: &HostView) -> Option<i64> {
    i64::try_from(metrics(view)?.outbox?).ok()
}

pub(crate) fn metrics(view: &HostView) -> Option<HostMetrics> {
    let stored = view.session.as_ref()?.metrics.clone()?;
    serde_json::from_value(stored).ok()
}
