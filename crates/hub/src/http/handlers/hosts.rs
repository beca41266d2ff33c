//! Hosts.

use axum::{Json, http::StatusCode};
use proto::{
    Page,
    api::host::{
        Host, HostDetail, HostMarkRequest, HostPatch, HostQuery, HostRemoval, HostSchedules, HostShareRequest,
    },
};
use serde::Deserialize;

use crate::Result;
use crate::http::extract::{Body, Ctx, Path, Query};

#[derive(Deserialize)]
pub(crate) struct HostPath {
    pub(crate) host: String,
}

/// The hosts of the org, by name.
#[utoipa::path(get, path = "/api/v1/hosts", tag = "hosts", params(HostQuery), responses((status = 200, body = Page<Host>)))]
pub(crate) async fn host_list(cx: Ctx, Query(query): Query<HostQuery>) -> Result<Json<Page<Host>>> {
    Ok(Json(cx.hub.host_list(cx.org()?, &query).await?))
}

/// A host, by id or name.
#[utoipa::path(get, path = "/api/v1/hosts/{host}", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_get(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_get(cx.org()?, &at.host).await?))
}

/// The schedules of a host: their last days there, when they are called stale, and what is made up for.
#[utoipa::path(get, path = "/api/v1/hosts/{host}/schedules", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostSchedules)))]
pub(crate) async fn host_schedules(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostSchedules>> {
    Ok(Json(cx.hub.host_schedules(cx.org()?, &at.host).await?))
}

/// Changes a host. Operators may switch `always_on`; the rest is for admins.
#[utoipa::path(patch, path = "/api/v1/hosts/{host}", tag = "hosts", params(("host" = String, Path, description = "Id or name")), request_body = HostPatch, responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_update(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Body(patch): Body<HostPatch>,
) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_update(&cx.by, cx.org()?, &at.host, patch).await?))
}

/// Removes a host. One that jobs wait for, or that runs some, stays, unless they are to be canceled with it.
#[utoipa::path(delete, path = "/api/v1/hosts/{host}", tag = "hosts", params(("host" = String, Path, description = "Id or name"), HostRemoval), responses((status = 204, description = "Removed")))]
pub(crate) async fn host_remove(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Query(removal): Query<HostRemoval>,
) -> Result<StatusCode> {
    cx.hub.host_remove(&cx.by, cx.org()?, &at.host, removal).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pauses a host: it takes no new work.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/pause", tag = "hosts", params(("host" = String, Path, description = "Id or name")), request_body = HostMarkRequest, responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_pause(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Body(mark): Body<HostMarkRequest>,
) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_pause(&cx.by, cx.org()?, &at.host, mark).await?))
}

/// Ends a pause.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/resume", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_resume(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_resume(&cx.by, cx.org()?, &at.host).await?))
}

/// Marks a host degraded by hand.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/degrade", tag = "hosts", params(("host" = String, Path, description = "Id or name")), request_body = HostMarkRequest, responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_degrade(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Body(mark): Body<HostMarkRequest>,
) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_degrade(&cx.by, cx.org()?, &at.host, mark).await?))
}

/// Takes the mark "degraded" back.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/clear", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_clear(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_clear(&cx.by, cx.org()?, &at.host).await?))
}

/// AuthCheck a host for a new key at its next hello.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/rotate-key", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_rotate_key(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_rotate_key(&cx.by, cx.org()?, &at.host).await?))
}

/// Revokes a host's keys: its socket closes and none of its keys is accepted again.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/revoke", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_revoke(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_revoke(&cx.by, cx.org()?, &at.host).await?))
}

/// Puts a host into the pool of another org: it takes that org's jobs too, in fair turns.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/share", tag = "hosts", params(("host" = String, Path, description = "Id or name")), request_body = HostShareRequest, responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_share(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Body(request): Body<HostShareRequest>,
) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_share(&cx.by, cx.org()?, &at.host, request).await?))
}

/// Takes a host out of the pool of another org. What runs there goes on to its end.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/unshare", tag = "hosts", params(("host" = String, Path, description = "Id or name")), request_body = HostShareRequest, responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_unshare(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Body(request): Body<HostShareRequest>,
) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_unshare(&cx.by, cx.org()?, &at.host, request).await?))
}
