//! Liveness, readiness and metrics of the hub.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use proto::Code;

use crate::http::{extract::Ctx, metrics as numbers};
use crate::{Error, Result};

/// Check that the process is alive.
#[utoipa::path(get, path = "/healthz", tag = "hub", responses((status = 200, description = "Alive", body = String, content_type = "text/plain")))]
pub(crate) async fn healthz(_: Ctx) -> &'static str {
    "ok\n"
}

/// Check that the hub accepts requests: it is not stopping, its writers run, and its database is available and accepts
/// writes.
#[utoipa::path(get, path = "/readyz", tag = "hub", responses((status = 200, description = "Ready", body = String, content_type = "text/plain")))]
pub(crate) async fn readyz(cx: Ctx) -> Result<&'static str> {
    if cx.hub.stopping().has_begun() {
        return Err(Error::new(Code::HubStopping, "the hub is stopping"));
    }
    let down = cx.hub.writers.down();
    if !down.is_empty() {
        let detail = format!("tasks of the hub are restarting after a panic: {}", down.join(", "));
        return Err(Error::new(Code::HubBusy, detail).hint("the hub's log has the cause"));
    }
    let is_read_only =
        cx.hub.store.query(|tx| Box::pin(async move { tx.hub_read_only().await.map_err(Error::from) })).await?;
    if is_read_only { Err(Error::read_only()) } else { Ok("ready\n") }
}

/// Get metrics for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "hub", responses((status = 200, description = "OpenMetrics text", body = String, content_type = "text/plain")))]
pub(crate) async fn metrics(cx: Ctx) -> Result<Response> {
    let text = numbers::text(&cx.hub).await?;
    Ok(([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response())
}
