//! Names of the secrets that orgs have.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{PoisonError, RwLock},
};

use domain::{OrgId, Span, Timestamp};
use store::Tx;

use crate::{Hub, Result};

/// How long the presence of a secret is trusted. The grant itself reads the secret, so a stale name only means that a
/// job is claimed and fails.
const FRESH_FOR: Span = Span::from_secs(1);
/// Largest number of secrets of an org.
pub(crate) const SECRETS_MAX: u32 = 1_000;

/// Names by org, with the time of their query.
#[derive(Default)]
pub(crate) struct SecretNames(RwLock<HashMap<OrgId, (BTreeSet<String>, Timestamp)>>);

impl SecretNames {
    /// Whether the cache is fresh and has all of these names.
    pub(crate) fn has_all(&self, org: OrgId, wanted: &[String], now: Timestamp) -> bool {
        let cached = self.0.read().unwrap_or_else(PoisonError::into_inner);
        cached
            .get(&org)
            .is_some_and(|(names, at)| now.since(*at) < FRESH_FOR && wanted.iter().all(|name| names.contains(name)))
    }

    fn keep(&self, org: OrgId, names: BTreeSet<String>, now: Timestamp) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(org, (names, now));
    }

    /// Drops the names of an org whose secrets have changed.
    pub(crate) fn forget(&self, org: OrgId) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&org);
    }
}

/// The names among `wanted` that an org has no secret for. Only presence is cached; absence is always read.
pub(crate) async fn missing(hub: &Hub, tx: &mut Tx<'_>, org: OrgId, wanted: &[String]) -> Result<Vec<String>> {
    let now = hub.now();
    if wanted.is_empty() || hub.queue.secret_names.has_all(org, wanted, now) {
        return Ok(Vec::new());
    }
    let names: BTreeSet<String> = tx.secret_list(org, SECRETS_MAX).await?.into_iter().map(|one| one.name).collect();
    let missing = wanted.iter().filter(|name| !names.contains(*name)).cloned().collect();
    hub.queue.secret_names.keep(org, names, now);
    Ok(missing)
}
