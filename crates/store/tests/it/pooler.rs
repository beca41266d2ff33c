//! The store behind PgBouncer in transaction mode: no state may depend on a session.

use domain::{
    HostSender, Role,
    hubs::BREAK_AFTER,
    job::{JobStatus, RunStatus},
};
use serde_json::json;
use store::{
    Error, Options, Store,
    session::{Beat, BeatOutcome, NewSession},
};
use testkit::{block_on, pgbouncer::PgBouncer, postgres};

use crate::{
    reads,
    seed::{T0, at, claim, enqueue, finish, hash, id, job, jobs, org, world, yard},
    writes,
};

/// Jobs in a test: more than the deferred writes send as single values.
const JOBS: usize = 20;

async fn open(pooler: &PgBouncer) -> Store {
    let mut options = Options::new(format!("{}?pooler=transaction", pooler.url()));
    options.connections = 8;
    Store::open(&options).await.expect("opens")
}

#[test]
fn hubs_share_server_connections_behind_a_pooler() {
    block_on(async {
        let pooler = PgBouncer::start(&postgres::empty_database().await, 2);
        // Two hubs start concurrently on an empty database, through the pooler.
        let (one, two) = tokio::join!(open(&pooler), open(&pooler));
        assert!(one.is_pooled());
        // The pooler has two server connections: later hubs get a connection that another hub has used.
        open(&pooler).await;
        open(&pooler).await;
        let (acme, ana, _) = world(&one, "acme").await;
        // Far more calls than server connections, from both hubs, each in its own transaction.
        let calls = (0..64_u32).map(|n| {
            let (store, new) = (if n % 2 == 0 { one.clone() } else { two.clone() }, org(&format!("org-{n:02}")));
            async move {
                writes!(store, |tx| {
                    tx.org_insert(&new).await?;
                    tx.member_put(new.id, ana, Role::Viewer, T0).await
                })
                .expect("writes");
                reads!(store, |tx| tx.memberships(ana).await).len()
            }
        });
        assert!(futures_util::future::join_all(calls).await.iter().all(|seen| *seen >= 2));
        assert_eq!(reads!(two, |tx| tx.memberships(ana).await).len(), 65);
        assert_eq!(reads!(two, |tx| tx.host_list(acme, "", 10).await).len(), 1);
        assert!(one.database_time().await.expect("answers").is_some());
        let watch = writes!(one, |tx| tx.hub_beat(T0).await).expect("beats");
        assert_eq!(writes!(two, |tx| tx.hub_beat(T0 + BREAK_AFTER).await).expect("beats").since, watch.since);
        assert_eq!(writes!(one, |tx| tx.audit_seal(10, at(1)).await).expect("seals"), 0);
    });
}

/// Jobs from their insertion to their result, in calls that compete for the server connections.
async fn queue_works(server_connections: u32) {
    let pooler = PgBouncer::start(&postgres::fresh_database().await, server_connections);
    let (one, two) = tokio::join!(open(&pooler), open(&pooler));
    let calls = ["acme", "beta", "gamma", "delta"].map(|slug| {
        let store = if slug.len() == 4 { one.clone() } else { two.clone() };
        async move {
            let yard = yard(&store, slug).await;
            // Deferred writes of a single row, and of many.
            enqueue(&store, &[job(&yard)]).await;
            enqueue(&store, &jobs(&yard, JOBS)).await;
            let (leases, claimed) = claim(&store, &yard, 100, at(1)).await;
            assert_eq!((leases.len(), claimed.len()), (JOBS + 1, JOBS + 1));
            let succeeded = (RunStatus::Succeeded, Some(JobStatus::Succeeded));
            assert_eq!(finish(&store, &leases[..1], succeeded, at(2)).await, 1);
            let failed = (RunStatus::Failed, Some(JobStatus::Failed));
            assert_eq!(finish(&store, &leases[1..], failed, at(2)).await, JOBS);
            for (lease, expected) in [(&leases[0], JobStatus::Succeeded), (&leases[JOBS], JobStatus::Failed)] {
                let id = lease.job_id;
                let read = store.query(move |tx| Box::pin(async move { tx.job_get(yard.org, id).await })).await;
                assert_eq!(read.expect("reads").map(|job: store::job::JobNow| job.status), Some(expected));
            }
            let session = NewSession {
                host_id: yard.host,
                hub_id: id(),
                token_hash: hash(slug.as_bytes()[0]),
                incarnation: "run-1".into(),
                boot_id: "boot".into(),
                runner_version: "0.1.0".into(),
                address: "10.0.0.5".into(),
                clock_skew_ms: 0,
            };
            let epoch = writes!(store, |tx| tx.host_session_open(&session, T0).await).expect("opens");
            let metrics = json!({"cpu_percent": 1.5});
            let beat =
                Beat { sender: HostSender::proven(yard.host, yard.org, epoch), at: at(60), clock_skew_ms: 12, metrics };
            let stored = writes!(store, |tx| tx.host_session_beats(&[beat]).await).expect("writes");
            assert_eq!(stored, [BeatOutcome::Stored]);
        }
    });
    futures_util::future::join_all(calls).await;
}

#[test]
fn queue_works_behind_a_pooler() {
    block_on(queue_works(2));
}

#[test]
fn queue_works_behind_a_pooler_with_one_server_connection() {
    block_on(queue_works(1));
}

/// The driver reads types that it does not know between preparing and executing a statement, and PostgreSQL then drops
/// a statement without a name.
#[test]
fn no_statement_is_dropped_behind_a_pooler() {
    block_on(async {
        let pooler = PgBouncer::start(&postgres::fresh_database().await, 1);
        let store = open(&pooler).await;
        for sql in store::schema::statements() {
            // Without its parameters most statements fail, but only after the server has found them.
            if let Err(error) = store.execute_raw(sql.postgres).await {
                assert!(!format!("{error:?}").contains("prepared statement does not exist"), "{}: {error:?}", sql.name);
            }
        }
    });
}

#[test]
fn server_limits_apply_to_each_transaction_behind_a_pooler() {
    block_on(async {
        let pooler = PgBouncer::start(&postgres::fresh_database().await, 1);
        let store = open(&pooler).await;
        let limits = "do $$ begin
                assert current_setting('statement_timeout') = '30s';
                assert current_setting('lock_timeout') = '10s';
                assert current_setting('idle_in_transaction_session_timeout') = '1min';
            end $$";
        store.execute_raw(limits).await.expect("has the limits");
    });
}

/// Writes until a call succeeds: each connection that broke while it was idle may fail one call.
async fn write_again(store: &Store, slug: &str) {
    for _ in 0..=8 {
        let new = org(slug);
        match writes!(store, |tx| tx.org_insert(&new).await) {
            Ok(()) => return,
            Err(error) => assert!(matches!(error, Error::Down(_)), "{error:?}"),
        }
    }
    panic!("the pooler is back, but no write succeeds");
}

#[test]
fn store_recovers_from_outages_of_its_pooler() {
    block_on(async {
        let mut pooler = PgBouncer::start(&postgres::fresh_database().await, 2);
        let store = open(&pooler).await;
        let writes = ["one", "two", "three"].map(|slug| write_again(&store, slug));
        futures_util::future::join_all(writes).await;

        pooler.pause().await;
        let resumed = async {
            while pooler.waiting_clients().await == 0 {}
            pooler.resume().await;
        };
        tokio::join!(write_again(&store, "paused"), resumed);

        pooler.restart().await;
        write_again(&store, "restarted").await;

        pooler.kill();
        let new = org("killed");
        let lost = writes!(store, |tx| tx.org_insert(&new).await);
        assert!(matches!(lost, Err(Error::Down(_))), "nothing was written: {lost:?}");
        pooler.start_again();
        write_again(&store, "killed").await;
        assert_eq!(reads!(store, |tx| tx.org_list("", 10).await).len(), 6);
    });
}

#[test]
fn rejected_settings_name_the_missing_parameter() {
    block_on(async {
        let pooler = PgBouncer::start_strict(&postgres::fresh_database().await);
        let error = Store::open(&Options::new(pooler.url())).await.err().expect("is rejected");
        assert!(matches!(&error, Error::Address(text) if text.contains("add ?pooler=transaction")), "{error:?}");
        open(&pooler).await;
    });
}
