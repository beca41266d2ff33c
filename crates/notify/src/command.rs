//! The command channel: runs a program on the hub's machine with the notification on standard input. Without a shell,
//! so that no text of a notification is ever interpreted.

use std::{
    ffi::OsStr,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _},
    process::Command,
};

use crate::{
    Notice,
    failure::{Failure, response_line},
    notice::one_line,
};

/// Output kept of a command, in bytes per stream.
const OUTPUT_BYTES_MAX: usize = 4 * 1024;
/// Longest value of an environment variable, in characters. The kernel's limit is 128 KiB.
const VARIABLE_LENGTH_MAX: usize = 1_000;
/// How long to read output after the process group was killed: a process that left the group may hold the pipe open.
const DRAIN_MAX: Duration = Duration::from_millis(200);

/// Runs a command with the notification on its standard input. Exit status 0 means delivered.
///
/// When the command ends, the rest of its process group is killed; when this future is dropped, the whole group.
pub(crate) async fn run(argv: &[String], path: &OsStr, notice: &Notice, text: &str) -> Result<String, Failure> {
    let (program, arguments) = argv.split_first().ok_or_else(|| Failure::permanent("the command has no program"))?;
    let spawned = Command::new(program)
        .args(arguments)
        .env_clear()
        .env("PATH", path)
        .envs(variables(notice, text))
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn();
    let mut child = spawned.map_err(|error| Failure::permanent(format!("cannot start `{program}`: {error}")))?;
    let group = ProcessGroup(child.id().and_then(|id| id.try_into().ok()).map(Pid::from_raw));
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (mut printed, mut complained) = (Vec::new(), Vec::new());
    let status = {
        let input = notice.to_event(text).to_string();
        let talk = async {
            tokio::join!(feed(stdin, input.as_bytes()), keep(stdout, &mut printed), keep(stderr, &mut complained))
        };
        let mut talk = std::pin::pin!(talk);
        // Wait for the command itself, not for the end of its output: its children may keep the pipes open.
        let (status, is_drained) = tokio::select! {
            status = child.wait() => (status, false),
            _ = &mut talk => (child.wait().await, true),
        };
        drop(group);
        if !is_drained {
            let _ = tokio::time::timeout(DRAIN_MAX, talk).await;
        }
        status
    };
    let status = status.map_err(|error| Failure::temporary(format!("cannot wait for `{program}`: {error}")))?;
    if status.success() {
        return Ok(response_line(&printed));
    }
    let words = response_line(if complained.is_empty() { &printed } else { &complained });
    let words = if words.is_empty() { String::new() } else { format!(": {words}") };
    Err(Failure::temporary(format!("`{program}` {}{words}", end_of(status))))
}

fn end_of(status: ExitStatus) -> String {
    status.code().map_or_else(|| format!("was killed: {status}"), |code| format!("exited with status {code}"))
}

/// Environment variables, for scripts that do not parse JSON.
fn variables(notice: &Notice, text: &str) -> [(&'static str, String); 11] {
    // An environment variable cannot contain a NUL.
    let long = |text: &str| text.chars().filter(|c| *c != '\0').take(VARIABLE_LENGTH_MAX).collect::<String>();
    let short = |text: &str| one_line(text, VARIABLE_LENGTH_MAX);
    [
        ("HOSTLER_NOTICE_ID", short(&notice.id)),
        ("HOSTLER_NOTICE_ORG", short(&notice.org)),
        ("HOSTLER_NOTICE_KIND", short(&notice.kind)),
        ("HOSTLER_NOTICE_SEVERITY", short(&notice.severity)),
        ("HOSTLER_NOTICE_STATE", notice.state.to_string()),
        ("HOSTLER_NOTICE_TITLE", short(&notice.title)),
        ("HOSTLER_NOTICE_TEXT", long(text)),
        ("HOSTLER_NOTICE_SUBJECT", short(&notice.subject)),
        ("HOSTLER_NOTICE_URL", short(notice.url.as_deref().unwrap_or_default())),
        ("HOSTLER_NOTICE_AT", format!("{:.0}", notice.at)),
        ("HOSTLER_NOTICE_COUNT", notice.count.to_string()),
    ]
}

/// Writes all bytes, unless the command closes its standard input.
async fn feed(pipe: Option<impl tokio::io::AsyncWrite + Unpin>, bytes: &[u8]) {
    if let Some(mut pipe) = pipe {
        let _ = pipe.write_all(bytes).await;
    }
}

/// Reads to the end, so that the command never blocks on a full pipe, and keeps the beginning.
async fn keep(pipe: Option<impl AsyncRead + Unpin>, kept: &mut Vec<u8>) {
    let Some(mut pipe) = pipe else { return };
    let mut buffer = vec![0; 4 * 1024];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        let room = OUTPUT_BYTES_MAX - kept.len();
        kept.extend_from_slice(&buffer[..count.min(room)]);
    }
}

/// A process group that is killed on drop.
struct ProcessGroup(Option<Pid>);

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            let _ = killpg(group, Signal::SIGKILL);
        }
    }
}
