//! API tokens that lost their rights: the next request changes nothing and reveals nothing.

use axum::http::{Request, StatusCode, header};
use domain::{Role, TokenId, UserId};
use proto::api::person::UserPatch;
use serde_json::{Value, json};

use crate::{
    fixture::{Answer, As, local, request},
    queue_fixture::{Fixture, work},
};

/// A user whose token was just used to create jobs.
struct Caller {
    fixture: Fixture,
    user: UserId,
    token: TokenId,
    who: As,
}

impl Caller {
    async fn new(db: testkit::TestDb) -> Self {
        let fixture = Fixture::new(db).await;
        let user = fixture.test.person(fixture.org, "ana@acme.example", Role::Admin).await;
        let (token, secret) = fixture.test.token_with(fixture.org, user, Role::Admin, json!({"name": "deploy"})).await;
        let caller = Self { fixture, user, token, who: As::Bearer(secret) };
        assert_eq!(caller.make(json!({})).await.status, StatusCode::CREATED);
        caller
    }

    async fn make(&self, fields: Value) -> Answer {
        self.fixture.test.call(&self.who, "POST", "/api/v1/jobs", Some(work(fields))).await
    }

    async fn stream(&self) -> Answer {
        let mut request: Request<_> = request(&self.who, "POST", "/api/v1/jobs", Some(work(json!({}))));
        request.headers_mut().insert(header::CONTENT_TYPE, "application/x-ndjson".parse().expect("a value"));
        self.fixture.test.send(request).await
    }

    async fn jobs(&self) -> usize {
        self.fixture.get("/api/v1/jobs").await["items"].as_array().expect("jobs").len()
    }

    /// Creates jobs in every way; each request must be rejected with this code and create nothing.
    async fn is_refused(&self, code: &str) {
        let before = self.jobs().await;
        assert_eq!(self.make(json!({})).await.code(), code, "one job");
        assert_eq!(self.make(json!({"dedupe_key": "k"})).await.code(), code, "one with a key");
        let array = self.fixture.test.call(&self.who, "POST", "/api/v1/jobs", Some(json!([work(json!({}))])));
        assert_eq!(array.await.code(), code, "an array");
        assert_eq!(self.stream().await.code(), code, "a stream");
        assert_eq!(self.jobs().await, before, "nothing was made");
    }
}

testkit::db_test!(revoked_token_creates_no_job, |db| async move {
    let caller = Caller::new(db).await;
    caller.fixture.test.hub.token_revoke(&local(), caller.fixture.org, caller.token).await.expect("revokes");
    caller.is_refused("token_revoked").await;
});

testkit::db_test!(revoked_token_is_reported_before_a_missing_definition, |db| async move {
    let caller = Caller::new(db).await;
    caller.fixture.test.hub.token_revoke(&local(), caller.fixture.org, caller.token).await.expect("revokes");
    let unknown = json!({"definition_key": "no-such-thing"});
    let answer = caller.fixture.test.call(&caller.who, "POST", "/api/v1/jobs", Some(unknown)).await;
    assert_eq!(answer.code(), "token_revoked", "the response does not reveal whether the definition exists");
});

testkit::db_test!(lost_role_creates_no_job_and_is_audited, |db| async move {
    let caller = Caller::new(db).await;
    let hub = &caller.fixture.test.hub;
    hub.member_update(&local(), caller.fixture.org, caller.user, Role::Viewer).await.expect("changes");
    caller.is_refused("forbidden").await;
    let log = caller.fixture.get("/api/v1/audit").await;
    let refused = log["items"].as_array().expect("rows").iter().filter(|row| row["action"] == "request.refused");
    assert!((1..=2).contains(&refused.count()), "one entry per route and minute; repetitions are counted");
});

testkit::db_test!(granted_role_applies_immediately, |db| async move {
    let caller = Caller::new(db).await;
    let hub = &caller.fixture.test.hub;
    let change =
        async |role| hub.member_update(&local(), caller.fixture.org, caller.user, role).await.expect("changes");
    change(Role::Viewer).await;
    for _ in 0..2 {
        assert_eq!(caller.make(json!({})).await.code(), "forbidden");
    }
    change(Role::Operator).await;
    assert_eq!(caller.make(json!({})).await.status, StatusCode::CREATED);
    change(Role::Viewer).await;
    assert_eq!(caller.make(json!({})).await.code(), "forbidden");
    hub.token_revoke(&local(), caller.fixture.org, caller.token).await.expect("revokes");
    assert_eq!(caller.make(json!({})).await.code(), "token_revoked", "the revoked token is reported, not the role");
});

testkit::db_test!(revoked_token_does_not_reveal_orgs, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.test.org("other").await;
    let user = fixture.test.person(fixture.org, "sue@acme.example", Role::SuperAdmin).await;
    let (token, secret) = fixture.test.token_with(fixture.org, user, Role::SuperAdmin, json!({"name": "all"})).await;
    let who = As::Bearer(secret);
    let make = async |org: &str| {
        let path = format!("/api/v1/orgs/{org}/jobs");
        fixture.test.call(&who, "POST", &path, Some(work(json!({})))).await
    };
    for _ in 0..2 {
        assert_eq!(make("other").await.status, StatusCode::CREATED);
    }
    fixture.test.hub.token_revoke(&local(), fixture.org, token).await.expect("revokes");
    for org in ["nowhere", "other", "nowhere"] {
        assert_eq!(make(org).await.code(), "token_revoked", "{org}");
    }
});

testkit::db_test!(concurrent_requests_are_authorized_individually, |db| async move {
    let caller = Caller::new(db).await;
    let other = json!({"name": "other"});
    let (token, secret) = caller.fixture.test.token_with(caller.fixture.org, caller.user, Role::Admin, other).await;
    let other = As::Bearer(secret);
    assert_eq!(caller.fixture.test.call(&other, "POST", "/api/v1/jobs", Some(work(json!({})))).await.status, 201);
    let before = caller.jobs().await;
    caller.fixture.test.hub.token_revoke(&local(), caller.fixture.org, token).await.expect("revokes");
    let call = |number: usize| {
        let who = if number.is_multiple_of(2) { &caller.who } else { &other };
        caller.fixture.test.call(who, "POST", "/api/v1/jobs", Some(work(json!({}))))
    };
    let made = futures_util::future::join_all((0..40).map(call)).await;
    for (number, answer) in made.iter().enumerate() {
        let expected = if number.is_multiple_of(2) { StatusCode::CREATED } else { StatusCode::UNAUTHORIZED };
        assert_eq!(answer.status, expected, "{number}: {}", answer.text);
    }
    assert_eq!(caller.jobs().await, before + 20);
});

testkit::db_test!(role_change_that_still_allows_jobs_is_not_rejected, |db| async move {
    let caller = Caller::new(db).await;
    let hub = &caller.fixture.test.hub;
    hub.member_update(&local(), caller.fixture.org, caller.user, Role::Operator).await.expect("changes");
    assert_eq!(caller.make(json!({})).await.status, StatusCode::CREATED);
    assert_eq!(caller.jobs().await, 2);
});

testkit::db_test!(disabled_or_removed_user_creates_no_job, |db| async move {
    let caller = Caller::new(db).await;
    let shut = |is_disabled| UserPatch { is_disabled: Some(is_disabled), ..UserPatch::default() };
    let hub = &caller.fixture.test.hub;
    hub.user_update(&local(), caller.user, shut(true)).await.expect("shuts out");
    caller.is_refused("token_revoked").await;
    hub.user_update(&local(), caller.user, shut(false)).await.expect("lets in");
    assert_eq!(caller.make(json!({})).await.status, StatusCode::CREATED);
    hub.member_remove(&local(), caller.fixture.org, caller.user).await.expect("removes");
    caller.is_refused("token_revoked").await;
    hub.user_remove(&local(), caller.user).await.expect("removes");
    caller.is_refused("token_invalid").await;
});

testkit::db_test!(token_expires_on_time, |db| async move {
    let caller = Caller::new(db).await;
    let short = json!({"name": "short", "ttl_seconds": 60});
    let (_, secret) = caller.fixture.test.token_with(caller.fixture.org, caller.user, Role::Admin, short).await;
    let caller = Caller { who: As::Bearer(secret), ..caller };
    for _ in 0..2 {
        assert_eq!(caller.make(json!({})).await.status, StatusCode::CREATED);
    }
    caller.fixture.test.pass(60);
    caller.is_refused("token_expired").await;
});
