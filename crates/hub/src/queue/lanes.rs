//! Lanes by what they are for, and which hosts serve them.

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

/// A lane is touched again after this long, so that it is not taken for unused.
const TOUCH_EVERY: Span = Span::from_secs(600);
/// Lanes kept in memory; beyond it everything is asked anew.
const KEPT_MAX: usize = 100_000;

/// What a lane is for, as a key of a map.
type Text = (domain::OrgId, domain::lane::TargetKind, String, domain::DefinitionId, String);

fn text(key: &LaneKey) -> Text {
    (key.org, key.target.kind(), key.target.text(), key.definition, key.limit_key.clone())
}

/// The lanes this hub has used lately.
#[derive(Default)]
pub(crate) struct Lanes(Mutex<HashMap<Text, (LaneId, Timestamp)>>);

/// A lane that was looked up in a transaction; kept in memory once that has committed.
pub(crate) struct Found {
    key: LaneKey,
    pub(crate) id: LaneId,
    /// Hosts that were found to serve it, if it was looked up anew.
    pub(crate) hosts: Vec<HostId>,
}

impl Found {
    /// Whether it is the lane of this key.
    pub(crate) fn is(&self, key: &LaneKey) -> bool {
        self.key == *key
    }
}

impl Lanes {
    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<Text, (LaneId, Timestamp)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lane of this key, if it was used a moment ago.
    pub(crate) fn get(&self, key: &LaneKey, now: Timestamp) -> Option<LaneId> {
        self.known().get(&text(key)).filter(|(_, at)| now.since(*at) < TOUCH_EVERY).map(|(id, _)| *id)
    }

    /// The same, if it is asked for one key after the other: mostly it is the one that was `last`.
    pub(crate) fn get_like<'k>(
        &self,
        key: &'k LaneKey,
        last: &mut Option<(&'k LaneKey, LaneId)>,
        now: Timestamp,
    ) -> Option<LaneId> {
        match *last {
            Some((same, id)) if same == key => Some(id),
            _ => {
                let id = self.get(key, now)?;
                *last = Some((key, id));
                Some(id)
            }
        }
    }

    /// The lane of this key, made if there is none, with the hosts that serve it.
    pub(crate) async fn put(&self, hub: &Hub, tx: &mut Tx<'_>, key: &LaneKey) -> Result<Found> {
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
        Ok(Found { key: key.clone(), id, hosts })
    }

    /// Keeps what a transaction that has committed found.
    pub(crate) fn keep(&self, found: &[Found], now: Timestamp) {
        let mut known = self.known();
        if known.len() + found.len() > KEPT_MAX {
            known.clear();
        }
        for lane in found {
            known.insert(text(&lane.key), (lane.id, now));
        }
    }
}

fn serves(servant: &Servant, key: &LaneKey) -> bool {
    let Servant { host_id, orgs, labels, queues } = servant;
    LaneServer { host: *host_id, orgs, labels, queues }.serves(key)
}

/// Rewrites which lanes a host serves: its labels, queues or shares have changed, or it says hello.
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
    // Every hello comes here, and hardly ever has anything changed.
    if tx.host_lanes(host).await? != lanes {
        tx.host_lanes_set(host, &lanes).await?;
    }
    Ok(lanes)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use domain::lane::{LaneKey, Target};
    use tokio::sync::oneshot;

    use super::rewrite;
    use crate::{Error, queue::test_support::TestQueue};

    testkit::db_test!(a_lane_and_a_host_that_come_at_the_same_moment_find_each_other, |db| async move {
        let is_postgres = db.url.starts_with("postgres");
        let fixture = TestQueue::new(db, 1).await;
        let (hub, host, acme) = (fixture.hub.clone(), fixture.host, fixture.acme);
        let serve = move |queues: &'static [&'static str]| {
            let queues: Vec<String> = queues.iter().map(|queue| (*queue).to_owned()).collect();
            let store = hub.store.clone();
            async move {
                let work = store.write(move |tx| {
                    Box::pin(async move {
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
                // The host is not let by, so this waits in vain; were it, it would be over at once. SQLite has one writer.
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
