//! Events and their numbers; stale reports.

use domain::{
    OrgId,
    job::{JobStatus, RunStatus},
};
use serde_json::json;
use store::{
    Store,
    event::{Event, Headline, NewEvent},
    stale_report::StaleReport,
};

use crate::{
    reads,
    seed::{T0, at, claim, enqueue, finish, id, job, yard},
    writes,
};

fn event(org: OrgId, n: u32) -> NewEvent {
    NewEvent {
        id: id(),
        org_id: org,
        name: "job.created".into(),
        at: at(n),
        items: json!([{"n": n, "text": "ö\"\n"}, {}]).to_string(),
    }
}

async fn insert(store: &Store, events: &[NewEvent]) {
    let events = events.to_vec();
    writes!(store, |tx| tx.event_insert(&events).await).expect("inserts");
}

async fn number(store: &Store, limit: u32) -> u64 {
    writes!(store, |tx| tx.event_number(limit).await).expect("numbers")
}

testkit::db_test!(events_are_numbered_without_gaps, |db| async move {
    // SQLite numbers events when they are inserted.
    let is_late = db.url.starts_with("postgres");
    let (acme, beta): (OrgId, OrgId) = (id(), id());
    assert_eq!(number(&db.store, 10).await, 0, "no events, and no head row");
    assert_eq!(reads!(db.store, |tx| tx.event_head().await), 0);
    assert_eq!(reads!(db.store, |tx| tx.event_oldest().await), None);
    insert(&db.store, &[]).await;
    let made: Vec<NewEvent> = (0..5).map(|n| event(if n == 3 { beta } else { acme }, n)).collect();
    insert(&db.store, &made).await;
    assert_eq!(
        reads!(db.store, |tx| tx.event_after(0, 10).await).is_empty(),
        is_late,
        "events without a number are invisible"
    );
    let numbered = [number(&db.store, 2).await, number(&db.store, 100).await, number(&db.store, 100).await];
    assert_eq!(numbered, if is_late { [2, 3, 0] } else { [0; 3] });
    let expected: Vec<Event> = (1..)
        .zip(&made)
        .map(|(seq, new)| Event {
            seq,
            org_id: new.org_id,
            name: new.name.clone(),
            at: new.at,
            items: serde_json::from_str(&new.items).expect("json"),
        })
        .collect();
    assert_eq!(reads!(db.store, |tx| tx.event_after(0, 10).await), expected);
    assert_eq!(reads!(db.store, |tx| tx.event_after(2, 2).await), expected[2..4]);
    assert_eq!(reads!(db.store, |tx| tx.event_after_in(beta, 0, 10).await), expected[3..4]);
    assert_eq!(reads!(db.store, |tx| tx.event_after_in(acme, 3, 10).await), expected[4..]);
    assert_eq!(reads!(db.store, |tx| tx.event_after_in(acme, 0, 2).await), expected[..2]);
    assert_eq!(reads!(db.store, |tx| tx.event_head().await), 5);
    let headline = |event: &Event| Headline { seq: event.seq, org_id: event.org_id, name: event.name.clone() };
    let headlines: Vec<Headline> = expected.iter().map(headline).collect();
    assert_eq!(reads!(db.store, |tx| tx.event_headlines(1, 3).await), headlines[1..4]);
    let some = vec![expected[1].clone(), expected[4].clone()];
    assert_eq!(reads!(db.store, |tx| tx.event_numbered(&[5, 2, 99]).await), some);
    assert!(reads!(db.store, |tx| tx.event_numbered(&[]).await).is_empty());

    if is_late {
        insert(&db.store, &[event(acme, 1)]).await;
    }
    assert_eq!(
        writes!(db.store, |tx| tx.event_prune(at(2), 10).await).expect("prunes"),
        2,
        "only numbered events are deleted"
    );
    assert_eq!(reads!(db.store, |tx| tx.event_oldest().await), Some(3));
    assert_eq!(writes!(db.store, |tx| tx.event_prune(at(9), 2).await).expect("prunes"), 2);
    assert_eq!(writes!(db.store, |tx| tx.event_prune(at(9), 10).await).expect("prunes"), 1);
    assert_eq!(reads!(db.store, |tx| tx.event_head().await), 5, "the head stays when all events are deleted");
    match is_late {
        true => assert_eq!(number(&db.store, 10).await, 1),
        false => insert(&db.store, &[event(acme, 1)]).await,
    }
    assert_eq!(reads!(db.store, |tx| tx.event_after(5, 10).await)[0].seq, 6, "numbering continues");
});

testkit::db_test!(event_reader_never_skips_a_number, |db| async move {
    let acme: OrgId = id();
    let writers = (0..8_u32).map(|writer| {
        let store = db.store.clone();
        async move {
            for n in 0..10 {
                insert(&store, &[event(acme, writer * 10 + n), event(acme, writer * 10 + n)]).await;
                number(&store, 7).await;
            }
        }
    });
    let reader = async {
        let (mut seen, mut after) = (0, 0);
        while seen < 160 {
            let fresh = reads!(db.store, |tx| tx.event_after(after, 50).await);
            for event in &fresh {
                assert_eq!(event.seq, after + 1, "no number is skipped");
                after = event.seq;
            }
            seen += fresh.len();
            number(&db.store, 50).await;
        }
        after
    };
    let (_, last) = futures_util::future::join(futures_util::future::join_all(writers), reader).await;
    assert_eq!(last, 160);
    assert_eq!(reads!(db.store, |tx| tx.event_head().await), 160);
});

testkit::db_test!(event_committed_later_gets_a_higher_number, |db| async move {
    // Its id is lower than the other event's, and it commits after that one got its number.
    let acme: OrgId = id();
    let (first, second) = (event(acme, 1), event(acme, 2));
    if db.url.starts_with("postgres") {
        let (store, early) = (db.store.clone(), second.clone());
        writes!(db.store, |tx| {
            tx.event_insert(&[first]).await?;
            insert(&store, &[early]).await;
            assert_eq!(number(&store, 10).await, 1);
            Ok(())
        })
        .expect("inserts");
    } else {
        insert(&db.store, &[second]).await;
        insert(&db.store, &[first]).await;
    }
    number(&db.store, 10).await;
    let order: Vec<_> =
        reads!(db.store, |tx| tx.event_after(0, 10).await).into_iter().map(|event| (event.seq, event.at)).collect();
    assert_eq!(order, [(1, at(2)), (2, at(1))]);
});

testkit::db_test!(events_of_an_older_version_are_numbered, |db| async move {
    let Some(path) = db.url.strip_prefix("sqlite:") else { return };
    let acme: OrgId = id();
    insert(&db.store, &[event(acme, 1), event(acme, 2)]).await;
    let older = rusqlite::Connection::open(path).expect("opens");
    older.execute_batch("update event set seq = null where seq = 2; update event_head set seq = 1").expect("writes");
    assert_eq!(reads!(db.store, |tx| tx.event_after(0, 10).await).len(), 1);
    assert_eq!(number(&db.store, 10).await, 1);
    // As after a copy of the database that stopped before the head row.
    older.execute_batch("delete from event_head").expect("writes");
    insert(&db.store, &[event(acme, 3)]).await;
    let order: Vec<_> =
        reads!(db.store, |tx| tx.event_after(0, 10).await).into_iter().map(|event| (event.seq, event.at)).collect();
    assert_eq!(order, [(1, at(1)), (2, at(2)), (3, at(3))]);
});

testkit::db_test!(stale_report_is_stored_unless_it_repeats_an_applied_one, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let new = job(&acme);
    enqueue(&db.store, std::slice::from_ref(&new)).await;
    let leases = claim(&db.store, &acme, 1, at(1)).await.0;
    finish(&db.store, &leases, (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(2)).await;
    let report = |fence, secs| StaleReport {
        id: id(),
        // The store ignores the organization that a report names.
        org_id: beta.org,
        job_id: new.id,
        fence,
        holder_id: acme.holder,
        epoch: 1,
        body: json!({"exit_code": 1, "text": "ö"}),
        at: at(secs),
    };
    let keep = |report: StaleReport, status| {
        let store = db.store.clone();
        async move { writes!(store, |tx| tx.stale_insert(&report, status).await).expect("runs") }
    };
    assert!(!keep(report(1, 3), RunStatus::Succeeded).await, "a repetition of an applied report");
    assert!(keep(report(1, 4), RunStatus::Failed).await, "a different result of the same run");
    assert!(keep(StaleReport { holder_id: beta.holder, ..report(1, 5) }, RunStatus::Succeeded).await, "another holder");
    assert!(keep(report(2, 6), RunStatus::Succeeded).await, "a run that does not exist");
    assert!(!keep(StaleReport { job_id: id(), ..report(1, 7) }, RunStatus::Failed).await, "a job that does not exist");
    let kept = reads!(db.store, |tx| tx.stale_of_job(acme.org, new.id).await);
    assert_eq!(kept.iter().map(|report| report.at).collect::<Vec<_>>(), [at(4), at(5), at(6)]);
    assert!(kept.iter().all(|report| report.org_id == acme.org), "the job's own org");
    assert_eq!((&kept[0].body, kept[0].epoch, kept[0].fence), (&json!({"exit_code": 1, "text": "ö"}), 1, 1));
    assert!(reads!(db.store, |tx| tx.stale_of_job(beta.org, new.id).await).is_empty());
    assert_eq!(writes!(db.store, |tx| tx.stale_prune(at(5), 10).await).expect("prunes"), 1);
    assert_eq!(writes!(db.store, |tx| tx.stale_prune(at(9), 1).await).expect("prunes"), 1);
    assert_eq!(writes!(db.store, |tx| tx.stale_prune(T0, 9).await).expect("prunes"), 0);
});
