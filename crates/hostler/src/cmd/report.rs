//! What this machine is and how it is: the command behind the definition `host-report`.

use std::process::ExitCode;

use crate::output;

pub(crate) fn report() -> ExitCode {
    let mut meter = runner::machine::Meter::new();
    let report = serde_json::json!({
        "machine": runner::machine::describe(),
        "metrics": meter.read(),
        "hostler": proto::VERSION,
    });
    let shown = serde_json::to_string_pretty(&report).unwrap_or_default();
    // Where a job reads it, it is also the job's value.
    if let Some(path) = crate::config::environment("HOSTLER_RESULT") {
        let _ = std::fs::write(path, &shown);
    }
    output::line(&shown);
    ExitCode::SUCCESS
}
