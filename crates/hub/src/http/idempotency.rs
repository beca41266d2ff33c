//! Idempotency keys of POST requests: the first request with a key is executed, and repetitions receive its response.
//!
//! One implementation for all routes, after authorization: reserve the key, run the handler, store the response. A
//! second request with the key is rejected while the first one runs. If the outcome of the first is unknown (hub
//! killed, time limit, answer of the database lost), the key stays reserved until it expires: a request never executes
//! twice within the life of its key. If the request was rejected with 401, 403 or 429, or failed without a write, the
//! key is released.
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
    Error, Hub, Result,
    app::{
        RequestContext,
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

/// Which code handles repetitions on a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeats {
    /// This module.
    Ours,
    /// The route's handler; or none, because the caller is not identified.
    Theirs,
}

impl Repeats {
    /// For the route with this path (without `/orgs/{org}`).
    pub(super) fn on(access: Access, path: &str) -> Self {
        let is_left_out = matches!(access, Access::Public | Access::Link) || LEFT_OUT.contains(&path);
        if is_left_out { Self::Theirs } else { Self::Ours }
    }
}

/// The caller's key, if the request has one.
pub(super) fn key_in(headers: &HeaderMap) -> Result<Option<String>> {
    let key = headers.get(KEY).map(|value| value.to_str().map(str::to_owned));
    key.transpose().map_err(|_| Error::invalid("Idempotency-Key must be plain ASCII"))
}

/// Runs the handler, at most once per key.
pub(super) async fn pass(repeats: Repeats, request: Request, next: Next) -> Response {
    if repeats == Repeats::Theirs || request.method() != Method::POST {
        return next.run(request).await;
    }
    match key_in(request.headers()) {
        Ok(None) => next.run(request).await,
        Ok(Some(key)) => once(key, request, next).await.unwrap_or_else(Error::into_response),
        Err(error) => error.into_response(),
    }
}

async fn once(key: String, request: Request, next: Next) -> Result<Response> {
    check_key("Idempotency-Key", &key)?;
    let cx = request.extensions().get::<Ctx>().cloned();
    let Ctx { hub, by, .. } = cx.ok_or_else(|| Error::internal(anyhow::anyhow!("no caller in the request")))?;
    let (parts, body) = request.into_parts();
    let body = read_body(Request::new(body), BODY_MAX).await?;
    let ask = KeyedRequest { at: place(&by, key), hash: hash(&parts, &by, &body), hub, request_id: by.request_id };
    let request = Request::from_parts(parts, Body::from(body));
    let (sender, answer) = oneshot::channel();
    // In its own task: if the client disconnects, the handler still completes and its response is stored for the retry.
    ask.hub.tasks.clone().spawn(async move {
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
    hub: Hub,
    at: RequestKey,
    hash: [u8; 32],
    request_id: String,
}

/// State of a key after its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The response is stored under it.
    Kept,
    /// Released: nothing was written.
    Free,
    /// Reserved until it expires: the write may have been committed.
    Held,
}

impl KeyedRequest {
    async fn answer(&self, request: Request, next: Next) -> Result<Response> {
        let (sealed, taken) = self.take().await?;
        if let RequestKeyState::Before(asked) = taken {
            return self.again(&asked);
        }
        // The handler may have committed its write before the time limit, so the key stays reserved.
        let Ok(response) = tokio::time::timeout(REQUEST_TIME_MAX, next.run(request)).await else {
            return Err(Error::new(Code::RequestTimeout, format!("the request took longer than {REQUEST_TIME_MAX:?}"))
                .hint("check whether it took effect, then retry with a new key"));
        };
        match fate(&response) {
            Fate::Kept => self.keep(sealed, response).await,
            Fate::Free => {
                self.free(sealed).await;
                Ok(response)
            }
            Fate::Held => Ok(response),
        }
    }

    /// Reserves the key, or returns the request that has it.
    async fn take(&self) -> Result<(Vec<u8>, RequestKeyState)> {
        let (hub, at, hash, now) = (self.hub.clone(), self.at.clone(), self.hash, self.hub.now());
        let take = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let sealed = hub.vault.key(tx).await?.seal(Purpose::Request(&at), &hash)?;
                let taken = tx.request_key_take(&at, &sealed, now + IDEMPOTENT_FOR, now).await?;
                Ok::<_, Error>((sealed, taken))
            })
        });
        take.await
    }

    /// The response to a repetition.
    fn again(&self, asked: &Asked) -> Result<Response> {
        let (key, name) = (self.vault_key()?, &self.at.key);
        if key.open(Purpose::Request(&self.at), &asked.sealed_request)? != self.hash {
            let detail = format!("the idempotency key `{name}` was used with a different request");
            return Err(Error::new(Code::IdempotencyMismatch, detail).hint("use a new key for every new request"));
        }
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
        if self.hub.now().since(asked.created_at) < UNDER_WAY {
            let detail = format!("the first request with the idempotency key `{name}` is still running");
            return Error::new(Code::KeyHeld, detail).hint("retry in a moment").retry_after(ASK_AGAIN);
        }
        let detail = format!("the outcome of the first request with the idempotency key `{name}` is unknown");
        Error::new(Code::KeyHeld, detail).hint("check whether it took effect; if not, retry with a new key")
    }

    /// Stores the response and returns it. If it cannot be stored, the key stays reserved: a retry is rejected, not
    /// executed twice.
    async fn keep(&self, sealed: Vec<u8>, mut response: Response) -> Result<Response> {
        if let Some(failed) = response.extensions_mut().get_mut::<LoggedProblem>() {
            // Store the problem as it is sent, with the id of the first request.
            failed.problem.request_id = Some(self.request_id.clone());
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
        let (at, now) = (self.at.clone(), self.hub.now());
        let keep = self.hub.store.write(move |tx| {
            Box::pin(async move { tx.request_key_keep(&at, &sealed, &answer, now).await.map_err(Error::from) })
        });
        self.note(keep.await);
        Ok(Response::from_parts(parts, body))
    }

    async fn free(&self, sealed: Vec<u8>) {
        let at = self.at.clone();
        let free = self
            .hub
            .store
            .write(move |tx| Box::pin(async move { tx.request_key_free(&at, &sealed).await.map_err(Error::from) }));
        self.note(free.await);
    }

    /// Logs a failed write of the key. The request itself has ended.
    fn note(&self, written: Result<bool>) {
        if let Err(error) = written {
            tracing::warn!(request.id = self.request_id, %error, "cannot store the outcome of a request under its idempotency key");
        }
    }

    fn vault_key(&self) -> Result<&crate::vault::VaultKey> {
        self.hub.vault.known().ok_or_else(|| Error::internal(anyhow::anyhow!("the vault has no key")))
    }
}

fn fate(response: &Response) -> Fate {
    let is_unsure = response.extensions().get::<LoggedProblem>().is_some_and(|failed| failed.is_unsure);
    match response.status() {
        _ if is_unsure => Fate::Held,
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => Fate::Free,
        status if status.is_server_error() => Fate::Free,
        _ => Fate::Kept,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(fate(&Error::from(store::Error::Closed).into_response()), Fate::Held, "it may have been written");
    }
}
