//! A restarted runner: runs that are alive, finished, never started, or crashed.

use std::{fs, path::Path};

use domain::Span;
use runner::exec::{
    Crash, Ending, InstallError, Kind, RunEnd, RunState, Shim, StartError, inspect, kill_orphans, launch, prepare,
    start,
};

use crate::fixture::{TestRunFolder, boot_id, kill, order, processes, shim, until, verdict};

#[tokio::test]
async fn run_survives_the_drop_of_its_handle() {
    let folder = TestRunFolder::new();
    let script = "while [ ! -e \"$GO\" ]; do sleep 0.01; done; echo on; exit 6";
    let mut order = order(script);
    let go = folder.dir("go");
    order.env.insert("GO".into(), go.clone().into());
    let run = folder.begin_order(&order).await;
    let pid = run.started.pid;
    // A caller is waiting when the handles are dropped.
    let waiting = run.handle().clone();
    assert!(tokio::time::timeout(std::time::Duration::from_millis(20), waiting.wait()).await.is_err());
    let dir = run.dir.clone();
    drop((run, waiting));

    let RunState::Alive(handle) = verdict(&dir).await else { panic!("not alive") };
    assert_eq!(handle.pid(), pid);
    fs::write(go, "").expect("own file");
    let RunEnd::Finished(finished) = handle.wait().await else { panic!("not finished") };
    assert_eq!(finished.outcome.ending, Ending::Code(6));
    // Without an acknowledgement the shim syncs its files itself.
    drop(finished);
    assert!(matches!(verdict(&dir).await, RunState::Finished(outcome) if outcome.ending == Ending::Code(6)));
}

#[tokio::test]
async fn run_starts_although_its_runner_dies_before_the_greeting() {
    let folder = TestRunFolder::new();
    let order = order("echo on; sleep 1000");
    let dir = folder.dir(&order.run_id);
    prepare(&dir, &order).await.expect("prepared");
    // No process reads the greeting.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut shim = tokio::process::Command::new(shim().path()).arg(&dir).stdout(writer).spawn().expect("spawned");
    shim.wait().await.expect("the shim detaches");
    until("the program has started", || dir.join("log").metadata().is_ok_and(|log| log.len() > 0)).await;
    let RunState::Alive(handle) = verdict(&dir).await else { panic!("not alive") };
    handle.kill().await.expect("the shim answers");
    assert!(matches!(handle.wait().await, RunEnd::Finished(_)));
}

#[tokio::test]
async fn twenty_concurrent_shims_start_a_run_once() {
    let folder = TestRunFolder::new();
    let mut order = order("echo x >> \"$FILE\"; sleep 1000");
    let file = folder.dir("begun");
    order.env.insert("FILE".into(), file.clone().into());
    let dir = folder.dir(&order.run_id);
    prepare(&dir, &order).await.expect("prepared");
    let all = futures_util::future::join_all((0..20).map(|_| launch(shim(), &dir))).await;
    let (begun, refused): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
    assert_eq!(begun.len(), 1);
    assert!(refused.iter().all(|refused| matches!(refused, Err(StartError::Taken(_)))), "{refused:?}");
    assert!(matches!(launch(shim(), &dir).await, Err(StartError::Taken(_))), "not while it is running");
    let RunState::Alive(handle) = verdict(&dir).await else { panic!("not alive") };
    until("the program has started", || fs::metadata(&file).is_ok_and(|file| file.len() > 0)).await;
    handle.kill().await.expect("the shim answers");
    let RunEnd::Finished(finished) = handle.wait().await else { panic!("not finished") };
    assert_eq!(finished.outcome.kind(), Kind::Stopped);
    finished.ack().await;
    assert!(matches!(launch(shim(), &dir).await, Err(StartError::Taken(_))), "not after its end");
    assert_eq!(fs::read_to_string(&file).expect("started"), "x\n");
}

#[tokio::test]
async fn run_inspected_as_not_started_never_starts() {
    let folder = TestRunFolder::new();
    let order = order("sleep 1000");
    let dir = folder.dir(&order.run_id);
    assert!(matches!(verdict(&dir).await, RunState::NotStarted), "without a folder");
    prepare(&dir, &order).await.expect("prepared");
    assert!(matches!(verdict(&dir).await, RunState::NotStarted));
    // The slow shim of an earlier runner.
    assert!(matches!(launch(shim(), &dir).await, Err(StartError::Taken(_))));
    assert_eq!(processes(&order.run_id), [0; 0]);
    assert!(matches!(verdict(&dir).await, RunState::NotStarted), "the state is stable");
    assert!(!dir.join("spec").exists());
}

#[tokio::test]
async fn concurrent_start_and_inspection_agree() {
    let folder = TestRunFolder::new();
    for _ in 0..10 {
        let order = order("sleep 1000");
        let dir = folder.dir(&order.run_id);
        prepare(&dir, &order).await.expect("prepared");
        let boot_id = boot_id();
        let (begun, judged) = tokio::join!(launch(shim(), &dir), inspect(&dir, &boot_id));
        match judged.expect("inspected") {
            RunState::NotStarted => assert!(matches!(begun, Err(StartError::Taken(_)))),
            RunState::Alive(handle) => {
                assert_eq!(begun.expect("started").pid, handle.pid());
                handle.kill().await.expect("the shim answers");
                assert!(matches!(handle.wait().await, RunEnd::Finished(_)));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(processes(&order.run_id), [0; 0]);
    }
}

#[tokio::test]
async fn killed_shim_kills_its_child_and_orphans_are_found() {
    let folder = TestRunFolder::new();
    for run in [
        folder.begin("setsid sleep 1000 & sleep 1000 & sleep 1000").await,
        folder.begin_as_nobody("setsid sleep 1000 & sleep 1000 & sleep 1000").await,
    ] {
        until("all processes have started", || processes(&run.id).len() == 4).await;
        kill(run.started.shim_pid);
        // Immediately, while the shim may be a zombie.
        let RunEnd::Crashed { why } = run.handle().wait().await else { panic!("not crashed") };
        assert_eq!(why, Crash::ShimGone);
        assert!(matches!(verdict(&run.dir).await, RunState::Crashed { why: Crash::ShimGone }));
        until("the child has ended", || !Path::new(&format!("/proc/{}/exe", run.started.pid)).exists()).await;
        kill_orphans(&run.dir, &run.id).await.expect("searched");
        until("all processes have ended", || processes(&run.id).is_empty()).await;
    }
}

#[tokio::test]
async fn incomplete_outcome_file_is_ignored() {
    let folder = TestRunFolder::new();
    let run = folder.begin("exit 3").await_end().await;
    let exit = run.join("exit");
    let whole = fs::read(&exit).expect("exists");
    for torn in [&whole[..whole.len() - 1], &whole[..whole.len() / 2], b"", &[0; 4096]] {
        fs::write(&exit, torn).expect("own file");
        assert!(matches!(verdict(&run).await, RunState::Crashed { why: Crash::ShimGone }));
        assert!(matches!(inspect(&run, "another boot").await, Ok(RunState::Crashed { why: Crash::Reboot })));
    }
    fs::write(run.join("started"), "").expect("own file");
    assert!(matches!(verdict(&run).await, RunState::Crashed { why: Crash::Unreadable }));
    fs::write(&exit, whole).expect("own file");
    assert!(matches!(verdict(&run).await, RunState::Finished(_)));
}

#[tokio::test]
async fn run_folder_path_may_exceed_108_bytes() {
    let folder = TestRunFolder::new();
    let parent = folder.dir(&"long-".repeat(40));
    fs::create_dir(&parent).expect("own file");
    let order = order("sleep 1000");
    let dir = parent.join(&order.run_id);
    start(shim(), &dir, &order).await.expect("started");
    let RunState::Alive(handle) = verdict(&dir).await else { panic!("not alive") };
    handle.stop(Span::from_secs(10)).await.expect("the shim answers");
    let RunEnd::Finished(finished) = handle.wait().await else { panic!("not finished") };
    assert_eq!(finished.outcome.kind(), Kind::Stopped);
}

#[tokio::test]
async fn idle_shim_uses_at_most_200_kb_of_private_memory() {
    let folder = TestRunFolder::new();
    let run = folder.begin("sleep 1000").await;
    let maps = fs::read_to_string(format!("/proc/{}/smaps_rollup", run.started.shim_pid)).expect("alive");
    let pss = maps.lines().find_map(|line| line.strip_prefix("Pss:")?.strip_suffix("kB")?.trim().parse::<u64>().ok());
    let dirty =
        maps.lines().find_map(|line| line.strip_prefix("Private_Dirty:")?.strip_suffix("kB")?.trim().parse().ok());
    println!("pss {pss:?} kB, private dirty {dirty:?} kB");
    // Only dirty pages: the pages of the binary are shared by all shims.
    assert!(dirty.is_some_and(|dirty: u64| dirty <= 200), "{maps}");
    run.handle().kill().await.expect("the shim answers");
    run.outcome().await;
}

#[test]
fn install_replaces_a_damaged_shim_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = Shim::install(folder.path()).expect("installed");
    let whole = fs::read(first.path()).expect("exists");
    fs::remove_file(first.path()).expect("own file");
    fs::write(first.path(), "something else").expect("own file");
    let second = Shim::install(folder.path()).expect("installed again");
    assert_eq!(first.path(), second.path());
    assert!(fs::read(second.path()).expect("exists") == whole);
    assert_eq!(fs::read_dir(folder.path()).expect("own file").count(), 1, "no temporary file is left");
    // A read-only file system of the kernel.
    let error = Shim::install(Path::new("/proc/self")).expect_err("nothing can be written there");
    assert!(matches!(error, InstallError::Write(..)));
}

/// Waits for the end of the run and of its shim; returns the run folder.
trait AwaitEnd {
    async fn await_end(self) -> std::path::PathBuf;
}

impl<F: Future<Output = crate::fixture::TestRun>> AwaitEnd for F {
    async fn await_end(self) -> std::path::PathBuf {
        let run = self.await;
        run.outcome().await;
        until("the shim has ended", || !Path::new(&format!("/proc/{}", run.started.shim_pid)).exists()).await;
        run.dir.clone()
    }
}
