//! Routes for runners: join, link, and the runner's own host.

use std::{sync::Arc, time::Instant};

use axum::{
    Extension, Json,
    extract::{FromRequestParts as _, Request, WebSocketUpgrade},
    http::{StatusCode, header},
    response::Response,
};
use proto::{
    Code,
    api::host::HostDetail,
    link::{ChannelBinding, JoinAccepted, JoinRequest},
};

use crate::http::{
    extract::{Body, Ctx},
    request_meta::RequestMeta,
};
use crate::{
    Error, Peer, Result,
    connections::ConnectionPlace,
    link::accept::{self, LinkOrigin},
};

/// Rejects runners that connect without encryption over a network: tokens and keys could be read.
pub(crate) fn encrypted(seen: &RequestMeta) -> Result<()> {
    let is_near = match seen.peer {
        Peer::Tcp { address, .. } => address.ip().to_canonical().is_loopback(),
        Peer::Local { .. } | Peer::Memory => true,
    };
    if seen.is_encrypted || is_near {
        return Ok(());
    }
    Err(Error::new(Code::Forbidden, "runners must connect over TLS or from this machine")
        .hint("use `hostler join`, which connects over TLS"))
}

/// Join a machine as a host, with a join token.
#[utoipa::path(post, path = "/api/v1/join", tag = "runner", request_body = JoinRequest, responses((status = 200, body = JoinAccepted)))]
pub(crate) async fn join(
    cx: Ctx,
    Extension(seen): Extension<RequestMeta>,
    binding: Option<Extension<ChannelBinding>>,
    Body(request): Body<JoinRequest>,
) -> Result<Json<JoinAccepted>> {
    encrypted(&seen)?;
    Ok(Json(cx.hub.join_over(&cx.by, request, binding.map(|Extension(binding)| binding)).await?))
}

/// Open the runner link: a WebSocket on which the runner proves its key.
#[utoipa::path(get, path = "/api/v1/link", tag = "runner", responses((status = 101, description = "The link is open")))]
pub(crate) async fn link(cx: Ctx, Extension(seen): Extension<RequestMeta>, request: Request) -> Result<Response> {
    encrypted(&seen)?;
    // Browsers send one of these; a page must not be able to open a runner link.
    if request.headers().contains_key(header::COOKIE) || request.headers().contains_key(header::ORIGIN) {
        return Err(Error::new(Code::CrossSite, "the runner link does not accept browsers"));
    }
    cx.hub.admission.try_admit(Instant::now(), cx.hub.random.unit()).map_err(|wait| {
        Error::new(Code::HubBusy, format!("too many runners are connecting; try again in {wait}")).retry_after(wait)
    })?;
    let (mut parts, _) = request.into_parts();
    let place = parts.extensions.remove::<Arc<ConnectionPlace>>();
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &())
        .await
        .map_err(|error| Error::new(Code::MalformedRequest, error.body_text()))?;
    let origin = LinkOrigin {
        address: seen.address,
        binding: parts.extensions.get::<ChannelBinding>().copied(),
        is_own_process: seen.peer == Peer::Memory,
        place,
    };
    Ok(accept::accept(cx.hub, upgrade, origin))
}

/// Get the runner's own host.
#[utoipa::path(get, path = "/api/v1/runner/self", tag = "runner", responses((status = 200, body = HostDetail)))]
pub(crate) async fn own(cx: Ctx) -> Result<Json<HostDetail>> {
    let host = cx.host.ok_or_else(|| Error::internal(anyhow::anyhow!("a runner route without a runner")))?;
    Ok(Json(cx.hub.host_get(cx.org()?, &host.to_string()).await?))
}

/// Leave the organization: the runner's host is removed.
#[utoipa::path(post, path = "/api/v1/runner/leave", tag = "runner", responses((status = 204, description = "Left")))]
pub(crate) async fn leave(cx: Ctx) -> Result<StatusCode> {
    let host = cx.host.ok_or_else(|| Error::internal(anyhow::anyhow!("a runner route without a runner")))?;
    cx.hub.leave(&cx.by, cx.org()?, host).await?;
    Ok(StatusCode::NO_CONTENT)
}
