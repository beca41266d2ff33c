//! The installation: all orgs, all people, the hub itself.

use axum::{Json, http::StatusCode};
use domain::UserId;
use proto::{
    Page,
    api::{
        audit::{AuditEntry, AuditQuery, AuditVerdict},
        hub::HubLoops,
        job::OrgJobs,
        org::{Org, OrgRemoval, OrgRequest},
        person::{User, UserPatch},
    },
    page::PageQuery,
};
use serde::Deserialize;

use super::{
    body::{Ask, At, Body},
    cx::Cx,
};
use crate::Result;

#[derive(Deserialize)]
pub(super) struct OrgAt {
    named: String,
}

#[derive(Deserialize)]
pub(super) struct UserAt {
    user: UserId,
}

/// All orgs, by slug.
#[utoipa::path(get, path = "/api/v1/admin/orgs", tag = "admin", params(PageQuery), responses((status = 200, body = Page<Org>)))]
pub(super) async fn org_list(cx: Cx, Ask(query): Ask<PageQuery>) -> Result<Json<Page<Org>>> {
    Ok(Json(cx.hub.org_list(&query).await?))
}

/// Makes an org.
#[utoipa::path(post, path = "/api/v1/admin/orgs", tag = "admin", request_body = OrgRequest, responses((status = 201, body = Org)))]
pub(super) async fn org_create(cx: Cx, Body(request): Body<OrgRequest>) -> Result<(StatusCode, Json<Org>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.org_create(&cx.by, request).await?)))
}

/// Removes an org with all that is in it; asks for its name.
#[utoipa::path(delete, path = "/api/v1/admin/orgs/{named}", tag = "admin", params(("named" = String, Path, description = "Slug or id")), request_body = OrgRemoval, responses((status = 204, description = "Removed")))]
pub(super) async fn org_remove(cx: Cx, At(at): At<OrgAt>, Body(removal): Body<OrgRemoval>) -> Result<StatusCode> {
    cx.hub.org_remove(&cx.by, &at.named, removal).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// All people, by address.
#[utoipa::path(get, path = "/api/v1/admin/users", tag = "admin", params(PageQuery), responses((status = 200, body = Page<User>)))]
pub(super) async fn user_list(cx: Cx, Ask(query): Ask<PageQuery>) -> Result<Json<Page<User>>> {
    Ok(Json(cx.hub.user_list(&query).await?))
}

/// Changes what a person may do in the installation.
#[utoipa::path(patch, path = "/api/v1/admin/users/{user}", tag = "admin", params(("user" = String, Path, description = "Id")), request_body = UserPatch, responses((status = 200, body = User)))]
pub(super) async fn user_update(cx: Cx, At(at): At<UserAt>, Body(patch): Body<UserPatch>) -> Result<Json<User>> {
    Ok(Json(cx.hub.user_update(&cx.by, at.user, patch).await?))
}

/// Removes a person with their tokens and sessions.
#[utoipa::path(delete, path = "/api/v1/admin/users/{user}", tag = "admin", params(("user" = String, Path, description = "Id")), responses((status = 204, description = "Removed")))]
pub(super) async fn user_remove(cx: Cx, At(at): At<UserAt>) -> Result<StatusCode> {
    cx.hub.user_remove(&cx.by, at.user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How the loops of this hub process are.
#[utoipa::path(get, path = "/api/v1/admin/loops", tag = "admin", responses((status = 200, body = HubLoops)))]
pub(super) async fn loops(cx: Cx) -> Json<HubLoops> {
    Json(cx.hub.loops())
}

/// How the jobs of every org do, by slug.
#[utoipa::path(get, path = "/api/v1/admin/jobs/summary", tag = "admin", params(PageQuery), responses((status = 200, body = Page<OrgJobs>)))]
pub(super) async fn job_summary(cx: Cx, Ask(query): Ask<PageQuery>) -> Result<Json<Page<OrgJobs>>> {
    Ok(Json(cx.hub.job_summary_all(&query).await?))
}

/// The audit log of the installation, newest first.
#[utoipa::path(get, path = "/api/v1/admin/audit", tag = "admin", params(AuditQuery), responses((status = 200, body = Page<AuditEntry>)))]
pub(super) async fn audit_list(cx: Cx, Ask(query): Ask<AuditQuery>) -> Result<Json<Page<AuditEntry>>> {
    Ok(Json(cx.hub.audit_list(None, query).await?))
}

/// Checks every chain of the audit log.
#[utoipa::path(get, path = "/api/v1/admin/audit/verify", tag = "admin", responses((status = 200, body = AuditVerdict)))]
pub(super) async fn audit_verify(cx: Cx) -> Result<Json<AuditVerdict>> {
    Ok(Json(cx.hub.audit_verify_all().await?))
}
