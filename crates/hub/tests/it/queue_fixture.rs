//! Jobs and workers through the router: the fixture that the tests of the queue share.

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use domain::{JobId, OrgId, Role};
use hub::{
    Options, Peer,
    loops::{Batches, CountRollup, DelayedJobs, Expiry, HubHeartbeat, LostRunReaper},
};
use runtime::{Pass, Task as _};
use serde_json::{Value, json};
use testkit::TestDb;

use crate::fixture::{Answer, As, TestHub};

/// The queue that workers serve by default.
pub(crate) const QUEUE: &str = "work";

/// The queues that the tests' workers may claim from.
const QUEUES: [&str; 5] = [QUEUE, "default", "elsewhere", "left", "right"];

/// A hub whose first org has a definition `work` on the workers' queue.
pub(crate) struct Fixture {
    pub(crate) test: TestHub,
    pub(crate) org: OrgId,
}

/// A worker: a program that claims jobs.
#[derive(Clone)]
pub(crate) struct Worker {
    pub(crate) who: As,
    pub(crate) name: String,
}

impl Fixture {
    pub(crate) async fn new(db: TestDb) -> Self {
        Self::with(db, Options::default()).await
    }

    pub(crate) async fn with(db: TestDb, options: Options) -> Self {
        let test = TestHub::with(db, options).await;
        let org = test.first_org().await;
        let fixture = Self { test, org };
        fixture.define(json!({"key": "work"})).await;
        fixture
    }

    /// Creates or changes a definition on the workers' queue that accepts any object.
    pub(crate) async fn define(&self, fields: Value) -> Value {
        let mut body = json!({"argv": ["true"], "arg_schema": {"type": "object"}, "queue": QUEUE});
        for (name, value) in fields.as_object().expect("fields") {
            body[name] = value.clone();
        }
        let answer = self.post("/api/v1/admin/jobs/definitions", body).await;
        assert!(answer.status.is_success(), "{}", answer.text);
        answer.json()["definition"].clone()
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.test.call(&As::Local, "POST", path, Some(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Answer {
        self.test.call(&As::Local, "PATCH", path, Some(body)).await
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let answer = self.test.call(&As::Local, "GET", path, None).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
        answer.json()
    }

    /// Creates a job of `work` with these additional fields; returns its id.
    pub(crate) async fn job(&self, fields: Value) -> String {
        let answer = self.post("/api/v1/jobs", work(fields)).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
        answer.json()["id"].as_str().expect("an id").to_owned()
    }

    pub(crate) async fn show(&self, id: &str) -> Value {
        self.get(&format!("/api/v1/jobs/{id}")).await
    }

    /// The status and the wait reason.
    pub(crate) async fn state(&self, id: &str) -> (String, Option<String>) {
        let job = self.show(id).await;
        (text(&job["status"]), job["wait_reason"].as_str().map(str::to_owned))
    }

    pub(crate) async fn change(&self, id: &str, how: &str, body: Value) -> Answer {
        self.post(&format!("/api/v1/jobs/{id}/{how}"), body).await
    }

    /// A POST request with additional headers.
    pub(crate) async fn send(&self, path: &str, headers: &[(&str, &str)], body: String) -> Answer {
        let mut request = Request::builder().method("POST").uri(path).header("host", "hub.test");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let mut request = request.body(Body::from(body)).expect("a request");
        request.extensions_mut().insert(Peer::Local { uid: 0 });
        self.test.send(request).await
    }

    /// A worker of the first org with its own token.
    pub(crate) async fn worker(&self, name: &str) -> Worker {
        self.worker_of(self.org, name).await
    }

    pub(crate) async fn worker_of(&self, org: OrgId, name: &str) -> Worker {
        let user = self.test.person(org, &format!("{name}@work.example"), Role::Admin).await;
        let request = json!({"name": format!("t-{name}"), "scope": "worker", "queues": QUEUES});
        let (_, secret) = self.test.token_with(org, user, Role::Admin, request).await;
        Worker { who: As::Bearer(secret), name: name.to_owned() }
    }

    /// Claims on the workers' queue; the fields of `more` override the default ones.
    pub(crate) async fn claim_with(&self, worker: &Worker, more: Value) -> Answer {
        let mut body = json!({"worker_id": worker.name, "queues": [QUEUE]});
        for (name, value) in more.as_object().expect("fields") {
            body[name] = value.clone();
        }
        self.test.call(&worker.who, "POST", "/api/v1/worker/jobs/claim", Some(body)).await
    }

    pub(crate) async fn claim(&self, worker: &Worker, max: u32) -> Vec<Value> {
        let answer = self.claim_with(worker, json!({"max": max})).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        answer.json()["jobs"].as_array().expect("jobs").clone()
    }

    /// Claims exactly one job.
    pub(crate) async fn claim_one(&self, worker: &Worker) -> Value {
        self.claim(worker, 1).await.pop().expect("there is a job to claim")
    }

    /// Sends a `heartbeat`, `complete` or `fail` for a run.
    pub(crate) async fn report(&self, worker: &Worker, job: &Value, what: &str, more: Value) -> Answer {
        let mut body = json!({"worker_id": worker.name, "fence": job["fence"]});
        for (name, value) in more.as_object().expect("fields") {
            body[name] = value.clone();
        }
        let path = format!("/api/v1/worker/jobs/{}/{what}", text(&job["id"]));
        self.test.call(&worker.who, "POST", &path, Some(body)).await
    }

    pub(crate) async fn complete(&self, worker: &Worker, job: &Value) {
        let answer = self.report(worker, job, "complete", json!({})).await;
        assert_eq!((answer.status, answer.json()["status"].clone()), (StatusCode::OK, json!("succeeded")));
    }

    /// Fails a run; returns the job's new status.
    pub(crate) async fn fail(&self, worker: &Worker, job: &Value, more: Value) -> String {
        let mut body = json!({"error": "it broke"});
        for (name, value) in more.as_object().expect("fields") {
            body[name] = value.clone();
        }
        let answer = self.report(worker, job, "fail", body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        text(&answer.json()["status"])
    }

    fn cx(&self) -> Pass {
        Pass { now: self.test.hub.now() }
    }

    /// Advances the clock while the hub's heartbeat continues.
    pub(crate) async fn watch(&self, seconds: u32) {
        let mut heartbeat = HubHeartbeat::new(self.test.hub.clone());
        for _ in 0..seconds.div_ceil(10) {
            self.test.pass(10);
            heartbeat.pass(self.cx()).await.expect("passes");
        }
    }

    /// Runs the loop that makes delayed jobs claimable.
    pub(crate) async fn due(&self) {
        DelayedJobs::new(self.test.hub.clone()).pass(self.cx()).await.expect("passes");
    }

    pub(crate) async fn expire(&self) {
        Expiry::new(self.test.hub.clone()).pass(self.cx()).await.expect("passes");
    }

    pub(crate) async fn end_lost_runs(&self) {
        LostRunReaper::new(self.test.hub.clone()).pass(self.cx()).await.expect("passes");
    }

    pub(crate) async fn batches(&self) {
        Batches::new(self.test.hub.clone()).pass(self.cx()).await.expect("passes");
    }

    pub(crate) async fn fold(&self) {
        CountRollup::new(self.test.hub.clone()).pass(self.cx()).await.expect("passes");
    }

    /// Advances the clock, then makes delayed jobs claimable.
    pub(crate) async fn later(&self, seconds: u32) {
        self.test.pass(seconds);
        self.due().await;
    }

    /// The number of stale reports recorded for a job.
    pub(crate) async fn evidence(&self, id: &str) -> usize {
        let (org, id): (OrgId, JobId) = (self.org, id.parse().expect("an id"));
        self.test.write(move |tx| Box::pin(async move { Ok(tx.stale_of_job(org, id).await?) })).await.len()
    }
}

/// A request for a job of `work` with these additional fields.
#[expect(clippy::needless_pass_by_value, reason = "reads like the request it makes")]
pub(crate) fn work(fields: Value) -> Value {
    let mut body = json!({"definition_key": "work"});
    for (name, value) in fields.as_object().expect("fields") {
        body[name] = value.clone();
    }
    body
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

/// The JSON pointers of an error response.
pub(crate) fn pointers(answer: &Answer) -> Vec<String> {
    answer.json()["errors"]
        .as_array()
        .map(|errors| errors.iter().map(|error| text(&error["pointer"])).collect())
        .unwrap_or_default()
}
