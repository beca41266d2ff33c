//! Limits and pauses, use of shared hosts, counts by status.

use domain::{
    HostId, OrgId, QuotaId, Span,
    claim::{Share, Spent},
    job::JobStatus,
    quota::{QuotaKind, Recent},
};
use store::{
    Store,
    holder::HolderRelease,
    quota::{Pause, Quota, QuotaKey},
    tally::Tally,
};

use crate::{
    reads,
    seed::{T0, at, id, world},
    writes,
};

fn key(org: OrgId, kind: QuotaKind, subject: &str) -> QuotaKey {
    QuotaKey { org: Some(org), kind, subject: subject.into(), host: None }
}

async fn put(store: &Store, key: &QuotaKey, max: Option<i32>, rate: Option<i32>) -> Quota {
    let key = key.clone();
    writes!(store, |tx| {
        tx.quota_put(&key, id(), max, rate, T0).await?;
        Ok(tx.quota_get(&key).await?.expect("exists"))
    })
    .expect("puts")
}

testkit::db_test!(changing_a_limit_keeps_its_counters, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    let of = key(acme, QuotaKind::Key, "shop");
    let first = put(&db.store, &of, Some(2), None).await;
    assert_eq!((first.org_id, first.kind, first.subject.as_str()), (acme, QuotaKind::Key, "shop"));
    assert_eq!((first.max_running, first.jobs_per_minute, first.running), (Some(2), None, 0));
    assert_eq!((first.key(), &first.recent), (of.clone(), &Recent::default()));
    let recent = Recent::default().add(3, at(1));
    let (charged, quota) = (recent.clone(), first.id);
    writes!(db.store, |tx| tx.quota_charge(quota, 3, &charged).await).expect("charges");
    writes!(db.store, |tx| tx.quota_release(quota, 1).await).expect("releases");
    let second = put(&db.store, &of, None, Some(60)).await;
    assert_eq!(
        (second.id, second.running, &second.recent),
        (first.id, 2, &recent),
        "the limit changes, the counters stay"
    );
    assert_eq!((second.max_running, second.jobs_per_minute), (None, Some(60)));
    writes!(db.store, |tx| tx.quota_release(id(), 1).await).expect("a deleted limit is no error");

    let foreign = key(beta, QuotaKind::Key, "shop");
    let (asked, there) = (foreign.clone(), of.clone());
    assert_eq!(reads!(db.store, |tx| tx.quota_get(&asked).await), None);
    assert!(reads!(db.store, |tx| tx.quota_list(beta, 10).await).is_empty());
    assert!(!writes!(db.store, |tx| tx.quota_remove(&foreign).await).expect("runs"), "belongs to another org");
    assert!(writes!(db.store, |tx| tx.quota_remove(&there).await).expect("removes"));
    assert!(!writes!(db.store, |tx| tx.quota_remove(&of).await).expect("runs"));
});

testkit::db_test!(limits_are_distinguished_by_their_whole_key, |db| async move {
    let (acme, _, web) = world(&db.store, "acme").await;
    let keys = vec![
        key(acme, QuotaKind::Org, ""),
        key(acme, QuotaKind::Definition, "deploy"),
        key(acme, QuotaKind::Key, "deploy"),
        QuotaKey { org: None, kind: QuotaKind::Definition, subject: "deploy".into(), host: None },
        QuotaKey { org: None, kind: QuotaKind::DefinitionOnHost, subject: "deploy".into(), host: Some(web) },
    ];
    let mut made: Vec<QuotaId> = Vec::new();
    for key in keys.iter().rev() {
        made.push(put(&db.store, key, Some(1), None).await.id);
    }
    let mut asked = keys.clone();
    asked.push(key(acme, QuotaKind::Key, "unknown"));
    asked.push(QuotaKey { host: Some(id()), ..keys[4].clone() });
    let locked = writes!(db.store, |tx| tx.quota_lock(&asked).await).expect("locks");
    assert_eq!(locked.iter().map(|quota| quota.id).collect::<Vec<_>>(), made, "in the order of their ids");
    let mut found: Vec<QuotaKey> = locked.iter().map(Quota::key).collect();
    let mut expected = keys.clone();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert!(writes!(db.store, |tx| tx.quota_lock(&[]).await).expect("locks").is_empty());
    let listed = reads!(db.store, |tx| tx.quota_list(acme, 10).await);
    assert_eq!(
        listed.iter().map(|quota| quota.kind).collect::<Vec<_>>(),
        [QuotaKind::Definition, QuotaKind::Key, QuotaKind::Org]
    );
    assert_eq!(reads!(db.store, |tx| tx.quota_list(acme, 2).await).len(), 2);
});

testkit::db_test!(concurrent_claims_count_each_start, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    let keys = [key(acme, QuotaKind::Org, ""), key(acme, QuotaKind::Key, "shop")];
    for of in &keys {
        put(&db.store, of, Some(100), None).await;
    }
    // Half of the claims list the limits in reverse: the store defines the lock order.
    let charges = (0..20).map(|n| {
        let (store, mut keys) = (db.store.clone(), keys.to_vec());
        if n % 2 == 0 {
            keys.reverse();
        }
        async move {
            writes!(store, |tx| {
                for quota in tx.quota_lock(&keys).await? {
                    assert!(quota.running < 100);
                    tx.quota_charge(quota.id, 1, &quota.recent.add(1, at(1))).await?;
                }
                Ok(())
            })
        }
    });
    for charged in futures_util::future::join_all(charges).await {
        charged.expect("no deadlock");
    }
    for quota in reads!(db.store, |tx| tx.quota_list(acme, 10).await) {
        assert_eq!((quota.running, quota.recent.room(100, at(1))), (20, 80));
    }
});

testkit::db_test!(pauses_are_listed_until_they_end, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    let pause = |kind: &str, subject: &str, until_at| Pause {
        kind: kind.into(),
        subject: subject.into(),
        note: "new disk".into(),
        until_at,
        created_by: "ana".into(),
        created_at: T0,
    };
    let made = [pause("key", "shop", Some(at(10))), pause("org", "", None), pause("queue", "gpu", Some(at(20)))];
    for new in made.clone() {
        writes!(db.store, |tx| tx.pause_put(acme, &new).await).expect("pauses");
    }
    assert_eq!(reads!(db.store, |tx| tx.pause_list(acme, at(5)).await), made);
    assert_eq!(reads!(db.store, |tx| tx.pause_list(acme, at(10)).await), made[1..], "one has ended");
    assert!(reads!(db.store, |tx| tx.pause_list(beta, at(5)).await).is_empty());
    let longer = Pause { until_at: None, note: "still".into(), created_at: at(9), ..made[0].clone() };
    writes!(db.store, |tx| tx.pause_put(acme, &longer).await).expect("pauses");
    let now = reads!(db.store, |tx| tx.pause_list(acme, at(15)).await);
    assert_eq!((now.len(), now[0].note.as_str(), now[0].until_at, now[0].created_at), (3, "still", None, T0));
    assert!(
        !writes!(db.store, |tx| tx.pause_remove(beta, "key", "shop").await).expect("runs"),
        "belongs to another org"
    );
    assert!(writes!(db.store, |tx| tx.pause_remove(acme, "key", "shop").await).expect("ends"));
    assert!(!writes!(db.store, |tx| tx.pause_remove(acme, "key", "shop").await).expect("runs"));
});

testkit::db_test!(host_usage_is_stored_per_org, |db| async move {
    let (acme, _, web) = world(&db.store, "acme").await;
    let (beta, _, other) = world(&db.store, "beta").await;
    assert!(reads!(db.store, |tx| tx.host_usage(web).await).is_empty());
    let share = |used_ms, cost_ms, is_waiting| Share { used_ms, cost_ms, is_waiting };
    writes!(db.store, |tx| {
        tx.host_usage_set(web, &[(acme, share(1.5, 5.0, true)), (beta, share(1e12, 3.0, false))]).await?;
        tx.host_usage_set(web, &[(acme, share(2_000.0, 2_000.0, true))]).await
    })
    .expect("sets");
    let sorted = |mut used: Vec<(OrgId, Share)>| {
        used.sort_by_key(|(org, _)| *org);
        used.iter_mut().for_each(|(_, share)| share.cost_ms = share.cost_ms.round());
        used
    };
    let rows = |a, b| sorted(vec![(acme, a), (beta, b)]);
    let used = sorted(reads!(db.store, |tx| tx.host_usage(web).await));
    assert_eq!(used, rows(share(2_000.0, 2_000.0, true), share(1e12, 3.0, false)));
    assert!(reads!(db.store, |tx| tx.host_usage(other).await).is_empty());

    // Two runs that were charged one second each took a minute and zero seconds; the next is expected to take longer.
    let mut spent = Spent::default();
    spent.add(1_000.0, Some(Span::from_secs(60)));
    spent.add(1_000.0, None);
    let given = |host: HostId, count| HolderRelease { holder: host.into(), count, ends: ".".to_owned() };
    writes!(db.store, |tx| {
        tx.holder_put(web.into(), 1).await?;
        tx.holder_put(other.into(), 1).await?;
        tx.holder_release(&[given(web, 2), given(other, 1)], &[(web, acme, spent), (other, acme, spent)]).await
    })
    .expect("settles");
    assert_eq!(reads!(db.store, |tx| tx.holder_get(web.into()).await).map(|load| load.0), Some(-2));
    assert_eq!(reads!(db.store, |tx| tx.holder_get(other.into()).await).map(|load| load.0), Some(-1));
    let used = sorted(reads!(db.store, |tx| tx.host_usage(web).await));
    assert_eq!(
        used,
        rows(share(60_000.0, 13_600.0, true), share(1e12, 3.0, false)),
        "other organizations are unchanged"
    );
    assert!(reads!(db.store, |tx| tx.host_usage(other).await).is_empty(), "no row is created");
    // Works for any number of runs and holders.
    let mut late = Spent::default();
    late.add(1_000.0, Some(Span::from_secs(3)));
    for list in [vec![(web, acme, late), (web, beta, late), (other, acme, late)], vec![(web, beta, late)]] {
        writes!(db.store, |tx| tx.holder_release(&[given(web, 0), given(other, 0)], &list).await).expect("settles");
    }
    let used: Vec<f64> =
        sorted(reads!(db.store, |tx| tx.host_usage(web).await)).iter().map(|(_, share)| share.used_ms).collect();
    let expected = rows(share(62_000.0, 0.0, true), share(1e12 + 4_000.0, 0.0, true));
    assert_eq!(used, expected.iter().map(|(_, share)| share.used_ms).collect::<Vec<_>>());
    writes!(db.store, |tx| tx.host_usage_remove(web, beta).await).expect("removes");
    let left = reads!(db.store, |tx| tx.host_usage(web).await);
    assert_eq!(left.iter().map(|(org, share)| (*org, share.used_ms)).collect::<Vec<_>>(), [(acme, 62_000.0)]);
});

/// Generates keys for changes of counts.
fn fresh() -> [u8; 16] {
    id::<domain::id::kind::Audit>().to_bytes()
}

async fn add(store: &Store, changes: &[(OrgId, Tally)]) {
    let changes = changes.to_vec();
    writes!(store, |tx| tx.tally_add(&changes, &mut fresh).await).expect("adds");
}

testkit::db_test!(tally_is_the_sum_of_its_changes, |db| async move {
    let (acme, beta): (OrgId, OrgId) = (id(), id());
    assert_eq!(reads!(db.store, |tx| tx.tally_sum(acme).await), Tally::default());
    add(&db.store, &[]).await;
    let mut all = Tally { retried: 7, created: 8, ..Tally::default() };
    for (count, status) in (1..).zip([
        JobStatus::Queued,
        JobStatus::Running,
        JobStatus::Succeeded,
        JobStatus::Failed,
        JobStatus::DeadLetter,
        JobStatus::Canceled,
    ]) {
        *all.of(status) = count;
    }
    add(&db.store, &[(acme, all), (beta, Tally { queued: 5, ..Tally::default() })]).await;
    add(&db.store, &[(acme, Tally { queued: -1, running: 1, ..Tally::default() })]).await;
    let mut sum = all;
    sum.add(&Tally { queued: -1, running: 1, ..Tally::default() });
    assert_eq!(reads!(db.store, |tx| tx.tally_sum(acme).await), sum);
    assert_eq!((sum.queued, sum.running, sum.canceled, sum.created), (0, 3, 6, 8));
    let mut every = reads!(db.store, |tx| tx.tally_all().await);
    every.sort_by_key(|(org, _)| *org);
    let mut expected = vec![(acme, sum), (beta, Tally { queued: 5, ..Tally::default() })];
    expected.sort_by_key(|(org, _)| *org);
    assert_eq!(every, expected);
});

testkit::db_test!(folding_tallies_keeps_the_sums, |db| async move {
    let orgs: Vec<OrgId> = (0..3).map(|_| id()).collect();
    let changes: Vec<(OrgId, Tally)> =
        (0..300_usize).map(|n| (orgs[n % 3], Tally { queued: n as i64, succeeded: -1, ..Tally::default() })).collect();
    add(&db.store, &changes).await;
    let first = orgs[0];
    let before = reads!(db.store, |tx| tx.tally_sum(first).await);
    // Several hubs fold while others append.
    let folds = (0..6).map(|_| {
        let (store, org) = (db.store.clone(), first);
        async move {
            writes!(store, |tx| {
                let mut sums: Vec<(OrgId, Tally)> = Vec::new();
                for (org, change) in tx.tally_take(100).await? {
                    match sums.iter_mut().find(|(of, _)| *of == org) {
                        Some((_, sum)) => sum.add(&change),
                        None => sums.push((org, change)),
                    }
                }
                tx.tally_add(&sums, &mut fresh).await
            })
            .expect("folds");
            add(&store, &[(org, Tally { created: 1, ..Tally::default() })]).await;
        }
    });
    futures_util::future::join_all(folds).await;
    let after = reads!(db.store, |tx| tx.tally_sum(first).await);
    assert_eq!(after, Tally { created: 6, ..before });
    assert!(writes!(db.store, |tx| tx.tally_take(0).await).expect("takes").is_empty());
});
