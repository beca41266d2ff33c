//! A runner's own: the journal and the outbox.

use domain::RunId;
use serde_json::{Value, json};
use store::{
    Store,
    journal::{Entry, JournalState},
};

use crate::{
    reads,
    seed::{T0, at, id},
    writes,
};

fn entry(n: u32) -> Entry {
    Entry {
        run_id: id(),
        job_id: id(),
        fence: 1,
        state: JournalState::Accepted,
        boot_id: "boot-1".into(),
        grant: json!({"n": n, "text": "ö\n\"", "null": null}),
        accepted_at: at(n),
    }
}

async fn accept(store: &Store, entries: &[Entry]) -> u64 {
    let entries = entries.to_vec();
    writes!(store, |tx| tx.journal_accept(&entries).await).expect("accepts")
}

async fn put(store: &Store, runs: &[RunId], secs: u32) -> i64 {
    let results: Vec<(RunId, Value)> = runs.iter().map(|run| (*run, json!({"run": run}))).collect();
    writes!(store, |tx| tx.outbox_put(&results, "boot-2", at(secs)).await).expect("puts")
}

testkit::db_test!(what_was_accepted_first_stays, |db| async move {
    let (one, two) = (entry(2), entry(1));
    assert_eq!(accept(&db.store, &[]).await, 0);
    assert_eq!(accept(&db.store, &[one.clone(), two.clone()]).await, 2);
    let changed = Entry { grant: json!("other"), fence: 9, ..one.clone() };
    let three = entry(3);
    assert_eq!(accept(&db.store, &[changed, three.clone()]).await, 1);
    let expected = [two.clone(), one.clone(), three.clone()];
    assert_eq!(reads!(db.store, |tx| tx.journal_all().await), expected, "oldest first");
    let runs = [one.run_id, two.run_id, id()];
    writes!(db.store, |tx| tx.journal_state(&runs, JournalState::Starting, "boot-2").await).expect("notes");
    writes!(db.store, |tx| tx.journal_state(&[], JournalState::Ended, "boot-2").await).expect("nothing to do");
    let states: Vec<_> =
        reads!(db.store, |tx| tx.journal_all().await).into_iter().map(|entry| (entry.state, entry.boot_id)).collect();
    assert_eq!(
        states,
        [
            (JournalState::Starting, "boot-2".to_owned()),
            (JournalState::Starting, "boot-2".to_owned()),
            (JournalState::Accepted, "boot-1".to_owned())
        ]
    );
    // Accepted again after it may have begun: it stays begun.
    assert_eq!(accept(&db.store, std::slice::from_ref(&one)).await, 0);
    assert_eq!(reads!(db.store, |tx| tx.journal_all().await)[1].state, JournalState::Starting);
    assert_eq!(writes!(db.store, |tx| tx.journal_forget(&[one.run_id, id()]).await).expect("forgets"), 1);
    assert_eq!(writes!(db.store, |tx| tx.journal_forget(&[]).await).expect("forgets"), 0);
    assert_eq!(reads!(db.store, |tx| tx.journal_all().await).len(), 2);
});

testkit::db_test!(results_wait_in_order_until_they_are_confirmed, |db| async move {
    let entries: Vec<Entry> = (0..4).map(entry).collect();
    let runs: Vec<RunId> = entries.iter().map(|entry| entry.run_id).collect();
    accept(&db.store, &entries).await;
    assert_eq!(reads!(db.store, |tx| tx.outbox_depth().await), 0);
    let first = put(&db.store, &runs[..2], 10).await;
    let second = put(&db.store, &runs[2..3], 10).await;
    assert_eq!(second, first + 1);
    assert_eq!(put(&db.store, &[], 10).await, second, "nothing takes no number");
    assert_eq!(reads!(db.store, |tx| tx.outbox_depth().await), 3);
    let parcels = reads!(db.store, |tx| tx.outbox_list(0, 10).await);
    assert_eq!(parcels.iter().map(|parcel| parcel.run_id).collect::<Vec<_>>(), runs[..3]);
    assert_eq!(parcels[0].body, json!({"run": runs[0]}));
    assert_eq!(parcels.iter().map(|parcel| parcel.seq).collect::<Vec<_>>(), [first - 1, first, second]);
    assert_eq!(reads!(db.store, |tx| tx.outbox_list(first, 10).await).len(), 1);
    assert_eq!(reads!(db.store, |tx| tx.outbox_list(0, 2).await).len(), 2);
    let ended = reads!(db.store, |tx| tx.journal_all().await);
    assert_eq!(ended.iter().filter(|entry| entry.state == JournalState::Ended).count(), 3);

    assert_eq!(writes!(db.store, |tx| tx.outbox_ack(first).await).expect("acks"), 2, "exactly up to the number");
    assert_eq!(writes!(db.store, |tx| tx.outbox_ack(first).await).expect("acks"), 0, "said twice, done once");
    let left: Vec<RunId> = reads!(db.store, |tx| tx.journal_all().await).iter().map(|entry| entry.run_id).collect();
    assert_eq!(left, runs[2..], "their runs are forgotten with them, no others");
    assert_eq!(reads!(db.store, |tx| tx.outbox_list(0, 10).await)[0].run_id, runs[2]);
    let unwanted = runs[2];
    assert_eq!(writes!(db.store, |tx| tx.outbox_forget(&[unwanted, id()]).await).expect("drops"), 1);
    assert_eq!(reads!(db.store, |tx| tx.outbox_depth().await), 0);
});

testkit::db_test!(numbers_never_come_back, |db| async move {
    // All confirmed each time, and the clock steps back: a late confirmation must not cover what came after it.
    let mut last = 0;
    for secs in [100, 101, 50, 0, 0] {
        let runs: Vec<RunId> = (0..3).map(|_| id()).collect();
        let before = last;
        last = put(&db.store, &runs, secs).await;
        assert_eq!(last, reads!(db.store, |tx| tx.outbox_list(0, 10).await).last().expect("some").seq);
        assert!(last >= before + 3, "{last} after {before}");
        assert_eq!(writes!(db.store, |tx| tx.outbox_ack(before).await).expect("acks"), 0, "a late confirmation");
        assert_eq!(writes!(db.store, |tx| tx.outbox_ack(last).await).expect("acks"), 3);
    }
});

testkit::db_test!(a_hundred_thousand_results_are_confirmed_at_once, |db| async move {
    let mut last = 0;
    for _ in 0..10 {
        let results: Vec<(RunId, Value)> = (0..10_000).map(|_| (id(), json!({}))).collect();
        last = writes!(db.store, |tx| tx.outbox_put(&results, "boot", T0).await).expect("puts");
    }
    assert_eq!(reads!(db.store, |tx| tx.outbox_depth().await), 100_000);
    assert_eq!(writes!(db.store, |tx| tx.outbox_ack(last).await).expect("acks"), 100_000);
    let gone: Vec<RunId> = (0..100_000).map(|_| id()).collect();
    let runs = gone.clone();
    assert_eq!(writes!(db.store, |tx| tx.outbox_forget(&gone).await).expect("a list of any length"), 0);
    assert_eq!(writes!(db.store, |tx| tx.journal_forget(&runs).await).expect("a list of any length"), 0);
});
