//! Output of runs.

use domain::{
    RunId,
    job::{JobStatus, RunStatus},
};
use store::{
    Store,
    log::{CUT_BYTES, Chunk, LogState},
    run_owner::RunOwner,
};

use crate::{
    reads,
    seed::{T0, Yard, at, claim, enqueue, finish, id, jobs, yard},
    writes,
};

fn chunk(run_id: RunId, first_line: i64, lines: i32) -> Chunk {
    Chunk { run_id, first_line, lines, bytes: lines * 10, body: vec![0, 255, 7], at: at(1) }
}

async fn insert(store: &Store, chunks: &[Chunk]) {
    let chunks = chunks.to_vec();
    writes!(store, |tx| tx.log_insert(&chunks).await).expect("inserts");
}

testkit::db_test!(log_chunks_are_stored_once_and_read_from_any_line, |db| async move {
    let (run, other): (RunId, RunId) = (id(), id());
    assert_eq!(reads!(db.store, |tx| tx.log_last(run).await), 0);
    insert(&db.store, &[]).await;
    let chunks = [chunk(run, 1, 10), chunk(run, 11, 1), chunk(run, 12, 100)];
    insert(&db.store, &chunks).await;
    insert(&db.store, &[Chunk { body: vec![1], ..chunk(run, 11, 1) }, chunk(other, 1, 3)]).await;
    assert_eq!(reads!(db.store, |tx| tx.log_from(run, 0, 10).await), chunks, "a repeated chunk is stored once");
    for (line, first) in [(1, 0), (10, 0), (11, 1), (12, 2), (111, 2), (112, 3)] {
        assert_eq!(reads!(db.store, |tx| tx.log_from(run, line, 10).await), chunks[first..], "from line {line}");
    }
    assert_eq!(reads!(db.store, |tx| tx.log_from(run, 1, 2).await), chunks[..2]);
    let back = [chunks[1].clone(), chunks[0].clone()];
    assert_eq!(reads!(db.store, |tx| tx.log_before(run, 12, 10).await), back, "last first");
    assert_eq!(reads!(db.store, |tx| tx.log_before(run, 12, 1).await), back[..1]);
    assert!(reads!(db.store, |tx| tx.log_before(run, 1, 10).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.log_last(run).await), 111);
    assert_eq!(reads!(db.store, |tx| tx.log_last(other).await), 3);
});

testkit::db_test!(run_owner_is_the_holder_of_its_lease_or_run, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    enqueue(&db.store, &jobs(&acme, 1)).await;
    let leases = claim(&db.store, &acme, 1, at(1)).await.0;
    let (job, fence, run) = (leases[0].job_id, leases[0].fence, leases[0].run_id);
    for is_over in [false, true] {
        if is_over {
            finish(&db.store, &leases, (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(2)).await;
        }
        for (name, job, fence, run, holder, expected) in [
            ("its holder", job, fence, run, acme.holder, RunOwner::Holder),
            ("another holder", job, fence, run, beta.holder, RunOwner::Other),
            ("another fence", job, fence + 1, run, acme.holder, RunOwner::Other),
            ("another run", job, fence, id(), acme.holder, RunOwner::Other),
            ("another job", id(), fence, run, acme.holder, RunOwner::Deleted),
        ] {
            let found = reads!(db.store, |tx| tx.run_owner_by_id(job, fence, run, holder).await);
            assert_eq!(found, expected, "{name}, ended: {is_over}");
        }
        assert_eq!(reads!(db.store, |tx| tx.run_owner(job, fence, acme.holder).await), RunOwner::Holder);
        assert_eq!(reads!(db.store, |tx| tx.run_owner(job, fence, beta.holder).await), RunOwner::Other);
    }
});

testkit::db_test!(log_state_counts_bytes_and_finds_the_cut, |db| async move {
    let run: RunId = id();
    let chunk = move |first_line, bytes| Chunk { run_id: run, first_line, lines: 1, bytes, body: vec![1], at: at(1) };
    assert_eq!(reads!(db.store, |tx| tx.log_state(run).await), LogState::default());
    writes!(db.store, |tx| tx.log_insert(&[chunk(1, 30), chunk(2, 12)]).await).expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.log_state(run).await), LogState { last: 2, bytes: 42, is_cut: false });
    writes!(db.store, |tx| tx.log_insert(&[chunk(3, CUT_BYTES)]).await).expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.log_state(run).await), LogState { last: 3, bytes: 42, is_cut: true });
});

testkit::db_test!(host_log_totals_are_kept_per_host_and_day, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let add = |yard: &Yard, day, bytes| {
        let (store, sender) = (db.store.clone(), yard.sender());
        async move { writes!(store, |tx| tx.host_log_add(sender, day, bytes, at(1)).await).expect("adds") }
    };
    assert_eq!((add(&acme, T0, 5).await, add(&acme, T0, 6).await, add(&beta, T0, 7).await), (5, 11, 7));
    assert_eq!(add(&acme, at(86_400), 1).await, 1);
    assert_eq!(writes!(db.store, |tx| tx.host_log_prune(at(86_400)).await).expect("prunes"), 2);
    assert_eq!(add(&acme, T0, 1).await, 1);
});
