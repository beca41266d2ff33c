//! The start of a run: its folder, its spec, its shim. Whoever calls has made durable that the run may begin.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use shim::{Ending, Outcome, Spec, files, spec::BadSpec, wire::Greeting};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    process::{Child, Command},
    time::{sleep, timeout},
};

use super::{Order, Shim, inspect::read_outcome, off_the_loop, start_error};

/// How long a shim may take to say that it has begun. It needs a few milliseconds; a machine that swaps needs more.
const GREETING_MAX: Duration = Duration::from_secs(20);
/// A greeting is one short line.
const GREETING_BYTES: u64 = 128;
/// How often, and how long after each other, a file that is being written is tried.
const BUSY_TRIES: u32 = 100;
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// A run that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// The program's process.
    pub pid: i32,
    /// The shim's process.
    pub shim_pid: i32,
}

/// Why a run has not begun, or why we do not know whether it has.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// No shim would take this order.
    #[error("cannot start the run: {0}")]
    Order(#[from] BadSpec),
    /// The program could not be started. This is the run's outcome.
    #[error("cannot start the program: {}", explain(.0))]
    NotBegun(Box<Outcome>),
    /// Somebody else has, or had, the right to this run. Judge it.
    #[error("the run in {} was begun by somebody else", .0.display())]
    Taken(PathBuf),
    /// The shim began and then said nothing in time. Judge it.
    #[error("the shim of {} does not answer", .0.display())]
    Silent(PathBuf),
    /// The shim could not be run, or could not use the folder. Nothing has begun; judge it to make sure of it.
    #[error("cannot run a shim in {}: {}", .0.display(), .1)]
    Shim(PathBuf, #[source] io::Error),
}

/// Makes the run's folder and starts the run in it.
pub async fn start(shim: &Shim, dir: &Path, order: &Order) -> Result<Started, StartError> {
    prepare(dir, order).await?;
    launch(shim, dir).await
}

/// Makes the run's folder, with what is to be run.
pub async fn prepare(dir: &Path, order: &Order) -> Result<(), StartError> {
    let (spec, folder) = (order.to_spec()?, dir.to_owned());
    off_the_loop(move || write(&folder, &spec)).await.map_err(|error| StartError::Shim(dir.to_owned(), error))
}

/// Starts the run in a folder that was prepared. However often this is called, it begins once.
pub async fn launch(shim: &Shim, dir: &Path) -> Result<Started, StartError> {
    let failed = |error| StartError::Shim(dir.to_owned(), error);
    let mut child = spawn(shim, dir).await.map_err(failed)?;
    let mut line = String::new();
    let heard = async {
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout.take(GREETING_BYTES)).read_line(&mut line).await?;
        }
        // The process we started only makes the real one.
        child.wait().await
    };
    let status = match timeout(GREETING_MAX, heard).await {
        Ok(heard) => heard.map_err(failed)?,
        Err(_) => return Err(StartError::Silent(dir.to_owned())),
    };
    match Greeting::parse(line.trim_end()) {
        Some(Greeting::Started { shim_pid, child_pid }) => Ok(Started { pid: child_pid, shim_pid }),
        Some(Greeting::Taken) => Err(StartError::Taken(dir.to_owned())),
        Some(Greeting::Broken { errno }) => Err(failed(io::Error::from_raw_os_error(errno))),
        Some(Greeting::Failed) => match read_outcome(dir).map_err(failed)? {
            Some(outcome) => Err(StartError::NotBegun(Box::new(outcome))),
            None => Err(failed(io::Error::other("it left no outcome; the disk may be full"))),
        },
        None => Err(failed(io::Error::other(format!("it ended with {status}")))),
    }
}

/// Runs the shim's file, with nothing that would need a fork of this process, which may be large: the shim does the
/// rest itself.
async fn spawn(shim: &Shim, dir: &Path) -> io::Result<Child> {
    let mut tries = BUSY_TRIES;
    loop {
        let mut command = Command::new(shim.path());
        command.arg(dir).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        match command.spawn() {
            // Just written, and another process that is being started has not closed it yet.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && tries > 0 => {
                tries -= 1;
                sleep(BUSY_PAUSE).await;
            }
            spawned => return spawned,
        }
    }
}

fn write(dir: &Path, spec: &Spec) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let mut file =
        fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(dir.join(files::SPEC))?;
    file.write_all(&spec.to_bytes())
}

/// What went wrong, for people.
fn explain(outcome: &Outcome) -> String {
    let Ending::NotBegun { step, errno } = outcome.ending else { return "it has ended".to_owned() };
    start_error(step, errno)
}
