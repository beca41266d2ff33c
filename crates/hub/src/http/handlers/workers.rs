//! API workers: programs in any language that claim jobs over HTTP.

use axum::Json;
use domain::JobId;
use proto::api::worker::{
    ClaimAnswer, ClaimRequest, CompleteRequest, FailRequest, ReportAnswer, WorkerBeat, WorkerBeatAnswer, Workers,
};
use serde::Deserialize;

use crate::Result;
use crate::http::extract::{Body, Ctx, Path};

#[derive(Deserialize)]
pub(crate) struct WorkerJobPath {
    job: JobId,
}

/// Claim jobs, optionally waiting for the first one.
#[utoipa::path(post, path = "/api/v1/worker/jobs/claim", tag = "workers", request_body = ClaimRequest, responses((status = 200, body = ClaimAnswer)))]
pub(crate) async fn claim(cx: Ctx, Body(request): Body<ClaimRequest>) -> Result<Json<ClaimAnswer>> {
    Ok(Json(cx.hub.worker_claim(&cx.by, cx.org()?, request, cx.is_confidential).await?))
}

/// Report that a run continues. The response says whether to stop it.
#[utoipa::path(post, path = "/api/v1/worker/jobs/{job}/heartbeat", tag = "workers", params(("job" = String, Path, description = "Id")), request_body = WorkerBeat, responses((status = 200, body = WorkerBeatAnswer)))]
pub(crate) async fn heartbeat(
    cx: Ctx,
    Path(at): Path<WorkerJobPath>,
    Body(beat): Body<WorkerBeat>,
) -> Result<Json<WorkerBeatAnswer>> {
    Ok(Json(cx.hub.worker_beat(&cx.by, cx.org()?, at.job, beat).await?))
}

/// Report that a run succeeded.
#[utoipa::path(post, path = "/api/v1/worker/jobs/{job}/complete", tag = "workers", params(("job" = String, Path, description = "Id")), request_body = CompleteRequest, responses((status = 200, body = ReportAnswer)))]
pub(crate) async fn complete(
    cx: Ctx,
    Path(at): Path<WorkerJobPath>,
    Body(report): Body<CompleteRequest>,
) -> Result<Json<ReportAnswer>> {
    Ok(Json(cx.hub.worker_complete(&cx.by, cx.org()?, at.job, report).await?))
}

/// Report that a run failed.
#[utoipa::path(post, path = "/api/v1/worker/jobs/{job}/fail", tag = "workers", params(("job" = String, Path, description = "Id")), request_body = FailRequest, responses((status = 200, body = ReportAnswer)))]
pub(crate) async fn fail(
    cx: Ctx,
    Path(at): Path<WorkerJobPath>,
    Body(report): Body<FailRequest>,
) -> Result<Json<ReportAnswer>> {
    Ok(Json(cx.hub.worker_fail(&cx.by, cx.org()?, at.job, report).await?))
}

/// List all API workers and runners of all organizations.
#[utoipa::path(get, path = "/api/v1/admin/workers", tag = "workers", responses((status = 200, body = Workers)))]
pub(crate) async fn list_all(cx: Ctx) -> Result<Json<Workers>> {
    Ok(Json(cx.hub.worker_list().await?))
}
