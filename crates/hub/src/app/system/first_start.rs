//! First start: creates the first organization and its owner. No default password exists.

use domain::{Role, UserId, org};
use store::{org::Org, user::User};

use crate::app::settings::definitions::put_builtin;
use crate::{Error, Hub, Result};

/// Email address of the first owner, who signs in with a link.
pub(crate) const OWNER_EMAIL: &str = "owner@localhost";

impl Hub {
    /// Inserts the built-in definitions and, if there is no organization, the first one with its owner.
    pub(crate) async fn first_start(&self) -> Result<()> {
        let (hub, now) = (self.clone(), self.now());
        let hub_in = self.clone();
        self.store
            .write(move |tx| Box::pin(async move { put_builtin(&hub_in, tx).await }))
            .await
            .or_else(|error: Error| if error.code() == proto::Code::NameTaken { Ok(()) } else { Err(error) })?;
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    if !tx.org_list("", 1).await?.is_empty() {
                        return Ok(());
                    }
                    let first = Org {
                        id: hub.ids.next(),
                        slug: org::FIRST_ORG.to_owned(),
                        name: "Default".to_owned(),
                        timezone: "UTC".to_owned(),
                        offline_after_ms: org::OFFLINE_AFTER,
                        alert_after_ms: org::ALERT_AFTER,
                        keep_succeeded_ms: None,
                        keep_failed_ms: None,
                        keep_dead_letter_ms: None,
                        keep_canceled_ms: None,
                        created_at: now,
                        updated_at: now,
                    };
                    let owner = User {
                        id: hub.ids.next(),
                        email: OWNER_EMAIL.to_owned(),
                        name: "Owner".to_owned(),
                        password_hash: None,
                        is_super: true,
                        is_disabled: false,
                        // Signed in only from this machine.
                        email_verified_at: Some(now),
                        authz_version: 1,
                        created_at: now,
                        updated_at: now,
                    };
                    tx.org_insert(&first).await?;
                    tx.user_insert(&owner).await?;
                    tx.member_put(first.id, owner.id, Role::Admin, now).await?;
                    Ok(())
                })
            })
            .await
            // `name_taken`: another hub that started at the same time inserted the same rows.
            .or_else(|error: Error| if error.code() == proto::Code::NameTaken { Ok(()) } else { Err(error) })
    }

    /// The user for a sign-in link created on the hub's machine: the first owner, else any active super admin.
    pub(crate) async fn owner(&self) -> Result<UserId> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    if let Some(owner) =
                        tx.user_by_email(OWNER_EMAIL).await?.filter(|user| user.is_super && !user.is_disabled)
                    {
                        return Ok(owner.id);
                    }
                    let users = tx.user_list("", 1_000).await?;
                    let able = users.into_iter().find(|user| user.is_super && !user.is_disabled);
                    able.map(|user| user.id)
                        .ok_or_else(|| Error::new(proto::Code::NotFound, "there is no active super admin"))
                })
            })
            .await
    }
}
