//! The alert `database_slow`, by its default rule.

use std::time::Duration;

use domain::alert::WriterTime;
use hub::loops::Alerts;
use runtime::{Pass, Task as _};
use serde_json::Value;
use store::{Kind, Store};
use testkit::{TestDb, block_on};
use tokio::sync::oneshot;

use crate::{
    alerts::{get, slow},
    fixture::TestHub,
};

/// A hub without its own loops: they would measure, too, at other times.
async fn quiet_hub(db: TestDb) -> TestHub {
    let test = TestHub::with(db, slow()).await;
    test.hub.loops.stop(Duration::from_secs(10)).await;
    // An org whose members cannot repair the database gets no alert.
    test.org("tenant").await;
    test
}

async fn evaluate(test: &TestHub, alerts: &mut Alerts) {
    alerts.pass(Pass { now: test.hub.now() }).await.expect("evaluates");
}

/// The only alert of all orgs.
async fn alert(test: &TestHub) -> Option<Value> {
    let live = test.write(|tx| Box::pin(async move { Ok(tx.alert_live(9).await?) })).await;
    assert!(live.len() <= 1, "{live:?}");
    let all = get(test, "/api/v1/alerts?status=all").await;
    let all = all["items"].as_array().expect("items");
    assert!(all.len() <= 1, "{all:?}");
    all.first().cloned()
}

fn text<'a>(alert: &'a Option<Value>, field: &str) -> &'a str {
    alert.as_ref().and_then(|alert| alert[field].as_str()).unwrap_or_default()
}

#[test]
fn database_slow_is_open_while_a_transaction_holds_back_vacuum() {
    block_on(async { testkit::with(TestDb::postgres().await, vacuum_case).await });
}

async fn vacuum_case(db: TestDb) {
    let test = quiet_hub(db).await;
    let mut alerts = Alerts::new(test.hub.clone());
    let other = Store::open(&store::Options::new(&test.db.url)).await.expect("opens");
    let (opened, is_open) = oneshot::channel();
    let (release, released) = oneshot::channel::<()>();
    let transaction = other.read(move |tx| {
        Box::pin(async move {
            tx.org_list("", 1).await?;
            let _ = opened.send(());
            let _ = released.await;
            Ok::<_, store::Error>(())
        })
    });
    let check = async {
        is_open.await.expect("the transaction opens");
        evaluate(&test, &mut alerts).await;
        test.pass(290);
        evaluate(&test, &mut alerts).await;
        assert_eq!(alert(&test).await, None, "less than five minutes");
        test.pass(20);
        evaluate(&test, &mut alerts).await;
        let open = alert(&test).await;
        assert_eq!((text(&open, "kind"), text(&open, "status")), ("database_slow", "open"), "{open:?}");
        assert_eq!((text(&open, "subject_kind"), text(&open, "severity")), ("hub", "warning"));
        let said = text(&open, "text").to_owned();
        assert!(said.starts_with("hostler (user postgres, pid "), "{said}");
        assert!(said.contains("claims get slower; end the session: select pg_terminate_backend("), "{said}");
        test.pass(600);
        evaluate(&test, &mut alerts).await;
        let open = alert(&test).await;
        assert_eq!((text(&open, "status"), text(&open, "text")), ("open", said.as_str()), "it stays open");
        release.send(()).expect("the transaction waits");
    };
    let (ended, ()) = tokio::join!(transaction, check);
    ended.expect("reads");
    // Waits until the connection is closed.
    other.close().await;
    evaluate(&test, &mut alerts).await;
    test.pass(60);
    evaluate(&test, &mut alerts).await;
    let over = alert(&test).await;
    assert_eq!(
        (text(&over, "status"), text(&over, "resolved_reason")),
        ("resolved", "the database is no longer slow"),
        "{over:?}"
    );
}

/// Percentage of the time since `start` in which the writer was busy.
fn busy_percent(test: &TestHub, start: WriterTime) -> i64 {
    let now = test.db.store.writer_time().expect("SQLite has a writer");
    let (busy, elapsed) =
        (now.busy.as_micros() - start.busy.as_micros(), now.elapsed.as_micros() - start.elapsed.as_micros());
    busy * 100 / elapsed.max(1)
}

#[test]
fn database_slow_is_open_while_the_sqlite_writer_is_busy() {
    block_on(async { testkit::with(TestDb::sqlite().await, writer_case).await });
}

async fn writer_case(db: TestDb) {
    /// Takes about a tenth of a second.
    const WORK: &str = "delete from org where name in (
        with recursive c (n) as (select 1 union all select n + 1 from c where n < 500000) select n from c)";
    assert_eq!(db.store.kind(), Kind::Sqlite);
    let test = quiet_hub(db).await;
    let time = || test.db.store.writer_time().expect("SQLite has a writer");
    let mut alerts = Alerts::new(test.hub.clone());
    // The test's clock decides about the period, the writer's own clock about its load: both loads below are real.
    let start = time();
    evaluate(&test, &mut alerts).await;
    while busy_percent(&test, start) < 85 {
        test.db.store.execute_raw(WORK).await.expect("works");
    }
    test.pass(590);
    evaluate(&test, &mut alerts).await;
    assert_eq!(alert(&test).await, None, "less than ten minutes");
    while busy_percent(&test, start) < 85 {
        test.db.store.execute_raw(WORK).await.expect("works");
    }
    test.pass(10);
    let start = time();
    evaluate(&test, &mut alerts).await;
    let open = alert(&test).await;
    assert_eq!((text(&open, "kind"), text(&open, "status")), ("database_slow", "open"), "{open:?}");
    assert_eq!((text(&open, "subject_kind"), text(&open, "severity")), ("hub", "warning"));
    let command = format!("hostler db copy --from {} --to postgres://", test.db.url);
    assert!(text(&open, "text").contains(&command), "{open:?}");

    // A restarted hub keeps the alert until it has measured for the whole period.
    let mut restarted = Alerts::new(test.hub.clone());
    for _ in 0..5 {
        evaluate(&test, &mut restarted).await;
        test.pass(100);
    }
    assert_eq!(text(&alert(&test).await, "status"), "open");

    while busy_percent(&test, start) > 30 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    test.pass(100);
    evaluate(&test, &mut alerts).await;
    test.pass(60);
    evaluate(&test, &mut alerts).await;
    let over = alert(&test).await;
    assert_eq!(
        (text(&over, "status"), text(&over, "resolved_reason")),
        ("resolved", "the database is no longer slow"),
        "{over:?}"
    );
}
