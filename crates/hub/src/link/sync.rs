//! Replication with one runner: requests its rows page by page, stores them, and forwards the hub's rows to it.
//!
//! The protocol is the state machine `HubSync`; this file gives it frames, time and transactions. It runs in a task of
//! its own, started by the first replication frame of the session: its transactions take time, and heartbeats and
//! results must not wait for them.
//!
//! The stored cursor moves in the transaction that stores the rows of a page. So nothing in memory matters: after a
//! crash or an error the hub requests again from the cursor, and rows it has already are ignored by their version.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

use domain::{
    HostSender, RunId, Span, Timestamp,
    rejection::RejectReason,
    sync::{
        doc::{Doc, StoredDoc},
        frame::{EpochTicket, FromHub, FromOrigin, HubEpoch, Received, Rejected, Response, Row, SyncError},
        hub::{HubInput, HubSync},
        tables::SCHEMA,
    },
};
use proto::{
    Code,
    link::{Bytes64, is_signed_by, signed},
    sync::Packed,
};
use serde_json::Value;
use store::replication::{Handled, HubSide};
use tokio::sync::mpsc;

use crate::{Error, Hub, Result};

/// Frames that can wait in each direction. At most one page per priority is requested at a time.
const FRAMES: usize = 8;
/// Delay before the next try after a database error.
const TRY_AGAIN: Span = Span::from_secs(2);
/// Largest sequence number that a database column can store.
const NUMBER_MAX: u64 = i64::MAX as u64;

/// Channels between a session and its replication task.
pub(super) struct ReplicationChannels {
    /// Frames from the runner.
    pub(super) from_runner: mpsc::Sender<Packed>,
    /// Frames to the runner.
    pub(super) to_runner: mpsc::Receiver<Packed>,
}

/// The runner at the other end.
pub(super) struct Whose {
    pub(super) sender: HostSender,
    pub(super) name: String,
    /// Whether the runner supports packed (compressed binary) frames.
    pub(super) is_packed: bool,
}

/// Starts the replication task of a session. It ends when the session drops the channels.
pub(super) fn begin(hub: &Hub, whose: Whose) -> ReplicationChannels {
    let (from_runner, frames) = mpsc::channel(FRAMES);
    let (sender, to_runner) = mpsc::channel(FRAMES);
    let core = HubSync::new(whose.sender.host(), SCHEMA, hub.now());
    let asking = Asking { hub: hub.clone(), whose, core, schema: SCHEMA, sender };
    hub.tasks.spawn(asking.run(frames));
    ReplicationChannels { from_runner, to_runner }
}

struct Asking {
    hub: Hub,
    whose: Whose,
    core: HubSync,
    /// Row formats that the runner sends.
    schema: domain::sync::SchemaRange,
    sender: mpsc::Sender<Packed>,
}

impl Asking {
    async fn run(mut self, mut frames: mpsc::Receiver<Packed>) {
        let mut waiting = VecDeque::new();
        let mut log = self.hub.log_head.subscribe();
        let mut has_news = false;
        loop {
            if waiting.is_empty() && !has_news {
                tokio::select! {
                    Ok(()) = log.changed() => has_news = true,
                    packed = frames.recv() => match packed {
                        None => return,
                        Some(packed) => waiting.push_back(packed),
                    },
                    () = tokio::time::sleep(self.until_wake()) => {}
                }
            }
            while let Ok(packed) = frames.try_recv() {
                waiting.push_back(packed);
            }
            // Handle pages of output last: people wait for the other rows.
            let first = waiting.iter().position(|packed| !packed.is_patient()).unwrap_or(0);
            let input = match waiting.remove(first).map(|packed| self.read(&packed)) {
                None if std::mem::take(&mut has_news) => HubInput::Changed,
                None => HubInput::Tick,
                Some(Ok(frame)) => HubInput::Received(frame),
                Some(Err(error)) => {
                    self.hub.reject(self.whose.sender.host(), RejectReason::MalformedFrame, 1, &error.to_string());
                    continue;
                }
            };
            match self.handle(input).await {
                Ok(frames) => {
                    for frame in frames {
                        if self.answer(frame).await.is_err() {
                            return;
                        }
                    }
                }
                Err(error) => {
                    tracing::warn!(host.id = %self.whose.sender.host(), error = %error, "cannot store rows of {}", self.whose.name);
                    tokio::time::sleep(TRY_AGAIN.to_duration()).await;
                    // The page in flight is lost with the state machine: request again from the stored cursor.
                    self.core = HubSync::new(self.whose.sender.host(), SCHEMA, self.hub.now()).going_on(&self.core);
                }
            }
        }
    }

    fn until_wake(&self) -> Duration {
        let now = self.hub.now();
        let at: Timestamp = self.core.wakes_at();
        if at <= now { Duration::from_millis(10) } else { at.since(now).to_duration() }
    }

    fn read(&mut self, packed: &Packed) -> Result<FromOrigin<StoredDoc>> {
        let malformed = |why: String| Error::new(Code::MalformedRequest, why);
        let frame = packed.origin().map_err(|error| malformed(error.to_string()))?;
        match frame {
            FromOrigin::Response(response) => {
                if !is_plausible(&response) {
                    return Err(malformed("the sequence numbers of a page are inconsistent".to_owned()));
                }
                Ok(FromOrigin::Response(taken_apart(response, self.schema)))
            }
            FromOrigin::CatchUp { schema, received, is_doubting, seen } => {
                self.schema = schema;
                // This hub forwards no rows of other hosts, so no runner knows a position of one. A position decides
                // whether its host sends all rows again, so another host must not report it.
                if let Some(foreign) = seen.first() {
                    let detail = format!("a position of host {}", foreign.origin);
                    self.hub.reject(self.whose.sender.host(), RejectReason::ForeignPosition, seen.len(), &detail);
                }
                let received = received.map(|received| self.without_forged_ticket(received));
                Ok(FromOrigin::CatchUp { schema, received, is_doubting, seen: Vec::new() })
            }
            FromOrigin::Sums { req, priority, at, sums } => Ok(FromOrigin::Sums { req, priority, at, sums }),
            FromOrigin::Hint { priority } => Ok(FromOrigin::Hint { priority }),
        }
    }

    /// Removes the ticket of an epoch that this hub has not signed. A hub that was restored from a backup learns from such
    /// an epoch that its own one is used up, so an invented epoch would make every host receive all rows again.
    fn without_forged_ticket(&self, received: Received) -> Received {
        let HubEpoch { number, id } = received.hub;
        let key = self.hub.identity.public_key();
        let is_signed =
            |ticket: &EpochTicket| is_signed_by(&key, &signed::hub_epoch(&key, number, id), &Bytes64(ticket.0));
        let ticket = received.ticket.filter(is_signed);
        if ticket.is_none() && received.ticket.is_some() {
            self.hub.reject(self.whose.sender.host(), RejectReason::UnprovenEpoch, 1, &format!("epoch {number}"));
        }
        Received { ticket, ..received }
    }

    async fn handle(&mut self, input: HubInput<StoredDoc>) -> Result<Vec<FromHub<StoredDoc>>> {
        let hub = &self.hub;
        let side = HubSide {
            hub: hub.logical_id(),
            sender: self.whose.sender,
            host_name: self.whose.name.clone(),
            now: hub.now(),
            // 53 bits: JSON readers that use doubles cannot represent more.
            random: u64::from_be_bytes(hub.random.bytes()) >> 11,
        };
        // Only these inputs can store something. Ticks and hints need a read only, and must not wait for the writer.
        let may_write = matches!(
            input,
            HubInput::Received(FromOrigin::Response(_) | FromOrigin::CatchUp { .. } | FromOrigin::Sums { .. })
        );
        let (logs, has_rows) = news_in(&input);
        let core = self.core.clone();
        let Handled { core, frames } = if may_write {
            hub.store.write(move |tx| Box::pin(async move { tx.sync_hub_handle(&side, core, input).await })).await?
        } else {
            hub.store.read(move |tx| Box::pin(async move { tx.sync_hub_handle(&side, core, input).await })).await?
        };
        self.core = core;
        logs.into_iter().for_each(|run| hub.queue.log_waiters.changed(run));
        if has_rows {
            hub.news();
            hub.wakes.servers.wake();
        }
        for frame in &frames {
            let FromHub::Error { error, rows } = frame else { continue };
            let name = &self.whose.name;
            for (reason, count, row) in reasons(rows) {
                self.hub.reject(self.whose.sender.host(), reason, count, &format!("{} {}", row.table, row.id));
            }
            if rows.is_empty() {
                tracing::warn!(
                    host.id = %self.whose.sender.host(), %error,
                    "rejected the rows of {name}: hub and host have no schema version in common; update the older one"
                );
            }
        }
        Ok(frames)
    }

    async fn answer(&self, mut frame: FromHub<StoredDoc>) -> std::result::Result<(), ()> {
        if let FromHub::Forward(forward) = &mut frame {
            let (key, HubEpoch { number, id }) = (self.hub.identity.public_key(), forward.hub);
            forward.ticket = Some(EpochTicket(self.hub.identity.sign(&signed::hub_epoch(&key, number, id)).0));
        }
        match Packed::new(&frame, self.whose.is_packed) {
            Ok(packed) => self.sender.send(packed).await.map_err(drop),
            Err(error) => {
                tracing::error!(error = %error, "cannot encode a replication frame");
                Ok(())
            }
        }
    }
}

/// The reasons for rejected rows, with their number and one of them. Rows of newer programs have none.
fn reasons(rows: &[Rejected]) -> impl Iterator<Item = (RejectReason, usize, &Rejected)> {
    let mut found: BTreeMap<RejectReason, (usize, &Rejected)> = BTreeMap::new();
    for row in rows {
        if let Some(reason) = RejectReason::of_row(row.error) {
            found.entry(reason).or_insert((0, row)).0 += 1;
        }
    }
    found.into_iter().map(|(reason, (count, row))| (reason, count, row))
}

/// The runs whose output is in a page, and whether the page has other rows.
fn news_in(input: &HubInput<StoredDoc>) -> (BTreeSet<RunId>, bool) {
    let HubInput::Received(FromOrigin::Response(page)) = input else { return (BTreeSet::new(), false) };
    let run = |row: &Row<StoredDoc>| match &row.body.doc {
        Doc::Log(log) => Some(log.run),
        _ => None,
    };
    let logs: BTreeSet<RunId> = page.rows.iter().filter_map(run).collect();
    let has_rows = page.rows.iter().any(|row| run(row).is_none());
    (logs, has_rows)
}

fn taken_apart(response: Response<Value>, sender: domain::sync::SchemaRange) -> Response<StoredDoc> {
    let Response { req, priority, epoch, from, upto, head, has_more, is_reset, floor, rows } = response;
    let rows = rows.into_iter().map(|row| checked(row.read(sender))).collect();
    Response { req, priority, epoch, from, upto, head, has_more, is_reset, floor, rows }
}

/// Replaces the content of an output row whose compressed lines are not as it says: a reader would unfold it later, and a
/// few bytes can unfold to gigabytes.
fn checked(mut row: Row<StoredDoc>) -> Row<StoredDoc> {
    if let Doc::Log(log) = &row.body.doc
        && row.check().is_ok()
        && !proto::work::is_folded(&log.body, log.first_line, log.lines, log.bytes)
    {
        row.body = Doc::Refused(SyncError::Rejected).into();
    }
    row
}

/// Whether a page is consistent: numbers that fit the database, rows within its range, one epoch.
fn is_plausible(response: &Response<Value>) -> bool {
    let Response { epoch, from, upto, head, floor, .. } = response;
    [*from, upto.at.seq, head.at.seq, *floor].iter().all(|number| *number <= NUMBER_MAX)
        && upto.at.epoch == *epoch
        && head.at.epoch == *epoch
        && *from <= upto.at.seq
        && upto.at.seq <= head.at.seq
        && response
            .rows
            .iter()
            .all(|row| row.version.epoch == *epoch && row.version.seq > *from && row.version.seq <= upto.at.seq)
}
