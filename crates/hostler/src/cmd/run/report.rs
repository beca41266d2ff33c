//! `hostler report`: properties and metrics of this machine. The built-in definition `host-report` runs it.

use std::process::ExitCode;

use crate::output;

pub(crate) fn report() -> ExitCode {
    let mut meter = runner::machine::Meter::new();
    let report = serde_json::json!({
        "machine": runner::machine::describe(),
        "metrics": meter.read(),
        "hostler": proto::VERSION,
    });
    let json = serde_json::to_string_pretty(&report).unwrap_or_default();
    // Inside a run, also write the report as the output value of the run.
    if let Some(path) = crate::environment::environment("HOSTLER_RESULT") {
        let _ = std::fs::write(path, &json);
    }
    output::line(&json);
    ExitCode::SUCCESS
}
