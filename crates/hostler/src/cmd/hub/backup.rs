//! `hostler backup` and `hostler db`: backups of a hub's database, and copies from one database to another.

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader, BufWriter},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, Subcommand};
use domain::Timestamp;
use proto::{Code, VERSION};
use runtime::clock::wall;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{
    Store,
    dump::{RowBatch, Shape, Sum},
};
use tokio::sync::mpsc;

use crate::{
    config::Config,
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    home, messages, output,
};

/// Version of the file format.
const FORMAT: u32 = 1;
/// zstd level. Higher levels cost time and save little.
const LEVEL: i32 = 3;
/// Capacity of the channel of row batches between reader and writer.
const BATCHES_MAX: usize = 4;

/// Create, verify and restore backups of a hub
#[derive(Subcommand)]
pub(crate) enum BackupCommand {
    /// Write a backup of the hub's database to a file; the hub may be running
    Create(BackupCreateArgs),
    /// Check that a backup is complete and undamaged
    Verify(FileArgs),
    /// Restore a backup into an empty database; the hub must be stopped
    Restore(RestoreArgs),
}

/// Options of `hostler backup create`
#[derive(Args)]
pub(crate) struct BackupCreateArgs {
    /// File to write
    file: PathBuf,
    /// Database to back up: sqlite:PATH or postgres://…
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
}

/// Options of `hostler backup verify`
#[derive(Args)]
pub(crate) struct FileArgs {
    /// Backup file
    file: PathBuf,
}

/// Options of `hostler backup restore`
#[derive(Args)]
pub(crate) struct RestoreArgs {
    /// Backup file
    file: PathBuf,
    /// Database to restore into: sqlite:PATH or postgres://…
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
    /// Delete the current content of the database
    #[arg(long)]
    force: bool,
}

/// Copy a hub's database
#[derive(Subcommand)]
pub(crate) enum DbCommand {
    /// Copy a database into another one, for example from SQLite to PostgreSQL; an interrupted copy can be resumed
    Copy(CopyArgs),
}

/// Options of `hostler db copy`
#[derive(Args)]
pub(crate) struct CopyArgs {
    /// Database to read; its hub must be stopped
    #[arg(long, value_name = "URL")]
    from: String,
    /// Database to write: empty, or with the rows of an interrupted copy
    #[arg(long, value_name = "URL")]
    to: String,
}

/// The first line of a backup.
#[derive(Serialize, Deserialize)]
struct Head {
    hostler_backup: u32,
    schema: i64,
    version: String,
    at: Timestamp,
    database: String,
    tables: Vec<Table>,
}

#[derive(Serialize, Deserialize)]
struct Table {
    name: String,
    columns: Vec<String>,
}

/// A line of rows of one table, or the last line with the checksums.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Rows { t: usize, r: Vec<Value> },
    End { sums: Vec<Sum> },
}

pub(crate) async fn backup(globals: &Globals, command: BackupCommand) -> Result<ExitCode> {
    match command {
        BackupCommand::Create(args) => create(globals, args).await,
        BackupCommand::Verify(args) => verify(globals, &args.file),
        BackupCommand::Restore(args) => restore(globals, args).await,
    }
}

pub(crate) async fn db(globals: &Globals, command: DbCommand) -> Result<ExitCode> {
    match command {
        DbCommand::Copy(args) => copy(globals, args).await,
    }
}

/// The address of the database: the given one, else the hub's.
fn address(globals: &Globals, url: Option<String>) -> Result<String> {
    let folder = home::folder(globals.home.as_deref());
    let config = Config::load(&folder, globals.config.as_deref(), &[("hub.database_url", url)])?;
    Ok(config.text("hub.database_url").to_owned())
}

/// Opens a database for reading while its hub may be running.
async fn open_for_reading(url: &str) -> Result<Store> {
    let mut options = store::Options::new(url);
    options.is_guest = true;
    Ok(Store::open(&options).await?)
}

async fn create(globals: &Globals, args: BackupCreateArgs) -> Result<ExitCode> {
    let url = address(globals, args.database_url)?;
    if globals.dry_run {
        messages::note(
            globals,
            format!("would write a backup of {} to {}", without_password(&url), args.file.display()),
        );
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    let store = open_for_reading(&url).await?;
    let shapes = store.shapes().await?;
    let target = Target::of(&args.file)?;
    let partial = target.partial.clone();
    let head = Head {
        hostler_backup: FORMAT,
        schema: store::schema::NEWEST,
        version: VERSION.to_owned(),
        at: wall(),
        database: store.kind().to_string(),
        tables: shapes.iter().map(table_of).collect(),
    };
    let mut file =
        zstd::Encoder::new(BufWriter::new(target.open()?), LEVEL).map_err(|error| unwritable(&partial, &error))?;
    write_line(&mut file, &head, &partial)?;
    let (sender, mut batches) = mpsc::channel::<RowBatch>(BATCHES_MAX);
    let (source, tables) = (store.clone(), shapes.clone());
    let dumped = async move { source.dump(&tables, &[], &sender).await };
    let mut sums = vec![Sum::default(); shapes.len()];
    let mut progress = ProgressLine::new(globals, "backup");
    let mut write = |batch: RowBatch| {
        batch.rows.iter().for_each(|row| sums[batch.table].add(row));
        progress.add(batch.rows.len(), &shapes[batch.table].table);
        if batch.rows.is_empty() {
            Ok(())
        } else {
            write_line(&mut file, &Line::Rows { t: batch.table, r: batch.rows }, &partial)
        }
    };
    let written = async {
        let mut written = Ok(());
        while let (Ok(()), Some(batch)) = (&written, batches.recv().await) {
            written = write(batch);
        }
        // Without this the dump would wait forever on a full channel after a failed write.
        batches.close();
        written
    };
    let (dumped, written) = tokio::join!(dumped, written);
    written?;
    dumped?;
    write_line(&mut file, &Line::End { sums: sums.clone() }, &partial)?;
    let file = file.finish().map_err(|error| unwritable(&partial, &error))?;
    let file = file.into_inner().map_err(|error| unwritable(&partial, error.error()))?;
    file.sync_all().map_err(|error| unwritable(&partial, &error))?;
    target.finish()?;
    store.close().await;
    let rows: u64 = sums.iter().map(|sum| sum.rows).sum();
    let bytes = fs::metadata(&args.file).map_or(0, |meta| meta.len());
    let size = format!("{}, {}", output::count(rows, "row"), output::bytes(bytes));
    messages::done(globals, format!("wrote {} ({size})", args.file.display()));
    messages::note(globals, "  secret.key is not included: back it up separately, or secrets cannot be decrypted");
    print_backup(globals, &args.file, rows, bytes)
}

/// The target of a backup, with the partial file that is renamed to the target at the end.
struct Target {
    file: PathBuf,
    partial: PathBuf,
    /// Whether the partial file was created by this process, which then removes it after a failure.
    is_ours: std::cell::Cell<bool>,
}

impl Target {
    /// Fails if the file is something that a backup must not replace. The folder can belong to others as well: a backup
    /// contains everything, so it goes neither through a symbolic link nor into a file of another user.
    fn of(file: &Path) -> Result<Self> {
        let refuse = |what: &str| {
            Failure::new(Code::FolderUnusable, format!("{} {what}, and is not replaced", file.display()))
                .hint("choose another file name")
        };
        match fs::symlink_metadata(file) {
            Ok(found) if found.file_type().is_symlink() => return Err(refuse("is a symbolic link")),
            Ok(found) if !found.is_file() => return Err(refuse("is no file")),
            // Something that is no backup was probably named by mistake.
            Ok(found) if found.len() > 0 && BackupReader::open(file).is_err() => {
                return Err(refuse("is no backup"));
            }
            _ => {}
        }
        let mut name = file.file_name().ok_or_else(|| refuse("has no file name"))?.to_owned();
        name.push(".part");
        Ok(Self { file: file.to_owned(), partial: file.with_file_name(name), is_ours: false.into() })
    }

    fn open(&self) -> Result<File> {
        let no_follow = nix::fcntl::OFlag::O_NOFOLLOW.bits();
        let create =
            || File::options().write(true).create_new(true).custom_flags(no_follow).mode(0o600).open(&self.partial);
        let failed = |error: std::io::Error| unwritable(&self.partial, &error);
        let file = match create() {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                self.remove_interrupted(no_follow)?;
                create().map_err(failed)?
            }
            created => created.map_err(failed)?,
        };
        self.is_ours.set(true);
        // Marks the file as in use, for a second backup. A file system without locks only loses its error message.
        let _ = file.try_lock();
        Ok(file)
    }

    /// Removes the partial file of a backup that was interrupted: an own file that no process has locked. It is never
    /// written to.
    fn remove_interrupted(&self, no_follow: i32) -> Result<()> {
        let refuse = |detail: &str, hint: &str| {
            Failure::new(Code::FolderUnusable, format!("{} {detail}", self.partial.display())).hint(hint)
        };
        // Not blocking, because opening a pipe would wait for its other end.
        let flags = no_follow | nix::fcntl::OFlag::O_NONBLOCK.bits();
        let opened = File::options().read(true).custom_flags(flags).open(&self.partial).ok();
        let own = opened.filter(|file| {
            file.metadata().is_ok_and(|meta| meta.is_file() && meta.uid() == nix::unistd::geteuid().as_raw())
        });
        let Some(file) = own else {
            return Err(refuse("already exists and was not created by this user", "choose another file name"));
        };
        if let Err(fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(refuse("belongs to a backup that is running", "wait until it is complete"));
        }
        fs::remove_file(&self.partial).map_err(|error| unwritable(&self.partial, &error))
    }

    fn finish(&self) -> Result<()> {
        fs::rename(&self.partial, &self.file).map_err(|error| unwritable(&self.file, &error))?;
        self.is_ours.set(false);
        Ok(())
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if self.is_ours.get() {
            let _ = fs::remove_file(&self.partial);
        }
    }
}

fn print_backup(globals: &Globals, file: &Path, rows: u64, bytes: u64) -> Result<ExitCode> {
    if globals.output.is_some() {
        output::one(globals, json!({"file": file, "rows": rows, "bytes": bytes}), "file", &[])?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table_of(shape: &Shape) -> Table {
    Table { name: shape.table.clone(), columns: shape.columns.iter().map(|(name, _)| name.clone()).collect() }
}

fn write_line(file: &mut impl std::io::Write, line: &impl Serialize, path: &Path) -> Result<()> {
    let failed = |error: std::io::Error| unwritable(path, &error);
    serde_json::to_writer(&mut *file, line).map_err(|error| failed(error.into()))?;
    file.write_all(b"\n").map_err(failed)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    let code = if error.kind() == std::io::ErrorKind::StorageFull { Code::DiskFull } else { Code::FolderUnusable };
    Failure::new(code, format!("cannot write {}: {error}", path.display())).hint("nothing was changed")
}

/// A backup file that is read line by line, with the checksums of the rows read so far.
struct BackupReader {
    path: PathBuf,
    lines: BufReader<zstd::Decoder<'static, BufReader<File>>>,
    head: Head,
    sums: Vec<Sum>,
}

impl BackupReader {
    fn open(path: &Path) -> Result<Self> {
        let broken = |why: &dyn std::fmt::Display| damaged(path, why);
        let file = File::open(path).map_err(|error| broken(&error))?;
        let mut lines = BufReader::new(zstd::Decoder::new(file).map_err(|error| broken(&error))?);
        let mut first = String::new();
        lines.read_line(&mut first).map_err(|error| broken(&error))?;
        let head: Head =
            serde_json::from_str(&first).map_err(|_| broken(&"it does not begin with the header of a backup"))?;
        if head.hostler_backup != FORMAT {
            let format = head.hostler_backup;
            return Err(broken(&format!("it has format {format}, but this program reads format {FORMAT}")));
        }
        let sums = vec![Sum::default(); head.tables.len()];
        Ok(Self { path: path.to_owned(), lines, head, sums })
    }

    /// Reads the next rows; `None` at the end if the checksums match.
    fn next(&mut self) -> Result<Option<(usize, Vec<Value>)>> {
        let mut line = String::new();
        let read = self.lines.read_line(&mut line).map_err(|error| damaged(&self.path, &error))?;
        if read == 0 {
            return Err(damaged(&self.path, &"the file is truncated"));
        }
        match serde_json::from_str(&line).map_err(|error| damaged(&self.path, &error))? {
            Line::Rows { t, r } => {
                let sum =
                    self.sums.get_mut(t).ok_or_else(|| damaged(&self.path, &"it has rows of an unknown table"))?;
                r.iter().for_each(|row| sum.add(row));
                Ok(Some((t, r)))
            }
            Line::End { sums } if sums == self.sums => Ok(None),
            Line::End { .. } => Err(damaged(&self.path, &"the checksums of its rows do not match")),
        }
    }
}

fn damaged(path: &Path, why: &dyn std::fmt::Display) -> Failure {
    Failure::new(Code::BackupDamaged, format!("{} is not a valid backup: {why}", path.display()))
        .hint("nothing was changed; use another backup")
}

fn verify(globals: &Globals, path: &Path) -> Result<ExitCode> {
    let mut reading = BackupReader::open(path)?;
    let mut progress = ProgressLine::new(globals, "verify");
    while let Some((table, rows)) = reading.next()? {
        progress.add(rows.len(), &reading.head.tables[table].name);
    }
    progress.end();
    let rows: u64 = reading.sums.iter().map(|sum| sum.rows).sum();
    let Head { at, version, database, schema, .. } = &reading.head;
    messages::done(
        globals,
        format!(
            "backup is complete: {}, created {} from {database} (schema {schema}) by hostler {version}",
            output::count(rows, "row"),
            output::local_time(&at.to_string()),
        ),
    );
    print_backup(globals, path, rows, fs::metadata(path).map_or(0, |meta| meta.len()))
}

async fn restore(globals: &Globals, args: RestoreArgs) -> Result<ExitCode> {
    let url = address(globals, args.database_url)?;
    let mut reading = BackupReader::open(&args.file)?;
    if globals.dry_run {
        messages::note(globals, format!("would restore {} into {}", args.file.display(), without_password(&url)));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    // Read the whole file first, so that a truncated backup does not leave an incomplete database.
    while reading.next()?.is_some() {}
    let expected = std::mem::take(&mut reading.sums);
    let store = Store::open(&store::Options::new(&url)).await?;
    let shapes = store.shapes().await?;
    let position = |name: &str| shapes.iter().position(|shape| shape.table == name);
    let positions: Vec<Option<usize>> = reading.head.tables.iter().map(|table| position(&table.name)).collect();
    let is_same = reading.head.schema == store::schema::NEWEST
        && reading
            .head
            .tables
            .iter()
            .zip(&positions)
            .all(|(table, place)| place.is_some_and(|place| table_of(&shapes[place]).columns == table.columns));
    if !is_same {
        return Err(Failure::new(
            Code::BackupDamaged,
            format!(
                "{} has schema {}, but this program needs schema {}",
                args.file.display(),
                reading.head.schema,
                store::schema::NEWEST
            ),
        )
        .hint(format!("restore it with hostler {}, then update hostler", reading.head.version)));
    }
    if is_used(&store, &shapes).await? {
        if !args.force {
            return Err(Failure::new(Code::ConfirmationNeeded, format!("{} is not empty", without_password(&url)))
                .hint("restore into an empty database, or add --force to delete its content"));
        }
        messages::confirm(globals, &format!("Delete everything in {}", without_password(&url)))?;
    }
    store.empty(&shapes).await?;
    let mut reading = BackupReader::open(&args.file)?;
    let mut progress = ProgressLine::new(globals, "restore");
    while let Some((table, rows)) = reading.next()? {
        let place = positions[table].ok_or_else(|| damaged(&args.file, &"it has rows of an unknown table"))?;
        store.load(&shapes[place], &rows).await?;
        progress.add(rows.len(), &reading.head.tables[table].name);
    }
    progress.end();
    let found = sums_of(&store, &shapes).await?;
    for ((table, place), expected) in reading.head.tables.iter().zip(&positions).zip(&expected) {
        if place.is_none_or(|place| found[place] != *expected) {
            let detail = format!("the restored rows of table {} differ from the backup", table.name);
            return Err(Failure::new(Code::BackupDamaged, detail).hint("restore again into an empty database"));
        }
    }
    store.close().await;
    let rows: u64 = expected.iter().map(|sum| sum.rows).sum();
    let (restored, to) = (output::count(rows, "row"), without_password(&url));
    messages::done(globals, format!("restored {restored} into {to}; all checksums match"));
    messages::note(globals, "  hosts send their newer jobs and logs again when they connect");
    print_backup(globals, &args.file, rows, 0)
}

/// Whether a database contains more than a first start creates.
async fn is_used(store: &Store, shapes: &[Shape]) -> Result<bool> {
    for name in ["org", "hub_identity", "user", "host", "job"] {
        if let Some(shape) = shapes.iter().find(|shape| shape.table == name)
            && store.count(shape).await? > 0
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Computes the checksums of all tables of a database.
async fn sums_of(store: &Store, shapes: &[Shape]) -> Result<Vec<Sum>> {
    let (sender, mut batches) = mpsc::channel::<RowBatch>(BATCHES_MAX);
    let (source, tables) = (store.clone(), shapes.to_vec());
    let dumped = async move { source.dump(&tables, &[], &sender).await };
    let mut sums = vec![Sum::default(); shapes.len()];
    let summed = async {
        while let Some(batch) = batches.recv().await {
            batch.rows.iter().for_each(|row| sums[batch.table].add(row));
        }
    };
    let (dumped, ()) = tokio::join!(dumped, summed);
    dumped?;
    Ok(sums)
}

/// Fails if a SQLite database has no file: the store would create an empty one.
fn must_exist(url: &str) -> Result<()> {
    let path = url.strip_prefix("sqlite:").map(|path| path.strip_prefix("//").unwrap_or(path));
    match path.filter(|path| !path.is_empty() && !Path::new(path).is_file()) {
        Some(path) => Err(Failure::new(Code::FolderUnusable, format!("there is no database at {path}"))
            .hint("set --from to the hub.db of a data folder, or to a postgres:// address")),
        None => Ok(()),
    }
}

async fn copy(globals: &Globals, args: CopyArgs) -> Result<ExitCode> {
    must_exist(&args.from)?;
    if globals.dry_run {
        let (from, to) = (without_password(&args.from), without_password(&args.to));
        messages::note(globals, format!("would copy {from} to {to}"));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    if args.from == args.to {
        return Err(Failure::usage("--from and --to name the same database"));
    }
    // Opened with its lock, so that no hub can change it during the copy.
    let from = Store::open(&store::Options::new(&args.from)).await?;
    let to = Store::open(&store::Options::new(&args.to)).await?;
    let shapes = from.shapes().await?;
    // Rows are copied in key order, so the rows of an interrupted copy are the first ones of each table: skip them.
    let mut skip = Vec::new();
    for shape in &shapes {
        skip.push(to.count(shape).await?);
    }
    let copied: u64 = skip.iter().sum();
    if copied > 0 {
        messages::note(globals, format!("resuming after {} that are already copied", output::count(copied, "row")));
    }
    let (sender, mut batches) = mpsc::channel::<RowBatch>(BATCHES_MAX);
    let (source, tables, skipped) = (from.clone(), shapes.clone(), skip.clone());
    let dumped = async move { source.dump(&tables, &skipped, &sender).await };
    let mut progress = ProgressLine::new(globals, "copy");
    let loaded = async {
        while let Some(batch) = batches.recv().await {
            let shape = &shapes[batch.table];
            if let Err(error) = to.load(shape, &batch.rows).await {
                // Without this the dump would wait forever on a full channel after a failed write.
                batches.close();
                let hint =
                    format!("the table {} of the target has other rows; copy into an empty database", shape.table);
                return Err(Failure::from(error).hint(hint));
            }
            progress.add(batch.rows.len(), &shape.table);
        }
        Ok(())
    };
    let (dumped, loaded) = tokio::join!(dumped, loaded);
    loaded?;
    dumped?;
    progress.end();
    let rows = compare(&from, &to, &shapes).await?;
    from.close().await;
    to.close().await;
    let (tables, to) = (shapes.len(), without_password(&args.to));
    let copied = format!("{} of {}", output::count(rows, "row"), output::count(tables, "table"));
    messages::done(globals, format!("copied {copied} to {to}; all checksums match"));
    messages::note(globals, format!("  next: start the hub with HOSTLER_DATABASE_URL={to} and the same secret.key"));
    if globals.output.is_some() {
        output::one(globals, json!({"tables": tables, "rows": rows}), "rows", &[])?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Compares all tables of both databases; returns the number of their rows.
async fn compare(from: &Store, to: &Store, shapes: &[Shape]) -> Result<u64> {
    let (before, after) = (sums_of(from, shapes).await?, sums_of(to, shapes).await?);
    for ((shape, before), after) in shapes.iter().zip(&before).zip(&after) {
        if before != after {
            return Err(Failure::new(
                Code::BackupDamaged,
                format!(
                    "the table {} differs after the copy: {} in the source, {} in the target",
                    shape.table,
                    output::count(before.rows, "row"),
                    output::count(after.rows, "row"),
                ),
            )
            .hint("empty the target database and copy again"));
        }
    }
    Ok(before.iter().map(|sum| sum.rows).sum())
}

/// A database address without its password, for output.
fn without_password(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 < at => {
            let user = url[scheme + 3..at].split(':').next().unwrap_or_default();
            format!("{}{user}{}", &url[..scheme + 3], &url[at..])
        }
        _ => url.to_owned(),
    }
}

/// The progress of a long command, on one line of a terminal.
struct ProgressLine {
    is_shown: bool,
    action: &'static str,
    rows: u64,
    printed: u64,
}

impl ProgressLine {
    fn new(globals: &Globals, action: &'static str) -> Self {
        use std::io::IsTerminal as _;
        Self { is_shown: !globals.quiet && std::io::stderr().is_terminal(), action, rows: 0, printed: 0 }
    }

    fn add(&mut self, rows: usize, table: &str) {
        self.rows += rows as u64;
        if self.is_shown && self.rows >= self.printed + 5_000 {
            self.printed = self.rows;
            output::terminal::replace_line(&format!("{}: {} rows, {table}", self.action, self.rows));
        }
    }

    fn end(&self) {
        if self.is_shown && self.printed > 0 {
            output::terminal::replace_line("");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_sqlite_source_is_rejected_and_not_created() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("hub.db");
        let url = format!("sqlite:{}", path.display());
        let missing = must_exist(&url).expect_err("no file").problem;
        assert!(missing.detail.contains(&path.display().to_string()) && missing.hint.is_some(), "{missing:?}");
        assert!(!path.exists());
        File::create(&path).expect("creates");
        must_exist(&url).expect("exists");
        must_exist("postgres://db/hostler").expect("not a file");
    }

    #[test]
    fn without_password_keeps_the_user_and_removes_the_password() {
        for (url, expected) in [
            ("postgres://ana:s3cret@db/hostler", "postgres://ana@db/hostler"),
            ("postgres://ana:p@ss@db/hostler", "postgres://ana@db/hostler"),
            ("postgres://db/hostler", "postgres://db/hostler"),
            ("sqlite:/var/lib/hostler/hub.db", "sqlite:/var/lib/hostler/hub.db"),
        ] {
            assert_eq!(without_password(url), expected);
        }
    }
}
