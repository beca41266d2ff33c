//! Output of runs.

use domain::{
    RunId,
    job::{JobStatus, RunStatus},
};
use store::{Store, log::Chunk};

use crate::{
    reads,
    seed::{at, claim, enqueue, finish, id, jobs, yard},
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

testkit::db_test!(log_is_of_matches_only_the_runs_holder, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    enqueue(&db.store, &jobs(&acme, 1)).await;
    let leases = claim(&db.store, &acme, 1, at(1)).await.0;
    let (job, fence, run) = (leases[0].job_id, leases[0].fence, leases[0].run_id);
    for is_over in [false, true] {
        if is_over {
            finish(&db.store, &leases, (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(2)).await;
        }
        assert!(reads!(db.store, |tx| tx.log_is_of(job, fence, run, acme.holder).await), "ended: {is_over}");
        assert!(!reads!(db.store, |tx| tx.log_is_of(job, fence, run, beta.holder).await), "another holder");
        assert!(!reads!(db.store, |tx| tx.log_is_of(job, fence + 1, run, acme.holder).await), "another fence");
        assert!(!reads!(db.store, |tx| tx.log_is_of(job, fence, id(), acme.holder).await), "another run");
        assert!(!reads!(db.store, |tx| tx.log_is_of(id(), fence, run, acme.holder).await), "another job");
    }
});
