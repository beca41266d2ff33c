//! Job definitions: of the installation, and those that an organization may use.

use axum::{Json, http::StatusCode};
use proto::api::definition::{
    Definition, DefinitionHistory, DefinitionPage, DefinitionPut, DefinitionQuery, DefinitionRequest, DefinitionSchema,
};
use serde::Deserialize;

use crate::Result;
use crate::http::extract::{Body, Ctx, Path, Query};

#[derive(Deserialize)]
pub(crate) struct DefinitionPath {
    definition: String,
}

/// List all definitions by key.
#[utoipa::path(get, path = "/api/v1/admin/jobs/definitions", tag = "definitions", params(DefinitionQuery), responses((status = 200, body = DefinitionPage)))]
pub(crate) async fn list_all(cx: Ctx, Query(query): Query<DefinitionQuery>) -> Result<Json<DefinitionPage>> {
    Ok(Json(cx.hub.definition_list(&query).await?))
}

/// Create a definition, or the next version of the definition with this key.
#[utoipa::path(post, path = "/api/v1/admin/jobs/definitions", tag = "definitions", request_body = DefinitionRequest, responses((status = 201, body = DefinitionPut, description = "Created"), (status = 200, body = DefinitionPut, description = "Changed or unchanged")))]
pub(crate) async fn put(cx: Ctx, Body(request): Body<DefinitionRequest>) -> Result<(StatusCode, Json<DefinitionPut>)> {
    let put = cx.hub.definition_put(&cx.by, request).await?;
    Ok((if put.is_new { StatusCode::CREATED } else { StatusCode::OK }, Json(put)))
}

/// Get a definition by key or id.
#[utoipa::path(get, path = "/api/v1/admin/jobs/definitions/{definition}", tag = "definitions", params(("definition" = String, Path, description = "Key or id")), responses((status = 200, body = DefinitionSchema)))]
pub(crate) async fn get_any(cx: Ctx, Path(at): Path<DefinitionPath>) -> Result<Json<Definition>> {
    Ok(Json(cx.hub.definition_get(&at.definition).await?))
}

/// Change fields of a definition.
#[utoipa::path(patch, path = "/api/v1/admin/jobs/definitions/{definition}", tag = "definitions", params(("definition" = String, Path, description = "Key or id")), request_body = DefinitionRequest, responses((status = 200, body = DefinitionPut)))]
pub(crate) async fn update(
    cx: Ctx,
    Path(at): Path<DefinitionPath>,
    Body(request): Body<DefinitionRequest>,
) -> Result<Json<DefinitionPut>> {
    Ok(Json(cx.hub.definition_update(&cx.by, &at.definition, request).await?))
}

/// List the versions of a definition, newest first.
#[utoipa::path(get, path = "/api/v1/admin/jobs/definitions/{definition}/history", tag = "definitions", params(("definition" = String, Path, description = "Key or id")), responses((status = 200, body = DefinitionHistory)))]
pub(crate) async fn history(cx: Ctx, Path(at): Path<DefinitionPath>) -> Result<Json<DefinitionHistory>> {
    Ok(Json(cx.hub.definition_history(&at.definition).await?))
}

/// List the definitions that the organization may use.
#[utoipa::path(get, path = "/api/v1/jobs/definitions", tag = "definitions", params(DefinitionQuery), responses((status = 200, body = DefinitionPage)))]
pub(crate) async fn list(cx: Ctx, Query(query): Query<DefinitionQuery>) -> Result<Json<DefinitionPage>> {
    Ok(Json(cx.hub.definition_list_for(cx.org()?, &query).await?))
}

/// Get a definition that the organization may use, by key.
#[utoipa::path(get, path = "/api/v1/jobs/definitions/{definition}", tag = "definitions", params(("definition" = String, Path, description = "Key")), responses((status = 200, body = DefinitionSchema)))]
pub(crate) async fn get(cx: Ctx, Path(at): Path<DefinitionPath>) -> Result<Json<Definition>> {
    Ok(Json(cx.hub.definition_get_for(cx.org()?, &at.definition).await?))
}
