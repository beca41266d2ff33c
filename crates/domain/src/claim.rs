//! Which of the jobs at the heads of the lanes a holder gets: in order, within every limit, fair between orgs.

use std::collections::{BTreeMap, VecDeque};

use crate::{JobId, OrgId, quota::Usage, time::Timestamp};

/// A job that could begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// The job.
    pub job: JobId,
    /// Which of the lanes it is in.
    pub lane: usize,
    /// Lower first.
    pub priority: i32,
    /// Since when it may begin.
    pub due_at: Timestamp,
}

/// A lane, as far as choosing depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneView {
    /// Whose jobs these are.
    pub org: OrgId,
    /// Which of the limits they count against.
    pub quotas: Vec<usize>,
}

/// What an org has used of a host that several orgs share, and what one more job is expected to use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Worker-milliseconds, old ones counting less.
    pub used_ms: f64,
    /// What a job of this org is expected to take.
    pub cost_ms: f64,
}

/// The candidates to take, in the order in which they begin. `quotas` and `shares` are charged for each.
///
/// One org: strictly by (priority, due, id), passing over lanes at their limit. Several: the next place goes to
/// the org that has used least of the host, so one org's million does not delay another's first.
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

/// The first whose limits have room. Those without are dropped: limits only fill up while we choose.
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

    fn lane(of: u8, quotas: &[usize]) -> LaneView {
        LaneView { org: org(of), quotas: quotas.to_vec() }
    }

    #[test]
    fn one_org_is_served_in_order_across_its_lanes() {
        let candidates = [candidate(1, 0, 100), candidate(2, 1, 50), candidate(3, 0, 50)];
        let lanes = [lane(1, &[]), lane(1, &[])];
        let chosen = choose(&candidates, &lanes, &mut [], &mut BTreeMap::new(), 2, NOW);
        assert_eq!(chosen, [1, 2]);
    }

    #[test]
    fn a_limit_shared_by_two_lanes_is_kept_and_others_pass() {
        let candidates = [candidate(1, 0, 1), candidate(2, 1, 2), candidate(3, 2, 3)];
        let lanes = [lane(1, &[0]), lane(1, &[0]), lane(1, &[])];
        let mut quotas = [Usage { max_running: Some(3), running: 2, ..Usage::default() }];
        let chosen = choose(&candidates, &lanes, &mut quotas, &mut BTreeMap::new(), 9, NOW);
        assert_eq!(chosen, [0, 2]);
        assert_eq!(quotas[0].running, 3);
    }

    #[test]
    fn a_single_job_of_one_org_is_next_beside_thousands_of_another() {
        let mut candidates: Vec<Candidate> = (0..200).map(|number| candidate(number, 0, 1)).collect();
        candidates.push(candidate(250, 1, 100));
        let lanes = [lane(1, &[]), lane(2, &[])];
        let mut shares = BTreeMap::from([
            (org(1), Share { used_ms: 5_000.0, cost_ms: 100.0 }),
            (org(2), Share { used_ms: 0.0, cost_ms: 100.0 }),
        ]);
        assert_eq!(choose(&candidates, &lanes, &mut [], &mut shares, 1, NOW), [200]);
    }

    #[test]
    fn places_are_dealt_by_worker_time_not_by_number() {
        let candidates: Vec<Candidate> = (0..60).map(|number| candidate(number, usize::from(number % 2), 1)).collect();
        let lanes = [lane(1, &[]), lane(2, &[])];
        let mut shares = BTreeMap::from([
            (org(1), Share { used_ms: 0.0, cost_ms: 300.0 }),
            (org(2), Share { used_ms: 0.0, cost_ms: 100.0 }),
        ]);
        let chosen = choose(&candidates, &lanes, &mut [], &mut shares, 20, NOW);
        let long = chosen.iter().filter(|&&index| candidates[index].lane == 0).count();
        assert_eq!((long, chosen.len() - long), (5, 15), "jobs that take three times as long begin a third as often");
    }
}
