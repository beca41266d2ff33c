//! From a server's definition to its process, and from the outcome of the process to its meaning for the server.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

use domain::{RunId, Span, job::RunStatus, server::Server as Body};
use store::server::Server;

use crate::exec::{self, Account, Caps, Confinement, Ending, Limits, Order, Outcome, Step, Why};

/// Output kept in files until it is in the database. If it is written faster than it is stored, the middle is dropped.
const CAPS: Caps = Caps { head_bytes: 1024 * 1024, tail_bytes: 16 * 1024 * 1024 };
/// Grace period if the shim itself stops the process: only at a shutdown of the machine. Other stops are steps of the
/// supervisor.
const GRACE: Span = Span::from_secs(10);
/// Parent of the working directories of servers without a configured folder.
const WORK_FOLDER: &str = "work";

/// Working directory of a server without a configured folder, the same for all its runs.
pub(super) fn own_folder(folder: &Path, server: &Server) -> PathBuf {
    folder.join(WORK_FOLDER).join(server.id.to_string())
}

/// The order for a run of the server.
///
/// # Errors
/// The reason for people: the server has no program or an unusable user.
pub(super) fn order(
    server: &Server,
    run: RunId,
    no: i32,
    folder: &Path,
    confinement: &Confinement,
) -> Result<Order, String> {
    let body = &server.body;
    let mut argv = body.argv.iter().map(OsString::from);
    let program = argv.next().ok_or("the server has no program")?;
    let account = confinement.account(body.user.as_deref(), server.org_id)?;
    let work = body.folder.as_ref().map_or_else(|| own_folder(folder, server), PathBuf::from);
    Ok(Order {
        run_id: run.to_string(),
        program,
        args: argv.collect(),
        env: environment(server, run, no, account.as_ref(), &work),
        folder: work,
        user: account.and_then(|account| account.ids),
        timeout: None,
        grace: GRACE,
        caps: CAPS,
        is_merged: false,
        has_stdin: body.console,
        limits: limits(body),
        fence: None,
        // Completed when the working directory exists.
        isolation: exec::Isolation::default(),
    })
}

/// The resource limits of the server.
pub(super) fn limits(body: &Body) -> Limits {
    Limits {
        memory_bytes: body.caps.memory_bytes,
        cpu_percent: body.caps.cpu_percent.map(u64::from),
        processes: body.caps.processes.map(u64::from),
    }
}

/// The environment of a server: the runner's basic variables, the configured ones and those of the run.
fn environment(
    server: &Server,
    run: RunId,
    no: i32,
    account: Option<&Account>,
    work: &Path,
) -> BTreeMap<OsString, OsString> {
    let mut env = crate::exec::plain_environment();
    if let Some(account) = account {
        account.set_environment(&mut env, work);
    }
    env.extend(server.body.env.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))));
    for (name, value) in [
        ("HOSTLER_RUN_ID", run.to_string()),
        ("HOSTLER_FENCE", no.to_string()),
        ("HOSTLER_SERVER", server.name.clone()),
        ("HOSTLER_SERVER_ID", server.id.to_string()),
    ] {
        env.insert(name.into(), value.into());
    }
    env
}

/// The end of a run.
pub(super) struct End {
    pub(super) status: RunStatus,
    pub(super) is_good: bool,
    /// Whether a restart cannot succeed: the program, user or folder is missing.
    pub(super) is_hopeless: bool,
    pub(super) how: String,
    pub(super) exit_code: Option<i32>,
    pub(super) signal: Option<i32>,
    pub(super) is_oom: bool,
}

/// The end of a run with a known outcome. `order`: only of a run that was just started; `is_asked`: the server was
/// being stopped.
pub(super) fn end_of(outcome: &Outcome, order: Option<&Order>, is_asked: bool) -> End {
    let (exit_code, signal) = match outcome.ending {
        Ending::Code(code) => (Some(code), None),
        Ending::Signal(signal) => (None, Some(signal)),
        Ending::NotBegun { .. } => (None, None),
    };
    // A program that forks into the background and exits with 0 has failed: its processes were killed with the run.
    let is_good = exit_code == Some(0) && !outcome.is_oom && (is_asked || outcome.left_over == 0);
    let mut how = match outcome.ending {
        _ if outcome.is_oom => "killed by the kernel because memory ran out".to_owned(),
        Ending::Code(code) => format!("exited with code {code}"),
        Ending::Signal(_) if outcome.why == Why::Stopped => "killed".to_owned(),
        Ending::Signal(signal) => format!("killed by signal {signal}{}", name_of(signal)),
        Ending::NotBegun { step, errno } => exec::start_error(step, errno, order),
    };
    if outcome.left_over > 0 {
        let left = match outcome.left_over {
            1 => "1 process behind, which was killed".to_owned(),
            count => format!("{count} processes behind, which were killed"),
        };
        let advice = if is_asked { "" } else { ": a server must stay in the foreground" };
        how += &format!(" and left {left}{advice}");
    }
    let is_hopeless = matches!(outcome.ending, Ending::NotBegun { step, .. } if step != Step::Setup);
    let status = match outcome.ending {
        Ending::NotBegun { .. } => RunStatus::NotStarted,
        _ if is_good || is_asked => RunStatus::Succeeded,
        _ => RunStatus::Failed,
    };
    End { status, is_good, is_hopeless, how, exit_code, signal, is_oom: outcome.is_oom }
}

/// The end of a run that never started, or whose outcome is lost.
pub(super) fn unknown(status: RunStatus, how: String, is_hopeless: bool) -> End {
    End { status, is_good: false, is_hopeless, how, exit_code: None, signal: None, is_oom: false }
}

fn name_of(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (aborted)",
        7 | 11 => " (invalid memory access)",
        8 => " (arithmetic error)",
        9 => " (SIGKILL)",
        15 => " (SIGTERM)",
        _ => "",
    }
}
