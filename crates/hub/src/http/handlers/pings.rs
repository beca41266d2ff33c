//! Pings, by which external programs report their runs, and webhooks, by which other systems send events.

use axum::{
    Json,
    extract::Request,
    http::{HeaderMap, StatusCode},
};
use domain::{HookId, PingId, ping::PingWord};
use proto::api::{
    hook::{HookMade, HookRequest, Hooks},
    ping::{PingHistory, PingMade, PingQuery, PingRequest, Pings},
    trigger::EventMade,
};
use serde::Deserialize;

use crate::http::extract::{BODY_MAX, Body, Ctx, Path, Query, read_body};
use crate::{
    Error, Result,
    app::settings::{hooks::Message, pings::Sign},
};

/// Maximum size of a ping's body, in bytes; a shorter prefix of it is stored.
const SIGN_MAX: usize = 100 * 1024;

#[derive(Deserialize)]
pub(crate) struct PingPath {
    ping: PingId,
}

#[derive(Deserialize)]
pub(crate) struct PingSecretPath {
    secret: String,
}

#[derive(Deserialize)]
pub(crate) struct SecretWordPath {
    secret: String,
    word: String,
}

#[derive(Deserialize)]
pub(crate) struct HookPath {
    hook: HookId,
}

/// List the pings.
#[utoipa::path(get, path = "/api/v1/pings", tag = "pings", responses((status = 200, body = Pings)))]
pub(crate) async fn ping_list(cx: Ctx) -> Result<Json<Pings>> {
    Ok(Json(cx.hub.ping_list(cx.org()?).await?))
}

/// Create a ping for an external program.
#[utoipa::path(post, path = "/api/v1/pings", tag = "pings", request_body = PingRequest, responses((status = 201, body = PingMade)))]
pub(crate) async fn ping_create(cx: Ctx, Body(request): Body<PingRequest>) -> Result<(StatusCode, Json<PingMade>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.ping_create(&cx.by, cx.org()?, request).await?)))
}

/// Remove a ping.
#[utoipa::path(delete, path = "/api/v1/pings/{ping}", tag = "pings", params(("ping" = String, Path, description = "Id")), responses((status = 204, description = "Removed")))]
pub(crate) async fn ping_remove(cx: Ctx, Path(at): Path<PingPath>) -> Result<StatusCode> {
    cx.hub.ping_remove(&cx.by, cx.org()?, at.ping).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the received signals of a ping, newest first.
#[utoipa::path(get, path = "/api/v1/pings/{ping}/history", tag = "pings", params(("ping" = String, Path, description = "Id")), responses((status = 200, body = PingHistory)))]
pub(crate) async fn ping_history(cx: Ctx, Path(at): Path<PingPath>) -> Result<Json<PingHistory>> {
    Ok(Json(cx.hub.ping_history(cx.org()?, at.ping).await?))
}

async fn receive(cx: &Ctx, secret: &str, word: &str, query: PingQuery, request: Request) -> Result<&'static str> {
    let (word, exit_code) = match word {
        "" => (PingWord::Success, None),
        "start" => (PingWord::Start, None),
        "fail" => (PingWord::Fail, None),
        "log" => (PingWord::Log, None),
        other => match other.parse::<u8>() {
            Ok(0) => (PingWord::Success, Some(0)),
            Ok(code) => (PingWord::Fail, Some(i32::from(code))),
            Err(_) => {
                return Err(Error::new(
                    proto::Code::NotFound,
                    "the address must end in `start`, `fail`, `log` or an exit code of 0 to 255",
                ));
            }
        },
    };
    let body = read_body(request, SIGN_MAX).await?;
    let sign = Sign { word, exit_code, rid: query.rid, body: String::from_utf8_lossy(&body).into_owned() };
    cx.hub.ping_receive(&cx.by, secret, sign).await?;
    Ok("OK")
}

/// Report success.
#[utoipa::path(get, path = "/ping/{secret}", tag = "pings", params(("secret" = String, Path, description = "The secret at the end of the ping's URL"), PingQuery), responses((status = 200, body = String)))]
pub(crate) async fn ping_get(
    cx: Ctx,
    Path(at): Path<PingSecretPath>,
    Query(query): Query<PingQuery>,
    request: Request,
) -> Result<&'static str> {
    receive(&cx, &at.secret, "", query, request).await
}

/// Report success, and store the body.
#[utoipa::path(post, path = "/ping/{secret}", tag = "pings", params(("secret" = String, Path, description = "The secret at the end of the ping's URL"), PingQuery), responses((status = 200, body = String)))]
pub(crate) async fn ping_post(
    cx: Ctx,
    Path(at): Path<PingSecretPath>,
    Query(query): Query<PingQuery>,
    request: Request,
) -> Result<&'static str> {
    receive(&cx, &at.secret, "", query, request).await
}

/// Report a start, a failure, an exit code or a log message.
#[utoipa::path(get, path = "/ping/{secret}/{word}", tag = "pings", params(("secret" = String, Path, description = "The secret at the end of the ping's URL"), ("word" = String, Path, description = "start, fail, log or an exit code"), PingQuery), responses((status = 200, body = String)))]
pub(crate) async fn ping_word_get(
    cx: Ctx,
    Path(at): Path<SecretWordPath>,
    Query(query): Query<PingQuery>,
    request: Request,
) -> Result<&'static str> {
    receive(&cx, &at.secret, &at.word, query, request).await
}

/// Report a start, a failure, an exit code or a log message, and store the body.
#[utoipa::path(post, path = "/ping/{secret}/{word}", tag = "pings", params(("secret" = String, Path, description = "The secret at the end of the ping's URL"), ("word" = String, Path, description = "start, fail, log or an exit code"), PingQuery), responses((status = 200, body = String)))]
pub(crate) async fn ping_word_post(
    cx: Ctx,
    Path(at): Path<SecretWordPath>,
    Query(query): Query<PingQuery>,
    request: Request,
) -> Result<&'static str> {
    receive(&cx, &at.secret, &at.word, query, request).await
}

/// List the webhooks through which other systems send events.
#[utoipa::path(get, path = "/api/v1/hooks", tag = "events", responses((status = 200, body = Hooks)))]
pub(crate) async fn hook_list(cx: Ctx) -> Result<Json<Hooks>> {
    Ok(Json(cx.hub.hook_list(cx.org()?).await?))
}

/// Create a webhook. Its secret is shown once.
#[utoipa::path(post, path = "/api/v1/hooks", tag = "events", request_body = HookRequest, responses((status = 201, body = HookMade)))]
pub(crate) async fn hook_create(cx: Ctx, Body(request): Body<HookRequest>) -> Result<(StatusCode, Json<HookMade>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.hook_create(&cx.by, cx.org()?, request).await?)))
}

/// Remove a webhook.
#[utoipa::path(delete, path = "/api/v1/hooks/{hook}", tag = "events", params(("hook" = String, Path, description = "Id")), responses((status = 204, description = "Removed")))]
pub(crate) async fn hook_remove(cx: Ctx, Path(at): Path<HookPath>) -> Result<StatusCode> {
    cx.hub.hook_remove(&cx.by, cx.org()?, at.hook).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Receive a signed event from another system.
#[utoipa::path(post, path = "/in/{hook}", tag = "events", params(("hook" = String, Path, description = "Id")), request_body = Object, responses((status = 200, body = EventMade)))]
pub(crate) async fn hook_in(cx: Ctx, Path(at): Path<HookPath>, request: Request) -> Result<Json<EventMade>> {
    let headers = request.headers().clone();
    let text = |names: [&str; 2]| names.iter().find_map(|name| header(&headers, name));
    let message = Message {
        id: text(["webhook-id", "x-github-delivery"]),
        timestamp: text(["webhook-timestamp", "webhook-timestamp"]),
        signature: text(["webhook-signature", "x-hub-signature-256"]),
        event: text(["x-github-event", "x-github-event"]),
        body: read_body(request, BODY_MAX).await?,
    };
    Ok(Json(cx.hub.hook_receive(at.hook, message).await?))
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}
