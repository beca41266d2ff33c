//! Saved views: named filters of a page.

use domain::{
    OrgId, Timestamp, UserId, ViewId,
    view::{ViewPage, Visibility},
};

use crate::{Result, Tx};

/// A saved view with its owner's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    pub id: ViewId,
    pub org_id: OrgId,
    pub user_id: UserId,
    /// Current name of the owner.
    pub user_name: String,
    pub page: ViewPage,
    pub name: String,
    pub query: String,
    pub visibility: Visibility,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

rows! { View { id, org_id, user_id, user_name, page, name, query, visibility, created_at, updated_at } }

macro_rules! views {
    ($rest:literal) => {
        concat!(
            "select v.id, v.org_id, v.user_id, u.name as user_name, v.page, v.name, v.query, v.visibility, v.created_at,
                v.updated_at
            from saved_view v join \"user\" u on u.id = v.user_id ",
            $rest
        )
    };
}

statements! {
    VIEW_PUT = same("
        insert into saved_view (id, org_id, user_id, page, name, query, visibility, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        on conflict (id) do update
        set name = excluded.name, query = excluded.query, visibility = excluded.visibility,
            updated_at = excluded.updated_at");
    VIEW_LIST = same(views!("
        where v.org_id = $1 and (v.user_id = $2 or v.visibility = 'org') order by v.page, v.name, v.id limit $3"));
    VIEW_LIST_ALL = same(views!("where v.org_id = $1 order by v.page, v.name, v.id limit $2"));
    VIEW_GET = same(views!("where v.org_id = $1 and v.id = $2"));
    VIEW_COUNT_OF = same("select count(*) from saved_view where org_id = $1 and user_id = $2");
    VIEW_COUNT_SHARED = same("select count(*) from saved_view where org_id = $1 and visibility = 'org'");
    VIEW_REMOVE = same("delete from saved_view where org_id = $1 and id = $2");
}

impl Tx<'_> {
    /// Inserts or changes a view.
    pub async fn view_put(&mut self, view: &View) -> Result<()> {
        let v = view.clone();
        execute!(
            self,
            VIEW_PUT,
            v.id,
            v.org_id,
            v.user_id,
            v.page,
            v.name,
            v.query,
            v.visibility,
            v.created_at,
            v.updated_at
        )?;
        Ok(())
    }

    /// Returns the views that a user sees in an organization: their own, and those shared with the organization.
    pub async fn view_list(&mut self, org: OrgId, user: UserId, limit: u32) -> Result<Vec<View>> {
        all!(self, VIEW_LIST => View, org, user, i64::from(limit))
    }

    /// Returns a view of any owner.
    pub async fn view_get(&mut self, org: OrgId, id: ViewId) -> Result<Option<View>> {
        one!(self, VIEW_GET => View, org, id)
    }

    /// Returns all views of an organization, also the private ones of every member: for admins, who remove them.
    pub async fn view_list_all(&mut self, org: OrgId, limit: u32) -> Result<Vec<View>> {
        all!(self, VIEW_LIST_ALL => View, org, i64::from(limit))
    }

    /// Returns the number of views of a user in an organization.
    pub async fn view_count_of(&mut self, org: OrgId, user: UserId) -> Result<i64> {
        Ok(value!(self, VIEW_COUNT_OF => i64, org, user)?.unwrap_or(0))
    }

    /// Returns the number of views that are shared with an organization.
    pub async fn view_count_shared(&mut self, org: OrgId) -> Result<i64> {
        Ok(value!(self, VIEW_COUNT_SHARED => i64, org)?.unwrap_or(0))
    }

    /// Deletes a view.
    pub async fn view_remove(&mut self, org: OrgId, id: ViewId) -> Result<bool> {
        Ok(execute!(self, VIEW_REMOVE, org, id)? == 1)
    }
}
