//! A hub to test, and callers with every role.

use std::net::SocketAddr;

use axum::{
    body::Body,
    http::{Request, Response, StatusCode, header},
};
use domain::{
    Actor, Caller, HostId, InvitationId, JoinTokenId, Labels, OrgId, Role, Span, TokenId, UserId,
    role::Scope,
    secret::{Secret, SecretKind},
};
use http_body_util::BodyExt as _;
use hub::{Hub, Options, Peer, app::RequestContext};
use proto::{
    api::{host::JoinTokenRequest, org::InvitationRequest, person::TokenRequest},
    link::{Bytes32, JoinRequest},
    metrics::Machine,
};
use runtime::{Clock, FakeClock};
use serde_json::{Value, json};
use store::{session::NewSession, user::User};
use tempfile::TempDir;
use testkit::TestDb;
use tower::ServiceExt as _;

/// A hub on a test database, with a clock that tests advance.
pub(crate) struct TestHub {
    pub(crate) hub: Hub,
    pub(crate) clock: FakeClock,
    pub(crate) db: TestDb,
    /// The folder of its key file; kept until the end of the test.
    pub(crate) folder: TempDir,
}

/// A response: status, headers, body.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {} {}", self.status, self.text))
    }

    /// The stable error code; empty if the response is not an error.
    pub(crate) fn code(&self) -> String {
        serde_json::from_str::<Value>(&self.text)
            .ok()
            .and_then(|body| body["code"].as_str().map(str::to_owned))
            .unwrap_or_default()
    }
}

/// The caller and its credentials.
#[derive(Clone)]
pub(crate) enum As {
    Nobody,
    Local,
    Bearer(String),
    Cookie(String),
}

impl TestHub {
    pub(crate) async fn new(db: TestDb) -> Self {
        Self::with(db, Options::default()).await
    }

    pub(crate) async fn with(db: TestDb, options: Options) -> Self {
        // Starts at the machine's time, because a test cannot move the clock of the database server.
        let clock = FakeClock::at(Clock::system().now());
        let folder = TempDir::new().expect("a folder");
        let secret_key_file = Some(folder.path().join("secret.key"));
        let mut allowed_hosts = options.allowed_hosts.clone();
        allowed_hosts.push("hub.test".to_owned());
        let options = Options { requests_per_second: 1_000_000, secret_key_file, allowed_hosts, ..options };
        let hub = Hub::open(db.store.clone(), options, clock.clock()).await.expect("the hub opens");
        Self { hub, clock, db, folder }
    }

    pub(crate) async fn call(&self, who: &As, method: &str, path: &str, body: Option<Value>) -> Answer {
        self.send(request(who, method, path, body)).await
    }

    /// A POST request with an idempotency key.
    pub(crate) async fn post_under(&self, key: &str, who: &As, path: &str, body: Option<Value>) -> Answer {
        let mut request = request(who, "POST", path, body);
        request.headers_mut().insert("idempotency-key", key.parse().expect("a value"));
        self.send(request).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response: Response<Body> = self.hub.app().oneshot(request).await.expect("the router answers");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("the body ends").to_bytes();
        Answer { status: parts.status, headers: parts.headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    /// Runs a write transaction.
    pub(crate) async fn write<T: Send + 'static>(&self, work: impl store::Work<T, hub::Error>) -> T {
        self.db.store.write(work).await.expect("the write succeeds")
    }

    /// The org created by the first start.
    pub(crate) async fn first_org(&self) -> OrgId {
        let found = self.write(|tx| Box::pin(async move { Ok(tx.org_by_slug("default").await?) })).await;
        found.expect("the first start created it").id
    }

    /// Creates an org.
    pub(crate) async fn org(&self, slug: &str) -> OrgId {
        let request = serde_json::from_value(json!({"slug": slug})).expect("a request");
        self.hub.org_create(&local(), request).await.expect("the org is made").id
    }

    /// Creates a user with a role in an org (`SuperAdmin`: an admin who also manages the installation).
    pub(crate) async fn person(&self, org: OrgId, email: &str, role: Role) -> UserId {
        let now = self.hub.now();
        let user = User {
            id: self.hub.ids.next(),
            email: email.to_owned(),
            name: email.to_owned(),
            password_hash: None,
            is_super: role == Role::SuperAdmin,
            is_disabled: false,
            email_verified_at: Some(now),
            authz_version: 1,
            created_at: now,
            updated_at: now,
        };
        let id = user.id;
        self.write(move |tx| {
            Box::pin(async move {
                tx.user_insert(&user).await?;
                tx.member_put(org, user.id, role.min(Role::Admin), now).await?;
                Ok(())
            })
        })
        .await;
        id
    }

    /// Creates a user with a role and a browser session.
    pub(crate) async fn browser(&self, org: OrgId, email: &str, role: Role) -> (UserId, As) {
        let user = self.person(org, email, role).await;
        let secret = Secret::new(SecretKind::Session, self.hub.random.bytes(), &[]);
        let (id, hash, now) = (self.hub.ids.next(), secret.hash(), self.hub.now());
        self.write(move |tx| {
            Box::pin(async move {
                Ok(tx.browser_session_insert(id, user, hash, "test", now + Span::from_secs(86_400), now).await?)
            })
        })
        .await;
        (user, As::Cookie(secret.reveal().to_owned()))
    }

    /// Creates a token of a user, with the user's role.
    pub(crate) async fn token(&self, org: OrgId, user: UserId, role: Role) -> (TokenId, String) {
        self.token_with(org, user, role, json!({"name": "test", "may_create_tokens": true})).await
    }

    pub(crate) async fn token_with(&self, org: OrgId, user: UserId, role: Role, request: Value) -> (TokenId, String) {
        let caller = Caller {
            actor: Actor::User { id: user, name: "test".into() },
            org: Some(org),
            role: Some(role),
            scope: Scope::Api,
        };
        let by = RequestContext::new(caller, "test", "test");
        let request: TokenRequest = serde_json::from_value(request).expect("a request");
        let made = self.hub.token_create(&by, org, request).await.expect("the token is made");
        (made.token.id, made.secret)
    }

    /// Creates a host through a join.
    pub(crate) async fn host(&self, org: OrgId, name: &str) -> HostId {
        let token = self.hub.join_token_create(&local(), org, JoinTokenRequest::default()).await.expect("a join token");
        let request = join_request(&token.secret, name, self.hub.random.bytes());
        self.hub.join(&local(), request).await.expect("joins").host_id
    }

    /// Opens a session of a host, as if its runner were connected; returns the session's secret.
    pub(crate) async fn runner(&self, host: HostId) -> String {
        let secret = Secret::new(SecretKind::Runner, self.hub.random.bytes(), &[]);
        let (now, session) = (
            self.hub.now(),
            NewSession {
                host_id: host,
                hub_id: self.hub.id,
                token_hash: secret.hash(),
                incarnation: "test".into(),
                boot_id: "test".into(),
                runner_version: "0.1.0".into(),
                address: "test".into(),
                clock_skew_ms: 0,
            },
        );
        self.write(move |tx| Box::pin(async move { Ok(tx.host_session_open(&session, now).await?) })).await;
        secret.reveal().to_owned()
    }

    pub(crate) async fn invitation(&self, org: OrgId, email: &str) -> (InvitationId, String) {
        let made = self
            .hub
            .invitation_create(&local(), org, InvitationRequest { email: email.into(), role: Role::Viewer })
            .await
            .expect("invites");
        (made.invitation.id, made.url.rsplit('/').next().expect("a secret").to_owned())
    }

    pub(crate) async fn join_token(&self, org: OrgId) -> (JoinTokenId, String) {
        let made = self
            .hub
            .join_token_create(
                &local(),
                org,
                JoinTokenRequest { labels: Labels::default(), ..JoinTokenRequest::default() },
            )
            .await
            .expect("makes");
        (made.token.id, made.secret)
    }

    pub(crate) fn pass(&self, seconds: u32) {
        self.clock.advance(Span::from_secs(seconds));
    }
}

/// A request of this caller.
pub(crate) fn request(who: &As, method: &str, path: &str, body: Option<Value>) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path).header("host", "hub.test");
    let mut peer = Peer::Tcp { address: SocketAddr::from(([127, 0, 0, 1], 4711)), is_tls: false };
    match who {
        As::Nobody => {}
        As::Local => peer = Peer::Local { uid: 0 },
        As::Bearer(token) => request = request.header(header::AUTHORIZATION, format!("Bearer {token}")),
        As::Cookie(cookie) => request = request.header(header::COOKIE, format!("hostler={cookie}")),
    }
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    let mut request = request.header(header::CONTENT_TYPE, "application/json").body(body).expect("a request");
    request.extensions_mut().insert(peer);
    request
}

/// The owner of the hub's Unix socket.
pub(crate) fn local() -> RequestContext {
    let caller = Caller { actor: Actor::Local { uid: 0 }, org: None, role: Some(Role::SuperAdmin), scope: Scope::Api };
    RequestContext::new(caller, "test", "test")
}

/// A caller without credentials.
pub(crate) fn stranger(address: &str) -> RequestContext {
    let caller = Caller { actor: Actor::Anonymous, org: None, role: None, scope: Scope::Api };
    RequestContext::new(caller, address, "test")
}

/// A request to join with the key pair of this seed.
pub(crate) fn join_request(token: &str, name: &str, seed: [u8; 32]) -> JoinRequest {
    JoinRequest {
        token: token.to_owned(),
        public_key: Bytes32(ed25519_dalek::SigningKey::from_bytes(&seed).verifying_key().to_bytes()),
        name: name.to_owned(),
        always_on: None,
        machine: Machine::default(),
        runner_version: "0.1.0".into(),
        nonce: Bytes32([7; 32]),
        host_id: None,
        is_bound: false,
    }
}
