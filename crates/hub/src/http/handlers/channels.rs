//! Notification channels, and the notifications sent to them.

use axum::{Json, http::StatusCode};
use proto::{
    Page,
    api::channel::{Channel, ChannelRequest, ChannelTested, Channels, Notice},
    page::PageQuery,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::Result;
use crate::http::extract::{Body, Ctx, Path, Query};

#[derive(Deserialize)]
pub(crate) struct ChannelPath {
    channel: String,
}

/// List the notification channels.
#[utoipa::path(get, path = "/api/v1/channels", tag = "channels", responses((status = 200, body = Channels)))]
pub(crate) async fn channel_list(cx: Ctx) -> Result<Json<Channels>> {
    Ok(Json(cx.hub.channel_list(cx.org()?).await?))
}

/// Create a channel.
#[utoipa::path(post, path = "/api/v1/channels", tag = "channels", request_body = ChannelRequest, responses((status = 201, body = Channel)))]
pub(crate) async fn channel_create(
    cx: Ctx,
    Body(request): Body<ChannelRequest>,
) -> Result<(StatusCode, Json<Channel>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.channel_create(&cx.by, cx.org()?, request).await?)))
}

/// Get a channel by id or name.
#[utoipa::path(get, path = "/api/v1/channels/{channel}", tag = "channels", params(("channel" = String, Path, description = "Id or name")), responses((status = 200, body = Channel)))]
pub(crate) async fn channel_get(cx: Ctx, Path(at): Path<ChannelPath>) -> Result<Json<Channel>> {
    Ok(Json(cx.hub.channel_get(cx.org()?, &at.channel).await?))
}

/// Change fields of a channel. A named field is replaced as a whole; null removes it.
#[utoipa::path(patch, path = "/api/v1/channels/{channel}", tag = "channels", params(("channel" = String, Path, description = "Id or name")), request_body = ChannelRequest, responses((status = 200, body = Channel)))]
pub(crate) async fn channel_update(
    cx: Ctx,
    Path(at): Path<ChannelPath>,
    Body(patch): Body<Map<String, Value>>,
) -> Result<Json<Channel>> {
    Ok(Json(cx.hub.channel_update(&cx.by, cx.org()?, &at.channel, patch).await?))
}

/// Remove a channel.
#[utoipa::path(delete, path = "/api/v1/channels/{channel}", tag = "channels", params(("channel" = String, Path, description = "Id or name")), responses((status = 204, description = "Removed")))]
pub(crate) async fn channel_remove(cx: Ctx, Path(at): Path<ChannelPath>) -> Result<StatusCode> {
    cx.hub.channel_remove(&cx.by, cx.org()?, &at.channel).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Send a test notification to a channel.
#[utoipa::path(post, path = "/api/v1/channels/{channel}/test", tag = "channels", params(("channel" = String, Path, description = "Id or name")), responses((status = 200, body = ChannelTested)))]
pub(crate) async fn channel_test(cx: Ctx, Path(at): Path<ChannelPath>) -> Result<Json<ChannelTested>> {
    Ok(Json(cx.hub.channel_test(&cx.by, cx.org()?, &at.channel).await?))
}

/// List sent and pending notifications, newest first.
#[utoipa::path(get, path = "/api/v1/notices", tag = "channels", params(PageQuery), responses((status = 200, body = Page<Notice>)))]
pub(crate) async fn notice_list(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<Notice>>> {
    Ok(Json(cx.hub.notice_list(cx.org()?, &query).await?))
}
