//! Runs that are stopped: on request, by a kill, by a timeout or by an expired lease.

use domain::Span;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use runner::exec::{CommandRefused, Ending, Fence, Kind, boot_ms};
use tokio::net::UnixStream;

use crate::fixture::{TestRunFolder, order, processes, until};

/// Four processes that ignore `SIGTERM`: the main one, one in its group, one in its own session, and an orphan without
/// open descriptors.
const TREE: &str = "trap '' TERM
    sleep 1000 &
    setsid sh -c 'trap \"\" TERM; sleep 1000' &
    ( setsid sleep 1000 </dev/null >/dev/null 2>&1 & )
    sleep 1000";

#[tokio::test]
async fn program_may_clean_up_after_sigterm() {
    let folder = TestRunFolder::new();
    let run = folder.begin("trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done").await;
    until("the program is ready", || run.dir.join("log").metadata().is_ok_and(|log| log.len() > 0)).await;
    run.handle().stop(Span::from_secs(10)).await.expect("the shim answers");
    let outcome = run.outcome().await;
    assert_eq!((outcome.kind(), outcome.ending), (Kind::Stopped, Ending::Code(7)));
}

#[tokio::test]
async fn process_tree_that_ignores_sigterm_is_killed() {
    let folder = TestRunFolder::new();
    for run in [folder.begin(TREE).await, folder.begin_as_nobody(TREE).await] {
        until("all processes have started", || processes(&run.id).len() >= 6).await;
        run.handle().stop(Span::from_millis(100)).await.expect("the shim answers");
        let outcome = run.outcome().await;
        assert_eq!((outcome.kind(), outcome.ending), (Kind::Stopped, Ending::Signal(9)));
    }
}

#[tokio::test]
async fn kill_ends_the_grace_period() {
    let folder = TestRunFolder::new();
    let run = folder.begin(TREE).await;
    // Before that, the script may not have set its trap.
    until("all processes have started", || processes(&run.id).len() >= 6).await;
    run.handle().stop(Span::from_secs(1000)).await.expect("the shim answers");
    run.handle().kill().await.expect("the shim answers");
    assert_eq!(run.outcome().await.ending, Ending::Signal(9));
}

#[tokio::test]
async fn chain_of_forks_is_killed() {
    let folder = TestRunFolder::new();
    // Each process starts its successor and exits. The chain is finite, because it would outlive a killed test.
    let chain = "trap '' TERM; f='N=$((N + 1)); [ $N -lt 100000 ] && sh -c \"$F\" & exit 0'
        N=0 F=\"$f\" setsid sh -c \"$f\" & sleep 1000";
    for run in [folder.begin(chain).await, folder.begin_as_nobody(chain).await] {
        until("the chain has started", || processes(&run.id).len() > 1).await;
        run.handle().stop(Span::from_millis(50)).await.expect("the shim answers");
        assert_eq!(run.outcome().await.kind(), Kind::Stopped);
    }
}

#[tokio::test]
async fn stopped_program_receives_sigterm() {
    let folder = TestRunFolder::new();
    let run = folder.begin("kill -STOP $$; sleep 1000").await;
    let stat = format!("/proc/{}/stat", run.started.pid);
    until("the program is stopped", || std::fs::read_to_string(&stat).is_ok_and(|stat| stat.contains(") T "))).await;
    run.handle().stop(Span::from_secs(1000)).await.expect("the shim answers");
    assert_eq!(run.outcome().await.ending, Ending::Signal(15));
}

#[tokio::test]
async fn run_is_killed_after_its_timeout() {
    let folder = TestRunFolder::new();
    let mut order = order(TREE);
    order.timeout = Some(Span::from_millis(200));
    order.grace = Span::from_millis(50);
    let run = folder.begin_order(&order).await;
    assert_eq!(run.outcome().await.kind(), Kind::TimedOut);
}

#[tokio::test]
async fn expired_lease_ends_the_run_in_time() {
    let folder = TestRunFolder::new();
    let mut order = order("trap '' TERM; while :; do sleep 0.05; done");
    let lease_until_ms = boot_ms() + 1_000_000;
    order.fence = Some(Fence { lease_until_ms, term_ms: 400, kill_ms: 200 });
    let run = folder.begin_order(&order).await;
    let until_ms = boot_ms() + 900;
    run.handle().lease(until_ms).await.expect("the run has a lease");
    let outcome = run.outcome().await;
    assert_eq!((outcome.kind(), outcome.ending), (Kind::Fenced, Ending::Signal(9)));
    assert!(outcome.ended.boot_ms >= until_ms - 400, "not before the margin");
    assert!(outcome.ended.boot_ms < lease_until_ms - 400, "by the renewed lease, not by the first one");
}

#[tokio::test]
async fn lease_is_rejected_without_fence_and_expired_lease_prevents_the_start() {
    let folder = TestRunFolder::new();
    let free = folder.begin("sleep 1000").await;
    assert!(matches!(free.handle().lease(boot_ms()).await, Err(CommandRefused::Rejected(_))));
    free.handle().kill().await.expect("the shim answers");
    assert_eq!(free.outcome().await.kind(), Kind::Stopped);

    let mut order = order("echo began > began");
    order.fence = Some(Fence { lease_until_ms: boot_ms(), term_ms: 0, kill_ms: 0 });
    // The lease has expired before the start: another host may run the job by now, so it must not start here.
    let dir = folder.dir(&order.run_id);
    let _ = runner::exec::start(crate::fixture::shim(), &dir, &order).await;
    until("the run has ended", || dir.join("exit").exists()).await;
    let runner::exec::RunState::Finished(outcome) = crate::fixture::verdict(&dir).await else { panic!("not finished") };
    assert!(matches!(outcome.ending, Ending::NotBegun { .. }), "{outcome:?}");
    assert!(!order.folder.join("began").exists());
}

#[tokio::test]
async fn sigterm_to_the_shim_stops_the_run() {
    let folder = TestRunFolder::new();
    let run = folder.begin("sleep 1000").await;
    kill(Pid::from_raw(run.started.shim_pid), Signal::SIGTERM).expect("alive");
    let outcome = run.outcome().await;
    assert_eq!((outcome.kind(), outcome.ending), (Kind::Stopped, Ending::Signal(15)));
}

#[tokio::test]
async fn idle_clients_do_not_block_requests() {
    let folder = TestRunFolder::new();
    let run = folder.begin("sleep 1000").await;
    let socket = run.dir.join("sock");
    let mut idle = Vec::new();
    // More than the shim accepts; some connects may fail.
    for _ in 0..100 {
        idle.push(UnixStream::connect(&socket).await);
    }
    run.handle().stop(Span::from_secs(10)).await.expect("the shim answers");
    assert_eq!(run.outcome().await.kind(), Kind::Stopped);
}
