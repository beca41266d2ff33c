//! A transaction pooler in front of the test server, stopped with the test process.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use crate::postgres::{as_postgres, free_port, server_url, wait_until_ready};

/// Starts a pooler with two server connections in front of a database; returns its URL without the parameter
/// `pooler=transaction`.
pub fn in_front_of(url: &str) -> String {
    let server = server_url().trim_start_matches("postgres://postgres@");
    let (host, port) = server.split_once(':').expect("host and port");
    let database = url.rsplit('/').next().expect("a database");
    let own = free_port();
    let folder = std::env::temp_dir().join(format!("hostler-test-pooler-{}-{own}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let settings = folder.join("pgbouncer.ini");
    let mut file = std::fs::File::create(&settings).expect("a settings file");
    write!(
        file,
        "[databases]\n* = host={host} port={port} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {own}\n\
         unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 2\nmax_client_conn = 100\n\
         ignore_startup_parameters = extra_float_digits,options\n"
    )
    .expect("writes");
    // As for the PostgreSQL server: the shell reads from a pipe of this process and stops the pooler when the pipe
    // closes.
    let script = format!(
        "pgbouncer -q {} & pid=$!; read _; kill -INT $pid; wait $pid; rm -rf {}",
        settings.display(),
        folder.display()
    );
    let prefix = as_postgres();
    #[expect(clippy::zombie_processes, reason = "it ends after this process, by design")]
    let mut shell = Command::new(prefix[0])
        .args(&prefix[1..])
        .args(["sh", "-c", &script])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the pooler starts");
    std::mem::forget(shell.stdin.take());
    wait_until_ready(own);
    format!("postgres://postgres@127.0.0.1:{own}/{database}")
}
