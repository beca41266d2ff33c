//! Definitions and their versions.

use serde_json::json;
use store::{Error, definition::Definition};

use crate::{
    reads,
    seed::{T0, at, definition, id},
    writes,
};

testkit::db_test!(definition_versions_are_stored_one_by_one, |db| async move {
    let first = definition("deploy");
    let (one, key_taken) = (first.clone(), definition("deploy"));
    assert!(writes!(db.store, |tx| tx.definition_put(&one, T0).await).expect("puts"));
    assert_eq!(reads!(db.store, |tx| tx.definition_get("deploy").await), Some(first.clone()));
    let taken = writes!(db.store, |tx| tx.definition_put(&key_taken, at(1)).await);
    assert!(matches!(taken, Err(Error::UniqueViolation(name)) if name == "definition_key_uq"));

    let second = Definition {
        version: 2,
        is_active: false,
        body: json!({"argv": ["false"], "text": "ö"}),
        created_by: "bo".into(),
        updated_at: at(5),
        ..first.clone()
    };
    let (two, late) = (second.clone(), Definition { created_by: "late".into(), ..second.clone() });
    assert!(writes!(db.store, |tx| tx.definition_put(&two, at(5)).await).expect("puts"));
    assert!(
        !writes!(db.store, |tx| tx.definition_put(&late, at(6)).await).expect("runs"),
        "another version was inserted first"
    );
    let skipped = Definition { version: 9, ..second.clone() };
    assert!(!writes!(db.store, |tx| tx.definition_put(&skipped, at(6)).await).expect("runs"), "no version is skipped");

    assert_eq!(reads!(db.store, |tx| tx.definition_get("deploy").await), Some(second.clone()));
    let (id_of, old) = (first.id, reads!(db.store, |tx| tx.definition_version(first.id, 1).await).expect("exists"));
    assert_eq!((old.version, &old.body, &old.created_by, old.updated_at), (1, &first.body, &first.created_by, T0));
    assert!(!old.is_active, "`is_active` belongs to the definition, not to the version");
    assert_eq!(reads!(db.store, |tx| tx.definition_version(id_of, 3).await), None);
    assert_eq!(reads!(db.store, |tx| tx.definition_version(id(), 1).await), None);
    assert_eq!(reads!(db.store, |tx| tx.definition_get("other").await), None);
    let history = reads!(db.store, |tx| tx.definition_history(id_of, 10).await);
    assert_eq!(history.iter().map(|version| version.version).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(reads!(db.store, |tx| tx.definition_history(id_of, 1).await), [second]);
});

testkit::db_test!(definitions_are_listed_by_key_in_their_newest_version, |db| async move {
    for key in ["b", "a", "c"] {
        let new = definition(key);
        let next = Definition { version: 2, ..new.clone() };
        writes!(db.store, |tx| tx.definition_put(&new, T0).await).expect("puts");
        writes!(db.store, |tx| tx.definition_put(&next, at(1)).await).expect("puts");
    }
    let list = |after: &'static str, limit| {
        let store = db.store.clone();
        async move {
            let found = reads!(store, |tx| tx.definition_list(after, limit).await);
            assert!(found.iter().all(|definition| definition.version == 2));
            found.into_iter().map(|definition| definition.key).collect::<Vec<_>>()
        }
    };
    assert_eq!(list("", 10).await, ["a", "b", "c"]);
    assert_eq!(list("a", 1).await, ["b"]);
    assert!(list("c", 10).await.is_empty());
});

testkit::db_test!(one_of_two_concurrent_versions_is_stored, |db| async move {
    let first = definition("deploy");
    let one = first.clone();
    writes!(db.store, |tx| tx.definition_put(&one, T0).await).expect("puts");
    let puts = (0..6).map(|n| {
        let (store, next) = (db.store.clone(), Definition { version: 2, created_by: n.to_string(), ..first.clone() });
        async move { writes!(store, |tx| tx.definition_put(&next, at(1)).await).expect("runs") }
    });
    let kept = futures_util::future::join_all(puts).await.into_iter().filter(|put| *put).count();
    assert_eq!(kept, 1);
    let id_of = first.id;
    assert_eq!(reads!(db.store, |tx| tx.definition_history(id_of, 10).await).len(), 2);
});
