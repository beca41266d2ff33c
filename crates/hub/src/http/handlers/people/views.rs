//! Saved views of lists.

use axum::{Json, http::StatusCode};
use domain::ViewId;
use proto::api::view::{View, ViewPatch, ViewQuery, ViewRequest, Views};
use serde::Deserialize;

use crate::Result;
use crate::http::extract::{Body, Ctx, Path, Query};

#[derive(Deserialize)]
pub(crate) struct ViewPath {
    view: ViewId,
}

/// List the caller's saved views, and those shared with the organization. `all`, for admins: the views of all members.
#[utoipa::path(get, path = "/api/v1/views", tag = "views", params(ViewQuery), responses((status = 200, body = Views)))]
pub(crate) async fn view_list(cx: Ctx, Query(query): Query<ViewQuery>) -> Result<Json<Views>> {
    Ok(Json(cx.hub.view_list(&cx.by, cx.org()?, query.all).await?))
}

/// Save a view.
#[utoipa::path(post, path = "/api/v1/views", tag = "views", request_body = ViewRequest, responses((status = 201, body = View)))]
pub(crate) async fn view_create(cx: Ctx, Body(request): Body<ViewRequest>) -> Result<(StatusCode, Json<View>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.view_create(&cx.by, cx.org()?, request).await?)))
}

/// Change a view.
#[utoipa::path(patch, path = "/api/v1/views/{view}", tag = "views", params(("view" = String, Path, description = "Id")), request_body = ViewPatch, responses((status = 200, body = View)))]
pub(crate) async fn view_update(cx: Ctx, Path(at): Path<ViewPath>, Body(patch): Body<ViewPatch>) -> Result<Json<View>> {
    Ok(Json(cx.hub.view_update(&cx.by, cx.org()?, at.view, patch).await?))
}

/// Remove a view.
#[utoipa::path(delete, path = "/api/v1/views/{view}", tag = "views", params(("view" = String, Path, description = "Id")), responses((status = 204, description = "Removed")))]
pub(crate) async fn view_remove(cx: Ctx, Path(at): Path<ViewPath>) -> Result<StatusCode> {
    cx.hub.view_remove(&cx.by, cx.org()?, at.view).await?;
    Ok(StatusCode::NO_CONTENT)
}
