//! The command channel: input and environment, exit status, and removal of all processes.

use nix::{sys::stat::Mode, unistd::mkfifo};
use serde_json::{Value, json};
use tokio::{io::AsyncReadExt as _, net::unix::pipe};

use crate::fixture::{IMPATIENCE, channel, local, notice, sender};

fn shell(script: &str, argument: &str) -> domain::Channel {
    channel(json!({ "kind": "command", "argv": ["sh", "-c", script, argument] }))
}

#[tokio::test]
async fn command_gets_the_notice_and_inherits_no_environment() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a path");
    let command = shell("cat > \"$0/stdin\"; env > \"$0/env\"; echo ' done '", path);
    let sent =
        local().path("/usr/bin:/bin").build().expect("TLS").send(&command, &notice(), None).await.expect("delivered");
    assert_eq!(sent.answer, "done");
    let event: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("stdin")).expect("read")).expect("JSON");
    assert_eq!((&event["type"], &event["data"]["title"]), (&json!("alert.raised"), &json!(notice().title)));
    let env = std::fs::read_to_string(folder.path().join("env")).expect("read");
    for line in [
        "HOSTLER_NOTICE_STATE=raised",
        "HOSTLER_NOTICE_SUBJECT=web-1",
        "HOSTLER_NOTICE_AT=2025-10-09T08:53:20Z",
        "HOSTLER_NOTICE_COUNT=1",
        "PATH=/usr/bin:/bin",
    ] {
        assert!(env.lines().any(|own| own == line), "{line} is not in {env}");
    }
    for name in ["HOME", "USER", "CARGO_MANIFEST_DIR"] {
        assert!(!env.lines().any(|line| line.starts_with(&format!("{name}="))), "{name} is in {env}");
    }
}

#[tokio::test]
async fn exit_status_decides_about_delivery() {
    let failure = sender().send(&shell("echo oh no >&2; exit 3", ""), &notice(), None).await.expect_err("3");
    assert_eq!((failure.text.as_str(), failure.is_final), ("`sh` exited with status 3: oh no", false));
    let failure = sender().send(&shell("kill -9 $$", ""), &notice(), None).await.expect_err("killed");
    assert!(failure.text.contains("signal: 9"), "{failure:?}");
    let missing = channel(json!({ "kind": "command", "argv": ["/no/such/program"] }));
    let failure = sender().send(&missing, &notice(), None).await.expect_err("missing");
    assert!(failure.is_final && failure.text.contains("cannot start `/no/such/program`"), "{failure:?}");
}

#[tokio::test]
async fn output_is_limited_and_input_may_stay_unread() {
    let sent = sender().send(&shell("exec 0<&-; head -c 5000000 /dev/zero | tr '\\0' x", ""), &notice(), None).await;
    assert!(sent.expect("delivered").answer.chars().count() <= 200);
}

#[tokio::test]
async fn background_child_does_not_delay_the_result() {
    let sent = sender().send(&shell("sleep 1000 & echo done", ""), &notice(), None).await.expect("delivered");
    assert_eq!(sent.answer, "done");
}

#[tokio::test]
async fn hanging_command_is_killed_at_the_time_limit() {
    let sender = local().time_max(IMPATIENCE).build().expect("TLS");
    let failure = sender.send(&shell("sleep 1000", ""), &notice(), None).await.expect_err("time limit");
    assert!(!failure.is_final && failure.text.contains("`sh` did not finish"), "{failure:?}");
}

#[tokio::test]
async fn dropping_the_future_kills_the_whole_process_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fifo");
    mkfifo(&path, Mode::S_IRWXU).expect("a pipe");
    let mut pipe = pipe::OpenOptions::new().open_receiver(&path).expect("a reader");
    let keeper = pipe::OpenOptions::new().open_sender(&path).expect("a writer");
    let (sender, notice) = (sender(), notice());
    let command = shell("exec 3>\"$0\"; sleep 1000 & echo on >&3; sleep 1000", path.to_str().expect("a path"));
    let mut sending = Box::pin(sender.send(&command, &notice, None));
    let mut began = [0; 3];
    tokio::select! {
        sent = &mut sending => panic!("the command ended by itself: {sent:?}"),
        read = pipe.read_exact(&mut began) => drop(read.expect("the command started")),
    }
    drop((sending, keeper));
    // The pipe reaches end of file when the last process has ended.
    let mut rest = Vec::new();
    pipe.read_to_end(&mut rest).await.expect("all processes have ended");
    assert_eq!((began.as_slice(), rest.as_slice()), (b"on\n".as_slice(), b"".as_slice()));
}
