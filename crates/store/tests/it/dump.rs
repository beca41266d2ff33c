//! Export of a database, and import into another one.

use std::collections::HashMap;

use serde_json::Value;
use store::{
    Store,
    dump::{Form, RowBatch, Shape, Sum},
};
use testkit::TestDb;
use tokio::sync::mpsc;

use crate::{
    reads,
    seed::{T0, at, claim, enqueue, finish, jobs, yard},
    writes,
};

async fn all_rows(store: &Store, shapes: &[Shape]) -> HashMap<String, (Sum, Vec<Value>)> {
    let (sender, mut receiver) = mpsc::channel::<RowBatch>(4);
    let (dumping, of) = (store.clone(), shapes.to_vec());
    let dumped = async move { dumping.dump(&of, &[], &sender).await };
    let taken = async {
        let mut found: HashMap<String, (Sum, Vec<Value>)> = HashMap::new();
        while let Some(batch) = receiver.recv().await {
            let entry = found.entry(shapes[batch.table].table.clone()).or_default();
            batch.rows.iter().for_each(|row| entry.0.add(row));
            entry.1.extend(batch.rows);
        }
        found
    };
    let (dumped, found) = futures_util::future::join(dumped, taken).await;
    dumped.expect("dumps");
    found
}

/// Fills most tables of a database.
async fn lived_in(store: &Store) {
    let own = yard(store, "acme").await;
    enqueue(store, &jobs(&own, 700)).await;
    let leases = claim(store, &own, 20, at(1)).await.0;
    let status = (domain::job::RunStatus::Failed, Some(domain::job::JobStatus::DeadLetter));
    finish(store, &leases[..10], status, at(2)).await;
    let chunk = store::log::Chunk {
        run_id: leases[0].run_id,
        first_line: 1,
        lines: 2,
        bytes: 3,
        body: vec![0, 255, 128],
        at: at(3),
    };
    writes!(store, |tx| tx.log_insert(&[chunk]).await).expect("inserts");
}

async fn copied(from: &Store, to: &Store) {
    lived_in(from).await;
    let shapes = from.shapes().await.expect("shapes");
    assert_eq!(to.shapes().await.expect("shapes").len(), shapes.len());
    let before = all_rows(from, &shapes).await;
    assert_eq!(before["job"].0.rows, 700);
    assert!(before["host"].1[0].as_array().is_some_and(|row| row.iter().any(|value| value["env"] == "prod")));
    for shape in &shapes {
        for some in before[&shape.table].1.chunks(300) {
            to.load(shape, some).await.unwrap_or_else(|error| panic!("{}: {error:?}", shape.table));
        }
        assert_eq!(to.count(shape).await.expect("counts"), before[&shape.table].0.rows, "{}", shape.table);
    }
    let after = all_rows(to, &shapes).await;
    for shape in &shapes {
        assert_eq!(after[&shape.table].0, before[&shape.table].0, "{}", shape.table);
    }
    // The copy has the same rows, and also works.
    let org = reads!(to, |tx| tx.org_by_slug("acme").await).expect("exists");
    let hosts = reads!(to, |tx| tx.host_list(org.id, "", 10).await);
    assert_eq!(hosts[0].host.created_at, T0);
    to.empty(&shapes).await.expect("empties");
    assert_eq!(to.count(&shapes[0]).await.expect("counts"), 0);
}

#[test]
fn dump_loads_from_each_database_into_each() {
    testkit::block_on(async {
        let (one, two) = (TestDb::sqlite().await, TestDb::sqlite().await);
        let (three, four) = (TestDb::postgres().await, TestDb::postgres().await);
        copied(&one.store, &three.store).await;
        copied(&four.store, &two.store).await;
        three.store.close().await;
        four.store.close().await;
    });
}

#[test]
fn column_forms_match_postgres_types() {
    testkit::block_on(async {
        let (sqlite, postgres) = (TestDb::sqlite().await, TestDb::postgres().await);
        let shapes = sqlite.store.shapes().await.expect("shapes");
        let columns = postgres.store.columns().await.expect("columns");
        for column in columns {
            let shape = shapes.iter().find(|shape| shape.table == column.table).expect("a table of both");
            let (_, form) = shape.columns.iter().find(|(name, _)| *name == column.name).expect("a column of both");
            let expected = match column.kind.as_str() {
                "uuid" => Form::Id,
                "bytea" => Form::Bytes,
                "timestamp with time zone" => Form::Time,
                "boolean" => Form::Flag,
                "bigint" | "integer" => Form::Whole,
                "double precision" => Form::Real,
                "jsonb" => Form::Json,
                _ => Form::Text,
            };
            assert_eq!(*form, expected, "{}.{}", column.table, column.name);
        }
        assert!(shapes.iter().all(|shape| !shape.key.is_empty()), "every table has a key");
        let place = |table: &str| shapes.iter().position(|shape| shape.table == table).expect("a table");
        assert!(place("org") < place("host") && place("host") < place("host_session"));
        postgres.store.close().await;
    });
}
