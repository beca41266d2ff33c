//! Numbers over time.

use axum::Json;
use proto::api::series::{SeriesQuery, SeriesSet};

use super::{
    body::{Ask, At},
    cx::Cx,
    hosts::HostAt,
    servers::ServerAt,
};
use crate::Result;

/// How busy a host was.
#[utoipa::path(get, path = "/api/v1/hosts/{host}/metrics", tag = "hosts", params(("host" = String, Path, description = "Id or name"), SeriesQuery), responses((status = 200, body = SeriesSet)))]
pub(super) async fn host_metrics(cx: Cx, At(at): At<HostAt>, Ask(query): Ask<SeriesQuery>) -> Result<Json<SeriesSet>> {
    Ok(Json(cx.hub.host_metrics(cx.org()?, &at.host, &query).await?))
}

/// What a server used.
#[utoipa::path(get, path = "/api/v1/servers/{server}/metrics", tag = "servers", params(("server" = String, Path, description = "Id or name"), SeriesQuery), responses((status = 200, body = SeriesSet)))]
pub(super) async fn server_metrics(
    cx: Cx,
    At(at): At<ServerAt>,
    Ask(query): Ask<SeriesQuery>,
) -> Result<Json<SeriesSet>> {
    Ok(Json(cx.hub.server_metrics(cx.org()?, &at.server, &query).await?))
}

/// What the org's jobs did, as its hubs saw it.
#[utoipa::path(get, path = "/api/v1/jobs/series", tag = "jobs", params(SeriesQuery), responses((status = 200, body = SeriesSet)))]
pub(super) async fn job_series(cx: Cx, Ask(query): Ask<SeriesQuery>) -> Result<Json<SeriesSet>> {
    Ok(Json(cx.hub.job_series(cx.org()?, &query).await?))
}
