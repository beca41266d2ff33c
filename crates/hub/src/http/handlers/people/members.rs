//! Members of an organization, and invitations to it.

use axum::{Json, http::StatusCode};
use domain::{InvitationId, UserId};
use proto::{
    Page,
    api::org::{Invitation, InvitationCreated, InvitationRequest, Member, MemberPatch},
    page::PageQuery,
};
use serde::Deserialize;

use crate::Result;
use crate::http::extract::{Body, Ctx, Path, Query};

#[derive(Deserialize)]
pub(crate) struct MemberPath {
    user: UserId,
}

#[derive(Deserialize)]
pub(crate) struct InvitationPath {
    invitation: InvitationId,
}

/// List the organization's members by email address.
#[utoipa::path(get, path = "/api/v1/members", tag = "people", params(PageQuery), responses((status = 200, body = Page<Member>)))]
pub(crate) async fn member_list(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<Member>>> {
    Ok(Json(cx.hub.member_list(cx.org()?, &query).await?))
}

/// Change a member's role. Their live connections are closed.
#[utoipa::path(patch, path = "/api/v1/members/{user}", tag = "people", params(("user" = String, Path, description = "Id")), request_body = MemberPatch, responses((status = 200, body = Member)))]
pub(crate) async fn member_update(
    cx: Ctx,
    Path(at): Path<MemberPath>,
    Body(patch): Body<MemberPatch>,
) -> Result<Json<Member>> {
    Ok(Json(cx.hub.member_update(&cx.by, cx.org()?, at.user, patch.role).await?))
}

/// Remove a member from the organization. Their live connections are closed.
#[utoipa::path(delete, path = "/api/v1/members/{user}", tag = "people", params(("user" = String, Path, description = "Id")), responses((status = 204, description = "Removed")))]
pub(crate) async fn member_remove(cx: Ctx, Path(at): Path<MemberPath>) -> Result<StatusCode> {
    cx.hub.member_remove(&cx.by, cx.org()?, at.user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the organization's open invitations.
#[utoipa::path(get, path = "/api/v1/invitations", tag = "people", params(PageQuery), responses((status = 200, body = Page<Invitation>)))]
pub(crate) async fn invitation_list(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<Invitation>>> {
    Ok(Json(cx.hub.invitation_list(cx.org()?, &query).await?))
}

/// Invite a person. The link is shown once.
#[utoipa::path(post, path = "/api/v1/invitations", tag = "people", request_body = InvitationRequest, responses((status = 201, body = InvitationCreated)))]
pub(crate) async fn invitation_create(
    cx: Ctx,
    Body(request): Body<InvitationRequest>,
) -> Result<(StatusCode, Json<InvitationCreated>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.invitation_create(&cx.by, cx.org()?, request).await?)))
}

/// Revoke an open invitation.
#[utoipa::path(delete, path = "/api/v1/invitations/{invitation}", tag = "people", params(("invitation" = String, Path, description = "Id")), responses((status = 204, description = "Removed")))]
pub(crate) async fn invitation_remove(cx: Ctx, Path(at): Path<InvitationPath>) -> Result<StatusCode> {
    cx.hub.invitation_remove(&cx.by, cx.org()?, at.invitation).await?;
    Ok(StatusCode::NO_CONTENT)
}
