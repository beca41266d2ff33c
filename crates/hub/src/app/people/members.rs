//! Members of an organization, and invitations to it.

use domain::{
    InvitationId, OrgId, Role, Span, UserId, name,
    role::change_role,
    secret::{Secret, SecretKind},
};
use proto::{
    Code, Page,
    api::org::{Invitation as InvitationView, InvitationCreated, InvitationRequest, Member as MemberView},
    page::PageQuery,
};
use serde_json::json;
use store::{invitation::Invitation, user::Member};

use crate::app::{AuditEntry, FromStore, RequestContext, after_id, people::sign_in::without_password};
use crate::{Error, Hub, Result};

/// Lifetime of an invitation.
const INVITATION_TTL: Span = Span::from_secs(7 * 86_400);

impl FromStore<Member> for MemberView {
    fn from_store(member: Member) -> Self {
        Self {
            user_id: member.user_id,
            email: member.email,
            name: member.name,
            role: member.role,
            is_email_verified: member.email_verified_at.is_some(),
            created_at: member.created_at,
            updated_at: member.updated_at,
        }
    }
}

impl FromStore<Invitation> for InvitationView {
    fn from_store(invitation: Invitation) -> Self {
        Self {
            id: invitation.id,
            email: invitation.email,
            role: invitation.role,
            expires_at: invitation.expires_at,
            created_at: invitation.created_at,
        }
    }
}

impl Hub {
    /// Lists the members of an organization.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn member_list(&self, org: OrgId, query: &PageQuery) -> Result<Page<MemberView>> {
        let (after, limit) = (query.cursor.clone().unwrap_or_default(), query.limit());
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { tx.member_list(org, &after, limit + 1).await.map_err(Error::from) }))
            .await?;
        Ok(Page::cut(rows.into_iter().map(MemberView::from_store).collect(), limit, |member| member.email.clone()))
    }

    /// Changes a member's role and closes the member's live sockets.
    ///
    /// # Errors
    /// Fails if the user is not a member, the role is above the caller's, or the member is the last admin.
    pub async fn member_update(&self, by: &RequestContext, org: OrgId, user: UserId, role: Role) -> Result<MemberView> {
        self.member_change(by, org, user, Some(role)).await?;
        let member = self
            .store
            .read(move |tx| Box::pin(async move { tx.member_get(org, user).await.map_err(Error::from) }))
            .await?;
        member.map(MemberView::from_store).ok_or_else(|| Error::not_found("member", user))
    }

    /// Removes a member from an organization and closes the member's live sockets.
    ///
    /// # Errors
    /// Fails if the user is not a member, has a role above the caller's, or is the last admin.
    pub async fn member_remove(&self, by: &RequestContext, org: OrgId, user: UserId) -> Result<()> {
        self.member_change(by, org, user, None).await
    }

    async fn member_change(&self, by: &RequestContext, org: OrgId, user: UserId, role: Option<Role>) -> Result<()> {
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    // The lock stops two admins who demote each other at the same time from both succeeding.
                    tx.org_lock(org).await?;
                    let member = tx.member_get(org, user).await?.ok_or_else(|| Error::not_found("member", user))?;
                    let admins = u32::try_from(tx.member_count_admins(org).await?).unwrap_or(0);
                    change_role(by.caller.role.unwrap_or(Role::Viewer), Some(member.role), role, admins)?;
                    match role {
                        Some(role) => tx.member_put(org, user, role, now).await?,
                        None => drop(tx.member_remove(org, user, now).await?),
                    }
                    let action = if role.is_some() { "member.role_changed" } else { "member.removed" };
                    let diff = json!({"role": [member.role, role]});
                    by.record(
                        &hub,
                        tx,
                        Some(org),
                        AuditEntry {
                            action,
                            kind: "user",
                            id: Some(user.to_string()),
                            name: Some(&member.email),
                            diff,
                        },
                    )
                    .await
                })
            })
            .await?;
        self.wakes.socket_revoker.wake();
        Ok(())
    }

    /// Lists the open invitations of an organization.
    ///
    /// # Errors
    /// Fails if the cursor is invalid or on a database error.
    pub async fn invitation_list(&self, org: OrgId, query: &PageQuery) -> Result<Page<InvitationView>> {
        let (after, limit) = (after_id(query.cursor.as_deref())?, query.limit());
        let rows = self
            .store
            .read(move |tx| {
                Box::pin(async move { tx.invitation_list(org, after, limit + 1).await.map_err(Error::from) })
            })
            .await?;
        Ok(Page::cut(rows.into_iter().map(InvitationView::from_store).collect(), limit, |invitation| {
            invitation.id.to_string()
        }))
    }

    /// Creates an invitation.
    ///
    /// # Errors
    /// Fails if the email address is invalid or the role is not allowed.
    pub async fn invitation_create(
        &self,
        by: &RequestContext,
        org: OrgId,
        request: InvitationRequest,
    ) -> Result<InvitationCreated> {
        let email = request.email.trim().to_lowercase();
        if !name::is_email(&email) {
            return Err(Error::invalid(format!("`{email}` is not an email address")));
        }
        change_role(by.caller.role.unwrap_or(Role::Viewer), None, Some(request.role), 1)?;
        let now = self.now();
        let secret = Secret::new(SecretKind::Invitation, self.random.bytes(), &[]);
        let invitation = Invitation {
            id: self.ids.next(),
            org_id: org,
            email,
            role: request.role,
            expires_at: now + INVITATION_TTL,
            accepted_at: None,
            created_at: now,
        };
        let (hub, by, row, hash) = (self.clone(), by.clone(), invitation.clone(), secret.hash());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    match tx.user_by_email(&row.email).await? {
                        Some(user) if user.is_disabled => {
                            return Err(Error::new(Code::Forbidden, format!("the account {} is disabled", row.email)));
                        }
                        Some(user) if user.password_hash.is_none() => return Err(without_password(&row.email)),
                        _ => {}
                    }
                    tx.invitation_insert(&row, hash).await?;
                    let diff = json!({"role": [null, row.role]});
                    by.record(
                        &hub,
                        tx,
                        Some(org),
                        AuditEntry {
                            action: "member.invited",
                            kind: "invitation",
                            id: Some(row.id.to_string()),
                            name: Some(&row.email),
                            diff,
                        },
                    )
                    .await
                })
            })
            .await?;
        let url = format!("{}/invite/{}", self.options.public_url, secret.reveal());
        Ok(InvitationCreated { invitation: InvitationView::from_store(invitation), url })
    }

    /// Removes an open invitation.
    ///
    /// # Errors
    /// Fails if there is no open invitation with this id.
    pub async fn invitation_remove(&self, by: &RequestContext, org: OrgId, id: InvitationId) -> Result<()> {
        let (hub, by) = (self.clone(), by.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let email = tx.invitation_remove(org, id).await?;
                    let email = email.ok_or_else(|| Error::not_found("open invitation", id))?;
                    let entry = AuditEntry {
                        action: "invitation.removed",
                        kind: "invitation",
                        id: Some(id.to_string()),
                        name: Some(&email),
                        diff: json!({}),
                    };
                    by.record(&hub, tx, Some(org), entry).await
                })
            })
            .await
    }
}
