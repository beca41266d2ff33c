//! Lanes, the hosts that serve them, shares and queues.

use domain::{
    HostId, LaneId, OrgId,
    lane::{LaneKey, QueueNames, Target},
};
use store::{lane::Lane, lane::Servant};

use crate::{
    reads,
    seed::{T0, Yard, at, claim, enqueue, host, id, job, jobs, lane_key, place, world, yard},
    writes,
};

async fn put(db: &testkit::TestDb, key: &LaneKey, secs: u32) -> LaneId {
    let key = key.clone();
    writes!(db.store, |tx| tx.lane_put(&key, id(), at(secs)).await).expect("puts")
}

testkit::db_test!(lane_put_returns_one_lane_per_key, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let base = lane_key(acme.org, acme.definition, "default");
    assert_eq!(put(&db, &base, 5).await, acme.lane, "the same key, the same lane");
    let others = [
        LaneKey { limit_key: "shop".into(), ..base.clone() },
        LaneKey { target: Target::Queue("gpu".into()), ..base.clone() },
        LaneKey { target: Target::Host(acme.host), ..base.clone() },
        LaneKey { target: Target::Selector("env=prod".parse().expect("a selector")), ..base.clone() },
        LaneKey { definition: beta.definition, ..base.clone() },
    ];
    let mut expected = vec![Lane { id: acme.lane, key: base.clone() }];
    for key in others {
        let lane = put(&db, &key, 1).await;
        assert_eq!(put(&db, &key, 2).await, lane);
        assert_eq!(reads!(db.store, |tx| tx.lane_get(lane).await), Some(Lane { id: lane, key: key.clone() }));
        expected.push(Lane { id: lane, key });
    }
    let mut found = reads!(db.store, |tx| tx.lanes_of_org(acme.org).await);
    found.sort_by_key(|lane| lane.id);
    expected.sort_by_key(|lane| lane.id);
    assert_eq!(found, expected);
    assert_eq!(
        reads!(db.store, |tx| tx.lanes_of_org(beta.org).await).len(),
        1,
        "lanes of another org are not returned"
    );
    assert_eq!(reads!(db.store, |tx| tx.lane_get(id()).await), None);
    let dangling = lane_key(acme.org, id(), "default");
    let refused = writes!(db.store, |tx| tx.lane_put(&dangling, id(), T0).await);
    assert!(matches!(refused, Err(store::Error::Dangling)), "{refused:?}");
});

testkit::db_test!(concurrent_lane_puts_return_the_same_lane, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let puts = (0..8).map(|_| {
        let (store, key) = (db.store.clone(), lane_key(acme.org, acme.definition, "new"));
        async move { writes!(store, |tx| tx.lane_put(&key, id(), T0).await).expect("puts") }
    });
    let lanes = futures_util::future::join_all(puts).await;
    assert!(lanes.iter().all(|lane| *lane == lanes[0]), "{lanes:?}");
});

testkit::db_test!(lane_prune_removes_only_empty_old_lanes, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let mut lanes = Vec::new();
    for queue in ["ready", "waiting", "running", "young", "old-1", "old-2"] {
        let touched = if queue == "young" { 100 } else { 1 };
        let lane = put(&db, &lane_key(acme.org, acme.definition, queue), touched).await;
        lanes.push((queue, Yard { lane, ..acme }));
    }
    put(&db, &lane_key(acme.org, acme.definition, "default"), 100).await;
    let of = |name: &str| lanes.iter().find(|(queue, _)| *queue == name).expect("exists").1;
    enqueue(&db.store, &jobs(&of("running"), 1)).await;
    claim(&db.store, &of("running"), 1, at(2)).await;
    enqueue(&db.store, &jobs(&of("ready"), 1)).await;
    let aside = place(&job(&of("waiting")), 0);
    writes!(db.store, |tx| tx.waiting_insert(&[aside], domain::job::WaitReason::Later).await).expect("inserts");
    let old = of("old-1").lane;
    writes!(db.store, |tx| tx.host_lanes_add(&[(acme.host, old)]).await).expect("adds");

    assert_eq!(
        writes!(db.store, |tx| tx.lane_prune(acme.org, at(1), 10).await).expect("prunes"),
        0,
        "used at this moment"
    );
    assert_eq!(writes!(db.store, |tx| tx.lane_prune(id(), at(50), 10).await).expect("prunes"), 0, "of another org");
    assert_eq!(writes!(db.store, |tx| tx.lane_prune(acme.org, at(50), 1).await).expect("prunes"), 1);
    assert_eq!(writes!(db.store, |tx| tx.lane_prune(acme.org, at(50), 10).await).expect("prunes"), 1);
    assert_eq!(writes!(db.store, |tx| tx.lane_prune(acme.org, at(50), 10).await).expect("prunes"), 0);
    let left = reads!(db.store, |tx| tx.lanes_of_org(acme.org).await);
    assert_eq!(left.len(), 5);
    assert!(!left.iter().any(|lane| lane.key.target.text().starts_with("old")));
    assert_eq!(reads!(db.store, |tx| tx.host_lanes(acme.host).await), [acme.lane], "its host assignments are deleted");
});

testkit::db_test!(lanes_ready_returns_each_nonempty_lane_once, |db| async move {
    assert!(reads!(db.store, |tx| tx.lanes_ready(10).await).is_empty());
    let acme = yard(&db.store, "acme").await;
    let mut full = Vec::new();
    for n in 0..9_usize {
        let lane = put(&db, &lane_key(acme.org, acme.definition, &format!("q{n}")), 1).await;
        enqueue(&db.store, &jobs(&Yard { lane, ..acme }, n)).await;
        full.extend((n > 0).then_some(lane));
    }
    full.sort();
    let mut found = reads!(db.store, |tx| tx.lanes_ready(100).await);
    found.sort();
    assert_eq!(found, full);
    assert_eq!(reads!(db.store, |tx| tx.lanes_ready(3).await).len(), 3);
    let one = Yard { lane: full[0], ..acme };
    claim(&db.store, &one, 100, at(1)).await;
    assert!(!reads!(db.store, |tx| tx.lanes_ready(100).await).contains(&full[0]), "the lane is empty");
});

testkit::db_test!(host_lanes_are_listed_from_both_sides, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let mut lanes = vec![acme.lane];
    for queue in ["x", "y"] {
        lanes.push(put(&db, &lane_key(acme.org, acme.definition, queue), 1).await);
    }
    lanes.sort();
    let all = lanes.clone();
    writes!(db.store, |tx| tx.host_lanes_set(acme.host, &all).await).expect("sets");
    assert_eq!(reads!(db.store, |tx| tx.host_lanes(acme.host).await), lanes);
    let shared = lanes[0];
    writes!(db.store, |tx| {
        tx.host_lanes_add(&[]).await?;
        tx.host_lanes_add(&[(beta.host, shared), (acme.host, shared)]).await
    })
    .expect("adding an existing pair is no error");
    let mut hosts = reads!(db.store, |tx| tx.hosts_of_lane(shared).await);
    hosts.sort();
    let mut expected = vec![acme.host, beta.host];
    expected.sort();
    assert_eq!(hosts, expected);
    writes!(db.store, |tx| tx.host_lanes_set(acme.host, &[]).await).expect("clears");
    assert!(reads!(db.store, |tx| tx.host_lanes(acme.host).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.hosts_of_lane(shared).await), [beta.host]);
    let refused = writes!(db.store, |tx| tx.host_lanes_add(&[(acme.host, id())]).await);
    assert!(matches!(refused, Err(store::Error::Dangling)), "{refused:?}");
});

fn sorted(mut servants: Vec<Servant>) -> Vec<(HostId, Vec<OrgId>, Vec<String>)> {
    servants.sort_by_key(|servant| servant.host_id);
    servants
        .into_iter()
        .map(|servant| {
            let (mut orgs, mut queues) = (servant.orgs, servant.queues);
            orgs.sort();
            queues.sort();
            (servant.host_id, orgs, queues)
        })
        .collect()
}

testkit::db_test!(shared_host_serves_several_orgs, |db| async move {
    let (acme, _, web) = world(&db.store, "acme").await;
    let (beta, _, other) = world(&db.store, "beta").await;
    let (gamma, ..) = world(&db.store, "gamma").await;
    let mut gone = host(acme, "gone");
    gone.revoked_at = Some(at(1));
    let gone_id = gone.id;
    // What the runner offers counts only as far as the host may serve it.
    let allowed = QueueNames::try_from(vec!["big".to_owned(), "default".to_owned(), "gpu".to_owned()]).expect("valid");
    writes!(db.store, |tx| {
        tx.host_insert(&gone).await?;
        let view = tx.host_anywhere(web).await?.expect("exists");
        tx.host_update(&store::host::Host { queues: allowed, ..view.host }).await?;
        tx.host_queues_set(web, &["gpu".to_owned(), "default".to_owned()]).await?;
        tx.host_queues_set(web, &["default".to_owned(), "big".to_owned(), "payments".to_owned()]).await
    })
    .expect("writes");
    assert!(writes!(db.store, |tx| tx.host_share_put(web, beta, T0).await).expect("shares"));
    assert!(!writes!(db.store, |tx| tx.host_share_put(web, beta, at(1)).await).expect("runs"), "shared already");
    let share = store::lane::HostShare { org_id: beta, slug: "beta".into(), created_at: T0 };
    assert_eq!(reads!(db.store, |tx| tx.host_shares(web).await), [share]);
    assert!(reads!(db.store, |tx| tx.host_shares(other).await).is_empty());
    for (host, is_shared) in [(web, true), (other, false)] {
        let held = writes!(db.store, |tx| {
            tx.holder_put(host.into(), 1).await?;
            tx.holder_lock(host.into(), 1, at(1), T0).await
        });
        assert_eq!(held.expect("locks").map(|holder| holder.is_shared), Some(is_shared));
    }

    let queues = vec!["big".to_owned(), "default".to_owned()];
    let both = {
        let mut orgs = vec![acme, beta];
        orgs.sort();
        orgs
    };
    let web_row = (web, both, queues);
    assert_eq!(
        sorted(reads!(db.store, |tx| tx.servants(acme).await)),
        std::slice::from_ref(&web_row),
        "a revoked host serves no lane"
    );
    let mut expected = vec![web_row.clone(), (other, vec![beta], Vec::new())];
    expected.sort();
    assert_eq!(sorted(reads!(db.store, |tx| tx.servants(beta).await)), expected);
    assert_eq!(reads!(db.store, |tx| tx.servants(gamma).await).len(), 1);
    let one = reads!(db.store, |tx| tx.servant(web).await).expect("exists");
    assert_eq!(one.labels.to_string(), "env=prod");
    assert_eq!(sorted(vec![one]), [web_row]);
    assert_eq!(reads!(db.store, |tx| tx.servant(gone_id).await), None);

    // Hosts that jobs may be sent to.
    for (org, may) in [(acme, true), (beta, true), (gamma, false)] {
        let found = reads!(db.store, |tx| tx.host_for(org, web).await);
        assert_eq!(found.map(|found| (found.id, found.revoked_at)), may.then_some((web, None)));
    }
    let by_name = |org, name: &'static str| {
        let store = db.store.clone();
        async move { reads!(store, |tx| tx.host_for_by_name(org, name).await).map(|found| (found.id, found.revoked_at)) }
    };
    assert_eq!(
        by_name(beta, "web-1").await,
        Some((other, None)),
        "its own host is preferred to a shared one with the same name"
    );
    assert_eq!(by_name(acme, "gone").await, Some((gone_id, Some(at(1)))));
    assert_eq!(by_name(beta, "gone").await, None);
    assert!(!writes!(db.store, |tx| tx.host_share_remove(web, gamma).await).expect("runs"));
    assert!(writes!(db.store, |tx| tx.host_share_remove(web, beta).await).expect("ends"));
    assert_eq!(reads!(db.store, |tx| tx.host_for(beta, web).await), None);
});
