//! Rows to start from.

use domain::{HostId, Labels, OrgId, Role, Span, Timestamp, UserId, id::IdSource, secret::SecretHash};
use std::sync::{Mutex, OnceLock};
use store::{Result, Store, host::Host, org::Org, user::User};

/// A fixed time; tests add to it.
pub(crate) const T0: Timestamp = Timestamp::from_micros(1_700_000_000_123_456);

pub(crate) fn at(secs: u32) -> Timestamp {
    T0 + Span::from_secs(secs)
}

pub(crate) fn id<K>() -> domain::Id<K> {
    static SOURCE: OnceLock<Mutex<IdSource>> = OnceLock::new();
    SOURCE.get_or_init(Mutex::default).lock().expect("no panic while held").next(T0, 1)
}

pub(crate) fn hash(byte: u8) -> SecretHash {
    SecretHash([byte; 32])
}

pub(crate) fn org(slug: &str) -> Org {
    Org {
        id: id(),
        slug: slug.into(),
        name: slug.to_uppercase(),
        timezone: "Europe/Berlin".into(),
        offline_after_ms: Span::from_secs(90),
        alert_after_ms: Span::from_secs(900),
        created_at: T0,
        updated_at: T0,
    }
}

pub(crate) fn user(email: &str) -> User {
    User {
        id: id(),
        email: email.into(),
        name: "Ana".into(),
        password_hash: None,
        is_super: false,
        is_disabled: false,
        authz_version: 1,
        created_at: T0,
        updated_at: T0,
    }
}

pub(crate) fn host(org: OrgId, name: &str) -> Host {
    Host {
        id: id(),
        org_id: org,
        name: name.into(),
        is_named_by_person: false,
        labels: Labels::try_from(std::collections::BTreeMap::from([("env".to_owned(), "prod".to_owned())]))
            .expect("valid"),
        always_on: true,
        machine: serde_json::json!({"os": "linux", "cores": 4}),
        max_running: Some(1),
        jobs_per_minute: None,
        offline_after: None,
        alert_after: Some(Span::from_secs(60)),
        pause: None,
        degrade: None,
        key_version: 1,
        key_version_wanted: None,
        revoked_at: None,
        join_token_id: None,
        created_at: T0,
        updated_at: T0,
    }
}

/// An org with an admin and a host.
pub(crate) async fn world(store: &Store, slug: &str) -> (OrgId, UserId, HostId) {
    let (org, user) = (org(slug), user(&format!("ana@{slug}.example")));
    let host = host(org.id, "web-1");
    let ids = (org.id, user.id, host.id);
    let written: Result<()> = store
        .write(move |tx| {
            Box::pin(async move {
                tx.org_insert(&org).await?;
                tx.user_insert(&user).await?;
                tx.member_put(org.id, user.id, Role::Admin, T0).await?;
                tx.host_insert(&host).await
            })
        })
        .await;
    written.expect("the world is written");
    ids
}

/// Runs a piece of work in a write transaction and unwraps it.
#[macro_export]
macro_rules! writes {
    ($store:expr, |$tx:ident| $body:expr) => {
        $store
            .write(move |$tx| {
                Box::pin(async move {
                    let value: store::Result<_> = $body;
                    value
                })
            })
            .await
    };
}

/// Runs a piece of work in a read transaction and unwraps it.
#[macro_export]
macro_rules! reads {
    ($store:expr, |$tx:ident| $body:expr) => {
        $store
            .read(move |$tx| {
                Box::pin(async move {
                    let value: store::Result<_> = $body;
                    value
                })
            })
            .await
            .expect("the read succeeds")
    };
}
