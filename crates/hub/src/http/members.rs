//! The people of an org, and invitations to it.

use axum::{Json, http::StatusCode};
use domain::{InvitationId, UserId};
use proto::{
    Page,
    api::org::{Invitation, InvitationCreated, InvitationRequest, Member, MemberPatch},
    page::PageQuery,
};
use serde::Deserialize;

use super::{
    body::{Ask, At, Body},
    cx::Cx,
};
use crate::Result;

#[derive(Deserialize)]
pub(super) struct MemberAt {
    user: UserId,
}

#[derive(Deserialize)]
pub(super) struct InvitationAt {
    invitation: InvitationId,
}

/// The members of the org, by address.
#[utoipa::path(get, path = "/api/v1/members", tag = "people", params(PageQuery), responses((status = 200, body = Page<Member>)))]
pub(super) async fn member_list(cx: Cx, Ask(query): Ask<PageQuery>) -> Result<Json<Page<Member>>> {
    Ok(Json(cx.hub.member_list(cx.org()?, &query).await?))
}

/// Changes a member's role; their live sockets close.
#[utoipa::path(patch, path = "/api/v1/members/{user}", tag = "people", params(("user" = String, Path, description = "Id")), request_body = MemberPatch, responses((status = 200, body = Member)))]
pub(super) async fn member_update(
    cx: Cx,
    At(at): At<MemberAt>,
    Body(patch): Body<MemberPatch>,
) -> Result<Json<Member>> {
    Ok(Json(cx.hub.member_update(&cx.by, cx.org()?, at.user, patch.role).await?))
}

/// Takes a person out of the org; their live sockets close.
#[utoipa::path(delete, path = "/api/v1/members/{user}", tag = "people", params(("user" = String, Path, description = "Id")), responses((status = 204, description = "Removed")))]
pub(super) async fn member_remove(cx: Cx, At(at): At<MemberAt>) -> Result<StatusCode> {
    cx.hub.member_remove(&cx.by, cx.org()?, at.user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The open invitations of the org.
#[utoipa::path(get, path = "/api/v1/invitations", tag = "people", params(PageQuery), responses((status = 200, body = Page<Invitation>)))]
pub(super) async fn invitation_list(cx: Cx, Ask(query): Ask<PageQuery>) -> Result<Json<Page<Invitation>>> {
    Ok(Json(cx.hub.invitation_list(cx.org()?, &query).await?))
}

/// Invites a person; the link is shown once.
#[utoipa::path(post, path = "/api/v1/invitations", tag = "people", request_body = InvitationRequest, responses((status = 201, body = InvitationCreated)))]
pub(super) async fn invitation_create(
    cx: Cx,
    Body(request): Body<InvitationRequest>,
) -> Result<(StatusCode, Json<InvitationCreated>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.invitation_create(&cx.by, cx.org()?, request).await?)))
}

/// Takes an invitation back.
#[utoipa::path(delete, path = "/api/v1/invitations/{invitation}", tag = "people", params(("invitation" = String, Path, description = "Id")), responses((status = 204, description = "Removed")))]
pub(super) async fn invitation_remove(cx: Cx, At(at): At<InvitationAt>) -> Result<StatusCode> {
    cx.hub.invitation_remove(&cx.by, cx.org()?, at.invitation).await?;
    Ok(StatusCode::NO_CONTENT)
}
