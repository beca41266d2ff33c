//! Jobs that ask something of servers: for each server one at a time, and the newest wish counts.

use domain::{
    JobId, OrgId, ServerId,
    job::EndReason,
    quota::QuotaKind,
    server::{ServerOp, limit_key},
};
use serde_json::Value;
use store::{Tx, quota::QuotaKey};

use super::enqueue::NewWork;
use crate::{
    Hub, Result,
    app::{
        jobs::{
            change::{Canceled, ChangedBy, cancel},
            end_queued,
        },
        settings::limits::set_limit,
    },
};

/// Why a start that is under way is given up.
pub(crate) const SUPERSEDED: &str = "superseded by a later stop";

/// What was under way and is pointless now.
#[derive(Default)]
pub(crate) struct Way {
    /// A start that is under way and is given up.
    pub(crate) canceled: Vec<Canceled>,
}

/// Makes way for a job on a server: those of the same server that wait for something else end, and a start that is
/// under way gives way to a stop. It is not made if the same was asked already.
pub(crate) async fn make_way(
    hub: &Hub,
    tx: &mut Tx<'_>,
    work: &NewWork,
    server: ServerId,
    op: ServerOp,
) -> Result<Way> {
    let org = work.job.org_id;
    one_at_a_time(hub, tx, org, server).await?;
    let others = tx.jobs_of_server(org, &work.lane.target.text(), &limit_key(server)).await?;
    let waiting: Vec<JobId> = others.iter().filter(|other| !other.is_running).map(|other| other.job_id).collect();
    end_queued(hub, tx, &waiting, EndReason::Superseded).await?;
    let mut way = Way::default();
    let is_start =
        |definition| matches!(ServerOp::of_definition(definition), Some(ServerOp::Start | ServerOp::Restart));
    for other in others.iter().filter(|other| other.is_running && op == ServerOp::Stop && is_start(other.definition_id))
    {
        let by = &work.job.created_by;
        match cancel(hub, tx, ChangedBy::Batch(by), org, other.job_id, SUPERSEDED, false).await {
            Ok(canceled) => way.canceled.push(canceled),
            // It ended by itself meanwhile.
            Err(error) if error.code().status() < 500 => {}
            Err(error) => return Err(error),
        }
    }
    Ok(way)
}

/// Jobs of one server run one after the other.
async fn one_at_a_time(hub: &Hub, tx: &mut Tx<'_>, org: OrgId, server: ServerId) -> Result<()> {
    let key = QuotaKey { org: Some(org), kind: QuotaKind::Key, subject: limit_key(server), host: None };
    if tx.quota_get(&key).await?.is_none() {
        set_limit(hub, tx, &key, Some(1), None).await?;
    }
    Ok(())
}

/// The server that a payload names.
pub(crate) fn named(payload: &Value) -> Option<ServerId> {
    payload.get("server").and_then(Value::as_str).and_then(|id| id.parse().ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::queue::test_support::{TestQueue, local};

    testkit::db_test!(a_server_takes_no_place_on_its_host_and_one_thing_at_a_time, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let mut servers = Vec::new();
        for name in ["a", "b"] {
            let request = json!({"name": name, "host": "web-1", "argv": ["redis-server"]});
            let request = serde_json::from_value(request).expect("a request");
            servers.push(fixture.hub.server_create(&local(), fixture.acme, request).await.expect("makes").id);
        }
        fixture.enqueue_as(fixture.acme, 2, json!({"definition_key": "sleep", "host": "web-1"})).await;
        for server in &servers {
            let start = json!({"definition_key": "SERVER_START", "payload": {"server": server}});
            fixture.enqueue_as(fixture.acme, 1, start).await;
        }
        let first = fixture.claim().await;
        let about = |grants: &[proto::work::Grant]| {
            let mut named: Vec<Option<ServerId>> = grants.iter().map(|grant| named(&grant.payload)).collect();
            named.sort_unstable();
            named
        };
        let both: Vec<Option<ServerId>> = servers.iter().copied().map(Some).collect();
        assert_eq!(about(&first), [vec![None], both].concat(), "one of the two jobs, and both servers");

        // While the start of `a` is under way nothing else is asked of it; a stop makes it give up.
        let of = |op: ServerOp| json!({"definition_key": op.key(), "payload": {"server": servers[0]}});
        fixture.enqueue_as(fixture.acme, 1, of(ServerOp::Restart)).await;
        assert!(fixture.claim().await.is_empty());
        fixture.enqueue_as(fixture.acme, 1, of(ServerOp::Stop)).await;
        assert!(fixture.claim().await.is_empty());
        let start = first.iter().find(|grant| named(&grant.payload) == Some(servers[0])).expect("was granted");
        let job = fixture.hub.job_get(fixture.acme, &start.job.to_string()).await.expect("is there");
        assert!(job.job.is_canceling, "{job:?}");
    });
}
