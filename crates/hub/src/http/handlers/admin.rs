//! Routes of the installation: all organizations, all users, the hub itself.

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

use crate::Result;
use crate::http::extract::{Body, Ctx, Path, Query};

#[derive(Deserialize)]
pub(crate) struct OrgPath {
    named: String,
}

#[derive(Deserialize)]
pub(crate) struct UserPath {
    user: UserId,
}

/// List all organizations by slug.
#[utoipa::path(get, path = "/api/v1/admin/orgs", tag = "admin", params(PageQuery), responses((status = 200, body = Page<Org>)))]
pub(crate) async fn org_list(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<Org>>> {
    Ok(Json(cx.hub.org_list(&query).await?))
}

/// Create an organization.
#[utoipa::path(post, path = "/api/v1/admin/orgs", tag = "admin", request_body = OrgRequest, responses((status = 201, body = Org)))]
pub(crate) async fn org_create(cx: Ctx, Body(request): Body<OrgRequest>) -> Result<(StatusCode, Json<Org>)> {
    Ok((StatusCode::CREATED, Json(cx.hub.org_create(&cx.by, request).await?)))
}

/// Remove an organization with everything in it. The body must repeat its slug.
#[utoipa::path(delete, path = "/api/v1/admin/orgs/{named}", tag = "admin", params(("named" = String, Path, description = "Slug or id")), request_body = OrgRemoval, responses((status = 204, description = "Removed")))]
pub(crate) async fn org_remove(
    cx: Ctx,
    Path(at): Path<OrgPath>,
    Body(removal): Body<OrgRemoval>,
) -> Result<StatusCode> {
    cx.hub.org_remove(&cx.by, &at.named, removal).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List all users by email address.
#[utoipa::path(get, path = "/api/v1/admin/users", tag = "admin", params(PageQuery), responses((status = 200, body = Page<User>)))]
pub(crate) async fn user_list(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<User>>> {
    Ok(Json(cx.hub.user_list(&query).await?))
}

/// Change a user's rights in the installation.
#[utoipa::path(patch, path = "/api/v1/admin/users/{user}", tag = "admin", params(("user" = String, Path, description = "Id")), request_body = UserPatch, responses((status = 200, body = User)))]
pub(crate) async fn user_update(cx: Ctx, Path(at): Path<UserPath>, Body(patch): Body<UserPatch>) -> Result<Json<User>> {
    Ok(Json(cx.hub.user_update(&cx.by, at.user, patch).await?))
}

/// Remove a user with all tokens and sessions.
#[utoipa::path(delete, path = "/api/v1/admin/users/{user}", tag = "admin", params(("user" = String, Path, description = "Id")), responses((status = 204, description = "Removed")))]
pub(crate) async fn user_remove(cx: Ctx, Path(at): Path<UserPath>) -> Result<StatusCode> {
    cx.hub.user_remove(&cx.by, at.user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Get the status of this hub process's loops.
#[utoipa::path(get, path = "/api/v1/admin/loops", tag = "admin", responses((status = 200, body = HubLoops)))]
pub(crate) async fn loops(cx: Ctx) -> Json<HubLoops> {
    Json(cx.hub.loops())
}

/// Count the jobs of every organization.
#[utoipa::path(get, path = "/api/v1/admin/jobs/summary", tag = "admin", params(PageQuery), responses((status = 200, body = Page<OrgJobs>)))]
pub(crate) async fn job_summary(cx: Ctx, Query(query): Query<PageQuery>) -> Result<Json<Page<OrgJobs>>> {
    Ok(Json(cx.hub.job_summary_all(&query).await?))
}

/// List the audit log of the installation, newest first.
#[utoipa::path(get, path = "/api/v1/admin/audit", tag = "admin", params(AuditQuery), responses((status = 200, body = Page<AuditEntry>)))]
pub(crate) async fn audit_list(cx: Ctx, Query(query): Query<AuditQuery>) -> Result<Json<Page<AuditEntry>>> {
    Ok(Json(cx.hub.audit_list(None, query).await?))
}

/// Verify every hash chain of the audit log.
#[utoipa::path(get, path = "/api/v1/admin/audit/verify", tag = "admin", responses((status = 200, body = AuditVerdict)))]
pub(crate) async fn audit_verify(cx: Ctx) -> Result<Json<AuditVerdict>> {
    Ok(Json(cx.hub.audit_verify_all().await?))
}
