//! Saved views of lists: each user has private ones and can share some with the organization.

use domain::{
    OrgId, Permission, UserId, ViewId,
    view::{self, SHARED_VIEWS_MAX, VIEWS_MAX, VIEWS_PER_USER_MAX, Visibility},
};
use proto::api::view::{View, ViewPatch, ViewRequest, Views};
use serde_json::json;
use store::{Tx, view::View as Stored};

use crate::app::{AuditEntry, RequestContext};
use crate::{Error, Hub, Result};

/// Most views in the list of all members' views.
const ALL_VIEWS_MAX: u32 = 10_000;

fn shown(view: Stored, user: UserId) -> View {
    let is_mine = view.user_id == user;
    let Stored { id, user_name, page, name, query, visibility, created_at, updated_at, .. } = view;
    View { id, page, name, query, visibility, is_mine, created_by: user_name, created_at, updated_at }
}

impl Hub {
    /// The user that views belong to. On the hub's own machine the caller is no user; the views are the owner's.
    async fn viewer(&self, by: &RequestContext) -> Result<UserId> {
        match by.caller.actor.user() {
            Some(user) => Ok(user),
            None => self.owner().await,
        }
    }

    /// Lists the caller's views and the shared ones; with `all`, for admins, the views of all members.
    ///
    /// # Errors
    /// Fails if `all` is set and the caller is no admin.
    pub async fn view_list(&self, by: &RequestContext, org: OrgId, all: bool) -> Result<Views> {
        if all {
            by.must(Permission::OrgManage)?;
        }
        let user = self.viewer(by).await?;
        let read = self.store.read(move |tx| {
            Box::pin(async move {
                Ok::<_, Error>(if all {
                    tx.view_list_all(org, ALL_VIEWS_MAX).await?
                } else {
                    tx.view_list(org, user, VIEWS_MAX).await?
                })
            })
        });
        Ok(Views { items: read.await?.into_iter().map(|view| shown(view, user)).collect() })
    }

    /// Saves a view.
    ///
    /// # Errors
    /// Fails if the view is invalid, or the caller may not share views.
    pub async fn view_create(&self, by: &RequestContext, org: OrgId, request: ViewRequest) -> Result<View> {
        let (user, now) = (self.viewer(by).await?, self.now());
        let new = Stored {
            id: self.ids.next(),
            org_id: org,
            user_id: user,
            user_name: String::new(),
            page: request.page,
            name: request.name,
            query: request.query,
            visibility: request.visibility.unwrap_or(Visibility::Private),
            created_at: now,
            updated_at: now,
        };
        check(by, &new)?;
        let (hub, by) = (self.clone(), by.clone());
        let write = self.store.write(move |tx| {
            Box::pin(async move {
                if tx.view_count_of(org, user).await? >= i64::from(VIEWS_PER_USER_MAX) {
                    return Err(Error::invalid(format!(
                        "a user has at most {VIEWS_PER_USER_MAX} saved views in an organization; remove one"
                    )));
                }
                may_share(tx, None, &new).await?;
                put(&hub, tx, &by, None, new).await
            })
        });
        Ok(shown(write.await?, user))
    }

    /// Changes a view.
    ///
    /// # Errors
    /// Fails if the view does not exist or is another user's, or the result is invalid.
    pub async fn view_update(&self, by: &RequestContext, org: OrgId, id: ViewId, patch: ViewPatch) -> Result<View> {
        let (user, now) = (self.viewer(by).await?, self.now());
        let (hub, by) = (self.clone(), by.clone());
        let write = self.store.write(move |tx| {
            Box::pin(async move {
                let before = changeable(tx, &by, org, user, id).await?;
                let changed = Stored {
                    name: patch.name.unwrap_or_else(|| before.name.clone()),
                    query: patch.query.unwrap_or_else(|| before.query.clone()),
                    visibility: patch.visibility.unwrap_or(before.visibility),
                    updated_at: now,
                    ..before.clone()
                };
                check(&by, &changed)?;
                may_share(tx, Some(&before), &changed).await?;
                put(&hub, tx, &by, Some(&before), changed).await
            })
        });
        Ok(shown(write.await?, user))
    }

    /// Removes a view. Admins can remove the private views of others, too.
    ///
    /// # Errors
    /// Fails if the view does not exist, or is another user's and the caller is no admin.
    pub async fn view_remove(&self, by: &RequestContext, org: OrgId, id: ViewId) -> Result<()> {
        let user = self.viewer(by).await?;
        let (hub, by) = (self.clone(), by.clone());
        let write = self.store.write(move |tx| {
            Box::pin(async move {
                let before = match tx.view_get(org, id).await? {
                    Some(view) if by.must(Permission::OrgManage).is_ok() => view,
                    _ => changeable(tx, &by, org, user, id).await?,
                };
                tx.view_remove(org, id).await?;
                if before.user_id != user && before.visibility == Visibility::Private {
                    let (kind, id, name) = ("view", Some(before.id.to_string()), Some(before.name.as_str()));
                    let diff = json!({"created_by": [before.user_name, null]});
                    return by
                        .record(&hub, tx, Some(org), AuditEntry { action: "view.removed", kind, id, name, diff })
                        .await;
                }
                record(&hub, tx, &by, Some(&before), None).await
            })
        });
        write.await
    }
}

/// Validates a view. A shared one needs the permission to share.
fn check(by: &RequestContext, view: &Stored) -> Result<()> {
    if view.visibility == Visibility::Org {
        by.must(Permission::ViewShare)?;
    }
    view::check(&view.name, &view.query).map_err(Error::invalid)
}

/// Fails if the organization has as many shared views as it can have and this would be a further one.
async fn may_share(tx: &mut Tx<'_>, before: Option<&Stored>, view: &Stored) -> Result<()> {
    let was_shared = before.is_some_and(|before| before.visibility == Visibility::Org);
    let is_new = view.visibility == Visibility::Org && !was_shared;
    if is_new && tx.view_count_shared(view.org_id).await? >= i64::from(SHARED_VIEWS_MAX) {
        let detail = format!("an organization has at most {SHARED_VIEWS_MAX} shared views; remove one");
        return Err(Error::invalid(detail));
    }
    Ok(())
}

/// Finds a view that the caller may change: an own one, or a shared one if the caller manages the organization.
/// Private views of others are not found.
async fn changeable(tx: &mut Tx<'_>, by: &RequestContext, org: OrgId, user: UserId, id: ViewId) -> Result<Stored> {
    let found = tx.view_get(org, id).await?;
    let found = found.filter(|view| view.user_id == user || view.visibility == Visibility::Org);
    let view = found.ok_or_else(|| Error::not_found("view", id))?;
    if view.user_id != user {
        by.must(Permission::OrgManage)?;
    }
    Ok(view)
}

async fn put(hub: &Hub, tx: &mut Tx<'_>, by: &RequestContext, before: Option<&Stored>, view: Stored) -> Result<Stored> {
    tx.view_put(&view).await?;
    record(hub, tx, by, before, Some(&view)).await?;
    let kept = tx.view_get(view.org_id, view.id).await?;
    kept.ok_or_else(|| Error::internal(anyhow::anyhow!("the view was not stored")))
}

/// Records a change to a shared view in the audit log. Private views are not recorded.
async fn record(
    hub: &Hub,
    tx: &mut Tx<'_>,
    by: &RequestContext,
    before: Option<&Stored>,
    after: Option<&Stored>,
) -> Result<()> {
    let all = [before, after];
    let Some(view) = all.iter().flatten().find(|view| view.visibility == Visibility::Org) else {
        return by.mark_committed(hub, tx).await;
    };
    let (id, org) = (view.id.to_string(), view.org_id);
    let shown_view = |view: Option<&Stored>| {
        view.map(|view| json!({"name": view.name, "query": view.query, "visibility": view.visibility}))
    };
    let action = match (before, after) {
        (None, _) => "view.created",
        (_, None) => "view.removed",
        _ => "view.updated",
    };
    let diff = json!({"view": [shown_view(before), shown_view(after)]});
    let entry = AuditEntry { action, kind: "view", id: Some(id), name: Some(&view.name), diff };
    by.record(hub, tx, Some(org), entry).await
}
