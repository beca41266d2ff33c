//! The link: one outgoing WebSocket to the hub, kept for as long as the runner runs.

use std::time::Duration;

use domain::{Span, backoff::Backoff, definition::Trust, home::Promotion, presence::Leaving, timeline::Contact};
use futures_util::{SinkExt as _, StreamExt as _};
use proto::{
    Code, VERSION,
    link::{
        Bytes32, FRAME_BYTES_MAX, Goodbye, Heartbeat, Hello, LINK_VERSIONS, Proof, Refused, Rotate, ToHub, ToRunner,
        Welcome, is_signed_by, signed,
    },
    metrics::Machine,
    sync::{DESK, HOME, PACKED, Packed, SERVERS},
};
use runtime::{Random, Shutdown, clock::wall};
use tokio::{sync::watch, time::Instant};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{self, Message, protocol::WebSocketConfig},
};

use crate::{
    Desk, Dial, Error, Identity, IdentityFile, Result, Seat,
    desk::{FromHub, Saying},
    dial::{Stream, wrong_hub},
    exec::boot_ms,
    identity::{PrivateKey, VersionedKey},
    machine::{self, Meter},
    servers::Servers,
    sync::{SyncDesk, Told},
};

/// Delays between tries: the ceiling doubles from one second to thirty.
const RECONNECT: Backoff = Backoff { first: Span::from_secs(1), cap: Span::from_secs(30) };
/// A refusal that only a person can end is tried again this often: the person may have ended it.
const REFUSED_RETRY: Span = Span::from_secs(60);
/// How long is looked for why a link broke.
const LAST_WORD_MAX: Duration = Duration::from_millis(500);
/// How long the hub may take for each step of the handshake.
const STEP_TIME_MAX: Duration = Duration::from_secs(20);

/// How long a goodbye may take.
pub(crate) const GOODBYE_TIME_MAX: Duration = Duration::from_secs(2);
/// A machine that said it would leave and is still awake after this did not leave.
const LEAVE_TIME_MAX: Duration = Duration::from_secs(120);

/// How a runner behaves.
#[derive(Clone)]
pub struct Options {
    /// How to reach the hub.
    pub dial: Dial,
    /// The name to ask for, if no person has set one.
    pub name: Option<String>,
    /// A random name of this run of the process.
    pub incarnation: String,
    /// The queues it serves; the default one if none.
    pub queues: Vec<String>,
    /// Whose definitions this machine runs.
    pub trust: Trust,
    /// Whether its work comes from this hub.
    pub seat: Seat,
}

/// Where the link stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkState {
    /// Being made.
    Connecting,
    /// Up.
    Up {
        /// The session's number.
        epoch: i64,
        /// The secret for plain HTTP requests of this session.
        session_token: String,
        /// The host's name, as people know it.
        name: String,
    },
    /// Down, with the reason.
    Down {
        /// Why, for programs.
        code: Code,
        /// Why, for people.
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
    desk: Option<Desk>,
    rows: Option<SyncDesk>,
    is_at_desk: bool,
    servers: Option<Servers>,
    keeps_servers: bool,
    /// Where the home is, since it was last said.
    moves: Option<watch::Receiver<Option<Promotion>>>,
}

type Socket = WebSocketStream<Box<dyn Stream>>;

/// How a connection ended.
struct Ended {
    error: Error,
    /// The hub's word on when to come back.
    retry_after: Option<Span>,
    /// Whether a session had been opened.
    was_up: bool,
}

impl Ended {
    fn of(error: Error) -> Self {
        Self { retry_after: error.problem.retry_after_ms.map(Span::from_millis), error, was_up: false }
    }

    /// The hub is stopping, and says when to come back.
    fn stopping(retry_after_ms: u32) -> Self {
        let error = Error::new(Code::HubStopping, "the hub is stopping");
        Self { retry_after: Some(Span::from_millis(i64::from(retry_after_ms))), ..Self::of(error) }
    }

    /// Whether it just broke, without a word from the hub.
    fn is_break(&self) -> bool {
        self.error.problem.code == Code::HubUnreachable
    }
}

impl Link {
    /// A link for this identity. A rotated key is written to `file`.
    #[must_use]
    pub fn new(options: Options, identity: Identity, file: Option<IdentityFile>) -> Self {
        let mut meter = Meter::new();
        let moves = options.seat.watch();
        let contact = Contact { hub: options.dial.name(), up_since: None, heard_at: None };
        Self {
            options,
            identity,
            file,
            meter: Box::new(move || meter.read()),
            state: watch::Sender::new(LinkState::Connecting),
            contact: watch::Sender::new(contact),
            leave: None,
            desk: None,
            rows: None,
            is_at_desk: false,
            servers: None,
            keeps_servers: false,
            moves,
        }
    }

    /// The same with readings from elsewhere: for many links in one process.
    #[must_use]
    pub fn with_meter(mut self, meter: impl FnMut() -> proto::metrics::HostMetrics + Send + Sync + 'static) -> Self {
        self.meter = Box::new(meter);
        self
    }

    /// The same with servers whose use is told. `keeps` = those of this hub are kept here, too.
    #[must_use]
    pub fn with_servers(mut self, servers: Servers, keeps: bool) -> Self {
        (self.servers, self.keeps_servers) = (Some(servers), keeps);
        self
    }

    /// What we understand beyond the plain protocol.
    fn caps(&self) -> Vec<String> {
        let is_home = self.options.seat.is_home();
        let caps = [
            Some(PACKED),
            self.options.seat.can_move().then_some(HOME),
            (self.is_at_desk && is_home).then_some(DESK),
            (self.keeps_servers && is_home).then_some(SERVERS),
        ];
        caps.into_iter().flatten().map(str::to_owned).collect()
    }

    /// The same with work to talk about. Without it the hub is never offered a place for a job.
    #[must_use]
    pub fn with_desk(mut self, desk: Desk) -> Self {
        self.desk = Some(desk);
        self
    }

    /// The same with rows of its own to tell of.
    #[must_use]
    pub fn with_rows(mut self, rows: SyncDesk) -> Self {
        self.rows = Some(rows);
        self
    }

    /// The same for a runner that can fire the hub's schedules by itself.
    #[must_use]
    pub fn at_desk(mut self) -> Self {
        self.is_at_desk = true;
        self
    }

    /// The same for a machine that is told when it will leave: the hub hears of it, and of its return.
    #[must_use]
    pub fn leaving_with(mut self, leave: watch::Receiver<Option<Leaving>>) -> Self {
        self.leave = Some(leave);
        self
    }

    /// Where the link stands, from now on.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<LinkState> {
        self.state.subscribe()
    }

    /// Since when the hub is there, and when it was last heard.
    #[must_use]
    pub fn contact(&self) -> watch::Receiver<Contact> {
        self.contact.subscribe()
    }

    /// Keeps the link until shutdown, then says goodbye.
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
            tracing::warn!(code = %ended.error.code(), retry_in = %delay, "the link to {} is down: {}", self.options.dial.name(), ended.error);
            self.state.send_replace(LinkState::Down { code: ended.error.code(), reason: ended.error.to_string() });
            tokio::select! {
                () = tokio::time::sleep(delay.to_duration()) => {}
                () = shutdown.asked() => return,
            }
        }
    }

    /// The machine leaves: until it is back, nobody is called.
    async fn stay_away(&mut self, shutdown: &Shutdown) {
        let reason = "this machine is about to leave".to_owned();
        self.state.send_replace(LinkState::Down { code: Code::HubUnreachable, reason });
        let Some(leave) = &mut self.leave else { return };
        tokio::select! {
            back = tokio::time::timeout(LEAVE_TIME_MAX, leave.wait_for(Option::is_none)) => drop(back),
            () = shutdown.asked() => {}
        }
    }

    /// One connection, from hello to its end. `Ok` means a goodbye was said.
    async fn connect(&mut self, shutdown: &Shutdown) -> Result<(), Ended> {
        if let Some(moves) = &mut self.moves {
            moves.mark_unchanged();
        }
        // Only the way in is cut short by a shutdown: once a session is open, it ends with a goodbye.
        let way_in = async {
            let mut socket = open(&self.options.dial, self.identity.hub_key).await?;
            let shaken = self.shake_hands(&mut socket).await;
            Ok((socket, shaken))
        };
        let (mut socket, shaken) = tokio::select! {
            opened = way_in => opened?,
            () = shutdown.asked() => return Ok(()),
        };
        let welcome = match shaken {
            // The hub took our next key, but its word was lost: from now on that one is ours.
            Err(ended) if ended.error.code() == Code::HostRevoked && self.identity.next_key.is_some() => {
                self.promote_next_key().map_err(Ended::of)?;
                return Err(Ended { retry_after: Some(Span::ZERO), ..ended });
            }
            shaken => shaken?,
        };
        if welcome.clock_skew_ms.abs() > domain::presence::CLOCK_SKEW_MAX.as_millis() {
            tracing::warn!(
                skew_ms = welcome.clock_skew_ms,
                "this machine's clock is off by {}; set it: timedatectl set-ntp true",
                Span::from_millis(welcome.clock_skew_ms.abs())
            );
        }
        tracing::info!(epoch = welcome.epoch, "linked to {} as {}", self.options.dial.name(), welcome.name);
        let (session_token, now) = (welcome.session_token.clone(), wall());
        self.contact.send_modify(|contact| (contact.up_since, contact.heard_at) = (Some(now), Some(now)));
        self.state.send_replace(LinkState::Up { epoch: welcome.epoch, session_token, name: welcome.name.clone() });
        let (epoch, lost_after_ms) = (welcome.epoch, welcome.lost_after_ms);
        self.tell(FromHub::Begun { epoch, lost_after_ms, name: welcome.name.clone() }).await;
        self.tell_rows(Told::Begun { epoch, caps: welcome.caps.clone() }).await;
        let held = match self.hold(&mut socket, &welcome, shutdown).await {
            Err(ended) if ended.is_break() => Err(last_word(&mut socket).await.unwrap_or(ended)),
            held => held,
        };
        self.contact.send_modify(|contact| contact.up_since = None);
        self.tell(FromHub::Ended).await;
        self.tell_rows(Told::Ended).await;
        held.map_err(|ended| Ended { was_up: true, ..ended })
    }

    async fn shake_hands(&self, socket: &mut Socket) -> Result<Welcome, Ended> {
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
            time: wall(),
            caps: self.caps(),
            home: self.options.seat.elsewhere(),
            promotion: self.options.seat.promotion(),
        };
        say(socket, &ToHub::Hello(Box::new(hello))).await?;
        let challenge = match expect(socket).await? {
            ToRunner::Challenge(challenge) => challenge,
            other => return Err(unexpected(&other)),
        };
        let hub_key = &self.identity.hub_key;
        if !is_signed_by(hub_key, &signed::hub_proof(hub_key, &nonce), &challenge.proof) {
            return Err(Ended::of(wrong_hub(&self.options.dial.name())));
        }
        let message = signed::runner_proof(hub_key, &challenge.nonce, &nonce, host, key.version);
        say(socket, &ToHub::Proof(Proof { signature: key.key.sign(&message) })).await?;
        match expect(socket).await? {
            ToRunner::Welcome(welcome) => Ok(welcome),
            other => Err(unexpected(&other)),
        }
    }

    /// Hands something to the work, if there is any.
    async fn tell(&self, heard: FromHub) {
        if let Some(desk) = &self.desk {
            // Gone only while the process stops.
            let _ = desk.tell.send(heard).await;
        }
    }

    /// Hands something to those who keep the rows, if there are any.
    async fn tell_rows(&self, told: Told) {
        if let Some(rows) = &self.rows {
            let _ = rows.tell.send(told).await;
        }
    }

    /// Hands a frame about work on; anything else is out of place.
    async fn work(&self, frame: ToRunner) -> Result<(), Ended> {
        let heard = match frame {
            ToRunner::Verdicts(verdicts) => FromHub::Verdicts(verdicts),
            ToRunner::Grants(grants) => FromHub::Grants(grants),
            ToRunner::Settled { through } => FromHub::Settled { through },
            ToRunner::Logged { run, through } => FromHub::Logged { run, through },
            ToRunner::Cancel { runs } => FromHub::Cancel(runs),
            ToRunner::Orders { orders } => FromHub::Orders(orders),
            ToRunner::Sync(packed) => {
                // A hub that says more than it was answered to is not waited for; what is lost is asked for again.
                if let Some(rows) = &self.rows {
                    let _ = rows.tell.try_send(Told::Said(packed));
                }
                return Ok(());
            }
            other => return Err(unexpected(&other)),
        };
        self.tell(heard).await;
        Ok(())
    }

    /// Heartbeats at the hub's pace until the socket ends or we say goodbye.
    async fn hold(&mut self, socket: &mut Socket, welcome: &Welcome, shutdown: &Shutdown) -> Result<(), Ended> {
        if let Some(version) = welcome.rotate_to {
            self.offer_key(socket, version).await?;
        }
        let mut pace = Duration::from_millis(u64::from(welcome.heartbeat_ms.max(100)));
        let (mut seq, mut asked_at, mut round_trip_ms) = (0_u64, Instant::now(), None);
        let (mut next_beat, mut heard_at) = (Instant::now(), Instant::now());
        let mut sent_boot_ms = boot_ms();
        loop {
            tokio::select! {
                () = shutdown.asked() => return goodbye(socket, Leaving::Stop).await,
                () = moved(&mut self.moves) => {
                    // Said at the beginning of a session, with all that follows from it.
                    let error = Error::new(Code::SessionSuperseded, "this machine has another home now");
                    return Err(Ended { retry_after: Some(Span::ZERO), ..Ended::of(error) });
                }
                why = leaving(&mut self.leave) => return goodbye(socket, why).await,
                () = tokio::time::sleep_until(next_beat) => {
                    // The hub answers every heartbeat; without an answer for so long the socket is dead.
                    if heard_at.elapsed() > pace * 4 {
                        return Err(Ended::of(Error::new(Code::HubUnreachable, "the hub no longer answers")));
                    }
                    seq += 1;
                    (asked_at, next_beat, sent_boot_ms) = (Instant::now(), Instant::now() + pace, boot_ms());
                    let mut metrics = (self.meter)();
                    metrics.servers = self.servers.as_ref().map(Servers::usage).unwrap_or_default();
                    metrics.outbox = self.desk.as_ref().and_then(|desk| *desk.outbox.borrow());
                    let beat = Heartbeat { seq, time: wall(), round_trip_ms, metrics };
                    say(socket, &ToHub::Heartbeat(beat)).await?;
                }
                frame = read(socket) => match frame? {
                    ToRunner::Heard { seq: heard, heartbeat_ms, .. } => {
                        heard_at = Instant::now();
                        self.contact.send_modify(|contact| contact.heard_at = Some(wall()));
                        pace = Duration::from_millis(u64::from(heartbeat_ms.max(100)));
                        if heard == seq {
                            round_trip_ms = u32::try_from(asked_at.elapsed().as_millis()).ok();
                            self.tell(FromHub::Heard { sent_boot_ms }).await;
                        }
                    }
                    ToRunner::Pace { heartbeat_ms } => {
                        pace = Duration::from_millis(u64::from(heartbeat_ms.max(100)));
                        // At once: the new pace may be a small part of what is left of the old one.
                        (next_beat, heard_at) = (Instant::now(), Instant::now());
                    }
                    ToRunner::Rotated { version } => self.key_confirmed(version).map_err(Ended::of)?,
                    ToRunner::Promoted { number } => self.options.seat.heard(number).await,
                    ToRunner::Stopping { retry_after_ms } => return Err(Ended::stopping(retry_after_ms)),
                    other => self.work(other).await?,
                },
                Some((epoch, packed)) = about_rows(&mut self.rows) => {
                    if epoch == welcome.epoch {
                        say_packed(socket, packed).await?;
                    }
                }
                Some(saying) = saying(&mut self.desk) => {
                    // Meant for another session: what it was about has been settled by the inventory.
                    if saying.epoch == welcome.epoch {
                        say(socket, &saying.frame).await?;
                    }
                }
            }
        }
    }

    /// Makes the next key, keeps it, and only then shows it to the hub.
    async fn offer_key(&mut self, socket: &mut Socket, version: i32) -> Result<(), Ended> {
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
        self.keep().map_err(Ended::of)?;
        say(socket, &ToHub::Rotate(rotate)).await
    }

    fn key_confirmed(&mut self, version: i32) -> Result<()> {
        if self.identity.next_key.as_ref().is_some_and(|next| next.version == version) {
            tracing::info!(version, "the hub took this host's new key");
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

/// Tells the hub that nothing more will be said, and why.
async fn goodbye(socket: &mut Socket, why: Leaving) -> Result<(), Ended> {
    say(socket, &ToHub::Goodbye(Goodbye { reason: why.to_string() })).await?;
    let _ = socket.close(None).await;
    // Until the hub has closed too, or the goodbye might be lost with the connection.
    let drained = async { while let Some(Ok(_)) = socket.next().await {} };
    let _ = tokio::time::timeout(GOODBYE_TIME_MAX, drained).await;
    Ok(())
}

/// Resolves when the machine begins to leave.
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

/// Resolves when the home may be another one.
async fn moved(moves: &mut Option<watch::Receiver<Option<Promotion>>>) {
    let Some(moves) = moves else { return std::future::pending().await };
    if moves.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// The next thing the work has to say.
async fn saying(desk: &mut Option<Desk>) -> Option<Saying> {
    match desk {
        Some(desk) => desk.sayings.recv().await,
        None => std::future::pending().await,
    }
}

/// The next thing to say about rows.
async fn about_rows(rows: &mut Option<SyncDesk>) -> Option<(i64, Packed)> {
    match rows {
        Some(rows) => rows.says.recv().await,
        None => std::future::pending().await,
    }
}

async fn say_packed(socket: &mut Socket, packed: Packed) -> Result<(), Ended> {
    let message = match packed {
        Packed::Text(text) => Message::text(text),
        Packed::Binary(bytes) => Message::binary(bytes),
    };
    socket
        .send(message)
        .await
        .map_err(|error| Ended::of(Error::new(Code::HubUnreachable, format!("the link broke: {error}"))))
}

async fn open(dial: &Dial, hub_key: Bytes32) -> Result<Socket, Ended> {
    let stream = dial.connect(hub_key).await.map_err(Ended::of)?;
    let mut config = WebSocketConfig::default();
    config.max_message_size = Some(FRAME_BYTES_MAX);
    config.read_buffer_size = 4096;
    config.write_buffer_size = 0;
    let request = tungstenite::ClientRequestBuilder::new(
        dial.uri("ws", "/api/v1/link")
            .parse()
            .map_err(|_| Ended::of(Error::new(Code::InvalidValue, "the hub's address cannot be read")))?,
    )
    .with_header("Host", dial.host());
    let opening = tokio::time::timeout(STEP_TIME_MAX, client_async_with_config(request, stream, Some(config)));
    match opening.await {
        Ok(Ok((socket, _))) => Ok(socket),
        Ok(Err(tungstenite::Error::Http(response))) => Err(turned_away(dial, &response)),
        Ok(Err(error)) => {
            Err(Ended::of(Error::new(Code::HubUnreachable, format!("{} does not open a link: {error}", dial.name()))))
        }
        Err(_) => Err(Ended::of(Error::new(Code::HubUnreachable, format!("{} did not answer in time", dial.name())))),
    }
}

/// The hub answered with a problem instead of opening the socket.
fn turned_away(dial: &Dial, response: &tungstenite::http::Response<Option<Vec<u8>>>) -> Ended {
    let problem = response.body().as_deref().and_then(|body| serde_json::from_slice::<proto::Problem>(body).ok());
    match problem {
        Some(problem) => Ended::of(problem.into()),
        None => Ended::of(
            Error::new(
                Code::HubUnreachable,
                format!("{} answered {} instead of opening a link", dial.name(), response.status()),
            )
            .hint("if a proxy is in front of the hub, let it pass WebSockets"),
        ),
    }
}

async fn say(socket: &mut Socket, frame: &ToHub) -> Result<(), Ended> {
    let text =
        serde_json::to_string(frame).map_err(|error| Ended::of(Error::new(Code::Internal, error.to_string())))?;
    socket
        .send(Message::text(text))
        .await
        .map_err(|error| Ended::of(Error::new(Code::HubUnreachable, format!("the link broke: {error}"))))
}

/// Why the hub has ended a link, if it had said so by the time something could no longer be said to it: that lies unread.
async fn last_word(socket: &mut Socket) -> Option<Ended> {
    let search = async {
        loop {
            match read(socket).await {
                Ok(ToRunner::Stopping { retry_after_ms }) => return Some(Ended::stopping(retry_after_ms)),
                Ok(_) => {}
                Err(ended) => return Some(ended).filter(|ended| !ended.is_break()),
            }
        }
    };
    tokio::time::timeout(LAST_WORD_MAX, search).await.ok().flatten()
}

async fn expect(socket: &mut Socket) -> Result<ToRunner, Ended> {
    tokio::time::timeout(STEP_TIME_MAX, read(socket))
        .await
        .unwrap_or_else(|_| Err(Ended::of(Error::new(Code::HubUnreachable, "the hub did not answer in time"))))
}

async fn read(socket: &mut Socket) -> Result<ToRunner, Ended> {
    loop {
        let broken = |why: String| Ended::of(Error::new(Code::HubUnreachable, format!("the link broke: {why}")));
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                let frame = ToRunner::parse(&text).map_err(|error| {
                    Ended::of(
                        Error::new(Code::VersionMismatch, format!("the hub said something unknown: {error}"))
                            .hint("please update runner"),
                    )
                })?;
                return match frame {
                    ToRunner::Refused(refused) => Err(refusal(refused)),
                    frame => Ok(frame),
                };
            }
            // Only frames about rows are ever packed.
            Some(Ok(Message::Binary(bytes))) => return Ok(ToRunner::Sync(Packed::Binary(bytes.into()))),
            Some(Ok(Message::Close(_))) | None => return Err(broken("the hub closed it".to_owned())),
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(broken(error.to_string())),
        }
    }
}

fn refusal(refused: Refused) -> Ended {
    let retry_after = refused.retry_after_ms.map_or(REFUSED_RETRY, |ms| Span::from_millis(i64::from(ms)));
    Ended { retry_after: Some(retry_after), ..Ended::of(Error::new(refused.code, refused.detail)) }
}

fn unexpected(frame: &ToRunner) -> Ended {
    Ended::of(
        Error::new(Code::VersionMismatch, format!("the hub said {frame:?} at the wrong time"))
            .hint("please update runner"),
    )
}
