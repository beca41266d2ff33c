//! Every route with every kind of caller, generated from the router: a route without a row in this table fails.

use std::sync::atomic::{AtomicU32, Ordering};

use axum::http::Method;
use data_encoding::HEXLOWER;
use domain::{OrgId, Permission, Role};
use hub::{
    Options,
    http::{Access, Route, routes},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::fixture::{As, TestHub, local};

/// The kinds of callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Anonymous,
    Person,
    ReadToken,
    WorkerToken,
    Viewer,
    Operator,
    Admin,
    SuperAdmin,
    Runner,
    RevokedToken,
    ForeignAdmin,
    ForeignRunner,
}

const EVERYBODY: [Who; 12] = [
    Who::Anonymous,
    Who::Person,
    Who::ReadToken,
    Who::WorkerToken,
    Who::Viewer,
    Who::Operator,
    Who::Admin,
    Who::SuperAdmin,
    Who::Runner,
    Who::RevokedToken,
    Who::ForeignAdmin,
    Who::ForeignRunner,
];

/// The expected result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    LetIn,
    NotKnown,
    NotAllowed,
    NotThere,
    NotABrowser,
}

/// The result that follows from the permission table, given the route and the caller.
fn verdict(route: &Route, who: Who) -> Verdict {
    let is_scoped = route.path.starts_with("/api/v1/orgs/{org}");
    let names_something = route.path.trim_start_matches("/api/v1/orgs/{org}").contains('{');
    match (route.access, who) {
        (Access::Link, Who::Person) => Verdict::NotABrowser,
        (Access::Public | Access::Link, _) => Verdict::LetIn,
        (_, Who::Anonymous | Who::RevokedToken) => Verdict::NotKnown,
        (Access::SignedIn, Who::Runner | Who::ForeignRunner) => Verdict::NotAllowed,
        (Access::SignedIn, _) => Verdict::LetIn,
        (Access::Person, Who::Person) => Verdict::LetIn,
        (Access::Person, _) => Verdict::NotAllowed,
        // A token cannot create sign-in links, whatever its user may do.
        (Access::Installation(_), Who::SuperAdmin) if route.path.ends_with("/sign-in/links") => Verdict::NotAllowed,
        (Access::Installation(_), Who::SuperAdmin) => Verdict::LetIn,
        (Access::Installation(_), _) => Verdict::NotAllowed,
        (Access::Runner, Who::Runner | Who::ForeignRunner) => Verdict::LetIn,
        (Access::Runner, _) => Verdict::NotAllowed,
        (Access::Org(_), Who::Runner) => Verdict::NotAllowed,
        (Access::Org(_), Who::ForeignRunner) if is_scoped => Verdict::NotThere,
        (Access::Org(_), Who::ForeignRunner) => Verdict::NotAllowed,
        // Definitions of the hub are the same for all orgs; limit keys and secrets are names in the caller's own org.
        (Access::Org(Permission::DefinitionRead | Permission::LimitManage), Who::ForeignAdmin) if !is_scoped => {
            Verdict::LetIn
        }
        (Access::Org(Permission::SecretManage | Permission::AlertManage), Who::ForeignAdmin)
            if !is_scoped && route.method == Method::PUT =>
        {
            Verdict::LetIn
        }
        // Rejected before any look-up.
        (Access::Org(Permission::Installation | Permission::WorkerClaim), Who::ForeignAdmin) if !is_scoped => {
            Verdict::NotAllowed
        }
        // Another org, and objects of another org, do not exist for the caller.
        (Access::Org(_), Who::ForeignAdmin) if is_scoped || names_something => Verdict::NotThere,
        // The token of another user: users see only their own tokens.
        (Access::Org(Permission::TokenOwn), Who::Person) if names_something => Verdict::NotThere,
        // A shared view can be changed by its creator and by admins.
        (Access::Org(Permission::ViewOwn), Who::Person | Who::Viewer | Who::Operator) if names_something => {
            Verdict::NotAllowed
        }
        (Access::Org(permission), Who::ReadToken) if !permission.is_read() => Verdict::NotAllowed,
        (Access::Org(permission), Who::WorkerToken) if permission != Permission::WorkerClaim => Verdict::NotAllowed,
        // A claim contains secrets, so no role is enough: only a token of scope `worker` claims.
        (Access::Org(Permission::WorkerClaim), who) if who != Who::WorkerToken => Verdict::NotAllowed,
        (Access::Org(permission), who) => {
            let role = match who {
                Who::Viewer | Who::Person => Role::Viewer,
                Who::Operator => Role::Operator,
                Who::SuperAdmin => Role::SuperAdmin,
                _ => Role::Admin,
            };
            if role.may(permission) { Verdict::LetIn } else { Verdict::NotAllowed }
        }
    }
}

/// A valid call of a route, so that only the caller's permissions can make it fail.
struct Row {
    path: String,
    body: Option<Value>,
}

/// Two orgs: `acme`, whose objects are requested, and `beta`, whose users must not see them.
struct World {
    test: TestHub,
    acme: OrgId,
    beta: OrgId,
    people: Vec<(Who, As)>,
    count: AtomicU32,
}

/// Part of the name of every object of `acme`; a response to `beta` must never contain it.
const MARK: &str = "acme-only";

impl World {
    async fn new(test: TestHub) -> Self {
        let (acme, beta) = (test.org("acme").await, test.org("beta").await);
        // Both orgs have a host with this name, so that the same body works in both.
        for org in [acme, beta] {
            test.host(org, "box").await;
        }
        let mut people = Vec::new();
        for (who, org, role) in [
            (Who::Viewer, acme, Role::Viewer),
            (Who::Operator, acme, Role::Operator),
            (Who::Admin, acme, Role::Admin),
            (Who::SuperAdmin, acme, Role::SuperAdmin),
            (Who::RevokedToken, acme, Role::Admin),
            (Who::ForeignAdmin, beta, Role::Admin),
        ] {
            let user = test
                .person(
                    org,
                    &format!("{who:?}@{}", if org == acme { "acme-only.example" } else { "beta.example" })
                        .to_lowercase(),
                    role,
                )
                .await;
            let (id, secret) = test.token(org, user, role).await;
            if who == Who::RevokedToken {
                test.hub.token_revoke(&crate::fixture::local(), org, id).await.expect("revokes");
            }
            people.push((who, As::Bearer(secret)));
        }
        let reader = test.person(acme, "reader@acme-only.example", Role::Admin).await;
        let (_, secret) = test.token_with(acme, reader, Role::Admin, json!({"name": "read", "scope": "read"})).await;
        people.push((Who::ReadToken, As::Bearer(secret)));
        let worker = test.person(acme, "worker@acme-only.example", Role::Admin).await;
        let (_, secret) = test
            .token_with(acme, worker, Role::Admin, json!({"name": "work", "scope": "worker", "queues": ["default"]}))
            .await;
        people.push((Who::WorkerToken, As::Bearer(secret)));
        Self { test, acme, beta, people, count: AtomicU32::new(0) }
    }

    /// Creates a new runner for each call, because one of the routes is to leave.
    async fn caller(&self, who: Who) -> As {
        let fresh = self.fresh("runner");
        match who {
            Who::Anonymous => As::Nobody,
            Who::Runner => As::Bearer(self.test.runner(self.test.host(self.acme, &fresh).await).await),
            Who::ForeignRunner => As::Bearer(
                self.test.runner(self.test.host(self.beta, &format!("beta-{fresh}").replace(MARK, "x")).await).await,
            ),
            // Creates a new session for each call, because one of the routes is to sign out.
            Who::Person => {
                self.test.browser(self.acme, &format!("{}@acme.example", self.fresh("person")), Role::Viewer).await.1
            }
            who => self.people.iter().find(|(known, _)| *known == who).expect("exists").1.clone(),
        }
    }

    fn fresh(&self, what: &str) -> String {
        format!("{MARK}-{what}-{}", self.count.fetch_add(1, Ordering::Relaxed))
    }

    /// A unique name for an object that a caller creates in their own org.
    fn unmarked(&self, what: &str) -> String {
        self.fresh(what).replace(MARK, "own")
    }

    /// The row of a route: new objects of `acme` for the names in its path, and a valid body.
    async fn row(&self, route: &Route) -> Option<Row> {
        let plain = route.path.replace("/api/v1/orgs/{org}", "/api/v1");
        let plain = if plain == "/api/v1" { "/api/v1/org".to_owned() } else { plain };
        let host = json!({});
        let body = match (route.method.as_str(), plain.as_str()) {
            ("GET", "/j/{token}" | "/j/program/{sha256}") => None,
            ("GET", "/healthz" | "/readyz" | "/metrics" | "/openapi.json" | "/docs/errors/{code}") => None,
            (
                "GET",
                "/api/v1/hub"
                | "/api/v1/me"
                | "/api/v1/link"
                | "/api/v1/runner/self"
                | "/api/v1/sign-in/device/{user_code}",
            ) => None,
            (
                "GET",
                "/api/v1/org"
                | "/api/v1/status"
                | "/api/v1/events"
                | "/api/v1/audit"
                | "/api/v1/audit/verify"
                | "/api/v1/sync"
                | "/api/v1/sync/digest",
            ) => None,
            (
                "GET",
                "/api/v1/hosts"
                | "/api/v1/hosts/{host}"
                | "/api/v1/join-tokens"
                | "/api/v1/members"
                | "/api/v1/invitations"
                | "/api/v1/tokens",
            ) => None,
            (
                "GET",
                "/api/v1/jobs"
                | "/api/v1/jobs/summary"
                | "/api/v1/jobs/series"
                | "/api/v1/views"
                | "/api/v1/hosts/{host}/metrics"
                | "/api/v1/hosts/{host}/schedules"
                | "/api/v1/servers/{server}/metrics"
                | "/api/v1/batches"
                | "/api/v1/batches/{batch}"
                | "/api/v1/limits"
                | "/api/v1/secrets"
                | "/api/v1/pauses"
                | "/api/v1/jobs/{job}"
                | "/api/v1/jobs/{job}/why"
                | "/api/v1/jobs/{job}/attempts"
                | "/api/v1/jobs/{job}/logs"
                | "/api/v1/alerts"
                | "/api/v1/alerts/{alert}"
                | "/api/v1/alert-rules"
                | "/api/v1/maintenance"
                | "/api/v1/channels"
                | "/api/v1/channels/{channel}"
                | "/api/v1/notices"
                | "/api/v1/pings"
                | "/api/v1/pings/{ping}/history"
                | "/api/v1/hooks"
                | "/api/v1/hosts/{host}/timeline"
                | "/api/v1/servers"
                | "/api/v1/servers/{server}"
                | "/api/v1/servers/{server}/runs"
                | "/api/v1/servers/{server}/console"
                | "/api/v1/jobs/triggers"
                | "/api/v1/jobs/triggers/{trigger}"
                | "/api/v1/jobs/triggers/{trigger}/next"
                | "/api/v1/jobs/triggers/{trigger}/history"
                | "/api/v1/jobs/definitions"
                | "/api/v1/jobs/definitions/{definition}"
                | "/api/v1/admin/jobs/definitions"
                | "/api/v1/admin/jobs/definitions/{definition}"
                | "/api/v1/admin/jobs/definitions/{definition}/history"
                | "/api/v1/admin/workers",
            ) => None,
            ("POST", "/api/v1/alerts/{alert}/ack" | "/api/v1/alerts/{alert}/resolve") => Some(json!({"note": "seen"})),
            ("POST", "/api/v1/alerts/{alert}/snooze") => {
                Some(json!({"until": self.test.hub.now() + domain::Span::from_secs(600)}))
            }
            ("PUT", "/api/v1/alert-rules/{kind}") => Some(json!({"for_seconds": 5})),
            ("POST", "/api/v1/maintenance") => Some(quiet(&self.unmarked("window"), self.test.hub.now())),
            ("DELETE", "/api/v1/maintenance/{window}") => None,
            ("POST", "/api/v1/channels") => Some(channel(&self.unmarked("channel"))),
            ("PATCH", "/api/v1/channels/{channel}") => Some(json!({"per_day": 5})),
            ("DELETE", "/api/v1/channels/{channel}") => None,
            // Fails with an error of the address guard, so no request is sent.
            ("POST", "/api/v1/channels/{channel}/test") => None,
            ("POST", "/api/v1/pings") => Some(json!({"label": self.unmarked("ping"), "period_seconds": 60})),
            ("DELETE", "/api/v1/pings/{ping}") => None,
            ("GET" | "POST", "/ping/{secret}" | "/ping/{secret}/{word}") => None,
            ("POST", "/api/v1/hooks") => Some(json!({"name": self.unmarked("hook"), "event_name": "shop.paid"})),
            ("DELETE", "/api/v1/hooks/{hook}") => None,
            ("POST", "/in/{hook}") => Some(json!({})),
            ("POST", "/api/v1/servers") => {
                Some(json!({"name": self.unmarked("server"), "host": "box", "definition_key": "sleep"}))
            }
            ("PATCH", "/api/v1/servers/{server}") => Some(json!({"autostart": true})),
            ("DELETE", "/api/v1/servers/{server}") => None,
            (
                "POST",
                "/api/v1/servers/{server}/start" | "/api/v1/servers/{server}/stop" | "/api/v1/servers/{server}/restart",
            ) => Some(json!({})),
            // Fails because the host is not connected, not because of permissions.
            ("POST", "/api/v1/servers/{server}/kill") => None,
            ("POST", "/api/v1/servers/{server}/input") => Some(json!({"line": "hi"})),
            ("POST", "/api/v1/jobs/triggers") => Some(schedule(&self.unmarked("trigger"))),
            ("POST", "/api/v1/jobs/triggers/preview") => Some(json!({"cron_expr": "@daily"})),
            ("POST", "/api/v1/jobs/triggers/import") => Some(json!({"crontab": "@daily true", "dry_run": true})),
            ("PATCH", "/api/v1/jobs/triggers/{trigger}") => Some(json!({"jitter": 5})),
            ("DELETE", "/api/v1/jobs/triggers/{trigger}") => None,
            ("POST", "/api/v1/jobs/triggers/{trigger}/test" | "/api/v1/jobs/triggers/{trigger}/fire") => {
                Some(json!({}))
            }
            ("POST", "/api/v1/jobs/triggers/{trigger}/backfill") => {
                Some(json!({"from": "2026-01-01T00:00:00Z", "until": "2026-01-02T00:00:00Z", "dry_run": true}))
            }
            ("POST", "/api/v1/events") => Some(json!({"name": "shop.order_paid", "data": {}})),
            ("PUT", "/api/v1/limits/{key}") => Some(json!({"max_running": 3})),
            ("POST", "/api/v1/views") => Some(json!({"page": "jobs", "name": self.unmarked("view"), "query": "q=x"})),
            ("PATCH", "/api/v1/views/{view}") => Some(json!({"query": "q=y"})),
            ("DELETE", "/api/v1/views/{view}") => None,
            ("PUT", "/api/v1/secrets/{secret}") => Some(json!({"value": "hunter2"})),
            ("DELETE", "/api/v1/secrets/{secret}") => None,
            ("POST", "/api/v1/pauses") => Some(json!({"kind": "key", "subject": self.unmarked("key")})),
            ("POST", "/api/v1/batches") => Some(json!({"action": "cancel", "filter": "id:0", "dry_run": true})),
            ("POST", "/api/v1/batches/{batch}/stop") => None,
            ("POST", "/api/v1/jobs") => Some(json!({"definition_key": "hello"})),
            ("POST", "/api/v1/jobs/{job}/cancel" | "/api/v1/jobs/{job}/retry") => Some(json!({})),
            ("POST", "/api/v1/jobs/{job}/move") => Some(json!({"priority": 5})),
            ("POST", "/api/v1/worker/jobs/claim") => Some(json!({"worker_id": self.unmarked("worker")})),
            ("POST", "/api/v1/worker/jobs/{job}/heartbeat" | "/api/v1/worker/jobs/{job}/complete") => {
                Some(json!({"worker_id": "nobody", "fence": 1}))
            }
            ("POST", "/api/v1/worker/jobs/{job}/fail") => {
                Some(json!({"worker_id": "nobody", "fence": 1, "error": "x"}))
            }
            ("POST", "/api/v1/admin/jobs/definitions") => {
                Some(json!({"key": self.unmarked("def"), "argv": ["true"], "arg_schema": {}}))
            }
            ("PATCH", "/api/v1/admin/jobs/definitions/{definition}") => {
                Some(json!({"description": self.unmarked("said")}))
            }
            (
                "GET",
                "/api/v1/admin/orgs"
                | "/api/v1/admin/users"
                | "/api/v1/admin/loops"
                | "/api/v1/admin/jobs/summary"
                | "/api/v1/admin/audit"
                | "/api/v1/admin/audit/verify",
            ) => None,
            ("POST", "/api/v1/sign-in/password") => {
                Some(json!({"email": "nobody@acme.example", "password": "not a password"}))
            }
            ("POST", "/api/v1/sign-in/link" | "/api/v1/sign-in/invitation/view") => {
                Some(json!({"secret": "hsl_nonsense"}))
            }
            ("POST", "/api/v1/sign-in/invitation") => {
                Some(json!({"secret": "hsi_nonsense", "name": "x", "password": "long enough to pass"}))
            }
            ("POST", "/api/v1/sign-in/device") => Some(json!({"client": "test"})),
            ("POST", "/api/v1/sign-in/device/poll") => Some(json!({"device_secret": "hsd_nonsense"})),
            ("POST", "/api/v1/sign-in/device/answer") => {
                Some(json!({"user_code": self.device().await, "approve": false}))
            }
            ("POST", "/api/v1/sign-out" | "/api/v1/sign-in/links" | "/api/v1/runner/leave") => None,
            // Invalid content: a real change would end the sessions of the other calls.
            ("POST", "/api/v1/me/password") => Some(json!({"new": "short"})),
            ("POST", "/api/v1/join") => Some(json!(crate::fixture::join_request("hsj_nonsense", "x", [1; 32]))),
            ("POST", "/api/v1/primary") => None,
            ("PATCH", "/api/v1/org") => Some(json!({"alert_after_seconds": 900})),
            ("PATCH", "/api/v1/hosts/{host}") => Some(json!({"always_on": false})),
            ("DELETE", "/api/v1/hosts/{host}") => None,
            (
                "POST",
                "/api/v1/hosts/{host}/pause"
                | "/api/v1/hosts/{host}/resume"
                | "/api/v1/hosts/{host}/mark-degraded"
                | "/api/v1/hosts/{host}/unmark",
            ) => Some(host),
            ("POST", "/api/v1/hosts/{host}/rotate-key" | "/api/v1/hosts/{host}/revoke") => Some(host),
            ("POST", "/api/v1/hosts/{host}/share" | "/api/v1/hosts/{host}/unshare") => Some(json!({"org": "beta"})),
            ("POST", "/api/v1/join-tokens") => Some(json!({})),
            (
                "DELETE",
                "/api/v1/join-tokens/{join_token}"
                | "/api/v1/tokens/{token}"
                | "/api/v1/invitations/{invitation}"
                | "/api/v1/members/{user}",
            ) => None,
            ("PATCH", "/api/v1/members/{user}") => Some(json!({"role": "operator"})),
            ("POST", "/api/v1/invitations") => {
                Some(json!({"email": format!("{}@new.example", self.unmarked("invited")), "role": "viewer"}))
            }
            ("POST", "/api/v1/tokens") => Some(json!({"name": self.unmarked("token")})),
            ("POST", "/api/v1/admin/orgs") => Some(json!({"slug": self.fresh("org")})),
            ("DELETE", "/api/v1/admin/orgs/{named}") => None,
            ("PATCH", "/api/v1/admin/users/{user}") => Some(json!({"is_disabled": false})),
            ("DELETE", "/api/v1/admin/users/{user}") => None,
            _ => return None,
        };
        let (path, body) = self.named(route, body).await;
        Some(Row { path, body })
    }

    /// Puts the ids of new objects of `acme` into the path.
    async fn named(&self, route: &Route, mut body: Option<Value>) -> (String, Option<Value>) {
        let mut path = route.path.replace("{org}", "acme").replace("{code}", "not_found");
        if path.contains("{host}") {
            let host = self.test.host(self.acme, &self.fresh("host")).await;
            if path.ends_with("/unshare") {
                let request = serde_json::from_value(json!({"org": "beta"})).expect("a request");
                self.test.hub.host_share(&local(), self.acme, &host.to_string(), request).await.expect("shares");
            }
            path = path.replace("{host}", &host.to_string());
        }
        if path.contains("{user}") {
            let email = format!("{}@acme.example", self.fresh("user"));
            path = path.replace("{user}", &self.test.person(self.acme, &email, Role::Viewer).await.to_string());
        }
        if path.contains("{join_token}") {
            path = path.replace("{join_token}", &self.test.join_token(self.acme).await.0.to_string());
        }
        if path.contains("{invitation}") {
            path = path.replace(
                "{invitation}",
                &self.test.invitation(self.acme, &format!("{}@x.example", self.fresh("i"))).await.0.to_string(),
            );
        }
        if path.contains("{job}") {
            path = path.replace("{job}", &self.job(route.path.ends_with("/retry")).await);
        }
        if path.contains("{batch}") {
            let request = json!({"action": "cancel", "filter": format!("key:{}", self.fresh("batch"))});
            let request = serde_json::from_value(request).expect("a request");
            let made = self.test.hub.batch_create(&local(), self.acme, request).await.expect("makes");
            path = path.replace("{batch}", &made.id.to_string());
        }
        path = self.with_alerting_ids(path).await;
        if path.contains("{view}") {
            path = path.replace("{view}", &self.view().await);
        }
        if path.contains("{server}") {
            let request = json!({"name": self.fresh("server"), "host": "box", "definition_key": "sleep"});
            let request = serde_json::from_value(request).expect("a request");
            let made = self.test.hub.server_create(&local(), self.acme, request).await.expect("makes");
            path = path.replace("{server}", &made.id.to_string());
        }
        if path.contains("{trigger}") {
            let request = serde_json::from_value(schedule(&self.fresh("trigger"))).expect("a request");
            let made = self.test.hub.trigger_create(&local(), self.acme, request).await.expect("makes");
            path = path.replace("{trigger}", &made.id.to_string());
        }
        path = path.replace("{definition}", "sleep").replace("{key}", "some-key");
        if path.contains("{secret}") {
            path = path.replace("{secret}", &self.secret().await);
        }
        if path.contains("{user_code}") {
            path = path.replace("{user_code}", &self.device().await);
        }
        if path.contains("{named}") {
            let slug = self.fresh("org");
            self.test.org(&slug).await;
            path = path.replace("{named}", &slug);
            body = Some(json!({"confirm": slug}));
        }
        (path, body)
    }

    /// Puts the ids of new alerts, channels and similar objects of `acme` into the path.
    async fn with_alerting_ids(&self, path: String) -> String {
        let (hub, acme, now) = (&self.test.hub, self.acme, self.test.hub.now());
        let path = path.replace("{kind}", "queue_age").replace("{word}", "start");
        if path.contains("{alert}") {
            return path
                .replace("{alert}", &crate::alerts::open(&self.test, acme, &self.fresh("alert")).await.to_string());
        }
        if path.contains("{window}") {
            let request = serde_json::from_value(quiet(&self.fresh("window"), now)).expect("a request");
            let made = hub.mute_window_create(&local(), acme, request).await.expect("makes");
            return path.replace("{window}", &made.id.to_string());
        }
        if path.contains("{channel}") {
            let request = serde_json::from_value(channel(&self.fresh("channel"))).expect("a request");
            let made = hub.channel_create(&local(), acme, request).await.expect("makes");
            return path.replace("{channel}", &made.id.to_string());
        }
        if path.contains("{ping}") || path.starts_with("/ping/") {
            let request = json!({"label": self.fresh("ping"), "period_seconds": 60});
            let request = serde_json::from_value(request).expect("a request");
            let made = hub.ping_create(&local(), acme, request).await.expect("makes");
            let secret = made.url.rsplit('/').next().expect("a secret");
            return path.replace("{ping}", &made.ping.id.to_string()).replace("{secret}", secret);
        }
        if path.starts_with("/j/") {
            let made = hub.join_token_create(&local(), acme, Default::default()).await.expect("makes");
            let program = hub.options.program.as_ref().map(|program| std::fs::read(program).expect("the program"));
            let sum = program.map(|program| HEXLOWER.encode(&Sha256::digest(program))).unwrap_or_default();
            return path.replace("{token}", &made.secret).replace("{sha256}", &sum);
        }
        if path.contains("{hook}") {
            let request = json!({"name": self.fresh("hook"), "event_name": "shop.paid"});
            let request = serde_json::from_value(request).expect("a request");
            let made = hub.hook_create(&local(), acme, request).await.expect("makes");
            return path.replace("{hook}", &made.hook.id.to_string());
        }
        path
    }

    /// A job of `acme`, queued or finished.
    async fn job(&self, is_over: bool) -> String {
        let admin = self.caller(Who::Admin).await;
        let body = json!({"definition_key": "hello", "payload": {"name": self.fresh("job")}});
        let made = self.test.call(&admin, "POST", "/api/v1/jobs", Some(body)).await.json();
        let id = made["id"].as_str().expect("an id").to_owned();
        if is_over {
            self.test.call(&admin, "POST", &format!("/api/v1/jobs/{id}/cancel"), None).await;
        }
        id
    }

    /// A shared view of `acme`.
    async fn view(&self) -> String {
        let request = json!({"page": "jobs", "name": self.fresh("view"), "query": "", "visibility": "org"});
        let request = serde_json::from_value(request).expect("a request");
        self.test.hub.view_create(&local(), self.acme, request).await.expect("keeps").id.to_string()
    }

    /// A secret of `acme`.
    async fn secret(&self) -> String {
        let name = self.fresh("secret").replace('-', "_");
        let request = serde_json::from_value(json!({"value": MARK})).expect("a request");
        self.test.hub.secret_set(&crate::fixture::local(), self.acme, &name, request).await.expect("sets");
        name
    }

    async fn device(&self) -> String {
        let from = format!("10.9.8.{}", self.count.fetch_add(1, Ordering::Relaxed) % 250);
        self.test
            .hub
            .device_start(&crate::fixture::stranger(&from), Default::default())
            .await
            .expect("begins")
            .user_code
    }

    /// The id of a token that this caller may revoke: their own, unless they are an admin.
    async fn token_of(&self, who: Who) -> String {
        let owner = match who {
            Who::Viewer | Who::Operator => {
                let role = if who == Who::Viewer { Role::Viewer } else { Role::Operator };
                let email = format!("{who:?}@acme-only.example").to_lowercase();
                let user = self
                    .test
                    .write(move |tx| Box::pin(async move { Ok(tx.user_by_email(&email).await?) }))
                    .await
                    .expect("exists");
                return self.test.token(self.acme, user.id, role).await.0.to_string();
            }
            _ => self.test.person(self.acme, &format!("{}@acme.example", self.fresh("owner")), Role::Viewer).await,
        };
        self.test.token(self.acme, owner, Role::Viewer).await.0.to_string()
    }
}

/// A mute window of ten minutes.
fn quiet(label: &str, now: domain::Timestamp) -> Value {
    json!({"label": label, "ends_at": now + domain::Span::from_secs(600)})
}

/// A channel with an address that is never called.
fn channel(name: &str) -> Value {
    json!({"name": name, "config": {"kind": "ntfy", "url": "http://127.0.0.1:9/topic"}})
}

fn schedule(label: &str) -> Value {
    json!({"label": label, "cron_expr": "0 2 * * *", "definition_key": "hello"})
}

/// The error codes of status 401.
const UNKNOWN: [&str; 5] = ["unauthenticated", "token_invalid", "token_expired", "token_revoked", "session_ended"];

testkit::db_test!(every_route_as_every_caller, |db| async move {
    let options =
        Options { program: Some(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into()), ..Options::default() };
    let world = World::new(TestHub::with(db, options).await).await;
    let (_, _, list) = routes().into_parts();
    let (mut cells, mut leaks) = (0, Vec::new());
    for route in &list {
        // Advances a minute for each route, so that the failed attempts of one do not throttle the next.
        world.test.pass(61);
        for who in EVERYBODY {
            let mut row = world
                .row(route)
                .await
                .unwrap_or_else(|| panic!("{} {} has no row in this table", route.method, route.path));
            if row.path.contains("{token}") {
                row.path = row.path.replace("{token}", &world.token_of(who).await);
            }
            assert!(!row.path.contains('{'), "{} is not filled in", row.path);
            let caller = world.caller(who).await;
            let answer = world.test.call(&caller, route.method.as_str(), &row.path, row.body).await;
            judge(route, who, verdict(route, who), &answer, &mut leaks);
            cells += 1;
        }
    }
    assert_eq!(cells, list.len() * EVERYBODY.len());
    println!("authorisation: {cells} route × caller cells on {}, {} leaks", world.test.hub.store.kind(), leaks.len());
    assert!(leaks.is_empty(), "{leaks:#?}");
});

/// POST routes of authenticated callers that handle repetitions themselves or end the caller's session.
const WITHOUT_KEY: [&str; 4] =
    ["/api/v1/jobs", "/api/v1/worker/jobs/claim", "/api/v1/sign-out", "/api/v1/runner/leave"];

testkit::db_test!(every_post_supports_idempotency_keys, |db| async move {
    let world = World::new(TestHub::new(db).await).await;
    let (_, _, list) = routes().into_parts();
    let posts = list.iter().filter(|route| {
        let plain = route.path.replace("/api/v1/orgs/{org}", "/api/v1");
        route.method == Method::POST
            && !matches!(route.access, Access::Public | Access::Link)
            && !WITHOUT_KEY.contains(&plain.as_str())
    });
    for route in posts {
        world.test.pass(61);
        let who = match route.access {
            Access::Person => world.caller(Who::Person).await,
            // A token cannot create sign-in links.
            Access::Installation(_) => As::Local,
            Access::Org(Permission::WorkerClaim) => world.caller(Who::WorkerToken).await,
            _ => world.caller(Who::SuperAdmin).await,
        };
        let row = world.row(route).await.expect("has a row");
        let first = world.test.post_under(&route.path, &who, &row.path, row.body.clone()).await;
        let again = world.test.post_under(&route.path, &who, &row.path, row.body).await;
        assert_eq!((first.status, &first.text), (again.status, &again.text), "{}", route.path);
        let marks = [first, again].map(|answer| answer.headers.contains_key("idempotency-replayed"));
        assert_eq!(marks, [false, true], "{}", route.path);
    }
});

fn judge(route: &Route, who: Who, verdict: Verdict, answer: &crate::fixture::Answer, leaks: &mut Vec<String>) {
    let cell = format!("{} {} as {who:?}: {} {}", route.method, route.path, answer.status, answer.text);
    let code = answer.code();
    assert!(!answer.status.is_server_error(), "{cell}");
    let is_held = match verdict {
        Verdict::NotKnown => answer.status == 401 && UNKNOWN.contains(&code.as_str()),
        Verdict::NotAllowed => answer.status == 403 && code == "forbidden",
        Verdict::NotThere => answer.status == 404 && code == "not_found",
        Verdict::NotABrowser => answer.status == 403 && code == "cross_site",
        Verdict::LetIn => {
            // Allowed, but there is no worker with this name.
            let is_no_worker = route.path.contains("/worker/jobs/{job}/") && answer.text.contains("there is no worker");
            // Allowed, but no runner is connected.
            let is_nobody_there = code == "host_unreachable";
            is_no_worker
                || is_nobody_there
                || !UNKNOWN.contains(&code.as_str())
                    && code != "forbidden"
                    && code != "not_found"
                    && is_served(route, answer)
        }
    };
    if !is_held {
        leaks.push(format!("expected {verdict:?}: {cell}"));
    }
    let is_outsider = matches!(who, Who::Anonymous | Who::RevokedToken | Who::ForeignAdmin | Who::ForeignRunner);
    // The response may contain the requested name, but no other name of the org.
    let is_named = answer
        .text
        .lines()
        .filter(|line| !line.contains("detail"))
        .any(|line| line.contains(MARK) && answer.status.is_success());
    if is_outsider && is_named && route.access != Access::Public {
        leaks.push(format!("reveals another org: {cell}"));
    }
}

/// Allowed means that the request was executed, or rejected for its content. Socket routes answer plain requests with
/// 400.
fn is_served(route: &Route, answer: &crate::fixture::Answer) -> bool {
    let is_socket = route.path.ends_with("/events") || route.path.ends_with("/link");
    let is_nonsense = route.access == Access::Public && route.method == Method::POST;
    let is_refused_for_content = route.path.ends_with("/me/password");
    answer.status.is_success()
        || (is_socket && answer.status == 400)
        || is_nonsense
        || (is_refused_for_content && answer.status == 422)
}
