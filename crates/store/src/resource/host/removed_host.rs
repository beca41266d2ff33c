//! Ids of removed hosts, with the key and the organization that may use them again.

use domain::{HostId, OrgId, Timestamp, join::FormerHost};

use crate::{Result, Tx};

struct Row {
    org_id: OrgId,
    public_key: Option<[u8; 32]>,
    revoked_at: Option<Timestamp>,
}

rows! { Row { org_id, public_key, revoked_at } }

statements! {
    REMOVED_HOST_PUT = same("
        insert into removed_host (host_id, org_id, public_key, revoked_at, created_at, updated_at)
        select h.id, h.org_id, k.public_key, h.revoked_at, $3, $3
        from host h left join host_key k on k.host_id = h.id and k.version = h.key_version
        where h.org_id = $1 and h.id = $2
        on conflict (host_id) do update
        set org_id = excluded.org_id, public_key = excluded.public_key, revoked_at = excluded.revoked_at,
            updated_at = excluded.updated_at");
    REMOVED_HOST_PUT_ALL = same("
        insert into removed_host (host_id, org_id, public_key, revoked_at, created_at, updated_at)
        select h.id, h.org_id, k.public_key, h.revoked_at, $2, $2
        from host h left join host_key k on k.host_id = h.id and k.version = h.key_version
        where h.org_id = $1
        on conflict (host_id) do update
        set org_id = excluded.org_id, public_key = excluded.public_key, revoked_at = excluded.revoked_at,
            updated_at = excluded.updated_at");
    REMOVED_HOST_GET = same("select org_id, public_key, revoked_at from removed_host where host_id = $1");
    REMOVED_HOST_FORGET = same("delete from removed_host where host_id = $1");
}

impl Tx<'_> {
    /// Records the id of a host that is about to be deleted.
    pub(crate) async fn removed_host_put(&mut self, org: OrgId, host: HostId, now: Timestamp) -> Result<()> {
        execute!(self, REMOVED_HOST_PUT, org, host, now)?;
        Ok(())
    }

    /// Records the ids of all hosts of an organization that is about to be deleted.
    pub(crate) async fn removed_host_put_all(&mut self, org: OrgId, now: Timestamp) -> Result<()> {
        execute!(self, REMOVED_HOST_PUT_ALL, org, now)?;
        Ok(())
    }

    /// Returns the removed host of any organization that had this id.
    pub async fn removed_host_get(&mut self, host: HostId) -> Result<Option<FormerHost>> {
        let row = one!(self, REMOVED_HOST_GET => Row, host)?;
        Ok(row.map(|row| FormerHost {
            org: row.org_id,
            public_key: row.public_key,
            is_revoked: row.revoked_at.is_some(),
        }))
    }

    /// Deletes the record of an id that is in use again.
    pub async fn removed_host_forget(&mut self, host: HostId) -> Result<()> {
        execute!(self, REMOVED_HOST_FORGET, host)?;
        Ok(())
    }
}
