//! Status of the replication between hosts and this hub.

use axum::Json;
use proto::api::sync::{DigestQuery, SyncStatus, TableDigest};

use crate::Result;
use crate::http::extract::{Ctx, Query};

/// Get the replication status by host and priority; for admins with the parked rows, environments masked.
#[utoipa::path(get, path = "/api/v1/sync", tag = "sync", responses((status = 200, body = SyncStatus)))]
pub(crate) async fn sync_status(cx: Ctx) -> Result<Json<SyncStatus>> {
    Ok(Json(cx.hub.sync_status(&cx.by, cx.org()?).await?))
}

/// Get checksums of a host's rows by table, or of this machine's own. Equal checksums mean equal rows.
#[utoipa::path(get, path = "/api/v1/sync/digest", tag = "sync", params(DigestQuery), responses((status = 200, body = Vec<TableDigest>)))]
pub(crate) async fn sync_digest(cx: Ctx, Query(query): Query<DigestQuery>) -> Result<Json<Vec<TableDigest>>> {
    Ok(Json(cx.hub.sync_digest(cx.org()?, query).await?))
}
