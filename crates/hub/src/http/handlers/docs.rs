//! Documentation served by the hub: its version and key, the OpenAPI document, the pages of error codes.

use std::sync::LazyLock;

use axum::{
    Json,
    http::header,
    response::{IntoResponse, Response},
};
use proto::{Code, api::hub::HubInfo};
use serde::Deserialize;

use crate::http::{
    extract::{Ctx, Path},
    openapi,
};
use crate::{Error, Result};

static OPENAPI: LazyLock<String> = LazyLock::new(openapi::text);

/// Get the hub's version, key and clock.
#[utoipa::path(get, path = "/api/v1/hub", tag = "hub", responses((status = 200, body = HubInfo)))]
pub(crate) async fn hub_info(cx: Ctx) -> Json<HubInfo> {
    Json(cx.hub.info())
}

/// Get this OpenAPI document.
#[utoipa::path(get, path = "/openapi.json", tag = "hub", responses((status = 200, description = "OpenAPI 3.1", body = String, content_type = "application/json")))]
pub(crate) async fn openapi_json(_: Ctx) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI.as_str()).into_response()
}

#[derive(Deserialize)]
pub(crate) struct ErrorPath {
    code: String,
}

/// Get the page of an error code, with its meaning and remedies.
#[utoipa::path(get, path = "/docs/errors/{code}", tag = "hub", params(("code" = String, Path, description = "Error code, such as `not_found`")),
    responses((status = 200, description = "A page in Markdown", body = String, content_type = "text/markdown")))]
pub(crate) async fn error_page(_: Ctx, Path(at): Path<ErrorPath>) -> Result<Response> {
    let code: Code = at.code.parse().map_err(|_| Error::not_found("error code", &at.code))?;
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], code.page()).into_response())
}
