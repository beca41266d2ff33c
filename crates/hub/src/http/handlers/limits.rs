//! Limits by key, and pauses.

use axum::Json;
use proto::api::limit::{LimitRequest, Limits, PauseRequest, Pauses};
use serde::Deserialize;

use crate::Result;
use crate::http::extract::{Body, Ctx, Path};

#[derive(Deserialize)]
pub(crate) struct KeyPath {
    key: String,
}

/// List the limits that jobs share by a key.
#[utoipa::path(get, path = "/api/v1/limits", tag = "limits", responses((status = 200, body = Limits)))]
pub(crate) async fn limit_list(cx: Ctx) -> Result<Json<Limits>> {
    Ok(Json(cx.hub.limit_list(cx.org()?).await?))
}

/// Set the limit of a key. Without numbers, the limit is removed.
#[utoipa::path(put, path = "/api/v1/limits/{key}", tag = "limits", params(("key" = String, Path, description = "The key")), request_body = LimitRequest, responses((status = 200, body = Limits)))]
pub(crate) async fn limit_set(
    cx: Ctx,
    Path(at): Path<KeyPath>,
    Body(request): Body<LimitRequest>,
) -> Result<Json<Limits>> {
    Ok(Json(cx.hub.limit_set(&cx.by, cx.org()?, &at.key, request).await?))
}

/// List the active pauses.
#[utoipa::path(get, path = "/api/v1/pauses", tag = "limits", responses((status = 200, body = Pauses)))]
pub(crate) async fn pause_list(cx: Ctx) -> Result<Json<Pauses>> {
    Ok(Json(cx.hub.pause_list(cx.org()?).await?))
}

/// Pause the organization, a definition, a queue or a key, or end such a pause.
#[utoipa::path(post, path = "/api/v1/pauses", tag = "limits", request_body = PauseRequest, responses((status = 200, body = Pauses)))]
pub(crate) async fn pause_set(cx: Ctx, Body(request): Body<PauseRequest>) -> Result<Json<Pauses>> {
    Ok(Json(cx.hub.pause_set(&cx.by, cx.org()?, request).await?))
}
