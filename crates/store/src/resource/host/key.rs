//! Public keys of hosts, by version.

use domain::{HostId, Timestamp};

use crate::{Result, Tx};

statements! {
    KEY_INSERT = same("
        insert into host_key (host_id, version, public_key, created_at, updated_at)
        values ($1, $2, $3, $4, $4)");
    KEY_GET = same("select public_key from host_key where host_id = $1 and version = $2");
    KEY_OWNER = same("select host_id from host_key where public_key = $1");
    KEY_REMOVE_BELOW = same("delete from host_key where host_id = $1 and version < $2");
}

impl Tx<'_> {
    /// Inserts a key. A key of another host violates `host_key_public_key_uq`.
    pub async fn host_key_insert(
        &mut self,
        host: HostId,
        version: i32,
        public_key: [u8; 32],
        now: Timestamp,
    ) -> Result<()> {
        execute!(self, KEY_INSERT, host, version, public_key, now)?;
        Ok(())
    }

    /// Returns a host's key of this version.
    pub async fn host_key_get(&mut self, host: HostId, version: i32) -> Result<Option<[u8; 32]>> {
        value!(self, KEY_GET => [u8; 32], host, version)
    }

    /// Returns the host with this key.
    pub async fn host_key_owner(&mut self, public_key: [u8; 32]) -> Result<Option<HostId>> {
        value!(self, KEY_OWNER => HostId, public_key)
    }

    /// Deletes older keys, which are then no longer accepted.
    pub async fn host_key_remove_below(&mut self, host: HostId, version: i32) -> Result<u64> {
        execute!(self, KEY_REMOVE_BELOW, host, version)
    }
}
