//! How runs are ended: asked, killed, too slow, or without a lease.

use domain::Span;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use runner::exec::{CommandRefused, Ending, Fence, Kind, boot_ms};
use tokio::net::UnixStream;

use crate::fixture::{TestBench, order, processes, until};

/// Four processes that ignore being asked: the main one, one in its group, one in a session of its own, and an orphan
/// with nothing open.
const TREE: &str = "trap '' TERM
    sleep 1000 &
    setsid sh -c 'trap \"\" TERM; sleep 1000' &
    ( setsid sleep 1000 </dev/null >/dev/null 2>&1 & )
    sleep 1000";

#[tokio::test]
async fn a_program_that_is_asked_may_clean_up() {
    let bench = TestBench::new();
    let run = bench.begin("trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done").await;
    until("it is ready", || run.dir.join("log").metadata().is_ok_and(|log| log.len() > 0)).await;
    run.handle().stop(Span::from_secs(10)).await.expect("the shim hears");
    let outcome = run.outcome().await;
    assert_eq!((outcome.kind(), outcome.ending), (Kind::Stopped, Ending::Code(7)));
}

#[tokio::test]
async fn a_tree_that_ignores_it_is_gone() {
    let bench = TestBench::new();
    for run in [bench.begin(TREE).await, bench.begin_as_nobody(TREE).await] {
        until("all are there", || processes(&run.id).len() >= 6).await;
        run.handle().stop(Span::from_millis(100)).await.expect("the shim hears");
        let outcome = run.outcome().await;
        assert_eq!((outcome.kind(), outcome.ending), (Kind::Stopped, Ending::Signal(9)));
    }
}

#[tokio::test]
async fn killing_needs_no_grace_and_shortens_it() {
    let bench = TestBench::new();
    let run = bench.begin(TREE).await;
    // Before that it has not yet said that it ignores being asked.
    until("all are there", || processes(&run.id).len() >= 6).await;
    run.handle().stop(Span::from_secs(1000)).await.expect("the shim hears");
    run.handle().kill().await.expect("the shim hears");
    assert_eq!(run.outcome().await.ending, Ending::Signal(9));
}

#[tokio::test]
async fn a_chain_of_forks_does_not_get_away() {
    let bench = TestBench::new();
    // Each process starts its successor and ends. Not for ever: if this test is killed, nobody else would end it.
    let chain = "trap '' TERM; f='N=$((N + 1)); [ $N -lt 100000 ] && sh -c \"$F\" & exit 0'
        N=0 F=\"$f\" setsid sh -c \"$f\" & sleep 1000";
    for run in [bench.begin(chain).await, bench.begin_as_nobody(chain).await] {
        until("it goes on", || processes(&run.id).len() > 1).await;
        run.handle().stop(Span::from_millis(50)).await.expect("the shim hears");
        assert_eq!(run.outcome().await.kind(), Kind::Stopped);
    }
}

#[tokio::test]
async fn a_stopped_program_hears_it_too() {
    let bench = TestBench::new();
    let run = bench.begin("kill -STOP $$; sleep 1000").await;
    let stat = format!("/proc/{}/stat", run.started.pid);
    until("it stands still", || std::fs::read_to_string(&stat).is_ok_and(|stat| stat.contains(") T "))).await;
    run.handle().stop(Span::from_secs(1000)).await.expect("the shim hears");
    assert_eq!(run.outcome().await.ending, Ending::Signal(15));
}

#[tokio::test]
async fn time_runs_out() {
    let bench = TestBench::new();
    let mut order = order(TREE);
    order.timeout = Some(Span::from_millis(200));
    order.grace = Span::from_millis(50);
    let run = bench.begin_order(&order).await;
    assert_eq!(run.outcome().await.kind(), Kind::TimedOut);
}

#[tokio::test]
async fn a_lease_that_is_not_renewed_ends_the_run_in_time() {
    let bench = TestBench::new();
    let mut order = order("trap '' TERM; while :; do sleep 0.05; done");
    let lease_until_ms = boot_ms() + 1_000_000;
    order.fence = Some(Fence { lease_until_ms, term_ms: 400, kill_ms: 200 });
    let run = bench.begin_order(&order).await;
    let until_ms = boot_ms() + 900;
    run.handle().lease(until_ms).await.expect("it is leased");
    let outcome = run.outcome().await;
    assert_eq!((outcome.kind(), outcome.ending), (Kind::Fenced, Ending::Signal(9)));
    assert!(outcome.ended.boot_ms >= until_ms - 400, "not before it must");
    assert!(outcome.ended.boot_ms < lease_until_ms - 400, "by the new lease, not by the old one");
}

#[tokio::test]
async fn a_lease_is_for_leased_runs_and_ends_once() {
    let bench = TestBench::new();
    let free = bench.begin("sleep 1000").await;
    assert!(matches!(free.handle().lease(boot_ms()).await, Err(CommandRefused::Said(_))));
    free.handle().kill().await.expect("the shim hears");
    assert_eq!(free.outcome().await.kind(), Kind::Stopped);

    let mut order = order("echo began > began");
    order.fence = Some(Fence { lease_until_ms: boot_ms(), term_ms: 0, kill_ms: 0 });
    // Its lease is over before it began: another machine may have it by now, so it never begins here.
    let dir = bench.dir(&order.run_id);
    let _ = runner::exec::start(crate::fixture::shim(), &dir, &order).await;
    until("it has ended", || dir.join("exit").exists()).await;
    let runner::exec::RunState::Finished(outcome) = crate::fixture::verdict(&dir).await else { panic!("it is over") };
    assert!(matches!(outcome.ending, Ending::NotBegun { .. }), "{outcome:?}");
    assert!(!order.folder.join("began").exists());
}

#[tokio::test]
async fn the_shim_itself_can_be_asked() {
    let bench = TestBench::new();
    let run = bench.begin("sleep 1000").await;
    kill(Pid::from_raw(run.started.shim_pid), Signal::SIGTERM).expect("it lives");
    let outcome = run.outcome().await;
    assert_eq!((outcome.kind(), outcome.ending), (Kind::Stopped, Ending::Signal(15)));
}

#[tokio::test]
async fn clients_that_say_nothing_are_in_nobodys_way() {
    let bench = TestBench::new();
    let run = bench.begin("sleep 1000").await;
    let socket = run.dir.join("sock");
    let mut idle = Vec::new();
    // More than it accepts at a time; some may be turned away at the door.
    for _ in 0..100 {
        idle.push(UnixStream::connect(&socket).await);
    }
    run.handle().stop(Span::from_secs(10)).await.expect("the shim hears");
    assert_eq!(run.outcome().await.kind(), Kind::Stopped);
}
