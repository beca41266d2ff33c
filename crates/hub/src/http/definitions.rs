//! Definitions.

use axum::{Json, http::StatusCode};
use proto::api::definition::{
    Definition, DefinitionHistory, DefinitionPage, DefinitionPut, DefinitionQuery, DefinitionRequest, DefinitionSchema,
};
use serde::Deserialize;

use super::{
    body::{Ask, At, Body},
    cx::Cx,
};
use crate::Result;

#[derive(Deserialize)]
pub(super) struct DefinitionAt {
    definition: String,
}

/// All definitions, by key.
#[utoipa::path(get, path = "/api/v1/admin/jobs/definitions", tag = "definitions", params(DefinitionQuery), responses((status = 200, body = DefinitionPage)))]
pub(super) async fn list_all(cx: Cx, Ask(query): Ask<DefinitionQuery>) -> Result<Json<DefinitionPage>> {
    Ok(Json(cx.hub.definition_list(&query).await?))
}

/// Makes a definition, or the next version of the one with this key.
#[utoipa::path(post, path = "/api/v1/admin/jobs/definitions", tag = "definitions", request_body = DefinitionRequest, responses((status = 201, body = DefinitionPut, description = "New"), (status = 200, body = DefinitionPut, description = "Changed, or as it was")))]
pub(super) async fn put(cx: Cx, Body(request): Body<DefinitionRequest>) -> Result<(StatusCode, Json<DefinitionPut>)> {
    let put = cx.hub.definition_put(&cx.by, request).await?;
    Ok((if put.is_new { StatusCode::CREATED } else { StatusCode::OK }, Json(put)))
}

/// One definition, by key or id.
#[utoipa::path(get, path = "/api/v1/admin/jobs/definitions/{definition}", tag = "definitions", params(("definition" = String, Path, description = "Key or id")), responses((status = 200, body = DefinitionSchema)))]
pub(super) async fn get_any(cx: Cx, At(at): At<DefinitionAt>) -> Result<Json<Definition>> {
    Ok(Json(cx.hub.definition_get(&at.definition).await?))
}

/// Changes fields of a definition.
#[utoipa::path(patch, path = "/api/v1/admin/jobs/definitions/{definition}", tag = "definitions", params(("definition" = String, Path, description = "Key or id")), request_body = DefinitionRequest, responses((status = 200, body = DefinitionPut)))]
pub(super) async fn update(
    cx: Cx,
    At(at): At<DefinitionAt>,
    Body(request): Body<DefinitionRequest>,
) -> Result<Json<DefinitionPut>> {
    Ok(Json(cx.hub.definition_update(&cx.by, &at.definition, request).await?))
}

/// The versions of a definition, newest first.
#[utoipa::path(get, path = "/api/v1/admin/jobs/definitions/{definition}/history", tag = "definitions", params(("definition" = String, Path, description = "Key or id")), responses((status = 200, body = DefinitionHistory)))]
pub(super) async fn history(cx: Cx, At(at): At<DefinitionAt>) -> Result<Json<DefinitionHistory>> {
    Ok(Json(cx.hub.definition_history(&at.definition).await?))
}

/// The definitions that the org may use.
#[utoipa::path(get, path = "/api/v1/jobs/definitions", tag = "definitions", params(DefinitionQuery), responses((status = 200, body = DefinitionPage)))]
pub(super) async fn list(cx: Cx, Ask(query): Ask<DefinitionQuery>) -> Result<Json<DefinitionPage>> {
    Ok(Json(cx.hub.definition_list_for(cx.org()?, &query).await?))
}

/// One definition that the org may use, by key.
#[utoipa::path(get, path = "/api/v1/jobs/definitions/{definition}", tag = "definitions", params(("definition" = String, Path, description = "Key")), responses((status = 200, body = DefinitionSchema)))]
pub(super) async fn get(cx: Cx, At(at): At<DefinitionAt>) -> Result<Json<Definition>> {
    Ok(Json(cx.hub.definition_get_for(cx.org()?, &at.definition).await?))
}
