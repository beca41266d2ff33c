//! A PostgreSQL server, started by the test process and stopped with it. `HOSTLER_TEST_POSTGRES` names a running server
//! to use instead (a URL without a database).

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use store::{Options, Store};
use tokio::sync::OnceCell;

/// The template from which test databases are copied; migrated once per process.
static TEMPLATE: OnceCell<String> = OnceCell::const_new();
static SERVER: OnceLock<String> = OnceLock::new();
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Creates a migrated database and returns its URL.
pub async fn fresh_database() -> String {
    let server = server_url();
    let template = TEMPLATE.get_or_init(|| make_template(server)).await;
    let name = format!("test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    administrate(server, &format!("create database {name} template {template}")).await;
    format!("{server}/{name}")
}

/// Creates a database without tables and returns its URL.
pub async fn empty_database() -> String {
    let server = server_url();
    let name = format!("empty_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    administrate(server, &format!("create database {name}")).await;
    format!("{server}/{name}")
}

/// The URL of the server, without a database.
#[expect(clippy::disallowed_methods, reason = "tests may be pointed at a running server")]
pub fn server_url() -> &'static str {
    SERVER.get_or_init(|| std::env::var("HOSTLER_TEST_POSTGRES").unwrap_or_else(|_| start()))
}

async fn make_template(server: &str) -> String {
    let name = format!("template_{}", std::process::id());
    administrate(server, &format!("create database {name}")).await;
    let store = Store::open(&Options::new(format!("{server}/{name}"))).await.expect("the template migrates");
    store.close().await;
    name
}

async fn administrate(server: &str, sql: &str) {
    use sqlx::{AssertSqlSafe, Connection as _, Executor as _};
    let mut connection = sqlx::PgConnection::connect(&format!("{server}/postgres")).await.expect("the server answers");
    connection.execute(AssertSqlSafe(sql.to_owned())).await.expect(sql);
    let _ = connection.close().await;
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
pub(crate) fn as_postgres() -> &'static [&'static str] {
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
