//! `hostler up` and `hostler hub`: starting the parts of one process. `runner` and the web UI command reuse them.

use std::{
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use clap::Args;
use domain::{
    Actor, Caller, HostId, Role, Span,
    definition::Trust,
    log_budget::LogBudget,
    role::Scope,
    trust::{self, OrderSender},
};
use hub::{Hub, Listeners, app::RequestContext, options::BrowserTls, server::LocalSocket};
use proto::{Code, VERSION, api::host::JoinTokenRequest, link::Bytes32, sync::hub_id};
use runner::{
    Dial, HubGate, Identity, IdentityFile, Link, LinkChannel,
    exec::{Confinement, ConfinementSettings, Shim},
    outage::OutageLog,
    servers::{ServerManager, Servers},
    sync::RowSync,
    work::{Engine, EngineSettings},
};
use runtime::{Clock, Random, Shutdown, TaskTracker, signals};
use store::{Store, replication::StandaloneHost};
use tokio::net::TcpListener;

use super::promote::{self, HubCommand};
use crate::{
    config::Config,
    fail::{Failure, Result},
    globals::Globals,
    home, logging, memory, output,
};

/// Buffer size of the pipe between the runner and the hub of one process.
const PIPE_BYTES: usize = 64 * 1024;

/// Options of every command that starts a hub
#[derive(Args, Clone, Default)]
pub(crate) struct ListenArgs {
    /// Address and port to listen on
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Listen on all addresses of this machine, port 7411
    #[arg(long, conflicts_with = "listen")]
    lan: bool,
    /// URL that browsers and runners use to reach the hub, if it differs from the listen address
    #[arg(long, value_name = "URL")]
    advertise: Option<String>,
    /// Database: sqlite:PATH or postgres://…
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
    /// PEM file with the TLS certificate chain for browsers
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<String>,
    /// PEM file with the private key of the certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<String>,
}

/// Start a hub, a runner and the web UI in one process
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
    /// Also serve the web UI
    #[arg(long, alias = "supervisor")]
    ui: bool,
    #[command(subcommand)]
    command: Option<HubCommand>,
}

/// The optional parts of a process.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) has_runner: bool,
    pub(super) has_ui: bool,
}

pub(crate) async fn up(globals: &Globals, args: UpArgs) -> Result<ExitCode> {
    Box::pin(serve(globals, args.listen, Parts { has_runner: true, has_ui: true })).await
}

pub(crate) async fn hub(globals: &Globals, args: HubArgs) -> Result<ExitCode> {
    if let Some(command) = args.command {
        return promote::hub(globals, command).await;
    }
    Box::pin(serve(globals, args.listen, Parts { has_runner: false, has_ui: args.ui })).await
}

/// Starts a hub and a runner in one process.
pub(super) async fn runner_with_hub(globals: &Globals, args: ListenArgs, has_ui: bool) -> Result<ExitCode> {
    Box::pin(serve(globals, args, Parts { has_runner: true, has_ui })).await
}

/// The queues this machine serves.
fn queues(config: &Config) -> Vec<String> {
    config.text("runner.queues").split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The gate for a hub. The only place that computes the trust in force: the strictest of `hostler join --trust` and all
/// layers of the setting.
pub(super) fn gate(
    config: &Config,
    home: &Path,
    identity: &Identity,
    sender: OrderSender,
    servers: Servers,
) -> Result<HubGate> {
    let mut sources = config.parse_layers::<Trust>("runner.trust")?;
    sources.push(identity.trust);
    Ok(HubGate::new(trust::in_force(sources), sender, home::catalogue(home), servers))
}

/// The engine that runs the jobs of one hub, with its tasks.
pub(super) struct EngineWork {
    pub(super) engine: Engine,
    pub(super) tasks: TaskTracker,
}

/// Names that keep the runs of one hub apart from the runs of other hubs on the same machine.
pub(super) struct EngineNames<'p> {
    /// The key of its rows in the runner's database.
    pub(super) source: String,
    /// The folder of its runs inside the data folder.
    pub(super) folder: &'p str,
    /// The socket for progress reports of its runs.
    pub(super) socket: &'p str,
}

impl EngineNames<'_> {
    /// The names for a joined hub.
    pub(super) fn of_hub(hub_key: &Bytes32) -> Self {
        EngineNames { source: hub_key.to_string()[..16].to_owned(), folder: "runs", socket: "runner.sock" }
    }
}

/// Opens the runner's database.
pub(super) async fn open_runner(home: &Path) -> Result<Store> {
    let mut options = store::Options::new(format!("sqlite:{}", home.join("runner.db").display()));
    // Each connection costs almost a megabyte of an idle machine, and the runner reads little and seldom.
    options.connections = 2;
    Ok(Store::open(&options).await?)
}

/// The server manager of this machine, shared by all its hubs.
pub(super) struct ServerTasks {
    manager: ServerManager,
    pub(super) servers: Servers,
    tasks: TaskTracker,
}

/// The users and the isolation of all runs of this machine. Logs each gap of the isolation.
async fn confinement(config: &Config, home: &Path) -> Result<Confinement> {
    let settings = confinement_settings(config, home)?;
    let shim =
        Shim::install(&home.join("servers")).map_err(|error| Failure::new(Code::FolderUnusable, error.to_string()))?;
    let confinement = Confinement::open(settings, &shim).await;
    for gap in confinement.gaps() {
        tracing::warn!("jobs and servers can reach more than intended: {gap}; see `hostler doctor`");
    }
    Ok(confinement)
}

pub(super) fn confinement_settings(config: &Config, home: &Path) -> Result<ConfinementSettings> {
    let more: Vec<String> = config.list("runner.hidden_folders")?;
    let hidden = more.into_iter().map(PathBuf::from).chain([home::folder(None)]).collect();
    Ok(ConfinementSettings {
        data_folder: home.to_owned(),
        hidden,
        job_user: config.parse("runner.user")?,
        level: config.parse("runner.isolation")?,
        home: crate::environment::environment("HOME").map(PathBuf::from),
    })
}

/// Creates the server manager. Sync capture is switched on first, so that changes of servers get sequence numbers for
/// replication to the hubs.
pub(super) async fn server_tasks(config: &Config, home: &Path, store: &Store) -> Result<ServerTasks> {
    let now = runtime::clock::wall();
    store.write(move |tx| Box::pin(async move { tx.sync_capture(now) })).await?;
    let tasks = TaskTracker::default();
    let settings = runner::servers::ServerSettings {
        folder: home.join("servers"),
        confinement: Arc::new(confinement(config, home).await?),
    };
    let (manager, servers) = ServerManager::new(store.clone(), &settings, tasks.clone())?;
    Ok(ServerTasks { manager, servers, tasks })
}

impl ServerTasks {
    /// Manages the servers until shutdown. Running server processes are left running.
    pub(super) async fn run(self, shutdown: Shutdown) {
        self.manager.run(shutdown).await;
        self.tasks.stop(Duration::ZERO).await;
    }
}

pub(super) async fn engine(
    config: &Config,
    home: &Path,
    identity: &Identity,
    store: Store,
    names: EngineNames<'_>,
    gate: HubGate,
) -> Result<(LinkChannel, EngineWork)> {
    let source = names.source.clone();
    store.write(move |tx| Box::pin(async move { tx.journal_adopt(&source).await })).await?;
    let settings = EngineSettings {
        folder: home.join(names.folder),
        slots: config.parse("runner.slots")?,
        socket: home.join("run").join(names.socket),
        source: names.source,
    };
    let ((link_channel, engine_channel), tasks) = (runner::channels(), TaskTracker::default());
    let engine = Engine::new(store, &settings, identity.name.clone(), engine_channel, gate, tasks.clone())?;
    Ok((link_channel, EngineWork { engine, tasks }))
}

/// Runs the link and the engine until shutdown. Running jobs are left running; the next start adopts them.
pub(super) async fn run_engine(link: Link, work: EngineWork, shutdown: Shutdown) {
    tokio::join!(link.run(shutdown.clone()), work.engine.run(shutdown));
    work.tasks.stop(Duration::ZERO).await;
}

pub(super) fn link(
    config: &Config,
    dial: Dial,
    identity: Identity,
    file: IdentityFile,
    role: runner::HubRole,
    gate: HubGate,
) -> Link {
    let options = runner::Options {
        dial,
        name: config.optional("runner.name").map(str::to_owned),
        incarnation: data_encoding::HEXLOWER.encode(&Random.bytes::<16>()),
        queues: queues(config),
        trust: gate.trust(),
        role,
    };
    Link::new(options, identity, Some(file)).with_servers(gate)
}

/// Runs a process with a hub until shutdown.
async fn serve(globals: &Globals, args: ListenArgs, parts: Parts) -> Result<ExitCode> {
    let home = home::folder(globals.home.as_deref());
    home::prepare(&home)?;
    let _lock = home::lock(&home)?;
    let config = load(globals, &home, args)?;
    start_logging(globals, &config)?;
    let tcp = bind(config.text("hub.listen")).await?;
    let address = tcp.local_addr().map_err(|error| {
        Failure::new(Code::PortTaken, "cannot read the address of the listening socket").because(&error)
    })?;
    let options = options(&config, address, parts)?;
    let mut store_options = store::Options::new(config.text("hub.database_url"));
    store_options.connections = config.parse("hub.database_connections")?;
    let store = Store::open(&store_options).await?;
    let local = local_socket(&home)?;
    let hub = Hub::open(store, options, Clock::system()).await?;
    let tasks = TaskTracker::default();
    let shutdown = signals(&tasks)
        .map_err(|error| Failure::new(Code::Internal, "cannot install the signal handlers").because(&error))?;
    let serving = async {
        let stop = shutdown.clone();
        let served =
            hub.serve(Listeners { tcp: Some(tcp), local: Some(local) }, async move { stop.asked().await }).await;
        shutdown.begin();
        served
    };
    let own_runner = welcome_and_run(globals, &hub, &config, &home, parts, shutdown.clone());
    let working = async {
        let outcome = Box::pin(own_runner).await;
        if outcome.is_err() {
            shutdown.begin();
        }
        outcome
    };
    let (served, worked, ()) = tokio::join!(serving, working, memory::settle(&hub.store, shutdown.clone()));
    worked?;
    served?;
    Ok(ExitCode::SUCCESS)
}

/// The local socket of the hub, for commands on this machine.
pub(super) fn local_socket(home: &Path) -> Result<LocalSocket> {
    LocalSocket::bind(&home::socket(home)).map_err(|error| {
        Failure::new(Code::FolderUnusable, format!("cannot create a socket in {}", home.display()))
            .hint("choose another folder with --home")
            .because(&error)
    })
}

/// The caller of actions that the process itself performs at startup: the local user as super admin.
pub(in crate::cmd) fn local_caller() -> RequestContext {
    let actor = Actor::Local { uid: nix::unistd::geteuid().as_raw() };
    let caller = Caller { actor, org: None, role: Some(Role::SuperAdmin), scope: Scope::Api };
    RequestContext::new(caller, "local", "start")
}

/// Prints the welcome text and, in `hostler up`, runs this machine's own runner until shutdown.
async fn welcome_and_run(
    globals: &Globals,
    hub: &Hub,
    config: &Config,
    home: &Path,
    parts: Parts,
    shutdown: Shutdown,
) -> Result<()> {
    let by = local_caller();
    let link = if parts.has_runner { Some(own_link(hub, &by, config, home).await?) } else { None };
    welcome(globals, hub, &by, parts, link.as_ref().map(|own| own.name.as_str())).await?;
    ready();
    match link {
        Some(own) => {
            tokio::join!(
                run_engine(own.link, own.work, shutdown.clone()),
                own.rows.run(shutdown.clone()),
                own.outages.run(shutdown.clone()),
                own.server_tasks.run(shutdown)
            );
            own.store.close().await;
        }
        None => shutdown.asked().await,
    }
    Ok(())
}

/// This machine's own runner, in the process of a hub.
struct LocalRunner {
    name: String,
    link: Link,
    work: EngineWork,
    /// Replicates to the hub the rows written in standalone mode, and the state of its servers.
    rows: RowSync,
    server_tasks: ServerTasks,
    /// Records outages in the hub's database, because here the hub and the machine are down together.
    outages: OutageLog,
    store: Store,
}

/// A connection to a hub in this process.
pub(in crate::cmd) fn pipe(hub: &Hub) -> Dial {
    let hub = hub.clone();
    Dial::Pipe(Arc::new(move || {
        let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
        hub.serve_pipe(theirs);
        ours
    }))
}

/// This machine's own runner, linked through a pipe. It joins the hub at the first start.
async fn own_link(hub: &Hub, by: &RequestContext, config: &Config, home: &Path) -> Result<LocalRunner> {
    let file = IdentityFile::in_folder(home);
    let kept = file.read()?.filter(|identity| identity.hub_key == hub.identity.public_key());
    let identity = match kept {
        Some(identity) => identity,
        None => {
            let before = IdentityFile::standalone(home).read()?.map(|identity| identity.host_id);
            let identity = join_own(hub, by, config, pipe(hub), before).await?;
            file.write(&identity)?;
            identity
        }
    };
    let store = open_runner(home).await?;
    let server_tasks = server_tasks(config, home, &store).await?;
    let names = EngineNames::of_hub(&identity.hub_key);
    let sender = OrderSender::Joined(hub_id(&identity.hub_key));
    let gate = gate(config, home, &identity, sender, server_tasks.servers.clone())?;
    leave_untrusted(&store, &gate).await?;
    let (link_channel, work) = engine(config, home, &identity, store.clone(), names, gate.clone()).await?;
    let name = identity.name.clone();
    let outages = OutageLog::open(hub.store.clone(), identity.host_id, Vec::new()).await?;
    let (rows_channel, rows) = RowSync::new(store.clone(), &identity.hub_key);
    // The hub in this process fires the schedules; the runner manages the servers wherever the hub is.
    let host = identity.host_id;
    let view = hub.store.read(move |tx| Box::pin(async move { tx.host_anywhere(host).await })).await?;
    let link = link(config, pipe(hub), identity, file, runner::HubRole::default(), gate.clone())
        .with_engine(link_channel)
        .with_rows(rows_channel);
    let (link, rows) = match view {
        Some(view) => {
            let standalone = StandaloneHost { org: view.host.org_id, host };
            (link.keeping_servers(), rows.with_standalone(&gate, standalone, runtime::Wake::default()))
        }
        None => (link, rows),
    };
    Ok(LocalRunner { name, link, work, rows, server_tasks, outages, store })
}

/// Stops the servers and schedules that a hub sent before this machine stopped trusting it. Called before the
/// server manager runs, which would start them.
async fn leave_untrusted(store: &Store, gate: &HubGate) -> Result<()> {
    if !gate.takes_settings() {
        let now = runtime::clock::wall();
        store.write(move |tx| Box::pin(async move { tx.sync_leave_others(None, now).await })).await?;
    }
    Ok(())
}

/// Joins this machine to a hub in the same process.
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
        // Both sides use the clock of this machine. If a remote database disagrees, `hostler doctor` reports it.
        ignore_clock: true,
        now: runtime::clock::wall(),
        random: (Random.bytes(), Random.bytes()),
        host_id,
        former_key: None,
    };
    Ok(runner::join::join(join).await?.0)
}

/// Prints the address, the sign-in link and the command that adds a machine.
async fn welcome(globals: &Globals, hub: &Hub, by: &RequestContext, parts: Parts, own: Option<&str>) -> Result<()> {
    if globals.quiet {
        return Ok(());
    }
    let url = &hub.options.public_url;
    let composition = match (parts.has_runner, parts.has_ui) {
        (true, true) => "all in one (hub + runner + web UI)",
        (true, false) => "hub + runner",
        (false, true) => "hub + web UI",
        (false, false) => "hub",
    };
    output::line(&format!("hostler {VERSION} · {composition} · {}", hub.store.kind()));
    output::line(&format!("  ✓ listening on {url}"));
    if let Some(own) = own {
        output::line(&format!("  ✓ this machine is host \"{own}\""));
    }
    // Under a service manager stdout is a log that other users can read, so it must not contain secrets.
    if crate::environment::environment("JOURNAL_STREAM").is_some() {
        output::line("  Sign in with `hostler open`; add machines with `hostler invite`");
        return Ok(());
    }
    if parts.has_ui {
        let link = hub.sign_in_link_create(by).await?;
        output::line(&format!("  Sign in: {}   (valid once, for 15 min; later: hostler open)", link.url));
    }
    let orgs = hub.org_list(&proto::page::PageQuery { cursor: None, limit: Some(2) }).await?.items;
    if let [only] = orgs.as_slice() {
        let token = hub.join_token_create(by, only.id, JoinTokenRequest::default()).await?;
        output::line("  To add a machine, run there (valid once, for 15 min; later: hostler invite):");
        match token.install {
            Some(line) => {
                output::line(&format!("      {line}"));
                output::line(&format!("      or, if hostler is already installed: {}", token.command));
            }
            None => output::line(&format!("      {}", token.command)),
        }
        if url.contains("127.0.0.1") || url.contains("localhost") {
            output::line("      other machines cannot reach this address; to allow them, start with --lan");
        }
    }
    output::line("  Press Ctrl-C to stop; `hostler service install` runs it as a system service");
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
        Failure::new(Code::ConfigInvalid, format!("`{listen}` is not an IP address with a port"))
            .hint("write for example 127.0.0.1:7411 or 0.0.0.0:7411")
    })?;
    TcpListener::bind(address).await.map_err(|error| {
        let failure = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                let other = address.port().wrapping_add(1);
                Failure::new(Code::PortTaken, format!("port {} is already in use", address.port())).hint(format!(
                    "check whether a hub is already running, or choose another port: --listen {}:{other}",
                    address.ip()
                ))
            }
            _ => Failure::new(Code::PortTaken, format!("cannot listen on {address}"))
                .hint("set --listen to an address of this machine"),
        };
        failure.because(&error)
    })
}

pub(super) fn options(config: &Config, address: SocketAddr, parts: Parts) -> Result<hub::Options> {
    let tls = match (config.optional("hub.tls_cert"), config.optional("hub.tls_key")) {
        (Some(certificates), Some(key)) => Some(BrowserTls { certificates: pem(certificates)?, key: pem(key)? }),
        (None, None) => None,
        _ => return Err(Failure::new(Code::ConfigInvalid, "set both hub.tls_cert and hub.tls_key, or neither")),
    };
    let (lost_after, heartbeat): (Span, Span) = (config.parse("hub.lost_after")?, config.parse("hub.heartbeat")?);
    // A runner detects a dead link after four heartbeats. It must do so long before the hub moves its runs elsewhere.
    if lost_after.as_millis() < heartbeat.as_millis() * 6 {
        let detail = format!("hub.lost_after ({lost_after}) must be at least six times hub.heartbeat ({heartbeat})");
        return Err(Failure::new(Code::ConfigInvalid, detail));
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
        notify_allow: allowed_networks(config)?,
        max_queued: config.parse("hub.max_queued")?,
        log_budget: LogBudget {
            run: config.parse("hub.log_bytes_per_run")?,
            day: config.parse("hub.log_bytes_per_day")?,
        },
        keep_succeeded: config.parse("hub.keep_succeeded")?,
        keep_others: config.parse("hub.keep_others")?,
        runners_per_second: config.parse("hub.runners_per_second")?,
        requests_per_second: config.parse("hub.requests_per_second")?,
        connections_per_address: config.parse("hub.connections_per_address")?,
        allowed_hosts: config.list("hub.allowed_hosts")?,
        trusted_proxies: config.list("hub.trusted_proxies")?,
        secret_key_file: Some(config.text("hub.secret_key_file").into()),
        browser_tls: tls,
        has_ui: parts.has_ui,
        is_standalone: false,
        owner: None,
        program: program_path(),
    })
}

/// The path of this executable. `/proc/self/exe` still names the running file after an update has replaced it on disk.
fn program_path() -> Option<PathBuf> {
    let own = PathBuf::from("/proc/self/exe");
    if own.exists() { Some(own) } else { std::env::current_exe().ok() }
}

/// Private networks that notification channels may send to.
fn allowed_networks(config: &Config) -> Result<hub::options::Allowed> {
    let text = config.optional("hub.notify_allow").unwrap_or_default();
    let texts = text.split(',').map(str::trim).filter(|text| !text.is_empty());
    hub::options::Allowed::parse(texts)
        .map_err(|error| Failure::new(Code::ConfigInvalid, format!("hub.notify_allow: {error}")))
}

fn pem(path: &str) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::new(Code::ConfigInvalid, format!("cannot read {path}: {error}")))
}

/// The address that other machines can use: if the hub listens on all addresses, the first that is not loopback.
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

/// Notifies systemd that startup is finished; does nothing outside systemd.
pub(super) fn ready() {
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
}
