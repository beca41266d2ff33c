//! The long-running commands: which parts one process is made of.

use std::{
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use clap::Args;
use domain::{Actor, Caller, HostId, Role, Span, definition::Trust, role::Scope};
use hub::{Hub, Listeners, app::RequestContext, options::BrowserTls, server::LocalSocket};
use proto::{Code, VERSION, api::host::JoinTokenRequest, link::Bytes32};
use runner::{
    Desk, Dial, Identity, IdentityFile, Link,
    absence::AbsenceLog,
    servers::{Keeper, Servers},
    sync::RowSync,
    work::{Engine, Settings},
};
use runtime::{Clock, Crew, Random, Shutdown, signals};
use store::{Store, replication::Seat};
use tokio::net::TcpListener;

use super::promote::{self, HubCommand};
use crate::{
    cli::Globals,
    config::Config,
    fail::{Failure, Result},
    home, logging, memory, output,
};

/// Bytes in a pipe between the runner and the hub of one process.
const PIPE_BYTES: usize = 64 * 1024;

/// What every hub is started with
#[derive(Args, Clone, Default)]
pub(crate) struct ListenArgs {
    /// Address and port to listen on
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Listen on every address of this machine, port 7411
    #[arg(long, conflicts_with = "listen")]
    lan: bool,
    /// The address people and runners use, if it is not the one listened on
    #[arg(long, value_name = "URL")]
    advertise: Option<String>,
    /// The hub's database: sqlite:PATH or postgres://…
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
    /// A certificate chain for browsers, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<String>,
    /// The key of that certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<String>,
}

/// Start hub, runner and web UI in one process
#[derive(Args)]
pub(crate) struct UpArgs {
    #[command(flatten)]
    listen: ListenArgs,
}

/// Start a hub
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct HubArgs {
    #[command(flatten)]
    listen: ListenArgs,
    /// Serve the web UI too
    #[arg(long)]
    supervisor: bool,
    #[command(subcommand)]
    command: Option<HubCommand>,
}

/// The parts of a process that has a hub.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) has_runner: bool,
    pub(super) has_supervisor: bool,
}

pub(crate) async fn up(globals: &Globals, args: UpArgs) -> Result<ExitCode> {
    Box::pin(serve(globals, args.listen, Parts { has_runner: true, has_supervisor: true })).await
}

pub(crate) async fn hub(globals: &Globals, args: HubArgs) -> Result<ExitCode> {
    if let Some(command) = args.command {
        return promote::hub(globals, command).await;
    }
    Box::pin(serve(globals, args.listen, Parts { has_runner: false, has_supervisor: args.supervisor })).await
}

/// Hub and runner in one process.
pub(super) async fn runner_with_hub(globals: &Globals, args: ListenArgs, has_supervisor: bool) -> Result<ExitCode> {
    Box::pin(serve(globals, args, Parts { has_runner: true, has_supervisor })).await
}

/// The queues this machine serves.
fn queues(config: &Config) -> Vec<String> {
    config.text("runner.queues").split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Whose definitions this machine runs: only its own if the join or the settings say so.
fn trust(config: &Config, identity: &Identity) -> Result<Trust> {
    Ok(config.parse::<Trust>("runner.trust")?.max(identity.trust))
}

/// What does the work of a runner.
pub(super) struct Work {
    pub(super) engine: Engine,
    pub(super) crew: Crew,
}

/// Where a hub's work is done, and how it is told apart from that of others.
pub(super) struct Place<'p> {
    /// Its part of the runner's database.
    pub(super) source: String,
    /// The folder of its runs, in the data folder.
    pub(super) folder: &'p str,
    /// The socket where its programs tell how far they are.
    pub(super) socket: &'p str,
}

impl Place<'_> {
    /// For work that a hub gives.
    pub(super) fn of_hub(hub_key: &Bytes32) -> Self {
        Place { source: hub_key.to_string()[..16].to_owned(), folder: "runs", socket: "runner.sock" }
    }
}

/// Opens the runner's own database.
pub(super) async fn open_runner(home: &Path) -> Result<Store> {
    let mut options = store::Options::new(format!("sqlite:{}", home.join("runner.db").display()));
    // Each costs an idle machine most of a megabyte; what is read here is little, and seldom.
    options.connections = 2;
    Ok(Store::open(&options).await?)
}

/// Who keeps the servers of this machine, for all hubs it works for.
pub(super) struct Keeping {
    pub(super) keeper: Keeper,
    pub(super) servers: Servers,
    pub(super) crew: Crew,
}

/// The servers of this machine. What changes of them is numbered, for hubs that ask.
pub(super) async fn keeping(home: &Path, store: &Store) -> Result<Keeping> {
    let now = runtime::clock::wall();
    store.write(move |tx| Box::pin(async move { tx.sync_capture(now) })).await?;
    let crew = Crew::default();
    let settings = runner::servers::Settings { folder: home.join("servers") };
    let (keeper, servers) = Keeper::new(store.clone(), &settings, crew.clone())?;
    Ok(Keeping { keeper, servers, crew })
}

impl Keeping {
    /// Keeps them until shutdown. What runs then goes on.
    pub(super) async fn run(self, shutdown: Shutdown) {
        self.keeper.run(shutdown).await;
        self.crew.stop(Duration::ZERO).await;
    }
}

pub(super) async fn engine(
    config: &Config,
    home: &Path,
    identity: &Identity,
    store: Store,
    place: Place<'_>,
    servers: Servers,
) -> Result<(Desk, Work)> {
    let source = place.source.clone();
    store.write(move |tx| Box::pin(async move { tx.journal_adopt(&source).await })).await?;
    let is_local = trust(config, identity)? == Trust::Local;
    let settings = Settings {
        folder: home.join(place.folder),
        slots: config.parse("runner.slots")?,
        catalogue: is_local.then(|| home::catalogue(home)),
        socket: home.join(place.socket),
        source: place.source,
    };
    let ((desk, bench), crew) = (runner::desk(), Crew::default());
    let engine = Engine::new(store, &settings, identity.name.clone(), bench, servers, crew.clone())?;
    Ok((desk, Work { engine, crew }))
}

/// Keeps the link and does the work until shutdown. What runs then goes on, and the next start takes it up.
pub(super) async fn work(link: Link, work: Work, shutdown: Shutdown) {
    tokio::join!(link.run(shutdown.clone()), work.engine.run(shutdown));
    work.crew.stop(Duration::ZERO).await;
}

pub(super) fn link(
    config: &Config,
    dial: Dial,
    identity: Identity,
    file: IdentityFile,
    seat: runner::Seat,
) -> Result<Link> {
    let options = runner::Options {
        dial,
        name: config.optional("runner.name").map(str::to_owned),
        incarnation: data_encoding::HEXLOWER.encode(&Random.bytes::<16>()),
        queues: queues(config),
        trust: trust(config, &identity)?,
        seat,
    };
    Ok(Link::new(options, identity, Some(file)))
}

/// A process with a hub.
async fn serve(globals: &Globals, args: ListenArgs, parts: Parts) -> Result<ExitCode> {
    let home = home::folder(globals.home.as_deref());
    home::prepare(&home)?;
    let _lock = home::lock(&home)?;
    let config = load(globals, &home, args)?;
    start_logging(globals, &config)?;
    let tcp = bind(config.text("hub.listen")).await?;
    let address =
        tcp.local_addr().map_err(|error| Failure::new(Code::PortTaken, "the port is not ours").because(&error))?;
    let options = options(&config, address, parts)?;
    let mut store_options = store::Options::new(config.text("hub.database_url"));
    store_options.connections = config.parse("hub.database_connections")?;
    let store = Store::open(&store_options).await?;
    let local = local_socket(&home)?;
    let hub = Hub::open(store, options, Clock::system()).await?;
    let crew = Crew::default();
    let shutdown =
        signals(&crew).map_err(|error| Failure::new(Code::Internal, "cannot listen for signals").because(&error))?;
    let serving = async {
        let stop = shutdown.clone();
        let served =
            hub.serve(Listeners { tcp: Some(tcp), local: Some(local) }, async move { stop.asked().await }).await;
        shutdown.begin();
        served
    };
    let companion = companion(globals, &hub, &config, &home, parts, shutdown.clone());
    let accompanying = async {
        let outcome = Box::pin(companion).await;
        if outcome.is_err() {
            shutdown.begin();
        }
        outcome
    };
    let (served, accompanied, ()) = tokio::join!(serving, accompanying, memory::settle(&hub.store, shutdown.clone()));
    accompanied?;
    served?;
    Ok(ExitCode::SUCCESS)
}

/// The socket where this machine's commands reach the hub.
pub(super) fn local_socket(home: &Path) -> Result<LocalSocket> {
    LocalSocket::bind(&home::socket(home)).map_err(|error| {
        Failure::new(Code::FolderUnusable, format!("cannot make a socket in {}", home.display()))
            .hint("choose another folder with --home")
            .because(&error)
    })
}

/// Who acts when a process starts.
pub(super) fn ourselves() -> RequestContext {
    RequestContext {
        caller: Caller {
            actor: Actor::Local { uid: nix::unistd::geteuid().as_raw() },
            org: None,
            role: Some(Role::SuperAdmin),
            scope: Scope::Api,
        },
        address: "local".to_owned(),
        request_id: "start".to_owned(),
    }
}

/// What runs beside the serving hub: the welcome and, in `up`, this machine's own runner.
async fn companion(
    globals: &Globals,
    hub: &Hub,
    config: &Config,
    home: &Path,
    parts: Parts,
    shutdown: Shutdown,
) -> Result<()> {
    let by = ourselves();
    let link = if parts.has_runner { Some(own_link(hub, &by, config, home).await?) } else { None };
    welcome(globals, hub, &by, parts, link.as_ref().map(|own| own.name.as_str())).await?;
    ready();
    match link {
        Some(own) => {
            tokio::join!(
                work(own.link, own.work, shutdown.clone()),
                own.rows.run(shutdown.clone()),
                own.absences.run(shutdown.clone()),
                own.keeping.run(shutdown)
            );
            own.store.close().await;
        }
        None => shutdown.asked().await,
    }
    Ok(())
}

/// This machine's own runner, beside a hub.
struct Own {
    name: String,
    link: Link,
    work: Work,
    /// What it did before there was a hub comes along, and how its servers live.
    rows: RowSync,
    keeping: Keeping,
    /// Hub and machine stand still together: it is noted where the hub looks.
    absences: AbsenceLog,
    store: Store,
}

/// A way to a hub in this process.
pub(super) fn pipe(hub: &Hub) -> Dial {
    let hub = hub.clone();
    Dial::Pipe(Arc::new(move || {
        let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
        hub.serve_pipe(theirs);
        ours
    }))
}

/// The link of this machine's own runner through a pipe; joins at the first start.
async fn own_link(hub: &Hub, by: &RequestContext, config: &Config, home: &Path) -> Result<Own> {
    let file = IdentityFile::in_folder(home);
    let kept = file.read()?.filter(|identity| identity.hub_key == hub.identity.public_key());
    let identity = match kept {
        Some(identity) => identity,
        None => {
            let before = IdentityFile::of_desk(home).read()?.map(|identity| identity.host_id);
            let identity = join_own(hub, by, config, pipe(hub), before).await?;
            file.write(&identity)?;
            identity
        }
    };
    let store = open_runner(home).await?;
    let keeping = keeping(home, &store).await?;
    let place = Place::of_hub(&identity.hub_key);
    let (desk, work) = engine(config, home, &identity, store.clone(), place, keeping.servers.clone()).await?;
    let name = identity.name.clone();
    let absences = AbsenceLog::open(hub.store.clone(), identity.host_id, Vec::new()).await?;
    let (rows_desk, rows) = RowSync::new(store.clone(), &identity.hub_key);
    // Schedules fire at the hub, which is here; servers are kept by the runner wherever the hub is.
    let host = identity.host_id;
    let view = hub.store.read(move |tx| Box::pin(async move { tx.host_anywhere(host).await })).await?;
    let keeps = view.is_some() && trust(config, &identity)? == Trust::Hub;
    let rows = match view.filter(|_| keeps) {
        Some(view) => rows.seated(Seat { org: view.host.org_id, host }, runtime::Wake::default()),
        None => rows,
    };
    let servers = keeping.servers.clone();
    let link = link(config, pipe(hub), identity, file, runner::Seat::default())?.with_desk(desk).with_rows(rows_desk);
    Ok(Own { name, link: link.with_servers(servers, keeps), work, rows, keeping, absences, store })
}

/// Makes this machine a host of a hub in this process.
pub(super) async fn join_own(
    hub: &Hub,
    by: &RequestContext,
    config: &Config,
    pipe: Dial,
    host_id: Option<HostId>,
) -> Result<Identity> {
    let orgs = hub.org_list(&proto::page::PageQuery { cursor: None, limit: Some(1_000) }).await?.items;
    let org = orgs.iter().find(|org| org.slug == domain::org::FIRST_ORG).or(orgs.first());
    let org = org.ok_or_else(|| Failure::new(Code::Internal, "the hub has no org"))?.id;
    let token = hub.join_token_create(by, org, JoinTokenRequest::default()).await?;
    let join = runner::join::Join {
        dial: pipe,
        hub_url: None,
        token: token.secret,
        name: config.optional("runner.name").map(str::to_owned),
        always_on: Some(!runner::machine::looks_like_a_laptop()),
        // One machine, one clock; a database elsewhere may disagree with it, and that is `doctor`'s to say.
        ignore_clock: true,
        now: runtime::clock::wall(),
        random: (Random.bytes(), Random.bytes()),
        host_id,
    };
    Ok(runner::join::join(join).await?.0)
}

/// What a person sees after a start: where it is, how to sign in, how to add a machine.
async fn welcome(globals: &Globals, hub: &Hub, by: &RequestContext, parts: Parts, own: Option<&str>) -> Result<()> {
    if globals.quiet {
        return Ok(());
    }
    let url = &hub.options.public_url;
    let made_of = match (parts.has_runner, parts.has_supervisor) {
        (true, true) => "all in one (hub + runner + web UI)",
        (true, false) => "hub + runner",
        (false, true) => "hub + web UI",
        (false, false) => "hub",
    };
    output::line(&format!("hostler {VERSION} · {made_of} · {}", hub.store.kind()));
    output::line(&format!("  ✓ listening  {url}"));
    if let Some(own) = own {
        output::line(&format!("  ✓ this machine is host \"{own}\""));
    }
    // Under a service manager this is a log that others read: no secrets there.
    if crate::config::environment("JOURNAL_STREAM").is_some() {
        output::line("  Sign in with `hostler open`, add machines with `hostler invite`");
        return Ok(());
    }
    if parts.has_supervisor {
        let link = hub.sign_in_link_create(by).await?;
        output::line(&format!("  Sign in:     {}   (once, 15 min; later: hostler open)", link.url));
    }
    let orgs = hub.org_list(&proto::page::PageQuery { cursor: None, limit: Some(2) }).await?.items;
    if let [only] = orgs.as_slice() {
        let token = hub.join_token_create(by, only.id, JoinTokenRequest::default()).await?;
        output::line("  Add a machine, run there (once, 15 min; later: hostler invite):");
        match token.install {
            Some(line) => {
                output::line(&format!("      {line}"));
                output::line(&format!("      or, where hostler is already: {}", token.command));
            }
            None => output::line(&format!("      {}", token.command)),
        }
        if url.contains("127.0.0.1") || url.contains("localhost") {
            output::line("      other machines cannot reach this address: start with --lan");
        }
    }
    output::line("  Ctrl-C stops; `hostler service install` keeps it running");
    Ok(())
}

pub(super) fn load(globals: &Globals, home: &Path, args: ListenArgs) -> Result<Config> {
    let listen = if args.lan { Some("0.0.0.0:7411".to_owned()) } else { args.listen };
    let flags = [
        ("hub.listen", listen),
        ("hub.public_url", args.advertise),
        ("hub.database_url", args.database_url),
        ("hub.tls_cert", args.tls_cert),
        ("hub.tls_key", args.tls_key),
    ];
    Config::load(home, globals.config.as_deref(), &flags)
}

pub(super) fn start_logging(globals: &Globals, config: &Config) -> Result<()> {
    let level = if globals.verbose {
        "debug,sqlx=warn,hyper=info"
    } else if globals.quiet {
        "warn"
    } else {
        config.text("log.level")
    };
    logging::start(level, config.text("log.format"))
}

pub(super) async fn bind(listen: &str) -> Result<TcpListener> {
    let address: SocketAddr = listen.parse().map_err(|_| {
        Failure::new(Code::ConfigInvalid, format!("`{listen}` is not an address and port"))
            .hint("write 127.0.0.1:7411 or 0.0.0.0:7411")
    })?;
    TcpListener::bind(address).await.map_err(|error| {
        let failure = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                let other = address.port().wrapping_add(1);
                Failure::new(Code::PortTaken, format!("port {} is taken", address.port()))
                    .hint(format!("is a hub already running? else choose another: --listen {}:{other}", address.ip()))
            }
            _ => Failure::new(Code::PortTaken, format!("cannot listen on {address}"))
                .hint("choose an address of this machine with --listen"),
        };
        failure.because(&error)
    })
}

pub(super) fn options(config: &Config, address: SocketAddr, parts: Parts) -> Result<hub::Options> {
    let tls = match (config.optional("hub.tls_cert"), config.optional("hub.tls_key")) {
        (Some(certificates), Some(key)) => Some(BrowserTls { certificates: pem(certificates)?, key: pem(key)? }),
        (None, None) => None,
        _ => return Err(Failure::new(Code::ConfigInvalid, "hub.tls_cert and hub.tls_key go together")),
    };
    let (lost_after, heartbeat): (Span, Span) = (config.parse("hub.lost_after")?, config.parse("hub.heartbeat")?);
    // A runner notices a dead link after four heartbeats; it must do so long before others may take its runs.
    if lost_after.as_millis() < heartbeat.as_millis() * 6 {
        return Err(Failure::new(Code::ConfigInvalid, "hub.lost_after must be at least six times hub.heartbeat"));
    }
    let scheme = if tls.is_some() { "https" } else { "http" };
    let public_url = match config.optional("hub.public_url") {
        Some(url) => {
            runner::dial::HubUrl::parse(url)?;
            url.trim_end_matches('/').to_owned()
        }
        None => format!("{scheme}://{}", reachable(address)),
    };
    Ok(hub::Options {
        public_url,
        heartbeat,
        lost_after,
        lost_grace: Span::from_millis((lost_after.as_millis() / 4).min(30_000)),
        settle: config.parse("hub.settle")?,
        alerts_every: config.parse("hub.alerts_every")?,
        group_wait: config.parse("hub.group_wait")?,
        notify_allow: allowed(config)?,
        max_queued: config.parse("hub.max_queued")?,
        keep_succeeded: config.parse("hub.keep_succeeded")?,
        keep_others: config.parse("hub.keep_others")?,
        runners_per_second: config.parse("hub.runners_per_second")?,
        requests_per_second: config.parse("hub.requests_per_second")?,
        trusted_proxies: config.list("hub.trusted_proxies")?,
        secret_key_file: Some(config.text("hub.secret_key_file").into()),
        browser_tls: tls,
        has_supervisor: parts.has_supervisor,
        is_desk: false,
        owner: None,
        program: program(),
    })
}

/// This program. RequestContext this name it stays the one that runs, also when another was put in its place.
fn program() -> Option<PathBuf> {
    let own = PathBuf::from("/proc/self/exe");
    if own.exists() { Some(own) } else { std::env::current_exe().ok() }
}

/// Private networks that channels may call.
fn allowed(config: &Config) -> Result<hub::options::Allowed> {
    let text = config.optional("hub.notify_allow").unwrap_or_default();
    let texts = text.split(',').map(str::trim).filter(|text| !text.is_empty());
    hub::options::Allowed::parse(texts)
        .map_err(|error| Failure::new(Code::ConfigInvalid, format!("hub.notify_allow: {error}")))
}

fn pem(path: &str) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::new(Code::ConfigInvalid, format!("cannot read {path}: {error}")))
}

/// The address others can use: if we listen on all, the first that is not loopback.
fn reachable(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    let networks = sysinfo::Networks::new_with_refreshed_list();
    let addresses = networks
        .iter()
        .flat_map(|networks| networks.values())
        .flat_map(|network| network.ip_networks().iter().map(|ip| ip.addr))
        .collect::<Vec<_>>();
    let outside = addresses.into_iter().find(|ip| ip.is_ipv4() && !ip.is_loopback());
    SocketAddr::new(outside.unwrap_or(IpAddr::from([127, 0, 0, 1])), address.port())
}

/// Tells systemd that we are up; elsewhere nothing.
pub(super) fn ready() {
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
}
