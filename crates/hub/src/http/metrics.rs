//! Numbers for Prometheus.

use std::collections::HashMap;

use axum::http::{Method, StatusCode};
use domain::presence::HostStatus;
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

use crate::Hub;

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
struct LoopLabels {
    name: &'static str,
}

/// The hub's numbers. Those that other parts keep (loops, sockets) are taken over when Prometheus asks.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    hosts: Family<StatusLabels, Gauge>,
    sockets: Gauge,
    loop_passes: Family<LoopLabels, Gauge>,
    loop_errors: Family<LoopLabels, Gauge>,
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
        Self { registry, requests, hosts, sockets, loop_passes, loop_errors }
    }
}

impl Metrics {
    pub(crate) fn count_request(&self, method: &Method, route: &str, status: StatusCode) {
        // Methods are the caller's words: only the known ones become labels.
        let known = [Method::GET, Method::HEAD, Method::POST, Method::PATCH, Method::DELETE].contains(method);
        let method = if known { method.as_str() } else { "other" };
        let labels = RequestLabels { method: method.to_owned(), route: route.to_owned(), status: status.as_u16() };
        self.requests.get_or_create(&labels).inc();
    }

    pub(crate) fn set_hosts(&self, counts: &HashMap<HostStatus, i64>) {
        for status in HostStatus::ALL {
            self.hosts
                .get_or_create(&StatusLabels { status: status.as_str() })
                .set(counts.get(status).copied().unwrap_or(0));
        }
    }
}

/// The text Prometheus reads.
pub(crate) fn text(hub: &Hub) -> Result<String, std::fmt::Error> {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let metrics = &hub.metrics;
    metrics.sockets.set(number(hub.live.len() as u64));
    for status in hub.loops.status() {
        let labels = LoopLabels { name: status.name };
        metrics.loop_passes.get_or_create(&labels).set(number(status.passes));
        metrics.loop_errors.get_or_create(&labels).set(number(status.errors));
    }
    let mut text = String::new();
    encode(&mut text, &metrics.registry)?;
    Ok(text)
}
