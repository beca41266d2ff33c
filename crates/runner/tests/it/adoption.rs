//! What a runner finds when it comes back: runs that live, that ended, that never began, that nobody can tell about.

use std::{fs, path::Path};

use domain::Span;
use runner::exec::{
    Crash, Ending, InstallError, Kind, RunEnd, RunState, Shim, StartError, inspect, kill_orphans, launch, prepare,
    start,
};

use crate::fixture::{TestBench, boot_id, kill, order, processes, shim, until, verdict};

#[tokio::test]
async fn a_run_outlives_whoever_started_it() {
    let bench = TestBench::new();
    let script = "while [ ! -e \"$GO\" ]; do sleep 0.01; done; echo on; exit 6";
    let mut order = order(script);
    let go = bench.dir("go");
    order.env.insert("GO".into(), go.clone().into());
    let run = bench.begin_order(&order).await;
    let pid = run.started.pid;
    // Somebody was waiting when it happened.
    let waiting = run.handle().clone();
    assert!(tokio::time::timeout(std::time::Duration::from_millis(20), waiting.wait()).await.is_err());
    let dir = run.dir.clone();
    drop((run, waiting));

    let RunState::Alive(handle) = verdict(&dir).await else { panic!("it lives") };
    assert_eq!(handle.pid(), pid);
    fs::write(go, "").expect("ours");
    let RunEnd::Finished(finished) = handle.wait().await else { panic!("it ended well") };
    assert_eq!(finished.outcome.ending, Ending::Code(6));
    // Nobody says that it is safe: the shim sees to it itself.
    drop(finished);
    assert!(matches!(verdict(&dir).await, RunState::Finished(outcome) if outcome.ending == Ending::Code(6)));
}

#[tokio::test]
async fn a_runner_that_dies_at_the_start_is_not_missed() {
    let bench = TestBench::new();
    let order = order("echo on; sleep 1000");
    let dir = bench.dir(&order.run_id);
    prepare(&dir, &order).await.expect("it is prepared");
    // Nobody hears that it has begun.
    let (heard, said) = std::io::pipe().expect("a pipe");
    drop(heard);
    let mut shim = tokio::process::Command::new(shim().path()).arg(&dir).stdout(said).spawn().expect("it runs");
    shim.wait().await.expect("it leaves its caller");
    until("it has begun", || dir.join("log").metadata().is_ok_and(|log| log.len() > 0)).await;
    let RunState::Alive(handle) = verdict(&dir).await else { panic!("it lives") };
    handle.kill().await.expect("the shim hears");
    assert!(matches!(handle.wait().await, RunEnd::Finished(_)));
}

#[tokio::test]
async fn twenty_shims_start_it_once() {
    let bench = TestBench::new();
    let mut order = order("echo x >> \"$FILE\"; sleep 1000");
    let file = bench.dir("begun");
    order.env.insert("FILE".into(), file.clone().into());
    let dir = bench.dir(&order.run_id);
    prepare(&dir, &order).await.expect("it is prepared");
    let all = futures_util::future::join_all((0..20).map(|_| launch(shim(), &dir))).await;
    let (begun, refused): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
    assert_eq!(begun.len(), 1);
    assert!(refused.iter().all(|refused| matches!(refused, Err(StartError::Taken(_)))), "{refused:?}");
    assert!(matches!(launch(shim(), &dir).await, Err(StartError::Taken(_))), "nor while it runs");
    let RunState::Alive(handle) = verdict(&dir).await else { panic!("it lives") };
    until("it began", || fs::metadata(&file).is_ok_and(|file| file.len() > 0)).await;
    handle.kill().await.expect("the shim hears");
    let RunEnd::Finished(finished) = handle.wait().await else { panic!("it ended well") };
    assert_eq!(finished.outcome.kind(), Kind::Stopped);
    finished.ack().await;
    assert!(matches!(launch(shim(), &dir).await, Err(StartError::Taken(_))), "nor afterwards");
    assert_eq!(fs::read_to_string(&file).expect("it began"), "x\n");
}

#[tokio::test]
async fn what_is_judged_not_started_never_starts() {
    let bench = TestBench::new();
    let order = order("sleep 1000");
    let dir = bench.dir(&order.run_id);
    assert!(matches!(verdict(&dir).await, RunState::NotStarted), "there is no folder");
    prepare(&dir, &order).await.expect("it is prepared");
    assert!(matches!(verdict(&dir).await, RunState::NotStarted));
    // The shim of a runner that is dead now was slow.
    assert!(matches!(launch(shim(), &dir).await, Err(StartError::Taken(_))));
    assert_eq!(processes(&order.run_id), [0; 0]);
    assert!(matches!(verdict(&dir).await, RunState::NotStarted), "and again");
    assert!(!dir.join("spec").exists());
}

#[tokio::test]
async fn starting_and_judging_at_once_agree() {
    let bench = TestBench::new();
    for _ in 0..10 {
        let order = order("sleep 1000");
        let dir = bench.dir(&order.run_id);
        prepare(&dir, &order).await.expect("it is prepared");
        let boot_id = boot_id();
        let (begun, judged) = tokio::join!(launch(shim(), &dir), inspect(&dir, &boot_id));
        match judged.expect("it can be judged") {
            RunState::NotStarted => assert!(matches!(begun, Err(StartError::Taken(_)))),
            RunState::Alive(handle) => {
                assert_eq!(begun.expect("it began").pid, handle.pid());
                handle.kill().await.expect("the shim hears");
                assert!(matches!(handle.wait().await, RunEnd::Finished(_)));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(processes(&order.run_id), [0; 0]);
    }
}

#[tokio::test]
async fn a_killed_shim_takes_its_child_along_and_the_rest_is_swept() {
    let bench = TestBench::new();
    for run in [
        bench.begin("setsid sleep 1000 & sleep 1000 & sleep 1000").await,
        bench.begin_as_nobody("setsid sleep 1000 & sleep 1000 & sleep 1000").await,
    ] {
        until("all are there", || processes(&run.id).len() == 4).await;
        kill(run.started.shim_pid);
        // At once, while it may still be a zombie.
        let RunEnd::Crashed { why } = run.handle().wait().await else { panic!("nobody knows") };
        assert_eq!(why, Crash::ShimGone);
        assert!(matches!(verdict(&run.dir).await, RunState::Crashed { why: Crash::ShimGone }));
        until("its child is gone", || !Path::new(&format!("/proc/{}/exe", run.started.pid)).exists()).await;
        kill_orphans(&run.dir, &run.id).await.expect("it can look");
        until("all are gone", || processes(&run.id).is_empty()).await;
    }
}

#[tokio::test]
async fn an_outcome_without_its_end_is_none() {
    let bench = TestBench::new();
    let run = bench.begin("exit 3").await_end().await;
    let exit = run.join("exit");
    let whole = fs::read(&exit).expect("it is there");
    for torn in [&whole[..whole.len() - 1], &whole[..whole.len() / 2], b"", &[0; 4096]] {
        fs::write(&exit, torn).expect("ours");
        assert!(matches!(verdict(&run).await, RunState::Crashed { why: Crash::ShimGone }));
        assert!(matches!(inspect(&run, "another boot").await, Ok(RunState::Crashed { why: Crash::Reboot })));
    }
    fs::write(run.join("started"), "").expect("ours");
    assert!(matches!(verdict(&run).await, RunState::Crashed { why: Crash::Unreadable }));
    fs::write(&exit, whole).expect("ours");
    assert!(matches!(verdict(&run).await, RunState::Finished(_)));
}

#[tokio::test]
async fn a_long_path_is_no_obstacle() {
    let bench = TestBench::new();
    let parent = bench.dir(&"long-".repeat(40));
    fs::create_dir(&parent).expect("ours");
    let order = order("sleep 1000");
    let dir = parent.join(&order.run_id);
    start(shim(), &dir, &order).await.expect("it starts");
    let RunState::Alive(handle) = verdict(&dir).await else { panic!("it lives") };
    handle.stop(Span::from_secs(10)).await.expect("the shim hears");
    let RunEnd::Finished(finished) = handle.wait().await else { panic!("it ended well") };
    assert_eq!(finished.outcome.kind(), Kind::Stopped);
}

#[tokio::test]
async fn an_idle_shim_is_small() {
    let bench = TestBench::new();
    let run = bench.begin("sleep 1000").await;
    let maps = fs::read_to_string(format!("/proc/{}/smaps_rollup", run.started.shim_pid)).expect("it lives");
    let pss = maps.lines().find_map(|line| line.strip_prefix("Pss:")?.strip_suffix("kB")?.trim().parse::<u64>().ok());
    let dirty =
        maps.lines().find_map(|line| line.strip_prefix("Private_Dirty:")?.strip_suffix("kB")?.trim().parse().ok());
    println!("pss {pss:?} kB, private dirty {dirty:?} kB");
    // The pages of the file are shared by all shims; alone with it, this one pays for them, so they are not counted.
    assert!(dirty.is_some_and(|dirty: u64| dirty <= 200), "{maps}");
    run.handle().kill().await.expect("the shim hears");
    run.outcome().await;
}

#[test]
fn the_shims_file_is_checked_and_mended() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = Shim::install(folder.path()).expect("it is written");
    let whole = fs::read(first.path()).expect("it is there");
    fs::remove_file(first.path()).expect("ours");
    fs::write(first.path(), "something else").expect("ours");
    let second = Shim::install(folder.path()).expect("it is written again");
    assert_eq!(first.path(), second.path());
    assert!(fs::read(second.path()).expect("it is there") == whole);
    assert_eq!(fs::read_dir(folder.path()).expect("ours").count(), 1, "nothing is left beside it");
    // A file system of the kernel, on which nothing may be run.
    let error = Shim::install(Path::new("/proc/self")).expect_err("nothing can be written there");
    assert!(matches!(error, InstallError::Write(..)));
}

/// Runs to the end; what is left is the folder.
trait AwaitEnd {
    async fn await_end(self) -> std::path::PathBuf;
}

impl<F: Future<Output = crate::fixture::TestRun>> AwaitEnd for F {
    async fn await_end(self) -> std::path::PathBuf {
        let run = self.await;
        run.outcome().await;
        until("the shim has left", || !Path::new(&format!("/proc/{}", run.started.shim_pid)).exists()).await;
        run.dir.clone()
    }
}
