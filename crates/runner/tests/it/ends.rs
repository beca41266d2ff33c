//! Runs that end by themselves, and failed starts.

use std::{fs, os::unix::fs::PermissionsExt};

use runner::exec::{Ending, Kind, OutputStream, RunState, StartError, Step, User, start};

use crate::fixture::{TestRunFolder, is_root, order, shim, texts, until, verdict};

#[tokio::test]
async fn program_gets_its_folder_and_only_its_own_environment() {
    let folder = TestRunFolder::new();
    let mut order = order("pwd; env | sort; umask; echo oops >&2; cat; cat /proc/self/oom_score_adj");
    order.folder = "/usr".into();
    order.env.insert("GREETING".into(), "a b\nc".into());
    let run = folder.begin_order(&order).await;
    let outcome = run.outcome().await;
    assert_eq!((outcome.kind(), outcome.ending), (Kind::Exited, Ending::Code(0)));
    assert_eq!((outcome.left_over, outcome.dropped_bytes, outcome.child_pid), (0, 0, run.started.pid));
    assert!(outcome.began.boot_ms <= outcome.ended.boot_ms && outcome.began.wall_us > 0);
    let lines = run.lines();
    assert_eq!(texts(&lines, OutputStream::Err), ["oops"]);
    let own =
        fs::read_to_string("/proc/self/oom_score_adj").expect("own file").trim().parse::<i32>().expect("a number");
    let id = format!("HOSTLER_RUN_ID={}", run.id);
    let oom = (own + 300).min(1000).to_string();
    let path = "PATH=/usr/local/bin:/usr/bin:/bin";
    assert_eq!(texts(&lines, OutputStream::Out), ["/usr", "GREETING=a b", &id, path, "PWD=/usr", "c", "0022", &oom]);
    assert!(!run.dir.join("spec").exists(), "the spec, which may contain secrets, is removed");
    until("the socket is removed", || !run.dir.join("sock").exists()).await;
}

#[tokio::test]
async fn outcome_has_exit_code_and_signal() {
    let folder = TestRunFolder::new();
    let run = folder.begin("exit 5").await_outcome().await;
    assert_eq!((run.kind(), run.ending), (Kind::Exited, Ending::Code(5)));
    let run = folder.begin("kill -9 $$").await_outcome().await;
    assert_eq!((run.kind(), run.ending), (Kind::Signaled, Ending::Signal(9)));
    // The program does not inherit ignored signals.
    let run = folder.begin("kill -PIPE $$; exit 1").await_outcome().await;
    assert_eq!(run.ending, Ending::Signal(13));
}

#[tokio::test]
async fn failed_start_has_an_outcome_with_step_and_errno() {
    let folder = TestRunFolder::new();
    let plain = folder.dir("plain");
    fs::write(&plain, "#!/bin/sh\n").expect("own file");
    fs::set_permissions(&plain, fs::Permissions::from_mode(0o644)).expect("own file");
    for (program, working_dir, step, errno) in [
        ("no-such-program", "/", Step::Program, 2),
        ("/no/such/program", "/", Step::Program, 2),
        (plain.to_str().expect("text"), "/", Step::Program, 13),
        ("/", "/", Step::Program, 13),
        ("sh", "/no/such/folder", Step::Folder, 2),
    ] {
        let mut order = order("");
        order.program = program.into();
        order.folder = working_dir.into();
        let dir = folder.dir(&order.run_id);
        let error = start(shim(), &dir, &order).await.expect_err("the start fails");
        let StartError::NotBegun(outcome) = error else { panic!("{error}") };
        assert_eq!(outcome.kind(), Kind::SpawnError);
        assert_eq!(outcome.ending, Ending::NotBegun { step, errno }, "{program}");
        assert!(matches!(verdict(&dir).await, RunState::Finished(again) if again == *outcome));
    }
    let mut bad = order("");
    bad.folder = "relative".into();
    let error = start(shim(), &folder.dir("bad"), &bad).await.expect_err("the order is invalid");
    assert!(matches!(error, StartError::Order(_)));
}

#[tokio::test]
async fn background_processes_are_counted_and_killed_at_the_end() {
    let folder = TestRunFolder::new();
    let leaves = "sleep 1000 & sleep 1000 & setsid sleep 1000 >/dev/null 2>&1 & sleep 0.05; exit 5";
    for run in [folder.begin(leaves).await, folder.begin_as_nobody(leaves).await] {
        let outcome = run.outcome().await;
        assert_eq!((outcome.kind(), outcome.ending, outcome.left_over), (Kind::Exited, Ending::Code(5), 3));
    }
}

#[tokio::test]
async fn run_continues_after_closing_its_output() {
    let folder = TestRunFolder::new();
    let run = folder.begin("exec >&- 2>&-; sleep 0.1; exit 3").await;
    assert_eq!(run.outcome().await.ending, Ending::Code(3));
}

#[tokio::test]
async fn program_runs_as_another_user() {
    if !is_root() {
        return;
    }
    let folder = TestRunFolder::new();
    let mut order = order("id -u; id -g; id -G; grep NoNewPrivs /proc/self/status");
    order.user = Some(User { uid: 65534, gid: 65533 });
    let run = folder.begin_order(&order).await;
    assert_eq!(run.outcome().await.ending, Ending::Code(0));
    assert_eq!(texts(&run.lines(), OutputStream::Out), ["65534", "65533", "65533", "NoNewPrivs:\t1"]);
}

/// Starts a run and waits for its outcome.
trait AwaitOutcome {
    async fn await_outcome(self) -> runner::exec::Outcome;
}

impl<F: Future<Output = crate::fixture::TestRun>> AwaitOutcome for F {
    async fn await_outcome(self) -> runner::exec::Outcome {
        self.await.outcome().await
    }
}
