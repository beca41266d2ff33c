//! All users of the installation, for super admins.

use domain::UserId;
use proto::{
    Code, Page,
    api::person::{User as UserView, UserPatch},
    page::PageQuery,
};
use serde_json::json;
use store::user::User;

use crate::app::{AuditEntry, FromStore, RequestContext, diff};
use crate::{Error, Hub, Result};

impl FromStore<User> for UserView {
    fn from_store(user: User) -> Self {
        Self {
            id: user.id,
            email: user.email,
            name: user.name,
            is_super_admin: user.is_super,
            is_disabled: user.is_disabled,
            email_verified_at: user.email_verified_at,
            created_at: user.created_at,
            updated_at: user.updated_at,
        }
    }
}

impl Hub {
    /// Lists all users.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn user_list(&self, query: &PageQuery) -> Result<Page<UserView>> {
        let (after, limit) = (query.cursor.clone().unwrap_or_default(), query.limit());
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { tx.user_list(&after, limit + 1).await.map_err(Error::from) }))
            .await?;
        Ok(Page::cut(rows.into_iter().map(UserView::from_store).collect(), limit, |user| user.email.clone()))
    }

    /// Changes a user's rights in the installation and closes the user's live sockets.
    ///
    /// # Errors
    /// Fails if the user does not exist or is the last super admin, or if an unverified user would be a super admin.
    pub async fn user_update(&self, by: &RequestContext, id: UserId, patch: UserPatch) -> Result<UserView> {
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        let view = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    tx.installation_lock().await?;
                    let mut user = tx.user_get(id).await?.ok_or_else(|| Error::not_found("user", id))?;
                    let before = UserView::from_store(user.clone());
                    user.is_super = patch.is_super_admin.unwrap_or(user.is_super);
                    user.is_disabled = patch.is_disabled.unwrap_or(user.is_disabled);
                    user.email_verified_at = match patch.is_email_verified {
                        Some(true) => user.email_verified_at.or(Some(now)),
                        Some(false) => None,
                        None => user.email_verified_at,
                    };
                    user.updated_at = now;
                    if user.is_super && user.email_verified_at.is_none() {
                        let detail = format!("the address {} is not confirmed", user.email);
                        return Err(Error::new(Code::EmailUnverified, detail).hint(
                            "a super admin must be a person you know: confirm the address first (`hostler user verify`)",
                        ));
                    }
                    tx.user_set_rights(&user, now).await?;
                    keep_a_super_admin(tx).await?;
                    let after = UserView::from_store(user);
                    let diff = diff(&json!(before), &json!(after));
                    by.record(
                        &hub,
                        tx,
                        None,
                        AuditEntry {
                            action: "user.updated",
                            kind: "user",
                            id: Some(id.to_string()),
                            name: Some(&after.email),
                            diff,
                        },
                    )
                    .await?;
                    Ok::<_, Error>(after)
                })
            })
            .await?;
        self.wakes.socket_revoker.wake();
        Ok(view)
    }

    /// Removes a user with all tokens and sessions. The user's audit entries stay.
    ///
    /// # Errors
    /// Fails if the user does not exist or is the last super admin.
    pub async fn user_remove(&self, by: &RequestContext, id: UserId) -> Result<()> {
        let (hub, by) = (self.clone(), by.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    tx.installation_lock().await?;
                    let user = tx.user_get(id).await?.ok_or_else(|| Error::not_found("user", id))?;
                    tx.user_remove(id).await?;
                    keep_a_super_admin(tx).await?;
                    by.record(
                        &hub,
                        tx,
                        None,
                        AuditEntry {
                            action: "user.removed",
                            kind: "user",
                            id: Some(id.to_string()),
                            name: Some(&user.email),
                            diff: json!({}),
                        },
                    )
                    .await
                })
            })
            .await?;
        self.wakes.socket_revoker.wake();
        Ok(())
    }
}

/// Fails, and so rolls back, if no active super admin would be left.
async fn keep_a_super_admin(tx: &mut store::Tx<'_>) -> Result<()> {
    if tx.user_count_super().await? > 0 {
        return Ok(());
    }
    Err(Error::new(Code::LastAdmin, "this is the last active super admin").hint("add another one first"))
}
