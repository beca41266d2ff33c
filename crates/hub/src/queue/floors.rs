//! Where the heads of lanes were taken last: the next claim begins to look there.
//!
//! PostgreSQL keeps what was taken until it is cleaned up, and a claim that begins at the start of its lane would walk over
//! all of it again. Nor need those who claim side by side walk over what the other has locked: large claims look for their
//! heads one after the other, and each begins behind the one before. Only hints: a lane is looked at from its start again
//! before long, when something comes in before its floor, when it seems to hold less than was asked for, and when a claim has
//! come to nothing.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use domain::{LaneId, Span, Timestamp};
use store::claim::{Head, LaneRoom, NewLease, Spot};

use crate::Hub;

/// A lane is looked at from its start so often. Other hubs may have put something there.
const WHOLE_EVERY: Span = Span::from_millis(500);

struct Floor {
    spot: Spot,
    /// When it was last looked at from its start.
    whole_at: Timestamp,
}

/// What a claim has seen of a lane.
pub(super) struct Look {
    lane: LaneId,
    /// Where it began to look.
    from: Option<Spot>,
    /// Whether the lane had as much as was asked for.
    is_full: bool,
    /// The last that was seen.
    seen: Option<Spot>,
    /// Whether the floor was raised to that before anything was taken.
    is_raised: bool,
    /// The last that was taken.
    last: Option<Spot>,
}

impl Look {
    /// What these heads say about the lanes they were asked of.
    pub(super) fn of(rooms: &[LaneRoom], heads: &[Head]) -> Vec<Self> {
        let mut found: HashMap<LaneId, (u32, Spot)> = HashMap::new();
        for head in heads {
            let (count, last) = found.entry(head.lane_id).or_insert((0, head.spot()));
            (*count, *last) = (*count + 1, head.spot().max(*last));
        }
        let look = |lane: &LaneRoom| {
            let found = found.get(&lane.lane_id);
            let is_full = found.is_some_and(|(count, _)| *count >= lane.room);
            let seen = found.map(|(_, last)| *last);
            Self { lane: lane.lane_id, from: lane.from, is_full, seen, is_raised: false, last: None }
        };
        rooms.iter().map(look).collect()
    }

    /// Of a lane that was seen from here on, and may hold more.
    pub(super) const fn seen(lane: LaneId, from: Option<Spot>, is_full: bool) -> Self {
        Self { lane, from, is_full, seen: None, is_raised: false, last: None }
    }

    /// Whether there may be something that it did not look at.
    pub(super) fn has_missed(&self) -> bool {
        self.from.is_some() && !self.is_full
    }

    /// Notes what was taken.
    pub(super) fn note(looks: &mut [Self], leases: &[NewLease]) {
        let mut last: HashMap<LaneId, Spot> = HashMap::new();
        for lease in leases {
            let spot = lease.head.spot();
            last.entry(lease.head.lane_id).and_modify(|last| *last = spot.max(*last)).or_insert(spot);
        }
        for look in looks {
            look.last = last.get(&look.lane).copied();
        }
    }
}

/// The floors of lanes that were full lately.
#[derive(Default)]
pub(crate) struct Floors {
    floors: Mutex<HashMap<LaneId, Floor>>,
    /// Held by a large claim while it looks for its heads. What it asks waits for nobody.
    looking: tokio::sync::Mutex<()>,
}

/// Lanes whose floors were raised to what a claim has locked. Put down again if nothing comes of it.
pub(super) struct Raised {
    hub: Hub,
    lanes: Vec<LaneId>,
}

impl Drop for Raised {
    fn drop(&mut self) {
        self.lanes.iter().for_each(|lane| self.hub.queue.floors.lower(*lane));
    }
}

impl Floors {
    fn inner(&self) -> std::sync::MutexGuard<'_, HashMap<LaneId, Floor>> {
        self.floors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turn to look for the heads of a large claim.
    pub(super) async fn turn(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.looking.lock().await
    }

    /// What was seen is locked: others need not look before it.
    pub(super) fn raise_ahead(&self, hub: &Hub, looks: &mut [Look], now: Timestamp) -> Raised {
        let mut lanes = Vec::new();
        for look in looks.iter_mut().filter(|look| look.is_full) {
            let Some(seen) = look.seen else { continue };
            self.raise(look.lane, seen, look.from, now);
            look.is_raised = true;
            lanes.push(look.lane);
        }
        Raised { hub: hub.clone(), lanes }
    }

    /// From where on to look for the heads of a lane; `None` for its start.
    pub(super) fn of(&self, lane: LaneId, now: Timestamp) -> Option<Spot> {
        self.inner().get(&lane).filter(|floor| now.since(floor.whole_at) < WHOLE_EVERY).map(|floor| floor.spot)
    }

    /// The lanes that held more than was asked for a moment ago.
    pub(super) fn full(&self, now: Timestamp) -> Vec<LaneId> {
        let mut inner = self.inner();
        inner.retain(|_, floor| now.since(floor.whole_at) < WHOLE_EVERY);
        inner.keys().copied().collect()
    }

    /// A claim has taken what it saw, or some of it.
    pub(super) fn settle(&self, looks: &[Look], raised: Option<Raised>, now: Timestamp) {
        if let Some(mut raised) = raised {
            raised.lanes.clear();
        }
        for look in looks {
            match look.last {
                _ if !look.is_full => self.lower(look.lane),
                last if look.is_raised && last == look.seen => {}
                _ if look.is_raised => self.lower(look.lane),
                Some(last) => self.raise(look.lane, last, look.from, now),
                None => {}
            }
        }
    }

    fn raise(&self, lane: LaneId, spot: Spot, from: Option<Spot>, now: Timestamp) {
        let mut inner = self.inner();
        match (inner.get_mut(&lane), from) {
            (Some(floor), Some(_)) => floor.spot = floor.spot.max(spot),
            // Somebody has put it down meanwhile: only who looks from the start may raise it again.
            (None, Some(_)) => {}
            (_, None) => drop(inner.insert(lane, Floor { spot, whole_at: now })),
        }
    }

    /// Something came into a lane there.
    pub(crate) fn came(&self, lane: LaneId, spot: Spot) {
        let mut inner = self.inner();
        if inner.get(&lane).is_some_and(|floor| spot < floor.spot) {
            inner.remove(&lane);
        }
    }

    /// Something came into a lane, or there is not much in it.
    pub(crate) fn lower(&self, lane: LaneId) {
        self.inner().remove(&lane);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(micros: i64) -> Spot {
        Spot { priority: 100, due_at: Timestamp::from_micros(micros), job_id: domain::JobId::from_bytes([1; 16]) }
    }

    #[test]
    fn a_lane_is_looked_at_from_where_it_was_left_and_from_its_start_before_long() {
        let (floors, lane, now) = (Floors::default(), LaneId::from_bytes([7; 16]), Timestamp::from_micros(0));
        assert_eq!(floors.of(lane, now), None);
        floors.raise(lane, spot(5), None, now);
        assert_eq!((floors.of(lane, now), floors.full(now)), (Some(spot(5)), vec![lane]));
        floors.raise(lane, spot(9), Some(spot(5)), now + Span::from_millis(100));
        assert_eq!(floors.of(lane, now + Span::from_millis(499)), Some(spot(9)));
        assert_eq!(floors.of(lane, now + WHOLE_EVERY), None, "others may have put something before it");
        assert!(floors.full(now + WHOLE_EVERY).is_empty());
    }

    #[test]
    fn what_comes_before_it_puts_it_down() {
        let (floors, lane, now) = (Floors::default(), LaneId::from_bytes([7; 16]), Timestamp::from_micros(0));
        floors.raise(lane, spot(5), None, now);
        floors.came(lane, spot(6));
        assert_eq!(floors.of(lane, now), Some(spot(5)));
        floors.came(lane, Spot { priority: 1, ..spot(6) });
        assert_eq!(floors.of(lane, now), None);
        floors.raise(lane, spot(9), Some(spot(5)), now);
        assert_eq!(floors.of(lane, now), None, "who looked from the old floor has not seen what came");
        floors.raise(lane, spot(9), None, now);
        floors.lower(lane);
        assert_eq!(floors.of(lane, now), None);
    }
}
