//! What a host may begin with next, as its last turn left it: the next turn need not look.
//!
//! A look asks for more heads than can be taken. What is left of them is remembered, with the rest of what was seen as the turn
//! has written it; and what comes into one of these lanes through this hub joins them. Whoever writes makes sure that the host is
//! as it was left and under the same rules, and that every job waits where it was; otherwise it is looked at after all. Only where
//! nobody else here takes from its lanes, and not for long: other hubs may have put something before what is remembered.
//! Before it runs out of heads, more are read while others wait for nothing.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{HostId, JobId, LaneId, OrgId, Span, Timestamp, claim::Share, quota::Recent};
use store::{
    Version,
    claim::{Head, Holder, HostOpen, LaneRoom, OpenLane, Spot, TurnLook},
    queue::Lease,
};

use super::{floors::Look, grant::length};
use crate::{Error, Hub};

/// So many heads of each lane are asked for beyond those that can be taken, while somebody waits for them.
pub(super) const AHEAD: u32 = 16;
/// If there are fewer of a lane that holds more, more are read meanwhile.
const LOW: usize = 16;
/// So many then.
const MORE: u32 = 64;
/// Nothing is foreseen for longer after a look.
const KEPT_FOR: Span = Span::from_millis(250);
/// What the jobs that are remembered of one host are to run may take so much memory.
const BYTES_MAX: usize = 256 * 1_024;

/// A lane, and what waits in it.
struct Lane {
    open: OpenLane,
    /// In their order.
    heads: Vec<Head>,
    /// Whether that is all there is in it.
    is_whole: bool,
    /// The last that was seen, also if it was taken since.
    end: Option<Spot>,
}

/// A host and what is open to it.
pub(crate) struct Foresight {
    pub(super) holder: Holder,
    pub(super) version: Version,
    pub(super) shares: BTreeMap<OrgId, Share>,
    lanes: Vec<Lane>,
    seen_at: Timestamp,
}

/// How a turn leaves a host, besides what it has begun.
pub(super) struct Left {
    /// By how many more it runs.
    pub(super) more: i32,
    pub(super) recent: Recent,
    pub(super) shares: BTreeMap<OrgId, Share>,
}

impl Foresight {
    /// What was seen of a host when so many heads of each lane were asked for, of some from where they were left.
    pub(super) fn of(look: TurnLook, asked: u32, from: &[LaneRoom], now: Timestamp) -> Self {
        let TurnLook { open, version, shares, heads, empty } = look;
        let lane = |open| Lane { open, heads: Vec::new(), is_whole: true, end: None };
        let mut lanes: Vec<Lane> = open.lanes.into_iter().chain(empty).map(lane).collect();
        for head in heads {
            if let Some(lane) = lanes.iter_mut().find(|lane| lane.open.lane_id == head.lane_id) {
                lane.heads.push(head);
            }
        }
        for lane in &mut lanes {
            lane.heads.sort_by_key(Head::spot);
            lane.end = lane.heads.last().map(Head::spot);
            let is_from_start = from.iter().all(|from| from.lane_id != lane.open.lane_id);
            lane.is_whole = is_from_start && lane.heads.len() < asked as usize;
        }
        Self { holder: open.holder, version, shares: shares.into_iter().collect(), lanes, seen_at: now }
    }

    /// Whether it can be relied on by a turn for so many jobs.
    pub(super) fn is_enough(&self, room: u32, now: Timestamp) -> bool {
        let is_enough = |lane: &Lane| lane.is_whole || lane.heads.len() >= room as usize;
        now.since(self.seen_at) < KEPT_FOR && self.version.get().is_some() && self.lanes.iter().all(is_enough)
    }

    /// The host, and its lanes that hold something.
    pub(super) fn open(&self) -> HostOpen {
        let lanes = self.lanes.iter().filter(|lane| !lane.heads.is_empty()).map(|lane| lane.open.clone()).collect();
        HostOpen { holder: self.holder.clone(), lanes, is_waiting: true }
    }

    /// The first jobs of these lanes, as many as there is room for in each.
    pub(super) fn heads(&self, rooms: &[LaneRoom]) -> Vec<Head> {
        let of = |room: &LaneRoom| {
            let lane = self.lanes.iter().find(|lane| lane.open.lane_id == room.lane_id);
            lane.into_iter().flat_map(|lane| &lane.heads).take(room.room as usize).cloned()
        };
        rooms.iter().flat_map(of).collect()
    }

    /// What these heads say about lanes that were not looked at: nothing but how far they are taken.
    pub(super) fn looks(&self) -> Vec<Look> {
        let more = self.lanes.iter().filter(|lane| !lane.is_whole);
        more.filter_map(|lane| Some(Look::foreseen(lane.open.lane_id, lane.heads.first()?.spot()))).collect()
    }

    /// The same after a turn that began with these, and was written as this version.
    pub(super) fn after(mut self, left: Left, begun: &[Lease], version: Version) -> Self {
        self.holder.running += left.more;
        (self.holder.recent, self.shares, self.version) = (left.recent, left.shares, version);
        for lane in &mut self.lanes {
            lane.heads.retain(|head| begun.iter().all(|lease| lease.job_id != head.job_id));
        }
        self
    }

    /// Whether it is too much to be kept.
    pub(super) fn is_heavy(&self) -> bool {
        let jobs = self.lanes.iter().flat_map(|lane| &lane.heads).filter_map(Head::job);
        let bytes = |job: &store::claim::Claimed| length(&job.payload) + job.sealed.as_ref().map_or(0, Vec::len);
        jobs.map(bytes).sum::<usize>() > BYTES_MAX
    }

    /// The lanes that hold something.
    pub(super) fn full(&self) -> HashSet<LaneId> {
        self.lanes.iter().filter(|lane| !lane.heads.is_empty()).map(|lane| lane.open.lane_id).collect()
    }

    /// All lanes in it.
    pub(super) fn lanes(&self) -> impl Iterator<Item = LaneId> + '_ {
        self.lanes.iter().map(|lane| lane.open.lane_id)
    }

    /// Up to where lanes were seen that hold more, if there is not much left of one of them.
    pub(super) fn ends(&self) -> Option<Vec<LaneRoom>> {
        let more: Vec<&Lane> = self.lanes.iter().filter(|lane| !lane.is_whole).collect();
        let end = |lane: &&Lane| LaneRoom { from: lane.end, ..LaneRoom::new(lane.open.lane_id, MORE) };
        more.iter().any(|lane| lane.heads.len() < LOW).then(|| more.iter().map(end).collect())
    }

    /// The same with what has come into its lanes and what was read behind its heads, but for what was begun with meanwhile. `None`
    /// if nobody knows what has come, or whether those lanes are open.
    pub(super) fn with(mut self, came: Came, begun: &HashMap<JobId, Lease>) -> Option<Self> {
        for (lane, end, heads) in came.behind {
            // Only what was read from its end on is next to it.
            let lane = self.lanes.iter_mut().find(|known| known.open.lane_id == lane && known.end == Some(end));
            if let Some(lane) = lane {
                lane.heads.extend(heads.into_iter().filter(|head| head.spot() > end));
                lane.end = lane.heads.last().map(Head::spot).max(lane.end);
            }
        }
        for (lane, heads) in came.within {
            let lane = self.lanes.iter_mut().find(|known| known.open.lane_id == lane)?;
            for head in heads?.into_iter().filter(|head| !begun.contains_key(&head.job_id)) {
                let place = lane.heads.partition_point(|known| known.spot() < head.spot());
                let is_known = lane.heads.get(place).is_some_and(|known| known.job_id == head.job_id);
                // Behind the last that was seen of a lane that holds more there is more than what came.
                if !is_known && (lane.is_whole || lane.end.is_some_and(|end| head.spot() < end)) {
                    lane.heads.insert(place, head);
                }
            }
        }
        Some(self)
    }
}

/// What has come to be known of lanes.
#[derive(Default)]
pub(super) struct Came {
    /// Something came into them: `None` if nobody knows what.
    within: HashMap<LaneId, Option<Vec<Head>>>,
    /// What stands there from some place on was read.
    behind: Vec<(LaneId, Spot, Vec<Head>)>,
}

/// So many are kept of one lane.
const CAME_MAX: usize = 64;

impl Came {
    /// Something has come into a lane.
    pub(super) fn note(&mut self, lane: LaneId, heads: Option<Vec<Head>>) {
        let known = self.within.entry(lane).or_insert_with(|| Some(Vec::new()));
        *known = known.take().zip(heads).map(|(mut known, heads)| {
            known.extend(heads);
            known
        });
        *known = known.take().filter(|heads| heads.len() <= CAME_MAX);
    }

    /// What stands in lanes from some place on was read.
    pub(super) fn read(heads: &[Head], from: &[LaneRoom]) -> Self {
        let mut came = Self::default();
        for lane in from {
            let heads = heads.iter().filter(|head| head.lane_id == lane.lane_id).cloned();
            came.behind.extend(lane.from.map(|end| (lane.lane_id, end, heads.collect())));
        }
        came
    }

    /// Takes in what else has come to be known.
    pub(super) fn join(&mut self, other: Self) {
        for (lane, heads) in other.within {
            self.note(lane, heads);
        }
        self.behind.extend(other.behind);
    }

    /// Whether something has come into another lane than these.
    pub(super) fn is_beside(&self, lanes: &[OpenLane]) -> bool {
        self.within.keys().any(|lane| lanes.iter().all(|seen| seen.lane_id != *lane))
    }
}

/// Reads what stands behind the heads that are remembered for a host.
pub(super) async fn read_on(hub: Hub, host: HostId, epoch: i64, ends: Vec<LaneRoom>) {
    let (now, from) = (hub.now(), ends.clone());
    let times = (now, now - hub.options.lost_after);
    let look = hub.store.glance(move |tx| {
        Box::pin(async move { tx.turn_look(host, epoch, times, MORE, &from).await.map_err(Error::from) })
    });
    // If it cannot be read, the next turn looks for itself.
    let heads = look.await.ok().flatten().map(|look| look.heads).unwrap_or_default();
    hub.queue.board.has_read(host, epoch, Came::read(&heads, &ends));
}

#[cfg(test)]
mod tests {
    use domain::job::{OnLost, Source};
    use serde_json::json;
    use store::queue::NewJob;

    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_000_000_000);

    fn open(number: u8) -> OpenLane {
        OpenLane {
            lane_id: LaneId::from_bytes([number; 16]),
            org_id: OrgId::from_bytes([number; 16]),
            definition_id: domain::DefinitionId::from_bytes([1; 16]),
            limit_key: String::new(),
        }
    }

    fn head(lane: u8, number: u8, priority: i32) -> Head {
        Head::waiting(&job(lane, number, priority, json!({})))
    }

    fn job(lane: u8, number: u8, priority: i32, payload: serde_json::Value) -> NewJob {
        let OpenLane { lane_id, org_id, definition_id, .. } = open(lane);
        NewJob {
            id: JobId::from_bytes([number; 16]),
            org_id,
            definition_id,
            definition_version: 1,
            lane_id,
            source: Source::Manual,
            source_ref: None,
            priority,
            payload,
            sealed: None,
            dedupe_key: None,
            correlation_id: None,
            scheduled_for: NOW,
            expires_at: None,
            max_attempts: 1,
            timeout: Span::from_secs(60),
            on_lost: OnLost::Retry,
            created_by: "ana".into(),
            queued_at: NOW,
        }
    }

    /// Two lanes were asked for three heads each: one holds these, the other nothing.
    fn foresight(heads: Vec<Head>) -> Foresight {
        let holder = Holder {
            running: 2,
            recent: Recent::default(),
            max_running: Some(2),
            jobs_per_minute: None,
            is_paused: false,
            has_limits: false,
            is_shared: true,
            rules: 1,
        };
        let open_host = HostOpen { holder, lanes: vec![open(1)], is_waiting: true };
        let version = Version::from("7".to_owned());
        let look = TurnLook { open: open_host, version, shares: Vec::new(), heads, empty: vec![open(2)] };
        Foresight::of(look, 3, &[], NOW)
    }

    fn numbers(foresight: &Foresight, lane: u8) -> Vec<u8> {
        let heads = foresight.heads(&[LaneRoom::new(open(lane).lane_id, 99)]);
        heads.iter().map(|head| head.job_id.to_bytes()[0]).collect()
    }

    fn came(lane: u8, heads: Option<Vec<Head>>) -> Came {
        let mut came = Came::default();
        came.note(open(lane).lane_id, heads);
        came
    }

    #[test]
    fn it_is_enough_while_it_is_fresh_and_holds_what_can_be_taken() {
        let full = foresight(vec![head(1, 1, 5), head(1, 2, 5), head(1, 3, 5)]);
        assert!(full.is_enough(3, NOW) && !full.is_enough(4, NOW), "the lane may hold more");
        assert!(!full.is_enough(1, NOW + KEPT_FOR), "others may have put something before it");
        let whole = foresight(vec![head(1, 1, 5), head(1, 2, 5)]);
        assert!(whole.is_enough(9, NOW), "that is all there is");
        let left = Left { more: -1, recent: Recent::default(), shares: BTreeMap::new() };
        let unwritten = whole.after(left, &[], Version::default());
        assert!(!unwritten.is_enough(1, NOW), "nobody knows which version was written");
        assert_eq!(unwritten.holder.running, 1);
    }

    #[test]
    fn what_comes_joins_in_order_as_far_as_a_lane_was_seen() {
        let nobody = HashMap::new();
        let full = foresight(vec![head(1, 1, 5), head(1, 2, 5), head(1, 3, 5)]);
        let both = full.with(came(1, Some(vec![head(1, 9, 5), head(1, 8, 1)])), &nobody).expect("is known");
        assert_eq!(numbers(&both, 1), [8, 1, 2, 3], "behind the last there is more than what came");
        let other = both.with(came(2, Some(vec![head(2, 7, 5)])), &nobody).expect("an empty lane is open, too");
        assert_eq!((numbers(&other, 2), other.open().lanes.len()), (vec![7], 2));
        let again = other.with(came(2, Some(vec![head(2, 7, 5)])), &nobody).expect("is known");
        assert_eq!(numbers(&again, 2), [7], "once");
        assert!(again.with(came(3, Some(Vec::new())), &nobody).is_none(), "nobody knows whether that lane is open");
        assert!(foresight(Vec::new()).with(came(1, None), &nobody).is_none(), "nobody knows what came");
    }

    #[test]
    fn what_is_read_behind_its_end_follows_it() {
        let nobody = HashMap::new();
        let few = foresight(vec![head(1, 1, 5), head(1, 2, 5), head(1, 3, 5)]);
        let ends = few.ends().expect("there is not much left");
        assert_eq!(ends.iter().map(|lane| lane.lane_id).collect::<Vec<_>>(), [open(1).lane_id], "the other is empty");
        let read = |ends: &[LaneRoom]| Came::read(&[head(1, 3, 5), head(1, 4, 5), head(1, 5, 5)], ends);
        let more = few.with(read(&ends), &nobody).expect("is known");
        assert_eq!(numbers(&more, 1), [1, 2, 3, 4, 5]);
        let late = more.with(read(&ends), &nobody).expect("is known");
        assert_eq!(numbers(&late, 1), [1, 2, 3, 4, 5], "it has another end by now");
        assert_eq!(foresight(vec![head(1, 1, 5)]).ends(), None, "there is nothing behind it");
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        assert!(!foresight(vec![head(1, 1, 5)]).is_heavy());
        let large = job(1, 1, 5, json!("x".repeat(BYTES_MAX)));
        assert!(foresight(vec![Head::waiting(&large)]).is_heavy());
    }
}
