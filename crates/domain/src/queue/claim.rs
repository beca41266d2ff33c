//! The choice of jobs for a claim: in order, within every limit, fair between orgs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::{
    JobId, OrgId,
    quota::Usage,
    time::{Span, Timestamp},
};

/// A job at the head of a lane that may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    pub job: JobId,
    /// The index of its lane.
    pub lane: usize,
    /// Lower numbers start first.
    pub priority: i32,
    /// Since when the job may start.
    pub due_at: Timestamp,
}

/// The properties of a lane that the choice depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneView {
    pub org: OrgId,
    /// The indexes of the limits that its jobs count against.
    pub quotas: Vec<usize>,
}

/// The use of a shared host by one org.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Worker-milliseconds used so far, relative to the other orgs: see [`compare`].
    pub used_ms: f64,
    /// The expected duration of the org's next job.
    pub cost_ms: f64,
    /// Whether the org had jobs waiting at the last claim.
    pub is_waiting: bool,
}

/// The expected duration while no run of the org has ended.
pub const COST_UNKNOWN_MS: f64 = 1_000.0;
/// The minimum duration a run is charged: a run without cost would put its org first at every claim.
const COST_MIN_MS: f64 = 10.0;
/// How far a new org is placed before the org that has used least: just enough to be next.
const NEWCOMER_AHEAD_MS: f64 = 1.0;
/// The weight of the last run in the moving average of expected durations.
const COST_WEIGHT: f64 = 0.2;

impl Default for Share {
    fn default() -> Self {
        Self { used_ms: 0.0, cost_ms: COST_UNKNOWN_MS, is_waiting: false }
    }
}

impl Share {
    /// Applies the real durations of ended runs.
    pub fn settle(&mut self, spent: &Spent) {
        let (mean_ms, weight) = spent.expected_next();
        let is_guess = (self.cost_ms - COST_UNKNOWN_MS).abs() < f64::EPSILON;
        self.used_ms += spent.correction_ms();
        // The first measurement replaces the initial guess. Blended with it, short runs would be charged as long ones
        // for a while, and a new org would be placed behind time that no org has used.
        self.cost_ms += (mean_ms - self.cost_ms) * if is_guess && weight > 0.0 { 1.0 } else { weight };
    }
}

/// Makes the use of a shared host comparable between the orgs that have jobs waiting now.
///
/// Time on an idle host is not held against an org, and time that an org did not need is not saved up: an org that
/// starts to wait again is placed just before the org that has used least among those that kept waiting. So neither can
/// an org with a million new jobs block the others, nor the others block it.
pub fn compare(shares: &mut BTreeMap<OrgId, Share>, waiting: &BTreeSet<OrgId>) {
    for org in waiting {
        shares.entry(*org).or_default();
    }
    let (mut most, mut least) = (0.0_f64, None::<f64>);
    for (org, share) in shares.iter() {
        most = most.max(share.used_ms);
        if share.is_waiting && waiting.contains(org) {
            least = Some(least.map_or(share.used_ms, |least| least.min(share.used_ms)));
        }
    }
    for (org, share) in shares.iter_mut() {
        let is_waiting = waiting.contains(org);
        if is_waiting && !share.is_waiting {
            share.used_ms = share.used_ms.max(least.map_or(most, |least| least - NEWCOMER_AHEAD_MS));
        }
        share.is_waiting = is_waiting;
    }
}

/// The real durations of ended runs of one org, and the expected durations that were charged when the runs started.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spent {
    charged_ms: f64,
    taken_ms: f64,
    /// The number of measured runs and their total duration; runs that never started are not measured.
    measured: i32,
    measured_ms: f64,
}

impl Spent {
    /// Records the end of a run; `taken` is `None` if the run never started.
    pub fn add(&mut self, charged_ms: f64, taken: Option<Span>) {
        self.charged_ms += charged_ms;
        if let Some(taken) = taken {
            #[expect(clippy::cast_precision_loss, reason = "a share needs no exactness")]
            let taken_ms = (taken.as_millis() as f64).max(COST_MIN_MS);
            self.taken_ms += taken_ms;
            self.measured += 1;
            self.measured_ms += taken_ms;
        }
    }

    /// The correction of the org's use: the real durations replace the expected ones.
    #[must_use]
    pub fn correction_ms(&self) -> f64 {
        self.taken_ms - self.charged_ms
    }

    /// The mean duration of these runs, and its weight in the expected duration of the next one.
    #[must_use]
    pub fn expected_next(&self) -> (f64, f64) {
        if self.measured == 0 {
            return (COST_UNKNOWN_MS, 0.0);
        }
        (self.measured_ms / f64::from(self.measured), 1.0 - (1.0 - COST_WEIGHT).powi(self.measured))
    }
}

/// Chooses candidates and returns their indexes in the order of their start. `quotas` and `shares` are charged for
/// each.
///
/// With one org: strictly by (priority, due, id), skipping lanes at their limit. With several: each place goes to the
/// org that has used the least of the host, so a million jobs of one org do not delay another org's first job.
#[must_use]
pub fn choose(
    candidates: &[Candidate],
    lanes: &[LaneView],
    quotas: &mut [Usage],
    shares: &mut BTreeMap<OrgId, Share>,
    room: usize,
    now: Timestamp,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_unstable_by_key(|&index| {
        let candidate = &candidates[index];
        (candidate.priority, candidate.due_at, candidate.job)
    });
    let mut queues: BTreeMap<OrgId, VecDeque<usize>> = BTreeMap::new();
    for index in order {
        queues.entry(lanes[candidates[index].lane].org).or_default().push_back(index);
    }
    let mut chosen = Vec::with_capacity(room.min(candidates.len()));
    while chosen.len() < room {
        let Some(org) = least_served(&queues, shares) else { break };
        let Some(queue) = queues.get_mut(&org) else { break };
        let Some(index) = next_admitted(queue, candidates, lanes, quotas, now) else {
            queues.remove(&org);
            continue;
        };
        for &quota in &lanes[candidates[index].lane].quotas {
            quotas[quota].take(1, now);
        }
        if let Some(share) = shares.get_mut(&org) {
            share.used_ms += share.cost_ms;
        }
        chosen.push(index);
    }
    chosen
}

fn least_served(queues: &BTreeMap<OrgId, VecDeque<usize>>, shares: &BTreeMap<OrgId, Share>) -> Option<OrgId> {
    let used = |org: &OrgId| shares.get(org).map_or(0.0, |share| share.used_ms);
    queues.keys().min_by(|a, b| used(a).total_cmp(&used(b))).copied()
}

/// The first candidate whose limits have capacity. Candidates without are dropped: during a claim limits only fill up.
fn next_admitted(
    queue: &mut VecDeque<usize>,
    candidates: &[Candidate],
    lanes: &[LaneView],
    quotas: &[Usage],
    now: Timestamp,
) -> Option<usize> {
    while let Some(index) = queue.pop_front() {
        let lane = &lanes[candidates[index].lane];
        if lane.quotas.iter().all(|&quota| quotas[quota].room(now) > 0) {
            return Some(index);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_000_000_000);

    fn job(number: u8) -> JobId {
        JobId::from_bytes([number; 16])
    }

    fn org(number: u8) -> OrgId {
        OrgId::from_bytes([number; 16])
    }

    fn candidate(number: u8, lane: usize, priority: i32) -> Candidate {
        Candidate { job: job(number), lane, priority, due_at: NOW }
    }

    fn share(used_ms: f64, cost_ms: f64, is_waiting: bool) -> Share {
        Share { used_ms, cost_ms, is_waiting }
    }

    fn lane(of: u8, quotas: &[usize]) -> LaneView {
        LaneView { org: org(of), quotas: quotas.to_vec() }
    }

    #[test]
    fn jobs_of_one_org_start_in_order_across_its_lanes() {
        let candidates = [candidate(1, 0, 100), candidate(2, 1, 50), candidate(3, 0, 50)];
        let lanes = [lane(1, &[]), lane(1, &[])];
        let chosen = choose(&candidates, &lanes, &mut [], &mut BTreeMap::new(), 2, NOW);
        assert_eq!(chosen, [1, 2]);
    }

    #[test]
    fn a_full_limit_skips_its_lanes_and_no_others() {
        let candidates = [candidate(1, 0, 1), candidate(2, 1, 2), candidate(3, 2, 3)];
        let lanes = [lane(1, &[0]), lane(1, &[0]), lane(1, &[])];
        let mut quotas = [Usage { max_running: Some(3), running: 2, ..Usage::default() }];
        let chosen = choose(&candidates, &lanes, &mut quotas, &mut BTreeMap::new(), 9, NOW);
        assert_eq!(chosen, [0, 2]);
        assert_eq!(quotas[0].running, 3);
    }

    #[test]
    fn one_job_of_an_org_starts_before_hundreds_of_another() {
        let mut candidates: Vec<Candidate> = (0..200).map(|number| candidate(number, 0, 1)).collect();
        candidates.push(candidate(250, 1, 100));
        let lanes = [lane(1, &[]), lane(2, &[])];
        let mut shares = BTreeMap::from([(org(1), share(5_000.0, 100.0, true)), (org(2), share(0.0, 100.0, true))]);
        assert_eq!(choose(&candidates, &lanes, &mut [], &mut shares, 1, NOW), [200]);
    }

    #[test]
    fn places_are_shared_by_worker_time_not_by_count() {
        let candidates: Vec<Candidate> = (0..60).map(|number| candidate(number, usize::from(number % 2), 1)).collect();
        let lanes = [lane(1, &[]), lane(2, &[])];
        let mut shares = BTreeMap::from([(org(1), share(0.0, 300.0, true)), (org(2), share(0.0, 100.0, true))]);
        let chosen = choose(&candidates, &lanes, &mut [], &mut shares, 20, NOW);
        let long = chosen.iter().filter(|&&index| candidates[index].lane == 0).count();
        assert_eq!((long, chosen.len() - long), (5, 15), "jobs that take three times as long begin a third as often");
    }

    #[test]
    fn an_org_that_waits_again_is_placed_beside_the_waiting_ones() {
        type Case = (&'static str, [Share; 2], &'static [u8], [f64; 2]);
        let cases: &[Case] = &[
            ("both waited", [share(900.0, 1.0, true), share(0.0, 1.0, true)], &[1, 2], [900.0, 0.0]),
            (
                "a new org has saved nothing up",
                [share(900.0, 1.0, true), share(0.0, 1.0, false)],
                &[1, 2],
                [900.0, 899.0],
            ),
            (
                "time alone on the host does not count",
                [share(900.0, 1.0, false), share(950.0, 1.0, true)],
                &[1, 2],
                [949.0, 950.0],
            ),
            (
                "use above the others stays",
                [share(900.0, 1.0, true), share(990.0, 1.0, false)],
                &[1, 2],
                [900.0, 990.0],
            ),
            (
                "after an idle time all are equal",
                [share(900.0, 1.0, false), share(0.0, 1.0, false)],
                &[1, 2],
                [900.0, 900.0],
            ),
            (
                "an org without waiting jobs does not change",
                [share(900.0, 1.0, true), share(5.0, 1.0, false)],
                &[1],
                [900.0, 5.0],
            ),
        ];
        for (case, before, waiting, after) in cases {
            let mut shares = BTreeMap::from([(org(1), before[0]), (org(2), before[1])]);
            let waiting: BTreeSet<OrgId> = waiting.iter().map(|number| org(*number)).collect();
            compare(&mut shares, &waiting);
            let used = [shares[&org(1)].used_ms, shares[&org(2)].used_ms];
            assert!(used.iter().zip(after).all(|(used, after)| (used - after).abs() < 0.001), "{case}: {used:?}");
            assert!(shares.iter().all(|(org, share)| share.is_waiting == waiting.contains(org)), "{case}");
        }
    }

    #[test]
    fn the_real_time_replaces_the_expected_one() {
        let mut spent = Spent::default();
        spent.add(1_000.0, Some(Span::from_secs(60)));
        spent.add(1_000.0, None);
        assert!((spent.correction_ms() - 58_000.0).abs() < 0.001);
        let (mean, weight) = spent.expected_next();
        assert!((mean - 60_000.0).abs() < 0.001 && (weight - 0.2).abs() < 0.001, "{mean} {weight}");
        let mut nothing = Spent::default();
        nothing.add(500.0, None);
        assert!((nothing.correction_ms() + 500.0).abs() < 0.001);
        assert!(nothing.expected_next().1.abs() < 0.001, "nothing was measured");
        let near = |share: Share, cost: f64| (share.cost_ms - cost).abs() < 0.001;
        let mut share = Share::default();
        share.settle(&nothing);
        assert!(near(share, COST_UNKNOWN_MS), "still the initial guess");
        let mut first = Spent::default();
        first.add(COST_UNKNOWN_MS, Some(Span::from_millis(40)));
        share.settle(&first);
        assert!(near(share, 40.0), "the first measurement replaces the guess");
        let mut second = Spent::default();
        second.add(40.0, Some(Span::from_millis(140)));
        share.settle(&second);
        assert!(near(share, 60.0), "later ones enter the moving average");
    }

    /// Two orgs alternate on one slot; neither ever gets more than one run ahead of the other.
    #[test]
    fn two_orgs_alternate_on_one_slot() {
        let mut shares = BTreeMap::from([(org(1), share(3_600_000.0, 1_000.0, true))]);
        let lanes = [lane(1, &[]), lane(2, &[])];
        let both = BTreeSet::from([org(1), org(2)]);
        let mut served = Vec::new();
        for _ in 0..40 {
            compare(&mut shares, &both);
            let candidates = [candidate(1, 0, 1), candidate(2, 1, 100)];
            served.extend(choose(&candidates, &lanes, &mut [], &mut shares, 1, NOW));
        }
        assert_eq!(served[0], 1, "the new org is next");
        assert!(served.windows(3).all(|turns| turns.contains(&0) && turns.contains(&1)), "{served:?}");
    }
}
