//! Saved views, and measurements over time.

use domain::{
    HubId, OrgId, Span, Timestamp, UserId, ViewId,
    series::SubjectId,
    view::{ViewPage, Visibility},
};
use store::{sample::Sample, view::View};

use crate::{
    reads,
    seed::{T0, at, world},
    writes,
};

fn view(number: u8, org: OrgId, user: UserId, name: &str, visibility: Visibility) -> View {
    View {
        id: ViewId::from_bytes([number; 16]),
        org_id: org,
        user_id: user,
        user_name: String::new(),
        page: ViewPage::Jobs,
        name: name.to_owned(),
        query: "q=status%3Afailed".to_owned(),
        visibility,
        created_at: T0,
        updated_at: T0,
    }
}

testkit::db_test!(view_list_returns_own_and_shared_views, |db| async move {
    let (acme, ana, _) = world(&db.store, "acme").await;
    let (beta, ben, _) = world(&db.store, "beta").await;
    let (mine, all) = (view(1, acme, ana, "mine", Visibility::Private), view(2, acme, ana, "all", Visibility::Org));
    let (id, other) = (all.id, view(3, beta, ben, "other", Visibility::Org));
    let new = [mine, all.clone(), other];
    writes!(db.store, |tx| {
        for view in &new {
            tx.view_put(view).await?;
        }
        Ok(())
    })
    .expect("keeps");
    let names = async |org, user| -> Vec<String> {
        reads!(db.store, |tx| tx.view_list(org, user, 10).await).into_iter().map(|view| view.name).collect()
    };
    assert_eq!(names(acme, ana).await, ["all", "mine"]);
    assert_eq!(names(acme, ben).await, ["all"]);
    assert_eq!(reads!(db.store, |tx| tx.view_list(acme, ana, 1).await).len(), 1);
    assert_eq!(reads!(db.store, |tx| tx.view_count_of(acme, ana).await), 2);
    assert_eq!(reads!(db.store, |tx| tx.view_count_of(acme, ben).await), 0);
    assert_eq!(reads!(db.store, |tx| tx.view_count_shared(acme).await), 1);
    assert_eq!(reads!(db.store, |tx| tx.view_list_all(acme, 10).await).len(), 2);
    let changed = View { name: "renamed".into(), visibility: Visibility::Private, updated_at: at(5), ..all };
    writes!(db.store, |tx| tx.view_put(&changed).await).expect("changes");
    let kept = reads!(db.store, |tx| tx.view_get(acme, id).await).expect("exists");
    assert_eq!((kept.name.as_str(), kept.created_at, kept.updated_at), ("renamed", T0, at(5)));
    assert!(!kept.user_name.is_empty(), "the owner's name is read from the user");
    assert_eq!(names(acme, ben).await, [""; 0]);
    assert_eq!(reads!(db.store, |tx| tx.view_get(beta, id).await), None, "belongs to another org");
    assert!(!writes!(db.store, |tx| tx.view_remove(beta, id).await).expect("runs"));
    assert!(writes!(db.store, |tx| tx.view_remove(acme, id).await).expect("removes"));
    assert_eq!(names(acme, ana).await, ["mine"]);
});

testkit::db_test!(samples_append_to_their_hour_and_are_pruned, |db| async move {
    let (one, two) = (HubId::from_bytes([1; 16]), HubId::from_bytes([2; 16]));
    let (host, other) = (SubjectId::from_bytes([3; 16]), SubjectId::from_bytes([4; 16]));
    let hour = |number: u32| T0 + Span::from_secs(number * 3_600);
    let sample = |subject_id, hour_at: Timestamp, lines: &str| Sample { subject_id, hour_at, lines: lines.to_owned() };
    writes!(db.store, |tx| {
        tx.sample_append(one, &[sample(host, hour(0), "a\n"), sample(other, hour(0), "x\n")], at(1)).await?;
        tx.sample_append(one, &[sample(host, hour(0), "b\n"), sample(host, hour(1), "c\n")], at(2)).await?;
        tx.sample_append(two, &[sample(host, hour(0), "d\n")], at(3)).await?;
        tx.sample_append(two, &[], at(3)).await
    })
    .expect("adds");
    let lines = async |from, before| {
        let rows = reads!(db.store, |tx| tx.sample_list(host, from, before, 10).await);
        let mut lines: Vec<String> = rows.into_iter().map(|row| row.lines).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(hour(0), hour(2)).await, ["a\nb\n", "c\n", "d\n"], "each hub has its own row");
    assert_eq!(lines(hour(1), hour(2)).await, ["c\n"]);
    assert_eq!(
        writes!(db.store, |tx| tx.sample_prune(hour(1), 2).await).expect("forgets"),
        2,
        "the limit is respected"
    );
    assert_eq!(writes!(db.store, |tx| tx.sample_prune(hour(1), 2).await).expect("forgets"), 1);
    assert_eq!(lines(hour(0), hour(9)).await, ["c\n"]);
});
