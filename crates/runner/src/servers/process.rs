//! From a server to its process, and from how that ended to words.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

use domain::{RunId, Span, job::RunStatus, server::Server as Body};
use store::server::Server;

use crate::exec::{self, Caps, Ending, Limits, Order, Outcome, Step, User, Why};

/// Output kept in files until it is in the database: whoever reads slower than it is written loses the middle.
const CAPS: Caps = Caps { head_bytes: 1024 * 1024, tail_bytes: 16 * 1024 * 1024 };
/// How long a process has that the shim itself asks to end: only if the machine is shut down.
const GRACE: Span = Span::from_secs(10);
/// Where a server works that names no folder.
const WORK_FOLDER: &str = "work";

/// The folder where a server works that names none: its own, the same for all its runs.
pub(super) fn own_folder(folder: &Path, server: &Server) -> PathBuf {
    folder.join(WORK_FOLDER).join(server.id.to_string())
}

/// What to run, or why it cannot be run.
pub(super) fn order(server: &Server, run: RunId, no: i32, folder: &Path) -> Result<Order, String> {
    let body = &server.body;
    let mut argv = body.argv.iter().map(OsString::from);
    let program = argv.next().ok_or("it names no program")?;
    let user = body.user.as_deref().map(user).transpose()?;
    let work = body.folder.as_ref().map_or_else(|| own_folder(folder, server), PathBuf::from);
    Ok(Order {
        run_id: run.to_string(),
        program,
        args: argv.collect(),
        env: environment(server, run, no, user.as_ref()),
        folder: work,
        user: user.map(|user| user.ids),
        timeout: None,
        grace: GRACE,
        caps: CAPS,
        is_merged: false,
        has_stdin: body.console,
        limits: limits(body),
        fence: None,
    })
}

/// What it may use.
pub(super) fn limits(body: &Body) -> Limits {
    Limits {
        memory_bytes: body.caps.memory_bytes,
        cpu_percent: body.caps.cpu_percent.map(u64::from),
        processes: body.caps.processes.map(u64::from),
    }
}

struct Account {
    ids: User,
    name: String,
    home: PathBuf,
}

/// A user of this machine, by name or number.
fn user(text: &str) -> Result<Account, String> {
    let found = match text.parse::<u32>() {
        Ok(uid) => nix::unistd::User::from_uid(uid.into()),
        Err(_) => nix::unistd::User::from_name(text),
    };
    let found = found.map_err(|error| format!("the user `{text}` cannot be looked up: {error}"))?;
    let found = found.ok_or_else(|| format!("this machine has no user `{text}`"))?;
    let own = nix::unistd::geteuid();
    if !own.is_root() && found.uid != own {
        return Err(format!("only a runner of root can run something as `{text}`"));
    }
    let ids = User { uid: found.uid.as_raw(), gid: found.gid.as_raw() };
    Ok(Account { ids, name: found.name, home: found.dir })
}

/// What every process may know of the machine, what its owner gave it, and what it may know of itself.
fn environment(server: &Server, run: RunId, no: i32, user: Option<&Account>) -> BTreeMap<OsString, OsString> {
    let mut env = crate::work::plain_environment();
    if let Some(user) = user {
        for (name, value) in [("USER", user.name.as_str().into()), ("LOGNAME", user.name.as_str().into())] {
            env.insert(OsString::from(name), value);
        }
        env.insert("HOME".into(), user.home.clone().into_os_string());
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

/// How a run ended, for whoever decides what follows and for people.
pub(super) struct End {
    pub(super) status: RunStatus,
    pub(super) is_good: bool,
    /// Whether trying again is pointless.
    pub(super) is_hopeless: bool,
    pub(super) how: String,
    pub(super) exit_code: Option<i32>,
    pub(super) signal: Option<i32>,
    pub(super) is_oom: bool,
}

/// How a run ended of which the outcome is known. `is_asked` = it was asked to end.
pub(super) fn end_of(outcome: &Outcome, is_asked: bool) -> End {
    let (exit_code, signal) = match outcome.ending {
        Ending::Code(code) => (Some(code), None),
        Ending::Signal(signal) => (None, Some(signal)),
        Ending::NotBegun { .. } => (None, None),
    };
    // Who puts itself into the background and says that all is well is not well: it is gone.
    let is_good = exit_code == Some(0) && !outcome.is_oom && (is_asked || outcome.left_over == 0);
    let mut how = match outcome.ending {
        _ if outcome.is_oom => "it used more memory than it may and was ended by the system".to_owned(),
        Ending::Code(code) => format!("it exited with {code}"),
        Ending::Signal(_) if outcome.why == Why::Stopped => "it was killed".to_owned(),
        Ending::Signal(signal) => format!("it was ended by signal {signal}{}", name_of(signal)),
        Ending::NotBegun { step, errno } => exec::start_error(step, errno),
    };
    if outcome.left_over > 0 {
        how += &format!(
            " and left {} processes behind, which were ended: a server has to stay in the foreground",
            outcome.left_over
        );
    }
    let is_hopeless = matches!(outcome.ending, Ending::NotBegun { step, .. } if step != Step::Setup);
    let status = match outcome.ending {
        Ending::NotBegun { .. } => RunStatus::NotStarted,
        _ if is_good || is_asked => RunStatus::Succeeded,
        _ => RunStatus::Failed,
    };
    End { status, is_good, is_hopeless, how, exit_code, signal, is_oom: outcome.is_oom }
}

/// The end of a run of which nobody knows how it ended, or that never began.
pub(super) fn unknown(status: RunStatus, how: String, is_hopeless: bool) -> End {
    End { status, is_good: false, is_hopeless, how, exit_code: None, signal: None, is_oom: false }
}

fn name_of(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (it aborted)",
        7 | 11 => " (it used memory that is not its own)",
        8 => " (a wrong calculation)",
        9 => " (somebody or the system killed it)",
        15 => " (somebody asked it to end)",
        _ => "",
    }
}
