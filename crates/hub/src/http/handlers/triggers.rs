//! Triggers, and the events that programs send.

use axum::{Json, http::StatusCode};
use proto::{
    Page,
    api::trigger::{
        BackfillRequest, Backfilled, EventMade, EventRequest, Fire, ImportRequest, Imported, NextQuery, Preview,
        PreviewRequest, Trigger, TriggerFireRequest, TriggerFired, TriggerRequest, WouldMake,
    },
    page::PageQuery,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::Result;
use crate::http::extract::{Body, Ctx, Path, Query};

#[derive(Deserialize)]
pub(crate) struct TriggerPath {
    trigger: String,
}

/// List the organization's triggers.
#[utoipa::path(get, path = "/api/v1/jobs/triggers", tag = "triggers", params(PageQuery), responses((status = 200, body = Page<Trigger>)))]
pub(crate) async fn trigger_list(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<Trigger>>> {
    Ok(Json(cx.hub.trigger_list(cx.org()?, &query).await?))
}

/// Create a trigger: a schedule or an event rule.
#[utoipa::path(post, path = "/api/v1/jobs/triggers", tag = "triggers", request_body = TriggerRequest, responses((status = 201, body = Trigger)))]
pub(crate) async fn trigger_create(
    cx: Ctx,
    Body(request): Body<TriggerRequest>,
) -> Result<(StatusCode, Json<Trigger>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.trigger_create(&cx.by, cx.org()?, request).await?)))
}

/// Preview the next times of a schedule before it is created.
#[utoipa::path(post, path = "/api/v1/jobs/triggers/preview", tag = "triggers", request_body = PreviewRequest, responses((status = 200, body = Preview)))]
pub(crate) async fn schedule_preview(cx: Ctx, Body(request): Body<PreviewRequest>) -> Result<Json<Preview>> {
    Ok(Json(cx.hub.schedule_preview(cx.org()?, request).await?))
}

/// Import a crontab. Each line that can be parsed becomes a definition and a trigger.
#[utoipa::path(post, path = "/api/v1/jobs/triggers/import", tag = "triggers", request_body = ImportRequest, responses((status = 200, body = Imported)))]
pub(crate) async fn crontab_import(cx: Ctx, Body(request): Body<ImportRequest>) -> Result<Json<Imported>> {
    Ok(Json(cx.hub.crontab_import(&cx.by, cx.org()?, request).await?))
}

/// Get a trigger by id or label.
#[utoipa::path(get, path = "/api/v1/jobs/triggers/{trigger}", tag = "triggers", params(("trigger" = String, Path, description = "Id or label")), responses((status = 200, body = Trigger)))]
pub(crate) async fn trigger_get(cx: Ctx, Path(at): Path<TriggerPath>) -> Result<Json<Trigger>> {
    Ok(Json(cx.hub.trigger_get(cx.org()?, &at.trigger).await?))
}

/// Change fields of a trigger. A named field is replaced as a whole; null removes it.
#[utoipa::path(patch, path = "/api/v1/jobs/triggers/{trigger}", tag = "triggers", params(("trigger" = String, Path, description = "Id or label")), request_body = TriggerRequest, responses((status = 200, body = Trigger)))]
pub(crate) async fn trigger_update(
    cx: Ctx,
    Path(at): Path<TriggerPath>,
    Body(patch): Body<Map<String, Value>>,
) -> Result<Json<Trigger>> {
    Ok(Json(cx.hub.trigger_update(&cx.by, cx.org()?, &at.trigger, patch).await?))
}

/// Remove a trigger. Its history is kept.
#[utoipa::path(delete, path = "/api/v1/jobs/triggers/{trigger}", tag = "triggers", params(("trigger" = String, Path, description = "Id or label")), responses((status = 204, description = "Removed")))]
pub(crate) async fn trigger_remove(cx: Ctx, Path(at): Path<TriggerPath>) -> Result<StatusCode> {
    cx.hub.trigger_remove(&cx.by, cx.org()?, &at.trigger).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the next times of a trigger.
#[utoipa::path(get, path = "/api/v1/jobs/triggers/{trigger}/next", tag = "triggers", params(("trigger" = String, Path, description = "Id or label"), NextQuery), responses((status = 200, body = Preview)))]
pub(crate) async fn trigger_next(
    cx: Ctx,
    Path(at): Path<TriggerPath>,
    Query(query): Query<NextQuery>,
) -> Result<Json<Preview>> {
    Ok(Json(cx.hub.trigger_next(cx.org()?, &at.trigger, &query).await?))
}

/// List the fires of a trigger, newest first.
#[utoipa::path(get, path = "/api/v1/jobs/triggers/{trigger}/history", tag = "triggers", params(("trigger" = String, Path, description = "Id or label"), PageQuery), responses((status = 200, body = Page<Fire>)))]
pub(crate) async fn trigger_history(
    cx: Ctx,
    Path(at): Path<TriggerPath>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Fire>>> {
    Ok(Json(cx.hub.trigger_history(cx.org()?, &at.trigger, &query).await?))
}

/// Test a trigger: show the jobs that it would create now or for this event. Creates nothing.
#[utoipa::path(post, path = "/api/v1/jobs/triggers/{trigger}/test", tag = "triggers", params(("trigger" = String, Path, description = "Id or label")), request_body = TriggerFireRequest, responses((status = 200, body = WouldMake)))]
pub(crate) async fn trigger_test(
    cx: Ctx,
    Path(at): Path<TriggerPath>,
    Body(request): Body<TriggerFireRequest>,
) -> Result<Json<WouldMake>> {
    Ok(Json(cx.hub.trigger_test(cx.org()?, &at.trigger, request).await?))
}

/// Fire a trigger now.
#[utoipa::path(post, path = "/api/v1/jobs/triggers/{trigger}/fire", tag = "triggers", params(("trigger" = String, Path, description = "Id or label")), request_body = TriggerFireRequest, responses((status = 201, body = TriggerFired)))]
pub(crate) async fn trigger_fire(
    cx: Ctx,
    Path(at): Path<TriggerPath>,
    Body(request): Body<TriggerFireRequest>,
) -> Result<(StatusCode, Json<TriggerFired>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.trigger_fire(&cx.by, cx.org()?, &at.trigger, request).await?)))
}

/// Create jobs for past times of a schedule that have none.
#[utoipa::path(post, path = "/api/v1/jobs/triggers/{trigger}/backfill", tag = "triggers", params(("trigger" = String, Path, description = "Id or label")), request_body = BackfillRequest, responses((status = 200, body = Backfilled)))]
pub(crate) async fn trigger_backfill(
    cx: Ctx,
    Path(at): Path<TriggerPath>,
    Body(request): Body<BackfillRequest>,
) -> Result<Json<Backfilled>> {
    Ok(Json(cx.hub.trigger_backfill(&cx.by, cx.org()?, &at.trigger, request).await?))
}

/// Send an event. The event and the jobs of all triggers that it fires are written in one transaction.
#[utoipa::path(post, path = "/api/v1/events", tag = "events", request_body = EventRequest, responses((status = 201, body = EventMade)))]
pub(crate) async fn event_emit(cx: Ctx, Body(request): Body<EventRequest>) -> Result<(StatusCode, Json<EventMade>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.event_emit(&cx.by, cx.org()?, request).await?)))
}
