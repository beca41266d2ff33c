//! Query plans of hot statements: by index, on empty and on full tables, before and after statistics.

use store::{
    Sql,
    schema::{Planner, statements},
};
use testkit::{TestDb, block_on};

/// Statements that run for each batch of jobs, or for each page of a list.
const HOT: &[&str] = &[
    "READY_HEADS",
    "READY_HEADS_AND_JOBS",
    "CLAIM_READY_DELETE",
    "CLAIM_LEASE_INSERT",
    "CLAIMED_JOBS",
    "LEASE_HITS",
    "LEASE_TAKE",
    "JOB_IS_COMMITTED",
    "LEASE_GET",
    "LEASE_STARTED",
    "LEASE_REBIND",
    "LEASE_CANCEL",
    "JOB_RECORDS",
    "JOB_OWNERS",
    "READY_TAKE",
    "WAITING_TAKE",
    "WAITING_TAKE_DUE",
    "WAITING_NEXT",
    "EXPIRY_TAKE",
    "CLAIM_LOCK_HOST",
    "LANES_OF_QUEUES",
    "LANES_READY",
    "JOB_GET",
    "JOBS_BY_ID",
    "JOB_IDS_NEWEST",
    "JOB_IDS_PREFIX",
    "JOB_IDS_OVER",
    "JOB_IDS_SUCCEEDED",
    "RUNS_OF_JOB",
    "QUEUED_OLDEST",
    "RUNS_OF_HOLDER",
    "HOST_RUNS_LAST",
    "JOBS_BOUND_READY",
    "JOBS_BOUND_WAITING",
    "JOBS_OF_ORG",
    "JOBS_OLD",
    "JOBS_OLD_SUCCEEDED",
    "FIRE_OPEN",
    "FIRE_ENDED",
    "DEDUPE_PRUNE",
    "DEDUPE_LOCK",
    "STALE_INSERT",
    "RUN_OWNER",
    "LOG_STATE",
    "LOG_FROM",
    "LOG_BEFORE",
    "EVENT_NUMBER",
    "EVENT_AFTER",
    "EVENT_AFTER_IN",
    "EVENT_HEADLINES",
    "EVENT_NUMBERED",
];
/// Tables that grow with the jobs.
const BIG: &[&str] =
    &["job", "ready", "waiting", "lease", "run", "outcome", "redrive", "event", "log_chunk", "expiry", "dedupe"];

/// Names of subqueries in SQLite plans.
const COMPUTED: &[&str] = &[
    "SCAN CONSTANT ROW",
    "SCAN next",
    "SCAN head",
    "SCAN fresh",
    "SCAN locked",
    "SCAN x",
    "SCAN r",
    "SCAN (subquery-4)",
];

/// Rows as after a hundred thousand jobs: finished, queued and running ones.
const FILL_POSTGRES: &[&str] = &[
    "insert into job select md5(n::text)::uuid, md5('org' || n % 10)::uuid, md5('def')::uuid, 1, md5('lane' || n % 50)::uuid,
        'manual', null, 100, '{}', null, null, null, now(), null, 3, 60000, 'retry', 'ana', now()
    from generate_series(1, 100000) n",
    "insert into ready select lane_id, priority, scheduled_for, id, 0 from job order by id limit 100000",
    "insert into waiting select md5('w' || n)::uuid, md5('lane' || n % 50)::uuid, 100, now() + n * interval '1 second', 1, 'later'
    from generate_series(1, 20000) n",
    "insert into run select id, 1, id, org_id, md5('holder' || priority)::uuid, 'succeeded', queued_at, queued_at from job",
    "insert into outcome select id, 1, org_id, 'succeeded', null, queued_at from job",
    "insert into lease select id, id, md5('holder')::uuid, 1, 1, org_id, lane_id, definition_id, 100, now()
    from job order by id limit 2000",
    "insert into redrive select id, 1, null, null, 'ana', queued_at from job order by id limit 5000",
    "insert into expiry select queued_at + random() * interval '1 day', id from job order by id limit 20000",
    "insert into event select md5('e' || n)::uuid, md5('org' || n % 10)::uuid, case when n <= 50000 then n end, 'job.created', now(), '[]', false
    from generate_series(1, 50500) n",
    "insert into log_chunk select md5('r' || n / 100)::uuid, n % 100, 1, 10, 'x', now() from generate_series(1, 50000) n",
    "insert into dedupe select org_id, id::text, id, queued_at from job limit 20000",
];
const FILL_SQLITE: &[&str] = &[
    "insert into job with recursive c (n) as (select 1 union all select n + 1 from c where n < 100000)
    select randomblob(16), cast(hex(n % 10) || 'org' as blob), zeroblob(16), 1, cast(hex(n % 50) || 'lane' as blob),
        'manual', null, 100, '{}', null, null, null, n, null, 3, 60000, 'retry', 'ana', n, null from c",
    "insert into ready select lane_id, priority, scheduled_for, id, 0 from job",
    "insert into run (job_id, no, id, org_id, holder_id, status, started_at, finished_at)
    select id, 1, id, org_id, zeroblob(16), 'succeeded', queued_at, queued_at from job",
    "insert into outcome select id, 1, org_id, 'succeeded', null, queued_at from job",
    "insert into lease (job_id, run_id, holder_id, epoch, fence, org_id, lane_id, definition_id, priority, started_at)
    select id, id, zeroblob(16), 1, 1, org_id, lane_id, definition_id, 100, 1 from job order by id limit 2000",
    "insert into redrive select id, 1, null, null, 'ana', queued_at from job order by id limit 5000",
    "insert into expiry select queued_at, id from job order by id limit 20000",
    "insert into event select id, org_id, case when queued_at <= 50000 then queued_at end, 'job.created', 1, '[]', 0
    from job where queued_at <= 50500",
    "insert into log_chunk select zeroblob(16), queued_at, 1, 10, zeroblob(1), 1 from job where queued_at <= 50000",
    "insert into dedupe select org_id, hex(id), id, queued_at from job where queued_at <= 20000",
];

fn hot() -> Vec<Sql> {
    let all = statements();
    let of = |name: &&str| *all.iter().find(|sql| sql.name == *name).unwrap_or_else(|| panic!("no statement {name}"));
    HOT.iter().map(of).collect()
}

/// The lines of a plan that read a whole table that grows with the jobs.
async fn scans(db: &TestDb, sql: Sql, planner: Planner, is_empty: bool) -> Vec<String> {
    let plan = db.store.explain(sql, planner).await.unwrap_or_else(|error| panic!("{}: {error:?}", sql.name));
    let lines: Vec<&str> = plan.iter().map(|line| line.trim_start_matches([' ', '-', '>'])).collect();
    let around = |n: usize| (if n == 0 { "" } else { lines[n - 1] }, lines.get(n + 1).copied().unwrap_or_default());
    // On an empty table, a scan for row positions (`ctid`) costs nothing, unless the plan is cached.
    let is_nothing = |n: usize| is_empty && around(n).1.starts_with("Filter: (ctid = ANY");
    let is_bad = (0..lines.len()).any(|n| is_scan(lines[n], around(n)) && !is_nothing(n));
    if is_bad { plan } else { Vec::new() }
}

/// Whether this line of a plan reads a whole table that grows with the jobs.
fn is_scan(line: &str, (above, below): (&str, &str)) -> bool {
    // SQLite plans name aliases, so every scan counts except scans of parameters and of computed rows.
    if line.starts_with("SCAN ") {
        return !line.contains(" USING ") && !line.contains("VIRTUAL TABLE") && !COMPUTED.contains(&line);
    }
    let Some((kind, table)) = line.split_once(" on ") else { return false };
    let is_big = table.split(' ').next().is_some_and(|table| BIG.contains(&table));
    // Reading the first rows in index order is not a scan of the table.
    let is_walk = kind.starts_with("Index") && !below.starts_with("Index Cond") && above != "Limit";
    is_big && (kind == "Seq Scan" || is_walk)
}

async fn check(db: &TestDb, planner: Planner, when: &str, bad: &mut Vec<String>) {
    for sql in hot() {
        let plan = scans(db, sql, planner, when.ends_with("empty")).await;
        if !plan.is_empty() {
            bad.push(format!("{} {when}:\n  {}", sql.name, plan.join("\n  ")));
        }
    }
}

#[test]
fn no_hot_statement_reads_a_whole_table() {
    block_on(async {
        let mut bad = Vec::new();
        let both = [
            (TestDb::postgres().await, FILL_POSTGRES, &["truncate ready, waiting, lease, expiry"][..]),
            (
                TestDb::sqlite().await,
                FILL_SQLITE,
                &["delete from ready", "delete from waiting", "delete from lease"][..],
            ),
        ];
        for (db, fill, drain) in both {
            let kind = if db.url.starts_with("postgres") { "PostgreSQL" } else { "SQLite" };
            check(&db, Planner::Plain, &format!("on {kind}, empty"), &mut bad).await;
            for sql in fill {
                db.store.execute_raw(sql).await.expect(sql);
            }
            check(&db, Planner::Plain, &format!("on {kind}, full, without statistics"), &mut bad).await;
            db.store.execute_raw("analyze").await.expect("analyzes");
            check(&db, Planner::Plain, &format!("on {kind}, full"), &mut bad).await;
            // As after a quiet hour: plans made now are cached, and used when a burst has filled the queue.
            for sql in drain {
                db.store.execute_raw(sql).await.expect(sql);
            }
            db.store.execute_raw("analyze").await.expect("analyzes");
            check(&db, Planner::Ours, &format!("on {kind}, quiet"), &mut bad).await;
        }
        assert!(bad.is_empty(), "{}", bad.join("\n\n"));
    });
}
