//! `hostler progress`: progress reports from inside a run.

use std::{path::Path, process::ExitCode, time::Duration};

use clap::Args;
use proto::{Code, Problem};
use serde_json::json;

use crate::{
    environment::environment,
    fail::{Failure, Result},
    globals::Globals,
    messages,
};

/// Time limit of the request to the runner.
const ANSWER_MAX: Duration = Duration::from_secs(10);

/// Report the progress of a run, from inside the run
#[derive(Args)]
#[command(after_help = NOTE)]
pub(crate) struct ProgressArgs {
    /// Progress in percent, 0 to 100
    #[arg(value_parser = percent)]
    percent: u8,
    /// Message, for example the current step
    #[arg(default_value = "")]
    message: String,
}

fn percent(text: &str) -> Result<u8, &'static str> {
    let percent = text.parse().ok().filter(|percent| *percent <= 100);
    percent.ok_or("the progress is a whole number from 0 to 100")
}

const NOTE: &str = "\
The command reads HOSTLER_SOCKET and HOSTLER_TOKEN, which are set inside a run. A line `::progress 41 copying`
on standard output does the same. If the runner is not reachable, the command prints a message and exits with 0,
so that the run does not fail.";

pub(crate) async fn progress(globals: &Globals, args: ProgressArgs) -> Result<ExitCode> {
    let outside = || {
        Failure::usage("this is not inside a run: HOSTLER_SOCKET and HOSTLER_TOKEN are not set")
            .hint("call it from the command of a definition")
    };
    let socket = environment("HOSTLER_SOCKET").ok_or_else(outside)?;
    let token = environment("HOSTLER_TOKEN").ok_or_else(outside)?;
    let http = reqwest::Client::builder().timeout(ANSWER_MAX).unix_socket(Path::new(&socket)).build();
    let http = http.map_err(|error| Failure::new(Code::Internal, "cannot create an HTTP client").because(&error))?;
    let body = json!({"percent": args.percent, "message": args.message});
    let sent = http.post("http://runner/v1/progress").bearer_auth(token).json(&body).send().await;
    let Ok(response) = sent else {
        messages::note(globals, format!("the runner is not reachable at {socket}; the progress is not reported"));
        return Ok(ExitCode::SUCCESS);
    };
    if response.status().is_success() {
        return Ok(ExitCode::SUCCESS);
    }
    let problem: Option<Problem> = response.json().await.ok();
    Err(problem.map_or_else(|| Failure::new(Code::Internal, "cannot read the runner's response"), Failure::from))
}
