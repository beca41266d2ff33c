//! Bulk actions on jobs.

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

/// Create a bulk action on the jobs that match a filter: cancel, retry or move. It runs in the background. With
/// `dry_run`, only count the matching jobs.
#[utoipa::path(post, path = "/api/v1/batches", tag = "batches", request_body = BatchRequest, responses((status = 201, body = Batch, description = "Created"), (status = 200, body = Batch, description = "Counted only (`dry_run`)")))]
pub(crate) async fn batch_create(cx: Ctx, Body(request): Body<BatchRequest>) -> Result<(StatusCode, Json<Batch>)> {
    let status = if request.dry_run { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(cx.hub.batch_create(&cx.by, cx.org()?, request).await?)))
}

/// List the organization's bulk actions, newest first.
#[utoipa::path(get, path = "/api/v1/batches", tag = "batches", params(PageQuery), responses((status = 200, body = Page<Batch>)))]
pub(crate) async fn batch_list(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<Batch>>> {
    Ok(Json(cx.hub.batch_list(cx.org()?, &query).await?))
}

/// Get a bulk action and its progress.
#[utoipa::path(get, path = "/api/v1/batches/{batch}", tag = "batches", params(("batch" = String, Path, description = "Id")), responses((status = 200, body = Batch)))]
pub(crate) async fn batch_get(cx: Ctx, Path(at): Path<BatchPath>) -> Result<Json<Batch>> {
    Ok(Json(cx.hub.batch_get(cx.org()?, at.batch).await?))
}

/// Stop a bulk action. Jobs that were already changed stay changed.
#[utoipa::path(post, path = "/api/v1/batches/{batch}/stop", tag = "batches", params(("batch" = String, Path, description = "Id")), responses((status = 200, body = Batch)))]
pub(crate) async fn batch_stop(cx: Ctx, Path(at): Path<BatchPath>) -> Result<Json<Batch>> {
    Ok(Json(cx.hub.batch_stop(&cx.by, cx.org()?, at.batch).await?))
}
