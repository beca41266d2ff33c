//! Secrets of the org: written, listed by name, never shown.

use axum::{Json, http::StatusCode};
use proto::api::secret::{Secret, SecretRequest, Secrets};
use serde::Deserialize;

use super::{
    body::{At, Body},
    cx::Cx,
};
use crate::Result;

#[derive(Deserialize)]
pub(super) struct SecretAt {
    secret: String,
}

/// The names of the org's secrets.
#[utoipa::path(get, path = "/api/v1/secrets", tag = "secrets", responses((status = 200, body = Secrets)))]
pub(super) async fn secret_list(cx: Cx) -> Result<Json<Secrets>> {
    Ok(Json(cx.hub.secret_list(cx.org()?).await?))
}

/// Sets a secret; nothing gives its value out again but a run whose definition names it.
#[utoipa::path(put, path = "/api/v1/secrets/{secret}", tag = "secrets", params(("secret" = String, Path, description = "Its name")), request_body = SecretRequest, responses((status = 200, body = Secret)))]
pub(super) async fn secret_set(
    cx: Cx,
    At(at): At<SecretAt>,
    Body(request): Body<SecretRequest>,
) -> Result<Json<Secret>> {
    Ok(Json(cx.hub.secret_set(&cx.by, cx.org()?, &at.secret, request).await?))
}

/// Removes a secret; jobs that need it wait until it is set again.
#[utoipa::path(delete, path = "/api/v1/secrets/{secret}", tag = "secrets", params(("secret" = String, Path, description = "Its name")), responses((status = 204, description = "Removed")))]
pub(super) async fn secret_remove(cx: Cx, At(at): At<SecretAt>) -> Result<StatusCode> {
    cx.hub.secret_remove(&cx.by, cx.org()?, &at.secret).await?;
    Ok(StatusCode::NO_CONTENT)
}
