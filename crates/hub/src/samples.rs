//! Buffer of metrics of hosts, servers and jobs per minute, until the samples loop stores them.
//! In memory and bounded: samples that are lost when a hub is killed leave a gap in a chart and nothing else.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use domain::{
    FromHost, HostId, OrgId, ServerId, Span, Timestamp,
    job::JobStatus,
    series::{self, Histogram, Minute, SubjectId},
};
use proto::metrics::HostMetrics;
use store::sample::Sample;

use crate::queue::finish::Ended;

/// Most buffered minutes, over all hosts, servers and orgs; further samples are dropped.
const MINUTES_MAX: usize = 50_000;

/// Sums of one subject in one minute.
#[derive(Default)]
struct MinuteSums {
    /// Sum and number of samples: a gauge is stored as their mean, a counter as their sum.
    numbers: Vec<(f64, u32)>,
    is_count: bool,
    spreads: Vec<Histogram>,
}

impl MinuteSums {
    fn minute(self) -> Minute {
        let of = |(sum, seen): (f64, u32)| match seen {
            0 => None,
            _ if self.is_count => Some(sum),
            _ => Some(sum / f64::from(seen)),
        };
        Minute { numbers: self.numbers.iter().copied().map(of).collect(), spreads: self.spreads }
    }
}

/// The subject of a sample. Ids of all kinds have one form, so the kind is part of the key: the id of an org under which a
/// host reports a server must not meet the counters of that org.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Host(HostId),
    Server(ServerId),
    Org(OrgId),
}

impl Subject {
    fn id(self) -> SubjectId {
        match self {
            Self::Host(id) => SubjectId::of(id),
            Self::Server(id) => SubjectId::of(id),
            Self::Org(id) => SubjectId::of(id),
        }
    }
}

/// Samples that are not yet stored, by subject and minute.
#[derive(Default)]
pub(crate) struct SampleBuffer(Mutex<BTreeMap<(Subject, Timestamp), MinuteSums>>);

// Indexes of the job counters and spreads within a minute, in the order of [`series::JOBS`].
const ENQUEUED: usize = 0;
const WAITED: usize = 0;
const RAN: usize = 1;

fn add(minute: &mut MinuteSums, counter: usize, count: f64) {
    if let Some(sum) = minute.numbers.get_mut(counter) {
        sum.0 += count;
    }
}

fn note(minute: &mut MinuteSums, spread: usize, span: Span) {
    if let Some(spread) = minute.spreads.get_mut(spread) {
        spread.note(span);
    }
}

const fn place(status: JobStatus) -> Option<usize> {
    match status {
        JobStatus::Succeeded => Some(1),
        JobStatus::Failed => Some(2),
        JobStatus::DeadLetter => Some(3),
        JobStatus::Canceled => Some(4),
        JobStatus::Queued | JobStatus::Running => None,
    }
}

impl SampleBuffer {
    fn with(&self, subject: Subject, now: Timestamp, note: impl FnOnce(&mut MinuteSums)) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (subject, now.minute());
        if all.len() < MINUTES_MAX || all.contains_key(&key) {
            note(all.entry(key).or_default());
        }
    }

    fn states(&self, subject: Subject, now: Timestamp, states: &[Option<f64>]) {
        self.with(subject, now, |seen| {
            seen.numbers.resize(states.len(), (0.0, 0));
            for (sum, state) in seen.numbers.iter_mut().zip(states) {
                if let Some(state) = state {
                    *sum = (sum.0 + state, sum.1 + 1);
                }
            }
        });
    }

    fn jobs(&self, org: OrgId, now: Timestamp, note: impl FnOnce(&mut MinuteSums)) {
        self.with(Subject::Org(org), now, |seen| {
            if !seen.is_count {
                *seen =
                    MinuteSums { numbers: vec![(0.0, 1); 5], is_count: true, spreads: vec![Histogram::default(); 2] };
            }
            note(seen);
        });
    }

    /// Adds the metrics of a heartbeat, whose servers are those of the host.
    pub(crate) fn beat(&self, metrics: &FromHost<&HostMetrics>, now: Timestamp) {
        let (host, metrics) = (metrics.sender().host(), *metrics.value());
        let part = |percent: f64| Some(percent / 100.0);
        let disk = metrics.disk_percent().and_then(part);
        let states = [part(metrics.cpu_percent), part(metrics.memory_percent()), disk, metrics.load_1];
        self.states(Subject::Host(host), now, &states);
        for server in &metrics.servers {
            #[expect(clippy::cast_precision_loss, reason = "a chart needs no exactness")]
            let states = [part(server.cpu_percent), Some(server.memory_bytes as f64)];
            self.states(Subject::Server(server.id), now, &states);
        }
    }

    /// Counts new jobs of an org.
    pub(crate) fn created(&self, org: OrgId, count: u64, now: Timestamp) {
        #[expect(clippy::cast_precision_loss, reason = "a chart needs no exactness")]
        self.jobs(org, now, |seen| add(seen, ENQUEUED, count as f64));
    }

    /// Adds the queue time of a job that has started.
    pub(crate) fn waited(&self, org: OrgId, wait: Span, now: Timestamp) {
        self.jobs(org, now, |seen| note(seen, WAITED, wait));
    }

    /// Adds a run that has ended.
    pub(crate) fn ended(&self, ended: &Ended, now: Timestamp) {
        self.jobs(ended.org, now, |seen| {
            note(seen, RAN, ended.took);
            if let Some(place) = place(ended.job) {
                add(seen, place, 1.0);
            }
        });
    }

    /// Counts jobs that ended without a run.
    pub(crate) fn over(&self, org: OrgId, status: JobStatus, count: u64, now: Timestamp) {
        let Some(place) = place(status) else { return };
        #[expect(clippy::cast_precision_loss, reason = "a chart needs no exactness")]
        self.jobs(org, now, |seen| add(seen, place, count as f64));
    }

    /// Removes all complete minutes and returns them in the stored format.
    pub(crate) fn take(&self, now: Timestamp) -> Vec<Sample> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (current, mut lines) = (now.minute(), BTreeMap::<(Subject, Timestamp), String>::new());
        for ((subject, at), seen) in all.extract_if(.., |(_, at), _| *at < current) {
            *lines.entry((subject, series::hour(at))).or_default() += &seen.minute().line(at);
        }
        let sample = |((subject, hour_at), lines): ((Subject, Timestamp), String)| Sample {
            subject_id: subject.id(),
            hour_at,
            lines,
        };
        lines.into_iter().map(sample).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::HostSender;
    use proto::metrics::ServerMetrics;

    const T0: Timestamp = Timestamp::from_micros(1_700_002_800_000_000);

    #[test]
    fn heartbeats_of_a_minute_are_averaged_per_host_and_server() {
        let samples = SampleBuffer::default();
        let sender = HostSender::proven(HostId::from_bytes([1; 16]), OrgId::from_bytes([9; 16]), 1);
        let server = ServerMetrics {
            id: domain::ServerId::from_bytes([2; 16]),
            cpu_percent: 150.0,
            memory_bytes: 1_000,
            processes: 1,
        };
        for (second, cpu_percent) in [(1, 20.0), (31, 40.0), (61, 100.0)] {
            let metrics = HostMetrics { cpu_percent, servers: vec![server.clone()], ..HostMetrics::default() };
            samples.beat(&FromHost::new(sender, &metrics), T0 + Span::from_secs(second));
        }
        assert!(samples.take(T0 + Span::from_secs(59)).is_empty(), "the minute is not complete");
        let taken = samples.take(T0 + Span::from_secs(60));
        assert_eq!(taken.len(), 2);
        assert_eq!((taken[0].hour_at, taken[0].lines.as_str()), (T0, "[0,[0.3,0.0,null,null],[]]\n"));
        assert_eq!(taken[1].lines, "[0,[1.5,1000.0],[]]\n");
        assert_eq!(samples.take(T0 + Span::from_secs(200)).len(), 2, "later samples are kept");
        assert!(samples.take(T0 + Span::from_secs(200)).is_empty());
    }

    #[test]
    fn metrics_under_the_id_of_an_org_do_not_change_its_counters() {
        let (samples, org) = (SampleBuffer::default(), OrgId::from_bytes([9; 16]));
        let sender = HostSender::proven(HostId::from_bytes([1; 16]), org, 1);
        let id = domain::ServerId::from_bytes(org.to_bytes());
        let server = ServerMetrics { id, cpu_percent: 1.0, memory_bytes: 1, processes: 1 };
        samples.created(org, 2, T0);
        let metrics = HostMetrics { servers: vec![server], ..HostMetrics::default() };
        samples.beat(&FromHost::new(sender, &metrics), T0);
        samples.over(org, JobStatus::Canceled, 3, T0);
        let taken = samples.take(T0 + Span::from_secs(60));
        let counters = taken.iter().filter(|sample| sample.lines.starts_with("[0,[2.0,0.0,0.0,0.0,3.0]"));
        assert_eq!(counters.count(), 1, "{taken:?}");
    }
}
