//! Promotion of this hub to primary, for hosts that have joined several hubs.

use axum::Json;
use proto::api::primary::Promoted;

use crate::Result;
use crate::http::extract::Ctx;

/// Make this hub the primary of the organization's hosts.
///
/// Hosts with another primary hub move here when they receive the promotion, at the latest at their next connection.
/// Jobs that are queued at the former primary hub stay there.
#[utoipa::path(post, path = "/api/v1/primary", tag = "org", responses((status = 200, body = Promoted)))]
pub(crate) async fn promote(cx: Ctx) -> Result<Json<Promoted>> {
    Ok(Json(cx.hub.promote(&cx.by, cx.org()?).await?))
}
