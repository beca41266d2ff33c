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
    claim::{Claimed, Head, Holder, HostOpen, LaneRoom, OpenLane, Spot, TurnLook},
    insert::Lease,
};

use super::{floors::Look, grant::length, turn::HEADS_MAX};
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
/// So many heads of one lane are remembered.
const KEPT_MAX: usize = 256;

/// A lane, and what waits in it.
struct Lane {
    open: OpenLane,
    /// In their order.
    heads: Vec<Kept>,
    /// Whether that is all there is in it.
    is_whole: bool,
    /// The last that was seen, also if it was taken since.
    end: Option<Spot>,
    /// Whether there may be something behind that: not if somebody has found nothing there.
    has_more: bool,
}

/// A head, and how large what it is to run is.
struct Kept {
    head: Head,
    bytes: usize,
}

impl Kept {
    fn new(head: Head) -> Self {
        let bytes = |job: &Claimed| length(&job.payload) + job.sealed.as_ref().map_or(0, Vec::len);
        Self { bytes: head.job().map_or(0, bytes), head }
    }
}

impl Lane {
    fn new(open: OpenLane) -> Self {
        Self { open, heads: Vec::new(), is_whole: true, end: None, has_more: false }
    }

    fn last(&self) -> Option<Spot> {
        self.heads.last().map(|kept| kept.head.spot())
    }

    /// Takes in what was read from its end on.
    fn follow(&mut self, end: Spot, heads: Vec<Head>) {
        let before = self.heads.len();
        self.heads.extend(heads.into_iter().filter(|head| head.spot() > end).map(Kept::new));
        self.has_more = self.heads.len() > before;
        self.end = self.last().max(self.end);
    }

    /// Takes in what came, if it stands within what was seen: behind that there may be more than what came.
    fn join(&mut self, head: Head) {
        let place = self.heads.partition_point(|kept| kept.head.spot() < head.spot());
        let is_known = self.heads.get(place).is_some_and(|kept| kept.head.job_id == head.job_id);
        if !is_known && (self.is_whole || self.end.is_some_and(|end| head.spot() < end)) {
            self.heads.insert(place, Kept::new(head));
        }
        if self.heads.len() > KEPT_MAX {
            self.heads.truncate(KEPT_MAX);
            (self.is_whole, self.has_more, self.end) = (false, true, self.last());
        }
    }
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
        let mut lanes: Vec<Lane> = open.lanes.into_iter().chain(empty).map(Lane::new).collect();
        for head in heads {
            if let Some(lane) = lanes.iter_mut().find(|lane| lane.open.lane_id == head.lane_id) {
                lane.heads.push(Kept::new(head));
            }
        }
        for lane in &mut lanes {
            lane.heads.sort_by_key(|kept| kept.head.spot());
            lane.end = lane.last();
            let is_from_start = from.iter().all(|from| from.lane_id != lane.open.lane_id);
            lane.has_more = lane.heads.len() >= asked as usize;
            lane.is_whole = is_from_start && !lane.has_more;
        }
        Self { holder: open.holder, version, shares: shares.into_iter().collect(), lanes, seen_at: now }
    }

    /// Whether it can be relied on by a turn for so many jobs. Not if there are fewer: then somebody should look what else waits.
    pub(super) fn is_enough(&self, room: u32, now: Timestamp) -> bool {
        let room = room as usize;
        let is_known = self.lanes.iter().all(|lane| lane.is_whole || lane.heads.len() >= room);
        let is_plenty = self.lanes.iter().map(|lane| lane.heads.len()).sum::<usize>() >= room;
        now.since(self.seen_at) < KEPT_FOR && self.version.get().is_some() && is_known && is_plenty
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
            let heads = lane.into_iter().flat_map(|lane| &lane.heads).take(room.room as usize);
            heads.map(|kept| kept.head.clone())
        };
        rooms.iter().flat_map(of).collect()
    }

    /// What it says about lanes of which so many are taken, some looked at from where they were left: whether they hold more.
    pub(super) fn looks(&self, rooms: &[LaneRoom], from: &[LaneRoom]) -> Vec<Look> {
        let of = |room: &LaneRoom| {
            let lane = self.lanes.iter().find(|lane| lane.open.lane_id == room.lane_id)?;
            let from = from.iter().find(|from| from.lane_id == room.lane_id).and_then(|lane| lane.from);
            Some(Look::seen(room.lane_id, from, lane.heads.len() > room.room as usize))
        };
        rooms.iter().filter_map(of).collect()
    }

    /// The same where nobody has looked: nothing but how far lanes are taken that hold more.
    pub(super) fn looks_foreseen(&self) -> Vec<Look> {
        let more = self.lanes.iter().filter(|lane| !lane.is_whole);
        more.filter_map(|lane| Some(Look::seen(lane.open.lane_id, Some(lane.heads.first()?.head.spot()), true)))
            .collect()
    }

    /// The same after a turn that began with these, and was written as this version.
    pub(super) fn after(mut self, left: Left, begun: &[Lease], version: Version) -> Self {
        self.holder.running += left.more;
        (self.holder.recent, self.shares, self.version) = (left.recent, left.shares, version);
        for lane in &mut self.lanes {
            lane.heads.retain(|kept| begun.iter().all(|lease| lease.job_id != kept.head.job_id));
        }
        self
    }

    /// Whether it is too much to be kept.
    pub(super) fn is_heavy(&self) -> bool {
        self.lanes.iter().flat_map(|lane| &lane.heads).map(|kept| kept.bytes).sum::<usize>() > BYTES_MAX
    }

    /// The lanes that are open and hold nothing.
    pub(super) fn empty(&self) -> HashSet<LaneId> {
        self.lanes.iter().filter(|lane| lane.heads.is_empty()).map(|lane| lane.open.lane_id).collect()
    }

    /// All lanes in it.
    pub(super) fn lanes(&self) -> impl Iterator<Item = LaneId> + '_ {
        self.lanes.iter().map(|lane| lane.open.lane_id)
    }

    /// Up to where lanes were seen that hold more, if there is not much left of one of them.
    pub(super) fn ends(&self) -> Option<Vec<LaneRoom>> {
        let room = MORE.min(u32::try_from(HEADS_MAX / self.lanes.len().max(1)).unwrap_or(MORE));
        let more: Vec<&Lane> = self.lanes.iter().filter(|lane| lane.has_more).collect();
        let end = |lane: &&Lane| LaneRoom { from: lane.end, ..LaneRoom::new(lane.open.lane_id, room) };
        more.iter().any(|lane| lane.heads.len() < LOW).then(|| more.iter().map(end).collect())
    }

    /// The same with what has come into its lanes and what was read behind its heads, but for what was begun with meanwhile. `None`
    /// if nobody knows what has come, or whether those lanes are open.
    pub(super) fn with(mut self, came: Came, begun: &HashMap<JobId, Lease>) -> Option<Self> {
        for (lane, end, heads) in came.behind {
            // Only what was read from its end on is next to it.
            let lane = self.lanes.iter_mut().find(|known| known.open.lane_id == lane && known.end == Some(end));
            if let Some(lane) = lane {
                lane.follow(end, heads);
            }
        }
        for (lane, heads) in came.within {
            let lane = self.lanes.iter_mut().find(|known| known.open.lane_id == lane)?;
            heads?.into_iter().filter(|head| !begun.contains_key(&head.job_id)).for_each(|head| lane.join(head));
        }
        Some(self).filter(|known| !known.is_heavy())
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
    let room = ends.iter().map(|lane| lane.room).max().unwrap_or_default();
    let times = (now, now - hub.options.lost_after);
    let look = hub.store.query(move |tx| {
        Box::pin(async move { tx.turn_look(host, epoch, times, room, &from).await.map_err(Error::from) })
    });
    // If it cannot be read, the next turn looks for itself.
    let heads = look.await.ok().flatten().map(|look| look.heads).unwrap_or_default();
    hub.queue.board.has_read(host, epoch, Came::read(&heads, &ends));
}

#[cfg(test)]
mod tests {
    use domain::job::{OnLost, Source};
    use serde_json::json;
    use store::insert::NewJob;

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
        assert!(whole.is_enough(2, NOW), "that is all there is");
        assert!(!whole.is_enough(3, NOW), "somebody should look whether there is more elsewhere");
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
        let ends = late.ends().expect("there may be more");
        let none = late.with(Came::read(&[head(1, 5, 5)], &ends), &nobody).expect("is known");
        assert_eq!(none.ends(), None, "somebody has found nothing there");
    }

    #[test]
    fn only_so_many_are_kept_of_a_lane_and_the_rest_is_looked_for() {
        let mut known = foresight(vec![head(1, 1, 5)]);
        for number in 0..2 {
            let heads = (0..200_u8).map(|other| head(1, other, 10 + number)).collect();
            known.lanes[0].is_whole = true;
            let came = Came { within: HashMap::from([(open(1).lane_id, Some(heads))]), behind: Vec::new() };
            known = known.with(came, &HashMap::new()).expect("is known");
        }
        let lane = &known.lanes[0];
        assert_eq!((lane.heads.len(), lane.is_whole, lane.has_more), (KEPT_MAX, false, true));
        assert_eq!(lane.end, lane.last());
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        assert!(!foresight(vec![head(1, 1, 5)]).is_heavy());
        let large = job(1, 1, 5, json!("x".repeat(BYTES_MAX)));
        assert!(foresight(vec![Head::waiting(&large)]).is_heavy());
        let also = came(2, Some(vec![Head::waiting(&job(2, 2, 5, json!("x".repeat(BYTES_MAX))))]));
        assert!(foresight(vec![head(1, 1, 5)]).with(also, &HashMap::new()).is_none());
    }
}
