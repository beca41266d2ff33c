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

use super::{
    body::{Ask, At, Body},
    cx::Cx,
};
use crate::Result;

#[derive(Deserialize)]
pub(super) struct ServerAt {
    pub(super) server: String,
}

/// The servers of the org.
#[utoipa::path(get, path = "/api/v1/servers", tag = "servers", params(PageQuery), responses((status = 200, body = Page<Server>)))]
pub(super) async fn server_list(cx: Cx, Ask(query): Ask<PageQuery>) -> Result<Json<Page<Server>>> {
    Ok(Json(cx.hub.server_list(&cx.by, cx.org()?, &query).await?))
}

/// Makes a server. It is not started.
#[utoipa::path(post, path = "/api/v1/servers", tag = "servers", request_body = ServerRequest, responses((status = 201, body = Server)))]
pub(super) async fn server_create(cx: Cx, Body(request): Body<ServerRequest>) -> Result<(StatusCode, Json<Server>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.server_create(&cx.by, cx.org()?, request).await?)))
}

/// A server, by id or name.
#[utoipa::path(get, path = "/api/v1/servers/{server}", tag = "servers", params(("server" = String, Path, description = "Id or name")), responses((status = 200, body = Server)))]
pub(super) async fn server_get(cx: Cx, At(at): At<ServerAt>) -> Result<Json<Server>> {
    Ok(Json(cx.hub.server_get(&cx.by, cx.org()?, &at.server).await?))
}

/// Changes fields of a server: what is named is replaced as a whole, and null takes it away. With another `host` it is
/// stopped where it is and, if it ran, started there.
#[utoipa::path(patch, path = "/api/v1/servers/{server}", tag = "servers", params(("server" = String, Path, description = "Id or name")), request_body = ServerRequest, responses((status = 200, body = Server)))]
pub(super) async fn server_update(
    cx: Cx,
    At(at): At<ServerAt>,
    Body(request): Body<ServerRequest>,
) -> Result<Json<Server>> {
    Ok(Json(cx.hub.server_update(&cx.by, cx.org()?, &at.server, request).await?))
}

/// Removes a server.
#[utoipa::path(delete, path = "/api/v1/servers/{server}", tag = "servers", params(("server" = String, Path, description = "Id or name"), ServerRemoval), responses((status = 204, description = "Removed")))]
pub(super) async fn server_remove(cx: Cx, At(at): At<ServerAt>, Ask(how): Ask<ServerRemoval>) -> Result<StatusCode> {
    cx.hub.server_remove(&cx.by, cx.org()?, &at.server, how).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Starts a server: makes the job that succeeds when it is ready.
#[utoipa::path(post, path = "/api/v1/servers/{server}/start", tag = "servers", params(("server" = String, Path, description = "Id or name")), request_body = ServerAct, responses((status = 201, body = ServerActed)))]
pub(super) async fn server_start(
    cx: Cx,
    At(at): At<ServerAt>,
    Body(request): Body<ServerAct>,
) -> Result<(StatusCode, Json<ServerActed>)> {
    act(cx, at, ServerOp::Start, request).await
}

/// Stops a server: makes the job that succeeds when nothing of it runs.
#[utoipa::path(post, path = "/api/v1/servers/{server}/stop", tag = "servers", params(("server" = String, Path, description = "Id or name")), request_body = ServerAct, responses((status = 201, body = ServerActed)))]
pub(super) async fn server_stop(
    cx: Cx,
    At(at): At<ServerAt>,
    Body(request): Body<ServerAct>,
) -> Result<(StatusCode, Json<ServerActed>)> {
    act(cx, at, ServerOp::Stop, request).await
}

/// Restarts a server: makes the job that succeeds when it has ended and is ready again.
#[utoipa::path(post, path = "/api/v1/servers/{server}/restart", tag = "servers", params(("server" = String, Path, description = "Id or name")), request_body = ServerAct, responses((status = 201, body = ServerActed)))]
pub(super) async fn server_restart(
    cx: Cx,
    At(at): At<ServerAt>,
    Body(request): Body<ServerAct>,
) -> Result<(StatusCode, Json<ServerActed>)> {
    act(cx, at, ServerOp::Restart, request).await
}

async fn act(cx: Cx, at: ServerAt, op: ServerOp, request: ServerAct) -> Result<(StatusCode, Json<ServerActed>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.server_act(&cx.by, cx.org()?, &at.server, op, request).await?)))
}

/// Kills a server at once, past all jobs. It stays down. Its host must be there.
#[utoipa::path(post, path = "/api/v1/servers/{server}/kill", tag = "servers", params(("server" = String, Path, description = "Id or name")), responses((status = 204, description = "Killed")))]
pub(super) async fn server_kill(cx: Cx, At(at): At<ServerAt>) -> Result<StatusCode> {
    cx.hub.server_kill(&cx.by, cx.org()?, &at.server).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Writes a line to a server's input. Its host must be there.
#[utoipa::path(post, path = "/api/v1/servers/{server}/input", tag = "servers", params(("server" = String, Path, description = "Id or name")), request_body = ServerInput, responses((status = 204, description = "Written")))]
pub(super) async fn server_input(cx: Cx, At(at): At<ServerAt>, Body(input): Body<ServerInput>) -> Result<StatusCode> {
    cx.hub.server_input(&cx.by, cx.org()?, &at.server, input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The runs of a server, newest first.
#[utoipa::path(get, path = "/api/v1/servers/{server}/runs", tag = "servers", params(("server" = String, Path, description = "Id or name"), PageQuery), responses((status = 200, body = Page<ServerRun>)))]
pub(super) async fn server_runs(
    cx: Cx,
    At(at): At<ServerAt>,
    Ask(query): Ask<PageQuery>,
) -> Result<Json<Page<ServerRun>>> {
    Ok(Json(cx.hub.server_runs(cx.org()?, &at.server, &query).await?))
}

/// Lines of a server's output, from any place on, forwards or backwards; waits for more if asked.
#[utoipa::path(get, path = "/api/v1/servers/{server}/console", tag = "servers", params(("server" = String, Path, description = "Id or name"), ConsoleQuery), responses((status = 200, body = ConsolePage)))]
pub(super) async fn server_console(
    cx: Cx,
    At(at): At<ServerAt>,
    Ask(query): Ask<ConsoleQuery>,
) -> Result<Json<ConsolePage>> {
    Ok(Json(cx.hub.server_console(cx.org()?, &at.server, &query).await?))
}
