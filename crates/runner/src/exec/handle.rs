//! A live run, controlled through the socket of its shim. Each request has its own connection and deadline, so a caller
//! may drop the future at any time.

use std::{fmt, fs, io, os::fd::AsRawFd, path::Path, sync::Arc, time::Duration};

use domain::Span;
use shim::{
    Outcome, files,
    wire::{Answer, LINE_MAX, Request},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::UnixStream,
    time::{sleep, timeout},
};

use super::inspect::{Crash, RunState, inspect, read_outcome};

/// Time limit for an answer of a shim.
const ANSWER_MAX: Duration = Duration::from_secs(5);
/// Pause between attempts to reach a shim that is alive but does not answer.
const PAUSE: Duration = Duration::from_millis(200);
/// Pause between attempts to connect while the shim's listen queue is full.
const CROWD_PAUSE: Duration = Duration::from_millis(5);

/// A live run. Clones refer to the same run.
#[derive(Clone)]
pub struct Handle(Arc<HandleState>);

struct HandleState {
    dir: Box<Path>,
    boot_id: String,
    pid: i32,
}

/// The result of waiting for a run.
#[derive(Debug)]
pub enum RunEnd {
    Finished(Finished),
    /// The run has ended and its outcome is lost. Processes of it may still be alive: see `orphans`.
    Crashed {
        why: Crash,
    },
}

/// The outcome of a run, and the connection on which its shim waits for the acknowledgement.
#[derive(Debug)]
pub struct Finished {
    pub outcome: Outcome,
    shim: Option<UnixStream>,
}

impl Finished {
    /// Confirms that the outcome is committed here, so that the shim can skip syncing its files. Without it the shim
    /// syncs after a timeout.
    pub async fn ack(mut self) {
        if let Some(shim) = &mut self.shim {
            let _ = send(shim, Request::Ack).await;
        }
    }
}

/// Why a shim did not perform a request.
#[derive(Debug, thiserror::Error)]
pub enum CommandRefused {
    /// The shim rejected it, with this reason.
    #[error("the request was rejected: {0}")]
    Rejected(String),
    /// The shim is unreachable; the run may be over.
    #[error("cannot reach the process that supervises the run: {0}")]
    Unreachable(#[from] io::Error),
}

impl Handle {
    /// Connects to the shim in this folder and checks that it belongs to this run.
    pub(super) async fn adopt(dir: &Path, boot_id: &str, run_id: &str) -> io::Result<Self> {
        let mut shim = connect(dir).await?;
        let line = timeout(ANSWER_MAX, ask(&mut shim, Request::Id)).await??;
        match Answer::parse(&line) {
            Some(Answer::Id { run_id: theirs, child_pid }) if theirs == run_id => {
                Ok(Self(Arc::new(HandleState { dir: dir.into(), boot_id: boot_id.to_owned(), pid: child_pid })))
            }
            _ => Err(io::Error::other(format!("it answered `{line}`"))),
        }
    }

    /// Process id of the program.
    #[must_use]
    pub fn pid(&self) -> i32 {
        self.0.pid
    }

    /// Folder of the run.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.0.dir
    }

    /// Waits for the end of the run. May be dropped and called again.
    pub async fn wait(&self) -> RunEnd {
        let dir = self.dir();
        loop {
            let ended = wait_for_exit(dir).await;
            if let Ok(shim) = ended
                && let Ok(Some(outcome)) = read_outcome(dir)
            {
                return RunEnd::Finished(Finished { outcome, shim: Some(shim) });
            }
            // The connection broke or the outcome is missing: the folder decides.
            match inspect(dir, &self.0.boot_id).await {
                Ok(RunState::Finished(outcome)) => return RunEnd::Finished(Finished { outcome, shim: None }),
                Ok(RunState::Crashed { why }) => return RunEnd::Crashed { why },
                // This run was alive, so its files must have been removed.
                Ok(RunState::NotStarted) => return RunEnd::Crashed { why: Crash::Unreadable },
                Ok(RunState::Alive(_)) | Err(_) => sleep(PAUSE).await,
            }
        }
    }

    /// Sends `SIGTERM` to the run, and `SIGKILL` after the grace period. Returns when the shim has accepted the
    /// request.
    pub async fn stop(&self, grace: Span) -> Result<(), CommandRefused> {
        self.command(Request::Stop { grace_ms: u64::try_from(grace.as_millis()).unwrap_or_default() }).await
    }

    /// Kills the run. Returns when the shim has accepted the request.
    pub async fn kill(&self) -> Result<(), CommandRefused> {
        self.command(Request::Kill).await
    }

    /// Sends a signal to the main process.
    pub async fn signal(&self, number: i32) -> Result<(), CommandRefused> {
        self.command(Request::Signal { number: u64::try_from(number).unwrap_or_default() }).await
    }

    /// Writes a line to the program's standard input, completely or not at all.
    pub async fn input(&self, line: &str) -> Result<(), CommandRefused> {
        let (path, line) = (self.dir().join(files::STDIN), format!("{line}\n"));
        super::off_the_loop(move || write_line(&path, line.as_bytes())).await.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => CommandRefused::Rejected("the program has no standard input".to_owned()),
            io::ErrorKind::WouldBlock => CommandRefused::Rejected(
                "the program does not read its standard input, and the pipe is full".to_owned(),
            ),
            _ => CommandRefused::Unreachable(error),
        })
    }

    /// Renews the lease until this time on the clock of [`super::boot_ms`].
    pub async fn lease(&self, until_ms: u64) -> Result<(), CommandRefused> {
        self.command(Request::Lease { until_ms }).await
    }

    async fn command(&self, request: Request) -> Result<(), CommandRefused> {
        let asked = async {
            let mut shim = connect(self.dir()).await?;
            ask(&mut shim, request).await
        };
        let line = timeout(ANSWER_MAX, asked).await.map_err(io::Error::from)??;
        match Answer::parse(&line) {
            Some(Answer::Done) => Ok(()),
            Some(Answer::Refused(why)) => Err(CommandRefused::Rejected(why.to_owned())),
            _ => Err(CommandRefused::Rejected(line)),
        }
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({}, pid {})", self.dir().display(), self.pid())
    }
}

/// Size up to which a write to a pipe is atomic (`PIPE_BUF`).
const ATOMIC_BYTES: usize = 4_096;

fn write_line(path: &Path, line: &[u8]) -> io::Result<()> {
    use std::{io::Write as _, os::unix::fs::OpenOptionsExt as _};
    if line.len() > ATOMIC_BYTES {
        return Err(io::Error::other("the line is too long"));
    }
    let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
    let mut pipe = fs::OpenOptions::new().write(true).custom_flags(flags).open(path)?;
    pipe.write_all(line)
}

/// Connects by a path through the folder's descriptor, because a socket path is limited to 108 bytes.
async fn connect(dir: &Path) -> io::Result<UnixStream> {
    let folder = fs::File::open(dir)?;
    let short = format!("/proc/self/fd/{}/{}", folder.as_raw_fd(), files::SOCKET);
    let connected = async {
        loop {
            match UnixStream::connect(&short).await {
                // The listen queue of the shim is full.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => sleep(CROWD_PAUSE).await,
                connected => return connected,
            }
        }
    };
    timeout(ANSWER_MAX, connected).await?
}

/// Waits without a time limit until the shim reports the end of the run.
async fn wait_for_exit(dir: &Path) -> io::Result<UnixStream> {
    let mut shim = connect(dir).await?;
    let line = timeout(ANSWER_MAX, ask(&mut shim, Request::Wait)).await??;
    if Answer::parse(&line) != Some(Answer::Done) {
        return Err(io::Error::other(format!("it answered `{line}`")));
    }
    let line = read_line(&mut shim).await?;
    if Answer::parse(&line) == Some(Answer::Exit) { Ok(shim) } else { Err(io::ErrorKind::InvalidData.into()) }
}

async fn ask(shim: &mut UnixStream, request: Request) -> io::Result<String> {
    send(shim, request).await?;
    read_line(shim).await
}

async fn send(shim: &mut UnixStream, request: Request) -> io::Result<()> {
    shim.write_all(format!("{request}\n").as_bytes()).await
}

/// Reads a line byte by byte, so that the bytes after it stay in the socket. Lines are short and few.
async fn read_line(shim: &mut UnixStream) -> io::Result<String> {
    let mut line = Vec::new();
    loop {
        match shim.read_u8().await? {
            b'\n' => return String::from_utf8(line).map_err(|_| io::ErrorKind::InvalidData.into()),
            _ if line.len() >= LINE_MAX => return Err(io::ErrorKind::InvalidData.into()),
            byte => line.push(byte),
        }
    }
}
