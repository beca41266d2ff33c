//! The home of hosts that have joined several hubs.

use axum::Json;
use proto::api::primary::Promoted;

use crate::Result;
use crate::http::extract::Ctx;

/// Makes this hub the home of the org's hosts.
///
/// Hosts that get their work from another hub move here as soon as they hear of it, at the latest when they next link. What
/// waits at the former home stays there.
#[utoipa::path(post, path = "/api/v1/home", tag = "org", responses((status = 200, body = Promoted)))]
pub(crate) async fn promote(cx: Ctx) -> Result<Json<Promoted>> {
    Ok(Json(cx.hub.promote(&cx.by, cx.org()?).await?))
}
