//! A hub's triggers on their way to a host, and what became of their times on the way back.

use domain::{
    DefinitionId, HostId, HubId, OrgId, TriggerId,
    job::JobStatus,
    sync::{
        Budget, Mark,
        doc::{DefinitionDoc, Held},
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

/// A hub and a runner with a seat at its own desk.
async fn seated(hub: &Store) -> Pair {
    let mut pair = pair(hub).await;
    let own = reads!(pair.runner.store, |tx| tx.host_list_all(HostId::from_bytes([0; 16]), 1).await).remove(0).host;
    pair.seat = Some(StandaloneHost { org: own.org_id, host: own.id });
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

/// A schedule of the hub that its host is to fire.
async fn hosts_schedule(pair: &Pair) -> Trigger {
    let mut trigger = Trigger { next_fire_at: None, ..schedule(pair.org, "backup") };
    (trigger.body.place, trigger.body.target) = (FiresAt::Host, FireTarget::Host(pair.host));
    let (row, host) = (trigger.clone(), pair.host);
    writes!(pair.hub, |tx| {
        tx.trigger_insert(&row).await?;
        // Another host was there first.
        tx.trigger_host_put(&row, &[id(), host], T0).await
    })
    .expect("inserts");
    trigger
}

async fn hand(pair: &Pair, trigger: &Trigger, is_deleted: bool) {
    let handed = [Handed { host_id: pair.host, trigger_id: trigger.id, is_deleted, from_at: trigger.settled_at }];
    writes!(pair.hub, |tx| tx.sync_log_put(&handed, 77, at(2)).await).expect("hands over");
}

async fn page(pair: &Pair, host: HostId, after: u64, budget: Budget) -> LogPage<Held> {
    let side = pair.hub_side();
    reads!(pair.hub, |tx| tx.sync_log_page(&side, host, after, budget).await)
}

/// The hub says what is new, and both go on until there is nothing to say.
async fn news(pair: &mut Pair) {
    let says = pair.hub_hears(hub::HubInput::Changed).await;
    let mut said = Vec::new();
    for frame in says {
        said.extend(pair.origin_does(domain::sync::origin::OriginInput::Heard(frame)).await);
    }
    pair.talk(said).await;
    pair.changed().await;
}

async fn on_runner(pair: &Pair, trigger: TriggerId) -> Option<Trigger> {
    let org = pair.seat.expect("a seat").org;
    reads!(pair.runner.store, |tx| tx.trigger_get(org, trigger).await)
}

async fn fires_there(pair: &Pair, trigger: &Trigger, secs: u32, ended: Option<JobStatus>) -> Fire {
    let fire = Fire {
        trigger_id: trigger.id,
        nominal_at: at(secs),
        ordinal: 1,
        org_id: pair.seat.expect("a seat").org,
        host_id: Some(pair.seat.expect("a seat").host),
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

testkit::db_test!(a_hubs_trigger_reaches_its_host_with_its_definition, |db| async move {
    let mut pair = seated(&db.store).await;
    let backup = definition(&db.store, "backup", 1).await;
    let own = definition(&pair.runner.store, "backup", 1).await;
    let trigger = hosts_schedule(&pair).await;
    pair.link().await;
    hand(&pair, &trigger, false).await;
    news(&mut pair).await;

    let there = on_runner(&pair, trigger.id).await.expect("it has arrived");
    let seat = pair.seat.expect("a seat");
    assert_eq!((there.hub_id, there.org_id, there.origin), (Some(hub_id()), seat.org, None));
    assert_eq!((there.settled_at, there.next_fire_at.is_some()), (T0, true), "it is to be looked at");
    assert_eq!(
        (there.body.target.clone(), there.body.definition_key.as_str()),
        (FireTarget::Host(seat.host), "backup@hub")
    );
    let id_of = trigger.id;
    let numbers = reads!(pair.runner.store, |tx| tx.trigger_hosts(&[id_of]).await);
    assert_eq!((numbers.len(), numbers[0].host_id, numbers[0].ordinal), (1, seat.host, 1));
    let held = reads!(pair.runner.store, |tx| tx.definition_get("backup@hub").await).expect("is there");
    assert_eq!(
        (held.id, &held.body["n"], &held.body["orgs"]),
        (DefinitionDoc::id_across(backup, hub_id()), &json!(1), &json!(null))
    );
    let kept = reads!(pair.runner.store, |tx| tx.definition_get("backup").await).expect("its own stays");
    assert_eq!((kept.id, kept.body["key"].as_str()), (own, Some("backup")));
    pair.assert_same().await;
    assert_eq!(reads!(db.store, |tx| tx.definition_get("backup@hub@web-1").await), None, "ours is not shown as theirs");

    // Another version of the definition comes by itself, and what was decided stays decided.
    writes!(pair.runner.store, |tx| tx.trigger_settle(id_of, at(50), Some(at(60))).await).expect("settles");
    definition(&db.store, "backup", 2).await;
    let holders = reads!(db.store, |tx| tx.sync_log_of_definition("backup").await);
    assert_eq!((holders.len(), holders[0].trigger_id, holders[0].host_id), (1, id_of, pair.host));
    assert!(reads!(db.store, |tx| tx.sync_log_of_definition("other").await).is_empty());
    hand(&pair, &trigger, false).await;
    news(&mut pair).await;
    let held = reads!(pair.runner.store, |tx| tx.definition_get("backup@hub").await).expect("is there");
    assert_eq!(held.version, 2);
    let there = on_runner(&pair, id_of).await.expect("is there");
    assert_eq!((there.settled_at, there.next_fire_at), (at(50), Some(at(60))));
});

testkit::db_test!(what_became_of_its_times_comes_back_once, |db| async move {
    let mut pair = seated(&db.store).await;
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
    // The job of the second has not arrived: it is not taken for one that is no longer kept.
    assert!(reads!(db.store, |tx| tx.fire_ended(9).await).is_empty());
    assert!(reads!(db.store, |tx| tx.fire_open(&[id_of]).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.sync_digest(host, &FIRE).await).rows, 2);
    pair.assert_same().await;
    // Everything is said again, and nothing is there twice.
    writes!(db.store, |tx| tx.sync_distrust(host, domain::sync::SyncPriority::Control).await).expect("forgets");
    pair.link().await;
    assert_eq!(reads!(db.store, |tx| tx.fire_list(id_of, (at(999), 0), 9).await), shown);
    // What the hub has decided itself is not the host's to write.
    let ours = Fire { nominal_at: at(180), origin: None, ..shown[0].clone() };
    let row = ours.clone();
    writes!(db.store, |tx| tx.fire_insert(&[row]).await).expect("inserts");
    fires_there(&pair, &trigger, 180, None).await;
    pair.changed().await;
    assert_eq!(reads!(db.store, |tx| tx.fire_get(id_of, at(180), 1).await), Some(ours));
    // Nor are times of other hosts, or other orgs' triggers.
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
    // What is forgotten there is forgotten here.
    assert_eq!(writes!(pair.runner.store, |tx| tx.fire_prune(at(61), 9).await).expect("prunes"), 1);
    pair.changed().await;
    assert_eq!(reads!(db.store, |tx| tx.fire_get(id_of, at(60), 1).await), None);
});

testkit::db_test!(a_trigger_is_given_back_with_how_far_it_was_decided, |db| async move {
    let mut pair = seated(&db.store).await;
    definition(&db.store, "backup", 1).await;
    let trigger = hosts_schedule(&pair).await;
    hand(&pair, &trigger, false).await;
    pair.link().await;
    let id_of = trigger.id;
    writes!(pair.runner.store, |tx| tx.trigger_settle(id_of, at(300), Some(at(360))).await).expect("settles");
    // The hub has looked at the clock meanwhile, and made nothing.
    writes!(db.store, |tx| tx.trigger_settle(id_of, at(360), None).await).expect("settles");
    hand(&pair, &trigger, true).await;
    let held = reads!(db.store, |tx| tx.sync_log_of(&[id_of]).await);
    assert_eq!((held.len(), held[0].is_deleted), (1, true), "until the host has said so, it may fire");
    let host = pair.host;
    assert_eq!(reads!(db.store, |tx| tx.sync_log_of_host(host).await), held);
    news(&mut pair).await;
    assert_eq!(on_runner(&pair, id_of).await, None, "it has stopped");
    assert!(reads!(db.store, |tx| tx.sync_log_of(&[id_of]).await).is_empty());
    let org = pair.org;
    let back = reads!(db.store, |tx| tx.trigger_get(org, id_of).await).expect("is there");
    assert_eq!((back.settled_at, back.next_fire_at), (at(300), Some(at(1))), "from there on it is the hub's");
    let numbers = reads!(db.store, |tx| tx.trigger_hosts(&[id_of]).await);
    assert_eq!(numbers[1].settled_at, Some(at(300)));
    pair.assert_same().await;

    // Handed over and taken back before the host has heard of it: it says so all the same.
    hand(&pair, &trigger, false).await;
    hand(&pair, &trigger, true).await;
    news(&mut pair).await;
    assert!(reads!(db.store, |tx| tx.sync_log_of(&[id_of]).await).is_empty());
    // And it can come again.
    hand(&pair, &trigger, false).await;
    news(&mut pair).await;
    assert_eq!(on_runner(&pair, id_of).await.expect("is back").settled_at, at(300), "what was decided stays decided");
});

testkit::db_test!(a_log_that_begins_anew_takes_away_what_it_does_not_name, |db| async move {
    let mut pair = seated(&db.store).await;
    definition(&db.store, "backup", 1).await;
    let (kept, lost) = (hosts_schedule(&pair).await, hosts_schedule(&pair).await);
    hand(&pair, &kept, false).await;
    hand(&pair, &lost, false).await;
    pair.link().await;
    assert!(on_runner(&pair, lost.id).await.is_some());
    // As if the hub's database were of a time before the second: it does not know the entry the host has heard.
    db.store.execute_raw("delete from sync_log where hseq = 2").await.expect("damages");
    db.store.execute_raw("delete from sync_hub_mark where hseq = 2").await.expect("damages");
    db.store.execute_raw("update sync_hub set hseq = 1").await.expect("damages");
    pair.link().await;
    let epoch = writes!(db.store, |tx| tx.sync_hub_epoch(1, T0).await).expect("reads");
    assert_eq!(epoch.number, 2, "another history");
    assert!(on_runner(&pair, kept.id).await.is_some());
    assert_eq!(on_runner(&pair, lost.id).await, None);
    // The same if nothing at all is left in it.
    db.store.execute_raw("delete from sync_log").await.expect("damages");
    writes!(db.store, |tx| tx.sync_hub_renew(2, 9, T0).await).expect("renews");
    pair.link().await;
    assert_eq!(on_runner(&pair, kept.id).await, None);
});

testkit::db_test!(marks_that_every_host_is_beyond_are_forgotten, |db| async move {
    let mut pair = seated(&db.store).await;
    definition(&db.store, "backup", 1).await;
    let trigger = hosts_schedule(&pair).await;
    let prune = async || writes!(db.store, |tx| tx.sync_marks_prune(100).await).expect("prunes");
    let handed = [Handed { host_id: pair.host, trigger_id: trigger.id, is_deleted: false, from_at: T0 }];
    let hand = async |mark: u64| writes!(db.store, |tx| tx.sync_log_put(&handed, mark, T0).await).expect("hands over");
    for mark in 101..=105 {
        hand(mark).await;
    }
    assert_eq!(prune().await, 0, "nobody has said yet how far they are");
    pair.link().await;
    assert_eq!(prune().await, 4, "the host has all of them; the last one says where it is");
    for mark in 106..=108 {
        hand(mark).await;
    }
    assert_eq!(prune().await, 0, "it has not heard of these");
    // It is where it was: nothing is told anew, and no other history begins.
    pair.link().await;
    let epoch = writes!(db.store, |tx| tx.sync_hub_epoch(1, T0).await).expect("reads");
    assert_eq!(epoch.number, 1);
    assert_eq!(reads!(pair.runner.store, |tx| tx.sync_received(hub_id()).await).expect("has received").hseq, 8);
    // A host that is known from before this was noted may be anywhere.
    db.store.execute_raw("delete from sync_told").await.expect("damages");
    assert_eq!(prune().await, 0);
    pair.link().await;
    assert_eq!(prune().await, 3);
    assert_eq!(reads!(db.store, |tx| tx.sync_hub_mark(8).await), Some(Mark(108)), "what a host may ask for is there");
});

testkit::db_test!(only_the_home_hands_over_and_only_to_a_seat, |db| async move {
    let mut pair = pair(&db.store).await;
    definition(&db.store, "backup", 1).await;
    let trigger = hosts_schedule(&pair).await;
    hand(&pair, &trigger, false).await;
    let host_id = pair.host;
    let said = page(&pair, host_id, 0, BUDGET).await;
    assert_eq!((said.rows.len(), said.upto, said.has_more), (2, 1, false), "a definition and its trigger");
    assert_eq!(said.rows[0].1.table, "definition");
    let none = page(&pair, id(), 0, BUDGET).await;
    assert_eq!((none.rows.len(), none.upto), (0, 0), "nobody else's");
    // More than fits comes in order.
    let other = hosts_schedule(&pair).await;
    hand(&pair, &other, false).await;
    let small = Budget { rows: 1, bytes: 1 };
    let said = page(&pair, host_id, 0, small).await;
    assert_eq!((said.upto, said.has_more), (1, true));
    let said = page(&pair, host_id, 1, small).await;
    assert_eq!((said.upto, said.has_more), (2, false));

    // Without a seat the cursor moves and nothing else.
    pair.link().await;
    let all = reads!(pair.runner.store, |tx| tx.trigger_list(nobody(), TriggerId::from_bytes([0; 16]), 9).await);
    assert!(all.is_empty());
    assert_eq!(reads!(pair.runner.store, |tx| tx.sync_own_digest(&TRIGGER).await).rows, 0);
    let received = reads!(pair.runner.store, |tx| tx.sync_received(hub_id()).await).expect("has received");
    assert_eq!(received.hseq, 2);
    // A hub that is not its home says nothing, and loses nothing.
    let org = pair.org;
    let mut away = reads!(db.store, |tx| tx.host_get(org, host_id).await).expect("is there").host;
    away.home = Some("http://elsewhere".into());
    writes!(db.store, |tx| tx.host_update(&away).await).expect("updates");
    let said = page(&pair, host_id, 0, BUDGET).await;
    assert_eq!((said.rows.len(), said.upto), (0, 0));
    // A host that goes takes its entries with it.
    assert!(writes!(db.store, |tx| tx.host_remove(org, host_id).await).expect("removes"));
    assert!(reads!(db.store, |tx| tx.sync_log_of_host(host_id).await).is_empty());
});

testkit::db_test!(a_hosts_own_triggers_are_shown_and_never_fired, |db| async move {
    let mut pair = seated(&db.store).await;
    let seat = pair.seat.expect("a seat");
    let own = schedule(seat.org, "mine");
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

testkit::db_test!(who_leaves_a_hub_leaves_its_triggers, |db| async move {
    let mut pair = seated(&db.store).await;
    definition(&db.store, "backup", 1).await;
    let trigger = hosts_schedule(&pair).await;
    hand(&pair, &trigger, false).await;
    pair.link().await;
    let home = Some(hub_id());
    assert_eq!(writes!(pair.runner.store, |tx| tx.sync_leave_others(home, at(9)).await).expect("stays"), 0);
    let other = Some(HubId::from_bytes([8; 16]));
    assert_eq!(writes!(pair.runner.store, |tx| tx.sync_leave_others(other, at(9)).await).expect("leaves"), 1);
    assert_eq!(on_runner(&pair, trigger.id).await, None);
    assert_eq!(reads!(pair.runner.store, |tx| tx.sync_received(hub_id()).await), None);
    // It comes back, and the hub says everything again.
    pair.link().await;
    assert!(on_runner(&pair, trigger.id).await.is_some());
});

#[test]
fn numbers_are_committed_in_their_order() {
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
                // Whoever sees a number sees all before it.
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
