//! PgBouncer in transaction mode in front of the test server.

use std::{
    io::Write as _,
    process::{Child, Command, Stdio},
};

use sqlx::{Connection as _, Executor as _, PgConnection, Row as _, postgres::PgRow};

use crate::postgres::{free_port, wait_until_ready};

/// A PgBouncer with its own process, which ends when it is dropped or when the test process ends.
pub struct PgBouncer {
    port: u16,
    database: String,
    settings: String,
    /// A shell with PgBouncer as its child. At the end of its input it kills PgBouncer and removes the settings.
    shell: Option<Child>,
}

impl PgBouncer {
    /// Starts PgBouncer with this number of server connections in front of a database.
    pub fn start(database_url: &str, server_connections: u32) -> Self {
        // Settings that a client may send although PgBouncer does not apply them.
        Self::start_with(database_url, server_connections, "ignore_startup_parameters = extra_float_digits,options")
    }

    /// Starts PgBouncer as its package configures it: it rejects clients that send settings which it does not apply.
    pub fn start_strict(database_url: &str) -> Self {
        Self::start_with(database_url, 2, "")
    }

    fn start_with(database_url: &str, server_connections: u32, more: &str) -> Self {
        let (server, database) = database_url.rsplit_once('/').expect("a URL with a database");
        let (_, address) = server.rsplit_once('@').expect("a URL with a user");
        let (host, server_port) = address.split_once(':').expect("host and port");
        let port = free_port();
        let settings = format!(
            "[databases]\n* = host={host} port={server_port} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = any\nadmin_users = postgres\npool_mode = transaction\n\
             default_pool_size = {server_connections}\nmax_client_conn = 100\n{more}\n"
        );
        let mut started = Self { port, database: database.to_owned(), settings, shell: None };
        started.start_again();
        started
    }

    /// The URL of the database, without the parameter `pooler=transaction`.
    pub fn url(&self) -> String {
        self.url_of(&self.database)
    }

    fn url_of(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Kills the process: its connections break on both sides.
    pub fn kill(&mut self) {
        let mut shell = self.shell.take().expect("PgBouncer runs");
        drop(shell.stdin.take());
        shell.wait().expect("the shell ends");
    }

    /// Starts the process again on the same port.
    pub fn start_again(&mut self) {
        // PgBouncer refuses to run as root, and becomes another user after it has read its settings.
        let user = if nix::unistd::geteuid().is_root() { "-u postgres" } else { "" };
        let folder = std::env::temp_dir().join(format!("hostler-test-pgbouncer-{}-{}", std::process::id(), self.port));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let file = folder.join("pgbouncer.ini");
        let mut ini = std::fs::File::create(&file).expect("a settings file");
        ini.write_all(self.settings.as_bytes()).expect("writes");
        let script = format!(
            "pgbouncer -q {user} {} & pid=$!; read _; kill -KILL $pid; wait $pid; rm -rf {}",
            file.display(),
            folder.display()
        );
        let shell = Command::new("sh")
            .args(["-c", &script])
            .env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin")
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the shell starts");
        self.shell = Some(shell);
        wait_until_ready(self.port);
    }

    /// Shuts PgBouncer down and starts it again. Clients get an error and lose their connections.
    pub async fn restart(&mut self) {
        // PgBouncer ends without an answer.
        let _ = self.console().await.execute("shutdown").await;
        self.kill();
        self.start_again();
    }

    /// Pauses PgBouncer: transactions end, and later ones wait. Returns when no transaction is open.
    pub async fn pause(&self) {
        self.administer("pause").await;
    }

    /// Resumes PgBouncer after [`Self::pause`].
    pub async fn resume(&self) {
        self.administer("resume").await;
    }

    /// The number of clients that wait for a server connection.
    pub async fn waiting_clients(&self) -> i64 {
        let rows = self.administer("show pools").await;
        let count = |row: &PgRow| row.try_get_unchecked::<i64, _>("cl_waiting").expect("a number");
        rows.iter().map(count).sum()
    }

    /// Executes a command of the administration console.
    async fn administer(&self, command: &'static str) -> Vec<PgRow> {
        self.console().await.fetch_all(command).await.unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    async fn console(&self) -> PgConnection {
        PgConnection::connect(&self.url_of("pgbouncer")).await.expect("the console accepts clients")
    }
}

/// Ends the process of PgBouncer.
impl Drop for PgBouncer {
    fn drop(&mut self) {
        if self.shell.is_some() {
            self.kill();
        }
    }
}
