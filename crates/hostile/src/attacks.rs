//! Each kind of frame in each hostile variant.

use domain::{
    string_enum,
    sync::{SyncPriority, frame::Row},
};
use serde_json::{Value, json};

use crate::{
    channel::RawFrame,
    frames::{FrameKind, Shape, frame},
    names::{KnownIds, Names},
    rows::{RowKind, deleted, row},
};

string_enum! {
    /// The hostile property of a frame.
    pub enum Variant {
        /// It is about things of a host that the sender is not.
        ForeignHost = "foreign_host",
        /// It has the id of another org in place of every id.
        ForeignOrg = "foreign_org",
        /// It is about things of a host that was removed.
        Removed = "removed",
        /// Its values are nested deeper than anything a person writes.
        Deep = "deep",
        /// It is as large as a frame may be.
        Huge = "huge",
        /// It is sent several times.
        Repeated = "repeated",
        /// Its numbers run backwards.
        Reordered = "reordered",
        /// Its numbers are those of other epochs: of runs, sessions and histories.
        OtherEpoch = "other_epoch",
    }
}

/// Nesting that a JSON parser still accepts; rows are packed and nested deeper, see [`DEPTH_PACKED`].
const DEPTH: usize = 100;
/// Nesting that a JSON parser rejects and a MessagePack parser accepts.
pub const DEPTH_PACKED: usize = 200;
/// Entries of a list that fill most of a frame.
const ITEMS_HUGE: usize = 6_000;
/// A text as long as one row may be; all rows together stay within the largest page.
const TEXT_HUGE: usize = 400 * 1024;

/// How a page is numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PagePlace {
    /// After the position that the hub requested.
    Next,
    /// After a gap, and its rows in reverse order.
    Gap,
    /// In the last epoch that the format can express.
    LastEpoch,
}

/// One action of an attacker.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Frame(RawFrame),
    /// A page of rows, as the answer to the hub's current request.
    Page(Page),
}

/// A page of rows without its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub priority: SyncPriority,
    pub rows: Vec<Row<Value>>,
    pub place: PagePlace,
    pub is_packed: bool,
}

impl Page {
    /// The next page, with these rows.
    #[must_use]
    pub const fn next(priority: SyncPriority, rows: Vec<Row<Value>>) -> Self {
        Self { priority, rows, place: PagePlace::Next, is_packed: true }
    }
}

/// The steps of a variant of a kind.
#[must_use]
pub fn steps(kind: FrameKind, variant: Variant, known: &KnownIds) -> Vec<Step> {
    let plain = Shape::plain();
    let of = |names: &Names, shape: Shape| steps_of(kind, names, &shape, PagePlace::Next);
    match variant {
        Variant::ForeignHost => of(&known.victim, plain),
        Variant::ForeignOrg => of(&known.victim.under_org(), plain),
        Variant::Removed => of(&known.removed, plain),
        Variant::Deep => of(&known.own, Shape { depth: DEPTH, ..plain }),
        Variant::Huge => {
            let huge = match kind {
                // Their lists have texts: one of both fills the frame.
                FrameKind::Results | FrameKind::Started | FrameKind::Inventory | FrameKind::Heartbeat => {
                    Shape { items: ITEMS_HUGE, ..plain }
                }
                FrameKind::CatchUp | FrameKind::Sums => Shape { items: ITEMS_HUGE, ..plain },
                FrameKind::Log => Shape { items: 1_500, text_bytes: 500, ..plain },
                _ => Shape { text_bytes: TEXT_HUGE, ..plain },
            };
            of(&known.own, huge)
        }
        Variant::Repeated => {
            let once = of(&known.victim, plain);
            [once.clone(), once.clone(), once].concat()
        }
        Variant::Reordered => {
            let late = Shape { number: 9, ..plain };
            let late = steps_of(kind, &known.victim, &late, PagePlace::Gap);
            [late, of(&known.victim, plain)].concat()
        }
        Variant::OtherEpoch => {
            let other = Shape { fence_shift: 1_000, epoch: u32::MAX, number: 1 << 62, ..plain };
            steps_of(kind, &known.victim, &other, PagePlace::LastEpoch)
        }
    }
}

fn steps_of(kind: FrameKind, names: &Names, shape: &Shape, place: PagePlace) -> Vec<Step> {
    let alone = Step::Frame(frame(kind, names, shape));
    if kind != FrameKind::Response {
        return vec![alone];
    }
    let shape = Shape { depth: if shape.depth == 0 { 0 } else { DEPTH_PACKED }, ..*shape };
    // Packed frames only where text cannot express the page: the hub may handle packed pages of output late.
    let is_packed = shape.depth > 0 || shape.text_bytes > 1_000;
    let page = |priority, make: &dyn Fn(RowKind) -> Row<Value>| {
        let kinds = RowKind::ALL.iter().copied().filter(|kind| kind.priority() == priority);
        Step::Page(Page { priority, rows: kinds.map(make).collect(), place, is_packed })
    };
    let mut steps = vec![alone];
    for priority in SyncPriority::ALL {
        steps.push(page(*priority, &|kind| row(kind, names, &shape)));
        steps.push(page(*priority, &|kind| deleted(kind, names, &shape, json!({"x": 1}))));
        steps.push(page(*priority, &|kind| deleted(kind, names, &shape, Value::Null)));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_every_variant_within_a_frame() {
        let names = |byte| Names::all([byte; 16]);
        let known = KnownIds { own: names(1), victim: names(2), removed: names(3) };
        for (kind, variant) in FrameKind::ALL.iter().flat_map(|kind| Variant::ALL.iter().map(move |one| (*kind, *one)))
        {
            let steps = steps(kind, variant, &known);
            assert!(!steps.is_empty(), "{kind} {variant}");
            for step in steps {
                let Step::Frame(frame) = step else { continue };
                assert!(frame.len() <= proto::link::FRAME_BYTES_MAX, "{kind} {variant}: {} bytes", frame.len());
            }
        }
    }
}
