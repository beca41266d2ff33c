//! Lane cursors: the position from which the next claim reads a lane.
//!
//! PostgreSQL keeps deleted rows until vacuum, and a claim from the start of a lane walks over all of them again: with a
//! pinned snapshot, draining took 2.3 times as long. Concurrent claims would also walk over the rows that the others have
//! locked, so large claims read one after the other, each behind the range that the claim before has reserved.
//!
//! A cursor is a hint. It is dropped after [`FULL_SCAN_EVERY`], when a job is inserted before it, when a read returns
//! fewer heads than requested, and when a claim that has reserved a range is not committed.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use domain::{LaneId, Span, Timestamp};
use store::claim::{Head, LaneCapacity, NewLease, Position};

use crate::Hub;

/// Longest life of a cursor. Another hub may have inserted a job before it.
const FULL_SCAN_EVERY: Span = Span::from_millis(500);

struct Cursor {
    position: Position,
    /// Time of the last read from the start of the lane.
    full_scan_at: Timestamp,
}

/// The read of one lane by a claim.
pub(crate) struct LaneScan {
    lane: LaneId,
    /// Position from which the lane was read; `None` for its start.
    from: Option<Position>,
    /// Whether the read returned as many heads as requested.
    is_full: bool,
    last_read: Option<Position>,
    /// Whether the cursor was moved to `last_read` before the claim was committed.
    is_reserved: bool,
    last_claimed: Option<Position>,
}

impl LaneScan {
    /// The reads of these lanes, by the heads they returned.
    pub(crate) fn of(lanes: &[LaneCapacity], heads: &[Head]) -> Vec<Self> {
        let mut found: HashMap<LaneId, (u32, Position)> = HashMap::new();
        for head in heads {
            let (count, last) = found.entry(head.lane_id).or_insert((0, head.position()));
            (*count, *last) = (*count + 1, head.position().max(*last));
        }
        let scan = |lane: &LaneCapacity| {
            let found = found.get(&lane.lane_id);
            Self {
                lane: lane.lane_id,
                from: lane.from,
                is_full: found.is_some_and(|(count, _)| *count >= lane.capacity),
                last_read: found.map(|(_, last)| *last),
                is_reserved: false,
                last_claimed: None,
            }
        };
        lanes.iter().map(scan).collect()
    }

    /// Whether there may be jobs before the cursor that the read has skipped.
    pub(crate) fn may_have_skipped(&self) -> bool {
        self.from.is_some() && !self.is_full
    }

    /// Notes the last claimed position of each lane.
    pub(crate) fn note_claimed(scans: &mut [Self], leases: &[NewLease]) {
        let mut last: HashMap<LaneId, Position> = HashMap::new();
        for lease in leases {
            let position = lease.head.position();
            last.entry(lease.head.lane_id).and_modify(|last| *last = position.max(*last)).or_insert(position);
        }
        for scan in scans {
            scan.last_claimed = last.get(&scan.lane).copied();
        }
    }
}

/// The cursors of lanes that were full when they were last read.
#[derive(Default)]
pub(crate) struct LaneCursors {
    cursors: Mutex<HashMap<LaneId, Cursor>>,
    /// Held by a large claim while it reads heads. That query skips locked rows, so it never waits.
    large_read: tokio::sync::Mutex<()>,
}

/// Lanes whose cursors were moved behind rows that a claim has locked. Dropping it resets them.
pub(crate) struct ReservedRange {
    hub: Hub,
    lanes: Vec<LaneId>,
}

impl Drop for ReservedRange {
    fn drop(&mut self) {
        self.lanes.iter().for_each(|lane| self.hub.queue.lane_cursors.reset(*lane));
    }
}

impl LaneCursors {
    fn cursors(&self) -> std::sync::MutexGuard<'_, HashMap<LaneId, Cursor>> {
        self.cursors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other large claim reads heads.
    pub(crate) async fn large_read(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.large_read.lock().await
    }

    /// Moves the cursors of full lanes behind the rows that were read and locked.
    pub(crate) fn reserve(&self, hub: &Hub, scans: &mut [LaneScan], now: Timestamp) -> ReservedRange {
        let mut lanes = Vec::new();
        for scan in scans.iter_mut().filter(|scan| scan.is_full) {
            let Some(last) = scan.last_read else { continue };
            self.advance(scan.lane, last, scan.from, now);
            scan.is_reserved = true;
            lanes.push(scan.lane);
        }
        ReservedRange { hub: hub.clone(), lanes }
    }

    /// Position from which to read a lane; `None` for its start.
    pub(crate) fn get(&self, lane: LaneId, now: Timestamp) -> Option<Position> {
        let cursors = self.cursors();
        cursors
            .get(&lane)
            .filter(|cursor| now.since(cursor.full_scan_at) < FULL_SCAN_EVERY)
            .map(|cursor| cursor.position)
    }

    /// Lanes that were full when they were last read.
    pub(crate) fn full_lanes(&self, now: Timestamp) -> Vec<LaneId> {
        let mut cursors = self.cursors();
        cursors.retain(|_, cursor| now.since(cursor.full_scan_at) < FULL_SCAN_EVERY);
        cursors.keys().copied().collect()
    }

    /// Applies the reads of a claim that was committed.
    pub(crate) fn settle(&self, scans: &[LaneScan], reserved: Option<ReservedRange>, now: Timestamp) {
        if let Some(mut reserved) = reserved {
            reserved.lanes.clear();
        }
        for scan in scans {
            match scan.last_claimed {
                _ if !scan.is_full => self.reset(scan.lane),
                last if scan.is_reserved && last == scan.last_read => {}
                _ if scan.is_reserved => self.reset(scan.lane),
                Some(last) => self.advance(scan.lane, last, scan.from, now),
                None => {}
            }
        }
    }

    fn advance(&self, lane: LaneId, position: Position, from: Option<Position>, now: Timestamp) {
        let mut cursors = self.cursors();
        match (cursors.get_mut(&lane), from) {
            (Some(cursor), Some(_)) => cursor.position = cursor.position.max(position),
            // The cursor was reset after the read began; only a read from the start may set it again.
            (None, Some(_)) => {}
            (_, None) => drop(cursors.insert(lane, Cursor { position, full_scan_at: now })),
        }
    }

    /// A job was inserted into a lane at this position.
    pub(crate) fn inserted(&self, lane: LaneId, position: Position) {
        let mut cursors = self.cursors();
        if cursors.get(&lane).is_some_and(|cursor| position < cursor.position) {
            cursors.remove(&lane);
        }
    }

    /// The next claim reads this lane from its start.
    pub(crate) fn reset(&self, lane: LaneId) {
        self.cursors().remove(&lane);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(micros: i64) -> Position {
        Position { priority: 100, due_at: Timestamp::from_micros(micros), job_id: domain::JobId::from_bytes([1; 16]) }
    }

    #[test]
    fn cursor_moves_forward_until_the_next_full_scan() {
        let (cursors, lane, now) = (LaneCursors::default(), LaneId::from_bytes([7; 16]), Timestamp::from_micros(0));
        assert_eq!(cursors.get(lane, now), None);
        cursors.advance(lane, position(5), None, now);
        assert_eq!((cursors.get(lane, now), cursors.full_lanes(now)), (Some(position(5)), vec![lane]));
        cursors.advance(lane, position(9), Some(position(5)), now + Span::from_millis(100));
        assert_eq!(cursors.get(lane, now + Span::from_millis(499)), Some(position(9)));
        assert_eq!(cursors.get(lane, now + FULL_SCAN_EVERY), None, "another hub may have inserted a job before it");
        assert!(cursors.full_lanes(now + FULL_SCAN_EVERY).is_empty());
    }

    #[test]
    fn job_inserted_before_the_cursor_resets_it() {
        let (cursors, lane, now) = (LaneCursors::default(), LaneId::from_bytes([7; 16]), Timestamp::from_micros(0));
        cursors.advance(lane, position(5), None, now);
        cursors.inserted(lane, position(6));
        assert_eq!(cursors.get(lane, now), Some(position(5)));
        cursors.inserted(lane, Position { priority: 1, ..position(6) });
        assert_eq!(cursors.get(lane, now), None);
        cursors.advance(lane, position(9), Some(position(5)), now);
        assert_eq!(cursors.get(lane, now), None, "a read from the old cursor has not seen the inserted job");
        cursors.advance(lane, position(9), None, now);
        cursors.reset(lane);
        assert_eq!(cursors.get(lane, now), None);
    }
}
