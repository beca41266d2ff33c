//! A runner's rows: asked for page by page beside everything else that is said on its link.
//!
//! A task of its own, begun when the runner says that it has rows: what it writes takes time, and heartbeats and results
//! must not wait for it.

use std::{
    collections::{BTreeSet, VecDeque},
    time::Duration,
};

use domain::{
    HostId, OrgId, RunId, Span, Timestamp,
    sync::{
        doc::{Doc, Held},
        frame::{FromHub, FromOrigin, Response},
        hub::{HubSync, Input},
        tables::SCHEMA,
    },
};
use proto::{Code, sync::Packed};
use serde_json::Value;
use store::replication::{Handled, HubSide};
use tokio::sync::mpsc;

use crate::{Error, Hub, Result};

/// Frames that may wait on either side: one page of each lane is under way at most.
const FRAMES: usize = 8;
/// After an error of the database, how long before the next try.
const TRY_AGAIN: Span = Span::from_secs(2);
/// A row's number and a place's must fit into a database.
const NUMBER_MAX: u64 = i64::MAX as u64;
/// Places of others that a runner may tell of.
const SEEN_MAX: usize = 10_000;

/// The way to a session's rows.
pub(super) struct Rows {
    /// What the runner said.
    pub(super) said: mpsc::Sender<Packed>,
    /// What to say to it.
    pub(super) says: mpsc::Receiver<Packed>,
}

/// Whose rows.
pub(super) struct Whose {
    pub(super) host: HostId,
    pub(super) org: OrgId,
    pub(super) name: String,
    /// Whether the runner understands packed frames.
    pub(super) is_packed: bool,
}

/// Begins to ask for a runner's rows. Ends with the session.
pub(super) fn begin(hub: &Hub, whose: Whose) -> Rows {
    let (said, heard) = mpsc::channel(FRAMES);
    let (say, says) = mpsc::channel(FRAMES);
    let core = HubSync::new(whose.host, SCHEMA, hub.now());
    let asking = Asking { hub: hub.clone(), whose, core, sender: SCHEMA, say };
    hub.crew.spawn(asking.run(heard));
    Rows { said, says }
}

struct Asking {
    hub: Hub,
    whose: Whose,
    core: HubSync,
    /// What the runner can speak.
    sender: domain::sync::Schema,
    say: mpsc::Sender<Packed>,
}

impl Asking {
    async fn run(mut self, mut heard: mpsc::Receiver<Packed>) {
        let mut waiting = VecDeque::new();
        let mut log = self.hub.log_head.subscribe();
        let mut has_news = false;
        loop {
            if waiting.is_empty() && !has_news {
                tokio::select! {
                    Ok(()) = log.changed() => has_news = true,
                    packed = heard.recv() => match packed {
                        None => return,
                        Some(packed) => waiting.push_back(packed),
                    },
                    () = tokio::time::sleep(self.until_wake()) => {}
                }
            }
            while let Ok(packed) = heard.try_recv() {
                waiting.push_back(packed);
            }
            // Whatever people wait for goes before logs.
            let first = waiting.iter().position(|packed| !packed.is_patient()).unwrap_or(0);
            let input = match waiting.remove(first).map(|packed| self.read(&packed)) {
                None if std::mem::take(&mut has_news) => Input::Changed,
                None => Input::Tick,
                Some(Ok(said)) => Input::Heard(said),
                Some(Err(error)) => {
                    tracing::warn!(host.id = %self.whose.host, "a frame about rows was not understood: {error}");
                    continue;
                }
            };
            match self.handle(input).await {
                Ok(says) => {
                    for frame in says {
                        if self.answer(&frame).await.is_err() {
                            return;
                        }
                    }
                }
                Err(error) => {
                    tracing::warn!(host.id = %self.whose.host, error = %error, "rows of {} could not be kept", self.whose.name);
                    tokio::time::sleep(TRY_AGAIN.to_duration()).await;
                    // What was under way is lost: begin again where the cursor is.
                    self.core = HubSync::new(self.whose.host, SCHEMA, self.hub.now()).going_on(&self.core);
                }
            }
        }
    }

    fn until_wake(&self) -> Duration {
        let now = self.hub.now();
        let at: Timestamp = self.core.wakes_at();
        if at <= now { Duration::from_millis(10) } else { at.since(now).to_duration() }
    }

    fn read(&mut self, packed: &Packed) -> Result<FromOrigin<Held>> {
        let malformed = |why: String| Error::new(Code::MalformedRequest, why);
        let said = packed.origin().map_err(|error| malformed(error.to_string()))?;
        match said {
            FromOrigin::Response(response) => {
                if !is_plausible(&response) {
                    return Err(malformed("its numbers cannot be".to_owned()));
                }
                Ok(FromOrigin::Response(taken_apart(response, self.sender)))
            }
            FromOrigin::CatchUp { schema, received, is_doubting, seen } => {
                if seen.len() > SEEN_MAX || seen.iter().any(|seen| seen.place.at.seq > NUMBER_MAX) {
                    return Err(malformed("it has seen more than can be".to_owned()));
                }
                self.sender = schema;
                Ok(FromOrigin::CatchUp { schema, received, is_doubting, seen })
            }
            FromOrigin::Sums { req, lane, at, sums } => Ok(FromOrigin::Sums { req, lane, at, sums }),
            FromOrigin::Hint { lane } => Ok(FromOrigin::Hint { lane }),
        }
    }

    async fn handle(&mut self, input: Input<Held>) -> Result<Vec<FromHub<Held>>> {
        let hub = &self.hub;
        let side = HubSide {
            hub: hub.logical_id(),
            org: self.whose.org,
            host_name: self.whose.name.clone(),
            now: hub.now(),
            // Some who speak JSON have no larger numbers.
            random: u64::from_be_bytes(hub.random.bytes()) >> 11,
        };
        // Only what was heard can be something to keep; to ask, looking is enough.
        let may_write = matches!(
            input,
            Input::Heard(FromOrigin::Response(_) | FromOrigin::CatchUp { .. } | FromOrigin::Sums { .. })
        );
        let (logs, has_rows) = news_in(&input);
        let core = self.core.clone();
        let Handled { core, says } = if may_write {
            hub.store.write(move |tx| Box::pin(async move { tx.sync_hub_handle(&side, core, input).await })).await?
        } else {
            hub.store.read(move |tx| Box::pin(async move { tx.sync_hub_handle(&side, core, input).await })).await?
        };
        self.core = core;
        logs.into_iter().for_each(|run| hub.queue.logs.changed(run));
        if has_rows {
            hub.news();
            hub.wakes.servers.wake();
        }
        for said in &says {
            if let FromHub::Error { error, rows } = said {
                tracing::warn!(host.id = %self.whose.host, %error, rows = rows.len(), "rows of {} were put aside", self.whose.name);
            }
        }
        Ok(says)
    }

    async fn answer(&self, frame: &FromHub<Held>) -> std::result::Result<(), ()> {
        match Packed::new(frame, self.whose.is_packed) {
            Ok(packed) => self.say.send(packed).await.map_err(drop),
            Err(error) => {
                tracing::error!(error = %error, "a frame about rows could not be said");
                Ok(())
            }
        }
    }
}

/// Runs whose output is in a page, and whether anything else is.
fn news_in(input: &Input<Held>) -> (BTreeSet<RunId>, bool) {
    let Input::Heard(FromOrigin::Response(page)) = input else { return (BTreeSet::new(), false) };
    let run = |row: &domain::sync::frame::Row<Held>| match &row.body.doc {
        Doc::Log(log) => Some(log.run),
        _ => None,
    };
    let logs: BTreeSet<RunId> = page.rows.iter().filter_map(run).collect();
    let has_rows = page.rows.iter().any(|row| run(row).is_none());
    (logs, has_rows)
}

fn taken_apart(response: Response<Value>, sender: domain::sync::Schema) -> Response<Held> {
    let Response { req, lane, epoch, from, upto, head, has_more, is_reset, floor, rows } = response;
    let rows = rows.into_iter().map(|row| row.read(sender)).collect();
    Response { req, lane, epoch, from, upto, head, has_more, is_reset, floor, rows }
}

/// Whether a page can be what it says: numbers that fit, rows between its ends, none of another history.
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
