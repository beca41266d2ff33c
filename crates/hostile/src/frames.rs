//! One frame of every kind that a runner can send, for given ids and sizes.

use domain::{
    Timestamp,
    job::RunStatus,
    string_enum,
    sync::{
        SchemaRange, SyncPriority,
        digest::Digest,
        frame::{FromOrigin, Received, Response, TableSum, Witness},
    },
};
use proto::{
    link::{Bytes64, Goodbye, Heartbeat, Proof, Rotate, ToHub},
    metrics::{HostMetrics, ServerMetrics},
    sync::Packed,
    work::{Inventory, Log, LogLine, Ordered, ProgressFrame, Results, RunRef, RunResult, Started, Stream},
};
use serde_json::{Value, json};

pub use crate::shape::Shape;
use crate::{
    channel::{RawFrame, hello, text_of},
    names::Names,
    rows::{AT, nested},
};

string_enum! {
    /// The kinds of frames of a runner.
    pub enum FrameKind {
        Hello = "hello",
        Proof = "proof",
        Rotate = "rotate",
        Heartbeat = "heartbeat",
        Goodbye = "goodbye",
        Inventory = "inventory",
        Credit = "credit",
        Results = "results",
        Started = "started",
        Log = "log",
        Progress = "progress",
        Ordered = "ordered",
        CatchUp = "catch_up",
        Response = "sync_response",
        Sums = "sync_sums",
        Hint = "sync_hint",
    }
}

impl FrameKind {
    /// The kind of a frame; `None` for a replication frame that cannot be parsed. A new frame does not compile here until
    /// it has a kind, and a new kind does not compile in [`frame`] until it has a hostile frame.
    #[must_use]
    pub fn of(frame: &ToHub) -> Option<Self> {
        Some(match frame {
            ToHub::Hello(_) => Self::Hello,
            ToHub::Proof(_) => Self::Proof,
            ToHub::Rotate(_) => Self::Rotate,
            ToHub::Heartbeat(_) => Self::Heartbeat,
            ToHub::Goodbye(_) => Self::Goodbye,
            ToHub::Inventory(_) => Self::Inventory,
            ToHub::Credit { .. } => Self::Credit,
            ToHub::Results(_) => Self::Results,
            ToHub::Started { .. } => Self::Started,
            ToHub::Log(_) => Self::Log,
            ToHub::Progress(_) => Self::Progress,
            ToHub::Ordered(_) => Self::Ordered,
            ToHub::Sync(packed) => return packed.origin().ok().map(|frame| Self::of_rows(&frame)),
        })
    }

    /// The kind of a replication frame.
    #[must_use]
    pub fn of_rows<B>(frame: &FromOrigin<B>) -> Self {
        match frame {
            FromOrigin::CatchUp { .. } => Self::CatchUp,
            FromOrigin::Response(_) => Self::Response,
            FromOrigin::Sums { .. } => Self::Sums,
            FromOrigin::Hint { .. } => Self::Hint,
        }
    }
}

/// The frame of a kind about these things. Pages of rows are made by the session, which knows the request they answer:
/// see [`crate::attacks`]; here a page is the answer to no request.
#[must_use]
pub fn frame(kind: FrameKind, names: &Names, shape: &Shape) -> RawFrame {
    let raw = match kind {
        FrameKind::CatchUp | FrameKind::Response | FrameKind::Sums | FrameKind::Hint => {
            packed(&rows_frame(kind, names, shape), false)
        }
        FrameKind::Hello | FrameKind::Proof | FrameKind::Rotate | FrameKind::Heartbeat | FrameKind::Goodbye => {
            text_of(&session_frame(kind, names, shape))
        }
        FrameKind::Inventory
        | FrameKind::Credit
        | FrameKind::Results
        | FrameKind::Started
        | FrameKind::Log
        | FrameKind::Progress
        | FrameKind::Ordered => text_of(&work_frame(kind, names, shape)),
    };
    if shape.depth == 0 { raw } else { with_deep_field(raw, shape.depth) }
}

/// A replication frame in one of its two encodings.
#[must_use]
pub fn packed(frame: &FromOrigin<Value>, is_packed: bool) -> RawFrame {
    match Packed::from_origin(frame, is_packed).expect("frames can be encoded") {
        Packed::Text(text) => RawFrame::Text(text),
        Packed::Binary(bytes) => RawFrame::Binary(bytes),
    }
}

/// Adds an unknown field with a nested value: parsers must bound their stack for fields that they skip, too.
fn with_deep_field(frame: RawFrame, depth: usize) -> RawFrame {
    match frame {
        RawFrame::Text(text) => {
            let body = text.strip_suffix('}').unwrap_or(&text);
            RawFrame::Text(format!("{body},\"deep\":{}}}", nested(depth, "deep")))
        }
        binary => binary,
    }
}

fn session_frame(kind: FrameKind, names: &Names, shape: &Shape) -> ToHub {
    match kind {
        FrameKind::Hello => {
            let queues: Vec<String> = (0..shape.items).map(|number| format!("payments-{number}")).collect();
            let mut hello = hello(names.host, &shape.text(), &[]);
            hello.queues = queues;
            hello.name = Some(shape.text());
            hello.key_version = hello.key_version.wrapping_add(shape.fence_shift);
            ToHub::Hello(Box::new(hello))
        }
        FrameKind::Proof => ToHub::Proof(Proof { signature: Bytes64([0; 64]) }),
        FrameKind::Rotate => {
            let version = 2_i32.wrapping_add(shape.fence_shift);
            let none = Bytes64([0; 64]);
            // The neutral element of the curve: a lax check accepts one signature for every message under it.
            let public_key = proto::link::Bytes32(std::array::from_fn(|place| u8::from(place == 0)));
            ToHub::Rotate(Rotate { version, public_key, signature: none, possession: none })
        }
        FrameKind::Goodbye => ToHub::Goodbye(Goodbye { reason: shape.text() }),
        _ => {
            let mut server = ServerMetrics { id: names.server, cpu_percent: 50.0, memory_bytes: 1 << 40, processes: 1 };
            let servers = (0..shape.items).map(|number| {
                if number > 0 {
                    server.id = domain::ServerId::from_bytes((number as u128).to_be_bytes());
                }
                server.clone()
            });
            let metrics = HostMetrics { servers: servers.collect(), ..HostMetrics::default() };
            ToHub::Heartbeat(Heartbeat {
                seq: shape.number,
                time: Timestamp::from_micros(253_402_000_000_000_000),
                round_trip_ms: Some(u32::MAX),
                metrics,
            })
        }
    }
}

fn work_frame(kind: FrameKind, names: &Names, shape: &Shape) -> ToHub {
    let (job, fence, run) = (names.job, names.fence.wrapping_add(shape.fence_shift), names.run);
    let fences = || (0..shape.items).map(|number| fence.wrapping_add(i32::try_from(number).unwrap_or(0)));
    match kind {
        FrameKind::Inventory => {
            ToHub::Inventory(Inventory { runs: fences().map(|fence| RunRef { job, fence }).collect() })
        }
        FrameKind::Credit => ToHub::Credit { limit: shape.number.wrapping_mul(u64::MAX / 3) },
        FrameKind::Results => {
            let result = |fence| RunResult {
                exit_code: Some(3),
                error: Some(shape.text()),
                started_at: Some(AT),
                output: Some(nested(shape.depth, "output")),
                ..RunResult::new(job, fence, RunStatus::Failed)
            };
            // Only one long text: the other results would exceed the frame.
            let mut results: Vec<RunResult> =
                fences().map(|fence| RunResult::new(job, fence, RunStatus::Failed)).collect();
            if let Some(first) = results.first_mut() {
                *first = result(first.fence);
            }
            ToHub::Results(Results {
                after: shape.signed() - 1,
                through: shape.signed(),
                results,
                credit: Some(u64::MAX),
            })
        }
        FrameKind::Started => ToHub::Started { runs: fences().map(|fence| Started { job, fence, pid: 1 }).collect() },
        FrameKind::Log => {
            let line = |no| LogLine { no, at: AT, stream: Stream::Stdout, text: shape.short(), is_cut: false };
            let lines = (0..shape.items as u64).map(|no| line(shape.number + no)).collect();
            ToHub::Log(Log { job, fence, run, lines })
        }
        FrameKind::Progress => ToHub::Progress(ProgressFrame { job, fence, percent: 99, message: shape.text() }),
        _ => ToHub::Ordered(Ordered { id: names.order, error: Some(shape.text()) }),
    }
}

fn rows_frame(kind: FrameKind, names: &Names, shape: &Shape) -> FromOrigin<Value> {
    let place = shape.place();
    match kind {
        FrameKind::CatchUp => {
            let witness = |number: usize| Witness {
                origin: if number == 0 {
                    names.host
                } else {
                    domain::HostId::from_bytes((number as u128).to_be_bytes())
                },
                priority: SyncPriority::Control,
                place,
            };
            FromOrigin::CatchUp {
                schema: SchemaRange { min: 1, version: 1 },
                received: Some(received(shape.epoch, shape.number)),
                is_doubting: true,
                seen: (0..shape.items).map(witness).collect(),
            }
        }
        FrameKind::Response => FromOrigin::Response(Response {
            req: u64::MAX,
            priority: SyncPriority::Control,
            epoch: shape.epoch,
            from: 0,
            upto: place,
            head: place,
            has_more: false,
            is_reset: true,
            floor: 0,
            rows: Vec::new(),
        }),
        FrameKind::Sums => {
            let sum = |number: usize| TableSum {
                table: if number == 0 { "job".into() } else { format!("table-{number}").into() },
                digest: Digest { rows: u64::MAX, sum: 1 },
            };
            let sums = (0..shape.items).map(sum).collect();
            FromOrigin::Sums { req: shape.number, priority: SyncPriority::Control, at: place, sums }
        }
        _ => FromOrigin::Hint { priority: SyncPriority::Bulk },
    }
}

/// A position of the hub's own log, as a runner without signatures of the hub reports it.
#[must_use]
pub fn received(epoch: u32, hseq: u64) -> Received {
    let body = json!({"hub": {"number": epoch, "id": 1}, "hseq": hseq, "mark": 1});
    serde_json::from_value(body).expect("a position")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_frame_of_that_kind() {
        for kind in FrameKind::ALL {
            let RawFrame::Text(text) = frame(*kind, &Names::all([9; 16]), &Shape::plain()) else {
                panic!("{kind} is text")
            };
            let parsed = ToHub::parse(&text).unwrap_or_else(|error| panic!("{kind} cannot be parsed: {error}"));
            assert_eq!(FrameKind::of(&parsed), Some(*kind));
        }
    }

    #[test]
    fn deep_frames_are_nested_deeper_than_a_hub_stores() {
        let RawFrame::Text(text) = frame(FrameKind::Hint, &Names::all([9; 16]), &Shape { depth: 60, ..Shape::plain() })
        else {
            panic!("is text")
        };
        assert_eq!(text.matches('[').count(), 60);
        assert!(serde_json::from_str::<Value>(&text).is_ok());
    }
}
