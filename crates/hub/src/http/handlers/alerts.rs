//! Alerts, alert rules, mute windows, and the timeline of a host.

use axum::{Json, http::StatusCode};
use domain::{AlertId, WindowId};
use proto::{
    Page,
    api::alert::{
        AckRequest, Alert, AlertQuery, AlertRule, AlertRuleRequest, AlertRules, MuteWindow, MuteWindowRequest,
        MuteWindows, ResolveRequest, SnoozeRequest, Timeline, TimelineQuery,
    },
};
use serde::Deserialize;

use crate::Result;
use crate::http::{
    extract::{Body, Ctx, Path, Query},
    handlers::hosts::HostPath,
};

#[derive(Deserialize)]
pub(crate) struct AlertPath {
    alert: AlertId,
}

#[derive(Deserialize)]
pub(crate) struct RulePath {
    kind: String,
}

#[derive(Deserialize)]
pub(crate) struct WindowPath {
    window: WindowId,
}

/// List the organization's alerts, newest first.
#[utoipa::path(get, path = "/api/v1/alerts", tag = "alerts", params(AlertQuery), responses((status = 200, body = Page<Alert>)))]
pub(crate) async fn alert_list(cx: Ctx, Query(query): Query<AlertQuery>) -> Result<Json<Page<Alert>>> {
    Ok(Json(cx.hub.alert_list(cx.org()?, &query).await?))
}

/// Get an alert.
#[utoipa::path(get, path = "/api/v1/alerts/{alert}", tag = "alerts", params(("alert" = String, Path, description = "Id")), responses((status = 200, body = Alert)))]
pub(crate) async fn alert_get(cx: Ctx, Path(at): Path<AlertPath>) -> Result<Json<Alert>> {
    Ok(Json(cx.hub.alert_get(cx.org()?, at.alert).await?))
}

/// Acknowledge an alert.
#[utoipa::path(post, path = "/api/v1/alerts/{alert}/ack", tag = "alerts", params(("alert" = String, Path, description = "Id")), request_body = AckRequest, responses((status = 200, body = Alert)))]
pub(crate) async fn alert_ack(
    cx: Ctx,
    Path(at): Path<AlertPath>,
    Body(request): Body<AckRequest>,
) -> Result<Json<Alert>> {
    Ok(Json(cx.hub.alert_ack(&cx.by, cx.org()?, at.alert, request).await?))
}

/// Snooze an alert: send no notifications about it until a time.
#[utoipa::path(post, path = "/api/v1/alerts/{alert}/snooze", tag = "alerts", params(("alert" = String, Path, description = "Id")), request_body = SnoozeRequest, responses((status = 200, body = Alert)))]
pub(crate) async fn alert_snooze(
    cx: Ctx,
    Path(at): Path<AlertPath>,
    Body(request): Body<SnoozeRequest>,
) -> Result<Json<Alert>> {
    Ok(Json(cx.hub.alert_snooze(&cx.by, cx.org()?, at.alert, request).await?))
}

/// Resolve an alert by hand.
#[utoipa::path(post, path = "/api/v1/alerts/{alert}/resolve", tag = "alerts", params(("alert" = String, Path, description = "Id")), request_body = ResolveRequest, responses((status = 200, body = Alert)))]
pub(crate) async fn alert_resolve(
    cx: Ctx,
    Path(at): Path<AlertPath>,
    Body(request): Body<ResolveRequest>,
) -> Result<Json<Alert>> {
    Ok(Json(cx.hub.alert_resolve(&cx.by, cx.org()?, at.alert, request).await?))
}

/// List the alert rules, one per kind of alert.
#[utoipa::path(get, path = "/api/v1/alert-rules", tag = "alerts", responses((status = 200, body = AlertRules)))]
pub(crate) async fn alert_rules(cx: Ctx) -> Result<Json<AlertRules>> {
    Ok(Json(cx.hub.alert_rules(cx.org()?).await?))
}

/// Change an alert rule. Absent fields are reset to their defaults.
#[utoipa::path(put, path = "/api/v1/alert-rules/{kind}", tag = "alerts", params(("kind" = String, Path, description = "Kind of alert")), request_body = AlertRuleRequest, responses((status = 200, body = AlertRule)))]
pub(crate) async fn alert_rule_set(
    cx: Ctx,
    Path(at): Path<RulePath>,
    Body(request): Body<AlertRuleRequest>,
) -> Result<Json<AlertRule>> {
    Ok(Json(cx.hub.alert_rule_set(&cx.by, cx.org()?, &at.kind, request).await?))
}

/// List maintenance windows and mutes.
#[utoipa::path(get, path = "/api/v1/maintenance", tag = "alerts", responses((status = 200, body = MuteWindows)))]
pub(crate) async fn mute_window_list(cx: Ctx) -> Result<Json<MuteWindows>> {
    Ok(Json(cx.hub.mute_window_list(cx.org()?).await?))
}

/// Create a maintenance window or a mute. Alerts raised within it are recorded; notifications are sent only if they
/// outlast it.
#[utoipa::path(post, path = "/api/v1/maintenance", tag = "alerts", request_body = MuteWindowRequest, responses((status = 201, body = MuteWindow)))]
pub(crate) async fn mute_window_create(
    cx: Ctx,
    Body(request): Body<MuteWindowRequest>,
) -> Result<(StatusCode, Json<MuteWindow>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.mute_window_create(&cx.by, cx.org()?, request).await?)))
}

/// Remove a maintenance window or a mute.
#[utoipa::path(delete, path = "/api/v1/maintenance/{window}", tag = "alerts", params(("window" = String, Path, description = "Id")), responses((status = 204, description = "Removed")))]
pub(crate) async fn mute_window_remove(cx: Ctx, Path(at): Path<WindowPath>) -> Result<StatusCode> {
    cx.hub.mute_window_remove(&cx.by, cx.org()?, at.window).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Get the timeline of a host: outages, runs, fires of schedules, alerts.
#[utoipa::path(get, path = "/api/v1/hosts/{host}/timeline", tag = "hosts", params(("host" = String, Path, description = "Id or name"), TimelineQuery), responses((status = 200, body = Timeline)))]
pub(crate) async fn host_timeline(
    cx: Ctx,
    Path(at): Path<HostPath>,
    Query(query): Query<TimelineQuery>,
) -> Result<Json<Timeline>> {
    Ok(Json(cx.hub.host_timeline(cx.org()?, &at.host, &query).await?))
}
