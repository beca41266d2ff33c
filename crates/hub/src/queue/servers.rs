//! Jobs that start, stop or restart a server: one at a time for each server, and a newer request supersedes older ones.

use domain::{
    JobId, OrgId, ServerId,
    job::EndReason,
    lane::Target,
    quota::QuotaKind,
    server::{ServerOp, limit_key},
};
use serde_json::Value;
use store::{Tx, insert::NewJob as JobRow, quota::QuotaKey};

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

/// Reason of a cancellation by a later stop.
pub(crate) const SUPERSEDED: &str = "superseded by a later stop";

/// Cancels the queued jobs of a server before a new one is inserted. A stop also cancels a start that is running.
pub(crate) async fn supersede(
    hub: &Hub,
    tx: &mut Tx<'_>,
    job: &JobRow,
    target: &Target,
    server: ServerId,
    op: ServerOp,
) -> Result<Vec<Canceled>> {
    let org = job.org_id;
    limit_to_one(hub, tx, org, server).await?;
    let others = tx.jobs_of_server(org, &target.text(), &limit_key(server)).await?;
    let queued: Vec<JobId> = others.iter().filter(|other| !other.is_running).map(|other| other.job_id).collect();
    end_queued(hub, tx, &queued, EndReason::Superseded).await?;
    if op != ServerOp::Stop {
        return Ok(Vec::new());
    }
    let is_start =
        |definition| matches!(ServerOp::of_definition(definition), Some(ServerOp::Start | ServerOp::Restart));
    let mut canceled = Vec::new();
    for other in others.iter().filter(|other| other.is_running && is_start(other.definition_id)) {
        match cancel(hub, tx, ChangedBy::Batch(&job.created_by), org, other.job_id, SUPERSEDED, false).await {
            Ok(one) => canceled.push(one),
            // It has ended in the meantime.
            Err(error) if error.code().status() < 500 => {}
            Err(error) => return Err(error),
        }
    }
    Ok(canceled)
}

/// Limits the running jobs of a server to one.
async fn limit_to_one(hub: &Hub, tx: &mut Tx<'_>, org: OrgId, server: ServerId) -> Result<()> {
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

    testkit::db_test!(jobs_of_servers_take_no_slot_and_run_one_at_a_time, |db| async move {
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
        assert_eq!(
            about(&first),
            [vec![None], both].concat(),
            "one of the two other jobs, and the starts of both servers"
        );

        // While the start of `a` runs, its other jobs wait; a stop cancels the start.
        let of = |op: ServerOp| json!({"definition_key": op.key(), "payload": {"server": servers[0]}});
        fixture.enqueue_as(fixture.acme, 1, of(ServerOp::Restart)).await;
        assert!(fixture.claim().await.is_empty());
        fixture.enqueue_as(fixture.acme, 1, of(ServerOp::Stop)).await;
        assert!(fixture.claim().await.is_empty());
        let start = first.iter().find(|grant| named(&grant.payload) == Some(servers[0])).expect("was granted");
        let job = fixture.hub.job_get(fixture.acme, &start.job.to_string()).await.expect("exists");
        assert!(job.job.is_canceling, "{job:?}");
    });
}
