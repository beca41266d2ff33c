//! The link: one outgoing WebSocket to a hub, reconnected until the runner stops.
//!
//! A session begins with a handshake in which each side signs the other's nonce; then the runner sends heartbeats.
//! After a failure the link waits for the time that the hub asked for, else for a random back-off: without the jitter,
//! all runners of a restarted hub would return in one wave.

use std::time::Duration;

use domain::{Span, backoff::Backoff, definition::Trust, presence::Leaving, primary::Promotion, timeline::Contact};
use futures_util::{SinkExt as _, StreamExt as _};
use proto::{
    Code, VERSION,
    link::{
        Bytes32, ChannelBinding, FRAME_BYTES_MAX, Goodbye, Heartbeat, Hello, KEY_ROTATION, LINK_VERSIONS, Proof,
        Refused, Rotate, ToHub, ToRunner, Welcome, signed,
    },
    metrics::Machine,
    sync::{PACKED, PRIMARY, Packed, SERVERS, STANDALONE},
};
use runtime::{Random, Shutdown, clock::wall};
use tokio::{sync::watch, time::Instant};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{self, Message, protocol::WebSocketConfig},
};

use crate::{
    Dial, Error, HubGate, HubRole, Identity, IdentityFile, LinkChannel, Result,
    channel::{HubMessage, Outgoing},
    dial::{Transport, check_proof},
    exec::boot_ms,
    identity::{PrivateKey, VersionedKey},
    machine::{self, Meter},
    sync::{SyncChannel, SyncInput},
};

/// Delays between attempts: the maximum doubles from 1 s to 30 s, with full jitter.
const RECONNECT: Backoff = Backoff { first: Span::from_secs(1), cap: Span::from_secs(30) };
/// Interval of attempts after a rejection without a retry time: a person has to fix its cause, which may have happened.
const REFUSED_RETRY: Span = Span::from_secs(60);
/// How long to search the received frames for the reason of a broken link.
const LAST_WORD_MAX: Duration = Duration::from_millis(500);
/// Time limit for each step of the handshake.
const STEP_TIME_MAX: Duration = Duration::from_secs(20);

/// Time limit for a goodbye.
pub(crate) const GOODBYE_TIME_MAX: Duration = Duration::from_secs(2);
/// After this time a machine that announced a suspend or shutdown and is still running reconnects.
const LEAVE_TIME_MAX: Duration = Duration::from_secs(120);

/// The options of a link.
#[derive(Clone)]
pub struct Options {
    pub dial: Dial,
    /// Requested host name; the hub ignores it once a person has set one.
    pub name: Option<String>,
    /// Random id of this process. By it the hub distinguishes a reconnect from a clone of the machine.
    pub incarnation: String,
    /// Queues to serve; empty for the default queue.
    pub queues: Vec<String>,
    /// Whether this machine runs the hub's definitions or only its own.
    pub trust: Trust,
    /// Whether this hub is the primary hub.
    pub role: HubRole,
}

/// The state of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkState {
    Connecting,
    Up {
        epoch: i64,
        /// Secret for HTTP requests of this session.
        session_token: String,
        /// Display name of the host.
        name: String,
    },
    Down {
        code: Code,
        reason: String,
    },
}

/// A runner's link to one hub.
pub struct Link {
    options: Options,
    identity: Identity,
    file: Option<IdentityFile>,
    meter: Box<dyn FnMut() -> proto::metrics::HostMetrics + Send + Sync>,
    state: watch::Sender<LinkState>,
    contact: watch::Sender<Contact>,
    leave: Option<watch::Receiver<Option<Leaving>>>,
    engine: Option<LinkChannel>,
    rows: Option<SyncChannel>,
    is_standalone: bool,
    gate: Option<HubGate>,
    keeps_servers: bool,
    /// Changes of the primary hub since the last handshake.
    moves: Option<watch::Receiver<Option<Promotion>>>,
}

type Socket = WebSocketStream<Box<dyn Transport>>;

/// The end of a connection.
struct LinkEnd {
    error: Error,
    /// Delay that the hub asked for.
    retry_after: Option<Span>,
    /// Whether a session was open.
    was_up: bool,
    /// Whether the runner itself ended the session, to connect again with another role.
    is_move: bool,
}

impl LinkEnd {
    fn of(error: Error) -> Self {
        Self { retry_after: error.problem.retry_after_ms.map(Span::from_millis), error, was_up: false, is_move: false }
    }

    /// The hub is stopping and has asked for this delay.
    fn stopping(retry_after_ms: u32) -> Self {
        let error = Error::new(Code::HubStopping, "the hub is stopping");
        Self { retry_after: Some(Span::from_millis(i64::from(retry_after_ms))), ..Self::of(error) }
    }

    /// Whether the connection broke without a reason from the hub.
    fn is_break(&self) -> bool {
        self.error.problem.code == Code::HubUnreachable
    }
}

impl Link {
    /// A link with this identity. Rotated keys are written to `file`.
    #[must_use]
    pub fn new(options: Options, identity: Identity, file: Option<IdentityFile>) -> Self {
        let mut meter = Meter::new();
        let moves = options.role.watch();
        let contact = Contact { hub: options.dial.name(), up_since: None, heard_at: None };
        Self {
            options,
            identity,
            file,
            meter: Box::new(move || meter.read()),
            state: watch::Sender::new(LinkState::Connecting),
            contact: watch::Sender::new(contact),
            leave: None,
            engine: None,
            rows: None,
            is_standalone: false,
            gate: None,
            keeps_servers: false,
            moves,
        }
    }

    /// Replaces the meter, for many links in one process.
    #[must_use]
    pub fn with_meter(mut self, meter: impl FnMut() -> proto::metrics::HostMetrics + Send + Sync + 'static) -> Self {
        self.meter = Box::new(meter);
        self
    }

    /// Adds the servers behind this gate, whose resource usage is reported.
    #[must_use]
    pub fn with_servers(mut self, gate: HubGate) -> Self {
        self.gate = Some(gate);
        self
    }

    /// Announces that this machine also runs the servers that this hub defines, if the gate allows it.
    #[must_use]
    pub fn keeping_servers(mut self) -> Self {
        self.keeps_servers = self.gate.as_ref().is_some_and(HubGate::takes_servers);
        self
    }

    /// The capabilities announced to the hub. Only the primary hub may hand over schedules and servers.
    fn caps(&self) -> Vec<String> {
        let is_primary = self.options.role.is_primary();
        let caps = [
            Some(PACKED),
            Some(KEY_ROTATION),
            self.options.role.can_move().then_some(PRIMARY),
            (self.is_standalone && is_primary).then_some(STANDALONE),
            (self.keeps_servers && is_primary).then_some(SERVERS),
        ];
        caps.into_iter().flatten().map(str::to_owned).collect()
    }

    /// Connects the link to an engine. Without one the hub gets no credit and so grants no jobs.
    #[must_use]
    pub fn with_engine(mut self, engine: LinkChannel) -> Self {
        self.engine = Some(engine);
        self
    }

    /// Adds the replication of this machine's rows.
    #[must_use]
    pub fn with_rows(mut self, rows: SyncChannel) -> Self {
        self.rows = Some(rows);
        self
    }

    /// Announces that this runner can fire the hub's schedules itself.
    #[must_use]
    pub fn standalone(mut self) -> Self {
        self.is_standalone = true;
        self
    }

    /// Adds announcements of suspend and shutdown: the link says goodbye to the hub and reconnects afterwards.
    #[must_use]
    pub fn leaving_with(mut self, leave: watch::Receiver<Option<Leaving>>) -> Self {
        self.leave = Some(leave);
        self
    }

    /// Notifies about the state of the link.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<LinkState> {
        self.state.subscribe()
    }

    /// Notifies about the contact with the hub: since when the link is up, and when the last message arrived.
    #[must_use]
    pub fn contact(&self) -> watch::Receiver<Contact> {
        self.contact.subscribe()
    }

    /// Keeps the link connected until shutdown, then says goodbye.
    pub async fn run(mut self, shutdown: Shutdown) {
        let mut tries = 0;
        loop {
            self.state.send_replace(LinkState::Connecting);
            let Err(ended) = self.connect(&shutdown).await else {
                if shutdown.has_begun() {
                    return;
                }
                self.stay_away(&shutdown).await;
                tries = 0;
                continue;
            };
            tries = if ended.was_up { 0 } else { tries + 1 };
            let delay = ended.retry_after.unwrap_or_else(|| RECONNECT.delay(tries, Random.unit()));
            let hub = self.options.dial.name();
            if ended.is_move {
                tracing::info!("reconnecting to {hub}: {}", ended.error);
            } else {
                tracing::warn!(code = %ended.error.code(), retry_in = %delay, "link to {hub} is down: {}", ended.error);
            }
            self.state.send_replace(LinkState::Down { code: ended.error.code(), reason: ended.error.to_string() });
            tokio::select! {
                () = tokio::time::sleep(delay.to_duration()) => {}
                () = shutdown.asked() => return,
            }
        }
    }

    /// Waits for the end of the announced suspend or shutdown.
    async fn stay_away(&mut self, shutdown: &Shutdown) {
        let reason = "this machine is about to suspend or shut down".to_owned();
        self.state.send_replace(LinkState::Down { code: Code::HubUnreachable, reason });
        let Some(leave) = &mut self.leave else { return };
        tokio::select! {
            back = tokio::time::timeout(LEAVE_TIME_MAX, leave.wait_for(Option::is_none)) => drop(back),
            () = shutdown.asked() => {}
        }
    }

    /// One connection from the handshake to its end. `Ok` means that the runner said goodbye.
    async fn connect(&mut self, shutdown: &Shutdown) -> Result<(), LinkEnd> {
        if let Some(moves) = &mut self.moves {
            moves.mark_unchanged();
        }
        // A shutdown aborts only the connecting and the handshake: an open session ends with a goodbye.
        let way_in = async {
            let (mut socket, binding) = open(&self.options.dial, self.identity.hub_key).await?;
            let shaken = self.shake_hands(&mut socket, binding).await;
            Ok((socket, shaken))
        };
        let (mut socket, shaken) = tokio::select! {
            opened = way_in => opened?,
            () = shutdown.asked() => return Ok(()),
        };
        let welcome = match shaken {
            // The hub accepted the next key in an earlier session and its confirmation was lost. It rejects the old
            // key, so use the next one and reconnect.
            Err(ended) if ended.error.code() == Code::HostRevoked && self.identity.next_key.is_some() => {
                self.promote_next_key().map_err(LinkEnd::of)?;
                return Err(LinkEnd { retry_after: Some(Span::ZERO), ..ended });
            }
            shaken => shaken?,
        };
        if welcome.clock_skew_ms.abs() > domain::presence::CLOCK_SKEW_MAX.as_millis() {
            tracing::warn!(
                skew_ms = welcome.clock_skew_ms,
                "the clock of this machine is off by {}; set it with: timedatectl set-ntp true",
                Span::from_millis(welcome.clock_skew_ms.abs())
            );
        }
        tracing::info!(epoch = welcome.epoch, "linked to {} as {}", self.options.dial.name(), welcome.name);
        if !welcome.refused_queues.is_empty() {
            let queues = welcome.refused_queues.join(", ");
            tracing::warn!(
                "the hub does not allow this host to serve these queues: {queues}; an admin can allow them: hostler host set {} --queues …",
                welcome.name
            );
        }
        let (session_token, now) = (welcome.session_token.clone(), wall());
        self.contact.send_modify(|contact| (contact.up_since, contact.heard_at) = (Some(now), Some(now)));
        self.state.send_replace(LinkState::Up { epoch: welcome.epoch, session_token, name: welcome.name.clone() });
        let (epoch, lost_after_ms) = (welcome.epoch, welcome.lost_after_ms);
        let log_budget = welcome.log_budget.unwrap_or_default();
        self.send_to_engine(HubMessage::Begun { epoch, lost_after_ms, log_budget, name: welcome.name.clone() }).await;
        self.send_to_replication(SyncInput::Begun { epoch, caps: welcome.caps.clone() }).await;
        let held = match self.hold(&mut socket, &welcome, shutdown).await {
            Err(ended) if ended.is_break() => Err(last_word(&mut socket).await.unwrap_or(ended)),
            held => held,
        };
        self.contact.send_modify(|contact| contact.up_since = None);
        self.send_to_engine(HubMessage::Ended).await;
        self.send_to_replication(SyncInput::Ended).await;
        held.map_err(|ended| LinkEnd { was_up: true, ..ended })
    }

    async fn shake_hands(&self, socket: &mut Socket, binding: Option<ChannelBinding>) -> Result<Welcome, LinkEnd> {
        let nonce = Bytes32(Random.bytes());
        let (host, key) = (self.identity.host_id, &self.identity.key);
        let hello = Hello {
            versions: LINK_VERSIONS,
            host,
            key_version: key.version,
            nonce,
            incarnation: self.options.incarnation.clone(),
            boot_id: machine::boot_id(),
            runner_version: VERSION.to_owned(),
            name: self.options.name.clone(),
            machine: Machine { trust: self.options.trust, ..machine::describe() },
            queues: self.options.queues.clone(),
            is_bound: binding.is_some(),
            time: wall(),
            caps: self.caps(),
            primary_hub: self.options.role.elsewhere(),
            promotion: self.options.role.promotion(),
        };
        send_frame(socket, &ToHub::Hello(Box::new(hello))).await?;
        let challenge = match expect(socket).await? {
            ToRunner::Challenge(challenge) => challenge,
            other => return Err(unexpected(&other)),
        };
        let hub_key = &self.identity.hub_key;
        check_proof(&self.options.dial.name(), hub_key, &nonce, binding.as_ref(), &challenge.proof)
            .map_err(LinkEnd::of)?;
        let message = signed::runner_proof(hub_key, &challenge.nonce, &nonce, host, key.version, binding.as_ref());
        send_frame(socket, &ToHub::Proof(Proof { signature: key.key.sign(&message) })).await?;
        match expect(socket).await? {
            ToRunner::Welcome(welcome) => Ok(welcome),
            other => Err(unexpected(&other)),
        }
    }

    /// Sends a message to the engine, if there is one.
    async fn send_to_engine(&self, message: HubMessage) {
        if let Some(engine) = &self.engine {
            // Closed only while the process stops.
            let _ = engine.to_engine.send(message).await;
        }
    }

    /// Sends a message to the replication of rows, if there is one.
    async fn send_to_replication(&self, message: SyncInput) {
        if let Some(rows) = &self.rows {
            let _ = rows.to_replication.send(message).await;
        }
    }

    /// Forwards a frame to the engine or to the replication; rejects all others.
    async fn work(&self, frame: ToRunner) -> Result<(), LinkEnd> {
        let message = match frame {
            ToRunner::Verdicts(verdicts) => HubMessage::Verdicts(verdicts),
            ToRunner::Grants(grants) => HubMessage::Grants(grants),
            ToRunner::Settled { through } => HubMessage::Settled { through },
            ToRunner::Logged { run, through } => HubMessage::Logged { run, through },
            ToRunner::Cancel { runs } => HubMessage::Cancel(runs),
            ToRunner::Orders { orders } => HubMessage::Orders(orders),
            ToRunner::Sync(packed) => {
                // `try_send`: a hub that sends more requests than were answered must not block the heartbeats. It
                // repeats a request that is dropped here.
                if let Some(rows) = &self.rows {
                    let _ = rows.to_replication.try_send(SyncInput::Frame(packed));
                }
                return Ok(());
            }
            other => return Err(unexpected(&other)),
        };
        self.send_to_engine(message).await;
        Ok(())
    }

    /// Serves the session: heartbeats at the hub's interval and frames in both directions, until the connection ends or
    /// the runner says goodbye.
    async fn hold(&mut self, socket: &mut Socket, welcome: &Welcome, shutdown: &Shutdown) -> Result<(), LinkEnd> {
        if let Some(version) = welcome.rotate_to {
            self.offer_key(socket, version).await?;
        }
        let mut heartbeat_interval = Duration::from_millis(u64::from(welcome.heartbeat_ms.max(100)));
        let (mut seq, mut asked_at, mut round_trip_ms) = (0_u64, Instant::now(), None);
        let (mut next_beat, mut heard_at) = (Instant::now(), Instant::now());
        let mut sent_boot_ms = boot_ms();
        loop {
            tokio::select! {
                () = shutdown.asked() => return goodbye(socket, Leaving::Stop).await,
                () = moved(&mut self.moves) => {
                    // The role of the hub is part of the handshake, with the capabilities that depend on it: reconnect.
                    let error = Error::new(Code::SessionSuperseded, "the primary hub of this machine has changed");
                    return Err(LinkEnd { retry_after: Some(Span::ZERO), is_move: true, ..LinkEnd::of(error) });
                }
                why = leaving(&mut self.leave) => return goodbye(socket, why).await,
                () = tokio::time::sleep_until(next_beat) => {
                    // The hub answers every heartbeat. Four intervals without an answer mean a dead connection, which
                    // TCP alone would not report for many minutes.
                    if heard_at.elapsed() > heartbeat_interval * 4 {
                        return Err(LinkEnd::of(Error::new(Code::HubUnreachable, "the hub stopped answering")));
                    }
                    seq += 1;
                    (asked_at, next_beat, sent_boot_ms) = (Instant::now(), Instant::now() + heartbeat_interval, boot_ms());
                    let mut metrics = (self.meter)();
                    metrics.servers = self.gate.as_ref().map(HubGate::usage).unwrap_or_default();
                    metrics.outbox = self.engine.as_ref().and_then(|engine| *engine.outbox.borrow());
                    let beat = Heartbeat { seq, time: wall(), round_trip_ms, metrics };
                    send_frame(socket, &ToHub::Heartbeat(beat)).await?;
                }
                frame = read(socket) => match frame? {
                    ToRunner::HeartbeatAck { seq: acked, heartbeat_ms, .. } => {
                        heard_at = Instant::now();
                        self.contact.send_modify(|contact| contact.heard_at = Some(wall()));
                        heartbeat_interval = Duration::from_millis(u64::from(heartbeat_ms.max(100)));
                        if acked == seq {
                            round_trip_ms = u32::try_from(asked_at.elapsed().as_millis()).ok();
                            self.send_to_engine(HubMessage::HeartbeatAck { sent_boot_ms }).await;
                        }
                    }
                    ToRunner::HeartbeatInterval { heartbeat_ms } => {
                        heartbeat_interval = Duration::from_millis(u64::from(heartbeat_ms.max(100)));
                        // Send a heartbeat immediately: the rest of the old interval may be longer than several new
                        // ones.
                        (next_beat, heard_at) = (Instant::now(), Instant::now());
                    }
                    ToRunner::RotateKey { version } => self.offer_key(socket, version).await?,
                    ToRunner::Rotated { version } => self.key_confirmed(version).map_err(LinkEnd::of)?,
                    ToRunner::Promoted { number } => self.options.role.receive_promotion(number).await,
                    ToRunner::Stopping { retry_after_ms } => return Err(LinkEnd::stopping(retry_after_ms)),
                    other => self.work(other).await?,
                },
                Some((epoch, packed)) = next_replication_frame(&mut self.rows) => {
                    if epoch == welcome.epoch {
                        send_packed(socket, packed).await?;
                    }
                }
                Some(outgoing) = next_engine_frame(&mut self.engine) => {
                    // A frame of an earlier session: the inventory of this one has replaced it.
                    if outgoing.epoch == welcome.epoch {
                        send_frame(socket, &outgoing.frame).await?;
                    }
                }
            }
        }
    }

    /// Creates the next key, saves it and then offers it to the hub. In the other order, a crash after the hub accepted
    /// the key would lock this machine out.
    async fn offer_key(&mut self, socket: &mut Socket, version: i32) -> Result<(), LinkEnd> {
        let next = match self.identity.next_key.take().filter(|next| next.version == version) {
            Some(next) => next,
            None => VersionedKey { version, key: PrivateKey::new(Random.bytes()) },
        };
        let public_key = next.key.public();
        let message = signed::next_key(self.identity.host_id, version, &public_key);
        let rotate = Rotate {
            version,
            public_key,
            signature: self.identity.key.key.sign(&message),
            possession: next.key.sign(&message),
        };
        self.identity.next_key = Some(next);
        self.keep().map_err(LinkEnd::of)?;
        send_frame(socket, &ToHub::Rotate(rotate)).await
    }

    fn key_confirmed(&mut self, version: i32) -> Result<()> {
        if self.identity.next_key.as_ref().is_some_and(|next| next.version == version) {
            tracing::info!(version, "the hub accepted the new key of this host");
            self.promote_next_key()?;
        }
        Ok(())
    }

    fn promote_next_key(&mut self) -> Result<()> {
        if let Some(next) = self.identity.next_key.take() {
            self.identity.key = next;
            self.keep()?;
        }
        Ok(())
    }

    fn keep(&self) -> Result<()> {
        self.file.as_ref().map_or(Ok(()), |file| file.write(&self.identity))
    }
}

/// Sends a goodbye with the reason and closes the socket.
async fn goodbye(socket: &mut Socket, why: Leaving) -> Result<(), LinkEnd> {
    send_frame(socket, &ToHub::Goodbye(Goodbye { reason: why.to_string() })).await?;
    let _ = socket.close(None).await;
    // Wait until the hub has closed its side: closing earlier could discard the goodbye.
    let drained = async { while let Some(Ok(_)) = socket.next().await {} };
    let _ = tokio::time::timeout(GOODBYE_TIME_MAX, drained).await;
    Ok(())
}

/// Resolves when the machine is about to suspend or shut down.
async fn leaving(leave: &mut Option<watch::Receiver<Option<Leaving>>>) -> Leaving {
    if let Some(leave) = leave {
        while leave.changed().await.is_ok() {
            let why = *leave.borrow_and_update();
            if let Some(why) = why {
                return why;
            }
        }
    }
    std::future::pending().await
}

/// Resolves when the primary hub may have changed.
async fn moved(moves: &mut Option<watch::Receiver<Option<Promotion>>>) {
    let Some(moves) = moves else { return std::future::pending().await };
    if moves.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// The next frame from the engine.
async fn next_engine_frame(engine: &mut Option<LinkChannel>) -> Option<Outgoing> {
    match engine {
        Some(engine) => engine.from_engine.recv().await,
        None => std::future::pending().await,
    }
}

/// The next frame from the replication of rows.
async fn next_replication_frame(rows: &mut Option<SyncChannel>) -> Option<(i64, Packed)> {
    match rows {
        Some(rows) => rows.from_replication.recv().await,
        None => std::future::pending().await,
    }
}

async fn send_packed(socket: &mut Socket, packed: Packed) -> Result<(), LinkEnd> {
    let message = match packed {
        Packed::Text(text) => Message::text(text),
        Packed::Binary(bytes) => Message::binary(bytes),
    };
    socket.send(message).await.map_err(|error| {
        LinkEnd::of(Error::new(Code::HubUnreachable, format!("the connection to the hub was lost: {error}")))
    })
}

async fn open(dial: &Dial, hub_key: Bytes32) -> Result<(Socket, Option<ChannelBinding>), LinkEnd> {
    let connection = dial.connect(hub_key).await.map_err(LinkEnd::of)?;
    let mut config = WebSocketConfig::default();
    config.max_message_size = Some(FRAME_BYTES_MAX);
    config.read_buffer_size = 4096;
    config.write_buffer_size = 0;
    let request = tungstenite::ClientRequestBuilder::new(
        dial.uri("ws", "/api/v1/link")
            .parse()
            .map_err(|_| LinkEnd::of(Error::new(Code::InvalidValue, "the address of the hub is not a valid URL")))?,
    )
    .with_header("Host", dial.host());
    let opening =
        tokio::time::timeout(STEP_TIME_MAX, client_async_with_config(request, connection.stream, Some(config)));
    match opening.await {
        Ok(Ok((socket, _))) => Ok((socket, connection.binding)),
        Ok(Err(tungstenite::Error::Http(response))) => Err(rejected(dial, &response)),
        Ok(Err(error)) => Err(LinkEnd::of(Error::new(
            Code::HubUnreachable,
            format!("cannot open a link to {}: {error}", dial.name()),
        ))),
        Err(_) => Err(LinkEnd::of(Error::new(Code::HubUnreachable, format!("{} did not answer in time", dial.name())))),
    }
}

/// The error for an HTTP response instead of a WebSocket.
fn rejected(dial: &Dial, response: &tungstenite::http::Response<Option<Vec<u8>>>) -> LinkEnd {
    let problem = response.body().as_deref().and_then(|body| serde_json::from_slice::<proto::Problem>(body).ok());
    match problem {
        Some(problem) => LinkEnd::of(problem.into()),
        None => LinkEnd::of(
            Error::new(
                Code::HubUnreachable,
                format!("{} returned {} instead of opening a link", dial.name(), response.status()),
            )
            .hint("if there is a proxy in front of the hub, configure it to pass WebSockets"),
        ),
    }
}

async fn send_frame(socket: &mut Socket, frame: &ToHub) -> Result<(), LinkEnd> {
    let text =
        serde_json::to_string(frame).map_err(|error| LinkEnd::of(Error::new(Code::Internal, error.to_string())))?;
    socket.send(Message::text(text)).await.map_err(|error| {
        LinkEnd::of(Error::new(Code::HubUnreachable, format!("the connection to the hub was lost: {error}")))
    })
}

/// The reason for which the hub closed the connection, from frames that arrived before a write failed and are still
/// unread.
async fn last_word(socket: &mut Socket) -> Option<LinkEnd> {
    let search = async {
        loop {
            match read(socket).await {
                Ok(ToRunner::Stopping { retry_after_ms }) => return Some(LinkEnd::stopping(retry_after_ms)),
                Ok(_) => {}
                Err(ended) => return Some(ended).filter(|ended| !ended.is_break()),
            }
        }
    };
    tokio::time::timeout(LAST_WORD_MAX, search).await.ok().flatten()
}

async fn expect(socket: &mut Socket) -> Result<ToRunner, LinkEnd> {
    tokio::time::timeout(STEP_TIME_MAX, read(socket))
        .await
        .unwrap_or_else(|_| Err(LinkEnd::of(Error::new(Code::HubUnreachable, "the hub did not answer in time"))))
}

async fn read(socket: &mut Socket) -> Result<ToRunner, LinkEnd> {
    loop {
        let broken = |why: String| {
            LinkEnd::of(Error::new(Code::HubUnreachable, format!("the connection to the hub was lost: {why}")))
        };
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                let frame = ToRunner::parse(&text).map_err(|error| {
                    LinkEnd::of(
                        Error::new(Code::VersionMismatch, format!("unknown message from the hub: {error}"))
                            .hint("update the runner on this machine"),
                    )
                })?;
                return match frame {
                    ToRunner::Refused(refused) => Err(refusal(refused)),
                    frame => Ok(frame),
                };
            }
            // Only replication frames are binary.
            Some(Ok(Message::Binary(bytes))) => return Ok(ToRunner::Sync(Packed::Binary(bytes.into()))),
            Some(Ok(Message::Close(_))) | None => return Err(broken("the hub closed the connection".to_owned())),
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(broken(error.to_string())),
        }
    }
}

fn refusal(refused: Refused) -> LinkEnd {
    let retry_after = refused.retry_after_ms.map_or(REFUSED_RETRY, |ms| Span::from_millis(i64::from(ms)));
    LinkEnd { retry_after: Some(retry_after), ..LinkEnd::of(Error::new(refused.code, refused.detail)) }
}

fn unexpected(frame: &ToRunner) -> LinkEnd {
    LinkEnd::of(
        Error::new(Code::VersionMismatch, format!("unexpected message from the hub: {frame:?}"))
            .hint("update the runner on this machine"),
    )
}
