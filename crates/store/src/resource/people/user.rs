//! Users, and their membership in organizations.

use domain::{OrgId, Role, Timestamp, UserId};

use crate::{Result, Tx};

/// A user account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub email: String,
    pub name: String,
    /// An argon2 string; `None` until the user has set a password.
    pub password_hash: Option<String>,
    pub is_super: bool,
    pub is_disabled: bool,
    /// When a super admin confirmed that the address belongs to the user; `None` = unverified.
    pub email_verified_at: Option<Timestamp>,
    /// Incremented by every change of rights. Open sockets with an older version are closed.
    pub authz_version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A user with the role in an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub user_id: UserId,
    pub email: String,
    pub name: String,
    pub role: Role,
    pub email_verified_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// An organization that a user is a member of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    pub org_id: OrgId,
    pub slug: String,
    pub name: String,
    pub timezone: String,
    pub role: Role,
}

rows! {
    User { id, email, name, password_hash, is_super, is_disabled, email_verified_at, authz_version, created_at, updated_at }
    Member { user_id, email, name, role, email_verified_at, created_at, updated_at }
    Membership { org_id, slug, name, timezone, role }
}

statements! {
    USER_INSERT = same(r#"
        insert into "user"
            (id, email, name, password_hash, is_super, is_disabled, email_verified_at, authz_version, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"#);
    USER_GET = same(r#"
        select id, email, name, password_hash, is_super, is_disabled, email_verified_at, authz_version, created_at, updated_at
        from "user"
        where id = $1"#);
    USER_BY_EMAIL = same(r#"
        select id, email, name, password_hash, is_super, is_disabled, email_verified_at, authz_version, created_at, updated_at
        from "user"
        where email = $1"#);
    USER_LIST = same(r#"
        select id, email, name, password_hash, is_super, is_disabled, email_verified_at, authz_version, created_at, updated_at
        from "user"
        where email > $1
        order by email
        limit $2"#);
    USER_SET_PASSWORD = same(r#"update "user" set password_hash = $2, authz_version = authz_version + 1, updated_at = $3 where id = $1"#);
    USER_SET_RIGHTS = same(r#"
        update "user"
        set is_super = $2, is_disabled = $3, email_verified_at = $4, authz_version = authz_version + 1, updated_at = $5
        where id = $1"#);
    USER_RIGHTS_CHANGED = same(r#"update "user" set authz_version = authz_version + 1, updated_at = $2 where id = $1"#);
    USER_REMOVE = same(r#"delete from "user" where id = $1"#);
    USER_COUNT_SUPER = same(r#"select count(*) from "user" where is_super = $1 and is_disabled = $2"#);

    MEMBER_PUT = same("
        insert into member (org_id, user_id, role, created_at, updated_at)
        values ($1, $2, $3, $4, $4)
        on conflict (org_id, user_id) do update set role = excluded.role, updated_at = excluded.updated_at");
    MEMBER_GET = same(r#"
        select m.user_id, u.email, u.name, m.role, u.email_verified_at, m.created_at, m.updated_at
        from member m
        join "user" u on u.id = m.user_id
        where m.org_id = $1 and m.user_id = $2"#);
    MEMBER_LIST = same(r#"
        select m.user_id, u.email, u.name, m.role, u.email_verified_at, m.created_at, m.updated_at
        from member m
        join "user" u on u.id = m.user_id
        where m.org_id = $1 and u.email > $2
        order by u.email
        limit $3"#);
    MEMBER_REMOVE = same("delete from member where org_id = $1 and user_id = $2");
    MEMBER_COUNT_ADMINS = same("select count(*) from member where org_id = $1 and role = 'admin'");
    MEMBERSHIPS = same("
        select m.org_id, o.slug, o.name, o.timezone, m.role
        from member m
        join org o on o.id = m.org_id
        where m.user_id = $1
        order by o.slug");
}

impl Tx<'_> {
    /// Inserts a user. An address in use violates `user_email_uq`.
    pub async fn user_insert(&mut self, user: &User) -> Result<()> {
        execute!(
            self,
            USER_INSERT,
            user.id,
            user.email.clone(),
            user.name.clone(),
            user.password_hash.clone(),
            user.is_super,
            user.is_disabled,
            user.email_verified_at,
            user.authz_version,
            user.created_at,
            user.updated_at
        )?;
        Ok(())
    }

    /// Returns the user with this id.
    pub async fn user_get(&mut self, id: UserId) -> Result<Option<User>> {
        one!(self, USER_GET => User, id)
    }

    /// Returns the user with this e-mail address.
    pub async fn user_by_email(&mut self, email: &str) -> Result<Option<User>> {
        one!(self, USER_BY_EMAIL => User, email.to_owned())
    }

    /// Returns all users of the installation by address, after the given one.
    pub async fn user_list(&mut self, after: &str, limit: u32) -> Result<Vec<User>> {
        all!(self, USER_LIST => User, after.to_owned(), i64::from(limit))
    }

    /// Sets a password, and closes sockets opened with the old rights.
    pub async fn user_set_password(&mut self, id: UserId, hash: &str, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, USER_SET_PASSWORD, id, hash.to_owned(), now)? == 1)
    }

    /// Sets the user's rights in the installation, and whether the address is confirmed.
    pub async fn user_set_rights(&mut self, user: &User, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, USER_SET_RIGHTS, user.id, user.is_super, user.is_disabled, user.email_verified_at, now)? == 1)
    }

    /// Deletes a user with the user's tokens and sessions. Their audit lines stay.
    pub async fn user_remove(&mut self, id: UserId) -> Result<bool> {
        Ok(execute!(self, USER_REMOVE, id)? == 1)
    }

    /// Returns the number of super administrators that may sign in.
    pub async fn user_count_super(&mut self) -> Result<i64> {
        Ok(value!(self, USER_COUNT_SUPER => i64, true, false)?.unwrap_or(0))
    }

    /// Adds a user to an organization or changes the role, and closes sockets opened with the old rights.
    pub async fn member_put(&mut self, org: OrgId, user: UserId, role: Role, now: Timestamp) -> Result<()> {
        execute!(self, MEMBER_PUT, org, user, role, now)?;
        execute!(self, USER_RIGHTS_CHANGED, user, now)?;
        Ok(())
    }

    /// Returns a member of an organization.
    pub async fn member_get(&mut self, org: OrgId, user: UserId) -> Result<Option<Member>> {
        one!(self, MEMBER_GET => Member, org, user)
    }

    /// Returns the members of an organization by address, after the given one.
    pub async fn member_list(&mut self, org: OrgId, after: &str, limit: u32) -> Result<Vec<Member>> {
        all!(self, MEMBER_LIST => Member, org, after.to_owned(), i64::from(limit))
    }

    /// Removes a user from an organization, and closes sockets opened with the old rights.
    pub async fn member_remove(&mut self, org: OrgId, user: UserId, now: Timestamp) -> Result<bool> {
        let was_member = execute!(self, MEMBER_REMOVE, org, user)? == 1;
        execute!(self, USER_RIGHTS_CHANGED, user, now)?;
        Ok(was_member)
    }

    /// Returns the number of administrators of an organization.
    pub async fn member_count_admins(&mut self, org: OrgId) -> Result<i64> {
        Ok(value!(self, MEMBER_COUNT_ADMINS => i64, org)?.unwrap_or(0))
    }

    /// Returns the organizations that a user is a member of.
    pub async fn memberships(&mut self, user: UserId) -> Result<Vec<Membership>> {
        all!(self, MEMBERSHIPS => Membership, user)
    }
}
