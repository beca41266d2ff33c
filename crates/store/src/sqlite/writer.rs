//! The SQLite writer: a thread with group commit, and the lock file that makes one process the owner.
//!
//! Group commit: a commit waits for the disk, so the writer runs all queued work in one transaction, commits once and
//! then replies to all callers. It never delays work to fill a group: work that arrives during a commit forms the next
//! group. A group also ends early when its transaction has taken [`COMMITS_WORTH`] commits: past that, waiting for more
//! costs the callers in it more than one shared commit saves.
//!
//! Each closure except the first runs in a savepoint, so that its failure does not undo the others. The first
//! needs none: the transaction contains nothing else yet, so a failure rolls the whole transaction back.

use std::{
    collections::VecDeque,
    fs::{File, OpenOptions},
    io::Write as _,
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use domain::{Span, alert::WriterTime};
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot, watch},
};

use crate::{
    Error, Result, Tx,
    erased::{self, Answer, ErasedWork, box_work, unbox_answer},
    schema::migrate,
    sqlite::{
        connection::{Access, SqliteConnection},
        readers::Readers,
    },
    tx::Conn,
};

/// First SQLite version without the WAL-reset corruption bug.
const SQLITE_FLOOR: ([u32; 3], &str) = ([3, 51, 3], "3.51.3");
/// Prepared statements cached by the writer.
const STATEMENTS_KEPT: usize = 1_000;
/// Largest number of pieces of work per commit.
const GROUP_MAX: usize = 256;
/// A group takes no more work once its transaction has run this many times as long as the last commit took, so that the
/// callers already in it get their replies.
const COMMITS_WORTH: u32 = 4;
/// Lower bound of the time after which a group takes no more work.
const ENOUGH: Duration = Duration::from_millis(2);
/// Capacity of the writer's queue. When it is full, callers wait before they can enqueue.
const QUEUE_MAX: usize = 4_096;
/// Page cache of the writer in KiB. Kept small, because SQLite may walk over the whole cache at every commit.
const PAGES_KEPT: i32 = 8 * 1024;
/// WAL pages that trigger a checkpoint. Kept large, because each checkpoint waits for the disk twice.
const LOG_PAGES: i32 = 8_000;

const SHRINK: &str = "pragma shrink_memory";

pub(crate) struct Sqlite {
    readers: Arc<Readers>,
    queue: Mutex<Option<mpsc::Sender<Pending>>>,
    /// Completes when the writer thread has ended.
    writer: tokio::sync::Mutex<Option<oneshot::Receiver<()>>>,
    /// Held while the store is open, so that a second hub cannot open the file. `None` when the file belongs to another
    /// process.
    lock: Mutex<Option<File>>,
    /// Number of groups processed.
    commits: watch::Receiver<u64>,
    opened: Instant,
    /// Microseconds that the writer has worked since `opened`.
    busy_micros: Arc<AtomicU64>,
    path: PathBuf,
}

impl Sqlite {
    pub(crate) async fn open(path: &Path, readers: u32, is_guest: bool) -> Result<Self> {
        if !is_guest {
            private(path)?;
        }
        // Canonical path, so that a symlink to the file cannot bypass the lock.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let lock = if is_guest { None } else { Some(lock(&path)?) };
        let readers = Arc::new(Readers::new(path.clone(), readers));
        let of_writer = path.clone();
        let opening = tokio::task::spawn_blocking(move || open_writer(&of_writer, is_guest));
        let connection = opening.await.unwrap_or(Err(Error::Panicked))?;
        let (queue, pieces) = mpsc::channel(QUEUE_MAX);
        let (written, commits) = watch::channel(0);
        let (ended, writer) = oneshot::channel();
        let (opened, busy_micros) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        let (runtime, counter) = (Handle::current(), busy_micros.clone());
        // Not joined here: `close` waits for the thread through `ended`.
        let spawned = std::thread::Builder::new().name("sqlite-writer".to_owned()).spawn(move || {
            runtime.block_on(write_groups(connection, pieces, written, &counter));
            let _ = ended.send(());
        });
        spawned.map_err(|error| Error::Down(sqlx::Error::Io(error)))?;
        Ok(Self {
            commits,
            readers,
            queue: Mutex::new(Some(queue)),
            writer: tokio::sync::Mutex::new(Some(writer)),
            lock: Mutex::new(lock),
            opened,
            busy_micros,
            path,
        })
    }

    /// The use of the writer since it was opened.
    pub(crate) fn writer_time(&self) -> WriterTime {
        let micros = |count: u64| Span::from_micros(i64::try_from(count).unwrap_or(i64::MAX));
        WriterTime {
            busy: micros(self.busy_micros.load(Ordering::Relaxed)),
            elapsed: micros(as_micros(self.opened.elapsed())),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes every reader count its virtual machine steps.
    pub(crate) async fn count_steps(&self) -> Result<Arc<AtomicU64>> {
        /// Steps between two updates of the counter.
        const EACH: i32 = 100;
        let steps = Arc::new(AtomicU64::new(0));
        let count = |reader: &mut SqliteConnection| {
            let counted = steps.clone();
            reader.watch(EACH, move || {
                counted.fetch_add(u64::from(EACH.unsigned_abs()), Ordering::Relaxed);
            })
        };
        self.readers.each(count).await?;
        Ok(steps)
    }

    pub(crate) async fn read(&self, mut erased: Box<dyn ErasedWork>) -> Result<Answer> {
        let runtime = Handle::current();
        self.ask(move |reader| {
            reader.execute("begin", &[])?;
            runtime.block_on(erased::run(erased.as_mut(), &mut Tx::sqlite(reader)));
            // If the rollback fails, `ask` closes the reader because its transaction is still open. The result is valid
            // in either case.
            let _ = reader.execute("rollback", &[]);
            Ok(erased.answer(Ok(())))
        })
        .await
    }

    /// Runs a query on a reader.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut SqliteConnection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.readers.ask(question).await
    }

    pub(crate) async fn write(&self, erased: Box<dyn ErasedWork>) -> Result<Answer> {
        let (reply, answer) = oneshot::channel();
        let queue = self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        let Some(queue) = queue else { return Err(Error::Closed) };
        if queue.send(Pending { erased, reply }).await.is_err() {
            return Err(Error::Closed);
        }
        // The writer answers all queued work before it ends, also at close. Without an answer the thread has panicked,
        // maybe after the commit.
        answer.await.map_err(|_| Error::CommitUnknown(sqlx::Error::WorkerCrashed))
    }

    /// Frees the page caches of all connections.
    pub(crate) async fn shrink(&self) -> Result<()> {
        let shrink = box_work::<(), Error>(|tx| Box::pin(std::future::ready(tx.shrink())));
        unbox_answer::<(), Error>(self.write(shrink).await)?;
        self.readers.each_resting(|reader| reader.batch(SHRINK)).await
    }

    pub(crate) fn commits(&self) -> watch::Receiver<u64> {
        self.commits.clone()
    }

    pub(crate) async fn close(&self) {
        drop(self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take());
        // Readers close first: the writer's final checkpoint cannot truncate the WAL while a reader uses it.
        self.readers.close().await;
        if let Some(writer) = self.writer.lock().await.take() {
            let _ = writer.await;
        }
        drop(self.lock.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take());
    }
}

impl Tx<'_> {
    fn shrink(&mut self) -> Result<()> {
        match &mut self.conn {
            Conn::Sqlite(connection) => connection.batch(SHRINK),
            Conn::Postgres(_) => Ok(()),
        }
    }
}

/// Work in the writer's queue, with the channel for its reply.
struct Pending {
    erased: Box<dyn ErasedWork>,
    reply: oneshot::Sender<Answer>,
}

fn open_writer(path: &Path, is_guest: bool) -> Result<SqliteConnection> {
    check_version()?;
    let access = if is_guest { Access::Write } else { Access::Create };
    let mut connection = SqliteConnection::open(path, access, STATEMENTS_KEPT)?;
    connection.batch(&format!("pragma cache_size = -{PAGES_KEPT}"))?;
    connection.all::<(i64,)>(&format!("pragma wal_autocheckpoint = {LOG_PAGES}"), &[])?;
    if is_guest { migrate::check_sqlite(&mut connection) } else { migrate::sqlite(&mut connection) }?;
    // Statement journals go to memory, not to a file. Set after migrations, which may sort more than fits into memory.
    connection.batch("pragma temp_store = memory")?;
    Ok(connection)
}

async fn write_groups(
    mut connection: SqliteConnection,
    mut pieces: mpsc::Receiver<Pending>,
    written: watch::Sender<u64>,
    busy_micros: &AtomicU64,
) {
    let (mut waiting, mut arrived) = (VecDeque::with_capacity(GROUP_MAX), Vec::with_capacity(GROUP_MAX));
    let mut commit_took = Duration::ZERO;
    while !waiting.is_empty() || pieces.recv_many(&mut arrived, GROUP_MAX).await > 0 {
        let began = Instant::now();
        waiting.extend(arrived.drain(..));
        while waiting.len() < GROUP_MAX
            && let Ok(pending) = pieces.try_recv()
        {
            waiting.push_back(pending);
        }
        let enough = ENOUGH.max(commit_took * COMMITS_WORTH);
        let (group, committed) = write_group(&mut connection, &mut waiting, enough).await;
        match &committed {
            Ok(took) => commit_took = *took,
            Err(error) => {
                tracing::warn!(pieces = group.len(), error = %error, "a group of writes was rolled back");
            }
        }
        written.send_modify(|count| *count += 1);
        for pending in group {
            // The caller may have dropped the receiver; its work is committed regardless.
            let committed = committed.as_ref().map(|_| ()).map_err(again);
            let _ = pending.reply.send(pending.erased.answer(committed));
        }
        busy_micros.fetch_add(as_micros(began.elapsed()), Ordering::Relaxed);
    }
    // Moves the WAL into the file, so that the file alone is complete, even if another process still has it open.
    let _ = connection.all::<(i64,)>("pragma wal_checkpoint(truncate)", &[]);
}

fn as_micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// Runs one transaction for the first closure in the queue and as many more as fit into `enough`. An error of a closure
/// rolls back that closure; an error of the database rolls back the group. Returns the group and the duration of
/// the commit.
async fn write_group(
    connection: &mut SqliteConnection,
    waiting: &mut VecDeque<Pending>,
    enough: Duration,
) -> (Vec<Pending>, Result<Duration>) {
    if let Err(error) = connection.execute("begin immediate", &[]) {
        // A transaction that an earlier failure left open would make every later `begin` fail: roll it back and try
        // again.
        let begun = connection.execute("rollback", &[]).and_then(|_| connection.execute("begin immediate", &[]));
        if begun.is_err() {
            return (waiting.drain(..).collect(), Err(error));
        }
    }
    let mut group = Vec::new();
    let ended = run_group(connection, waiting, &mut group, enough).await;
    if ended.is_err() {
        // On some errors, such as a full disk, SQLite has already rolled back; then this statement fails harmlessly.
        let _ = connection.execute("rollback", &[]);
    }
    (group, ended)
}

/// Runs the group inside the open transaction and commits.
async fn run_group(
    connection: &mut SqliteConnection,
    waiting: &mut VecDeque<Pending>,
    group: &mut Vec<Pending>,
    enough: Duration,
) -> Result<Duration> {
    let began = Instant::now();
    while let Some(pending) = waiting.pop_front() {
        let is_first = group.is_empty();
        group.push(pending);
        let Some(Pending { erased, .. }) = group.last_mut() else { break };
        if is_first {
            // No savepoint for the first closure: with one, SQLite would copy every page that it changes.
            if !erased::run(erased.as_mut(), &mut Tx::sqlite(connection)).await {
                let _ = connection.execute("rollback", &[]);
                return Ok(Duration::ZERO);
            }
            // The closure ended the transaction (SQLite rolls back by itself on some errors). Any further statement
            // would be committed on its own, so the group fails.
            if connection.is_idle() {
                return Err(Error::Dangling);
            }
        } else {
            connection.execute("savepoint closure", &[])?;
            let is_kept = erased::run(erased.as_mut(), &mut Tx::sqlite(connection)).await;
            let end = if is_kept { "release closure" } else { "rollback to closure; release closure" };
            connection.batch(end)?;
        }
        if began.elapsed() >= enough {
            break;
        }
    }
    let began = Instant::now();
    connection.execute("commit", &[])?;
    Ok(began.elapsed())
}

/// A copy of the group's error for each of its callers: driver errors are not `Clone`.
fn again(error: &Error) -> Error {
    let said = || sqlx::Error::Protocol(error.to_string());
    match error {
        Error::Full(_) => Error::Full(said()),
        Error::Busy(_) => Error::Busy(said()),
        Error::Down(_) => Error::Down(said()),
        Error::ReadOnly(_) => Error::ReadOnly(said()),
        _ => Error::Corrupt(said()),
    }
}

fn check_version() -> Result<()> {
    let found = rusqlite::version();
    let parts: Vec<u32> = found.split('.').filter_map(|part| part.parse().ok()).collect();
    if parts.as_slice() < SQLITE_FLOOR.0.as_slice() {
        Err(Error::OldSqlite { found: found.to_owned(), floor: SQLITE_FLOOR.1 })
    } else {
        Ok(())
    }
}

/// Creates the file with mode 0600. SQLite gives its WAL and shared-memory files the same mode.
fn private(path: &Path) -> Result<()> {
    let made = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path);
    made.and_then(|file| file.set_permissions(std::fs::Permissions::from_mode(0o600)))
        .map_err(|source| Error::Folder { path: path.display().to_string(), source })
}

/// Locks the `.lock` file beside the database. The operating system releases the lock when the process ends, also after
/// a crash. The file contains the process id for the error message.
fn lock(database: &Path) -> Result<File> {
    let mut path = PathBuf::from(database).into_os_string();
    path.push(".lock");
    let path = PathBuf::from(path);
    let unusable = |source| Error::Folder { path: path.display().to_string(), source };
    let mut file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .mode(0o600)
        .open(&path)
        .map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(std::fs::TryLockError::WouldBlock) => {
            let owner = std::fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
            return Err(Error::InUse { path: database.display().to_string(), owner });
        }
        Err(std::fs::TryLockError::Error(source)) => return Err(unusable(source)),
    }
    file.set_len(0).and_then(|()| write!(file, "{}", std::process::id())).map_err(unusable)?;
    Ok(file)
}
