//! Orgs, members, and who may change them.

use domain::Role;
use serde_json::json;

use crate::fixture::{As, TestHub};

testkit::db_test!(last_admin_of_an_org_cannot_be_removed, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.org("acme").await;
    let ana = test.person(org, "ana@acme.example", Role::Admin).await;
    let admin = As::Bearer(test.token(org, ana, Role::Admin).await.1);
    let demote = |role: &str| Some(json!({"role": role}));
    let refused = test.call(&admin, "PATCH", &format!("/api/v1/members/{ana}"), demote("viewer")).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "last_admin"));
    assert_eq!(test.call(&admin, "DELETE", &format!("/api/v1/members/{ana}"), None).await.code(), "last_admin");
    let bo = test.person(org, "bo@acme.example", Role::Admin).await;
    assert_eq!(
        test.call(&admin, "PATCH", &format!("/api/v1/members/{bo}"), demote("super_admin")).await.code(),
        "invalid_value"
    );
    assert_eq!(test.call(&admin, "PATCH", &format!("/api/v1/members/{ana}"), demote("viewer")).await.status, 200);
    assert_eq!(
        test.call(&admin, "PATCH", &format!("/api/v1/members/{bo}"), demote("viewer")).await.code(),
        "forbidden",
        "the token lost its permissions with its user"
    );
});

testkit::db_test!(last_super_admin_cannot_be_removed, |db| async move {
    let test = TestHub::new(db).await;
    let users = test.call(&As::Local, "GET", "/api/v1/admin/users", None).await.json();
    let owner = users["items"][0]["id"].as_str().expect("the owner").to_owned();
    for (method, body) in [
        ("PATCH", Some(json!({"is_disabled": true}))),
        ("PATCH", Some(json!({"is_super_admin": false}))),
        ("DELETE", None),
    ] {
        let refused = test.call(&As::Local, method, &format!("/api/v1/admin/users/{owner}"), body).await;
        assert_eq!(refused.code(), "last_admin", "{}", refused.text);
    }
});

testkit::db_test!(org_removal_requires_its_slug, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.org("acme").await;
    test.host(org, "web-1").await;
    let path = "/api/v1/admin/orgs/acme";
    assert_eq!(
        test.call(&As::Local, "DELETE", path, Some(json!({"confirm": "acm"}))).await.code(),
        "confirmation_needed"
    );
    assert_eq!(test.call(&As::Local, "DELETE", path, Some(json!({"confirm": "acme"}))).await.status, 204);
    assert_eq!(test.call(&As::Local, "GET", "/api/v1/orgs/acme", None).await.code(), "not_found");
    let last = test.call(&As::Local, "DELETE", "/api/v1/admin/orgs/default", Some(json!({"confirm": "default"}))).await;
    assert_eq!(last.code(), "last_admin", "the last org stays");
    let taken = test.call(&As::Local, "POST", "/api/v1/admin/orgs", Some(json!({"slug": "default"}))).await;
    assert_eq!((taken.status.as_u16(), taken.code().as_str()), (409, "name_taken"));
});

testkit::db_test!(concurrent_demotions_keep_one_admin, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.org("acme").await;
    let (ana, bo) = (
        test.person(org, "ana@acme.example", Role::Admin).await,
        test.person(org, "bo@acme.example", Role::Admin).await,
    );
    let by = crate::fixture::local();
    let (one, two) = tokio::join!(
        test.hub.member_update(&by, org, ana, Role::Viewer),
        test.hub.member_update(&by, org, bo, Role::Viewer)
    );
    assert!(one.is_ok() != two.is_ok(), "one succeeds, the other is rejected");
});
