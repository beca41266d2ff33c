//! Lists with a million jobs and a thousand hosts: the work for a page does not grow with the number of rows.

use std::sync::{Arc, atomic::AtomicU64, atomic::Ordering};

use serde_json::json;
use testkit::{TestDb, block_on};

use crate::fixture::{As, TestHub};

/// The most SQLite steps for one page. A full scan of a million rows takes many more.
const PAGE_MAX: u64 = 500_000;
/// The most SQLite steps for a search for rare rows, which examines a limited number of jobs and reports how many.
const SEARCH_MAX: u64 = 5_000_000;

/// A million jobs created within a week: most succeeded, some failed, the newest are queued.
const FILL: &str = include_str!("../../../../scripts/million-jobs.sql");

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

/// The steps of one response. The hub's loops also run statements, so the minimum of several attempts is the best
/// estimate.
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
fn page_cost_is_bounded_at_a_million_jobs() {
    block_on(async {
        let test = TestHub::new(TestDb::sqlite().await).await;
        let org = test.first_org().await;
        for number in 0..1_000 {
            test.host(org, &format!("web-{number:04}")).await;
        }
        let made = test.call(&As::Local, "POST", "/api/v1/jobs", Some(json!({"definition_key": "hello"}))).await;
        assert_eq!(made.status, 201, "{}", made.text);
        let statements = FILL.split(";\n").filter(|sql| sql.contains("insert"));
        for sql in statements {
            test.db.store.execute_raw(sql).await.expect(sql);
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
        assert_eq!(old["items"].as_array().expect("jobs").len(), 100, "old jobs are found without a scan");
        assert!(steps.load(Ordering::Relaxed) > 1_000_000, "steps are counted");
    });
}
