//! A runner that joins a hub and sends frames for a while: every hostile frame it can make, or as many valid ones.
//!
//! Reads its orders as one JSON object from standard input (see `Orders`) and prints counts as one JSON object.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    time::{Duration, Instant},
};

use hostile::{
    attacks::{Page, Step, Variant, steps},
    channel::{Channel, HostKey, hello},
    frames::{FrameKind, Shape, frame},
    fuzz::Mutator,
    http,
    names::{KnownIds, Names},
    rows::{RowKind, row},
    session::{Ended, RawSession},
};
use proto::{
    VERSION,
    api::hub::HubInfo,
    link::{Bytes32, JoinAccepted, JoinRequest},
    metrics::Machine,
};
use serde::{Deserialize, Serialize};
use tokio::net::TcpStream;

/// The orders of a run.
#[derive(Deserialize)]
struct Orders {
    /// A hub on loopback.
    address: SocketAddr,
    join_token: String,
    /// Hostile frames, or valid ones.
    is_hostile: bool,
    seconds: u64,
    /// The most frames per second.
    per_second: u32,
    /// The things of the victim.
    victim: Names,
    /// The things of a removed host.
    removed: Names,
}

/// The result of a run.
#[derive(Default, Serialize)]
struct Counts {
    /// Frames that were sent.
    sent: u64,
    /// Sessions that the hub ended.
    sessions_refused: u64,
    /// Rows that the hub rejected.
    rows_rejected: u64,
    /// Reasons of ended sessions and of rejected rows.
    reasons: BTreeMap<String, u64>,
}

/// The pause before a new session: an attacker under the hub's limit for new links would have to wait, too.
const RECONNECT_AFTER: Duration = Duration::from_millis(50);

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let orders: Orders = serde_json::from_reader(std::io::stdin()).map_err(std::io::Error::other)?;
    let key = join(&orders).await?;
    let own = Names { host: key.host, ..Names::all([0x5e; 16]) };
    let known = KnownIds { own, victim: orders.victim, removed: orders.removed };
    let mut counts = Counts::default();
    let (began, length) = (Instant::now(), Duration::from_secs(orders.seconds));
    let mut plan = Plan { known, is_hostile: orders.is_hostile, dice: Mutator::new(1), number: 0 };
    while began.elapsed() < length {
        if let Some(mut session) = connect(&orders, &key, &mut counts).await {
            let before = counts.sent;
            while began.elapsed() < length && plan.carry_out(&mut session).await.is_ok() {
                let sent = u32::try_from(before + session.sent).unwrap_or(u32::MAX);
                let due = Duration::from_secs(1) * sent / orders.per_second.max(1);
                tokio::time::sleep(due.saturating_sub(began.elapsed())).await;
            }
            counts.add(&session);
        }
        tokio::time::sleep(RECONNECT_AFTER).await;
    }
    println!("{}", serde_json::to_string(&counts).map_err(std::io::Error::other)?);
    Ok(())
}

/// The frames to send.
struct Plan {
    known: KnownIds,
    is_hostile: bool,
    dice: Mutator,
    /// The number of the valid step.
    number: u64,
}

impl Plan {
    async fn carry_out(&mut self, session: &mut RawSession) -> Result<(), Ended> {
        let steps = if self.is_hostile {
            let kind = FrameKind::ALL[self.dice.below(FrameKind::ALL.len())];
            let variant = Variant::ALL[self.dice.below(Variant::ALL.len())];
            steps(kind, variant, &self.known)
        } else {
            self.valid()
        };
        for step in &steps {
            session.step(step).await?;
        }
        Ok(())
    }

    /// A heartbeat, a hint and new rows of the runner's own.
    fn valid(&mut self) -> Vec<Step> {
        self.number += 1;
        let mut bytes = self.known.own.host.to_bytes();
        bytes[8..].copy_from_slice(&self.number.to_be_bytes());
        let own = Names { host: self.known.own.host, ..Names::all(bytes) };
        let beat = Shape { items: 0, number: self.number, ..Shape::plain() };
        let frame = |kind| Step::Frame(frame(kind, &own, &beat));
        let page = |kinds: &[RowKind]| {
            let rows = kinds.iter().map(|kind| row(*kind, &own, &Shape::plain())).collect();
            Step::Page(Page { is_packed: false, ..Page::next(kinds[0].priority(), rows) })
        };
        let rows = [page(&[RowKind::Job, RowKind::Run]), page(&[RowKind::Log])];
        [frame(FrameKind::Heartbeat), frame(FrameKind::Hint)].into_iter().chain(rows).collect()
    }
}

impl Counts {
    fn add(&mut self, session: &RawSession) {
        self.sent += session.sent;
        if let Some(refused) = &session.refused {
            self.sessions_refused += 1;
            let code = refused["code"].as_str().unwrap_or("closed");
            *self.reasons.entry(code.to_owned()).or_default() += 1;
        }
        self.rows_rejected += session.rejected.len() as u64;
        for rejected in &session.rejected {
            let error = rejected["error"].as_str().unwrap_or("unknown");
            *self.reasons.entry(format!("row: {error}")).or_default() += 1;
        }
    }
}

async fn connect(orders: &Orders, key: &HostKey, counts: &mut Counts) -> Option<RawSession> {
    let stream = TcpStream::connect(orders.address).await.ok()?;
    let channel = Channel::open(stream, &orders.address.to_string()).await.ok()?;
    match RawSession::open(channel, key, &hello(key.host, "hostile", &[])).await {
        Ok(mut session) => {
            session.inventory(&[]).await.ok()?;
            session.begin_sync().await.ok()?;
            Some(session)
        }
        Err(refusal) => {
            counts.sessions_refused += 1;
            *counts.reasons.entry(format!("handshake: {}", refusal.code())).or_default() += 1;
            None
        }
    }
}

async fn join(orders: &Orders) -> std::io::Result<HostKey> {
    let authority = orders.address.to_string();
    let ask = async |method, path, body: Option<&serde_json::Value>| {
        let stream = TcpStream::connect(orders.address).await?;
        let (status, answer) = http::request(stream, &authority, method, path, body).await?;
        if !(200..300).contains(&status) {
            return Err(std::io::Error::other(format!("{method} {path}: {status} {answer}")));
        }
        Ok(answer)
    };
    let info: HubInfo =
        serde_json::from_value(ask("GET", "/api/v1/hub", None).await?).map_err(std::io::Error::other)?;
    let seed = [0x5e; 32];
    let request = JoinRequest {
        token: orders.join_token.clone(),
        public_key: HostKey::public(seed),
        name: "hostile".to_owned(),
        always_on: Some(false),
        machine: Machine::default(),
        runner_version: VERSION.to_owned(),
        nonce: Bytes32([7; 32]),
        host_id: None,
        is_bound: false,
    };
    let body = serde_json::to_value(&request).map_err(std::io::Error::other)?;
    let accepted = ask("POST", "/api/v1/join", Some(&body)).await?;
    let accepted: JoinAccepted = serde_json::from_value(accepted).map_err(std::io::Error::other)?;
    Ok(HostKey::new(seed, accepted.host_id, info.public_key))
}
