//! The hub's own rows: its identity and its watch.

use domain::{
    Timestamp,
    hubs::{self, Watch},
};

use crate::{Result, Tx};

/// The hub's key pair and certificate, shared by all replicas.
#[derive(Clone, PartialEq, Eq)]
pub struct HubIdentity {
    /// PKCS #8.
    pub private_key: Vec<u8>,
    /// 32 bytes.
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
    // The first hub to start makes it; all others take what is there.
    IDENTITY_OFFER = same("
        insert into hub_identity (id, private_key, public_key, certificate, created_at, updated_at)
        values (1, $1, $2, $3, $4, $4)
        on conflict (id) do nothing");
    IDENTITY_GET = same("select private_key, public_key, certificate from hub_identity where id = 1");
    // One row that is always there: whoever counts the super admins holds it while they decide.
    IDENTITY_LOCK = pair(
        "select private_key, public_key, certificate from hub_identity where id = 1",
        "select private_key, public_key, certificate from hub_identity where id = 1 for update"
    );
    WATCH_OFFER = same("
        insert into hub_watch (id, since_at, seen_at, created_at, updated_at)
        values (1, $1, $1, $1, $1)
        on conflict (id) do nothing");
    WATCH_LOCK = pair(
        "select since_at, seen_at from hub_watch where id = 1",
        "select since_at, seen_at from hub_watch where id = 1 for update"
    );
    WATCH_GET = same("select since_at, seen_at from hub_watch where id = 1");
    WATCH_SET = same("update hub_watch set since_at = $1, seen_at = $2, updated_at = $2 where id = 1");
}

impl Tx<'_> {
    /// The hub's identity: the one in the database, or the one offered if there is none.
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

    /// Lets nobody else change who manages the installation until this transaction ends.
    pub async fn installation_lock(&mut self) -> Result<()> {
        one!(self, IDENTITY_LOCK => HubIdentity)?;
        Ok(())
    }

    /// Notes that a hub is here, and returns the watch.
    pub async fn hub_beat(&mut self, now: Timestamp) -> Result<Watch> {
        execute!(self, WATCH_OFFER, now)?;
        let last = one!(self, WATCH_LOCK => WatchRow)?.map(|row| Watch { since: row.since_at, seen_at: row.seen_at });
        let watch = hubs::beat(last, now);
        execute!(self, WATCH_SET, watch.since, watch.seen_at)?;
        Ok(watch)
    }

    /// The watch, as last noted by any hub.
    pub async fn hub_watch(&mut self) -> Result<Option<Watch>> {
        Ok(one!(self, WATCH_GET => WatchRow)?.map(|row| Watch { since: row.since_at, seen_at: row.seen_at }))
    }
}
