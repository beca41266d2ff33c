//! Ownership of replicated rows: no page of one origin changes a row of another origin or of the hub.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    OrderId,
    job::{JobStatus, RunStatus},
    sync::{
        SyncPriority,
        frame::{FromHub, FromOrigin, Request, Response, Row},
        tables::SCHEMA,
    },
};
use hostile::{
    attacks::Page,
    frames::Shape,
    fuzz::Mutator,
    names::Names,
    rows::{RowKind, deleted, row},
    session::numbered,
};
use serde_json::{Value, json};
use store::{Store, dump::Shape as TableShape, insert::Lease};

use crate::{
    seed::{Yard, at, claim, enqueue, finish, host, jobs, yard, yard_of},
    servers::server,
    sync::{Pair, pair_in},
    triggers::schedule,
    writes,
};

/// Pages that the attacker sends, and the most rows of one.
const PAGES: usize = 120;
const ROWS_MAX: usize = 12;
/// Pages between two comparisons.
const PAGES_PER_LOOK: usize = 12;

/// Tables whose rows belong to the job, server or trigger that they name.
const BELONGING: &[&str] = &[
    "job",
    "run",
    "outcome",
    "replicated_job",
    "lease",
    "ready",
    "waiting",
    "redrive",
    "server",
    "server_run",
    "trigger",
];

type Rows = BTreeMap<String, BTreeSet<String>>;

/// The rows of the hub that have nothing to do with the attacker's host.
async fn rows_of_others(store: &Store, tables: &[TableShape], attacker: &str) -> Rows {
    let (sender, mut batches) = tokio::sync::mpsc::channel(64);
    let skip = vec![0; tables.len()];
    let reading = async {
        store.dump(tables, &skip, &sender).await.expect("the tables can be read");
        drop(sender);
    };
    let collecting = async {
        let mut rows = Rows::new();
        while let Some(batch) = batches.recv().await {
            let of_others = batch.rows.iter().map(Value::to_string).filter(|row| !row.contains(attacker));
            rows.entry(tables[batch.table].table.clone()).or_default().extend(of_others);
        }
        rows
    };
    tokio::join!(reading, collecting).1
}

fn hex(bytes: [u8; 16]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A queued, a running and a finished job of a yard on the hub, with a server and a trigger of its org.
async fn furnish(hub: &Store, yard: &Yard, label: &str) -> Vec<Names> {
    let (server, trigger) = (server(yard.org, yard.host, label), schedule(yard.org, label));
    let (server_id, trigger_id) = (server.id, trigger.id);
    writes!(hub, |tx| {
        tx.server_put(&server).await?;
        tx.trigger_insert(&trigger).await
    })
    .expect("inserts");
    enqueue(hub, &jobs(yard, 3)).await;
    let leases = claim(hub, yard, 2, at(1)).await.0;
    finish(hub, &leases[..1], (RunStatus::Failed, Some(JobStatus::DeadLetter)), at(2)).await;
    let names = |lease: &Lease| Names {
        host: yard.host,
        org: yard.org,
        job: lease.job_id,
        fence: lease.fence,
        run: lease.run_id,
        server: server_id,
        order: OrderId::from_bytes([1; 16]),
        definition: yard.definition,
        trigger: trigger_id,
    };
    leases.iter().map(names).collect()
}

/// Random pages, with the ids of all owners.
struct RandomPages {
    dice: Mutator,
    own: Vec<Names>,
    others: Vec<Names>,
}

impl RandomPages {
    fn names(&mut self) -> Names {
        let of_others = self.dice.below(3) > 0;
        let all = if of_others { &self.others } else { &self.own };
        all[self.dice.below(all.len())]
    }

    /// The names of one owner, or of several in one row.
    fn mixed(&mut self) -> Names {
        let names = self.names();
        if self.dice.below(2) == 0 {
            return names;
        }
        let (second, third) = (self.names(), self.names());
        let (fence, run) = if self.dice.below(2) == 0 { (names.fence, second.run) } else { (second.fence, names.run) };
        Names { fence, run, server: second.server, definition: third.definition, trigger: third.trigger, ..names }
    }

    fn row(&mut self, priority: SyncPriority) -> Row<Value> {
        let kinds: Vec<RowKind> = RowKind::ALL.iter().copied().filter(|kind| kind.priority() == priority).collect();
        let kind = kinds[self.dice.below(kinds.len())];
        let shape = Shape {
            depth: if self.dice.below(8) == 0 { 60 } else { 0 },
            text_bytes: 1 + self.dice.below(30),
            fence_shift: [0, 0, 0, 1, -1][self.dice.below(5)],
            number: 1 + self.dice.below(3) as u64,
            ..Shape::plain()
        };
        let names = self.mixed();
        let live = row(kind, &names, &shape);
        let mut made = match self.dice.below(5) {
            0 => deleted(kind, &names, &shape, Value::Null),
            1 => deleted(kind, &names, &shape, json!({"x": 1})),
            2 => deleted(kind, &names, &shape, live.body),
            _ => live,
        };
        if self.dice.below(5) == 0 {
            made.id = row(kinds[self.dice.below(kinds.len())], &self.mixed(), &shape).id;
        }
        made
    }

    fn page(&mut self, request: &Request) -> Response<Value> {
        let rows = (0..=self.dice.below(ROWS_MAX)).map(|_| self.row(request.priority)).collect();
        let mut page = numbered(&Page::next(request.priority, rows), request);
        // A full resend: the hub deletes the rows that it does not contain.
        if self.dice.below(8) == 0 {
            (page.from, page.is_reset, page.has_more) = (0, true, false);
        }
        page
    }
}

/// The request of this priority among the answers of the hub; hints until there is one.
async fn next_request(
    attacker: &mut Pair,
    priority: SyncPriority,
    answers: Vec<FromHub<domain::sync::doc::StoredDoc>>,
) -> Request {
    let find = |answers: Vec<FromHub<_>>| {
        answers.into_iter().find_map(|answer| match answer {
            FromHub::Request(request) if request.priority == priority => Some(request),
            _ => None,
        })
    };
    match find(answers) {
        Some(request) => request,
        None => find(attacker.hub_does(FromOrigin::Hint { priority }).await).expect("a hint is followed by a request"),
    }
}

fn assert_untouched(before: &Rows, after: &Rows, others: &[Names], page: usize) {
    let none = BTreeSet::new();
    let ids: Vec<String> = others
        .iter()
        .flat_map(|names| [names.job.to_bytes(), names.server.to_bytes(), names.trigger.to_bytes()].map(hex))
        .collect();
    for (table, rows) in before {
        let now = after.get(table).unwrap_or(&none);
        let lost: Vec<&String> = rows.difference(now).collect();
        assert!(lost.is_empty(), "page {page} changed rows of {table}: {lost:#?}\nnow: {:#?}", now.difference(rows));
        if BELONGING.contains(&table.as_str()) {
            let added = now.difference(rows).find(|row| ids.iter().any(|id| row.contains(id.as_str())));
            assert_eq!(added, None, "page {page} added a row to {table} that belongs to another");
        }
    }
}

testkit::db_test!(no_page_of_an_origin_changes_rows_of_others, |db| async move {
    let hub = db.store.clone();
    let (mut victim, mut attacker) = (pair_in(&hub, "acme").await, pair_in(&hub, "beta").await);
    // Another host of the attacker's org, and another org.
    let mate = host(attacker.org, "web-2");
    let (org, mate_id) = (mate.org_id, mate.id);
    writes!(hub, |tx| tx.host_insert(&mate).await).expect("inserts");
    let (near, far) = (yard_of(&hub, "near", org, mate_id).await, yard(&hub, "gamma").await);
    let mut others = furnish(&hub, &near, "near").await;
    others.extend(furnish(&hub, &far, "far").await);
    let worked = victim.work(3).await;
    victim.link().await;
    let replicated = Names { host: victim.host, org: victim.org, ..others[0] };
    others.extend(worked.iter().map(|(job, run)| Names { job: *job, run: *run, fence: 1, ..replicated }));
    let own =
        (1..=4).map(|number| Names { host: attacker.host, org: attacker.org, ..Names::all([number; 16]) }).collect();
    let mut pages = RandomPages { dice: Mutator::new(17), own, others: others.clone() };

    let hello = FromOrigin::CatchUp { schema: SCHEMA, received: None, is_doubting: false, seen: Vec::new() };
    let mut answers = attacker.hub_does(hello).await;
    let (tables, attacker_id) = (hub.shapes().await.expect("the tables"), hex(attacker.host.to_bytes()));
    let before = rows_of_others(&hub, &tables, &attacker_id).await;
    let mut requests: Vec<Request> = Vec::new();
    for priority in SyncPriority::ALL {
        let request = answers.iter().position(|one| matches!(one, FromHub::Request(one) if one.priority == *priority));
        let FromHub::Request(request) = answers.remove(request.expect("the hub requests both")) else { continue };
        requests.push(request);
    }
    for page in 1..=PAGES {
        let priority = SyncPriority::ALL[usize::from(pages.dice.below(4) == 0)];
        let response = pages.page(&requests[priority as usize]);
        let answers = attacker.hub_does(FromOrigin::Response(response)).await;
        requests[priority as usize] = next_request(&mut attacker, priority, answers).await;
        if page.is_multiple_of(PAGES_PER_LOOK) {
            assert_untouched(&before, &rows_of_others(&hub, &tables, &attacker_id).await, &others, page);
        }
    }
});
