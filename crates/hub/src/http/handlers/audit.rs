//! The audit log of an organization.

use axum::Json;
use proto::{
    Page,
    api::audit::{AuditEntry, AuditQuery, AuditVerdict},
};

use crate::Result;
use crate::http::extract::{Ctx, Query};

/// List the organization's audit log, newest first.
#[utoipa::path(get, path = "/api/v1/audit", tag = "audit", params(AuditQuery), responses((status = 200, body = Page<AuditEntry>)))]
pub(crate) async fn audit_list(cx: Ctx, Query(query): Query<AuditQuery>) -> Result<Json<Page<AuditEntry>>> {
    Ok(Json(cx.hub.audit_list(Some(cx.org()?), query).await?))
}

/// Verify that no sealed entry of the organization's audit log was altered or removed.
#[utoipa::path(get, path = "/api/v1/audit/verify", tag = "audit", responses((status = 200, body = AuditVerdict)))]
pub(crate) async fn audit_verify(cx: Ctx) -> Result<Json<AuditVerdict>> {
    Ok(Json(cx.hub.audit_verify(Some(cx.org()?)).await?))
}
