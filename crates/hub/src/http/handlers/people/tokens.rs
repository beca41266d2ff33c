//! API tokens.

use axum::{Json, http::StatusCode};
use domain::TokenId;
use proto::{
    Page,
    api::person::{Token, TokenCreated, TokenRequest},
    page::PageQuery,
};
use serde::Deserialize;

use crate::Result;
use crate::http::extract::{Body, Ctx, Path, Query};

#[derive(Deserialize)]
pub(crate) struct TokenPath {
    token: TokenId,
}

/// List the caller's tokens in the organization; for admins, all its tokens.
#[utoipa::path(get, path = "/api/v1/tokens", tag = "people", params(PageQuery), responses((status = 200, body = Page<Token>)))]
pub(crate) async fn token_list(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<Token>>> {
    Ok(Json(cx.hub.token_list(&cx.by, cx.org()?, &query).await?))
}

/// Create a token. Its secret is shown once.
#[utoipa::path(post, path = "/api/v1/tokens", tag = "people", request_body = TokenRequest, responses((status = 201, body = TokenCreated)))]
pub(crate) async fn token_create(
    cx: Ctx,
    Body(request): Body<TokenRequest>,
) -> Result<(StatusCode, Json<TokenCreated>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.token_create(&cx.by, cx.org()?, request).await?)))
}

/// Revoke a token. Its live connections are closed.
#[utoipa::path(delete, path = "/api/v1/tokens/{token}", tag = "people", params(("token" = String, Path, description = "Id")), responses((status = 204, description = "Revoked")))]
pub(crate) async fn token_revoke(cx: Ctx, Path(at): Path<TokenPath>) -> Result<StatusCode> {
    cx.hub.token_revoke(&cx.by, cx.org()?, at.token).await?;
    Ok(StatusCode::NO_CONTENT)
}
