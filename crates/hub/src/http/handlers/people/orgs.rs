//! An organization, its settings and its status.

use axum::Json;
use proto::api::{
    hub::Status,
    org::{Org, OrgPatch},
};

use crate::Result;
use crate::http::extract::{Body, Ctx};

/// Get the organization.
#[utoipa::path(get, path = "/api/v1/org", tag = "org", responses((status = 200, body = Org)))]
pub(crate) async fn org_get(cx: Ctx) -> Result<Json<Org>> {
    Ok(Json(cx.hub.org_get(cx.org()?).await?))
}

/// Change the organization's settings.
#[utoipa::path(patch, path = "/api/v1/org", tag = "org", request_body = OrgPatch, responses((status = 200, body = Org)))]
pub(crate) async fn org_update(cx: Ctx, Body(patch): Body<OrgPatch>) -> Result<Json<Org>> {
    Ok(Json(cx.hub.org_update(&cx.by, cx.org()?, patch).await?))
}

/// Get a summary of the organization: hosts by status, runner versions, database.
#[utoipa::path(get, path = "/api/v1/status", tag = "org", responses((status = 200, body = Status)))]
pub(crate) async fn status(cx: Ctx) -> Result<Json<Status>> {
    Ok(Json(cx.hub.status(cx.org()?).await?))
}
