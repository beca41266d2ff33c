//! Hosts of an organization.

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

/// List the organization's hosts by name.
#[utoipa::path(get, path = "/api/v1/hosts", tag = "hosts", params(HostQuery), responses((status = 200, body = Page<Host>)))]
pub(crate) async fn host_list(cx: Ctx, Query(query): Query<HostQuery>) -> Result<Json<Page<Host>>> {
    Ok(Json(cx.hub.host_list(cx.org()?, &query).await?))
}

/// Get a host by id or name.
#[utoipa::path(get, path = "/api/v1/hosts/{host}", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_get(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_get(cx.org()?, &at.host).await?))
}

/// List the schedules of a host, with recent results, the time at which each becomes stale, and the catch-up.
#[utoipa::path(get, path = "/api/v1/hosts/{host}/schedules", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostSchedules)))]
pub(crate) async fn host_schedules(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostSchedules>> {
    Ok(Json(cx.hub.host_schedules(cx.org()?, &at.host).await?))
}

/// Change a host. Operators may change `always_on`; all other fields need an admin.
#[utoipa::path(patch, path = "/api/v1/hosts/{host}", tag = "hosts", params(("host" = String, Path, description = "Id or name")), request_body = HostPatch, responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_update(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Body(patch): Body<HostPatch>,
) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_update(&cx.by, cx.org()?, &at.host, patch).await?))
}

/// Remove a host. Fails if jobs are queued for it or running on it, unless the request cancels them.
#[utoipa::path(delete, path = "/api/v1/hosts/{host}", tag = "hosts", params(("host" = String, Path, description = "Id or name"), HostRemoval), responses((status = 204, description = "Removed")))]
pub(crate) async fn host_remove(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Query(removal): Query<HostRemoval>,
) -> Result<StatusCode> {
    cx.hub.host_remove(&cx.by, cx.org()?, &at.host, removal).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pause a host: it starts no new jobs.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/pause", tag = "hosts", params(("host" = String, Path, description = "Id or name")), request_body = HostMarkRequest, responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_pause(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Body(mark): Body<HostMarkRequest>,
) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_pause(&cx.by, cx.org()?, &at.host, mark).await?))
}

/// Resume a paused host.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/resume", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_resume(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_resume(&cx.by, cx.org()?, &at.host).await?))
}

/// Mark a host as degraded.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/mark-degraded", tag = "hosts", params(("host" = String, Path, description = "Id or name")), request_body = HostMarkRequest, responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_mark_degraded(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Body(mark): Body<HostMarkRequest>,
) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_mark_degraded(&cx.by, cx.org()?, &at.host, mark).await?))
}

/// Remove the mark "degraded" from a host.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/unmark", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_unmark(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_unmark(&cx.by, cx.org()?, &at.host).await?))
}

/// Request a new key from a host. A linked host replaces its key immediately, an absent one when it returns.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/rotate-key", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_rotate_key(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_rotate_key(&cx.by, cx.org()?, &at.host).await?))
}

/// Revoke a host's keys. Its connection is closed and none of its keys is accepted again.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/revoke", tag = "hosts", params(("host" = String, Path, description = "Id or name")), responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_revoke(cx: Ctx, Path(at): Path<HostPath>) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_revoke(&cx.by, cx.org()?, &at.host).await?))
}

/// Share a host with another organization. It then also runs that organization's jobs, with fair shares.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/share", tag = "hosts", params(("host" = String, Path, description = "Id or name")), request_body = HostShareRequest, responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_share(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Body(request): Body<HostShareRequest>,
) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_share(&cx.by, cx.org()?, &at.host, request).await?))
}

/// Stop sharing a host with another organization. Running jobs are completed.
#[utoipa::path(post, path = "/api/v1/hosts/{host}/unshare", tag = "hosts", params(("host" = String, Path, description = "Id or name")), request_body = HostShareRequest, responses((status = 200, body = HostDetail)))]
pub(crate) async fn host_unshare(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Body(request): Body<HostShareRequest>,
) -> Result<Json<HostDetail>> {
    Ok(Json(cx.hub.host_unshare(&cx.by, cx.org()?, &at.host, request).await?))
}
