//! Summary of an organization and of the hub itself.

use std::collections::BTreeMap;

use domain::OrgId;
use proto::{
    VERSION,
    api::{
        host::HostQuery,
        hub::{HubInfo, HubLoops, Loop, Status},
    },
    link::{LINK_VERSIONS, fingerprint},
    page::PAGE_SIZE_MAX,
};
use runtime::LoopStatus;

use crate::{Hub, Result};

impl Hub {
    /// Public facts about this hub.
    #[must_use]
    pub fn info(&self) -> HubInfo {
        let public_key = self.identity.public_key();
        HubInfo {
            version: VERSION.to_owned(),
            fingerprint: fingerprint(&public_key),
            public_key,
            link_versions: LINK_VERSIONS,
            time: self.now(),
        }
    }

    /// Summarizes an organization: hosts by state, runner versions, database.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn status(&self, org: OrgId) -> Result<Status> {
        let slug = self.org_get(org).await?.slug;
        let (mut hosts, mut runner_versions) = (BTreeMap::new(), BTreeMap::new());
        let mut query = HostQuery { limit: Some(PAGE_SIZE_MAX), ..HostQuery::default() };
        loop {
            let page = self.host_list(org, &query).await?;
            for host in page.items {
                *hosts.entry(host.status.to_string()).or_default() += 1;
                if let Some(version) = host.runner_version {
                    *runner_versions.entry(version).or_default() += 1;
                }
            }
            query.cursor = page.next;
            if query.cursor.is_none() {
                break;
            }
        }
        Ok(Status {
            hub_version: VERSION.to_owned(),
            database: self.store.kind().to_string(),
            watching_since: self.liveness().since,
            org: slug,
            hosts,
            runner_versions,
        })
    }

    /// Returns the status of this process's loops.
    #[must_use]
    pub fn loops(&self) -> HubLoops {
        HubLoops { hub_id: self.id, loops: self.loops.status().into_iter().map(shown).collect() }
    }
}

fn shown(status: LoopStatus) -> Loop {
    Loop {
        name: status.name.to_owned(),
        state: status.state.to_string(),
        passes: status.passes,
        errors: status.errors,
        panics: status.panics,
        last_at: status.last_at,
        last_ms: status.last_took.and_then(|took| u64::try_from(took.as_millis()).ok()),
        last_error: status.last_error,
        next_at: status.next_at,
    }
}
