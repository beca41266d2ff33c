//! The door for programs that run here: a socket in the runner's folder, and a token for each run.
//!
//! A program knows both from its environment and says over plain HTTP how far it is. The token's hash lies in the run's
//! folder, so that a runner that was restarted still knows the runs it adopts.

use std::{
    collections::HashMap,
    convert::Infallible,
    fs,
    io::{self, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use domain::secret::{Secret, SecretHash, SecretKind};
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::rt::TokioIo;
use proto::{Code, Problem, work::RunRef};
use runtime::{Random, TaskTracker};
use serde::Deserialize;
use tokio::{
    net::{UnixListener, UnixStream},
    sync::{Semaphore, mpsc},
};

use super::{engine::RunMessage, redaction};
use crate::exec::{Progress, Redactor};

/// The largest body.
const BODY_MAX: usize = 16 * 1024;
/// Programs that are heard at once; others wait their turn.
const CALLERS_MAX: usize = 64;
/// How long one caller may take.
const CALL_MAX: Duration = Duration::from_secs(10);
/// The hash of the run's token, in its folder.
const TOKEN_FILE: &str = "token";

/// How far a program says it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgressReport {
    percent: u8,
    #[serde(default)]
    message: String,
}

/// The door.
pub(super) struct RunSocket {
    path: PathBuf,
    runs: Mutex<HashMap<SecretHash, Caller>>,
    /// Those who have yet to let their runs in.
    waited_for: AtomicUsize,
}

/// A run that may call.
#[derive(Clone)]
struct Caller {
    run: RunRef,
    redactor: Redactor,
    events: mpsc::Sender<RunMessage>,
}

impl RunSocket {
    /// A door at this path, closed.
    pub(super) fn new(path: &Path) -> Self {
        // Programs have folders of their own: the path must mean the same there.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self { path, runs: Mutex::default(), waited_for: AtomicUsize::new(1) }
    }

    /// The same run_socket, for one more who lets runs in.
    pub(super) fn shared(self: &Arc<Self>) -> Arc<Self> {
        self.waited_for.fetch_add(1, Ordering::Relaxed);
        self.clone()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Lets the run in this folder in, if it has a token.
    pub(super) fn register(&self, dir: &Path, run: RunRef, events: mpsc::Sender<RunMessage>) -> io::Result<()> {
        let hash: [u8; 32] = match fs::read(dir.join(TOKEN_FILE)) {
            Ok(bytes) => bytes.try_into().map_err(|_| io::Error::other("the hash of its token is not whole"))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let redactor = redaction::redactor(dir)?;
        self.runs().insert(SecretHash(hash), Caller { run, redactor, events });
        Ok(())
    }

    /// A run is over: its token means nothing any more.
    pub(super) fn unregister(&self, run: RunRef) {
        self.runs().retain(|_, caller| caller.run != run);
    }

    fn runs(&self) -> std::sync::MutexGuard<'_, HashMap<SecretHash, Caller>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the run_socket, once all who share it have asked for that: whoever comes from then on is heard, for as long as the
    /// crew works.
    pub(super) fn open(self: &Arc<Self>, crew: &TaskTracker) {
        if self.waited_for.fetch_sub(1, Ordering::Relaxed) > 1 {
            return;
        }
        match bind(&self.path) {
            Ok(listener) => crew.spawn(self.clone().serve(listener, crew.clone())),
            // Runs go on without it.
            Err(error) => {
                tracing::warn!(error = %error, "programs cannot tell their progress at {}", self.path.display());
            }
        }
    }

    async fn serve(self: Arc<Self>, listener: UnixListener, crew: TaskTracker) {
        let turns = Arc::new(Semaphore::new(CALLERS_MAX));
        loop {
            let Ok(turn) = turns.clone().acquire_owned().await else { return };
            match listener.accept().await {
                Ok((stream, _)) => {
                    let door = self.clone();
                    crew.spawn(async move {
                        let _ = tokio::time::timeout(CALL_MAX, door.hear(stream)).await;
                        drop(turn);
                    });
                }
                Err(error) => {
                    tracing::warn!(error = %error, "a program was not heard");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    async fn hear(self: Arc<Self>, stream: UnixStream) {
        let service = service_fn(move |request| {
            let door = self.clone();
            async move { Ok::<_, Infallible>(door.answer(request).await.unwrap_or_else(Rejection::answer)) }
        });
        let mut server = hyper::server::conn::http1::Builder::new();
        let _ = server.keep_alive(false).serve_connection(TokioIo::new(stream), service).await;
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Rejection> {
        let caller = self.caller(&request)?;
        match (request.method(), request.uri().path()) {
            (&Method::POST, "/v1/progress") => {}
            (_, "/v1/progress") => return Err(Rejection::new(Code::MethodNotAllowed, "use POST")),
            _ => return Err(Rejection::new(Code::UnknownRoute, "there is only POST /v1/progress here")),
        }
        let body = Limited::new(request.into_body(), BODY_MAX).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                Rejection::new(Code::BodyTooLarge, format!("a body has at most {BODY_MAX} bytes"))
            } else {
                Rejection::new(Code::MalformedRequest, "the body could not be read to its end")
            }
        })?;
        let said: ProgressReport =
            serde_json::from_slice(&body.to_bytes()).map_err(|error| match error.classify() {
                serde_json::error::Category::Data => {
                    let example = r#"write {"percent": 41, "message": "copying"}"#;
                    Rejection::new(
                        Code::InvalidValue,
                        format!("{}; {example}", caller.redactor.text(&error.to_string())),
                    )
                }
                _ => Rejection::new(Code::MalformedRequest, "the body is not JSON"),
            })?;
        let progress = Progress::said(said.percent, &caller.redactor.text(&said.message))
            .ok_or_else(|| Rejection::new(Code::InvalidValue, format!("percent is 0 to 100, not {}", said.percent)))?;
        let _ = caller.events.send(RunMessage::Progress { run: caller.run, progress }).await;
        let mut done = Response::new(Full::default());
        *done.status_mut() = StatusCode::NO_CONTENT;
        Ok(done)
    }

    fn caller(&self, request: &Request<Incoming>) -> Result<Caller, Rejection> {
        let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = given.and_then(|value| value.strip_prefix("Bearer ")).ok_or_else(|| {
            Rejection::new(Code::Unauthenticated, "send the token in HOSTLER_TOKEN as `Authorization: Bearer`")
        })?;
        let unknown = || Rejection::new(Code::TokenInvalid, "this is not the token of a run that is under way here");
        let secret = Secret::parse(SecretKind::Run, token).map_err(|_| unknown())?;
        self.runs().get(&secret.hash()).cloned().ok_or_else(unknown)
    }
}

impl Drop for RunSocket {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Makes a token for the run in this folder and keeps its hash there.
pub(super) fn issue(dir: &Path) -> io::Result<Secret> {
    let secret = Secret::new(SecretKind::Run, Random.bytes(), &[]);
    let path = dir.join(TOKEN_FILE);
    let mut file = fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(path)?;
    file.write_all(&secret.hash().0)?;
    Ok(secret)
}

/// Makes the socket, for the runner's own user. A file left by a runner that was killed is replaced: the lock on its
/// database says that no other runner is here.
fn bind(path: &Path) -> io::Result<UnixListener> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Why a program is not heard.
struct Rejection {
    code: Code,
    detail: String,
}

impl Rejection {
    fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }

    fn answer(self) -> Response<Full<Bytes>> {
        let problem = Problem::new(self.code, self.detail);
        let mut response = Response::new(Full::from(serde_json::to_vec(&problem).unwrap_or_default()));
        *response.status_mut() = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::BAD_REQUEST);
        let kind = header::HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}
