//! A run that lives, reached through its shim's socket. Every question has its own connection and its own deadline, so
//! nothing is lost when a caller stops waiting.

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

use super::judge::{Crash, Verdict, judge, read_outcome};

/// How long a shim may take for an answer.
const ANSWER_MAX: Duration = Duration::from_secs(5);
/// Between two tries to reach a shim that lives but does not answer.
const PAUSE: Duration = Duration::from_millis(200);
/// Between two tries to connect where many do.
const CROWD_PAUSE: Duration = Duration::from_millis(5);

/// A run that lives. Clones reach the same one.
#[derive(Clone)]
pub struct Handle(Arc<Inner>);

struct Inner {
    dir: Box<Path>,
    boot_id: String,
    pid: i32,
}

/// How waiting for a run ended.
#[derive(Debug)]
pub enum Ended {
    /// It is over.
    Finished(Finished),
    /// Nobody knows how it ended. Look for its processes: [`super::sweep_strays`].
    Crashed {
        /// Why nobody knows.
        why: Crash,
    },
}

/// The outcome of a run, and the shim that waits to hear that it is safe.
#[derive(Debug)]
pub struct Finished {
    /// The outcome.
    pub outcome: Outcome,
    shim: Option<UnixStream>,
}

impl Finished {
    /// Says that the outcome is durable with us, so that the shim need not make it so. Forgetting it costs only time.
    pub async fn ack(mut self) {
        if let Some(shim) = &mut self.shim {
            let _ = send(shim, Request::Ack).await;
        }
    }
}

/// A shim that does not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// It says why.
    #[error("the shim refused: {0}")]
    Said(String),
    /// It cannot be reached; the run may be over.
    #[error("the shim cannot be reached: {0}")]
    Unreachable(#[from] io::Error),
}

impl Handle {
    /// Reaches the shim in this folder, if it is that of this run.
    pub(super) async fn adopt(dir: &Path, boot_id: &str, run_id: &str) -> io::Result<Self> {
        let mut shim = connect(dir).await?;
        let line = timeout(ANSWER_MAX, ask(&mut shim, Request::Id)).await??;
        match Answer::parse(&line) {
            Some(Answer::Id { run_id: theirs, child_pid }) if theirs == run_id => {
                Ok(Self(Arc::new(Inner { dir: dir.into(), boot_id: boot_id.to_owned(), pid: child_pid })))
            }
            _ => Err(io::Error::other(format!("it answered `{line}`"))),
        }
    }

    /// The program's process.
    #[must_use]
    pub fn pid(&self) -> i32 {
        self.0.pid
    }

    /// The run's folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.0.dir
    }

    /// Waits until the run is over. May be dropped and called again at any time.
    pub async fn wait(&self) -> Ended {
        let dir = self.dir();
        loop {
            let heard = hear_end(dir).await;
            if let Ok(shim) = heard
                && let Ok(Some(outcome)) = read_outcome(dir)
            {
                return Ended::Finished(Finished { outcome, shim: Some(shim) });
            }
            // Whatever the socket said, the folder decides.
            match judge(dir, &self.0.boot_id).await {
                Ok(Verdict::Finished(outcome)) => return Ended::Finished(Finished { outcome, shim: None }),
                Ok(Verdict::Crashed { why }) => return Ended::Crashed { why },
                // It had begun; so somebody has removed the files.
                Ok(Verdict::NotStarted) => return Ended::Crashed { why: Crash::Unreadable },
                Ok(Verdict::Alive(_)) | Err(_) => sleep(PAUSE).await,
            }
        }
    }

    /// Asks it to end, and has it killed after this time. Returns when the shim knows.
    pub async fn stop(&self, grace: Span) -> Result<(), Refused> {
        self.command(Request::Stop { grace_ms: u64::try_from(grace.as_millis()).unwrap_or_default() }).await
    }

    /// Has it killed. Returns when the shim knows.
    pub async fn kill(&self) -> Result<(), Refused> {
        self.command(Request::Kill).await
    }

    /// Sends a signal to its main process.
    pub async fn signal(&self, number: i32) -> Result<(), Refused> {
        self.command(Request::Signal { number: u64::try_from(number).unwrap_or_default() }).await
    }

    /// Writes a line to its standard input: all of it, or none.
    pub async fn input(&self, line: &str) -> Result<(), Refused> {
        let (path, line) = (self.dir().join(files::STDIN), format!("{line}\n"));
        super::off_the_loop(move || write_line(&path, line.as_bytes())).await.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Refused::Said("it has no input".to_owned()),
            io::ErrorKind::WouldBlock => Refused::Said("it does not read its input, which is full".to_owned()),
            _ => Refused::Unreachable(error),
        })
    }

    /// Renews its lease until this time: see [`super::boot_ms`].
    pub async fn lease(&self, until_ms: u64) -> Result<(), Refused> {
        self.command(Request::Lease { until_ms }).await
    }

    async fn command(&self, request: Request) -> Result<(), Refused> {
        let asked = async {
            let mut shim = connect(self.dir()).await?;
            ask(&mut shim, request).await
        };
        let line = timeout(ANSWER_MAX, asked).await.map_err(io::Error::from)??;
        match Answer::parse(&line) {
            Some(Answer::Done) => Ok(()),
            Some(Answer::Refused(why)) => Err(Refused::Said(why.to_owned())),
            _ => Err(Refused::Said(line)),
        }
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({}, pid {})", self.dir().display(), self.pid())
    }
}

/// So much a pipe takes at once or not at all.
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

/// Connects through the folder's descriptor: the name of a socket has room for 108 bytes, a path may be longer.
async fn connect(dir: &Path) -> io::Result<UnixStream> {
    let folder = fs::File::open(dir)?;
    let short = format!("/proc/self/fd/{}/{}", folder.as_raw_fd(), files::SOCKET);
    let connected = async {
        loop {
            match UnixStream::connect(&short).await {
                // Too many are connecting at this moment.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => sleep(CROWD_PAUSE).await,
                connected => return connected,
            }
        }
    };
    timeout(ANSWER_MAX, connected).await?
}

/// Waits for the word that it is over, as long as it takes.
async fn hear_end(dir: &Path) -> io::Result<UnixStream> {
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

/// Byte by byte, so that nothing of a following line is lost. Lines are short and few.
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
