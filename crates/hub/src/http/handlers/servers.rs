//! Servers: long-lived processes on hosts.

use axum::{Json, http::StatusCode};
use domain::server::ServerOp;
use proto::{
    Page,
    api::server::{
        ConsolePage, ConsoleQuery, Server, ServerAct, ServerActed, ServerInput, ServerRemoval, ServerRequest, ServerRun,
    },
    page::PageQuery,
};
use serde::Deserialize;

use crate::Result;
use crate::http::extract::{Body, Ctx, Path, Query};

#[derive(Deserialize)]
pub(crate) struct ServerPath {
    pub(crate) server: String,
}

/// List the organization's servers.
#[utoipa::path(get, path = "/api/v1/servers", tag = "servers", params(PageQuery), responses((status = 200, body = Page<Server>)))]
pub(crate) async fn server_list(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<Server>>> {
    Ok(Json(cx.hub.server_list(&cx.by, cx.org()?, &query).await?))
}

/// Create a server. It is not started.
#[utoipa::path(post, path = "/api/v1/servers", tag = "servers", request_body = ServerRequest, responses((status = 201, body = Server)))]
pub(crate) async fn server_create(cx: Ctx, Body(request): Body<ServerRequest>) -> Result<(StatusCode, Json<Server>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.server_create(&cx.by, cx.org()?, request).await?)))
}

/// Get a server by id or name.
#[utoipa::path(get, path = "/api/v1/servers/{server}", tag = "servers", params(("server" = String, Path, description = "Id or name")), responses((status = 200, body = Server)))]
pub(crate) async fn server_get(cx: Ctx, Path(at): Path<ServerPath>) -> Result<Json<Server>> {
    Ok(Json(cx.hub.server_get(&cx.by, cx.org()?, &at.server).await?))
}

/// Change fields of a server. A named field is replaced as a whole; null removes it. With another `host` the server is
/// stopped on its old host and, if it was running, started on the new one.
#[utoipa::path(patch, path = "/api/v1/servers/{server}", tag = "servers", params(("server" = String, Path, description = "Id or name")), request_body = ServerRequest, responses((status = 200, body = Server)))]
pub(crate) async fn server_update(
    cx: Ctx,
    Path(at): Path<ServerPath>,
    Body(request): Body<ServerRequest>,
) -> Result<Json<Server>> {
    Ok(Json(cx.hub.server_update(&cx.by, cx.org()?, &at.server, request).await?))
}

/// Remove a server.
#[utoipa::path(delete, path = "/api/v1/servers/{server}", tag = "servers", params(("server" = String, Path, description = "Id or name"), ServerRemoval), responses((status = 204, description = "Removed")))]
pub(crate) async fn server_remove(
    cx: Ctx,
    Path(at): Path<ServerPath>,
    Query(how): Query<ServerRemoval>,
) -> Result<StatusCode> {
    cx.hub.server_remove(&cx.by, cx.org()?, &at.server, how).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Start a server. Creates a job that succeeds when the server is ready.
#[utoipa::path(post, path = "/api/v1/servers/{server}/start", tag = "servers", params(("server" = String, Path, description = "Id or name")), request_body = ServerAct, responses((status = 201, body = ServerActed)))]
pub(crate) async fn server_start(
    cx: Ctx,
    Path(at): Path<ServerPath>,
    Body(request): Body<ServerAct>,
) -> Result<(StatusCode, Json<ServerActed>)> {
    act(cx, at, ServerOp::Start, request).await
}

/// Stop a server. Creates a job that succeeds when all its processes have ended.
#[utoipa::path(post, path = "/api/v1/servers/{server}/stop", tag = "servers", params(("server" = String, Path, description = "Id or name")), request_body = ServerAct, responses((status = 201, body = ServerActed)))]
pub(crate) async fn server_stop(
    cx: Ctx,
    Path(at): Path<ServerPath>,
    Body(request): Body<ServerAct>,
) -> Result<(StatusCode, Json<ServerActed>)> {
    act(cx, at, ServerOp::Stop, request).await
}

/// Restart a server. Creates a job that succeeds when the server has ended and is ready again.
#[utoipa::path(post, path = "/api/v1/servers/{server}/restart", tag = "servers", params(("server" = String, Path, description = "Id or name")), request_body = ServerAct, responses((status = 201, body = ServerActed)))]
pub(crate) async fn server_restart(
    cx: Ctx,
    Path(at): Path<ServerPath>,
    Body(request): Body<ServerAct>,
) -> Result<(StatusCode, Json<ServerActed>)> {
    act(cx, at, ServerOp::Restart, request).await
}

async fn act(cx: Ctx, at: ServerPath, op: ServerOp, request: ServerAct) -> Result<(StatusCode, Json<ServerActed>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.server_act(&cx.by, cx.org()?, &at.server, op, request).await?)))
}

/// Kill a server immediately, without a job. It stays stopped. Its host must be online.
#[utoipa::path(post, path = "/api/v1/servers/{server}/kill", tag = "servers", params(("server" = String, Path, description = "Id or name")), responses((status = 204, description = "Killed")))]
pub(crate) async fn server_kill(cx: Ctx, Path(at): Path<ServerPath>) -> Result<StatusCode> {
    cx.hub.server_kill(&cx.by, cx.org()?, &at.server).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Write a line to a server's standard input. Its host must be online.
#[utoipa::path(post, path = "/api/v1/servers/{server}/input", tag = "servers", params(("server" = String, Path, description = "Id or name")), request_body = ServerInput, responses((status = 204, description = "Written")))]
pub(crate) async fn server_input(
    cx: Ctx,
    Path(at): Path<ServerPath>,
    Body(input): Body<ServerInput>,
) -> Result<StatusCode> {
    cx.hub.server_input(&cx.by, cx.org()?, &at.server, input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the runs of a server, newest first.
#[utoipa::path(get, path = "/api/v1/servers/{server}/runs", tag = "servers", params(("server" = String, Path, description = "Id or name"), PageQuery), responses((status = 200, body = Page<ServerRun>)))]
pub(crate) async fn server_runs(
    cx: Ctx,
    Path(at): Path<ServerPath>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<ServerRun>>> {
    Ok(Json(cx.hub.server_runs(cx.org()?, &at.server, &query).await?))
}

/// Get lines of a server's output from a position, forwards or backwards, optionally waiting for new lines.
#[utoipa::path(get, path = "/api/v1/servers/{server}/console", tag = "servers", params(("server" = String, Path, description = "Id or name"), ConsoleQuery), responses((status = 200, body = ConsolePage)))]
pub(crate) async fn server_console(
    cx: Ctx,
    Path(at): Path<ServerPath>,
    Query(query): Query<ConsoleQuery>,
) -> Result<Json<ConsolePage>> {
    Ok(Json(cx.hub.server_console(cx.org()?, &at.server, &query).await?))
}
