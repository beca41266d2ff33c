//! Events about jobs: kinds, order and fields, and that no listener misses or repeats one.

use std::collections::BTreeSet;

use axum::{
    body::{Body, BodyDataStream},
    http::{Request, header},
};
use domain::Role;
use futures_util::StreamExt as _;
use hub::{Peer, loops::EventPublisher};
use runtime::{Pass, Task as _};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::{
    fixture::As,
    live::{Socket, listen_to, next},
    queue_fixture::{Fixture, text, work},
};

/// The documented fields of an event about a job; fields that do not apply are omitted.
const FIELDS: &[&str] = &[
    "job_id",
    "run_id",
    "attempt",
    "definition_key",
    "host_id",
    "server_id",
    "status",
    "duration_ms",
    "error",
    "will_retry",
];

/// Assigns cursors to new events, as the hub's loop does.
async fn number(fixture: &Fixture) {
    EventPublisher::new(fixture.test.hub.clone()).pass(Pass { now: fixture.test.hub.now() }).await.expect("passes");
}

async fn list(fixture: &Fixture, query: &str) -> Vec<Value> {
    number(fixture).await;
    fixture.get(&format!("/api/v1/events{query}")).await["items"].as_array().expect("events").clone()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().expect("a type")).collect()
}

/// The token of a new viewer.
async fn viewer(fixture: &Fixture, org: domain::OrgId, name: &str) -> String {
    let user = fixture.test.person(org, &format!("{name}@events.example"), Role::Viewer).await;
    fixture.test.token(org, user, Role::Viewer).await.1
}

testkit::db_test!(job_events_come_in_order, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.define(json!({"key": "work", "max_attempts": 2})).await;
    let worker = fixture.worker("w").await;
    let id = fixture.job(json!({})).await;
    let first = fixture.claim_one(&worker).await;
    fixture.report(&worker, &first, "heartbeat", json!({"percent": 40, "message": "half way"})).await;
    fixture.test.pass(5);
    fixture.fail(&worker, &first, json!({})).await;
    fixture.later(400).await;
    let second = fixture.claim_one(&worker).await;
    fixture.fail(&worker, &second, json!({})).await;
    fixture.change(&id, "retry", json!({})).await;
    fixture.change(&id, "move", json!({"priority": 1})).await;
    let third = fixture.claim_one(&worker).await;
    fixture.complete(&worker, &third).await;
    let later = (fixture.test.hub.now() + domain::Span::from_secs(9)).to_string();
    let other = fixture.job(json!({"scheduled_for": later})).await;
    fixture.change(&other, "cancel", json!({})).await;
    let asked = fixture.job(json!({})).await;
    let fourth = fixture.claim_one(&worker).await;
    fixture.change(&asked, "cancel", json!({})).await;
    fixture.fail(&worker, &fourth, json!({"canceled": true})).await;

    let events = list(&fixture, "").await;
    let of = |job: &str| -> Vec<Value> {
        events.iter().filter(|event| event["data"]["job_id"] == json!(job)).cloned().collect()
    };
    let own_events = of(&id);
    assert_eq!(
        kinds(&own_events),
        [
            "job.created",
            "job_run.started",
            "job_run.progress",
            "job_run.failed",
            "job.queued",
            "job_run.started",
            "job_run.failed",
            "job.dead_letter",
            "job.queued",
            "job.queued",
            "job_run.started",
            "job_run.completed",
        ]
    );
    let data: Vec<&Value> = own_events.iter().map(|event| &event["data"]).collect();
    assert_eq!(
        (&data[2]["percent"], &data[2]["message"], &data[2]["attempt"]),
        (&json!(40), &json!("half way"), &json!(1))
    );
    assert_eq!(
        (&data[3]["error"], &data[3]["will_retry"], &data[3]["duration_ms"], &data[3]["status"]),
        (&json!("it broke"), &json!(true), &json!(5_000), &json!("queued"))
    );
    assert_eq!((&data[4]["reason"], &data[9]["reason"]), (&json!("retry_backoff"), &json!("moved")));
    assert_eq!((&data[6]["will_retry"], &data[7]["status"]), (&json!(false), &json!("dead_letter")));
    assert_eq!((&data[11]["status"], &data[11]["run_id"]), (&json!("succeeded"), &third["run_id"]));
    assert_eq!(kinds(&of(&other)), ["job.created", "job.canceled"]);
    assert_eq!(of(&other)[0]["data"]["reason"], "later");
    assert_eq!(kinds(&of(&asked)), ["job.created", "job_run.started", "job_run.failed", "job.canceled"]);
    let promised: BTreeSet<&str> = FIELDS.iter().copied().collect();
    for event in &events {
        let mut more: BTreeSet<&str> = event["data"].as_object().expect("fields").keys().map(String::as_str).collect();
        more.retain(|field| !promised.contains(field));
        let allowed: &[&str] = match event["type"].as_str().expect("a type") {
            "job_run.progress" => &["message", "percent"],
            "job_run.started" | "job_run.completed" => &[],
            _ => &["reason"],
        };
        assert!(more.iter().all(|field| allowed.contains(field)), "{event}");
        assert!(event["data"]["host_id"].is_null(), "a worker is not a host: {event}");
        let is_run = text(&event["type"]).starts_with("job_run.");
        assert!(!is_run || event["data"]["run_id"].is_string() && event["data"]["attempt"].is_i64(), "{event}");
    }
});

testkit::db_test!(event_list_continues_from_its_cursor, |db| async move {
    let fixture = Fixture::new(db).await;
    for _ in 0..7 {
        fixture.job(json!({})).await;
    }
    fixture.post("/api/v1/jobs", json!([work(json!({})), work(json!({}))])).await;
    number(&fixture).await;
    let (mut seen, mut cursor) = (Vec::new(), 0);
    loop {
        let page = fixture.get(&format!("/api/v1/events?limit=3&cursor={cursor}")).await;
        seen.extend(page["items"].as_array().expect("events").clone());
        match page["next"].as_i64() {
            Some(next) => cursor = next,
            None => break,
        }
    }
    let jobs: BTreeSet<String> = seen.iter().map(|event| text(&event["data"]["job_id"])).collect();
    assert_eq!((seen.len(), jobs.len()), (9, 9));
    assert_eq!(list(&fixture, "?types=job_run.").await, Vec::<Value>::new());
    assert_eq!(list(&fixture, "?types=job.created,host.").await.len(), 9);
});

/// Reads `job.created` frames until this many have arrived; other frames fail the test.
async fn made(socket: &mut Socket, count: usize) -> Vec<(String, Option<i64>)> {
    let mut seen = Vec::new();
    while seen.len() < count {
        let frame = next(socket).await.expect("the socket stays open");
        assert_eq!(frame["type"], "job.created", "{frame}");
        seen.push((text(&frame["data"]["job_id"]), frame["cursor"].as_i64()));
    }
    seen
}

testkit::db_test!(socket_replays_without_a_gap, |db| async move {
    let fixture = Fixture::new(db).await;
    let token = viewer(&fixture, fixture.org, "v").await;
    let mut expected = Vec::new();
    for _ in 0..230 {
        expected.push(fixture.job(json!({})).await);
    }
    number(&fixture).await;
    let mut socket = listen_to(&fixture.test, &token, "?cursor=0&types=job.").await;
    // More jobs are created while it replays more than one page.
    let (seen, more) = tokio::join!(made(&mut socket, 330), async {
        let mut more = Vec::new();
        for _ in 0..100 {
            more.push(fixture.job(json!({})).await);
        }
        more
    });
    expected.extend(more);
    assert_eq!(seen.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>(), expected, "in order, each once");
    let cursors: Vec<i64> = seen.iter().filter_map(|(_, cursor)| *cursor).collect();
    assert!(cursors.windows(2).all(|pair| pair[0] < pair[1]) && cursors.len() == 330);

    // From the middle, and from a cursor that this hub has never assigned.
    let mut socket = listen_to(&fixture.test, &token, &format!("?cursor={}", cursors[299])).await;
    let rest: Vec<String> = made(&mut socket, 30).await.into_iter().map(|(id, _)| id).collect();
    assert_eq!(rest, expected[300..]);
    let mut socket = listen_to(&fixture.test, &token, "?cursor=999999").await;
    assert_eq!(next(&mut socket).await.expect("speaks")["type"], "resync");
});

testkit::db_test!(socket_receives_no_events_of_another_org, |db| async move {
    let fixture = Fixture::new(db).await;
    let other = fixture.test.org("other").await;
    let token = viewer(&fixture, other, "v").await;
    let operator = fixture.test.person(other, "op@other.example", Role::Operator).await;
    let operator = As::Bearer(fixture.test.token(other, operator, Role::Operator).await.1);
    fixture.job(json!({})).await;
    let mut socket = listen_to(&fixture.test, &token, "?cursor=0").await;
    fixture.job(json!({})).await;
    let own = fixture.test.call(&operator, "POST", "/api/v1/jobs", Some(work(json!({})))).await.json();
    let event = next(&mut socket).await.expect("speaks");
    assert_eq!(event["data"]["job_id"], own["id"], "{event}");
    let list = fixture.test.call(&As::Bearer(token), "GET", "/api/v1/events", None).await.json();
    assert_eq!(list["items"].as_array().map(Vec::len), Some(1), "{list}");
});

/// A stream of server-sent events that reads only on request.
struct Stream {
    body: BodyDataStream,
    rest: String,
}

impl Stream {
    async fn open(fixture: &Fixture, last_id: Option<i64>) -> Self {
        let mut request = Request::builder()
            .uri("/api/v1/events")
            .header("host", "hub.test")
            .header(header::ACCEPT, "text/event-stream");
        if let Some(id) = last_id {
            request = request.header("last-event-id", id.to_string());
        }
        let mut request = request.body(Body::empty()).expect("a request");
        request.extensions_mut().insert(Peer::Local { uid: 0 });
        let response = fixture.test.hub.app().oneshot(request).await.expect("answers");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        let mut stream = Self { body: response.into_body().into_data_stream(), rest: String::new() };
        assert_eq!(stream.next().await.1["type"], "hello");
        stream
    }

    /// The next event with its id.
    async fn next(&mut self) -> (Option<i64>, Value) {
        loop {
            if let Some((block, rest)) = self.rest.split_once("\n\n") {
                let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name).map(str::trim));
                let event = field("data:").map(|data| serde_json::from_str(data).expect("JSON"));
                let id = field("id:").and_then(|id| id.parse().ok());
                self.rest = rest.to_owned();
                if let Some(event) = event {
                    return (id, event);
                }
                continue;
            }
            let chunk = self.body.next().await.expect("goes on").expect("reads");
            self.rest.push_str(std::str::from_utf8(&chunk).expect("text"));
        }
    }
}

testkit::db_test!(server_sent_events_resume_from_last_event_id, |db| async move {
    let fixture = Fixture::new(db).await;
    let mut stream = Stream::open(&fixture, None).await;
    let first = fixture.job(json!({})).await;
    let (id, event) = stream.next().await;
    assert_eq!((&event["type"], &event["data"]["job_id"]), (&json!("job.created"), &json!(first)));
    assert_eq!(id, event["cursor"].as_i64());
    drop(stream);
    let second = fixture.job(json!({})).await;
    number(&fixture).await;
    let mut back = Stream::open(&fixture, id).await;
    assert_eq!(back.next().await.1["data"]["job_id"], json!(second), "the missed event comes first");
});

testkit::db_test!(slow_reader_gets_resync, |db| async move {
    let fixture = Fixture::new(db).await;
    // Only the publisher of this test runs, so that all events are published when its pass returns.
    fixture.test.hub.loops.stop(std::time::Duration::from_secs(10)).await;
    let mut publisher = EventPublisher::new(fixture.test.hub.clone());
    let cx = Pass { now: fixture.test.hub.now() };
    publisher.pass(cx).await.expect("passes");
    let mut stream = Stream::open(&fixture, None).await;
    let rows: Vec<Value> = (0..3_000).map(|_| work(json!({}))).collect();
    fixture.post("/api/v1/jobs", json!(rows)).await;
    publisher.pass(cx).await.expect("passes");
    assert_eq!(stream.next().await.1["type"], "resync");
    // After `resync` it receives events again.
    let last = fixture.job(json!({})).await;
    publisher.pass(cx).await.expect("passes");
    let mut count = 0;
    loop {
        let event = stream.next().await.1;
        count += 1;
        if event["data"]["job_id"] == json!(last) {
            break;
        }
        assert!(count < 3_000, "{event}");
    }
});
