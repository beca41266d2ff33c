//! Prometheus metrics.

use std::collections::HashMap;

use axum::http::{Method, StatusCode};
use domain::{OrgId, Span, job::JobStatus, presence::HostStatus, rejection::RejectReason};
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};
use store::tally::Tally;

use crate::{Error, Hub, Result, queue::finish::Ended};

/// Orgs with their own time series: those with the most unfinished jobs. The others are summed as `_other`.
const ORGS_MAX: usize = 100;
/// Histogram buckets from 10 ms to 3 hours.
const SECONDS: [f64; 16] =
    [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 60.0, 180.0, 600.0, 1_200.0, 1_800.0, 3_600.0, 7_200.0, 10_800.0];
/// Histogram buckets for jobs per claim.
const BATCHES: [f64; 8] = [0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1_000.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: String,
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StatusLabels {
    status: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReasonLabels {
    reason: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LoopLabels {
    name: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct JobLabels {
    org: String,
    status: &'static str,
}

/// Metrics of the hub. Values kept elsewhere (loops, sockets, job counts) are copied when Prometheus scrapes.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    hosts: Family<StatusLabels, Gauge>,
    sockets: Gauge,
    loop_passes: Family<LoopLabels, Gauge>,
    loop_errors: Family<LoopLabels, Gauge>,
    jobs: Family<JobLabels, Gauge>,
    created: Counter,
    ended: Family<StatusLabels, Counter>,
    retried: Counter,
    waits: Histogram,
    runs: Histogram,
    claims: Histogram,
    outbox: Gauge,
    outbox_most: Gauge,
    rejected: Family<ReasonLabels, Counter>,
    panics: Family<LoopLabels, Gauge>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("hostler");
        let (requests, hosts, sockets) = (Family::default(), Family::default(), Gauge::default());
        let (loop_passes, loop_errors) = (Family::default(), Family::default());
        registry.register("http_requests", "Requests by method, route and status", Family::clone(&requests));
        registry.register("hosts", "Hosts of all orgs by state", Family::clone(&hosts));
        registry.register("live_sockets", "Live sockets of runners and people", Gauge::clone(&sockets));
        registry.register("loop_passes", "Passes of each loop since the start", Family::clone(&loop_passes));
        registry.register("loop_errors", "Failed passes of each loop since the start", Family::clone(&loop_errors));
        let (jobs, created, ended, retried) =
            (Family::default(), Counter::default(), Family::default(), Counter::default());
        let (waits, runs, claims) = (Histogram::new(SECONDS), Histogram::new(SECONDS), Histogram::new(BATCHES));
        let (outbox, outbox_most) = (Gauge::default(), Gauge::default());
        registry.register("jobs", "Jobs by org and status, of all hubs", Family::clone(&jobs));
        registry.register("jobs_created", "Jobs created by this hub", Counter::clone(&created));
        registry.register("jobs_ended", "Jobs that ended at this hub, by status", Family::clone(&ended));
        registry.register("runs_retried", "Runs followed by a retry", Counter::clone(&retried));
        registry.register(
            "job_wait_seconds",
            "Time from when a job could start until it was claimed",
            Histogram::clone(&waits),
        );
        registry.register("run_seconds", "Duration of runs", Histogram::clone(&runs));
        registry.register("claim_jobs", "Jobs per claim", Histogram::clone(&claims));
        registry.register(
            "runner_outbox_results",
            "Results that wait in the outboxes of all runners",
            Gauge::clone(&outbox),
        );
        registry.register(
            "runner_outbox_results_most",
            "Results that wait in the fullest outbox",
            Gauge::clone(&outbox_most),
        );
        let (rejected, panics) = (Family::default(), Family::default());
        registry.register(
            "host_data_rejected",
            "Rejected frames and rows of hosts, by reason",
            Family::clone(&rejected),
        );
        registry.register("writer_panics", "Panics of tasks that write for others, by task", Family::clone(&panics));
        Self {
            registry,
            requests,
            hosts,
            sockets,
            loop_passes,
            loop_errors,
            jobs,
            created,
            ended,
            retried,
            waits,
            runs,
            claims,
            outbox,
            outbox_most,
            rejected,
            panics,
        }
    }
}

impl Metrics {
    pub(crate) fn count_request(&self, method: &Method, route: &str, status: StatusCode) {
        // The method is the caller's text: only known methods become labels, so that a caller cannot create time
        // series.
        let known = [Method::GET, Method::HEAD, Method::POST, Method::PATCH, Method::DELETE].contains(method);
        let method = if known { method.as_str() } else { "other" };
        let labels = RequestLabels { method: method.to_owned(), route: route.to_owned(), status: status.as_u16() };
        self.requests.get_or_create(&labels).inc();
    }

    pub(crate) fn note_rejected(&self, reason: RejectReason, count: usize) {
        let labels = ReasonLabels { reason: reason.as_str() };
        self.rejected.get_or_create(&labels).inc_by(u64::try_from(count).unwrap_or(u64::MAX));
    }

    pub(crate) fn set_hosts(&self, counts: &HashMap<HostStatus, i64>) {
        for status in HostStatus::ALL {
            self.hosts
                .get_or_create(&StatusLabels { status: status.as_str() })
                .set(counts.get(status).copied().unwrap_or(0));
        }
    }

    pub(crate) fn set_outbox(&self, results: i64, most: i64) {
        self.outbox.set(results);
        self.outbox_most.set(most);
    }

    pub(crate) fn note_created(&self, count: u64) {
        self.created.inc_by(count);
    }

    /// Counts a claim, with the queue time of each of its jobs.
    pub(crate) fn note_claim(&self, waits: &[(OrgId, Span)]) {
        #[expect(clippy::cast_precision_loss, reason = "a claim is small")]
        self.claims.observe(waits.len() as f64);
        waits.iter().for_each(|(_, wait)| self.waits.observe(seconds(*wait)));
    }

    pub(crate) fn note_ends(&self, ended: &[Ended]) {
        for one in ended {
            self.runs.observe(seconds(one.took));
            if one.job == JobStatus::Queued {
                self.retried.inc();
            } else {
                self.note_over(one.job, 1);
            }
        }
    }

    /// Counts ended jobs.
    pub(crate) fn note_over(&self, status: JobStatus, count: u64) {
        self.ended.get_or_create(&StatusLabels { status: status.as_str() }).inc_by(count);
    }

    fn set_jobs(&self, counts: &[(String, Tally)]) {
        self.jobs.clear();
        for (org, tally) in counts {
            let mut tally = *tally;
            for status in JobStatus::ALL {
                let labels = JobLabels { org: org.clone(), status: status.as_str() };
                self.jobs.get_or_create(&labels).set((*tally.of(*status)).max(0));
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a time for a histogram needs no exactness")]
fn seconds(span: Span) -> f64 {
    span.as_millis().max(0) as f64 / 1_000.0
}

/// Job counts of the orgs with the most unfinished jobs, by slug, and the sum of all others.
async fn jobs(hub: &Hub) -> Result<Vec<(String, Tally)>> {
    let read = hub.store.read(|tx| Box::pin(async move { tx.tally_all().await.map_err(Error::from) }));
    let mut all = read.await?;
    all.sort_by_key(|(org, tally)| (std::cmp::Reverse(tally.queued + tally.running), *org));
    let (mut shown, mut other) = (Vec::new(), Tally::default());
    for (org, tally) in all {
        let slug = if shown.len() < ORGS_MAX { hub.org_slug(org).await.ok() } else { None };
        match slug {
            Some(slug) => shown.push((slug.to_string(), tally)),
            // Above the limit, or just removed.
            None => other.add(&tally),
        }
    }
    if other != Tally::default() {
        shown.push(("_other".to_owned(), other));
    }
    Ok(shown)
}

/// The response of `/metrics`.
pub(crate) async fn text(hub: &Hub) -> Result<String> {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let metrics = &hub.metrics;
    metrics.set_jobs(&jobs(hub).await?);
    metrics.sockets.set(number(hub.live.len() as u64));
    for status in hub.loops.status() {
        let labels = LoopLabels { name: status.name };
        metrics.loop_passes.get_or_create(&labels).set(number(status.passes));
        metrics.loop_errors.get_or_create(&labels).set(number(status.errors));
    }
    for (name, status) in hub.writers.status() {
        metrics.panics.get_or_create(&LoopLabels { name }).set(number(status.panics));
    }
    let mut text = String::new();
    encode(&mut text, &metrics.registry).map_err(Error::internal)?;
    Ok(text)
}
