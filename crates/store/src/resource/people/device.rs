//! Device-code logins of the CLI.

use domain::{DeviceId, OrgId, Role, Timestamp, UserId, secret::SecretHash};

use crate::{Result, Tx};

domain::string_enum! {
    /// Status of a device-code login.
    pub enum DeviceState {
        /// No user has answered yet.
        Pending = "pending",
        /// The user approved; the device has not fetched its token yet.
        Approved = "approved",
        Refused = "refused",
        Done = "done",
    }
}

/// A device-code login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceLogin {
    pub id: DeviceId,
    pub user_code: String,
    pub client: String,
    pub address: String,
    pub state: DeviceState,
    pub user_id: Option<UserId>,
    pub org_id: Option<OrgId>,
    /// The role that the device asked for.
    pub role_asked: Option<Role>,
    /// The role that the user granted; `None` until then.
    pub role_granted: Option<Role>,
    pub expires_at: Timestamp,
    pub created_at: Timestamp,
}

/// A user's answer to a device-code login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceDecision {
    pub state: DeviceState,
    pub user: UserId,
    pub org: OrgId,
    /// The role of the token.
    pub role: Role,
}

rows! { DeviceLogin {
    id, user_code, client, address, state, user_id, org_id, role_asked, role_granted, expires_at, created_at
} }

statements! {
    DEVICE_INSERT = same("
        insert into device_login
            (id, secret_hash, user_code, client, address, state, user_id, org_id, role_asked, expires_at, created_at,
            updated_at)
        values ($1, $2, $3, $4, $5, 'pending', null, null, $6, $7, $8, $8)");
    DEVICE_BY_HASH = same("
        select id, user_code, client, address, state, user_id, org_id, role_asked, role_granted, expires_at, created_at
        from device_login
        where secret_hash = $1");
    DEVICE_BY_CODE = same("
        select id, user_code, client, address, state, user_id, org_id, role_asked, role_granted, expires_at, created_at
        from device_login
        where user_code = $1 and state = 'pending' and expires_at > $2");
    DEVICE_ANSWER = same("
        update device_login
        set state = $2, user_id = $3, org_id = $4, role_granted = $5, updated_at = $6
        where user_code = $1 and state = 'pending' and expires_at > $6");
    DEVICE_FINISH = same("update device_login set state = 'done', updated_at = $2 where id = $1 and state = 'approved'");
    DEVICE_PRUNE = same("delete from device_login where expires_at < $1");
}

impl Tx<'_> {
    /// Inserts a login. A code in use violates `device_login_user_code_uq`.
    pub async fn device_insert(&mut self, login: &DeviceLogin, secret: SecretHash) -> Result<()> {
        let l = login;
        execute!(
            self,
            DEVICE_INSERT,
            l.id,
            secret,
            l.user_code.clone(),
            l.client.clone(),
            l.address.clone(),
            l.role_asked,
            l.expires_at,
            l.created_at
        )?;
        Ok(())
    }

    /// Returns the login with this secret, whatever its state.
    pub async fn device_by_hash(&mut self, secret: SecretHash) -> Result<Option<DeviceLogin>> {
        one!(self, DEVICE_BY_HASH => DeviceLogin, secret)
    }

    /// Returns the pending login with this code.
    pub async fn device_by_code(&mut self, code: &str, now: Timestamp) -> Result<Option<DeviceLogin>> {
        one!(self, DEVICE_BY_CODE => DeviceLogin, code.to_owned(), now)
    }

    /// Stores the user's answer. Returns `false` if the login is not pending.
    pub async fn device_answer(&mut self, code: &str, decision: DeviceDecision, now: Timestamp) -> Result<bool> {
        let DeviceDecision { state, user, org, role } = decision;
        Ok(execute!(self, DEVICE_ANSWER, code.to_owned(), state, user, org, role, now)? == 1)
    }

    /// Marks that the device has received its token. Returns `false` if it already had, so that a token is issued once.
    pub async fn device_finish(&mut self, id: DeviceId, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, DEVICE_FINISH, id, now)? == 1)
    }

    /// Deletes expired logins.
    pub async fn device_prune(&mut self, now: Timestamp) -> Result<u64> {
        execute!(self, DEVICE_PRUNE, now)
    }
}
