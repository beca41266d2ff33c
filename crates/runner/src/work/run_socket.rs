//! The local socket on which programs report their progress over HTTP, with one token per run.
//!
//! A program gets the socket's path and its token in the environment. The hash of the token is stored in the folder of
//! the run, so that a restarted runner still accepts the tokens of the runs that it adopts.

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

use super::{message::RunMessage, redaction};
use crate::exec::{Progress, Redactor, make_shared_folder};

/// Largest body, in bytes.
const BODY_MAX: usize = 16 * 1024;
/// Connections served at the same time; others wait in the listen queue.
const CALLERS_MAX: usize = 64;
/// Time limit for a connection.
const CALL_MAX: Duration = Duration::from_secs(10);
/// File in the run folder with the hash of its token.
const TOKEN_FILE: &str = "token";

/// The body of a progress report.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgressReport {
    percent: u8,
    #[serde(default)]
    message: String,
}

pub(super) struct RunSocket {
    path: PathBuf,
    runs: Mutex<HashMap<SecretHash, Caller>>,
    /// Engines that have not called `open` yet.
    waited_for: AtomicUsize,
}

/// A run with a valid token.
#[derive(Clone)]
struct Caller {
    run: RunRef,
    redactor: Redactor,
    events: mpsc::Sender<RunMessage>,
}

impl RunSocket {
    /// The socket at this path, not open yet.
    pub(super) fn new(path: &Path) -> Self {
        // Programs have other working directories, so the path must be absolute.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self { path, runs: Mutex::default(), waited_for: AtomicUsize::new(1) }
    }

    /// The same socket for one more engine, which must also call `open`.
    pub(super) fn shared(self: &Arc<Self>) -> Arc<Self> {
        self.waited_for.fetch_add(1, Ordering::Relaxed);
        self.clone()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Accepts the token of the run in this folder, if it has one.
    pub(super) fn register(&self, dir: &Path, run: RunRef, events: mpsc::Sender<RunMessage>) -> io::Result<()> {
        let hash: [u8; 32] = match fs::read(dir.join(TOKEN_FILE)) {
            Ok(bytes) => {
                bytes.try_into().map_err(|_| io::Error::other("the token hash of the run has a wrong length"))?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let redactor = redaction::redactor(dir)?;
        self.runs().insert(SecretHash(hash), Caller { run, redactor, events });
        Ok(())
    }

    /// Rejects the token of a run that has ended.
    pub(super) fn unregister(&self, run: RunRef) {
        self.runs().retain(|_, caller| caller.run != run);
    }

    fn runs(&self) -> std::sync::MutexGuard<'_, HashMap<SecretHash, Caller>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Binds the socket, once all engines that share it have called this. Earlier, the token of a run that another
    /// engine is about to adopt would be rejected.
    pub(super) fn open(self: &Arc<Self>, tasks: &TaskTracker) {
        if self.waited_for.fetch_sub(1, Ordering::Relaxed) > 1 {
            return;
        }
        match bind(&self.path) {
            Ok(listener) => tasks.spawn(self.clone().serve(listener, tasks.clone())),
            // Runs also work without the socket.
            Err(error) => {
                tracing::warn!(error = %error, "programs cannot report progress: cannot bind {}", self.path.display());
            }
        }
    }

    async fn serve(self: Arc<Self>, listener: UnixListener, tasks: TaskTracker) {
        let turns = Arc::new(Semaphore::new(CALLERS_MAX));
        loop {
            let Ok(turn) = turns.clone().acquire_owned().await else { return };
            match listener.accept().await {
                Ok((stream, _)) => {
                    let run_socket = self.clone();
                    tasks.spawn(async move {
                        let _ = tokio::time::timeout(CALL_MAX, run_socket.handle_connection(stream)).await;
                        drop(turn);
                    });
                }
                Err(error) => {
                    tracing::warn!(error = %error, "cannot accept a connection for progress reports");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    async fn handle_connection(self: Arc<Self>, stream: UnixStream) {
        let service = service_fn(move |request| {
            let run_socket = self.clone();
            async move { Ok::<_, Infallible>(run_socket.answer(request).await.unwrap_or_else(Rejection::answer)) }
        });
        let mut server = hyper::server::conn::http1::Builder::new();
        let _ = server.keep_alive(false).serve_connection(TokioIo::new(stream), service).await;
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Rejection> {
        let caller = self.caller(&request)?;
        match (request.method(), request.uri().path()) {
            (&Method::POST, "/v1/progress") => {}
            (_, "/v1/progress") => return Err(Rejection::new(Code::MethodNotAllowed, "use the method POST")),
            _ => {
                return Err(Rejection::new(
                    Code::UnknownRoute,
                    "the only endpoint of this socket is POST /v1/progress",
                ));
            }
        }
        let body = Limited::new(request.into_body(), BODY_MAX).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                Rejection::new(Code::BodyTooLarge, format!("the body is larger than {BODY_MAX} bytes"))
            } else {
                Rejection::new(Code::MalformedRequest, "the body is incomplete")
            }
        })?;
        let report: ProgressReport =
            serde_json::from_slice(&body.to_bytes()).map_err(|error| match error.classify() {
                serde_json::error::Category::Data => {
                    let example = r#"expected a body such as {"percent": 41, "message": "copying"}"#;
                    Rejection::new(
                        Code::InvalidValue,
                        format!("{}; {example}", caller.redactor.text(&error.to_string())),
                    )
                }
                _ => Rejection::new(Code::MalformedRequest, "the body is not JSON"),
            })?;
        let progress = Progress::checked(report.percent, &caller.redactor.text(&report.message)).ok_or_else(|| {
            Rejection::new(Code::InvalidValue, format!("percent must be 0 to 100, not {}", report.percent))
        })?;
        let _ = caller.events.send(RunMessage::Progress { run: caller.run, progress }).await;
        let mut done = Response::new(Full::default());
        *done.status_mut() = StatusCode::NO_CONTENT;
        Ok(done)
    }

    fn caller(&self, request: &Request<Incoming>) -> Result<Caller, Rejection> {
        let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = given.and_then(|value| value.strip_prefix("Bearer ")).ok_or_else(|| {
            Rejection::new(
                Code::Unauthenticated,
                "send the token from HOSTLER_TOKEN in the header `Authorization: Bearer <token>`",
            )
        })?;
        let unknown = || Rejection::new(Code::TokenInvalid, "the token does not belong to an active run on this host");
        let secret = Secret::parse(SecretKind::Run, token).map_err(|_| unknown())?;
        self.runs().get(&secret.hash()).cloned().ok_or_else(unknown)
    }
}

impl Drop for RunSocket {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Creates a token for the run in this folder and stores its hash there.
pub(super) fn issue(dir: &Path) -> io::Result<Secret> {
    let secret = Secret::new(SecretKind::Run, Random.bytes(), &[]);
    let path = dir.join(TOKEN_FILE);
    let mut file = fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(path)?;
    file.write_all(&secret.hash().0)?;
    Ok(secret)
}

/// Binds the socket. A runner that is not root has only runs of its own user; programs of other users must be able to
/// connect to a socket of root, which is in the data folder and so open only to runs. Replaces the file of a killed
/// runner: this process holds the database lock, so no other runner uses it.
fn bind(path: &Path) -> io::Result<UnixListener> {
    if let Some(folder) = path.parent().filter(|folder| !folder.exists()) {
        make_shared_folder(folder)?;
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    let mode = if nix::unistd::geteuid().is_root() { 0o666 } else { 0o600 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    Ok(listener)
}

/// The error response to a program.
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
