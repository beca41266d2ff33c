//! Backups of a hub's database, and moving from one database to another.

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader, BufWriter, Write as _},
    os::unix::fs::OpenOptionsExt as _,
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
    cli::Globals,
    config::Config,
    fail::{CHANGES_PENDING, Failure, Result},
    home, output, say,
};

/// The form of the file.
const FORM: u32 = 1;
/// More costs time and saves little.
const LEVEL: i32 = 3;
/// Batches on their way.
const UNDER_WAY: usize = 4;

/// Backups of a hub's database
#[derive(Subcommand)]
pub(crate) enum BackupCommand {
    /// Write everything in the hub's database into a file; the hub may run meanwhile
    Create(BackupCreateArgs),
    /// Read a backup and check that it is whole
    Verify(FileArgs),
    /// Fill an empty database from a backup; the hub must not run
    Restore(RestoreArgs),
}

/// Which database, into which file
#[derive(Args)]
pub(crate) struct BackupCreateArgs {
    /// The file to write
    file: PathBuf,
    /// The database: sqlite:PATH or postgres://…
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
}

/// Which file
#[derive(Args)]
pub(crate) struct FileArgs {
    /// The backup
    file: PathBuf,
}

/// Which file, into which database
#[derive(Args)]
pub(crate) struct RestoreArgs {
    /// The backup
    file: PathBuf,
    /// The database: sqlite:PATH or postgres://…
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
    /// Throw away what the database holds
    #[arg(long)]
    force: bool,
}

/// Databases
#[derive(Subcommand)]
pub(crate) enum DbCommand {
    /// Copy a whole database into another one, as from SQLite to PostgreSQL; goes on where it was interrupted
    Copy(CopyArgs),
}

/// From where to where
#[derive(Args)]
pub(crate) struct CopyArgs {
    /// The database to read; its hub must not run
    #[arg(long, value_name = "URL")]
    from: String,
    /// The database to fill: empty, or with a part of the same copy in it
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

/// A line of rows, or the last line.
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

/// The hub's database, unless another one is named.
fn address(globals: &Globals, given: Option<String>) -> Result<String> {
    let folder = home::folder(globals.home.as_deref());
    let config = Config::load(&folder, globals.config.as_deref(), &[("hub.database_url", given)])?;
    Ok(config.text("hub.database_url").to_owned())
}

/// Opens a database to read it beside its hub.
async fn look_at(url: &str) -> Result<Store> {
    let mut options = store::Options::new(url);
    options.is_guest = true;
    Ok(Store::open(&options).await?)
}

async fn create(globals: &Globals, args: BackupCreateArgs) -> Result<ExitCode> {
    let url = address(globals, args.database_url)?;
    if globals.dry_run {
        say::note(globals, format!("would write a backup of {} to {}", without_password(&url), args.file.display()));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    let store = look_at(&url).await?;
    let shapes = store.shapes().await?;
    let beside = args.file.with_extension("part");
    let head = Head {
        hostler_backup: FORM,
        schema: store::schema::NEWEST,
        version: VERSION.to_owned(),
        at: wall(),
        database: store.kind().to_string(),
        tables: shapes.iter().map(named).collect(),
    };
    let writing = File::options().write(true).create(true).truncate(true).mode(0o600).open(&beside);
    let mut file = zstd::Encoder::new(BufWriter::new(writing.map_err(|e| unwritable(&beside, &e))?), LEVEL)
        .map_err(|error| unwritable(&beside, &error))?;
    put(&mut file, &head, &beside)?;
    let (sender, mut batches) = mpsc::channel::<RowBatch>(UNDER_WAY);
    let (dumping, of) = (store.clone(), shapes.clone());
    let dumped = async move { dumping.dump(&of, &[], &sender).await };
    let mut sums = vec![Sum::default(); shapes.len()];
    let mut progress = Progress::new(globals, "backup");
    let mut write = |batch: RowBatch| {
        batch.rows.iter().for_each(|row| sums[batch.table].add(row));
        progress.add(batch.rows.len(), &shapes[batch.table].table);
        if batch.rows.is_empty() {
            Ok(())
        } else {
            put(&mut file, &Line::Rows { t: batch.table, r: batch.rows }, &beside)
        }
    };
    let written = async {
        let mut written = Ok(());
        while let (Ok(()), Some(batch)) = (&written, batches.recv().await) {
            written = write(batch);
        }
        // Whoever dumps would wait for ever for somebody who has given up.
        batches.close();
        written
    };
    let (dumped, written) = tokio::join!(dumped, written);
    written?;
    dumped?;
    put(&mut file, &Line::End { sums: sums.clone() }, &beside)?;
    let file = file.finish().map_err(|error| unwritable(&beside, &error))?;
    let file = file.into_inner().map_err(|error| unwritable(&beside, error.error()))?;
    file.sync_all().and_then(|()| fs::rename(&beside, &args.file)).map_err(|error| unwritable(&args.file, &error))?;
    store.close().await;
    let rows: u64 = sums.iter().map(|sum| sum.rows).sum();
    let bytes = fs::metadata(&args.file).map_or(0, |meta| meta.len());
    say::done(globals, format!("{rows} rows in {} ({bytes} bytes)", args.file.display()));
    say::note(globals, "  secret.key is not in it: keep that apart, or the secrets in it cannot be read");
    shown(globals, &args.file, rows, bytes)
}

fn shown(globals: &Globals, file: &Path, rows: u64, bytes: u64) -> Result<ExitCode> {
    if globals.output.is_some() {
        output::one(globals, json!({"file": file, "rows": rows, "bytes": bytes}), "file", &[])?;
    }
    Ok(ExitCode::SUCCESS)
}

fn named(shape: &Shape) -> Table {
    Table { name: shape.table.clone(), columns: shape.columns.iter().map(|(name, _)| name.clone()).collect() }
}

fn put(file: &mut impl std::io::Write, line: &impl Serialize, path: &Path) -> Result<()> {
    let failed = |error: std::io::Error| unwritable(path, &error);
    serde_json::to_writer(&mut *file, line).map_err(|error| failed(error.into()))?;
    file.write_all(b"\n").map_err(failed)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    let code = if error.kind() == std::io::ErrorKind::StorageFull { Code::DiskFull } else { Code::FolderUnusable };
    Failure::new(code, format!("cannot write {}: {error}", path.display())).hint("nothing was changed")
}

/// A backup that is being read: its head, then line by line, with sums.
struct Reading {
    path: PathBuf,
    lines: BufReader<zstd::Decoder<'static, BufReader<File>>>,
    head: Head,
    sums: Vec<Sum>,
}

impl Reading {
    fn open(path: &Path) -> Result<Self> {
        let broken = |why: &dyn std::fmt::Display| damaged(path, why);
        let file = File::open(path).map_err(|error| broken(&error))?;
        let mut lines = BufReader::new(zstd::Decoder::new(file).map_err(|error| broken(&error))?);
        let mut first = String::new();
        lines.read_line(&mut first).map_err(|error| broken(&error))?;
        let head: Head = serde_json::from_str(&first).map_err(|_| broken(&"it does not begin like one"))?;
        if head.hostler_backup != FORM {
            return Err(broken(&format!("its form is {}, this program knows {FORM}", head.hostler_backup)));
        }
        let sums = vec![Sum::default(); head.tables.len()];
        Ok(Self { path: path.to_owned(), lines, head, sums })
    }

    /// The next rows; `None` at an end that fits what came before.
    fn next(&mut self) -> Result<Option<(usize, Vec<Value>)>> {
        let mut line = String::new();
        let read = self.lines.read_line(&mut line).map_err(|error| damaged(&self.path, &error))?;
        if read == 0 {
            return Err(damaged(&self.path, &"it ends before its end"));
        }
        match serde_json::from_str(&line).map_err(|error| damaged(&self.path, &error))? {
            Line::Rows { t, r } => {
                let sum = self.sums.get_mut(t).ok_or_else(|| damaged(&self.path, &"it has rows of no table"))?;
                r.iter().for_each(|row| sum.add(row));
                Ok(Some((t, r)))
            }
            Line::End { sums } if sums == self.sums => Ok(None),
            Line::End { .. } => Err(damaged(&self.path, &"its rows are not those it was written with")),
        }
    }
}

fn damaged(path: &Path, why: &dyn std::fmt::Display) -> Failure {
    Failure::new(Code::BackupDamaged, format!("{} is not a whole backup: {why}", path.display()))
        .hint("take another one; nothing was changed")
}

fn verify(globals: &Globals, path: &Path) -> Result<ExitCode> {
    let mut reading = Reading::open(path)?;
    let mut progress = Progress::new(globals, "verify");
    while let Some((table, rows)) = reading.next()? {
        progress.add(rows.len(), &reading.head.tables[table].name);
    }
    progress.end();
    let rows: u64 = reading.sums.iter().map(|sum| sum.rows).sum();
    let Head { at, version, database, schema, .. } = &reading.head;
    say::done(
        globals,
        format!("{rows} rows, taken {at} from {database} (schema {schema}) by hostler {version}: whole"),
    );
    shown(globals, path, rows, fs::metadata(path).map_or(0, |meta| meta.len()))
}

async fn restore(globals: &Globals, args: RestoreArgs) -> Result<ExitCode> {
    let url = address(globals, args.database_url)?;
    let mut reading = Reading::open(&args.file)?;
    if globals.dry_run {
        say::note(globals, format!("would fill {} from {}", without_password(&url), args.file.display()));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    // All of it first: a backup that ends in the middle must not leave half a database.
    while reading.next()?.is_some() {}
    let expected = std::mem::take(&mut reading.sums);
    let store = Store::open(&store::Options::new(&url)).await?;
    let shapes = store.shapes().await?;
    let known = |name: &str| shapes.iter().position(|shape| shape.table == name);
    let places: Vec<Option<usize>> = reading.head.tables.iter().map(|table| known(&table.name)).collect();
    let is_same = reading.head.schema == store::schema::NEWEST
        && reading
            .head
            .tables
            .iter()
            .zip(&places)
            .all(|(table, place)| place.is_some_and(|place| named(&shapes[place]).columns == table.columns));
    if !is_same {
        return Err(Failure::new(
            Code::BackupDamaged,
            format!("the backup has schema {}, this program {}", reading.head.schema, store::schema::NEWEST),
        )
        .hint(format!("restore it with hostler {}, then update", reading.head.version)));
    }
    if is_used(&store, &shapes).await? {
        if !args.force {
            return Err(Failure::new(Code::ConfirmationNeeded, format!("{} is not empty", without_password(&url)))
                .hint("restore into a new database, or throw away what it holds: --force"));
        }
        say::confirm(globals, &format!("Throw away everything in {}", without_password(&url)))?;
    }
    store.empty(&shapes).await?;
    let mut reading = Reading::open(&args.file)?;
    let mut progress = Progress::new(globals, "restore");
    while let Some((table, rows)) = reading.next()? {
        let place = places[table].ok_or_else(|| damaged(&args.file, &"it has rows of no table"))?;
        store.load(&shapes[place], &rows).await?;
        progress.add(rows.len(), &reading.head.tables[table].name);
    }
    progress.end();
    let found = sums_of(&store, &shapes).await?;
    for ((table, place), expected) in reading.head.tables.iter().zip(&places).zip(&expected) {
        if place.is_none_or(|place| found[place] != *expected) {
            return Err(Failure::new(Code::BackupDamaged, format!("the table {} did not arrive whole", table.name)));
        }
    }
    store.close().await;
    let rows: u64 = expected.iter().map(|sum| sum.rows).sum();
    say::done(globals, format!("{rows} rows in {}, compared row by row", without_password(&url)));
    say::note(globals, "  what hosts did since then comes back from them when they link");
    shown(globals, &args.file, rows, 0)
}

/// Whether a database holds more than a first start leaves in it.
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

/// Sums of all tables, as they lie there.
async fn sums_of(store: &Store, shapes: &[Shape]) -> Result<Vec<Sum>> {
    let (sender, mut batches) = mpsc::channel::<RowBatch>(UNDER_WAY);
    let (dumping, of) = (store.clone(), shapes.to_vec());
    let dumped = async move { dumping.dump(&of, &[], &sender).await };
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

async fn copy(globals: &Globals, args: CopyArgs) -> Result<ExitCode> {
    if globals.dry_run {
        let (from, to) = (without_password(&args.from), without_password(&args.to));
        say::note(globals, format!("would copy {from} to {to}"));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    if args.from == args.to {
        return Err(Failure::usage("a database is not copied into itself"));
    }
    // With its lock: whatever would change it meanwhile is kept out.
    let from = Store::open(&store::Options::new(&args.from)).await?;
    let to = Store::open(&store::Options::new(&args.to)).await?;
    let shapes = from.shapes().await?;
    // Rows go in the order of their keys, so what is there is the beginning of what is to be there.
    let mut skip = Vec::new();
    for shape in &shapes {
        skip.push(to.count(shape).await?);
    }
    let there: u64 = skip.iter().sum();
    if there > 0 {
        say::note(globals, format!("going on after {there} rows that are there already"));
    }
    let (sender, mut batches) = mpsc::channel::<RowBatch>(UNDER_WAY);
    let (dumping, of, past) = (from.clone(), shapes.clone(), skip.clone());
    let dumped = async move { dumping.dump(&of, &past, &sender).await };
    let mut progress = Progress::new(globals, "copy");
    let loaded = async {
        while let Some(batch) = batches.recv().await {
            let shape = &shapes[batch.table];
            if let Err(error) = to.load(shape, &batch.rows).await {
                // Whoever dumps would wait for ever for somebody who has given up.
                batches.close();
                let hint =
                    format!("the table {} of the target holds other rows; copy into an empty database", shape.table);
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
    let (before, after) = (sums_of(&from, &shapes).await?, sums_of(&to, &shapes).await?);
    for ((shape, before), after) in shapes.iter().zip(&before).zip(&after) {
        if before != after {
            return Err(Failure::new(
                Code::BackupDamaged,
                format!("the table {} differs: {} rows there, {} here", shape.table, before.rows, after.rows),
            )
            .hint("empty the target and copy again"));
        }
    }
    from.close().await;
    to.close().await;
    let rows: u64 = before.iter().map(|sum| sum.rows).sum();
    let (tables, to) = (shapes.len(), without_password(&args.to));
    say::done(globals, format!("{rows} rows of {tables} tables in {to}, compared row by row"));
    say::note(globals, format!("  start the hub with HOSTLER_DATABASE_URL={to} and the same secret.key"));
    if globals.output.is_some() {
        output::one(globals, json!({"tables": tables, "rows": rows}), "rows", &[])?;
    }
    Ok(ExitCode::SUCCESS)
}

/// An address as people may see it.
fn without_password(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 < at => {
            let user = url[scheme + 3..at].split(':').next().unwrap_or_default();
            format!("{}{user}{}", &url[..scheme + 3], &url[at..])
        }
        _ => url.to_owned(),
    }
}

/// How far a long command is, on one line of a terminal.
struct Progress {
    is_shown: bool,
    what: &'static str,
    rows: u64,
    said: u64,
}

impl Progress {
    fn new(globals: &Globals, what: &'static str) -> Self {
        use std::io::IsTerminal as _;
        Self { is_shown: !globals.quiet && std::io::stderr().is_terminal(), what, rows: 0, said: 0 }
    }

    fn add(&mut self, rows: usize, table: &str) {
        self.rows += rows as u64;
        if self.is_shown && self.rows >= self.said + 5_000 {
            self.said = self.rows;
            let _ = write!(std::io::stderr(), "\r\x1b[K{}: {} rows, {table}", self.what, self.rows);
        }
    }

    fn end(&self) {
        if self.is_shown && self.said > 0 {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_password;

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("postgres://ana:s3cret@db/hostler", "postgres://ana@db/hostler"),
            ("postgres://ana:p@ss@db/hostler", "postgres://ana@db/hostler"),
            ("postgres://db/hostler", "postgres://db/hostler"),
            ("sqlite:/var/lib/hostler/hub.db", "sqlite:/var/lib/hostler/hub.db"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
