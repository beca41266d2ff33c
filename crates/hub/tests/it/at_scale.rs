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
        assert_eq!(old["items"].as_array().expect("jobs").len(), 100, "what is old is found at once");
        assert!(steps.load(Ordering::Relaxed) > 1_000_000, "steps are counted");
    });
}
