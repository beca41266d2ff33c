//! Three hubs on one PostgreSQL fire fifty schedules and are killed at random. `HOSTLER_MINUTES=2000` runs a longer
//! test.
//!
//! The test starts itself three times; each child runs the real loop with a clock that the parent steps. Whichever hub
//! is killed at whatever time, each nominal time has exactly one fire, and each fire exactly one job.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use domain::{OrgId, Span, Timestamp, TriggerId};
use hub::{Hub, Options, loops::Schedules};
use runtime::{FakeClock, Next, Pass, Task as _};
use serde_json::json;
use testkit::TestDb;

/// The default number of simulated minutes.
const MINUTES: u32 = 240;
const SCHEDULES: usize = 50;
const HUBS: usize = 3;
/// A hub is killed about once in this many minutes.
const KILLED_EVERY: u32 = 16;
/// The variable that passes the database URL to a child.
const DATABASE: &str = "HOSTLER_STORM_DATABASE";

/// An environment variable.
#[expect(clippy::disallowed_methods, reason = "a test has no settings")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// A child: a hub whose scheduler runs one pass for each time that it reads from standard input.
#[test]
fn child() {
    let Some(url) = variable(DATABASE) else { return };
    testkit::block_on(async {
        let mut options = store::Options::new(&url);
        options.connections = 4;
        let store = store::Store::open(&options).await.expect("the database opens");
        let lines = std::io::stdin().lines();
        let mut hub: Option<(Hub, FakeClock)> = None;
        for line in lines {
            let micros: i64 = line.expect("a line").trim().parse().expect("a time");
            let now = Timestamp::from_micros(micros);
            let (hub, clock) = match &hub {
                Some(known) => known,
                None => {
                    let clock = FakeClock::at(now);
                    let opened = Hub::open(store.clone(), Options::default(), clock.clock()).await.expect("opens");
                    hub.insert((opened, clock))
                }
            };
            clock.advance(now.since(hub.now()));
            let mut schedules = Schedules::new(hub.clone());
            while schedules.pass(Pass { now }).await.expect("passes") == Next::Again {}
            println!("done");
        }
    });
}

struct Running {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Running {
    fn start(url: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "child", "--nocapture", "--quiet"])
            .env(DATABASE, url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the child starts");
        let (stdin, stdout) = (child.stdin.take().expect("stdin"), child.stdout.take().expect("stdout"));
        Self { child, stdin, stdout: BufReader::new(stdout) }
    }

    fn send(&mut self, now: Timestamp) {
        writeln!(self.stdin, "{}", now.as_micros()).expect("the child reads");
    }

    fn wait(&mut self) {
        let mut line = String::new();
        while line.trim() != "done" {
            line.clear();
            assert!(self.stdout.read_line(&mut line).expect("the child answers") > 0, "the child is gone");
        }
    }

    fn kill(mut self) {
        self.child.kill().expect("it is killed");
        self.child.wait().expect("it is gone");
    }
}

fn expression(number: usize) -> (String, &'static str) {
    let zones = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"];
    let expression = match number % 10 {
        0 => "* * * * *".to_owned(),
        1 => "*/5 * * * *".to_owned(),
        2 => "H * * * *".to_owned(),
        3 => "@every 7m".to_owned(),
        4 => format!("{} */2 * * *", number % 60),
        5 => "30 2,14 * * *".to_owned(),
        6 => "0 0-4 * * *".to_owned(),
        7 => "H/15 * * * *".to_owned(),
        8 => "*/7 */3 * * *".to_owned(),
        _ => "15 1 * * *".to_owned(),
    };
    (expression, zones[number / 10])
}

/// A pseudo-random number, the same in every run.
fn dice(seed: &mut u64, sides: u32) -> u32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    u32::try_from((*seed >> 33) % u64::from(sides)).expect("small")
}

async fn make_triggers(hub: &Hub, org: OrgId) -> Vec<TriggerId> {
    let caller = domain::Caller {
        actor: domain::Actor::Local { uid: 0 },
        org: Some(org),
        role: Some(domain::Role::SuperAdmin),
        scope: domain::role::Scope::Api,
    };
    let by = hub::app::RequestContext::new(caller, "test", "test");
    let mut made = Vec::new();
    for number in 0..SCHEDULES {
        let (cron_expr, timezone) = expression(number);
        let request = json!({"label": format!("t{number}"), "cron_expr": cron_expr, "timezone": timezone,
            "definition_key": "hello", "overlap": "allow", "missed": "all", "missed_max": 1_000});
        let request = serde_json::from_value(request).expect("a request");
        made.push(hub.trigger_create(&by, org, request).await.expect("makes").id);
    }
    made
}

#[test]
fn each_nominal_time_fires_once_although_hubs_are_killed() {
    testkit::block_on(async {
        let db = TestDb::postgres().await;
        // The end of summer time in New York, a week after Berlin's.
        let began: Timestamp = "2026-10-31T20:00:00Z".parse().expect("a time");
        let clock = FakeClock::at(began);
        let hub = Hub::open(db.store.clone(), Options::default(), clock.clock()).await.expect("the hub opens");
        let org = hub.store.read(|tx| Box::pin(async move { tx.org_by_slug("default").await }));
        let org = org.await.expect("reads").expect("the first start created it").id;
        let triggers = make_triggers(&hub, org).await;
        let minutes = variable("HOSTLER_MINUTES").and_then(|text| text.parse().ok()).unwrap_or(MINUTES);
        let killed = storm(&db.url, began, minutes);
        count(&hub, org, &triggers, began, minutes, killed).await;
        hub.store.close().await;
    });
}

/// Steps the clock minute by minute; returns the number of killed children.
fn storm(url: &str, began: Timestamp, minutes: u32) -> u32 {
    let mut hubs: Vec<Running> = (0..HUBS).map(|_| Running::start(url)).collect();
    let (mut seed, mut killed) = (0x05CA_1AB1E_u64, 0);
    for minute in 1..=minutes {
        let now = began + Span::from_secs(minute * 60);
        for hub in &mut hubs {
            hub.send(now);
        }
        let mut victims = BTreeSet::new();
        if dice(&mut seed, KILLED_EVERY) == 0 {
            // Usually one hub, sometimes all of them, in the middle of a pass.
            let count = if dice(&mut seed, 5) == 0 { HUBS } else { 1 };
            let first = dice(&mut seed, 3) as usize;
            victims.extend((0..count).map(|number| (first + number) % HUBS));
        }
        for (number, hub) in hubs.iter_mut().enumerate() {
            if victims.contains(&number) {
                #[expect(clippy::disallowed_methods, reason = "a kill somewhere between nothing and all of a pass")]
                std::thread::sleep(std::time::Duration::from_micros(u64::from(dice(&mut seed, 8_000))));
                std::mem::replace(hub, Running::start(url)).kill();
                killed += 1;
            }
        }
        for (number, hub) in hubs.iter_mut().enumerate() {
            if !victims.contains(&number) {
                hub.wait();
            }
        }
    }
    let last = began + Span::from_secs(minutes * 60);
    for hub in &mut hubs {
        hub.send(last);
        hub.wait();
    }
    for hub in hubs {
        hub.kill();
    }
    killed
}

async fn count(hub: &Hub, org: OrgId, triggers: &[TriggerId], began: Timestamp, minutes: u32, killed: u32) {
    let end = began + Span::from_secs(minutes * 60);
    let (mut expected, mut found, mut missing, mut surplus) = (0, 0, 0, 0);
    let mut jobs: BTreeMap<domain::JobId, u32> = BTreeMap::new();
    for id in triggers.iter().copied() {
        let read = hub.store.read(move |tx| {
            Box::pin(async move {
                let trigger = tx.trigger_get(org, id).await?.expect("exists");
                let fires = tx.fire_between(id, began, end, 10_000).await?;
                Ok::<_, store::Error>((trigger, fires))
            })
        });
        let (trigger, fires) = read.await.expect("reads");
        let schedule = trigger.body.schedule(&id.to_string(), trigger.created_at).expect("parses").expect("is one");
        let wanted: BTreeSet<Timestamp> = schedule.between(began, end, 10_000).into_iter().collect();
        let seen: BTreeSet<Timestamp> = fires.iter().map(|fire| fire.nominal_at).collect();
        for job in fires.iter().filter_map(|fire| fire.job_id) {
            *jobs.entry(job).or_default() += 1;
        }
        expected += wanted.len();
        found += fires.len();
        missing += wanted.difference(&seen).count();
        surplus += seen.difference(&wanted).count();
    }
    let made = hub.store.read(move |tx| Box::pin(async move { tx.jobs_of_org(org, 1_000_000).await }));
    let made = made.await.expect("reads").len();
    let double = made.saturating_sub(jobs.len()) + jobs.values().filter(|count| **count > 1).count();
    println!(
        "schedules: {SCHEDULES} over {minutes} minutes, {killed} hubs killed: expected {expected}, found {found}, double {double}, missing {missing}"
    );
    assert!(killed > minutes / 40, "{killed} were killed");
    assert!(expected > minutes as usize * 5, "{expected} times");
    assert_eq!((found, double, missing, surplus), (expected, 0, 0, 0));
    assert_eq!(made, expected, "each fire has one job");
}
