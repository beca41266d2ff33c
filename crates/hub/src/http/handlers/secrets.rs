//! Secrets of an organization. Their values can be set and are never returned.

use axum::{Json, http::StatusCode};
use proto::api::secret::{Secret, SecretRequest, Secrets};
use serde::Deserialize;

use crate::Result;
use crate::http::extract::{Body, Ctx, Path};

#[derive(Deserialize)]
pub(crate) struct SecretPath {
    secret: String,
}

/// List the names of the organization's secrets.
#[utoipa::path(get, path = "/api/v1/secrets", tag = "secrets", responses((status = 200, body = Secrets)))]
pub(crate) async fn secret_list(cx: Ctx) -> Result<Json<Secrets>> {
    Ok(Json(cx.hub.secret_list(cx.org()?).await?))
}

/// Set a secret. Its value is only given to runs whose definition names it.
#[utoipa::path(put, path = "/api/v1/secrets/{secret}", tag = "secrets", params(("secret" = String, Path, description = "Name")), request_body = SecretRequest, responses((status = 200, body = Secret)))]
pub(crate) async fn secret_set(
    cx: Ctx,
    Path(at): Path<SecretPath>,
    Body(request): Body<SecretRequest>,
) -> Result<Json<Secret>> {
    Ok(Json(cx.hub.secret_set(&cx.by, cx.org()?, &at.secret, request).await?))
}

/// Remove a secret. Jobs that need it wait until it is set again.
#[utoipa::path(delete, path = "/api/v1/secrets/{secret}", tag = "secrets", params(("secret" = String, Path, description = "Name")), responses((status = 204, description = "Removed")))]
pub(crate) async fn secret_remove(cx: Ctx, Path(at): Path<SecretPath>) -> Result<StatusCode> {
    cx.hub.secret_remove(&cx.by, cx.org()?, &at.secret).await?;
    Ok(StatusCode::NO_CONTENT)
}
