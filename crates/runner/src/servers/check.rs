//! Readiness checks of servers: repeated until one succeeds, each with a time limit.

use std::{path::PathBuf, process::Stdio, time::Duration};

use domain::server::ReadyCheck;
use http_body_util::Empty;
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::exec::{Follower, Position, Redactor, User};

/// Pause between two checks.
const PAUSE: Duration = Duration::from_millis(250);
/// Time limit for a check.
const LOOK_MAX: Duration = Duration::from_secs(5);
/// Most lines and bytes per read.
const LINES: usize = 2_000;
const BYTES: usize = 512 * 1024;

/// Returns when the server in this folder is ready. The caller sets the overall time limit. Commands run as the user of
/// the server; `None` means the runner's own.
pub(super) async fn ready(check: ReadyCheck, dir: PathBuf, user: Option<User>) {
    if let ReadyCheck::Log { contains } = check {
        return wait_for_output(contains, dir).await;
    }
    loop {
        let looked = async {
            match &check {
                ReadyCheck::Up => {
                    tokio::time::sleep(domain::server::life::UP_FOR.to_duration()).await;
                    true
                }
                ReadyCheck::Tcp { host, port } => TcpStream::connect((host.as_str(), *port)).await.is_ok(),
                ReadyCheck::Http { url } => answers_well(url).await.unwrap_or(false),
                ReadyCheck::Command { argv } => succeeds(argv, user).await,
                ReadyCheck::Log { .. } => false,
            }
        };
        if tokio::time::timeout(LOOK_MAX, looked).await.unwrap_or(false) {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Waits for a matching line of output, from the first line on: it may have been written before the check started.
async fn wait_for_output(contains: String, dir: PathBuf) {
    let mut follower = Some(Follower::new(&dir, Redactor::new([""; 0]), Position::default()));
    loop {
        let Some(mut reading) = follower.take() else { return std::future::pending().await };
        let wanted = contains.clone();
        let read = tokio::task::spawn_blocking(move || {
            let lines = reading.poll(false, LINES, BYTES).unwrap_or_default();
            let is_there = lines.iter().any(|line| line.text.contains(&wanted));
            (reading, is_there, lines.is_empty())
        });
        let Ok((reading, is_there, is_all)) = read.await else { return std::future::pending().await };
        if is_there {
            return;
        }
        follower = Some(reading);
        if is_all {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Whether a GET request to this address returns a status below 400.
async fn answers_well(url: &str) -> Option<bool> {
    let url: http::Uri = url.parse().ok()?;
    let host = url.host()?;
    let stream = TcpStream::connect((host.trim_matches(['[', ']']), url.port_u16().unwrap_or(80))).await.ok()?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.ok()?;
    let path = url.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    let authority = url.authority()?.as_str();
    let request = http::Request::get(path).header(http::header::HOST, authority).body(Empty::<Bytes>::new()).ok()?;
    let asked = async { sender.send_request(request).await.ok() };
    tokio::select! {
        answer = asked => Some(answer?.status().as_u16() < 400),
        _ = connection => None,
    }
}

/// Whether a command succeeds. Its output is discarded, and it is killed when the check is dropped.
async fn succeeds(argv: &[String], user: Option<User>) -> bool {
    let Some((program, args)) = argv.split_first() else { return false };
    let mut command = tokio::process::Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    if let Some(User { uid, gid }) = user {
        // The working directory of the runner may be closed to this user.
        command.uid(uid).gid(gid).current_dir("/");
    }
    command.status().await.is_ok_and(|status| status.success())
}
