//! Tests of the state machine: step-by-step stories, and random event sequences.

use proptest::prelude::*;

use super::*;

const T0: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

fn at(seconds: u32) -> Timestamp {
    T0 + Span::from_secs(seconds)
}

fn run(number: u8) -> RunId {
    RunId::from_bytes([number; 16])
}

fn game() -> Server {
    let mut server = Server::new(vec!["game".to_owned()]);
    server.stop.command = Some("stop".to_owned());
    server.restart.loop_after = 3;
    server
}

/// Applies events, one per second, with runs 1, 2, 3, …
struct Story {
    server: Server,
    life: Life,
    now: u32,
    next: u8,
    acts: Vec<Act>,
}

impl Story {
    fn new(server: Server) -> Self {
        Self { server, life: Life::default(), now: 0, next: 1, acts: Vec::new() }
    }

    fn then(mut self, what: Happening) -> Self {
        self.now += 1;
        let (life, acts) = self.life.after(&self.server, what, run(self.next), at(self.now));
        if acts.iter().any(|act| matches!(act, Act::Begin(_))) {
            self.next += 1;
        }
        (self.life, self.acts) = (life, acts);
        self
    }

    fn wait(mut self, seconds: u32) -> Self {
        self.now += seconds - 1;
        self.then(Happening::Tick)
    }

    fn ask(self, op: ServerOp) -> Self {
        self.then(Happening::Asked(op))
    }

    fn ready(self) -> Self {
        let run = self.life.run().expect("a run");
        self.then(Happening::BecameReady { run })
    }

    fn ends(self, is_good: bool) -> Self {
        let run = self.life.run().expect("a run");
        let how = if is_good { "exited with code 0" } else { "exited with code 1" }.to_owned();
        self.then(Happening::Ended { run, is_good, is_hopeless: false, how })
    }

    fn is(self, state: ServerState, acts: &[Act]) -> Self {
        assert_eq!((self.life.state(&self.server), self.acts.as_slice()), (state, acts), "{:?}", self.life);
        self
    }
}

#[test]
fn a_server_starts_becomes_ready_and_stops_step_by_step() {
    Story::new(game())
        .is(ServerState::Stopped, &[])
        .ask(ServerOp::Start)
        .is(ServerState::Starting, &[Act::Begin(run(1))])
        .ask(ServerOp::Start)
        .is(ServerState::Starting, &[])
        .ready()
        .is(ServerState::Running, &[])
        .ask(ServerOp::Stop)
        .is(ServerState::Stopping, &[Act::SayStop])
        .ask(ServerOp::Stop)
        .is(ServerState::Stopping, &[])
        .wait(29)
        .is(ServerState::Stopping, &[Act::Signal])
        .wait(9)
        .is(ServerState::Stopping, &[])
        .wait(1)
        .is(ServerState::Stopping, &[Act::Kill])
        .wait(5)
        .is(ServerState::Stopping, &[Act::Kill])
        .ends(false)
        .is(ServerState::Stopped, &[])
        .ask(ServerOp::Stop)
        .is(ServerState::Stopped, &[]);
}

#[test]
fn a_kill_overrides_every_operation() {
    let begun = || Story::new(game()).ask(ServerOp::Start);
    for story in [begun(), begun().ready(), begun().ready().ask(ServerOp::Stop), begun().ready().ask(ServerOp::Restart)]
    {
        let story = story.then(Happening::KillAsked).is(ServerState::Stopping, &[Act::Kill]);
        assert_eq!(story.ends(false).is(ServerState::Stopped, &[]).life.desired_state, DesiredState::Down);
    }
    Story::new(game()).then(Happening::KillAsked).is(ServerState::Stopped, &[]);
    begun().ends(false).is(ServerState::Waiting, &[]).then(Happening::KillAsked).is(ServerState::Stopped, &[]);
}

#[test]
fn a_restart_stops_the_run_and_starts_a_new_one() {
    let story = Story::new(game()).ask(ServerOp::Start).ready().ask(ServerOp::Restart);
    let before = story.life.asked_at();
    let story = story.is(ServerState::Stopping, &[Act::SayStop]).ends(true);
    let story = story.is(ServerState::Starting, &[Act::Begin(run(2))]);
    assert_eq!(story.life.answer(ServerOp::Restart, &before), None);
    assert_eq!(story.ready().life.answer(ServerOp::Restart, &before), Some(Ok(())));
    // A restart of a stopped server is a start.
    Story::new(game()).ask(ServerOp::Restart).is(ServerState::Starting, &[Act::Begin(run(1))]);
    // A later stop overrides the restart.
    Story::new(game())
        .ask(ServerOp::Start)
        .ask(ServerOp::Restart)
        .ask(ServerOp::Stop)
        .ends(true)
        .is(ServerState::Stopped, &[]);
    // A later start overrides the stop.
    Story::new(game())
        .ask(ServerOp::Start)
        .ask(ServerOp::Stop)
        .ask(ServerOp::Start)
        .ends(true)
        .is(ServerState::Starting, &[Act::Begin(run(2))]);
}

#[test]
fn the_policy_decides_which_exits_are_restarted() {
    use RestartPolicy::{Always, Never, OnFailure};
    use ServerState::{Failed, Stopped, Waiting};
    for (policy, is_good, state) in [
        (Never, true, Stopped),
        (Never, false, Failed),
        (OnFailure, true, Stopped),
        (OnFailure, false, Waiting),
        (Always, true, Waiting),
        (Always, false, Waiting),
    ] {
        let mut server = game();
        server.restart.policy = policy;
        Story::new(server).ask(ServerOp::Start).ready().ends(is_good).is(state, &[]);
    }
}

#[test]
fn a_program_that_cannot_start_is_not_retried() {
    let story = Story::new(game()).ask(ServerOp::Start);
    let before = story.life.asked_at();
    let how = "cannot run arena: the file or its interpreter does not exist".to_owned();
    let story = story
        .then(Happening::Ended { run: run(1), is_good: false, is_hopeless: true, how: how.clone() })
        .is(ServerState::Failed, &[]);
    assert_eq!(story.life.answer(ServerOp::Start, &before), Some(Err(how)));
    story.ask(ServerOp::Start).is(ServerState::Starting, &[Act::Begin(run(2))]);
}

#[test]
fn a_crash_loop_ends_when_the_server_is_stable() {
    let story = Story::new(game()).ask(ServerOp::Start).ready().ends(false);
    let story = story.is(ServerState::Waiting, &[]).wait(1).is(ServerState::Starting, &[Act::Begin(run(2))]);
    let story = story.ends(false).is(ServerState::Waiting, &[]).wait(1).is(ServerState::Waiting, &[]);
    let story = story.wait(1).is(ServerState::Starting, &[Act::Begin(run(3))]).ends(false);
    let story = story.is(ServerState::CrashLoop, &[]).wait(4).is(ServerState::CrashLoop, &[Act::Begin(run(4))]);
    let story = story.ready().is(ServerState::CrashLoop, &[]).wait(59).is(ServerState::CrashLoop, &[]);
    let story = story.wait(1).is(ServerState::Running, &[]);
    assert_eq!(story.life.restarts, 3);
    // After a long stable time the next exit counts as the first again.
    story.wait(100).ends(false).is(ServerState::Waiting, &[]).wait(1).is(ServerState::Starting, &[Act::Begin(run(5))]);
}

#[test]
fn a_server_that_is_not_ready_in_time_is_stopped_and_fails() {
    let story = Story::new(game()).ask(ServerOp::Start);
    let before = story.life.asked_at();
    let story = story.wait(60).is(ServerState::Stopping, &[Act::SayStop]).ends(true).is(ServerState::Waiting, &[]);
    let answer = story.life.answer(ServerOp::Start, &before);
    assert_eq!(answer, Some(Err("not ready within 60 s".to_owned())));
}

#[test]
fn a_boot_starts_servers_with_autostart() {
    for (autostart, state) in [(true, ServerState::Starting), (false, ServerState::Stopped)] {
        let server = Server { autostart, ..game() };
        let up = Story::new(server.clone()).ask(ServerOp::Start).ready();
        let story = up.then(Happening::Woke { is_new_boot: false });
        let story = story.is(ServerState::Running, &[]).then(Happening::Woke { is_new_boot: true });
        assert_eq!(story.life.state(&server), state);
        let down = Story::new(server.clone()).then(Happening::Woke { is_new_boot: true });
        assert_eq!(down.life.state(&server), state, "also if it was not running before");
    }
}

#[test]
fn events_of_an_earlier_run_are_ignored() {
    let story = Story::new(game()).ask(ServerOp::Start).ready().ask(ServerOp::Restart).ends(true);
    let story = story.then(Happening::BecameReady { run: run(1) }).is(ServerState::Starting, &[]);
    let late = Happening::Ended { run: run(1), is_good: false, is_hopeless: false, how: "late".to_owned() };
    story.then(late).is(ServerState::Starting, &[]);
}

#[test]
fn answer_reports_the_result_of_the_requested_operation() {
    let down = Story::new(game());
    let before = down.life.asked_at();
    assert_eq!(down.life.answer(ServerOp::Stop, &before), Some(Ok(())), "stopped already");
    let up = down.ask(ServerOp::Start).ready();
    assert_eq!(up.life.answer(ServerOp::Start, &up.life.asked_at()), Some(Ok(())), "up already");
    assert_eq!(up.life.answer(ServerOp::Restart, &up.life.asked_at()), None, "still the old run");
    let stopping = up.ask(ServerOp::Stop);
    let before = stopping.life.asked_at();
    assert_eq!(stopping.life.answer(ServerOp::Stop, &before), None);
    let again = stopping.ask(ServerOp::Start);
    assert!(again.life.answer(ServerOp::Stop, &before).expect("clear").is_err(), "a later start");
    let begun = again.ends(true);
    assert_eq!(begun.life.answer(ServerOp::Start, &before), None, "the expected exit");
    assert_eq!(begun.ready().life.answer(ServerOp::Start, &before), Some(Ok(())));
}

#[test]
fn life_round_trips_through_json() {
    let mut story = Story::new(game()).ask(ServerOp::Start).ready().ask(ServerOp::Restart);
    for _ in 0..4 {
        let text = serde_json::to_string(&story.life).expect("JSON");
        assert_eq!(serde_json::from_str::<Life>(&text).expect("a life"), story.life, "{text}");
        story = story.wait(30);
    }
    assert_eq!(
        serde_json::from_str::<Life>(r#"{"wish":"up","phase":{"phase":"down","is_bad":false}}"#).expect("old").ends,
        0
    );
}

proptest! {
    /// For every event sequence: at most one run at a time; a server whose desired state is down has no process or is
    /// being stopped; and a process that must stop is killed in bounded time.
    #[test]
    fn at_most_one_run_exists_and_stopping_terminates(steps in proptest::collection::vec(0_u8..9, 1..60)) {
        let mut story = Story::new(game());
        let mut alive: Option<RunId> = None;
        for step in steps {
            let ended = |story: Story, is_good| if story.life.run().is_some() { story.ends(is_good) } else { story };
            let had = story.life.run();
            story = match step {
                0 => story.ask(ServerOp::Start),
                1 => story.ask(ServerOp::Stop),
                2 => story.ask(ServerOp::Restart),
                3 => story.then(Happening::KillAsked),
                4 if story.life.run().is_some() => story.ready(),
                5 => ended(story, true),
                6 => ended(story, false),
                7 => story.wait(3),
                _ => story.wait(400),
            };
            if matches!(step, 5 | 6) && had.is_some() {
                alive = None;
            }
            for act in &story.acts {
                if let Act::Begin(run) = act {
                    prop_assert_eq!(alive, None, "a second run started");
                    alive = Some(*run);
                }
            }
            prop_assert_eq!(story.life.run(), alive);
            if story.life.desired_state == DesiredState::Down {
                let is_wanted = matches!(story.life.phase, Phase::Starting { .. } | Phase::Up { .. } | Phase::Waiting { .. });
                prop_assert!(!is_wanted, "the desired state is down");
            }
            if let Phase::Stopping { .. } | Phase::Starting { .. } | Phase::Waiting { .. } = story.life.phase {
                prop_assert!(story.life.wakes_at(&story.server).is_some(), "no timer is set");
            }
        }
        // After a stop request the last step, the kill, is reached in bounded time.
        story = story.ask(ServerOp::Stop);
        for _ in 0..3 {
            story = story.wait(60);
        }
        prop_assert!(story.life.run().is_none() || story.acts == [Act::Kill]);
    }
}
