//! A host's turn: ended runs and claims in one query and one write.

use domain::{
    Span,
    claim::Share,
    quota::{QuotaKind, Recent},
};
use store::{
    Error,
    claim::{Calm, Head, LaneRoom, NewLease, Unchanged, Unseen},
    definition::Definition,
    holder::GivenBack,
    insert::Lease,
    quota::{Pause, QuotaKey},
};
use testkit::TestDb;

use crate::{
    reads,
    seed::{T0, Yard, at, claim, definition, enqueue, id, job, jobs, yard},
    writes,
};

const HEARD: Span = Span::from_secs(300);

async fn running(db: &TestDb, yard: &Yard) -> i32 {
    let holder = yard.holder;
    reads!(db.store, |tx| tx.holder_get(holder).await).expect("exists").0
}

testkit::db_test!(holder_turn_counts_ended_and_started_runs_together, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let recent = Recent::default();
    writes!(db.store, |tx| tx.holder_charge(acme.holder, 3, &Recent::default()).await).expect("counts");
    let given = GivenBack { holder: acme.holder, count: 2, ends: "..".to_owned() };
    let began = recent.add(1, at(1));
    let now = began.clone();
    writes!(db.store, |tx| tx.holder_turn(&given, 1, &now).await).expect("counts");
    let load = reads!(db.store, |tx| tx.holder_get(acme.holder).await).expect("exists");
    assert_eq!(load, (2, began));
});

/// The version of the scheduling settings that a host's claim has read.
async fn rules(db: &TestDb, yard: &Yard) -> i64 {
    let (host, epoch) = (yard.host, yard.epoch);
    let open = writes!(db.store, |tx| tx.host_open(host, epoch, at(1), T0 - HEARD, Unseen::Full(&[])).await);
    open.expect("reads").expect("in force").holder.rules
}

/// Ends a lease and starts one job instead, as a turn does. `meanwhile` is canceled by another transaction before the
/// write.
async fn turn(db: &TestDb, yard: Yard, lease: Lease, meanwhile: Option<Lease>) -> Result<Vec<Lease>, Error> {
    let other = db.store.clone();
    let written = db.store.write_optimistic(move |tx| {
        Box::pin(async move {
            let look = tx.turn_look(yard.host, yard.epoch, (at(2), T0 - HEARD), 1, &[]).await?;
            let look = look.expect("the session is current");
            assert_eq!(look.heads.len(), 1, "as many as requested");
            if let Some(lease) = meanwhile {
                let (job, fence) = (lease.job_id, lease.fence);
                assert!(writes!(other, |tx| tx.lease_cancel(job, fence, "test", at(2)).await)?);
            }
            let (version, rules) = (look.version.get().expect("the version was read"), look.open.holder.rules);
            let seen = Unchanged { version, heard: T0 - HEARD, rules, lanes: &[yard.lane] };
            tx.turn_guard(yard.host, yard.epoch, &seen)?;
            tx.turn_end(&[&lease])?;
            let head = look.heads.into_iter().next().expect("one job waits");
            let (org_id, definition_id) = (yard.org, yard.definition);
            let mut leases = [NewLease { head, run_id: id(), org_id, definition_id, counted: None }];
            tx.lease_insert(&mut leases, yard.holder, yard.epoch, at(2)).await?;
            let given = GivenBack { holder: yard.holder, count: 1, ends: ".".to_owned() };
            tx.holder_turn(&given, 1, &look.open.holder.recent).await?;
            Ok::<_, Error>(leases.map(|lease| lease.held(yard.holder, yard.epoch, at(2))).to_vec())
        })
    });
    written.await
}

testkit::db_test!(turn_fails_if_a_row_changed_since_it_was_read, |db| async move {
    // SQLite has one writer and no round trips, and so no optimistic writes.
    if db.store.kind() != store::Kind::Postgres {
        return;
    }
    let acme = yard(&db.store, "acme").await;
    enqueue(&db.store, &jobs(&acme, 4)).await;
    let (held, _) = claim(&db.store, &acme, 2, at(1)).await;
    writes!(db.store, |tx| tx.holder_charge(acme.holder, 2, &Recent::default()).await).expect("counts");
    let begun = turn(&db, acme, held[0].clone(), None).await.expect("no concurrent change");
    let now = writes!(db.store, |tx| tx.leases_of_holder(acme.holder).await).expect("reads");
    let mut expected = vec![held[1].clone(), begun[0].clone()];
    expected.sort_by_key(|lease| (lease.started_at, lease.job_id));
    assert_eq!(now, expected, "the returned leases are stored");
    assert_eq!(running(&db, &acme).await, 2);
    let again = turn(&db, acme, held[0].clone(), None).await;
    assert!(matches!(again, Err(Error::StaleView)), "a run ends once: {again:?}");
    let counted = Lease { counted: Some("another".to_owned()), ..held[1].clone() };
    let other = turn(&db, acme, counted, None).await;
    assert!(matches!(other, Err(Error::StaleView)), "it counts towards another limit: {other:?}");
    let wanted_back = turn(&db, acme, held[1].clone(), Some(held[1].clone())).await;
    assert!(matches!(wanted_back, Err(Error::StaleView)), "a cancel was requested: {wanted_back:?}");
    assert_eq!(running(&db, &acme).await, 2, "no row was written");
    let left = writes!(db.store, |tx| tx.ready_heads(&[LaneRoom::new(acme.lane, 9)]).await).expect("reads");
    assert_eq!(left.len(), 1, "three of four jobs were started");
});

testkit::db_test!(turn_guard_fails_after_a_change_of_host_settings_or_session, |db| async move {
    if db.store.kind() != store::Kind::Postgres {
        return;
    }
    let acme = yard(&db.store, "acme").await;
    let version = async || {
        let look = db.store.query(move |tx| {
            Box::pin(async move { tx.turn_look(acme.host, acme.epoch, (at(2), T0 - HEARD), 1, &[]).await })
        });
        look.await
            .expect("reads")
            .expect("the session is current")
            .version
            .get()
            .expect("the version was read")
            .to_owned()
    };
    let rules_now = rules(&db, &acme).await;
    // Only the load is written, if the host is unchanged.
    let guarded = |seen: String, heard, rules, epoch| {
        db.store.write_optimistic(move |tx| {
            Box::pin(async move {
                let written = store::Version::default();
                let seen = Unchanged { version: &seen, heard, rules, lanes: &[acme.lane] };
                tx.turn_guard(acme.host, epoch, &seen)?;
                tx.holder_turn(
                    &GivenBack { holder: acme.holder, count: 0, ends: String::new() },
                    1,
                    &Recent::default(),
                )
                .await?;
                tx.version_into(&written);
                Ok::<_, Error>(written)
            })
        })
    };
    let (seen, heard) = (version().await, T0 - HEARD);
    let written = guarded(seen.clone(), heard, rules_now, acme.epoch).await.expect("the host is unchanged");
    let now = version().await;
    assert_eq!(written.get(), Some(now.as_str()), "the returned version is the stored one");
    for (wrong, why) in [
        (guarded(seen, heard, rules_now, acme.epoch).await, "the row has changed"),
        (guarded(now.clone(), heard, rules_now + 1, acme.epoch).await, "other settings"),
        (guarded(now.clone(), heard, rules_now, acme.epoch + 1).await, "another session"),
    ] {
        assert!(matches!(wrong, Err(Error::StaleView)), "{why}: {wrong:?}");
    }
    writes!(db.store, |tx| tx.host_lanes_set(acme.host, &[]).await).expect("serves nothing");
    let without = guarded(now, heard, rules_now, acme.epoch).await;
    assert!(matches!(without, Err(Error::StaleView)), "the host no longer serves the lane: {without:?}");
    assert_eq!(running(&db, &acme).await, 1, "no row was written");
});

testkit::db_test!(lease_insert_fails_for_a_changed_head, |db| async move {
    if db.store.kind() != store::Kind::Postgres {
        return;
    }
    let acme = yard(&db.store, "acme").await;
    let (first, second) = (job(&acme), job(&acme));
    enqueue(&db.store, &[first.clone(), second.clone()]).await;
    let take = |head: Head| {
        db.store.write_optimistic(move |tx| {
            Box::pin(async move {
                let (org_id, definition_id) = (acme.org, acme.definition);
                let mut leases = [NewLease { head, run_id: id(), org_id, definition_id, counted: None }];
                tx.lease_insert(&mut leases, acme.holder, acme.epoch, at(2)).await
            })
        })
    };
    take(Head::waiting(&first)).await.expect("the job was just inserted");
    let (mut retried, mut moved) = (Head::waiting(&second), Head::waiting(&second));
    (retried.fence, moved.priority) = (1, 7);
    for (wrong, why) in
        [(Head::waiting(&first), "the head was claimed"), (retried, "another run"), (moved, "another priority")]
    {
        let taken = take(wrong).await;
        assert!(matches!(taken, Err(Error::StaleView)), "{why}: {taken:?}");
    }
    let left = writes!(db.store, |tx| tx.ready_heads(&[LaneRoom::new(acme.lane, 9)]).await).expect("reads");
    assert_eq!(left.iter().map(|head| head.job_id).collect::<Vec<_>>(), [second.id]);
});

testkit::db_test!(lease_end_fails_for_changed_leases, |db| async move {
    if db.store.kind() != store::Kind::Postgres {
        return;
    }
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let mut held = Vec::new();
    for yard in [&acme, &beta] {
        enqueue(&db.store, &jobs(yard, 3)).await;
        held.extend(claim(&db.store, yard, 3, at(1)).await.0);
    }
    let end = |leases: &[Lease]| {
        let leases = leases.to_vec();
        db.store.write_optimistic(move |tx| Box::pin(async move { tx.lease_end(&leases) }))
    };
    end(&[held[0].clone(), held[3].clone()]).await.expect("leases of two sessions");
    let left = async |holder| writes!(db.store, |tx| tx.leases_of_holder(holder).await).map(|held| held.len());
    assert_eq!((left(acme.holder).await.expect("reads"), left(beta.holder).await.expect("reads")), (2, 2));
    let (wanted, fence) = (held[1].job_id, held[1].fence);
    assert!(writes!(db.store, |tx| tx.lease_cancel(wanted, fence, "test", at(2)).await).expect("writes"));
    let other = |lease: &Lease, change: fn(&mut Lease)| {
        let mut lease = lease.clone();
        change(&mut lease);
        lease
    };
    for (wrong, why) in [
        (held[0].clone(), "a run ends once"),
        (held[1].clone(), "a cancel was requested"),
        (other(&held[2], |lease| lease.fence += 1), "another run of the job"),
        (other(&held[2], |lease| lease.epoch += 1), "another session"),
    ] {
        let ended = end(&[wrong, held[4].clone()]).await;
        assert!(matches!(ended, Err(Error::StaleView)), "{why}: {ended:?}");
    }
    let sessions: Vec<Lease> = (0..9).map(|epoch| Lease { epoch, ..held[4].clone() }).collect();
    assert!(matches!(end(&sessions).await, Err(Error::StaleView)), "too many sessions for one statement");
    assert_eq!(left(beta.holder).await.expect("reads"), 2, "no row was written");
});

testkit::db_test!(turn_look_returns_shares_and_heads_from_a_cursor, |db| async move {
    if db.store.kind() != store::Kind::Postgres {
        return;
    }
    let acme = yard(&db.store, "acme").await;
    enqueue(&db.store, &jobs(&acme, 3)).await;
    let share = Share { used_ms: 1_234.5, cost_ms: 1e-3, is_waiting: true };
    writes!(db.store, |tx| tx.host_usage_set(acme.host, &[(acme.org, share)]).await).expect("writes");
    let heads = writes!(db.store, |tx| tx.ready_heads(&[LaneRoom::new(acme.lane, 9)]).await).expect("reads");
    let from = vec![LaneRoom { from: Some(heads[1].spot()), ..LaneRoom::new(acme.lane, 9) }];
    let looked = db.store.write_optimistic(move |tx| {
        Box::pin(async move { tx.turn_look(acme.host, acme.epoch, (at(2), T0 - HEARD), 9, &from).await })
    });
    let look = looked.await.expect("reads").expect("the session is current");
    assert_eq!(look.shares, [(acme.org, share)]);
    assert_eq!(look.heads.iter().map(|head| head.job_id).collect::<Vec<_>>(), [heads[1].job_id, heads[2].job_id]);
    assert_eq!(look.open.lanes.iter().map(|lane| lane.lane_id).collect::<Vec<_>>(), [acme.lane]);
    let gone = db.store.write_optimistic(move |tx| {
        Box::pin(async move { tx.turn_look(acme.host, acme.epoch + 1, (at(2), T0 - HEARD), 9, &[]).await })
    });
    assert!(gone.await.expect("reads").is_none(), "another session");
});

testkit::db_test!(host_begin_fails_if_the_cached_host_is_stale, |db| async move {
    if db.store.kind() != store::Kind::Postgres {
        return;
    }
    let acme = yard(&db.store, "acme").await;
    let rules = rules(&db, &acme).await;
    let begin = |recent: Recent, begin: i32| {
        db.store.write_optimistic(move |tx| {
            Box::pin(async move {
                let calm = Calm { heard: T0 - HEARD, recent: &recent, places: 100, rules, lanes: &[acme.lane] };
                let after = recent.add(1, at(1));
                tx.host_begin(acme.host, acme.epoch, &calm, begin, &after)?;
                Ok::<_, Error>(after)
            })
        })
    };
    let recent = begin(Recent::default(), 1).await.expect("the host is idle");
    assert!(matches!(begin(Recent::default(), 1).await, Err(Error::StaleView)), "a job started since");
    assert!(matches!(begin(recent.clone(), 1_000).await, Err(Error::StaleView)), "more than the host's slots");
    let left = recent.clone();
    writes!(db.store, |tx| tx.holder_charge(acme.holder, -1, &left).await).expect("ends a run");
    let recent = begin(recent, 1).await.expect("an ended run does not invalidate the cache");
    enqueue(&db.store, &[job(&acme)]).await;
    assert!(matches!(begin(recent.clone(), 1).await, Err(Error::StaleView)), "a job waits for the host");
    assert_eq!(claim(&db.store, &acme, 1, at(2)).await.0.len(), 1);
    let (_, recent) = reads!(db.store, |tx| tx.holder_get(acme.holder).await).expect("exists");
    let left = recent.clone();
    writes!(db.store, |tx| tx.host_lanes_set(acme.host, &[]).await).expect("serves nothing");
    assert!(matches!(begin(left, 1).await, Err(Error::StaleView)), "the host no longer serves the lane");
    writes!(db.store, |tx| tx.host_lanes_set(acme.host, &[acme.lane]).await).expect("assigns the lane again");
    let recent = begin(recent, 1).await.expect("no job waits");
    writes!(db.store, |tx| tx.pause_put(acme.org, &pause("key")).await).expect("pauses");
    assert!(matches!(begin(recent, 1).await, Err(Error::StaleView)), "a pause was created");
    assert_eq!(running(&db, &acme).await, 2, "only `host_begin` is counted here");
});

fn pause(kind: &str) -> Pause {
    let (kind, note, created_by) = (kind.to_owned(), String::new(), "ana".to_owned());
    Pause { kind, subject: "shop".to_owned(), note, until_at: None, created_by, created_at: T0 }
}

testkit::db_test!(scheduling_settings_increment_the_config_version, |db| async move {
    if db.store.kind() != store::Kind::Postgres {
        return;
    }
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let limit = QuotaKey { org: Some(beta.org), kind: QuotaKind::Key, subject: "shop".into(), host: None };
    let mut seen = rules(&db, &acme).await;
    let mut differs = async |why: &str| {
        let before = std::mem::replace(&mut seen, rules(&db, &acme).await);
        assert!(seen == before || seen == before + 1, "once per transaction: {why}");
        seen != before
    };
    let host = async |change: fn(&mut store::host::Host)| {
        let changed = writes!(db.store, |tx| {
            let mut host = tx.host_lock(acme.org, acme.host).await?.expect("exists").host;
            change(&mut host);
            tx.host_update(&host).await
        });
        assert!(changed.expect("updates"));
    };
    let put = limit.clone();
    writes!(db.store, |tx| tx.quota_put(&put, id(), Some(1), None, T0).await).expect("limits");
    assert!(differs("a limit").await);
    let put = limit.clone();
    writes!(db.store, |tx| tx.quota_put(&put, id(), Some(7), None, T0).await).expect("limits");
    assert!(!differs("another value of a limit").await);
    assert!(writes!(db.store, |tx| tx.quota_remove(&limit).await).expect("removes"));
    assert!(differs("no limit").await);
    writes!(db.store, |tx| {
        tx.pause_put(beta.org, &pause("key")).await?;
        tx.pause_put(beta.org, &pause("queue")).await
    })
    .expect("pauses");
    assert!(differs("two pauses").await);
    assert!(writes!(db.store, |tx| tx.pause_remove(beta.org, "key", "shop").await).expect("removes the pause"));
    assert!(differs("no pause").await);
    assert!(writes!(db.store, |tx| tx.host_share_put(acme.host, beta.org, T0).await).expect("shares"));
    assert!(differs("a share").await);
    assert!(writes!(db.store, |tx| tx.host_share_remove(acme.host, beta.org).await).expect("stops sharing"));
    assert!(differs("no share").await);
    host(|host| host.name = "web-9".into()).await;
    assert!(!differs("a name").await);
    host(|host| host.max_running = Some(3)).await;
    assert!(differs("slots").await);
    host(|host| host.jobs_per_minute = Some(3)).await;
    assert!(differs("jobs per minute").await);
    writes!(db.store, |tx| tx.holder_charge(acme.holder, 1, &Recent::default()).await).expect("counts");
    enqueue(&db.store, &jobs(&acme, 2)).await;
    assert!(!differs("running and waiting jobs").await);
    let off = Definition { version: 2, is_active: false, id: acme.definition, ..definition("deploy-acme") };
    assert!(writes!(db.store, |tx| tx.definition_put(&off, T0).await).expect("switches off"));
    assert!(differs("an inactive definition").await);
});
