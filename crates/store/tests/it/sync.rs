//! Replication of rows from a runner to a hub.

use domain::{
    HostId, HostSender, HubId, JobId, OrgId, RunId,
    job::{JobStatus, RunStatus},
    sync::{
        Mark, Place, SyncPriority, Version,
        doc::StoredDoc,
        frame::{EpochTicket, Forward, FromHub, FromOrigin, HubEpoch, Received, Response, Row, Witness},
        hub::{self, HubSync},
        origin::{self, OriginSync},
        tables::{DEFINITION, JOB, LOG, RUN, SCHEMA, TABLES},
    },
    timeline::OutageKind,
};
use serde_json::{Value, json};
use store::{
    Store,
    log::Chunk,
    outage::Outage,
    replication::{HubSide, OriginSide, StandaloneHost},
};
use testkit::TestDb;

use crate::{
    reads,
    seed::{T0, Yard, at, claim, enqueue, finish, id, jobs, world, yard},
    writes,
};

/// A runner in standalone mode, and a hub that has it as a host.
pub(crate) struct Pair {
    pub(crate) runner: TestDb,
    pub(crate) yard: Yard,
    origin: OriginSync,
    pub(crate) hub: Store,
    pub(crate) host: HostId,
    pub(crate) org: OrgId,
    pub(crate) side: HubSync,
    /// Pages that the hub has applied.
    pages: usize,
    /// Where the hub's triggers fire on the runner.
    pub(crate) standalone: Option<StandaloneHost>,
}

pub(crate) fn hub_id() -> HubId {
    HubId::from_bytes([7; 16])
}

async fn runner() -> (TestDb, Yard) {
    let runner = TestDb::sqlite().await;
    let own = yard(&runner.store, "own").await;
    writes!(runner.store, |tx| tx.sync_capture(T0)).expect("watches");
    (runner, own)
}

pub(crate) async fn pair(hub: &Store) -> Pair {
    pair_in(hub, "acme").await
}

/// A runner that is the host `web-1` of a new organization.
pub(crate) async fn pair_in(hub: &Store, slug: &str) -> Pair {
    let (org, _, host) = world(hub, slug).await;
    let (runner, own) = runner().await;
    pair_of(runner, own, hub, org, host)
}

fn pair_of(runner: TestDb, yard: Yard, hub: &Store, org: OrgId, host: HostId) -> Pair {
    Pair {
        runner,
        yard,
        origin: OriginSync::new(hub_id(), SCHEMA),
        hub: hub.clone(),
        host,
        org,
        side: HubSync::new(host, SCHEMA, T0),
        pages: 0,
        standalone: None,
    }
}

/// A different number for each transaction, as in a hub: ids of events are made from it.
fn random() -> u64 {
    static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(99);
    NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

impl Pair {
    pub(crate) fn hub_side(&self) -> HubSide {
        HubSide {
            hub: hub_id(),
            sender: HostSender::proven(self.host, self.org, 1),
            host_name: "web-1".into(),
            now: at(1),
            random: random(),
        }
    }

    pub(crate) async fn origin_does(&mut self, input: origin::OriginInput<StoredDoc>) -> Vec<FromOrigin<Value>> {
        for may_write in [false, true] {
            let (core, input, side) =
                (self.origin.clone(), input.clone(), OriginSide { now: T0, may_write, standalone: self.standalone });
            let handled = writes!(self.runner.store, |tx| tx.sync_origin_handle(side, core, input, None).await);
            if let Ok((handled, confirmed)) = handled.expect("the runner handles the input") {
                for (hub, priority, place) in confirmed {
                    writes!(self.runner.store, |tx| tx.sync_confirm(hub, priority, place, T0).await).expect("confirms");
                }
                self.origin = handled.core;
                // Serialized and parsed, as on the wire.
                let over = |said| serde_json::from_value(json!(said)).expect("parses");
                return handled.frames.iter().map(over).collect();
            }
        }
        panic!("it may write")
    }

    pub(crate) async fn hub_does(&mut self, said: FromOrigin<Value>) -> Vec<FromHub<StoredDoc>> {
        let said = match said {
            FromOrigin::Response(response) => {
                self.pages += 1;
                FromOrigin::Response(read(response))
            }
            FromOrigin::CatchUp { schema, received, is_doubting, seen } => {
                FromOrigin::CatchUp { schema, received, is_doubting, seen }
            }
            FromOrigin::Sums { req, priority, at, sums } => FromOrigin::Sums { req, priority, at, sums },
            FromOrigin::Hint { priority } => FromOrigin::Hint { priority },
        };
        self.hub_hears(hub::HubInput::Received(said)).await
    }

    pub(crate) async fn hub_hears(&mut self, input: hub::HubInput<StoredDoc>) -> Vec<FromHub<StoredDoc>> {
        let (core, side) = (self.side.clone(), self.hub_side());
        let handled =
            writes!(self.hub, |tx| tx.sync_hub_handle(&side, core, input).await).expect("the hub handles the input");
        self.side = handled.core;
        let mut frames = handled.frames;
        for frame in &mut frames {
            if let FromHub::Forward(forward) = frame {
                forward.ticket = Some(EpochTicket([0; 64]));
            }
        }
        frames
    }

    /// Connects both sides and exchanges messages until neither has more to send.
    pub(crate) async fn link(&mut self) {
        self.side = HubSync::new(self.host, SCHEMA, T0).with_pages_of(1_000);
        let linked = self.origin_does(origin::OriginInput::Linked).await;
        self.talk(linked).await;
    }

    pub(crate) async fn talk(&mut self, mut said: Vec<FromOrigin<Value>>) {
        for _ in 0..500 {
            let mut answers = Vec::new();
            for frame in said {
                answers.extend(self.hub_does(frame).await);
            }
            said = Vec::new();
            for answer in answers {
                said.extend(self.origin_does(origin::OriginInput::Received(answer)).await);
            }
            if said.is_empty() {
                return;
            }
        }
        panic!("the exchange does not end");
    }

    pub(crate) async fn changed(&mut self) {
        for priority in SyncPriority::ALL {
            let hint = self.origin_does(origin::OriginInput::Changed(*priority)).await;
            self.talk(hint).await;
        }
    }

    /// Asserts that the hub has every row of the runner once: counts and checksums of all tables.
    pub(crate) async fn assert_same(&self) {
        let host = self.host;
        for table in TABLES {
            let own = reads!(self.runner.store, |tx| tx.sync_own_digest(table).await);
            let kept = reads!(self.hub, |tx| tx.sync_digest(host, table).await);
            assert_eq!(kept, own, "{}", table.name);
        }
    }

    /// Inserts jobs that have run, with a line of output each.
    pub(crate) async fn work(&self, count: usize) -> Vec<(JobId, RunId)> {
        let mut done = Vec::new();
        for some in jobs(&self.yard, count).chunks(200) {
            enqueue(&self.runner.store, some).await;
            let leases = claim(&self.runner.store, &self.yard, 200, at(1)).await.0;
            finish(&self.runner.store, &leases, (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(2)).await;
            let chunk = |run_id| Chunk { run_id, first_line: 1, lines: 1, bytes: 3, body: vec![1, 2, 3], at: at(2) };
            let chunks: Vec<Chunk> = leases.iter().map(|lease| chunk(lease.run_id)).collect();
            writes!(self.runner.store, |tx| tx.log_insert(&chunks).await).expect("inserts");
            done.extend(leases.iter().map(|lease| (lease.job_id, lease.run_id)));
        }
        done
    }
}

fn read(response: Response<Value>) -> Response<StoredDoc> {
    let Response { req, priority, epoch, from, upto, head, has_more, is_reset, floor, rows } = response;
    let rows = rows.into_iter().map(|row| row.read(SCHEMA)).collect();
    Response { req, priority, epoch, from, upto, head, has_more, is_reset, floor, rows }
}

testkit::db_test!(backlog_of_several_tables_is_replicated_completely, |db| async move {
    // A cursor over all tables with a limit per table would lose rows here.
    let mut pair = pair(&db.store).await;
    pair.work(2_000).await;
    pair.link().await;
    pair.assert_same().await;
    let (host, org) = (pair.host, pair.org);
    let counts = [(&DEFINITION, 1), (&JOB, 2_000), (&RUN, 2_000), (&LOG, 2_000)];
    for (table, count) in counts {
        assert_eq!(reads!(db.store, |tx| tx.sync_digest(host, table).await).rows, count, "{}", table.name);
    }
    assert!(pair.pages >= 6, "in {} pages", pair.pages);
    let shown = reads!(db.store, |tx| tx.job_ids_newest(org, JobId::from_bytes([255; 16]), 10_000).await);
    assert_eq!(shown.len(), 2_000, "the hub lists all jobs");
    assert!(reads!(db.store, |tx| tx.sync_parked_list(org, 10).await).is_empty());
});

testkit::db_test!(stored_output_does_not_block_new_output, |db| async move {
    let mut pair = pair(&db.store).await;
    pair.work(200).await;
    pair.link().await;
    pair.work(100).await;
    let host = pair.host;
    // The host resends all rows: stored and new lines in the same pages.
    writes!(db.store, |tx| tx.sync_distrust(host, LOG.priority).await).expect("distrusts");
    pair.link().await;
    pair.assert_same().await;
    assert_eq!(reads!(db.store, |tx| tx.sync_digest(host, &LOG).await).rows, 300);
});

testkit::db_test!(host_job_is_shown_with_its_current_state, |db| async move {
    let mut pair = pair(&db.store).await;
    let (org, host) = (pair.org, pair.host);
    let job = jobs(&pair.yard, 1).remove(0);
    let job_id = job.id;
    enqueue(&pair.runner.store, &[job]).await;
    pair.link().await;
    let shown = reads!(db.store, |tx| tx.job_get(org, job_id).await).expect("is shown");
    assert_eq!(
        (shown.status, shown.origin, shown.host_name.as_deref()),
        (JobStatus::Queued, Some(host), Some("web-1"))
    );
    assert_eq!(shown.definition_key, "deploy-own@web-1");
    let definition = reads!(db.store, |tx| tx.definition_get("deploy-own@web-1").await).expect("exists").id;
    let (own, other) = (pair.org, id());
    assert!(reads!(db.store, |tx| tx.definition_is_for(own, definition).await), "the org of the host");
    assert!(!reads!(db.store, |tx| tx.definition_is_for(other, definition).await), "another org");
    let leases = claim(&pair.runner.store, &pair.yard, 1, at(3)).await.0;
    pair.changed().await;
    let shown = reads!(db.store, |tx| tx.job_get(org, job_id).await).expect("is shown");
    assert_eq!((shown.status, shown.fence), (JobStatus::Running, 1));
    assert_eq!(shown.lease.expect("runs").started_at, at(3));
    assert_eq!(reads!(db.store, |tx| tx.runs_of_job(org, job_id).await)[0].status, RunStatus::Running);
    finish(&pair.runner.store, &leases, (RunStatus::Failed, Some(JobStatus::DeadLetter)), at(9)).await;
    let chunk = Chunk { run_id: leases[0].run_id, first_line: 1, lines: 5, bytes: 3, body: vec![1, 2, 3], at: at(2) };
    let chunks = [chunk.clone()];
    writes!(pair.runner.store, |tx| tx.log_insert(&chunks).await).expect("inserts");
    pair.changed().await;
    let shown = reads!(db.store, |tx| tx.job_get(org, job_id).await).expect("is shown");
    assert_eq!((shown.status, shown.finished_at, shown.lease), (JobStatus::DeadLetter, Some(at(9)), None));
    let runs = reads!(db.store, |tx| tx.runs_of_job(org, job_id).await);
    assert_eq!((runs.len(), runs[0].status, runs[0].host_name.as_deref()), (1, RunStatus::Failed, Some("web-1")));
    let run = leases[0].run_id;
    assert_eq!(reads!(db.store, |tx| tx.replicated_log_from(run, host, 1, 10).await), std::slice::from_ref(&chunk));
    assert_eq!(reads!(db.store, |tx| tx.replicated_log_before(run, host, 2, 10).await), [chunk]);
    assert_eq!(reads!(db.store, |tx| tx.replicated_log_last(run, host).await), 5);
    assert!(
        reads!(db.store, |tx| tx.replicated_log_from(run, id(), 1, 10).await).is_empty(),
        "no output of another run"
    );
    pair.assert_same().await;
    // Jobs deleted on the host are deleted on the hub.
    writes!(pair.runner.store, |tx| tx.jobs_forget(&[job_id]).await).expect("forgets");
    pair.changed().await;
    assert!(reads!(db.store, |tx| tx.job_get(org, job_id).await).is_none());
    assert!(reads!(db.store, |tx| tx.runs_of_job(org, job_id).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.replicated_log_last(run, host).await), 0);
    assert_eq!(reads!(db.store, |tx| tx.sync_digest(host, &JOB).await).rows, 0);
});

testkit::db_test!(wiped_hub_refills_and_restored_runner_starts_a_new_epoch, |db| async move {
    let mut first = pair(&db.store).await;
    first.work(30).await;
    first.link().await;
    let (host, org) = (first.host, first.org);
    // The hub loses all rows of this host.
    let all = reads!(db.store, |tx| tx.job_ids_newest(org, JobId::from_bytes([255; 16]), 100).await);
    writes!(db.store, |tx| tx.sync_origin_forget(host).await).expect("forgets");
    let forgotten = all.clone();
    writes!(db.store, |tx| tx.jobs_forget(&forgotten).await).expect("forgets");
    first.link().await;
    first.assert_same().await;
    assert_eq!(reads!(db.store, |tx| tx.job_ids_newest(org, JobId::from_bytes([255; 16]), 100).await), all);
    // The runner loses its database and starts a new one with other numbers and marks, as after a restore from an old
    // backup.
    let (runner, own) = runner().await;
    let mut second = pair_of(runner, own, &db.store, org, host);
    second.work(10).await;
    second.link().await;
    second.assert_same().await;
    assert_eq!(reads!(second.runner.store, |tx| tx.sync_epoch().await), Some(2), "a new epoch");
    let left = reads!(db.store, |tx| tx.job_ids_newest(org, JobId::from_bytes([255; 16]), 100).await);
    assert_eq!(left.len(), 10, "rows that the runner lost are deleted");
});

testkit::db_test!(removed_host_leaves_only_its_finished_jobs, |db| async move {
    let mut pair = pair(&db.store).await;
    pair.work(2).await;
    enqueue(&pair.runner.store, &jobs(&pair.yard, 1)).await;
    pair.link().await;
    let (host, org) = (pair.host, pair.org);
    let shown = async || reads!(db.store, |tx| tx.job_ids_newest(org, JobId::from_bytes([255; 16]), 100).await);
    assert_eq!(shown().await.len(), 3);
    let before = reads!(db.store, |tx| tx.host_get(org, host).await).expect("exists").host;
    assert!(writes!(db.store, |tx| tx.host_remove(org, host, at(5)).await).expect("removes"));
    let left = shown().await;
    let states: Vec<JobStatus> =
        reads!(db.store, |tx| tx.jobs_by_id(org, &left).await).into_iter().map(|job| job.status).collect();
    assert_eq!(states, [JobStatus::Succeeded; 2], "the end of the third would never be known");
    for table in TABLES {
        assert_eq!(reads!(db.store, |tx| tx.sync_digest(host, table).await).rows, 0, "{}", table.name);
    }
    let nobody: HostId = id();
    for priority in SyncPriority::ALL {
        let cursors = reads!(db.store, |tx| Ok::<_, store::Error>((
            tx.sync_cursor(host, *priority).await?,
            tx.sync_cursor(nobody, *priority).await?
        )));
        assert_eq!(cursors.0, cursors.1, "as of a host that never was here");
    }
    // The machine returns and sends everything again.
    writes!(db.store, |tx| tx.host_insert(&before).await).expect("inserts");
    pair.link().await;
    pair.assert_same().await;
    assert_eq!(shown().await.len(), 3);
});

testkit::db_test!(rows_of_other_owners_are_parked, |db| async move {
    let victim = yard(&db.store, "beta").await;
    let theirs = jobs(&victim, 1).remove(0);
    let their_job = theirs.id;
    enqueue(&db.store, &[theirs]).await;
    let mut pair = pair(&db.store).await;
    pair.work(3).await;
    let linked = pair.origin_does(origin::OriginInput::Linked).await;
    let mut asks = Vec::new();
    for said in linked {
        asks.extend(pair.hub_does(said).await);
    }
    let request = asks
        .into_iter()
        .find(|ask| matches!(ask, FromHub::Request(r) if r.priority == SyncPriority::Control))
        .expect("asks");
    let said = pair.origin_does(origin::OriginInput::Received(request)).await;
    let Some(FromOrigin::Response(mut page)) = said.into_iter().next() else { panic!("answers") };
    let last = page.rows.len() as u64;
    let job = page.rows.iter().find(|row| row.table == "job").expect("a job").clone();
    let run = page.rows.iter().find(|row| row.table == "run").expect("a run").clone();
    let row = |row: &Row<Value>, id: String, body: Value| Row { id, body, ..row.clone() };
    let with = |body: &Value, field: &str, value: Value| {
        let mut body = body.clone();
        body[field] = value;
        body
    };
    let strange = [
        row(&job, their_job.to_string(), with(&job.body, "id", json!(their_job))),
        row(&run, format!("{their_job}:7"), with(&with(&run.body, "job", json!(their_job)), "no", json!(7))),
        row(&run, "nonsense".into(), json!({"no": "number"})),
        Row { table: "novel".into(), ..row(&job, "n".into(), json!({"new": true})) },
        Row { table: "host_policy".into(), ..row(&job, "p".into(), json!({})) },
        // The same row twice in one page.
        job.clone(),
    ];
    page.rows.extend(strange);
    let said = pair.hub_does(FromOrigin::Response(page)).await;
    let Some(FromHub::Error { rows, .. }) = said.iter().find(|said| matches!(said, FromHub::Error { .. })) else {
        panic!("the hub must report the parked rows: {said:?}")
    };
    assert_eq!(rows.len(), 5, "the host learns of all of them: {rows:?}");
    let (org, host) = (pair.org, pair.host);
    let parked = reads!(db.store, |tx| tx.sync_parked_list(org, 10).await);
    let mut why: Vec<(String, String)> = parked.iter().map(|p| (p.table.clone(), p.error.to_string())).collect();
    why.sort();
    let expected = [
        ("host_policy", "unknown_table"),
        ("job", "ownership_violation"),
        ("novel", "unknown_table"),
        ("run", "ownership_violation"),
        ("run", "row_rejected"),
    ];
    assert_eq!(why, expected.map(|(table, error)| (table.to_owned(), error.to_owned())));
    let cursor = reads!(db.store, |tx| tx.sync_cursor(host, SyncPriority::Control).await);
    assert_eq!(cursor.place.expect("moved on").at.seq, last + 6, "parked rows do not stop the cursor");
    let untouched = reads!(db.store, |tx| tx.job_get(victim.org, their_job).await).expect("exists");
    assert_eq!((untouched.origin, untouched.fence), (None, 0));
    assert!(reads!(db.store, |tx| tx.runs_of_job(victim.org, their_job).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.sync_lags(org, "", 10).await)[0].parked, 5);
    assert_eq!(
        reads!(db.store, |tx| tx.sync_lags(victim.org, "", 10).await).len(),
        0,
        "another organization sees no lag"
    );
    // `sync_learn` ignores tables that are still unknown.
    assert_eq!(writes!(db.store, |tx| tx.sync_learn().await).expect("looks"), 0);
});

testkit::db_test!(lost_rows_are_detected_by_checksum_and_resent, |db| async move {
    let mut pair = pair(&db.store).await;
    let done = pair.work(5).await;
    pair.link().await;
    let (org, host) = (pair.org, pair.host);
    let same = |pair: &Pair| {
        let (hub, runner) = (pair.hub.clone(), pair.runner.store.clone());
        async move {
            let kept = reads!(hub, |tx| tx.sync_sums(host, SyncPriority::Control).await);
            let digest = reads!(runner, |tx| tx.sync_own_digest(&JOB).await);
            kept.iter().find(|sum| sum.table == "job").expect("has a checksum").digest == digest
        }
    };
    assert!(same(&pair).await);
    db.store.execute_raw("delete from sync_row where tbl = 'job'").await.expect("damages");
    db.store.execute_raw("delete from job").await.expect("damages");
    assert!(!same(&pair).await);
    // The comparison runs after its interval, without a request.
    for secs in [60, 700] {
        let side = HubSide { now: at(secs), ..pair.hub_side() };
        let core = pair.side.clone();
        let handled =
            writes!(db.store, |tx| tx.sync_hub_handle(&side, core, hub::HubInput::Tick).await).expect("ticks");
        pair.side = handled.core;
        let is_check = |said: &&FromHub<StoredDoc>| matches!(said, FromHub::Check { .. });
        assert_eq!(handled.frames.iter().filter(is_check).count(), usize::from(secs == 700), "after {secs} s");
        for said in handled.frames {
            let answer = pair.origin_does(origin::OriginInput::Received(said)).await;
            pair.talk(answer).await;
        }
    }
    assert!(same(&pair).await);
    pair.assert_same().await;
    assert!(reads!(db.store, |tx| tx.job_get(org, done[0].0).await).is_some(), "the job exists again");
    let (priority, place) =
        (SyncPriority::Control, reads!(db.store, |tx| tx.sync_cursor(host, SyncPriority::Control).await).place);
    assert!(place.is_some());
    writes!(db.store, |tx| tx.sync_distrust(host, priority).await).expect("forgets");
    assert_eq!(reads!(db.store, |tx| tx.sync_cursor(host, priority).await).place, None);
});

testkit::db_test!(host_cannot_delete_output_of_another_hosts_run, |db| async move {
    let victim = yard(&db.store, "beta").await;
    enqueue(&db.store, &jobs(&victim, 1)).await;
    let lease = claim(&db.store, &victim, 1, at(1)).await.0.remove(0);
    let chunks = [Chunk { run_id: lease.run_id, first_line: 1, lines: 4, bytes: 3, body: vec![7], at: at(2) }];
    writes!(db.store, |tx| tx.log_insert(&chunks).await).expect("inserts");
    let mut pair = pair(&db.store).await;
    let own = pair.work(1).await[0].0;
    pair.link().await;
    let (run, before) = (lease.run_id, reads!(db.store, |tx| tx.log_last(lease.run_id).await));
    // As if the host had sent a run with the id of another host's run.
    db.store.execute_raw("update run set id = (select run_id from lease limit 1)").await.expect("damages");
    writes!(db.store, |tx| tx.jobs_forget(&[own]).await).expect("forgets");
    assert_eq!(reads!(db.store, |tx| tx.log_last(run).await), before, "the output still exists");
});

testkit::db_test!(hub_log_epoch_only_increases, |db| async move {
    let first = writes!(db.store, |tx| tx.sync_hub_epoch(5, T0).await).expect("begins");
    assert_eq!(first, HubEpoch { number: 1, id: 5 });
    assert_eq!(writes!(db.store, |tx| tx.sync_hub_epoch(6, T0).await).expect("reads the epoch"), first);
    writes!(db.store, |tx| tx.sync_hub_renew(4, 6, T0).await).expect("renews");
    writes!(db.store, |tx| tx.sync_hub_renew(2, 7, T0).await).expect("renews the epoch");
    assert_eq!(
        writes!(db.store, |tx| tx.sync_hub_epoch(8, T0).await).expect("reads the epoch"),
        HubEpoch { number: 5, id: 6 }
    );
    assert_eq!(reads!(db.store, |tx| tx.sync_hub_head().await), 1, "a new epoch writes a log entry");
    assert_eq!(reads!(db.store, |tx| tx.sync_hub_mark(1).await), Some(Mark(6)));
    assert_eq!(reads!(db.store, |tx| tx.sync_hub_mark(2).await), None);
    let (origin, priority) = (id(), SyncPriority::Bulk);
    let place = Place { at: Version { epoch: 2, seq: 9 }, mark: Mark(u64::MAX) };
    let seen = [Witness { origin, priority, place }];
    writes!(db.store, |tx| tx.sync_note(&seen).await).expect("notes");
    assert_eq!(reads!(db.store, |tx| tx.sync_witnesses(origin, priority).await), [place]);
});

#[test]
fn deletions_confirmed_by_every_hub_are_purged() {
    testkit::block_on(async {
        let hub = TestDb::sqlite().await;
        let mut pair = pair(&hub.store).await;
        let done = pair.work(3).await;
        assert_eq!(
            reads!(pair.runner.store, |tx| tx.sync_heads().await),
            [13, 3],
            "a definition, and four changes for each job"
        );
        pair.link().await;
        pair.changed().await;
        let gone = [done[0].0];
        writes!(pair.runner.store, |tx| tx.jobs_forget(&gone).await).expect("forgets");
        let other = HubId::from_bytes([8; 16]);
        let place = Place { at: Version { epoch: 1, seq: 1 }, mark: Mark(0) };
        writes!(pair.runner.store, |tx| tx.sync_confirm(other, SyncPriority::Control, place, T0).await)
            .expect("confirms");
        pair.changed().await;
        // Confirmed by the next request.
        pair.changed().await;
        let floor = |pair: &Pair| {
            let store = pair.runner.store.clone();
            async move { reads!(store, |tx| tx.sync_reach(SyncPriority::Control).await).floor }
        };
        writes!(pair.runner.store, |tx| tx.sync_forget().await).expect("forgets");
        assert_eq!(floor(&pair).await, 0, "the other hub has not confirmed the deletion");
        let own = reads!(pair.runner.store, |tx| tx.sync_own_priorities().await);
        let waiting: Vec<(Option<HubId>, SyncPriority, u64)> =
            own.iter().map(|row| (row.hub, row.priority, row.waiting)).collect();
        let expected = [
            (Some(hub_id()), SyncPriority::Bulk, 0),
            (Some(hub_id()), SyncPriority::Control, 0),
            (Some(other), SyncPriority::Control, 6),
        ];
        assert_eq!(waiting, expected);
        assert_eq!(reads!(pair.runner.store, |tx| tx.sync_waiting(SyncPriority::Control, 1).await), 6);
        writes!(pair.runner.store, |tx| tx.sync_forget_hub(other).await).expect("leaves the hub");
        writes!(pair.runner.store, |tx| tx.sync_forget().await).expect("forgets");
        assert_eq!(floor(&pair).await, 15, "every hub has confirmed both deletions");
        assert_eq!(reads!(pair.runner.store, |tx| tx.sync_waiting(SyncPriority::Control, 0).await), 5);
        let received =
            Received { hub: HubEpoch { number: 3, id: 9 }, hseq: 4, mark: Mark(5), ticket: Some(EpochTicket([7; 64])) };
        assert_eq!(reads!(pair.runner.store, |tx| tx.sync_received(other).await), None);
        writes!(pair.runner.store, |tx| tx.sync_receive(other, received, T0).await).expect("receives");
        assert_eq!(reads!(pair.runner.store, |tx| tx.sync_received(other).await), Some(received));
        let forward: Forward<StoredDoc> = Forward {
            hub: received.hub,
            from: 0,
            upto: 8,
            mark: Mark(1),
            has_more: false,
            rows: Vec::new(),
            complete: Vec::new(),
            ticket: None,
        };
        let said = pair.origin_does(origin::OriginInput::Received(FromHub::Forward(forward))).await;
        assert!(matches!(said[0], FromOrigin::CatchUp { received: Some(Received { hseq: 8, .. }), .. }), "{said:?}");
        let epoch = 4;
        writes!(pair.runner.store, |tx| tx.sync_renumber(epoch, T0).await).expect("starts a new epoch");
        let reach = reads!(pair.runner.store, |tx| tx.sync_reach(SyncPriority::Control).await);
        assert_eq!((reach.head.at, reach.floor), (Version { epoch: 4, seq: 5 }, 0));
        let mark = reads!(pair.runner.store, |tx| tx.sync_mark(SyncPriority::Control, 5).await);
        assert_eq!(mark, Some(reach.head.mark));
        let budget = domain::sync::Budget { rows: 2, bytes: u32::MAX };
        let page = reads!(pair.runner.store, |tx| tx.sync_page(SyncPriority::Control, 1, budget).await);
        assert_eq!((page.rows.len(), page.upto.at.seq, page.has_more), (2, 3, true));
        let budget = domain::sync::Budget { rows: 100, bytes: 1 };
        let page = reads!(pair.runner.store, |tx| tx.sync_page(SyncPriority::Control, 4, budget).await);
        assert_eq!(
            (page.rows.len(), page.upto.at.seq, page.has_more),
            (1, 5, false),
            "a page has at least one row, whatever its budget"
        );
    });
}

#[test]
fn capture_numbers_existing_rows_once() {
    testkit::block_on(async {
        let runner = TestDb::sqlite().await;
        let own = yard(&runner.store, "own").await;
        enqueue(&runner.store, &jobs(&own, 3)).await;
        for kind in [OutageKind::Suspended, OutageKind::Asleep] {
            let outage = Outage { host_id: own.host, kind, from_at: T0, until_at: None, note: String::new() };
            writes!(runner.store, |tx| tx.outage_put(&[outage], T0).await).expect("notes");
        }
        assert_eq!(reads!(runner.store, |tx| tx.sync_epoch().await), None);
        for _ in 0..2 {
            writes!(runner.store, |tx| tx.sync_capture(T0)).expect("watches");
            assert_eq!(reads!(runner.store, |tx| tx.sync_heads().await), [5, 0], "including its own outage");
        }
        let ids: Vec<String> = reads!(runner.store, |tx| tx.sync_docs(&JOB, &["00".repeat(16)]).await)
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        assert!(ids.is_empty(), "a job that does not exist");
        let postgres = TestDb::postgres().await;
        let refused = writes!(postgres.store, |tx| tx.sync_capture(T0));
        assert!(refused.is_err(), "a runner's database is SQLite");
        postgres.store.close().await;
    });
}
