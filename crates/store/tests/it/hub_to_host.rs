//! Replication of triggers from a hub to a host, and of their fires back.

use domain::{
    DefinitionId, HostId, HubId, OrgId, TriggerId,
    job::JobStatus,
    sync::{
        Budget, Mark,
        doc::{DefinitionDoc, StoredDoc},
        hub::{self, LogPage},
        tables::{FIRE, TRIGGER},
    },
    trigger::{FireStatus, FireTarget, FiresAt},
};
use serde_json::json;
use store::{
    Store,
    definition::Definition,
    fire::Fire,
    replication::{Handed, StandaloneHost},
    trigger::Trigger,
};

use crate::{
    reads,
    seed::{T0, at, host, id, world},
    sync::{Pair, hub_id, pair},
    triggers::schedule,
    writes,
};

const BUDGET: Budget = Budget { rows: 256, bytes: 1_000_000 };

fn nobody() -> OrgId {
    OrgId::from_bytes([0; 16])
}

/// A hub, and a runner with its standalone host.
async fn linked(hub: &Store) -> Pair {
    let mut pair = pair(hub).await;
    let own = reads!(pair.runner.store, |tx| tx.host_list_all(HostId::from_bytes([0; 16]), 1).await).remove(0).host;
    pair.standalone = Some(StandaloneHost { org: own.org_id, host: own.id });
    pair
}

async fn definition(store: &Store, key: &'static str, version: i32) -> DefinitionId {
    let known = reads!(store, |tx| tx.definition_get(key).await);
    let row = Definition {
        id: known.map_or_else(id, |known| known.id),
        key: key.to_owned(),
        version,
        is_active: true,
        body: json!({"key": key, "orgs": ["acme"], "n": version}),
        created_by: "ana".into(),
        created_at: T0,
        updated_at: T0,
    };
    let written = row.clone();
    assert!(writes!(store, |tx| tx.definition_put(&written, T0).await).expect("puts"));
    row.id
}

/// A schedule of the hub for the host.
async fn hosts_schedule(pair: &Pair) -> Trigger {
    let mut trigger = Trigger { next_fire_at: None, ..schedule(pair.org, "backup") };
    (trigger.body.place, trigger.body.target) = (FiresAt::Host, FireTarget::Host(pair.host));
    let (row, host) = (trigger.clone(), pair.host);
    writes!(pair.hub, |tx| {
        tx.trigger_insert(&row).await?;
        // Another host got a number first.
        tx.trigger_host_put(&row, &[id(), host], T0).await
    })
    .expect("inserts");
    trigger
}

async fn hand(pair: &Pair, trigger: &Trigger, is_deleted: bool) {
    let handed = [Handed { host_id: pair.host, trigger_id: trigger.id, is_deleted, from_at: trigger.settled_at }];
    writes!(pair.hub, |tx| tx.sync_log_put(&handed, 77, at(2)).await).expect("assigns");
}

async fn page(pair: &Pair, host: HostId, after: u64, budget: Budget) -> LogPage<StoredDoc> {
    let side = pair.hub_side();
    reads!(pair.hub, |tx| tx.sync_log_page(&side, host, after, budget).await)
}

/// Replicates the hub's changes until neither side has anything to send.
async fn news(pair: &mut Pair) {
    let frames = pair.hub_hears(hub::HubInput::Changed).await;
    let mut said = Vec::new();
    for frame in frames {
        said.extend(pair.origin_does(domain::sync::origin::OriginInput::Received(frame)).await);
    }
    pair.talk(said).await;
    pair.changed().await;
}

async fn on_runner(pair: &Pair, trigger: TriggerId) -> Option<Trigger> {
    let org = pair.standalone.expect("a standalone host").org;
    reads!(pair.runner.store, |tx| tx.trigger_get(org, trigger).await)
}

async fn fires_there(pair: &Pair, trigger: &Trigger, secs: u32, ended: Option<JobStatus>) -> Fire {
    let fire = Fire {
        trigger_id: trigger.id,
        nominal_at: at(secs),
        ordinal: 1,
        org_id: pair.standalone.expect("a standalone host").org,
        host_id: Some(pair.standalone.expect("a standalone host").host),
        status: FireStatus::Fired,
        reason: String::new(),
        job_id: Some(id()),
        stands_for: 1,
        at: at(secs),
        ended_status: None,
        ended_at: None,
        origin: None,
    };
    let row = fire.clone();
    writes!(pair.runner.store, |tx| tx.fire_insert(&[row]).await).expect("inserts");
    if let Some(status) = ended {
        let open = reads!(pair.runner.store, |tx| tx.fire_open(&[fire.trigger_id]).await);
        let open = open.into_iter().find(|open| open.nominal_at == fire.nominal_at).expect("is open");
        writes!(pair.runner.store, |tx| tx.fire_end(&open, status, at(secs + 1)).await).expect("ends");
    }
    fire
}

testkit::db_test!(hub_trigger_is_replicated_with_its_definition, |db| async move {
    let mut pair = linked(&db.store).await;
    let backup = definition(&db.store, "backup", 1).await;
    let own = definition(&pair.runner.store, "backup", 1).await;
    let trigger = hosts_schedule(&pair).await;
    pair.link().await;
    hand(&pair, &trigger, false).await;
    news(&mut pair).await;

    let there = on_runner(&pair, trigger.id).await.expect("the trigger has arrived");
    let standalone = pair.standalone.expect("a standalone host");
    assert_eq!((there.hub_id, there.org_id, there.origin), (Some(hub_id()), standalone.org, None));
    assert_eq!((there.settled_at, there.next_fire_at.is_some()), (T0, true), "the trigger is due");
    assert_eq!(
        (there.body.target.clone(), there.body.definition_key.as_str()),
        (FireTarget::Host(standalone.host), "backup@hub")
    );
    let id_of = trigger.id;
    let numbers = reads!(pair.runner.store, |tx| tx.trigger_hosts(&[id_of]).await);
    assert_eq!((numbers.len(), numbers[0].host_id, numbers[0].ordinal), (1, standalone.host, 1));
    let held = reads!(pair.runner.store, |tx| tx.definition_get("backup@hub").await).expect("exists");
    assert_eq!(
        (held.id, &held.body["n"], &held.body["orgs"]),
        (DefinitionDoc::id_across(backup, hub_id()), &json!(1), &json!(null))
    );
    let kept = reads!(pair.runner.store, |tx| tx.definition_get("backup").await).expect("its own definition stays");
    assert_eq!((kept.id, kept.body["key"].as_str()), (own, Some("backup")));
    pair.assert_same().await;
    assert_eq!(
        reads!(db.store, |tx| tx.definition_get("backup@hub@web-1").await),
        None,
        "the hub's own definition is not shown as one of the host"
    );

    // A new version of the definition is replicated without a change of the trigger, and decided times stay decided.
    writes!(pair.runner.store, |tx| tx.trigger_settle(id_of, at(50), Some(at(60))).await).expect("settles");
    definition(&db.store, "backup", 2).await;
    let holders = reads!(db.store, |tx| tx.sync_log_of_definition("backup").await);
    assert_eq!((holders.len(), holders[0].trigger_id, holders[0].host_id), (1, id_of, pair.host));
    assert!(reads!(db.store, |tx| tx.sync_log_of_definition("other").await).is_empty());
    hand(&pair, &trigger, false).await;
    news(&mut pair).await;
    let held = reads!(pair.runner.store, |tx| tx.definition_get("backup@hub").await).expect("exists");
    assert_eq!(held.version, 2);
    let there = on_runner(&pair, id_of).await.expect("exists");
    assert_eq!((there.settled_at, there.next_fire_at), (at(50), Some(at(60))));
});

testkit::db_test!(fires_on_the_host_are_replicated_once, |db| async move {
    let mut pair = linked(&db.store).await;
    definition(&db.store, "backup", 1).await;
    let trigger = hosts_schedule(&pair).await;
    hand(&pair, &trigger, false).await;
    pair.link().await;
    let first = fires_there(&pair, &trigger, 60, Some(JobStatus::Succeeded)).await;
    let second = fires_there(&pair, &trigger, 120, None).await;
    pair.changed().await;
    let (host, id_of) = (pair.host, trigger.id);
    let shown = reads!(db.store, |tx| tx.fire_list(id_of, (at(999), 0), 9).await);
    let expected = |fire: &Fire, ended: Option<JobStatus>| {
        (fire.nominal_at, 1, pair.org, Some(host), Some(host), fire.job_id, ended)
    };
    assert_eq!(
        shown
            .iter()
            .map(|f| (f.nominal_at, f.ordinal, f.org_id, f.host_id, f.origin, f.job_id, f.ended_status))
            .collect::<Vec<_>>(),
        [expected(&second, None), expected(&first, Some(JobStatus::Succeeded))]
    );
    let numbers = reads!(db.store, |tx| tx.trigger_hosts(&[id_of]).await);
    assert_eq!(numbers[1].succeeded_at, Some(at(61)), "the last success on the host is known");
    // The job of the second fire has not arrived: it must not count as deleted.
    assert!(reads!(db.store, |tx| tx.fire_ended(9).await).is_empty());
    assert!(reads!(db.store, |tx| tx.fire_open(&[id_of]).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.sync_digest(host, &FIRE).await).rows, 2);
    pair.assert_same().await;
    // A full resend creates no duplicates.
    writes!(db.store, |tx| tx.sync_distrust(host, domain::sync::SyncPriority::Control).await).expect("forgets");
    pair.link().await;
    assert_eq!(reads!(db.store, |tx| tx.fire_list(id_of, (at(999), 0), 9).await), shown);
    // The host cannot overwrite a fire that the hub decided.
    let ours = Fire { nominal_at: at(180), origin: None, ..shown[0].clone() };
    let row = ours.clone();
    writes!(db.store, |tx| tx.fire_insert(&[row]).await).expect("inserts");
    fires_there(&pair, &trigger, 180, None).await;
    pair.changed().await;
    assert_eq!(reads!(db.store, |tx| tx.fire_get(id_of, at(180), 1).await), Some(ours));
    // Nor fires of other hosts, or of triggers of other organizations.
    let (beta, _, _) = world(&db.store, "beta").await;
    let theirs = schedule(beta, "theirs");
    let row = theirs.clone();
    writes!(db.store, |tx| tx.trigger_insert(&row).await).expect("inserts");
    fires_there(&pair, &theirs, 60, None).await;
    pair.changed().await;
    let their_id = theirs.id;
    assert!(reads!(db.store, |tx| tx.fire_list(their_id, (at(999), 0), 9).await).is_empty());
    let org = pair.org;
    assert_eq!(reads!(db.store, |tx| tx.sync_parked_list(org, 9).await).len(), 1);
    // Fires deleted on the host are deleted on the hub.
    assert_eq!(writes!(pair.runner.store, |tx| tx.fire_prune(at(61), 9).await).expect("prunes"), 1);
    pair.changed().await;
    assert_eq!(reads!(db.store, |tx| tx.fire_get(id_of, at(60), 1).await), None);
});

testkit::db_test!(released_trigger_resumes_after_the_hosts_last_decision, |db| async move {
    let mut pair = linked(&db.store).await;
    definition(&db.store, "backup", 1).await;
    let trigger = hosts_schedule(&pair).await;
    hand(&pair, &trigger, false).await;
    pair.link().await;
    let id_of = trigger.id;
    writes!(pair.runner.store, |tx| tx.trigger_settle(id_of, at(300), Some(at(360))).await).expect("settles");
    // The hub's schedule loop has run meanwhile, and created no jobs.
    writes!(db.store, |tx| tx.trigger_settle(id_of, at(360), None).await).expect("settles");
    hand(&pair, &trigger, true).await;
    let held = reads!(db.store, |tx| tx.sync_log_of(&[id_of]).await);
    assert_eq!((held.len(), held[0].is_deleted), (1, true), "the host may fire until it has confirmed the stop");
    let host = pair.host;
    assert_eq!(reads!(db.store, |tx| tx.sync_log_of_host(host).await), held);
    news(&mut pair).await;
    assert_eq!(on_runner(&pair, id_of).await, None, "the trigger has stopped on the host");
    assert!(reads!(db.store, |tx| tx.sync_log_of(&[id_of]).await).is_empty());
    let org = pair.org;
    let back = reads!(db.store, |tx| tx.trigger_get(org, id_of).await).expect("exists");
    assert_eq!((back.settled_at, back.next_fire_at), (at(300), Some(at(1))), "the hub decides later times");
    let numbers = reads!(db.store, |tx| tx.trigger_hosts(&[id_of]).await);
    assert_eq!(numbers[1].settled_at, Some(at(300)));
    pair.assert_same().await;

    // The trigger was assigned and withdrawn before the host received it: the host confirms the stop nevertheless.
    hand(&pair, &trigger, false).await;
    hand(&pair, &trigger, true).await;
    news(&mut pair).await;
    assert!(reads!(db.store, |tx| tx.sync_log_of(&[id_of]).await).is_empty());
    // The trigger can be assigned again.
    hand(&pair, &trigger, false).await;
    news(&mut pair).await;
    assert_eq!(on_runner(&pair, id_of).await.expect("exists again").settled_at, at(300), "decided times stay decided");
});

testkit::db_test!(new_log_epoch_stops_triggers_missing_from_the_log, |db| async move {
    let mut pair = linked(&db.store).await;
    definition(&db.store, "backup", 1).await;
    let (kept, lost) = (hosts_schedule(&pair).await, hosts_schedule(&pair).await);
    hand(&pair, &kept, false).await;
    hand(&pair, &lost, false).await;
    pair.link().await;
    assert!(on_runner(&pair, lost.id).await.is_some());
    // As if the hub's database was restored from before the second entry: it does not know the entry that the host has
    // received.
    db.store.execute_raw("delete from sync_log where hseq = 2").await.expect("damages");
    db.store.execute_raw("delete from sync_hub_mark where hseq = 2").await.expect("damages");
    db.store.execute_raw("update sync_hub set hseq = 1").await.expect("damages");
    pair.link().await;
    let epoch = writes!(db.store, |tx| tx.sync_hub_epoch(1, T0).await).expect("reads");
    assert_eq!(epoch.number, 2, "a new epoch");
    assert!(on_runner(&pair, kept.id).await.is_some());
    assert_eq!(on_runner(&pair, lost.id).await, None);
    // The same with an empty log.
    db.store.execute_raw("delete from sync_log").await.expect("damages");
    writes!(db.store, |tx| tx.sync_hub_renew(2, 9, T0).await).expect("renews");
    pair.link().await;
    assert_eq!(on_runner(&pair, kept.id).await, None);
});

testkit::db_test!(marks_below_every_hosts_position_are_pruned, |db| async move {
    let mut pair = linked(&db.store).await;
    definition(&db.store, "backup", 1).await;
    let trigger = hosts_schedule(&pair).await;
    let prune = async || writes!(db.store, |tx| tx.sync_marks_prune(100).await).expect("prunes");
    let handed = [Handed { host_id: pair.host, trigger_id: trigger.id, is_deleted: false, from_at: T0 }];
    let hand = async |mark: u64| writes!(db.store, |tx| tx.sync_log_put(&handed, mark, T0).await).expect("assigns");
    for mark in 101..=105 {
        hand(mark).await;
    }
    assert_eq!(prune().await, 0, "no host has confirmed a position");
    pair.link().await;
    assert_eq!(prune().await, 4, "the host has all entries; the mark of its position stays");
    for mark in 106..=108 {
        hand(mark).await;
    }
    assert_eq!(prune().await, 0, "the host has not received these entries");
    // The position is unchanged: nothing is resent, and no new epoch starts.
    pair.link().await;
    let epoch = writes!(db.store, |tx| tx.sync_hub_epoch(1, T0).await).expect("reads");
    assert_eq!(epoch.number, 1);
    assert_eq!(reads!(pair.runner.store, |tx| tx.sync_received(hub_id()).await).expect("has received").hseq, 8);
    // A host without a confirmed position may be at any mark.
    db.store.execute_raw("delete from sync_acked").await.expect("damages");
    assert_eq!(prune().await, 0);
    pair.link().await;
    assert_eq!(prune().await, 3);
    assert_eq!(reads!(db.store, |tx| tx.sync_hub_mark(8).await), Some(Mark(108)), "marks that a host may ask for stay");
});

testkit::db_test!(only_the_primary_hub_replicates_triggers_to_a_standalone_host, |db| async move {
    let mut pair = pair(&db.store).await;
    definition(&db.store, "backup", 1).await;
    let trigger = hosts_schedule(&pair).await;
    hand(&pair, &trigger, false).await;
    let host_id = pair.host;
    let said = page(&pair, host_id, 0, BUDGET).await;
    assert_eq!((said.rows.len(), said.upto, said.has_more), (2, 1, false), "a definition and its trigger");
    assert_eq!(said.rows[0].1.table, "definition");
    let none = page(&pair, id(), 0, BUDGET).await;
    assert_eq!((none.rows.len(), none.upto), (0, 0), "no entries for another host");
    // Entries that do not fit into a page follow in order.
    let other = hosts_schedule(&pair).await;
    hand(&pair, &other, false).await;
    let small = Budget { rows: 1, bytes: 1 };
    let said = page(&pair, host_id, 0, small).await;
    assert_eq!((said.upto, said.has_more), (1, true));
    let said = page(&pair, host_id, 1, small).await;
    assert_eq!((said.upto, said.has_more), (2, false));

    // Without a standalone host only the cursor moves.
    pair.link().await;
    let all = reads!(pair.runner.store, |tx| tx.trigger_list(nobody(), TriggerId::from_bytes([0; 16]), 9).await);
    assert!(all.is_empty());
    assert_eq!(reads!(pair.runner.store, |tx| tx.sync_own_digest(&TRIGGER).await).rows, 0);
    let received = reads!(pair.runner.store, |tx| tx.sync_received(hub_id()).await).expect("has received");
    assert_eq!(received.hseq, 2);
    // A hub that is not the host's primary hub sends nothing, and loses nothing.
    let org = pair.org;
    let mut away = reads!(db.store, |tx| tx.host_get(org, host_id).await).expect("exists").host;
    away.primary_hub = Some("http://elsewhere".into());
    writes!(db.store, |tx| tx.host_update(&away).await).expect("updates");
    let said = page(&pair, host_id, 0, BUDGET).await;
    assert_eq!((said.rows.len(), said.upto), (0, 0));
    // Deleting a host deletes its log entries.
    assert!(writes!(db.store, |tx| tx.host_remove(org, host_id, crate::seed::T0).await).expect("removes"));
    assert!(reads!(db.store, |tx| tx.sync_log_of_host(host_id).await).is_empty());
});

testkit::db_test!(host_trigger_is_shown_and_never_fired, |db| async move {
    let mut pair = linked(&db.store).await;
    let standalone = pair.standalone.expect("a standalone host");
    let own = schedule(standalone.org, "mine");
    let row = own.clone();
    writes!(pair.runner.store, |tx| tx.trigger_insert(&row).await).expect("inserts");
    pair.link().await;
    let (org, id_of) = (pair.org, own.id);
    let shown = reads!(db.store, |tx| tx.trigger_get(org, id_of).await).expect("is shown");
    assert_eq!((shown.origin, shown.next_fire_at, shown.body.label.as_str()), (Some(pair.host), None, "mine"));
    assert!(reads!(db.store, |tx| tx.trigger_due(at(9_999), 9).await).is_empty());
    let gone = Trigger { version: 2, deleted_at: Some(at(5)), next_fire_at: None, ..own };
    writes!(pair.runner.store, |tx| tx.trigger_update(&gone).await).expect("removes");
    pair.changed().await;
    assert_eq!(reads!(db.store, |tx| tx.trigger_get(org, id_of).await), None);
    pair.assert_same().await;
});

testkit::db_test!(leaving_a_hub_stops_its_triggers, |db| async move {
    let mut pair = linked(&db.store).await;
    definition(&db.store, "backup", 1).await;
    let trigger = hosts_schedule(&pair).await;
    hand(&pair, &trigger, false).await;
    pair.link().await;
    let primary = Some(hub_id());
    assert_eq!(writes!(pair.runner.store, |tx| tx.sync_leave_others(primary, at(9)).await).expect("stays"), 0);
    let other = Some(HubId::from_bytes([8; 16]));
    assert_eq!(writes!(pair.runner.store, |tx| tx.sync_leave_others(other, at(9)).await).expect("leaves"), 1);
    assert_eq!(on_runner(&pair, trigger.id).await, None);
    assert_eq!(reads!(pair.runner.store, |tx| tx.sync_received(hub_id()).await), None);
    // The host returns, and the hub resends all rows.
    pair.link().await;
    assert!(on_runner(&pair, trigger.id).await.is_some());
});

#[test]
fn log_numbers_are_committed_in_order() {
    testkit::block_on(async {
        let db = testkit::TestDb::postgres().await;
        let (org, _, _) = world(&db.store, "acme").await;
        let host = host(org, "nas");
        let host_id = host.id;
        writes!(db.store, |tx| tx.host_insert(&host).await).expect("inserts");
        let put = |n: u64| {
            let store = db.store.clone();
            async move {
                let handed = [0, 1].map(|_| Handed { host_id, trigger_id: id(), is_deleted: false, from_at: T0 });
                writes!(store, |tx| tx.sync_log_put(&handed, n, T0).await).expect("puts");
                // A reader that has seen a number has seen all lower numbers.
                let (head, seen) = reads!(store, |tx| {
                    let head = tx.sync_hub_head().await?;
                    Ok::<_, store::Error>((head, tx.sync_log_of_host(host_id).await?))
                });
                let below = seen.iter().filter(|entry| entry.hseq.cast_unsigned() <= head).count();
                assert_eq!(below as u64, head);
            }
        };
        futures_util::future::join_all((1..=20).map(put)).await;
        assert_eq!(reads!(db.store, |tx| tx.sync_hub_head().await), 40);
        db.store.close().await;
    });
}
