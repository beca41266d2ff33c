//! API tokens.

use axum::{Json, http::StatusCode};
use domain::TokenId;
use proto::{
    Page,
    api::person::{Token, TokenCreated, TokenRequest},
    page::PageQuery,
};
use serde::Deserialize;

use super::{
    body::{Ask, At, Body},
    cx::Cx,
};
use crate::Result;

#[derive(Deserialize)]
pub(super) struct TokenAt {
    token: TokenId,
}

/// One's tokens in the org; for admins, all of the org.
#[utoipa::path(get, path = "/api/v1/tokens", tag = "people", params(PageQuery), responses((status = 200, body = Page<Token>)))]
pub(super) async fn token_list(cx: Cx, Ask(query): Ask<PageQuery>) -> Result<Json<Page<Token>>> {
    Ok(Json(cx.hub.token_list(&cx.by, cx.org()?, &query).await?))
}

/// Makes a token; its secret is shown once.
#[utoipa::path(post, path = "/api/v1/tokens", tag = "people", request_body = TokenRequest, responses((status = 201, body = TokenCreated)))]
pub(super) async fn token_create(
    cx: Cx,
    Body(request): Body<TokenRequest>,
) -> Result<(StatusCode, Json<TokenCreated>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.token_create(&cx.by, cx.org()?, request).await?)))
}

/// Revokes a token; its live sockets close.
#[utoipa::path(delete, path = "/api/v1/tokens/{token}", tag = "people", params(("token" = String, Path, description = "Id")), responses((status = 204, description = "Revoked")))]
pub(super) async fn token_revoke(cx: Cx, At(at): At<TokenAt>) -> Result<StatusCode> {
    cx.hub.token_revoke(&cx.by, cx.org()?, at.token).await?;
    Ok(StatusCode::NO_CONTENT)
}
