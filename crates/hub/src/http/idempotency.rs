//! Idempotency keys of POST requests: the first request with a key is executed, and repetitions receive its response.
//!
//! One implementation for all routes, after authorization: reserve the key, run the handler, store the response. A
//! second request with the key is rejected while the first one runs.
//!
//! The transaction that writes a request's change also marks the key as committed
//! ([`RequestContext::mark_committed`]). So if a response is missing (hub killed, time limit, connection to the
//! database lost), the mark shows whether the request took effect. Without the mark it did nothing: its repetition
//! takes the key over and is executed. If the first request is still running then, its mark fails and its transaction
//! rolls back: a request never takes effect twice within the life of its key. If a request was rejected with 401, 403 or
//! 429, or failed without a commit, the key is released.
//!
//! Some routes write without the mark, because they can be repeated: starting, stopping and restarting a server creates
//! a job with a key of its own ([`RequestContext::job_key`]), and reports of API workers are accepted once per fence.
//!
//! Hash and response are encrypted like secrets, on every route: responses contain tokens and links that are shown
//! once, and a password could be guessed from a plain hash of its request. A list of the routes concerned would become
//! incomplete. The responses cannot be left out either: the caller would have created a token that it never received.

use axum::{
    body::{Body, HttpBody as _},
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use domain::{OrgId, Role, Span};
use http_body_util::BodyExt as _;
use proto::Code;
use sha2::{Digest as _, Sha256};
use store::request_key::{Asked, KeptAnswer, RequestKey, RequestKeyState};
use tokio::sync::oneshot;

use crate::http::{
    Access,
    extract::{BODY_MAX, Ctx, read_body},
    request_meta::REQUEST_TIME_MAX,
};
use crate::{
    Error, Result,
    app::{
        RequestContext, Reservation,
        jobs::{IDEMPOTENT_FOR, check_key},
    },
    error::LoggedProblem,
    vault::Purpose,
};

/// The header with the caller's key.
pub(super) const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Marks a stored response.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// Longest response that is stored. A job with the largest payload fits.
const ANSWER_BYTES_MAX: u64 = 512 * 1024;
/// Age up to which a request without a response counts as running: the time limit of a handler plus some seconds for
/// the writes before and after it.
const UNDER_WAY: Span = Span::from_secs(45);
/// Delay after which the caller of a running request should retry.
const ASK_AGAIN: Span = Span::from_secs(1);

/// Routes of identified callers that handle repetitions themselves.
const LEFT_OUT: [&str; 3] = [
    // Stores its response in the transaction that inserts the jobs; a stream of rows is answered row by row.
    "/api/v1/jobs",
    // Long-polls, and returns the same grants again for the same `request_id`.
    "/api/v1/worker/jobs/claim",
    // Ends the session that identifies its caller, and answers with a cookie.
    "/api/v1/sign-out",
];

/// Routes that act outside of the database before they write. The mark cannot tell whether they have acted, so their key
/// stays reserved until it expires if the response is missing.
const EXTERNAL: [&str; 1] = ["/api/v1/channels/{channel}/test"];

/// Which code handles repetitions on a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeats {
    /// This module.
    Ours,
    /// This module. A key without a response stays reserved: see [`EXTERNAL`].
    External,
    /// The route's handler; or none, because the caller is not identified.
    Theirs,
}

impl Repeats {
    /// For the route with this path (without `/orgs/{org}`).
    pub(super) fn on(access: Access, path: &str) -> Self {
        let is_left_out = matches!(access, Access::Public | Access::Link) || LEFT_OUT.contains(&path);
        match path {
            _ if is_left_out => Self::Theirs,
            path if EXTERNAL.contains(&path) => Self::External,
            _ => Self::Ours,
        }
    }
}

/// The caller's key, if the request has one.
pub(super) fn key_in(headers: &HeaderMap) -> Result<Option<String>> {
    let key = headers.get(KEY).map(|value| value.to_str().map(str::to_owned));
    key.transpose().map_err(|_| Error::invalid("Idempotency-Key must be plain ASCII"))
}

/// Runs the handler, at most once per key. Whether or not the request has a key, a failure after a change was recorded
/// becomes `outcome_unknown`.
pub(super) async fn pass(repeats: Repeats, request: Request, next: Next) -> Response {
    if request.method() == Method::GET {
        return next.run(request).await;
    }
    if repeats != Repeats::Theirs && request.method() == Method::POST {
        match key_in(request.headers()) {
            Ok(None) => {}
            Ok(Some(key)) => return once(key, repeats, request, next).await.unwrap_or_else(Error::into_response),
            Err(error) => return error.into_response(),
        }
    }
    let by = request.extensions().get::<Ctx>().map(|cx| cx.by.clone());
    let response = next.run(request).await;
    match by {
        Some(by) => unknown_if_recorded(&by, response),
        None => response,
    }
}

/// Replaces a failure after a change was recorded: the change may be committed, and only a later read have failed.
fn unknown_if_recorded(by: &RequestContext, response: Response) -> Response {
    let is_replaced = response
        .extensions()
        .get::<LoggedProblem>()
        .is_some_and(|failed| matches!(failed.problem.code, Code::DatabaseDown | Code::HubStopping | Code::Internal));
    if !is_replaced || !by.has_recorded() {
        return response;
    }
    replaced(&response, Error::outcome_unknown("the request failed after its change was recorded"))
}

/// The response for another error with the same cause.
fn replaced(response: &Response, error: Error) -> Response {
    let cause = response.extensions().get::<LoggedProblem>().and_then(|failed| failed.cause.clone());
    let mut replaced = error.into_response();
    if let Some(failed) = replaced.extensions_mut().get_mut::<LoggedProblem>() {
        failed.cause = cause;
    }
    replaced
}

async fn once(key: String, repeats: Repeats, request: Request, next: Next) -> Result<Response> {
    check_key("Idempotency-Key", &key)?;
    let cx = request.extensions().get::<Ctx>().cloned();
    let cx = cx.ok_or_else(|| Error::internal(anyhow::anyhow!("no caller in the request")))?;
    let (parts, body) = request.into_parts();
    let body = read_body(Request::new(body), BODY_MAX).await?;
    let ask = KeyedRequest { at: place(&cx.by, key), hash: hash(&parts, &cx.by, &body), repeats, cx };
    let request = Request::from_parts(parts, Body::from(body));
    let (sender, answer) = oneshot::channel();
    // In its own task: if the client disconnects, the handler still completes and its response is stored for the retry.
    ask.cx.hub.tasks.clone().spawn(async move {
        let _ = sender.send(ask.answer(request, next).await);
    });
    answer
        .await
        .map_err(|_| Error::internal(anyhow::anyhow!("a request with an idempotency key ended without a response")))?
}

/// Scope of a key: one org and one caller.
fn place(by: &RequestContext, key: String) -> RequestKey {
    let actor = &by.caller.actor;
    RequestKey {
        org_id: by.caller.org.unwrap_or(OrgId::from_bytes([0; 16])),
        caller: format!("{}:{}", actor.kind(), actor.id_text().unwrap_or_default()),
        key,
    }
}

/// Hash by which two requests are compared. It includes role and scope: with other rights the response could differ.
fn hash(parts: &Parts, by: &RequestContext, body: &[u8]) -> [u8; 32] {
    let target = parts.uri.path_and_query().map_or("/", |target| target.as_str());
    let role = by.caller.role.map_or("none", Role::as_str);
    let head = format!("{} {target}\n{role} {}\n", parts.method, by.caller.scope);
    Sha256::new().chain_update(head).chain_update(body).finalize().into()
}

/// A request with a key.
struct KeyedRequest {
    cx: Ctx,
    at: RequestKey,
    hash: [u8; 32],
    repeats: Repeats,
}

/// State of a key after its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The response is stored under it.
    Kept,
    /// Released, unless the request took effect.
    Free,
}

impl KeyedRequest {
    async fn answer(&self, mut request: Request, next: Next) -> Result<Response> {
        let sealed = loop {
            let (sealed, taken) = self.take().await?;
            let RequestKeyState::Before(earlier) = taken else { break sealed };
            self.check_same(&earlier)?;
            if !self.is_abandoned(&earlier) {
                return self.again(&earlier);
            }
            // If the take-over fails, another request has changed the key: read it again.
            if self.take_over(&earlier, &sealed).await? {
                break sealed;
            }
        };
        let reservation = Reservation { at: self.at.clone(), sealed_request: sealed.clone() };
        let by = self.cx.by.clone().with_reservation(reservation);
        request.extensions_mut().insert(Ctx { by, ..self.cx.clone() });
        // The handler may have committed its write before the time limit, so the key stays reserved until a repetition
        // finds out.
        let Ok(response) = tokio::time::timeout(REQUEST_TIME_MAX, next.run(request)).await else {
            return Err(Error::new(Code::RequestTimeout, format!("the request took longer than {REQUEST_TIME_MAX:?}"))
                .hint("repeat the request with the same Idempotency-Key"));
        };
        match fate(&response) {
            Fate::Kept => self.keep(sealed, response).await,
            Fate::Free if self.repeats == Repeats::External && self.cx.by.has_recorded() => {
                Ok(unknown_if_recorded(&self.cx.by, response))
            }
            Fate::Free => self.release(sealed, response).await,
        }
    }

    /// Reserves the key, or returns the request that has it.
    async fn take(&self) -> Result<(Vec<u8>, RequestKeyState)> {
        let hub = self.cx.hub.clone();
        let (at, hash, now) = (self.at.clone(), self.hash, hub.now());
        let take = self.cx.hub.store.write(move |tx| {
            Box::pin(async move {
                let sealed = hub.vault.key(tx).await?.seal(Purpose::Request(&at), &hash)?;
                let taken = tx.request_key_take(&at, &sealed, now + IDEMPOTENT_FOR, now).await?;
                Ok::<_, Error>((sealed, taken))
            })
        });
        take.await
    }

    /// Reserves the key in place of a request that was not committed. Returns `false` if the key has changed.
    async fn take_over(&self, abandoned: &Asked, sealed: &[u8]) -> Result<bool> {
        let (at, before, sealed) = (self.at.clone(), abandoned.sealed_request.clone(), sealed.to_vec());
        let now = self.cx.hub.now();
        let take = self.cx.hub.store.write(move |tx| {
            Box::pin(async move {
                Ok::<_, Error>(tx.request_key_take_over(&at, &before, &sealed, now + IDEMPOTENT_FOR, now).await?)
            })
        });
        take.await
    }

    /// Whether a request with the key was not committed and has exceeded its time.
    fn is_abandoned(&self, earlier: &Asked) -> bool {
        self.repeats == Repeats::Ours
            && earlier.status.is_none()
            && earlier.committed_at.is_none()
            && !self.is_under_way(earlier)
    }

    fn is_under_way(&self, earlier: &Asked) -> bool {
        self.cx.hub.now().since(earlier.created_at) < UNDER_WAY
    }

    /// Rejects a different request with the key.
    fn check_same(&self, earlier: &Asked) -> Result<()> {
        if self.vault_key()?.open(Purpose::Request(&self.at), &earlier.sealed_request)? == self.hash {
            return Ok(());
        }
        let detail = format!("the idempotency key `{}` was used with a different request", self.at.key);
        Err(Error::new(Code::IdempotencyMismatch, detail).hint("use a new key for every new request"))
    }

    /// The response to a repetition.
    fn again(&self, asked: &Asked) -> Result<Response> {
        let (key, name) = (self.vault_key()?, &self.at.key);
        let Some(status) = asked.status else { return Err(self.unanswered(asked)) };
        let Some(sealed) = &asked.sealed_answer else {
            let detail = format!(
                "the request with the idempotency key `{name}` was completed with status {status}, but its response was too large to store"
            );
            return Err(Error::new(Code::KeyHeld, detail).hint("check its effect; use a new key for a new request"));
        };
        let mut response = Response::new(Body::from(key.open(Purpose::Answer(&self.at), sealed)?));
        let status = u16::try_from(status).ok().and_then(|status| StatusCode::from_u16(status).ok());
        *response.status_mut() =
            status.ok_or_else(|| Error::internal(anyhow::anyhow!("a stored response has no valid status")))?;
        let headers = response.headers_mut();
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
        if let Some(kind) = asked.content_type.as_ref().and_then(|kind| HeaderValue::from_str(kind).ok()) {
            headers.insert(header::CONTENT_TYPE, kind);
        }
        Ok(response)
    }

    fn unanswered(&self, asked: &Asked) -> Error {
        let name = &self.at.key;
        if self.is_under_way(asked) {
            let detail = format!("the first request with the idempotency key `{name}` is still running");
            return Error::new(Code::KeyHeld, detail).hint("retry in a moment").retry_after(ASK_AGAIN);
        }
        if asked.committed_at.is_some() {
            return self.lost();
        }
        let detail = format!("the outcome of the first request with the idempotency key `{name}` is unknown");
        Error::new(Code::KeyHeld, detail).hint("check whether it took effect; if not, retry with a new key")
    }

    /// The answer to a repetition of a committed request without a response.
    fn lost(&self) -> Error {
        let detail = format!(
            "the first request with the idempotency key `{}` took effect, but its response was lost",
            self.at.key
        );
        Error::new(Code::KeyHeld, detail).hint("read the result; use a new key for a new request")
    }

    /// Stores the response and returns it. If it cannot be stored, the key stays reserved: a retry is rejected, not
    /// executed twice.
    async fn keep(&self, sealed: Vec<u8>, mut response: Response) -> Result<Response> {
        if let Some(failed) = response.extensions_mut().get_mut::<LoggedProblem>() {
            // Store the problem as it is sent, with the id of the first request.
            failed.problem.request_id = Some(self.cx.by.request_id.clone());
            let body = serde_json::to_vec(&failed.problem).map_err(Error::internal)?;
            *response.body_mut() = Body::from(body);
        }
        let (parts, body) = response.into_parts();
        let is_short = body.size_hint().exact().is_some_and(|bytes| bytes <= ANSWER_BYTES_MAX);
        let (kept, body) = if is_short {
            let bytes: Bytes = body.collect().await.map_err(Error::internal)?.to_bytes();
            (Some(self.vault_key()?.seal(Purpose::Answer(&self.at), &bytes)?), Body::from(bytes))
        } else {
            (None, body)
        };
        let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let answer = KeptAnswer {
            status: i32::from(parts.status.as_u16()),
            content_type: content_type.map(str::to_owned),
            sealed_answer: kept,
        };
        let (at, now) = (self.at.clone(), self.cx.hub.now());
        let keep = self.cx.hub.store.write(move |tx| {
            Box::pin(async move { tx.request_key_keep(&at, &sealed, &answer, now).await.map_err(Error::from) })
        });
        if let Err(error) = keep.await {
            self.note(&error);
        }
        Ok(Response::from_parts(parts, body))
    }

    /// Frees the key of a request that was rejected or failed, unless it is committed. Freeing waits for an open
    /// transaction that has marked the key, so it settles the outcome of an unknown commit too.
    async fn release(&self, sealed: Vec<u8>, response: Response) -> Result<Response> {
        let (at, own) = (self.at.clone(), sealed.clone());
        let free = self
            .cx
            .hub
            .store
            .write(move |tx| Box::pin(async move { tx.request_key_free(&at, &own).await.map_err(Error::from) }));
        match free.await {
            // Without a recorded change, the unknown commit was one that does not mark the key.
            Ok(true) if is_commit_unknown(&response) && self.cx.by.has_recorded() => {
                let detail = "the connection to the database failed before the request was committed";
                Ok(replaced(&response, Error::new(Code::DatabaseDown, detail).hint("repeat the request")))
            }
            Ok(false) if response.status().is_server_error() => {
                self.keep(sealed, self.lost().into_response()).await?;
                let detail = "the request took effect, but its response was lost";
                Ok(replaced(&response, Error::outcome_unknown(detail)))
            }
            Ok(_) => Ok(response),
            Err(error) => {
                self.note(&error);
                Ok(unknown_if_recorded(&self.cx.by, response))
            }
        }
    }

    /// Logs a failed write of the key. The request itself has ended.
    fn note(&self, error: &Error) {
        tracing::warn!(request.id = self.cx.by.request_id, %error, "cannot store the outcome of a request under its idempotency key");
    }

    fn vault_key(&self) -> Result<&crate::vault::VaultKey> {
        self.cx.hub.vault.known().ok_or_else(|| Error::internal(anyhow::anyhow!("the vault has no key")))
    }
}

fn is_commit_unknown(response: &Response) -> bool {
    response.extensions().get::<LoggedProblem>().is_some_and(|failed| failed.is_commit_unknown)
}

fn fate(response: &Response) -> Fate {
    match response.status() {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => Fate::Free,
        status if status.is_server_error() => Fate::Free,
        _ => Fate::Kept,
    }
}

#[cfg(test)]
mod tests {
    use proto::api::limit::PauseRequest;
    use serde_json::json;

    use super::*;
    use crate::queue::test_support::{TestQueue, local};

    #[test]
    fn every_post_of_identified_callers_takes_a_key_except_the_listed() {
        let (_, _, list) = crate::http::routes().into_parts();
        let posts = list.iter().filter(|route| route.method == Method::POST && !route.path.contains("/orgs/{org}"));
        let left_out: Vec<&str> = posts
            .filter(|route| !matches!(route.access, Access::Public | Access::Link))
            .filter(|route| Repeats::on(route.access, &route.path) == Repeats::Theirs)
            .map(|route| route.path.as_str())
            .collect();
        assert_eq!(left_out.len(), LEFT_OUT.len(), "{left_out:?}");
        let external = list.iter().filter(|route| EXTERNAL.contains(&&*route.path)).count();
        assert_eq!(external, EXTERNAL.len());
    }

    #[test]
    fn key_is_released_only_if_nothing_was_written() {
        let answer = |status: u16| StatusCode::from_u16(status).expect("a status").into_response();
        for (status, fate_of_key) in [
            (200, Fate::Kept),
            (204, Fate::Kept),
            (404, Fate::Kept),
            (409, Fate::Kept),
            (401, Fate::Free),
            (403, Fate::Free),
            (429, Fate::Free),
            (500, Fate::Free),
            (503, Fate::Free),
        ] {
            assert_eq!(fate(&answer(status)), fate_of_key, "{status}");
        }
    }

    #[test]
    fn failure_after_a_recorded_change_is_an_unknown_outcome() {
        use domain::{Actor, Caller, role::Scope};
        let caller = Caller { actor: Actor::System, org: None, role: None, scope: Scope::Api };
        let by = RequestContext::new(caller, "test", "test");
        let failed = || Error::from(store::Error::Closed).into_response();
        let code = |response: Response| response.extensions().get::<LoggedProblem>().expect("a problem").problem.code;
        assert_eq!(code(unknown_if_recorded(&by, failed())), Code::DatabaseDown, "nothing was recorded");
        by.set_recorded();
        assert_eq!(code(unknown_if_recorded(&by, failed())), Code::OutcomeUnknown);
        let rejected = Error::not_found("host", "alfa").into_response();
        assert_eq!(code(unknown_if_recorded(&by, rejected)), Code::NotFound, "a rejection stays");
    }

    testkit::db_test!(request_whose_key_was_taken_over_rolls_back, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let (hub, org) = (fixture.hub.clone(), fixture.acme);
        let at = RequestKey { org_id: org, caller: "local:0".into(), key: "k".into() };
        let now = hub.now();
        let of = at.clone();
        let taken = hub.store.write(move |tx| {
            Box::pin(async move {
                tx.request_key_take(&of, b"first", now + UNDER_WAY, now).await?;
                Ok::<_, Error>(tx.request_key_take_over(&of, b"first", b"second", now + UNDER_WAY, now).await?)
            })
        });
        assert!(taken.await.expect("takes the key over"));
        let pause = |sealed: &[u8]| {
            let (hub, reservation) = (hub.clone(), Reservation { at: at.clone(), sealed_request: sealed.to_vec() });
            let request: PauseRequest = serde_json::from_value(json!({"kind": "org"})).expect("a request");
            async move { hub.pause_set(&local().with_reservation(reservation), org, request).await }
        };
        assert_eq!(pause(b"first").await.expect_err("another request has the key").code(), Code::KeyHeld);
        assert_eq!(hub.pause_list(org).await.expect("lists").items.len(), 0, "rolled back");
        assert_eq!(pause(b"second").await.expect("pauses").items.len(), 1);
    });
}
