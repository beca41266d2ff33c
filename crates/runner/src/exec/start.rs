//! Starts a run: creates its folder and spec, and launches its shim.
//!
//! The caller must have recorded durably that the run may start: after a crash only this record distinguishes a run
//! that may have started from one that was never attempted.

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

/// Time limit for the greeting of a shim. Usually it takes a few milliseconds; on a machine that swaps it takes longer.
const GREETING_MAX: Duration = Duration::from_secs(20);
/// Longest greeting, in bytes.
const GREETING_BYTES: u64 = 128;
/// Number of attempts, and the pause between them, while the shim file is busy.
const BUSY_TRIES: u32 = 100;
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// A run that has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// Process id of the program.
    pub pid: i32,
    pub shim_pid: i32,
}

/// Why a run did not start, or why it is unknown whether it did.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The order is invalid.
    #[error("cannot start the run: {0}")]
    Order(#[from] BadSpec),
    /// The program could not be started; the run has ended with this outcome.
    #[error("cannot start the program: {}", explain(.0))]
    NotBegun(Box<Outcome>),
    /// Another process has claimed this run. Inspect it.
    #[error("the run in {} was already claimed by another process", .0.display())]
    Taken(PathBuf),
    /// The shim sent no greeting in time. Inspect the run.
    #[error("the shim in {} did not answer in time", .0.display())]
    Silent(PathBuf),
    /// The shim could not be executed, or could not use the folder. Probably nothing has started; inspect the run to be
    /// sure.
    #[error("cannot start the shim in {}: {}", .0.display(), .1)]
    Shim(PathBuf, #[source] io::Error),
}

/// Creates the folder of the run and starts the run.
pub async fn start(shim: &Shim, dir: &Path, order: &Order) -> Result<Started, StartError> {
    prepare(dir, order).await?;
    launch(shim, dir).await
}

/// Creates the folder of the run and writes the spec.
pub async fn prepare(dir: &Path, order: &Order) -> Result<(), StartError> {
    let (spec, folder) = (order.to_spec()?, dir.to_owned());
    off_the_loop(move || write(&folder, &spec)).await.map_err(|error| StartError::Shim(dir.to_owned(), error))
}

/// Starts the run in a prepared folder. Repeated or concurrent calls start it at most once, because only one shim can
/// claim the folder.
pub async fn launch(shim: &Shim, dir: &Path) -> Result<Started, StartError> {
    let failed = |error| StartError::Shim(dir.to_owned(), error);
    let mut child = spawn(shim, dir).await.map_err(failed)?;
    let mut line = String::new();
    let greeting = async {
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout.take(GREETING_BYTES)).read_line(&mut line).await?;
        }
        // The spawned process only forks the shim and exits.
        child.wait().await
    };
    let status = match timeout(GREETING_MAX, greeting).await {
        Ok(status) => status.map_err(failed)?,
        Err(_) => return Err(StartError::Silent(dir.to_owned())),
    };
    match Greeting::parse(line.trim_end()) {
        Some(Greeting::Started { shim_pid, child_pid }) => Ok(Started { pid: child_pid, shim_pid }),
        Some(Greeting::Taken) => Err(StartError::Taken(dir.to_owned())),
        Some(Greeting::Broken { errno }) => Err(failed(io::Error::from_raw_os_error(errno))),
        Some(Greeting::Failed) => match read_outcome(dir).map_err(failed)? {
            Some(outcome) => Err(StartError::NotBegun(Box::new(outcome))),
            None => Err(failed(io::Error::other("the shim wrote no outcome; the disk may be full"))),
        },
        None => Err(failed(io::Error::other(format!("the shim ended with {status}")))),
    }
}

/// Executes the shim. Uses only options that allow `posix_spawn` or `vfork`: a plain fork would copy the page tables of
/// the runner, which may be large. The shim detaches itself.
async fn spawn(shim: &Shim, dir: &Path) -> io::Result<Child> {
    let mut tries = BUSY_TRIES;
    loop {
        let mut command = Command::new(shim.path());
        command.arg(dir).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        match command.spawn() {
            // The file was just written, and a process that was forked meanwhile still has it open for writing.
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

/// The reason of the failure, for people.
fn explain(outcome: &Outcome) -> String {
    let Ending::NotBegun { step, errno } = outcome.ending else { return "the program has ended".to_owned() };
    start_error(step, errno, None)
}
