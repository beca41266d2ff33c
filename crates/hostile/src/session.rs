//! An open link: barriers that prove that the hub has handled a frame, grants and results, and pages of rows.

use std::{collections::VecDeque, time::Duration};

use domain::{
    job::RunStatus,
    sync::{
        Mark, Place, SyncPriority, Version,
        frame::{FromOrigin, Request, Response, Row},
    },
};
use proto::{
    link::{Hello, ToHub},
    metrics::HostMetrics,
    work::{Grant, Inventory, Log, LogLine, Results, RunRef, RunResult, Stream},
};
use serde_json::{Value, json};

use crate::{
    attacks::{Page, PagePlace, Step},
    channel::{Channel, HostKey, RawFrame, Refusal, handshake, text_of},
    frames::packed,
    rows::AT,
};

/// The mark of all positions that the attacker reports.
const MARK: Mark = Mark(7);

/// Interval of the hints while the hub has not requested the next page, and their number: together as long as any other
/// wait.
const HINT_EVERY: Duration = Duration::from_millis(250);
const HINTS_MAX: u32 = 80;

/// The link ended; the `refused` frame of the hub is in [`RawSession::refused`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended;

/// An open session.
pub struct RawSession {
    channel: Channel,
    pub welcome: Value,
    /// The grants that no caller has taken yet.
    pub grants: VecDeque<Grant>,
    /// The outstanding request of each sync priority.
    pub requests: [Option<Request>; 2],
    /// The rejections of rows, as the hub reported them.
    pub rejected: Vec<Value>,
    /// The frames of the hub's own replication log.
    pub forwarded: Vec<Value>,
    /// Frames that were sent.
    pub sent: u64,
    /// Why the hub ended the session.
    pub refused: Option<Value>,
    is_syncing: bool,
    beats: u64,
    granted: u64,
    outbox: i64,
}

impl RawSession {
    /// Opens a session.
    ///
    /// # Errors
    /// The hub refused the runner.
    pub async fn open(mut channel: Channel, key: &HostKey, hello: &Hello) -> Result<Self, Refusal> {
        let welcome = handshake(&mut channel, key, hello).await?;
        Ok(Self {
            channel,
            welcome,
            grants: VecDeque::new(),
            requests: [None, None],
            rejected: Vec::new(),
            forwarded: Vec::new(),
            sent: 0,
            refused: None,
            is_syncing: false,
            beats: 0,
            granted: 0,
            outbox: 0,
        })
    }

    /// Sends a frame without waiting for anything.
    ///
    /// # Errors
    /// The link ended.
    pub async fn send(&mut self, frame: RawFrame) -> Result<(), Ended> {
        self.sent += 1;
        match self.channel.send(frame).await {
            Ok(()) => Ok(()),
            Err(_) => self.drain().await,
        }
    }

    /// Reads what the hub sent before it closed the link.
    async fn drain(&mut self) -> Result<(), Ended> {
        while self.read().await.is_ok() {}
        Err(Ended)
    }

    /// Reads one frame, keeps what later calls need, and returns it.
    ///
    /// # Errors
    /// The link ended, or the hub sent nothing for too long.
    pub async fn read(&mut self) -> Result<Value, Ended> {
        let frame = self.channel.receive().await.ok_or(Ended)?;
        match frame["type"].as_str().unwrap_or_default() {
            "refused" => {
                self.refused = Some(frame);
                return Err(Ended);
            }
            "grants" => {
                let grants: Vec<Grant> = serde_json::from_value(frame["grants"].clone()).expect("grants can be parsed");
                self.granted += grants.len() as u64;
                self.grants.extend(grants);
            }
            "sync_request" => {
                let request: Request = serde_json::from_value(frame.clone()).expect("requests can be parsed");
                let priority = request.priority as usize;
                self.requests[priority] = Some(request);
            }
            "sync_error" => self.rejected.extend(frame["rows"].as_array().into_iter().flatten().cloned()),
            "forward" => self.forwarded.push(frame.clone()),
            _ => {}
        }
        Ok(frame)
    }

    /// Reads until a frame fits.
    ///
    /// # Errors
    /// The link ended first.
    pub async fn read_until(&mut self, mut fits: impl FnMut(&Value) -> bool) -> Result<Value, Ended> {
        loop {
            let frame = self.read().await?;
            if fits(&frame) {
                return Ok(frame);
            }
        }
    }

    /// Sends an honest heartbeat and waits for its confirmation: the hub has then handled every frame before it.
    ///
    /// # Errors
    /// The link ended.
    pub async fn barrier(&mut self) -> Result<(), Ended> {
        // Far from the numbers of hostile heartbeats, whose confirmations must not be taken for this one.
        self.beats += 1;
        let seq = (1 << 40) + self.beats;
        let beat = json!({"type": "heartbeat", "seq": seq, "time": AT, "metrics": HostMetrics::default()});
        self.send(RawFrame::Text(beat.to_string())).await?;
        self.read_until(|frame| frame["type"] == "heartbeat_ack" && frame["seq"] == seq).await.map(drop)
    }

    /// Reports the runs that the runner still has, and waits for the answer.
    ///
    /// # Errors
    /// The link ended.
    pub async fn inventory(&mut self, runs: &[RunRef]) -> Result<Value, Ended> {
        self.send(text_of(&ToHub::Inventory(Inventory { runs: runs.to_vec() }))).await?;
        self.read_until(|frame| frame["type"] == "verdicts").await
    }

    /// Offers a slot and waits for the job that the hub grants.
    ///
    /// # Errors
    /// The link ended, or no job came.
    pub async fn take(&mut self) -> Result<Grant, Ended> {
        if self.grants.is_empty() {
            self.send(text_of(&ToHub::Credit { limit: self.granted + 1 })).await?;
        }
        loop {
            if let Some(grant) = self.grants.pop_front() {
                return Ok(grant);
            }
            self.read().await?;
        }
    }

    /// Sends a line of output and the result of a granted run, and waits until the hub has stored the result.
    ///
    /// # Errors
    /// The link ended.
    pub async fn finish(&mut self, grant: &Grant, status: RunStatus) -> Result<(), Ended> {
        self.log(grant, 1, "done").await?;
        self.outbox += 1;
        let result = RunResult { exit_code: Some(0), ..RunResult::new(grant.job, grant.fence, status) };
        let (after, through) = (self.outbox - 1, self.outbox);
        let frame = ToHub::Results(Results { after, through, results: vec![result], credit: None });
        self.send(text_of(&frame)).await?;
        self.read_until(|frame| frame["type"] == "settled" && frame["through"] == through).await.map(drop)
    }

    /// Sends one line of output of a granted run.
    ///
    /// # Errors
    /// The link ended.
    pub async fn log(&mut self, grant: &Grant, no: u64, text: &str) -> Result<(), Ended> {
        let line = LogLine { no, at: AT, stream: Stream::Stdout, text: text.to_owned(), is_cut: false };
        let log = Log { job: grant.job, fence: grant.fence, run: grant.run, lines: vec![line] };
        self.send(text_of(&ToHub::Log(log))).await
    }

    /// Starts replication: waits until the hub has requested rows of both priorities.
    ///
    /// # Errors
    /// The link ended.
    pub async fn begin_sync(&mut self) -> Result<(), Ended> {
        let hello = FromOrigin::<Value>::CatchUp {
            schema: domain::sync::tables::SCHEMA,
            received: None,
            is_doubting: false,
            seen: Vec::new(),
        };
        self.send(packed(&hello, false)).await?;
        while self.requests.iter().any(Option::is_none) {
            self.read().await?;
        }
        self.is_syncing = true;
        Ok(())
    }

    /// Sends a page as the answer to the hub's current request, and waits until the hub has handled it. An empty page
    /// under the same number follows: the hub ignores it as a repetition, or takes it if it ignored the page before.
    /// Either way it then requests the next page.
    ///
    /// # Errors
    /// The link ended.
    pub async fn page(&mut self, page: &Page) -> Result<(), Ended> {
        let place = page.priority as usize;
        while self.requests[place].is_none() {
            self.read().await?;
        }
        let Some(request) = self.requests[place].take() else { return Err(Ended) };
        self.send(packed(&FromOrigin::Response(numbered(page, &request)), page.is_packed)).await?;
        let empty = Page { rows: Vec::new(), place: PagePlace::Next, ..page.clone() };
        self.send(packed(&FromOrigin::Response(numbered(&empty, &request)), page.is_packed)).await?;
        // A hub that refused both pages requests the next one only after a hint.
        for _ in 0..HINTS_MAX {
            self.send(packed(&FromOrigin::Hint { priority: page.priority }, false)).await?;
            let answered = tokio::time::timeout(HINT_EVERY, async {
                while self.requests[place].is_none() {
                    self.read().await?;
                }
                Ok(())
            });
            if let Ok(answered) = answered.await {
                return answered;
            }
        }
        Err(Ended)
    }

    /// An empty page: the hub has then handled every replication frame before it.
    ///
    /// # Errors
    /// The link ended.
    pub async fn sync_barrier(&mut self) -> Result<(), Ended> {
        let page = Page { is_packed: false, ..Page::next(SyncPriority::Control, Vec::new()) };
        self.page(&page).await
    }

    /// Carries out a step of an attack and waits until the hub has handled it.
    ///
    /// # Errors
    /// The link ended.
    pub async fn step(&mut self, step: &Step) -> Result<(), Ended> {
        match step {
            Step::Frame(frame) => self.send(frame.clone()).await?,
            Step::Page(page) => self.page(page).await?,
        }
        self.barrier().await?;
        if self.is_syncing { self.sync_barrier().await } else { Ok(()) }
    }
}

/// The page with the numbers that fit the request.
#[must_use]
pub fn numbered(page: &Page, request: &Request) -> Response<Value> {
    let since = request.since.unwrap_or(Place { at: Version { epoch: 1, seq: 0 }, mark: MARK });
    let (mut epoch, mut from, mut is_reset) = (since.at.epoch, since.at.seq, request.since.is_none());
    match page.place {
        PagePlace::Next => {}
        PagePlace::Gap => from += 1_000,
        PagePlace::LastEpoch => (epoch, from, is_reset) = (u32::MAX, 0, true),
    }
    let count = page.rows.len() as u64;
    let number = |(no, mut row): (usize, Row<Value>)| {
        let seq = from + 1 + if page.place == PagePlace::Gap { count - 1 - no as u64 } else { no as u64 };
        row.version = Version { epoch, seq };
        row.mark = MARK;
        row
    };
    let upto = Place { at: Version { epoch, seq: from + count }, mark: MARK };
    Response {
        req: request.req,
        priority: page.priority,
        epoch,
        from,
        upto,
        head: upto,
        has_more: true,
        is_reset,
        floor: 0,
        rows: page.rows.iter().cloned().enumerate().map(number).collect(),
    }
}
