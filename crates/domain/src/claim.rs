//! Which of the jobs at the heads of the lanes a holder gets: in order, within every limit, fair between orgs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::{
    JobId, OrgId,
    quota::Usage,
    time::{Span, Timestamp},
};

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
    /// Worker-milliseconds, as far as they count against the others: see [`compare`].
    pub used_ms: f64,
    /// What a job of this org is expected to take.
    pub cost_ms: f64,
    /// Whether it had something to run at the last claim.
    pub is_waiting: bool,
}

/// What a job is expected to take when nothing is known of it: until the first has ended.
pub const COST_UNKNOWN_MS: f64 = 1_000.0;
/// The least a run counts for: its turn has a cost too, and who costs nothing would always be next.
const COST_MIN_MS: f64 = 10.0;
/// By how much a newcomer is before who has used least: enough to be next.
const NEWCOMER_AHEAD_MS: f64 = 1.0;
/// How much of what is expected of the next run comes from the last one.
const COST_WEIGHT: f64 = 0.2;

impl Default for Share {
    fn default() -> Self {
        Self { used_ms: 0.0, cost_ms: COST_UNKNOWN_MS, is_waiting: false }
    }
}

impl Share {
    /// The same after some of its runs have ended.
    pub fn settle(&mut self, spent: &Spent) {
        let (mean_ms, weight) = spent.expected_next();
        let is_guess = (self.cost_ms - COST_UNKNOWN_MS).abs() < f64::EPSILON;
        self.used_ms += spent.correction_ms();
        // The first measure takes the place of the guess: blended with it, short runs would be charged for long ones for a
        // while, and whoever came meanwhile would stand behind what nobody has used.
        self.cost_ms += (mean_ms - self.cost_ms) * if is_guess && weight > 0.0 { 1.0 } else { weight };
    }
}

/// Makes the use of a shared host comparable between the orgs that have something to run there now.
///
/// Time that nobody else wanted does not count against an org, and time that it did not want is not saved up: who
/// comes anew starts a hair before the one that has used least among those that were waiting all along. So neither can
/// a newcomer with a million jobs hold up those that have long been there, nor the other way round.
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

/// What ended runs of one org on a shared host have really taken, against what they were charged when they began.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spent {
    charged_ms: f64,
    taken_ms: f64,
    /// How many took their time, and how long in all: those that never began say nothing about the next.
    measured: i32,
    measured_ms: f64,
}

impl Spent {
    /// A run has ended; `None` if it never began.
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

    /// What is to be added to what the org has used: the real time replaces the expected one.
    #[must_use]
    pub fn correction_ms(&self) -> f64 {
        self.taken_ms - self.charged_ms
    }

    /// What these runs took on average, and how much that counts for what is expected of the next.
    #[must_use]
    pub fn expected_next(&self) -> (f64, f64) {
        if self.measured == 0 {
            return (COST_UNKNOWN_MS, 0.0);
        }
        (self.measured_ms / f64::from(self.measured), 1.0 - (1.0 - COST_WEIGHT).powi(self.measured))
    }
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

    fn share(used_ms: f64, cost_ms: f64, is_waiting: bool) -> Share {
        Share { used_ms, cost_ms, is_waiting }
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
        let mut shares = BTreeMap::from([(org(1), share(5_000.0, 100.0, true)), (org(2), share(0.0, 100.0, true))]);
        assert_eq!(choose(&candidates, &lanes, &mut [], &mut shares, 1, NOW), [200]);
    }

    #[test]
    fn places_are_dealt_by_worker_time_not_by_number() {
        let candidates: Vec<Candidate> = (0..60).map(|number| candidate(number, usize::from(number % 2), 1)).collect();
        let lanes = [lane(1, &[]), lane(2, &[])];
        let mut shares = BTreeMap::from([(org(1), share(0.0, 300.0, true)), (org(2), share(0.0, 100.0, true))]);
        let chosen = choose(&candidates, &lanes, &mut [], &mut shares, 20, NOW);
        let long = chosen.iter().filter(|&&index| candidates[index].lane == 0).count();
        assert_eq!((long, chosen.len() - long), (5, 15), "jobs that take three times as long begin a third as often");
    }

    #[test]
    fn who_comes_anew_starts_level_with_those_who_waited() {
        type Case = (&'static str, [Share; 2], &'static [u8], [f64; 2]);
        let cases: &[Case] = &[
            ("both waited", [share(900.0, 1.0, true), share(0.0, 1.0, true)], &[1, 2], [900.0, 0.0]),
            ("a newcomer saved nothing up", [share(900.0, 1.0, true), share(0.0, 1.0, false)], &[1, 2], [900.0, 899.0]),
            (
                "nor is alone held against one",
                [share(900.0, 1.0, false), share(950.0, 1.0, true)],
                &[1, 2],
                [949.0, 950.0],
            ),
            ("what is owed stays owed", [share(900.0, 1.0, true), share(990.0, 1.0, false)], &[1, 2], [900.0, 990.0]),
            (
                "after a quiet time all begin level",
                [share(900.0, 1.0, false), share(0.0, 1.0, false)],
                &[1, 2],
                [900.0, 900.0],
            ),
            ("who does not wait is left alone", [share(900.0, 1.0, true), share(5.0, 1.0, false)], &[1], [900.0, 5.0]),
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
        assert!(nothing.expected_next().1.abs() < 0.001, "nothing was learnt");
        let near = |share: Share, cost: f64| (share.cost_ms - cost).abs() < 0.001;
        let mut share = Share::default();
        share.settle(&nothing);
        assert!(near(share, COST_UNKNOWN_MS), "still a guess");
        let mut first = Spent::default();
        first.add(COST_UNKNOWN_MS, Some(Span::from_millis(40)));
        share.settle(&first);
        assert!(near(share, 40.0), "the first measure takes the place of the guess");
        let mut second = Spent::default();
        second.add(40.0, Some(Span::from_millis(140)));
        share.settle(&second);
        assert!(near(share, 60.0), "later ones are blended with what is known");
    }

    /// Two orgs take turns on one slot for a while; neither is ever more than a run of the other ahead.
    #[test]
    fn nobody_waits_longer_than_a_turn_for_each_turn_of_the_other() {
        let mut shares = BTreeMap::from([(org(1), share(3_600_000.0, 1_000.0, true))]);
        let lanes = [lane(1, &[]), lane(2, &[])];
        let both = BTreeSet::from([org(1), org(2)]);
        let mut served = Vec::new();
        for _ in 0..40 {
            compare(&mut shares, &both);
            let candidates = [candidate(1, 0, 1), candidate(2, 1, 100)];
            served.extend(choose(&candidates, &lanes, &mut [], &mut shares, 1, NOW));
        }
        assert_eq!(served[0], 1, "the newcomer is next");
        assert!(served.windows(3).all(|turns| turns.contains(&0) && turns.contains(&1)), "{served:?}");
    }
}
