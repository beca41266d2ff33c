//! How far rows have come between hosts and this hub.

use axum::Json;
use proto::api::sync::{DigestQuery, SyncStatus, TableDigest};

use crate::Result;
use crate::http::extract::{Ctx, Query};

/// How far the sync is: by host and lane, and what was put aside.
#[utoipa::path(get, path = "/api/v1/sync", tag = "sync", responses((status = 200, body = SyncStatus)))]
pub(crate) async fn sync_status(cx: Ctx) -> Result<Json<SyncStatus>> {
    Ok(Json(cx.hub.sync_status(cx.org()?).await?))
}

/// The rows of a host, or this machine's own, summed up by table: equal sums are equal rows.
#[utoipa::path(get, path = "/api/v1/sync/digest", tag = "sync", params(DigestQuery), responses((status = 200, body = Vec<TableDigest>)))]
pub(crate) async fn sync_digest(cx: Ctx, Query(query): Query<DigestQuery>) -> Result<Json<Vec<TableDigest>>> {
    Ok(Json(cx.hub.sync_digest(cx.org()?, query).await?))
}
