//! The runner's journal and outbox.

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

const HUB: &str = "hub";

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
    writes!(store, |tx| tx.journal_accept(HUB, &entries).await).expect("accepts")
}

async fn put(store: &Store, runs: &[RunId], secs: u32) -> i64 {
    let results: Vec<(RunId, Value)> = runs.iter().map(|run| (*run, json!({"run": run}))).collect();
    writes!(store, |tx| tx.outbox_put(HUB, &results, "boot-2", at(secs)).await).expect("puts")
}

testkit::db_test!(accepting_a_run_again_keeps_the_first_entry, |db| async move {
    let (one, two) = (entry(2), entry(1));
    assert_eq!(accept(&db.store, &[]).await, 0);
    assert_eq!(accept(&db.store, &[one.clone(), two.clone()]).await, 2);
    let changed = Entry { grant: json!("other"), fence: 9, ..one.clone() };
    let three = entry(3);
    assert_eq!(accept(&db.store, &[changed, three.clone()]).await, 1);
    let expected = [two.clone(), one.clone(), three.clone()];
    assert_eq!(reads!(db.store, |tx| tx.journal_all(HUB).await), expected, "oldest first");
    assert_eq!(reads!(db.store, |tx| tx.journal_runs().await).len(), expected.len(), "runs of all hubs");
    let runs = [one.run_id, two.run_id, id()];
    writes!(db.store, |tx| tx.journal_state(&runs, JournalState::Starting, "boot-2").await).expect("notes");
    writes!(db.store, |tx| tx.journal_state(&[], JournalState::Ended, "boot-2").await).expect("an empty list");
    let states: Vec<_> = reads!(db.store, |tx| tx.journal_all(HUB).await)
        .into_iter()
        .map(|entry| (entry.state, entry.boot_id))
        .collect();
    assert_eq!(
        states,
        [
            (JournalState::Starting, "boot-2".to_owned()),
            (JournalState::Starting, "boot-2".to_owned()),
            (JournalState::Accepted, "boot-1".to_owned())
        ]
    );
    // Accepted again after it may have started: the state is kept.
    assert_eq!(accept(&db.store, std::slice::from_ref(&one)).await, 0);
    assert_eq!(reads!(db.store, |tx| tx.journal_all(HUB).await)[1].state, JournalState::Starting);
    assert_eq!(writes!(db.store, |tx| tx.journal_forget(&[one.run_id, id()]).await).expect("forgets"), 1);
    assert_eq!(writes!(db.store, |tx| tx.journal_forget(&[]).await).expect("forgets"), 0);
    assert_eq!(reads!(db.store, |tx| tx.journal_all(HUB).await).len(), 2);
});

testkit::db_test!(outbox_keeps_results_in_order_until_confirmed, |db| async move {
    let entries: Vec<Entry> = (0..4).map(entry).collect();
    let runs: Vec<RunId> = entries.iter().map(|entry| entry.run_id).collect();
    accept(&db.store, &entries).await;
    assert_eq!(reads!(db.store, |tx| tx.outbox_depth(HUB).await), 0);
    let first = put(&db.store, &runs[..2], 10).await;
    let second = put(&db.store, &runs[2..3], 10).await;
    assert_eq!(second, first + 1);
    assert_eq!(put(&db.store, &[], 10).await, second, "an empty list takes no number");
    assert_eq!(reads!(db.store, |tx| tx.outbox_depth(HUB).await), 3);
    let entries = reads!(db.store, |tx| tx.outbox_list(HUB, 0, 10).await);
    assert_eq!(entries.iter().map(|entry| entry.run_id).collect::<Vec<_>>(), runs[..3]);
    assert_eq!(entries[0].body, json!({"run": runs[0]}));
    assert_eq!(entries.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [first - 1, first, second]);
    assert_eq!(reads!(db.store, |tx| tx.outbox_list(HUB, first, 10).await).len(), 1);
    assert_eq!(reads!(db.store, |tx| tx.outbox_list(HUB, 0, 2).await).len(), 2);
    let ended = reads!(db.store, |tx| tx.journal_all(HUB).await);
    assert_eq!(ended.iter().filter(|entry| entry.state == JournalState::Ended).count(), 3);

    assert_eq!(writes!(db.store, |tx| tx.outbox_ack(HUB, first).await).expect("acks"), 2, "exactly up to the number");
    assert_eq!(
        writes!(db.store, |tx| tx.outbox_ack(HUB, first).await).expect("acks"),
        0,
        "a repeated confirmation changes nothing"
    );
    let left: Vec<RunId> = reads!(db.store, |tx| tx.journal_all(HUB).await).iter().map(|entry| entry.run_id).collect();
    assert_eq!(left, runs[2..], "only the runs of confirmed results are deleted");
    assert_eq!(reads!(db.store, |tx| tx.outbox_list(HUB, 0, 10).await)[0].run_id, runs[2]);
    let unwanted = runs[2];
    assert_eq!(writes!(db.store, |tx| tx.outbox_forget(&[unwanted, id()]).await).expect("drops"), 1);
    assert_eq!(reads!(db.store, |tx| tx.outbox_depth(HUB).await), 0);
});

testkit::db_test!(outbox_numbers_are_never_reused, |db| async move {
    // All results are confirmed each time, and the clock is set back: a late confirmation must not cover later results.
    let mut last = 0;
    for secs in [100, 101, 50, 0, 0] {
        let runs: Vec<RunId> = (0..3).map(|_| id()).collect();
        let before = last;
        last = put(&db.store, &runs, secs).await;
        assert_eq!(last, reads!(db.store, |tx| tx.outbox_list(HUB, 0, 10).await).last().expect("some").seq);
        assert!(last >= before + 3, "{last} after {before}");
        assert_eq!(writes!(db.store, |tx| tx.outbox_ack(HUB, before).await).expect("acks"), 0, "a late confirmation");
        assert_eq!(writes!(db.store, |tx| tx.outbox_ack(HUB, last).await).expect("acks"), 3);
    }
});

testkit::db_test!(outbox_ack_confirms_a_hundred_thousand_results, |db| async move {
    let mut last = 0;
    for _ in 0..10 {
        let results: Vec<(RunId, Value)> = (0..10_000).map(|_| (id(), json!({}))).collect();
        last = writes!(db.store, |tx| tx.outbox_put(HUB, &results, "boot", T0).await).expect("puts");
    }
    assert_eq!(reads!(db.store, |tx| tx.outbox_depth(HUB).await), 100_000);
    assert_eq!(writes!(db.store, |tx| tx.outbox_ack(HUB, last).await).expect("acks"), 100_000);
    let gone: Vec<RunId> = (0..100_000).map(|_| id()).collect();
    let runs = gone.clone();
    assert_eq!(writes!(db.store, |tx| tx.outbox_forget(&gone).await).expect("a list of any length"), 0);
    assert_eq!(writes!(db.store, |tx| tx.journal_forget(&runs).await).expect("a list of any length"), 0);
});

testkit::db_test!(each_hub_has_its_own_journal_and_outbox, |db| async move {
    let (old, new) = (entry(1), entry(2));
    let (first, second) = ([old.clone()], [new.clone()]);
    writes!(db.store, |tx| tx.journal_accept("", &first).await).expect("accepts");
    writes!(db.store, |tx| tx.journal_accept("other", &second).await).expect("accepts");
    let (old_run, new_run) = (old.run_id, new.run_id);
    writes!(db.store, |tx| tx.outbox_put("", &[(old_run, json!({}))], "boot", T0).await).expect("puts");
    writes!(db.store, |tx| tx.outbox_put("other", &[(new_run, json!({}))], "boot", T0).await).expect("puts");
    assert!(reads!(db.store, |tx| tx.journal_all(HUB).await).is_empty());
    writes!(db.store, |tx| tx.journal_adopt(HUB).await).expect("adopts");
    assert_eq!(
        reads!(db.store, |tx| tx.journal_all(HUB).await)[0].run_id,
        old_run,
        "earlier entries belong to the first hub"
    );
    assert_eq!(reads!(db.store, |tx| tx.journal_all("other").await)[0].run_id, new_run);
    let last = i64::MAX;
    assert_eq!(writes!(db.store, |tx| tx.outbox_ack(HUB, last).await).expect("acks"), 1);
    assert_eq!(reads!(db.store, |tx| tx.outbox_depth("other").await), 1, "results of another hub stay unconfirmed");
    assert_eq!(reads!(db.store, |tx| tx.journal_all("other").await).len(), 1);
});

testkit::db_test!(confirmed_results_are_kept_for_a_while, |db| async move {
    let entries = [entry(1), entry(2), entry(3)];
    accept(&db.store, &entries).await;
    for (number, entry) in entries.iter().enumerate() {
        let secs = u32::try_from(number).expect("small");
        let through = put(&db.store, &[entry.run_id], secs).await;
        writes!(db.store, |tx| tx.outbox_ack(HUB, through).await).expect("acks");
    }
    let wanted = [(entries[0].job_id, 1), (entries[1].job_id, 2), (id(), 1)];
    let found = reads!(db.store, |tx| tx.done_find(HUB, &wanted).await);
    assert_eq!(found.len(), 1, "the run, not the job: {found:?}");
    assert_eq!((found[0].job_id, found[0].fence), (entries[0].job_id, 1));
    assert_eq!(found[0].body, json!({"run": entries[0].run_id}));
    assert!(reads!(db.store, |tx| tx.done_find("other", &[(id(), 1)]).await).is_empty());
    let last = reads!(db.store, |tx| tx.done_last(HUB, 2).await);
    assert_eq!(last.iter().map(|done| done.job_id).collect::<Vec<_>>(), [entries[2].job_id, entries[1].job_id]);
    assert_eq!(writes!(db.store, |tx| tx.done_forget(HUB, T0, 2).await).expect("forgets"), 1, "all but the last two");
    assert_eq!(
        writes!(db.store, |tx| tx.done_forget(HUB, at(2), 2).await).expect("forgets"),
        1,
        "results from before the time"
    );
    assert_eq!(reads!(db.store, |tx| tx.done_last(HUB, 9).await).len(), 1);
});
