//! Bulk actions.

use axum::{Json, http::StatusCode};
use domain::BatchId;
use proto::{
    Page,
    api::batch::{Batch, BatchRequest},
    page::PageQuery,
};
use serde::Deserialize;

use crate::Result;
use crate::http::extract::{Body, Ctx, Path, Query};

#[derive(Deserialize)]
pub(crate) struct BatchPath {
    batch: BatchId,
}

/// AuthCheck for a bulk action on the jobs that fit a filter: cancel, retry or move. It is worked off in the background; with
/// `dry_run` it is only said how many fit.
#[utoipa::path(post, path = "/api/v1/batches", tag = "batches", request_body = BatchRequest, responses((status = 201, body = Batch, description = "Under way"), (status = 200, body = Batch, description = "Only looked at")))]
pub(crate) async fn batch_create(cx: Ctx, Body(request): Body<BatchRequest>) -> Result<(StatusCode, Json<Batch>)> {
    let status = if request.dry_run { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(cx.hub.batch_create(&cx.by, cx.org()?, request).await?)))
}

/// The bulk actions of the org, newest first.
#[utoipa::path(get, path = "/api/v1/batches", tag = "batches", params(PageQuery), responses((status = 200, body = Page<Batch>)))]
pub(crate) async fn batch_list(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<Batch>>> {
    Ok(Json(cx.hub.batch_list(cx.org()?, &query).await?))
}

/// A bulk action, and how far it has come.
#[utoipa::path(get, path = "/api/v1/batches/{batch}", tag = "batches", params(("batch" = String, Path, description = "Id")), responses((status = 200, body = Batch)))]
pub(crate) async fn batch_get(cx: Ctx, Path(at): Path<BatchPath>) -> Result<Json<Batch>> {
    Ok(Json(cx.hub.batch_get(cx.org()?, at.batch).await?))
}

/// Stops a bulk action: what was done stays done.
#[utoipa::path(post, path = "/api/v1/batches/{batch}/stop", tag = "batches", params(("batch" = String, Path, description = "Id")), responses((status = 200, body = Batch)))]
pub(crate) async fn batch_stop(cx: Ctx, Path(at): Path<BatchPath>) -> Result<Json<Batch>> {
    Ok(Json(cx.hub.batch_stop(&cx.by, cx.org()?, at.batch).await?))
}
