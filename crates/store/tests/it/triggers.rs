//! Triggers and their fires.

use domain::{
    OrgId, TriggerId,
    job::JobStatus,
    trigger::{FireStatus, Trigger as Body},
};
use serde_json::json;
use store::{
    event::NewEvent,
    fire::{Fire, OpenFire},
    trigger::Trigger,
};

use crate::{
    reads,
    seed::{T0, at, claim, enqueue, finish, host, id, job, world, yard},
    writes,
};

fn body(label: &str, when: &serde_json::Value) -> Body {
    let mut form = json!({
        "label": label, "is_enabled": true, "definition_key": "backup", "payload_template": {"path": "{{ host.name }}"},
        "target": {"queue": "default"}, "place": "hub", "missed": "once", "missed_max": 10,
        "missed_window_seconds": 604_800, "overlap": "forbid", "jitter": 30, "priority": 100,
    });
    form.as_object_mut().expect("an object").extend(when.as_object().expect("an object").clone());
    serde_json::from_value(form).expect("a trigger")
}

pub(crate) fn schedule(org: OrgId, label: &str) -> Trigger {
    let when = json!({"trigger_type": "schedule", "cron_expr": "0 2 * * *", "timezone": "Europe/Berlin"});
    Trigger {
        id: id(),
        org_id: org,
        version: 1,
        body: body(label, &when),
        settled_at: T0,
        next_fire_at: Some(at(60)),
        enabled_at: T0,
        origin: None,
        hub_id: None,
        created_by: "ana".into(),
        created_at: T0,
        updated_at: T0,
        deleted_at: None,
    }
}

fn fire(trigger: &Trigger, secs: u32, status: FireStatus) -> Fire {
    Fire {
        trigger_id: trigger.id,
        nominal_at: at(secs),
        ordinal: 0,
        org_id: trigger.org_id,
        host_id: None,
        status,
        reason: "because 'ö'".into(),
        job_id: None,
        stands_for: 1,
        at: at(secs),
        ended_status: None,
        ended_at: None,
        origin: None,
    }
}

testkit::db_test!(trigger_is_read_back_as_inserted, |db| async move {
    let (acme, _, _) = world(&db.store, "acme").await;
    let (beta, _, _) = world(&db.store, "beta").await;
    let first = schedule(acme, "nightly");
    let when = json!({"trigger_type": "event", "event_name": "folder.changed", "match": {"kind": {"in": ["a"]}}});
    let rule = Trigger { id: id(), next_fire_at: None, body: body("on change", &when), ..schedule(acme, "x") };
    for row in [first.clone(), rule.clone()] {
        writes!(db.store, |tx| tx.trigger_insert(&row).await).expect("inserts");
    }
    assert_eq!(reads!(db.store, |tx| tx.trigger_get(acme, first.id).await), Some(first.clone()));
    assert_eq!(
        reads!(db.store, |tx| tx.trigger_get(beta, first.id).await),
        None,
        "triggers of another org are not returned"
    );
    assert_eq!(reads!(db.store, |tx| tx.trigger_by_label(acme, "on change").await), std::slice::from_ref(&rule));
    assert!(reads!(db.store, |tx| tx.trigger_by_label(beta, "nightly").await).is_empty());
    let all = reads!(db.store, |tx| tx.trigger_list(acme, TriggerId::from_bytes([0; 16]), 10).await);
    assert_eq!(all, [first.clone(), rule.clone()]);
    assert_eq!(reads!(db.store, |tx| tx.trigger_list(acme, first.id, 10).await), std::slice::from_ref(&rule));
    let schedules = reads!(db.store, |tx| tx.trigger_schedules(acme, TriggerId::from_bytes([0; 16]), 10).await);
    assert_eq!(schedules, std::slice::from_ref(&first));
    assert_eq!(
        reads!(db.store, |tx| tx.trigger_of_event(acme, "folder.changed", 9).await),
        std::slice::from_ref(&rule)
    );
    assert!(reads!(db.store, |tx| tx.trigger_of_event(beta, "folder.changed", 9).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.trigger_event_names().await), ["folder.changed"]);

    assert_eq!(reads!(db.store, |tx| tx.trigger_due(at(59), 10).await), []);
    assert_eq!(reads!(db.store, |tx| tx.trigger_due(at(60), 10).await), std::slice::from_ref(&first));
    assert_eq!(reads!(db.store, |tx| tx.trigger_next().await), Some(at(60)));
    assert_eq!(
        writes!(db.store, |tx| tx.trigger_take(&[first.id, id()]).await).expect("takes"),
        std::slice::from_ref(&first)
    );
    let locked = writes!(db.store, |tx| tx.trigger_lock(acme, first.id).await).expect("locks");
    assert_eq!(locked, Some(first.clone()));
    writes!(db.store, |tx| tx.trigger_settle(first.id, at(60), Some(at(120))).await).expect("settles");
    let settled = reads!(db.store, |tx| tx.trigger_get(acme, first.id).await).expect("exists");
    assert_eq!((settled.settled_at, settled.next_fire_at, settled.version), (at(60), Some(at(120)), 1));

    let changed = Trigger { version: 2, next_fire_at: None, deleted_at: Some(at(9)), updated_at: at(9), ..settled };
    let again = changed.clone();
    assert!(writes!(db.store, |tx| tx.trigger_update(&changed).await).expect("updates"));
    assert!(!writes!(db.store, |tx| tx.trigger_update(&again).await).expect("runs"), "an old version is rejected");
    assert_eq!(reads!(db.store, |tx| tx.trigger_get(acme, first.id).await), None, "a deleted trigger is not returned");
    assert_eq!(reads!(db.store, |tx| tx.trigger_next().await), None);
});

testkit::db_test!(trigger_numbers_its_hosts, |db| async move {
    let (acme, _, web) = world(&db.store, "acme").await;
    let (trigger, laptop) = (schedule(acme, "backup"), host(acme, "laptop"));
    let (row, other, laptop_id) = (trigger.clone(), laptop.clone(), laptop.id);
    writes!(db.store, |tx| tx.trigger_insert(&row).await).expect("inserts");
    writes!(db.store, |tx| tx.host_insert(&other).await).expect("inserts");
    for hosts in [vec![web], vec![laptop_id, web]] {
        let row = trigger.clone();
        writes!(db.store, |tx| tx.trigger_host_put(&row, &hosts, T0).await).expect("puts");
    }
    let id_of = trigger.id;
    let known = reads!(db.store, |tx| tx.trigger_hosts(&[id_of]).await);
    let numbers: Vec<_> = known.iter().map(|row| (row.host_id, row.ordinal, row.judged_epoch)).collect();
    assert_eq!(numbers, [(web, 0, -1), (laptop_id, 1, -1)]);
    writes!(db.store, |tx| {
        tx.trigger_host_judged(id_of, laptop_id, 7, at(1)).await?;
        tx.trigger_host_succeeded(id_of, laptop_id, at(50), at(51)).await?;
        // An older success that is stored later does not lower the time.
        tx.trigger_host_succeeded(id_of, laptop_id, at(40), at(52)).await
    })
    .expect("notes");
    let known = reads!(db.store, |tx| tx.trigger_hosts(&[id_of]).await);
    assert_eq!((known[1].judged_epoch, known[1].succeeded_at), (7, Some(at(50))));
    assert_eq!((known[0].judged_epoch, known[0].succeeded_at), (-1, None));
    // Only hosts that are not always on are listed.
    let nobody = domain::HostId::from_bytes([0; 16]);
    assert!(reads!(db.store, |tx| tx.host_list_intermittent(nobody, 10).await).is_empty());
    let sleeper = store::host::Host { always_on: false, ..laptop };
    writes!(db.store, |tx| tx.host_update(&sleeper).await).expect("updates");
    let found = reads!(db.store, |tx| tx.host_list_intermittent(nobody, 10).await);
    assert_eq!(found.iter().map(|view| view.host.id).collect::<Vec<_>>(), [laptop_id]);
});

testkit::db_test!(fire_insert_keeps_one_row_per_time, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let trigger = schedule(acme.org, "nightly");
    let row = trigger.clone();
    writes!(db.store, |tx| tx.trigger_insert(&row).await).expect("inserts");
    let new = job(&acme);
    enqueue(&db.store, std::slice::from_ref(&new)).await;
    let fired = Fire {
        job_id: Some(new.id),
        host_id: Some(domain::HostId::from_bytes(acme.holder.to_bytes())),
        ..fire(&trigger, 60, FireStatus::Fired)
    };
    let slept = Fire { stands_for: 12, ..fire(&trigger, 120, FireStatus::Asleep) };
    let rows = [fired.clone(), slept.clone()];
    assert_eq!(writes!(db.store, |tx| tx.fire_insert(&rows).await).expect("inserts"), 2);
    let twice = [Fire { status: FireStatus::Failed, job_id: None, ..fired.clone() }];
    assert_eq!(writes!(db.store, |tx| tx.fire_insert(&twice).await).expect("runs"), 0, "the first row is kept");
    let (id_of, host_of) = (trigger.id, fired.host_id.expect("a host"));
    assert_eq!(reads!(db.store, |tx| tx.fire_get(id_of, at(60), 0).await), Some(fired.clone()));
    assert_eq!(reads!(db.store, |tx| tx.fire_get(id_of, at(60), 1).await), None);
    assert_eq!(reads!(db.store, |tx| tx.fire_list(id_of, (at(120), -1), 9).await), [slept.clone(), fired.clone()]);
    assert_eq!(reads!(db.store, |tx| tx.fire_list(id_of, (at(120), 0), 9).await), std::slice::from_ref(&fired));
    assert_eq!(reads!(db.store, |tx| tx.fire_of_host(host_of, at(0), at(99), 9).await), std::slice::from_ref(&fired));
    assert!(reads!(db.store, |tx| tx.fire_of_host(host_of, at(61), at(99), 9).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.fire_between(id_of, at(59), at(119), 9).await), std::slice::from_ref(&fired));
    assert!(reads!(db.store, |tx| tx.fire_between(id_of, at(60), at(119), 9).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.fire_of_job(new.id, 9).await), std::slice::from_ref(&fired));

    // The job runs, then ends; its end is stored with the fire.
    let open = reads!(db.store, |tx| tx.fire_open(&[id_of]).await);
    assert_eq!(
        open.iter().map(|fire| (fire.job_id, fire.status)).collect::<Vec<_>>(),
        [(new.id, Some(JobStatus::Queued))]
    );
    assert!(reads!(db.store, |tx| tx.fire_ended(9).await).is_empty());
    let (leases, _) = claim(&db.store, &acme, 1, at(61)).await;
    assert_eq!(reads!(db.store, |tx| tx.fire_open(&[id_of]).await)[0].status, Some(JobStatus::Running));
    finish(&db.store, &leases, (domain::job::RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(70)).await;
    let ended: Vec<OpenFire> = reads!(db.store, |tx| tx.fire_ended(9).await);
    assert_eq!((ended.len(), ended[0].status, ended[0].finished_at), (1, Some(JobStatus::Succeeded), Some(at(70))));
    let one = ended[0].clone();
    let value = one.clone();
    writes!(db.store, |tx| tx.fire_end(&value, JobStatus::Succeeded, at(70)).await).expect("notes");
    assert!(reads!(db.store, |tx| tx.fire_open(&[id_of]).await).is_empty());
    let noted = reads!(db.store, |tx| tx.fire_get(id_of, at(60), 0).await).expect("exists");
    assert_eq!((noted.ended_status, noted.ended_at), (Some(JobStatus::Succeeded), Some(at(70))));
    writes!(db.store, |tx| tx.fire_reopen(new.id).await).expect("reopens");
    assert_eq!(reads!(db.store, |tx| tx.fire_open(&[id_of]).await).len(), 1);

    // A later job covers only the times that were missed while the host was asleep.
    let catch_up = Fire { nominal_at: at(180), job_id: Some(id()), reason: "caught up".into(), ..slept.clone() };
    assert_eq!(writes!(db.store, |tx| tx.fire_catch_up(&catch_up, T0).await).expect("notes"), 1);
    let noted = reads!(db.store, |tx| tx.fire_get(id_of, at(120), 0).await).expect("exists");
    assert_eq!((noted.status, noted.job_id.is_some(), noted.stands_for), (FireStatus::CaughtUp, true, 12));

    // Old rows are deleted, except while their jobs are open.
    assert_eq!(writes!(db.store, |tx| tx.fire_prune(at(999), 10).await).expect("prunes"), 0);
    writes!(db.store, |tx| tx.fire_end(&one, JobStatus::Succeeded, at(70)).await).expect("notes");
    assert_eq!(writes!(db.store, |tx| tx.fire_prune(at(60), 10).await).expect("prunes"), 0);
    assert_eq!(writes!(db.store, |tx| tx.fire_prune(at(999), 10).await).expect("prunes"), 1);
});

testkit::db_test!(event_reader_resumes_at_its_position, |db| async move {
    let (acme, _, _) = world(&db.store, "acme").await;
    assert_eq!(writes!(db.store, |tx| tx.reader_get("matcher").await).expect("reads"), None);
    for seq in [3, 9] {
        writes!(db.store, |tx| tx.reader_set("matcher", seq, T0).await).expect("sets");
    }
    assert_eq!(writes!(db.store, |tx| tx.reader_get("matcher").await).expect("reads"), Some(9));
    let event = |name: &str| NewEvent {
        id: id(),
        org_id: acme,
        name: name.to_owned(),
        at: T0,
        items: json!([{"n": 1}]).to_string(),
    };
    let (told, own) = (event("shop.paid"), event("job.created"));
    let told_id = told.id;
    writes!(db.store, |tx| {
        tx.event_insert(&[told, own]).await?;
        tx.event_matched(told_id).await?;
        tx.event_number(10).await
    })
    .expect("writes");
    let names = |events: Vec<store::event::Event>| events.into_iter().map(|event| event.name).collect::<Vec<_>>();
    assert_eq!(names(reads!(db.store, |tx| tx.event_unmatched(0, 10).await)), ["job.created"]);
    assert_eq!(names(reads!(db.store, |tx| tx.event_last_named(acme, "shop.paid", 10).await)), ["shop.paid"]);
    assert!(reads!(db.store, |tx| tx.event_last_named(id(), "shop.paid", 10).await).is_empty());
});

testkit::db_test!(dedupe_holder_returns_the_job_with_the_key, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let new = store::insert::NewJob { dedupe_key: Some("k".into()), ..job(&acme) };
    let (org, id_of) = (acme.org, new.id);
    assert_eq!(reads!(db.store, |tx| tx.dedupe_holder(org, "k", at(1)).await), None);
    writes!(db.store, |tx| tx.dedupe_take(org, "k", id_of, at(5), T0).await).expect("takes");
    assert_eq!(reads!(db.store, |tx| tx.dedupe_holder(org, "k", at(1)).await), Some(id_of));
    assert_eq!(reads!(db.store, |tx| tx.dedupe_holder(org, "k", at(6)).await), None, "the window has ended");
    enqueue(&db.store, std::slice::from_ref(&new)).await;
    assert_eq!(reads!(db.store, |tx| tx.dedupe_holder(org, "k", at(6)).await), Some(id_of), "the job is queued");
});
