//! The first start: an org, its owner, and nothing with a default password.

use domain::{Role, Span, UserId, org};
use store::{org::Org, user::User};

use super::definitions::put_builtin;
use crate::{Error, Hub, Result};

/// The address of the person whom the first sign-in link signs in.
pub const OWNER_EMAIL: &str = "owner@localhost";

impl Hub {
    /// Makes the first org and its owner, unless there is an org.
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
            // Two hubs that start at once: the other one made it.
            .or_else(|error: Error| if error.code() == proto::Code::NameTaken { Ok(()) } else { Err(error) })
    }

    /// The person whom a sign-in link made on the hub's machine signs in: the owner, or any super admin.
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
                    able.map(|user| user.id).ok_or_else(|| Error::not_found("super admin", "who may sign in"))
                })
            })
            .await
    }
}

/// How long a one-time sign-in link is good.
pub const LINK_TTL: Span = Span::from_secs(15 * 60);
