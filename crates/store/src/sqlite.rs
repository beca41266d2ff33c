//! The SQLite side: one writer with group commit, readers beside it, one process per file.
//!
//! The writer takes whatever has arrived, runs it in one transaction with a savepoint for each piece,
//! commits once and answers all. There is no waiting for company: what arrives during a commit is the
//! next group.

use std::{
    fs::{File, OpenOptions},
    io::Write as _,
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use sqlx::{
    Connection as _, Executor as _, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::JoinHandle,
};

use crate::{
    Error, Result, Tx,
    conn::Conn,
    migrate,
    piece::{self, Answer, Piece, erase, recall},
};

/// The first version without the WAL-reset corruption.
const SQLITE_FLOOR: ([u32; 3], &str) = ([3, 51, 3], "3.51.3");
/// Statements that the writer keeps prepared.
const STATEMENTS_KEPT: usize = 1_000;
/// Pieces of work in one commit.
const GROUP_MAX: usize = 256;
/// Pieces of work that may wait; beyond it callers wait before they queue.
const QUEUE_MAX: usize = 4_096;
/// Rows that are read ahead of whoever takes them.
const ROWS_AHEAD: usize = 1_024;
/// How long a statement waits for a lock held by another process (a backup, a shell).
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

const SHRINK: &str = "pragma shrink_memory";

pub(crate) struct Sqlite {
    readers: SqlitePool,
    queue: Mutex<Option<mpsc::Sender<Pending>>>,
    writer: tokio::sync::Mutex<Option<JoinHandle<()>>>,
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
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let lock = if is_guest { None } else { Some(lock(path)?) };
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(!is_guest)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            // Each time the buffer is full, two threads change places: that would cost more than reading.
            .row_buffer_size(ROWS_AHEAD)
            .busy_timeout(BUSY_TIMEOUT);
        let writer = options
            .clone()
            .statement_cache_capacity(STATEMENTS_KEPT)
            .pragma("cache_size", "-32768")
            // Folded into the file less often: every time costs two waits for the disk.
            .pragma("wal_autocheckpoint", "8000");
        let mut connection = SqliteConnection::connect_with(&writer).await?;
        check_version(&mut connection).await?;
        if is_guest {
            migrate::check_sqlite(&mut connection).await?;
        } else {
            migrate::sqlite(&mut connection).await?;
        }
        let reading = options.read_only(true);
        let readers = SqlitePoolOptions::new().max_connections(readers).connect_with(reading).await?;
        let (queue, pieces) = mpsc::channel(QUEUE_MAX);
        let (written, commits) = watch::channel(0);
        #[expect(clippy::disallowed_methods, reason = "the store owns its writer and waits for it in `close`")]
        let writer = tokio::spawn(write_groups(connection, pieces, written));
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
        // All at once, so that each is another one.
        let mut readers = Vec::new();
        for _ in 0..self.readers.options().get_max_connections() {
            let mut reader = self.readers.acquire().await?;
            let counted = steps.clone();
            reader.lock_handle().await?.set_progress_handler(EACH, move || {
                counted.fetch_add(u64::from(EACH.unsigned_abs()), Ordering::Relaxed);
                true
            });
            readers.push(reader);
        }
        Ok(steps)
    }

    pub(crate) async fn read(&self, mut piece: Box<dyn Piece>) -> Result<Answer> {
        let pool = self.readers.clone();
        #[expect(
            clippy::disallowed_methods,
            reason = "the caller waits for it; a dropped caller must not cut it short"
        )]
        let task = tokio::spawn(async move {
            let mut connection = pool.acquire().await?;
            let mut transaction = connection.begin().await?;
            piece::run(piece.as_mut(), &mut Tx::sqlite(&mut transaction)).await;
            Ok(piece.answer(Ok(())))
        });
        task.await.unwrap_or(Err(Error::Panicked))
    }

    pub(crate) async fn write(&self, piece: Box<dyn Piece>) -> Result<Answer> {
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
        let shrink = erase::<(), Error>(|tx| Box::pin(async move { tx.shrink().await }));
        recall::<(), Error>(self.write(shrink).await)?;
        // All that rest, at once, so that each is another one.
        let mut resting = Vec::new();
        while let Some(mut reader) = self.readers.try_acquire() {
            reader.execute(SHRINK).await?;
            resting.push(reader);
        }
        Ok(())
    }

    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.readers
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
    async fn shrink(&mut self) -> Result<()> {
        if let Conn::Sqlite(connection) = &mut self.conn {
            connection.execute(SHRINK).await?;
        }
        Ok(())
    }
}

/// A piece of work in the writer's queue, and who waits for it.
struct Pending {
    piece: Box<dyn Piece>,
    reply: oneshot::Sender<Answer>,
}

async fn write_groups(
    mut connection: SqliteConnection,
    mut pieces: mpsc::Receiver<Pending>,
    written: watch::Sender<u64>,
) {
    let mut group = Vec::with_capacity(GROUP_MAX);
    while pieces.recv_many(&mut group, GROUP_MAX).await > 0 {
        let committed = write_group(&mut connection, &mut group).await;
        if let Err(error) = &committed {
            tracing::warn!(pieces = group.len(), error = %error, "a group of writes was rolled back");
        }
        written.send_modify(|count| *count += 1);
        for pending in group.drain(..) {
            // The caller may be gone; the work is done all the same.
            let _ = pending.reply.send(pending.piece.answer(committed.as_ref().copied().map_err(again)));
        }
    }
    // So that the file alone is whole: a reader's thread may outlive its pool by a moment and keep the log.
    let _ = connection.execute("pragma wal_checkpoint(truncate)").await;
    let _ = connection.close().await;
}

/// One transaction for the whole group. An error of a piece undoes that piece alone; an error of the
/// database itself undoes all.
async fn write_group(connection: &mut SqliteConnection, group: &mut [Pending]) -> Result<()> {
    if let Err(error) = connection.execute("begin immediate").await {
        // A transaction left open by whatever went wrong before would refuse every write from now on.
        connection.execute("rollback").await.map_err(|_| error)?;
        connection.execute("begin immediate").await?;
    }
    let ended = run_group(connection, group).await;
    if ended.is_err() {
        // A full disk makes SQLite roll back by itself; then there is nothing left to undo.
        let _ = connection.execute("rollback").await;
    }
    ended
}

/// Everything after the beginning of the transaction, up to its commit.
async fn run_group(connection: &mut SqliteConnection, group: &mut [Pending]) -> Result<()> {
    let is_alone = group.len() == 1;
    for pending in group.iter_mut() {
        let piece = pending.piece.as_mut();
        if is_alone {
            if !piece::run(piece, &mut Tx::sqlite(connection)).await {
                let _ = connection.execute("rollback").await;
                return Ok(());
            }
            continue;
        }
        connection.execute("savepoint piece").await?;
        let is_kept = piece::run(piece, &mut Tx::sqlite(connection)).await;
        let end = if is_kept { "release piece" } else { "rollback to piece; release piece" };
        connection.execute(end).await?;
    }
    connection.execute("commit").await?;
    Ok(())
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

async fn check_version(connection: &mut SqliteConnection) -> Result<()> {
    let found: String = sqlx::query_scalar("select sqlite_version()").fetch_one(connection).await?;
    let parts: Vec<u32> = found.split('.').filter_map(|part| part.parse().ok()).collect();
    if parts.as_slice() < SQLITE_FLOOR.0.as_slice() {
        Err(Error::OldSqlite { found, floor: SQLITE_FLOOR.1 })
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
