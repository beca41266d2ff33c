//! Ids of lanes by key, and which hosts serve a lane.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use domain::{
    HostId, LaneId, Span, Timestamp,
    lane::{LaneKey, LaneServer, Target},
};
use store::{Tx, lane::Servant};

use crate::{Hub, Result};

/// A lane is read again after this time, which marks it as used: unused lanes are removed.
const TOUCH_EVERY: Span = Span::from_secs(600);
/// Cached lanes; beyond it the cache is cleared.
const CACHED_MAX: usize = 100_000;

/// A lane's key in the cache.
type CacheKey = (domain::OrgId, domain::lane::TargetKind, String, domain::DefinitionId, String);

fn cache_key(key: &LaneKey) -> CacheKey {
    (key.org, key.target.kind(), key.target.text(), key.definition, key.limit_key.clone())
}

/// The lanes that this hub has used recently.
#[derive(Default)]
pub(crate) struct Lanes(Mutex<HashMap<CacheKey, (LaneId, Timestamp)>>);

/// A lane that a transaction has read or created. It is cached after the commit.
pub(crate) struct FoundLane {
    pub(crate) key: LaneKey,
    pub(crate) id: LaneId,
    /// Hosts that serve it.
    pub(crate) hosts: Vec<HostId>,
}

impl Lanes {
    fn cached(&self) -> std::sync::MutexGuard<'_, HashMap<CacheKey, (LaneId, Timestamp)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lane of this key, if it is cached.
    pub(crate) fn get(&self, key: &LaneKey, now: Timestamp) -> Option<LaneId> {
        self.cached().get(&cache_key(key)).filter(|(_, at)| now.since(*at) < TOUCH_EVERY).map(|(id, _)| *id)
    }

    /// Reads or creates the lane of this key, with the hosts that serve it. Locks the org: a host that starts to serve
    /// its lanes at the same time sees either this lane or waits for it.
    pub(crate) async fn put(&self, hub: &Hub, tx: &mut Tx<'_>, key: &LaneKey) -> Result<FoundLane> {
        tx.lanes_lock(key.org).await?;
        let id = tx.lane_put(key, hub.ids.next(), hub.now()).await?;
        let servants = match key.target {
            Target::Host(host) => tx.servant(host).await?.into_iter().collect(),
            Target::Queue(_) | Target::Selector(_) => tx.servants(key.org).await?,
        };
        let hosts: Vec<HostId> =
            servants.iter().filter(|servant| serves(servant, key)).map(|servant| servant.host_id).collect();
        let pairs: Vec<(HostId, LaneId)> = hosts.iter().map(|host| (*host, id)).collect();
        tx.host_lanes_add(&pairs).await?;
        Ok(FoundLane { key: key.clone(), id, hosts })
    }

    /// Caches lanes after the commit of their transaction.
    pub(crate) fn keep(&self, found: &[FoundLane], now: Timestamp) {
        let mut cached = self.cached();
        if cached.len() + found.len() > CACHED_MAX {
            cached.clear();
        }
        for lane in found {
            cached.insert(cache_key(&lane.key), (lane.id, now));
        }
    }
}

fn serves(servant: &Servant, key: &LaneKey) -> bool {
    let Servant { host_id, orgs, labels, queues } = servant;
    LaneServer { host: *host_id, orgs, labels, queues }.serves(key)
}

/// Rewrites which lanes a host serves, after its hello or a change of its labels, queues or shares.
pub(crate) async fn rewrite(tx: &mut Tx<'_>, host: HostId) -> Result<Vec<LaneId>> {
    let mut lanes = Vec::new();
    if let Some(mut servant) = tx.servant(host).await? {
        servant.orgs.sort_unstable();
        for org in &servant.orgs {
            tx.lanes_lock(*org).await?;
            let of_org = tx.lanes_of_org(*org).await?;
            lanes.extend(of_org.into_iter().filter(|lane| serves(&servant, &lane.key)).map(|lane| lane.id));
        }
    }
    lanes.sort();
    // Called for every hello, and rarely anything has changed.
    if tx.host_lanes(host).await? != lanes {
        tx.host_lanes_set(host, &lanes).await?;
    }
    Ok(lanes)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use domain::lane::{LaneKey, QueueNames, Target};
    use tokio::sync::oneshot;

    use super::rewrite;
    use crate::{Error, queue::test_support::TestQueue};

    testkit::db_test!(concurrent_new_lane_and_new_host_find_each_other, |db| async move {
        let is_postgres = db.url.starts_with("postgres");
        let fixture = TestQueue::new(db, 1).await;
        let (hub, host, acme) = (fixture.hub.clone(), fixture.host, fixture.acme);
        let serve = move |queues: &'static [&'static str]| {
            let queues: Vec<String> = queues.iter().map(|queue| (*queue).to_owned()).collect();
            let store = hub.store.clone();
            async move {
                let work = store.write(move |tx| {
                    Box::pin(async move {
                        let view = tx.host_anywhere(host).await?.expect("exists");
                        let allowed = QueueNames::offered(&queues);
                        tx.host_update(&store::host::Host { queues: allowed, ..view.host }).await?;
                        tx.host_queues_set(host, &queues).await?;
                        rewrite(tx, host).await
                    })
                });
                work.await.expect("rewrites")
            }
        };
        let definition = fixture.hub.definition_for("acme", "hello").await.expect("is built in").definition.id;
        let target = Target::Queue("night".to_owned());
        let key = LaneKey { org: acme, target, definition, limit_key: String::new() };
        let (asked, heard) = oneshot::channel::<()>();
        let (over, is_over) = oneshot::channel::<()>();
        let hub = fixture.hub.clone();
        let new_lane = fixture.hub.store.write(move |tx| {
            Box::pin(async move {
                let found = hub.queue.lanes.put(&hub, tx, &key).await?;
                let _ = asked.send(());
                // The host waits for the lock of the org, so this waits until its limit. SQLite has one writer.
                if is_postgres {
                    let _ = tokio::time::timeout(Duration::from_millis(300), is_over).await;
                }
                Ok::<_, Error>(found.id)
            })
        });
        let new_host = async {
            let _ = heard.await;
            let lanes = serve(&["default", "night"]).await;
            let _ = over.send(());
            lanes
        };
        let (lane, lanes) = tokio::join!(new_lane, new_host);
        assert!(lanes.contains(&lane.expect("puts")), "{lanes:?}");
    });
}
