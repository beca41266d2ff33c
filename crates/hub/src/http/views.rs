//! Saved views.

use axum::{Json, http::StatusCode};
use domain::ViewId;
use proto::api::view::{View, ViewPatch, ViewRequest, Views};
use serde::Deserialize;

use super::{
    body::{At, Body},
    cx::Cx,
};
use crate::Result;

#[derive(Deserialize)]
pub(super) struct ViewAt {
    view: ViewId,
}

/// One's saved views, and those for everybody of the org.
#[utoipa::path(get, path = "/api/v1/views", tag = "views", responses((status = 200, body = Views)))]
pub(super) async fn view_list(cx: Cx) -> Result<Json<Views>> {
    Ok(Json(cx.hub.view_list(&cx.by, cx.org()?).await?))
}

/// Keeps a view.
#[utoipa::path(post, path = "/api/v1/views", tag = "views", request_body = ViewRequest, responses((status = 201, body = View)))]
pub(super) async fn view_create(cx: Cx, Body(request): Body<ViewRequest>) -> Result<(StatusCode, Json<View>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.view_create(&cx.by, cx.org()?, request).await?)))
}

/// Changes a view.
#[utoipa::path(patch, path = "/api/v1/views/{view}", tag = "views", params(("view" = String, Path, description = "Id")), request_body = ViewPatch, responses((status = 200, body = View)))]
pub(super) async fn view_update(cx: Cx, At(at): At<ViewAt>, Body(patch): Body<ViewPatch>) -> Result<Json<View>> {
    Ok(Json(cx.hub.view_update(&cx.by, cx.org()?, at.view, patch).await?))
}

/// Removes a view.
#[utoipa::path(delete, path = "/api/v1/views/{view}", tag = "views", params(("view" = String, Path, description = "Id")), responses((status = 204, description = "Removed")))]
pub(super) async fn view_remove(cx: Cx, At(at): At<ViewAt>) -> Result<StatusCode> {
    cx.hub.view_remove(&cx.by, cx.org()?, at.view).await?;
    Ok(StatusCode::NO_CONTENT)
}
