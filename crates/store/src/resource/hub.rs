//! The hub's identity, and the time span in which a hub was running without a break.

use domain::{
    Timestamp,
    hubs::{self, HubLiveness},
};

use crate::{Result, Tx};

/// The hub's key pair and certificate, shared by all hubs on this database.
#[derive(Clone, PartialEq, Eq)]
pub struct HubIdentity {
    /// PKCS #8, DER.
    pub private_key: Vec<u8>,
    pub public_key: [u8; 32],
    /// PEM.
    pub certificate: String,
}

impl std::fmt::Debug for HubIdentity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HubIdentity(•••)")
    }
}

struct WatchRow {
    since_at: Timestamp,
    seen_at: Timestamp,
}

rows! {
    HubIdentity { private_key, public_key, certificate }
    WatchRow { since_at, seen_at }
}

statements! {
    // The first hub to start inserts its identity; all others use the stored one.
    IDENTITY_OFFER = same("
        insert into hub_identity (id, private_key, public_key, certificate, created_at, updated_at)
        values (1, $1, $2, $3, $4, $4)
        on conflict (id) do nothing");
    IDENTITY_GET = same("select private_key, public_key, certificate from hub_identity where id = 1");
    // A row that always exists. Changes of super administrators lock it while they count them, so that two concurrent
    // changes cannot remove the last two.
    IDENTITY_LOCK = pair(
        "select private_key, public_key, certificate from hub_identity where id = 1",
        "select private_key, public_key, certificate from hub_identity where id = 1 for update"
    );
    WATCH_OFFER = same("
        insert into hub_heartbeat (id, since_at, seen_at, created_at, updated_at)
        values (1, $1, $1, $1, $1)
        on conflict (id) do nothing");
    WATCH_LOCK = pair(
        "select since_at, seen_at from hub_heartbeat where id = 1",
        "select since_at, seen_at from hub_heartbeat where id = 1 for update"
    );
    // Sessions on a standby, and sessions that the server's configuration makes read-only. Not `transaction_read_only`:
    // behind a pooler the query itself runs in a read-only transaction.
    HUB_READ_ONLY = pair(
        "select 0",
        "select pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on'"
    );
    WATCH_GET = same("select since_at, seen_at from hub_heartbeat where id = 1");
    WATCH_SET = same("update hub_heartbeat set since_at = $1, seen_at = $2, updated_at = $2 where id = 1");
}

impl Tx<'_> {
    /// Returns the stored identity, or stores the offered one if there is none.
    pub async fn hub_identity(&mut self, offered: &HubIdentity, now: Timestamp) -> Result<HubIdentity> {
        execute!(
            self,
            IDENTITY_OFFER,
            offered.private_key.clone(),
            offered.public_key,
            offered.certificate.clone(),
            now
        )?;
        one!(self, IDENTITY_GET => HubIdentity)?.ok_or(crate::Error::Dangling)
    }

    /// Locks changes of super administrators until the end of the transaction.
    pub async fn installation_lock(&mut self) -> Result<()> {
        one!(self, IDENTITY_LOCK => HubIdentity)?;
        Ok(())
    }

    /// Stores that a hub is running now, and returns the current unbroken period.
    pub async fn hub_beat(&mut self, now: Timestamp) -> Result<HubLiveness> {
        execute!(self, WATCH_OFFER, now)?;
        let last =
            one!(self, WATCH_LOCK => WatchRow)?.map(|row| HubLiveness { since: row.since_at, seen_at: row.seen_at });
        let watch = hubs::beat(last, now);
        execute!(self, WATCH_SET, watch.since, watch.seen_at)?;
        Ok(watch)
    }

    /// Whether the database rejects writes. Fails if the database does not answer.
    pub async fn hub_read_only(&mut self) -> Result<bool> {
        Ok(value!(self, HUB_READ_ONLY => bool)?.unwrap_or(false))
    }

    /// Returns the current unbroken period, as last stored by any hub.
    pub async fn hub_heartbeat(&mut self) -> Result<Option<HubLiveness>> {
        Ok(one!(self, WATCH_GET => WatchRow)?.map(|row| HubLiveness { since: row.since_at, seen_at: row.seen_at }))
    }
}
