//! Printing measurements, and failures of benchmarks.

use std::time::Duration;

use proto::Code;

use crate::{fail::Failure, output};

/// A failure inside a benchmark, which has no code of its own.
pub(super) fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::new(Code::Internal, error.to_string())
}

/// Prints one measurement as a tab-separated line: kind, name, value, unit.
pub(super) fn figure(kind: &str, name: &str, value: f64, unit: &str) {
    let rounded = if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") };
    output::line(&format!("{kind}\t{name}\t{rounded}\t{unit}"));
}

#[expect(clippy::cast_precision_loss, reason = "rounded for display")]
pub(super) fn rate(count: usize, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64()
}

/// Prints p50, p95 and p99 of sorted durations.
pub(super) fn ranks(kind: &str, name: &str, took: &[Duration]) {
    for (rank, part) in [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)] {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rank"
        )]
        let index = ((took.len() - 1) as f64 * part) as usize;
        figure(kind, &format!("{name}, {rank}"), took[index].as_secs_f64() * 1_000.0, "ms");
    }
}
