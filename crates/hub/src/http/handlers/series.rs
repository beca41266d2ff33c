//! Time series of metrics.

use axum::Json;
use proto::api::series::{SeriesQuery, SeriesSet};

use crate::Result;
use crate::http::{
    extract::{Ctx, Path, Query},
    handlers::{hosts::HostPath, servers::ServerPath},
};

/// Get the load of a host over time.
#[utoipa::path(get, path = "/api/v1/hosts/{host}/metrics", tag = "hosts", params(("host" = String, Path, description = "Id or name"), SeriesQuery), responses((status = 200, body = SeriesSet)))]
pub(crate) async fn host_metrics(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Query(query): Query<SeriesQuery>,
) -> Result<Json<SeriesSet>> {
    Ok(Json(cx.hub.host_metrics(cx.org()?, &at.host, &query).await?))
}

/// Get the resource use of a server over time.
#[utoipa::path(get, path = "/api/v1/servers/{server}/metrics", tag = "servers", params(("server" = String, Path, description = "Id or name"), SeriesQuery), responses((status = 200, body = SeriesSet)))]
pub(crate) async fn server_metrics(
    cx: Ctx,
    Path(at): Path<ServerPath>,
    Query(query): Query<SeriesQuery>,
) -> Result<Json<SeriesSet>> {
    Ok(Json(cx.hub.server_metrics(cx.org()?, &at.server, &query).await?))
}

/// Get job counts and durations of the organization over time.
#[utoipa::path(get, path = "/api/v1/jobs/series", tag = "jobs", params(SeriesQuery), responses((status = 200, body = SeriesSet)))]
pub(crate) async fn job_series(cx: Ctx, Query(query): Query<SeriesQuery>) -> Result<Json<SeriesSet>> {
    Ok(Json(cx.hub.job_series(cx.org()?, &query).await?))
}
