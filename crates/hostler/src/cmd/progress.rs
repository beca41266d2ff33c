//! How far a run is, told by the program that runs.

use std::{path::Path, process::ExitCode, time::Duration};

use clap::Args;
use proto::{Code, Problem};
use serde_json::json;

use crate::{
    cli::Globals,
    config::environment,
    fail::{Failure, Result},
    say,
};

/// How long the runner may take to answer.
const ANSWER_MAX: Duration = Duration::from_secs(10);

/// Tell how far this run is: for programs that Hostler runs
#[derive(Args)]
#[command(after_help = NOTE)]
pub(crate) struct ProgressArgs {
    /// 0 to 100
    percent: u8,
    /// What it is doing
    #[arg(default_value = "")]
    message: String,
}

const NOTE: &str = "\
Inside a run HOSTLER_SOCKET and HOSTLER_TOKEN say where and as whom. A line `::progress 41 copying` on
standard output does the same. A runner that is not there at the moment is no failure of the run: this
command then says so and ends with 0.";

pub(crate) async fn progress(globals: &Globals, args: ProgressArgs) -> Result<ExitCode> {
    let outside = || {
        Failure::usage("this is not inside a run: HOSTLER_SOCKET and HOSTLER_TOKEN are not set")
            .hint("use it in a program that a definition runs")
    };
    let socket = environment("HOSTLER_SOCKET").ok_or_else(outside)?;
    let token = environment("HOSTLER_TOKEN").ok_or_else(outside)?;
    let http = reqwest::Client::builder().timeout(ANSWER_MAX).unix_socket(Path::new(&socket)).build();
    let http = http.map_err(|error| Failure::new(Code::Internal, "cannot make an HTTP client").because(&error))?;
    let body = json!({"percent": args.percent, "message": args.message});
    let sent = http.post("http://runner/v1/progress").bearer_auth(token).json(&body).send().await;
    let Ok(response) = sent else {
        say::note(globals, format!("the runner does not answer at {socket}; the progress is not told"));
        return Ok(ExitCode::SUCCESS);
    };
    if response.status().is_success() {
        return Ok(ExitCode::SUCCESS);
    }
    let problem: Option<Problem> = response.json().await.ok();
    Err(problem.map_or_else(|| Failure::new(Code::Internal, "the runner's answer cannot be read"), Failure::from))
}
