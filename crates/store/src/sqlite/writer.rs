//! The SQLite side: one writer with group commit, readers beside it, one process per file.
//!
//! The writer takes whatever has arrived, runs it in one transaction with a savepoint for each piece but the
//! first, commits once and answers all. There is no waiting for company: what arrives during a commit is the
//! next group. Nor does much work wait for more: what has taken long enough is committed.

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

use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot, watch},
};

use crate::{
    Error, Result, Tx,
    erased::{self, Answer, ErasedWork, erase, unerase},
    schema::migrate,
    sqlite::{
        connection::{Access, SqliteConnection},
        readers::Readers,
    },
    tx::Conn,
};

/// The first version without the WAL-reset corruption.
const SQLITE_FLOOR: ([u32; 3], &str) = ([3, 51, 3], "3.51.3");
/// Statements that the writer keeps prepared.
const STATEMENTS_KEPT: usize = 1_000;
/// Pieces of work in one commit.
const GROUP_MAX: usize = 256;
/// A transaction that has taken so many times as long as a commit takes no more pieces: those who are served already could go
/// on meanwhile.
const COMMITS_WORTH: u32 = 4;
/// And not less than this.
const ENOUGH: Duration = Duration::from_millis(2);
/// Pieces of work that may wait; beyond it callers wait before they queue.
const QUEUE_MAX: usize = 4_096;
/// What the writer keeps of the file in memory, in KiB. Not much: SQLite may walk over all of it at every commit.
const PAGES_KEPT: i32 = 8 * 1024;
/// Pages in the log before it is folded into the file. Not often: every time costs two waits for the disk.
const LOG_PAGES: i32 = 8_000;

const SHRINK: &str = "pragma shrink_memory";

pub(crate) struct Sqlite {
    readers: Arc<Readers>,
    queue: Mutex<Option<mpsc::Sender<Pending>>>,
    /// Says when the writer has ended.
    writer: tokio::sync::Mutex<Option<oneshot::Receiver<()>>>,
    /// Held for as long as the store is open: a second hub on this file is refused.
    lock: Mutex<Option<File>>,
    /// How many groups were written.
    commits: watch::Receiver<u64>,
}

impl Sqlite {
    pub(crate) async fn open(path: &Path, readers: u32, is_guest: bool) -> Result<Self> {
        if !is_guest {
            private(path)?;
        }
        // By its real name: a link to the file must not be a way around the lock.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let lock = if is_guest { None } else { Some(lock(&path)?) };
        let readers = Arc::new(Readers::new(path.clone(), readers));
        let opened = tokio::task::spawn_blocking(move || open_writer(&path, is_guest));
        let connection = opened.await.unwrap_or(Err(Error::Panicked))?;
        let (queue, pieces) = mpsc::channel(QUEUE_MAX);
        let (written, commits) = watch::channel(0);
        let (ended, writer) = oneshot::channel();
        let runtime = Handle::current();
        // The store owns its writer and waits for it in `close`.
        let spawned = std::thread::Builder::new().name("sqlite-writer".to_owned()).spawn(move || {
            runtime.block_on(write_groups(connection, pieces, written));
            let _ = ended.send(());
        });
        spawned.map_err(|error| Error::Down(sqlx::Error::Io(error)))?;
        Ok(Self {
            commits,
            readers,
            queue: Mutex::new(Some(queue)),
            writer: tokio::sync::Mutex::new(Some(writer)),
            lock: Mutex::new(lock),
        })
    }

    /// Makes every reader count what it does.
    pub(crate) async fn count_steps(&self) -> Result<Arc<AtomicU64>> {
        /// Steps between two counts.
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

    pub(crate) async fn read(&self, mut piece: Box<dyn ErasedWork>) -> Result<Answer> {
        let runtime = Handle::current();
        self.ask(move |reader| {
            reader.execute("begin", &[])?;
            runtime.block_on(erased::run(piece.as_mut(), &mut Tx::sqlite(reader)));
            // A reader whose transaction does not end is not used again; the answer is what it is.
            let _ = reader.execute("rollback", &[]);
            Ok(piece.answer(Ok(())))
        })
        .await
    }

    /// Asks a reader.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut SqliteConnection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.readers.ask(question).await
    }

    pub(crate) async fn write(&self, piece: Box<dyn ErasedWork>) -> Result<Answer> {
        let (reply, answer) = oneshot::channel();
        let queue = self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        let Some(queue) = queue else { return Err(Error::Closed) };
        if queue.send(Pending { piece, reply }).await.is_err() {
            return Err(Error::Closed);
        }
        answer.await.map_err(|_| Error::Closed)
    }

    /// Gives back what the connections have kept of the file.
    pub(crate) async fn shrink(&self) -> Result<()> {
        let shrink = erase::<(), Error>(|tx| Box::pin(std::future::ready(tx.shrink())));
        unerase::<(), Error>(self.write(shrink).await)?;
        self.readers.each_resting(|reader| reader.batch(SHRINK)).await
    }

    pub(crate) fn commits(&self) -> watch::Receiver<u64> {
        self.commits.clone()
    }

    pub(crate) async fn close(&self) {
        drop(self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take());
        // Readers first: the writer folds the log into the file when it ends, which a reader would hold up.
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

/// A piece of work in the writer's queue, and who waits for it.
struct Pending {
    piece: Box<dyn ErasedWork>,
    reply: oneshot::Sender<Answer>,
}

fn open_writer(path: &Path, is_guest: bool) -> Result<SqliteConnection> {
    check_version()?;
    let access = if is_guest { Access::Write } else { Access::Create };
    let mut connection = SqliteConnection::open(path, access, STATEMENTS_KEPT)?;
    connection.batch(&format!("pragma cache_size = -{PAGES_KEPT}"))?;
    connection.all::<(i64,)>(&format!("pragma wal_autocheckpoint = {LOG_PAGES}"), &[])?;
    if is_guest { migrate::check_sqlite(&mut connection) } else { migrate::sqlite(&mut connection) }?;
    // What may have to be undone is copied: not into a file. A migration may sort more than there is memory.
    connection.batch("pragma temp_store = memory")?;
    Ok(connection)
}

async fn write_groups(
    mut connection: SqliteConnection,
    mut pieces: mpsc::Receiver<Pending>,
    written: watch::Sender<u64>,
) {
    let (mut waiting, mut arrived) = (VecDeque::with_capacity(GROUP_MAX), Vec::with_capacity(GROUP_MAX));
    let mut commit_took = Duration::ZERO;
    while !waiting.is_empty() || pieces.recv_many(&mut arrived, GROUP_MAX).await > 0 {
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
            // The caller may be gone; the work is done all the same.
            let committed = committed.as_ref().map(|_| ()).map_err(again);
            let _ = pending.reply.send(pending.piece.answer(committed));
        }
    }
    // So that the file alone is whole, also if somebody else has it open.
    let _ = connection.all::<(i64,)>("pragma wal_checkpoint(truncate)", &[]);
}

/// One transaction for the first of those who wait, and for as many more as are worth it. An error of a piece undoes that piece
/// alone; an error of the database itself undoes all. Says how long the commit took.
async fn write_group(
    connection: &mut SqliteConnection,
    waiting: &mut VecDeque<Pending>,
    enough: Duration,
) -> (Vec<Pending>, Result<Duration>) {
    if let Err(error) = connection.execute("begin immediate", &[]) {
        // A transaction left open by whatever went wrong before would refuse every write from now on.
        let begun = connection.execute("rollback", &[]).and_then(|_| connection.execute("begin immediate", &[]));
        if begun.is_err() {
            return (waiting.drain(..).collect(), Err(error));
        }
    }
    let mut group = Vec::new();
    let ended = run_group(connection, waiting, &mut group, enough).await;
    if ended.is_err() {
        // A full disk makes SQLite roll back by itself; then there is nothing left to undo.
        let _ = connection.execute("rollback", &[]);
    }
    (group, ended)
}

/// Everything after the beginning of the transaction, up to its commit.
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
        let Some(Pending { piece, .. }) = group.last_mut() else { break };
        if is_first {
            // It needs no way back of its own, which would cost a copy of every page it writes to.
            if !erased::run(piece.as_mut(), &mut Tx::sqlite(connection)).await {
                let _ = connection.execute("rollback", &[]);
                return Ok(Duration::ZERO);
            }
            // What is said next would be a transaction by itself.
            if connection.is_idle() {
                return Err(Error::Dangling);
            }
        } else {
            connection.execute("savepoint piece", &[])?;
            let is_kept = erased::run(piece.as_mut(), &mut Tx::sqlite(connection)).await;
            let end = if is_kept { "release piece" } else { "rollback to piece; release piece" };
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

/// The same error for each piece of a group: errors of the driver cannot be cloned.
fn again(error: &Error) -> Error {
    let said = || sqlx::Error::Protocol(error.to_string());
    match error {
        Error::Full(_) => Error::Full(said()),
        Error::Busy(_) => Error::Busy(said()),
        Error::Down(_) => Error::Down(said()),
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

/// Makes the file for its owner only; SQLite gives its companions the same mode.
fn private(path: &Path) -> Result<()> {
    let made = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path);
    made.and_then(|file| file.set_permissions(std::fs::Permissions::from_mode(0o600)))
        .map_err(|source| Error::Folder { path: path.display().to_string(), source })
}

/// Takes the lock file beside the database. The operating system frees it when the process ends, however
/// it ends.
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
