//! Invitations of users to an organization.

use domain::{InvitationId, OrgId, Role, Timestamp, secret::SecretHash};

use crate::{Result, Tx};

/// An invitation, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub id: InvitationId,
    pub org_id: OrgId,
    pub email: String,
    pub role: Role,
    pub expires_at: Timestamp,
    pub accepted_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

rows! { Invitation { id, org_id, email, role, expires_at, accepted_at, created_at } }

statements! {
    INVITATION_INSERT = same("
        insert into invitation (id, org_id, email, role, secret_hash, expires_at, accepted_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, null, $7, $7)");
    INVITATION_LIST = same("
        select id, org_id, email, role, expires_at, accepted_at, created_at
        from invitation
        where org_id = $1 and id > $2 and accepted_at is null
        order by id
        limit $3");
    INVITATION_BY_HASH = same("
        select id, org_id, email, role, expires_at, accepted_at, created_at
        from invitation
        where secret_hash = $1");
    INVITATION_ACCEPT = same("
        update invitation
        set accepted_at = $2, updated_at = $2
        where id = $1 and accepted_at is null and expires_at > $2");
    INVITATION_REMOVE = same("delete from invitation where org_id = $1 and id = $2 and accepted_at is null returning email");
}

impl Tx<'_> {
    /// Inserts an invitation.
    pub async fn invitation_insert(&mut self, invitation: &Invitation, secret: SecretHash) -> Result<()> {
        let i = invitation;
        execute!(self, INVITATION_INSERT, i.id, i.org_id, i.email.clone(), i.role, secret, i.expires_at, i.created_at)?;
        Ok(())
    }

    /// Returns the open invitations of an organization, after the given one.
    pub async fn invitation_list(&mut self, org: OrgId, after: InvitationId, limit: u32) -> Result<Vec<Invitation>> {
        all!(self, INVITATION_LIST => Invitation, org, after, i64::from(limit))
    }

    /// Returns the invitation with this secret, whatever its state.
    pub async fn invitation_by_hash(&mut self, secret: SecretHash) -> Result<Option<Invitation>> {
        one!(self, INVITATION_BY_HASH => Invitation, secret)
    }

    /// Marks an invitation as accepted. Returns `false` if it was accepted before or has expired.
    pub async fn invitation_accept(&mut self, id: InvitationId, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, INVITATION_ACCEPT, id, now)? == 1)
    }

    /// Deletes an open invitation and returns its e-mail address; `None` if there was none.
    pub async fn invitation_remove(&mut self, org: OrgId, id: InvitationId) -> Result<Option<String>> {
        value!(self, INVITATION_REMOVE => String, org, id)
    }
}
