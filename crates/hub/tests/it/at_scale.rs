//! Lists over a million jobs and a thousand hosts: what is read for a page does not grow with what there is.

use std::sync::{Arc, atomic::AtomicU64, atomic::Ordering};

use serde_json::json;
use testkit::{TestDb, block_on};

use crate::fixture::{As, TestHub};

/// The most steps of SQLite for one page. A whole table of a million rows takes many times as many.
const PAGE_MAX: u64 = 500_000;
/// The same for a search for what is rare: it looks at so many jobs and says how far it has come.
const SEARCH_MAX: u64 = 5_000_000;

/// A million jobs made over a week: most have succeeded, some have not, the newest wait.
const FILL: &[&str] = &[
    "insert into job with recursive c (n) as (select 1 union all select n + 1 from c where n < 1000000)
    select unhex(printf('%012x', (o.at / 1000) - (1000000 - n) * 604) || hex(randomblob(10))), o.org_id, o.definition_id, 1,
        o.lane_id, case n % 4 when 0 then 'schedule' when 1 then 'event' else 'manual' end, null, 100, '{}', null, null, null,
        o.at - (1000000 - n) * 604000, null, 3, 60000, 'retry', case n % 3 when 0 then 'ana' else 'bo' end,
        o.at - (1000000 - n) * 604000, null
    from c cross join (select org_id, definition_id, lane_id, queued_at as at from job limit 1) o",
    "insert into run (job_id, no, id, org_id, holder_id, status, started_at, finished_at)
    select j.id, 1, j.id, j.org_id, h.id, 'succeeded', j.queued_at, j.queued_at + 2000000
    from (select id, org_id, queued_at, row_number() over (order by id) as n from job) j
    join (select id, row_number() over (order by id) - 1 as n from host) h on h.n = j.n % 1000 where j.n <= 990000",
    "insert into outcome (job_id, fence, org_id, status, reason, finished_at)
    select job_id, 1, org_id,
        case when no_ % 1000 = 0 then 'dead_letter' when no_ % 100 = 0 then 'failed' when no_ % 500 = 7 then 'canceled' else 'succeeded' end,
        null, finished_at
    from (select job_id, org_id, finished_at, row_number() over (order by job_id) as no_ from run)",
    "insert into ready (lane_id, priority, due_at, job_id, fence)
    select lane_id, priority, queued_at, id, 0 from job j where not exists (select 1 from outcome o where o.job_id = j.id)
        and not exists (select 1 from ready r where r.job_id = j.id)",
    "insert into event with recursive c (n) as (select 1 union all select n + 1 from c where n < 100000)
    select randomblob(16), (select org_id from job limit 1), 1000000 + n, 'job.created', (select max(queued_at) from job), '[]', 0 from c",
    "insert into tally (id, org_id, queued, running, succeeded, failed, dead_letter, canceled, retried, created)
    select randomblob(16), org_id, 10000, 0, 980000, 9000, 1000, 0, 0, 1000000 from job limit 1",
];

const PAGES: &[&str] = &[
    "jobs?limit=100",
    "jobs?limit=100&filter=status:failed",
    "jobs?limit=100&filter=status:dead_letter",
    "jobs?limit=100&filter=status:canceled",
    "jobs?limit=100&filter=status:queued",
    "jobs?limit=100&filter=status:running",
    "jobs?limit=100&filter=def:hello",
    "jobs?limit=100&filter=source:schedule",
    "jobs?limit=100&filter=after:-24h%20status:failed",
    "jobs?limit=100&filter=before:-6d",
    "jobs/summary",
    "jobs/series",
    "hosts?limit=200",
    "hosts?limit=200&status=offline",
    "hosts/web-0500",
    "hosts/web-0500/timeline",
    "servers?limit=200",
    "jobs/triggers?limit=200",
    "events?limit=200",
    "alerts?limit=200",
    "batches?limit=100",
    "status",
    "audit?limit=100",
];

const SEARCHES: &[&str] = &[
    "jobs?limit=100&filter=host:web-0500",
    "jobs?limit=100&filter=user:nobody",
    "jobs?limit=100&filter=%22free%20text%22",
    "jobs?limit=100&filter=status:succeeded%20exit:9",
];

/// The steps of one answer. The hub's loops read too: the least of a few tries is nearest to it alone.
async fn steps_of(test: &TestHub, steps: &Arc<AtomicU64>, path: &str) -> u64 {
    let mut least = u64::MAX;
    for _ in 0..3 {
        let before = steps.load(Ordering::Relaxed);
        let answer = test.call(&As::Local, "GET", &format!("/api/v1/{path}"), None).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        least = least.min(steps.load(Ordering::Relaxed) - before);
    }
    least
}

#[test]
fn what_a_page_reads_is_bounded_at_a_million_jobs() {
    block_on(async {
        let test = TestHub::new(TestDb::sqlite().await).await;
        let org = test.first_org().await;
        for number in 0..1_000 {
            test.host(org, &format!("web-{number:04}")).await;
        }
        let made = test.call(&As::Local, "POST", "/api/v1/jobs", Some(json!({"definition_key": "hello"}))).await;
        assert_eq!(made.status, 201, "{}", made.text);
        for sql in FILL {
            test.db.store.damage(sql).await.expect(sql);
        }
        let steps = test.db.store.count_steps().await.expect("counts").expect("SQLite");
        for (paths, most) in [(PAGES, PAGE_MAX), (SEARCHES, SEARCH_MAX)] {
            for path in paths {
                let taken = steps_of(&test, &steps, path).await;
                println!("{taken:>10} steps  {path}");
                assert!(taken < most, "{path} takes {taken} steps");
            }
        }
        let old = test.call(&As::Local, "GET", "/api/v1/jobs?limit=100&filter=before:-6d", None).await.json();
        assert_eq!(old["items"].as_array().expect("jobs").len(), 100, "what is old is found at once");
        assert!(steps.load(Ordering::Relaxed) > 1_000_000, "steps are counted");
    });
}
