//! Join tokens, with which machines join as hosts.

use axum::{Json, http::StatusCode};
use domain::JoinTokenId;
use proto::{
    Page,
    api::host::{JoinToken, JoinTokenCreated, JoinTokenRequest},
    page::PageQuery,
};
use serde::Deserialize;

use crate::Result;
use crate::http::extract::{Body, Ctx, Path, Query};

#[derive(Deserialize)]
pub(crate) struct JoinTokenPath {
    join_token: JoinTokenId,
}

/// List the organization's join tokens.
#[utoipa::path(get, path = "/api/v1/join-tokens", tag = "hosts", params(PageQuery), responses((status = 200, body = Page<JoinToken>)))]
pub(crate) async fn join_token_list(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<JoinToken>>> {
    Ok(Json(cx.hub.join_token_list(cx.org()?, &query).await?))
}

/// Create a join token. Its secret is shown once.
#[utoipa::path(post, path = "/api/v1/join-tokens", tag = "hosts", request_body = JoinTokenRequest, responses((status = 201, body = JoinTokenCreated)))]
pub(crate) async fn join_token_create(
    cx: Ctx,
    Body(request): Body<JoinTokenRequest>,
) -> Result<(StatusCode, Json<JoinTokenCreated>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.join_token_create(&cx.by, cx.org()?, request).await?)))
}

/// Revoke a join token. Hosts that joined with it stay.
#[utoipa::path(delete, path = "/api/v1/join-tokens/{join_token}", tag = "hosts", params(("join_token" = String, Path, description = "Id")), responses((status = 204, description = "Revoked")))]
pub(crate) async fn join_token_revoke(cx: Ctx, Path(at): Path<JoinTokenPath>) -> Result<StatusCode> {
    cx.hub.join_token_revoke(&cx.by, cx.org()?, at.join_token).await?;
    Ok(StatusCode::NO_CONTENT)
}
