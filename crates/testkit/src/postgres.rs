//! The PostgreSQL server of the tests. `HOSTLER_TEST_POSTGRES` names a running one (a URL without a database), which
//! all test processes share; `scripts/test` sets it. Otherwise each test process starts a server, and stops it at the
//! end.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use store::{Options, Store};
use tokio::sync::OnceCell;

/// The template from which this process copies its databases.
static TEMPLATE: OnceCell<String> = OnceCell::const_new();
static SERVER: OnceLock<String> = OnceLock::new();
static COUNT: AtomicU32 = AtomicU32::new(0);
/// Key of the lock under which the template is created.
const TEMPLATE_LOCK: &str = "select pg_advisory_lock(7411)";

/// Creates a migrated database and returns its URL.
pub async fn fresh_database() -> String {
    let server = server_url();
    let template = TEMPLATE.get_or_init(|| find_or_create_template(server)).await;
    create_database("test", &format!(" template {template}")).await
}

/// Creates a database without tables and returns its URL.
pub async fn empty_database() -> String {
    create_database("empty", "").await
}

async fn create_database(kind: &str, options: &str) -> String {
    let server = server_url();
    let name = format!("{kind}_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    execute(&mut connect(server).await, &format!("create database {name}{options}")).await;
    format!("{server}/{name}")
}

/// Drops a database of this server with its connections, so that the databases of finished tests do not fill the disk.
pub async fn drop_database(url: &str) {
    let (server, name) = url.rsplit_once('/').expect("a URL with a database");
    execute(&mut connect(server).await, &format!("drop database if exists {name} with (force)")).await;
}

/// The URL of the server, without a database.
#[expect(clippy::disallowed_methods, reason = "tests may be pointed at a running server")]
pub fn server_url() -> &'static str {
    SERVER.get_or_init(|| std::env::var("HOSTLER_TEST_POSTGRES").unwrap_or_else(|_| start()))
}

/// Returns the template of this schema. All test processes of a server share it; the first one creates it under a lock
/// and renames it when it is complete.
async fn find_or_create_template(server: &str) -> String {
    let name = format!("template_{:016x}", store::schema::fingerprint());
    let mut connection = connect(server).await;
    execute(&mut connection, TEMPLATE_LOCK).await;
    let found: Option<i32> = sqlx::query_scalar("select 1 from pg_database where datname = $1")
        .bind(&name)
        .fetch_optional(&mut connection)
        .await
        .expect("the server answers");
    if found.is_none() {
        let draft = format!("{name}_draft");
        execute(&mut connection, &format!("drop database if exists {draft} with (force)")).await;
        execute(&mut connection, &format!("create database {draft}")).await;
        let store = Store::open(&Options::new(format!("{server}/{draft}"))).await.expect("the template migrates");
        store.close().await;
        execute(&mut connection, &format!("alter database {draft} rename to {name}")).await;
    }
    // The lock ends with its connection.
    let _ = connection.close().await;
    name
}

async fn connect(server: &str) -> PgConnection {
    PgConnection::connect(&format!("{server}/postgres")).await.expect("the server answers")
}

async fn execute(connection: &mut PgConnection, sql: &str) {
    connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Starts a server in a temporary folder. It stops with this process, however this process ends: the shell around it
/// reads from a pipe of this process and stops the server when the pipe closes.
fn start() -> String {
    let bin = bin_folder();
    let folder = std::env::temp_dir().join(format!("hostler-test-pg-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let as_postgres = as_postgres();
    if nix::unistd::geteuid().is_root() {
        run(Command::new("chown").arg("postgres").arg(&folder));
    }
    let data = folder.join("data");
    run(Command::new(as_postgres[0])
        .args(&as_postgres[1..])
        .arg(bin.join("initdb"))
        .args(["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8", "-D"])
        .arg(&data));
    let port = free_port();
    // No fsync: tests need correct results, not durability.
    let script = format!(
        "{postgres} -D {data} -k {folder} -p {port} -c listen_addresses=127.0.0.1 -c fsync=off -c synchronous_commit=off \
         -c full_page_writes=off -c max_connections=200 >{folder}/log 2>&1 & pid=$!; read _; kill -INT $pid; wait $pid; rm -rf {folder}",
        postgres = bin.join("postgres").display(),
        data = data.display(),
        folder = folder.display(),
    );
    #[expect(clippy::zombie_processes, reason = "it ends after this process, by design")]
    let mut shell = Command::new(as_postgres[0])
        .args(&as_postgres[1..])
        .args(["sh", "-c", &script])
        .stdin(Stdio::piped())
        .current_dir(&folder)
        .spawn()
        .expect("the server starts");
    // Leaked on purpose: the pipe must stay open while this process lives.
    std::mem::forget(shell.stdin.take());
    wait_until_ready(port);
    format!("postgres://postgres@127.0.0.1:{port}")
}

/// The command prefix to run a program as a user that PostgreSQL accepts: it refuses to run as root.
fn as_postgres() -> &'static [&'static str] {
    if nix::unistd::geteuid().is_root() { &["runuser", "-u", "postgres", "--"] } else { &["env"] }
}

fn bin_folder() -> PathBuf {
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|entries| entries.flatten().map(|entry| entry.path().join("bin")).collect())
        .unwrap_or_default();
    versions.sort();
    versions.pop().expect("PostgreSQL is installed (`make setup` does it)")
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

pub(crate) fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}

/// Waits for the server by polling, because PostgreSQL sends no signal when it is ready; limited by a count, not a
/// clock.
#[expect(clippy::disallowed_methods, reason = "see above")]
pub(crate) fn wait_until_ready(port: u16) {
    let bin = bin_folder();
    for _ in 0..600 {
        let mut ask = Command::new(bin.join("pg_isready"));
        ask.args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()]);
        if ask.status().is_ok_and(|status| status.success()) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("PostgreSQL did not start on port {port}");
}
