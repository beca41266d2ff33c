//! `hostler runner`: the runner of this machine, with an embedded standalone hub and a link to each joined hub.
//!
//! The standalone hub runs in this process, on the runner's own database, for this machine only. It provides jobs,
//! logs, history and the API while no other hub is reachable; its rows are replicated to the joined hubs.

use std::{path::Path, process::ExitCode};

use clap::Args;
use domain::{presence::Leaving, timeline::Contact, trust::OrderSender};
use hub::{Hub, Listeners};
use proto::{Code, VERSION, sync::hub_id};
use runner::{
    Dial, HubGate, Identity, IdentityFile, Link,
    logind::{Logind, SYSTEM_BUS},
    outage::OutageLog,
    primary::{Joined, PrimaryHub},
    servers::Servers,
    sync::RowSync,
    work::Engine,
};
use runtime::{Clock, Shutdown, TaskTracker, Wake, signals};
use store::{Store, replication::StandaloneHost};
use tokio::sync::watch;

use super::serve::{
    self, EngineNames, EngineWork, ListenArgs, Parts, bind, engine, gate, join_own, link, load, local_caller,
    local_socket, open_runner, pipe, ready, run_engine, server_tasks, start_logging,
};
use crate::{
    config::Config,
    fail::{Failure, Result},
    globals::Globals,
    home, memory, messages, output,
};

/// Start the runner of this machine
#[derive(Args)]
pub(crate) struct RunnerArgs {
    #[command(flatten)]
    listen: ListenArgs,
    /// Also serve the web UI
    #[arg(long, alias = "supervisor")]
    ui: bool,
}

pub(crate) async fn runner(globals: &Globals, args: RunnerArgs) -> Result<ExitCode> {
    if globals.hub.as_deref() == Some("") {
        return serve::runner_with_hub(globals, args.listen, args.ui).await;
    }
    Box::pin(standalone(globals, args)).await
}

/// Runs a runner with no hub in its process except the embedded standalone hub.
async fn standalone(globals: &Globals, args: RunnerArgs) -> Result<ExitCode> {
    let home = home::folder(globals.home.as_deref());
    home::prepare(&home)?;
    let _lock = home::lock(&home)?;
    let config = load(globals, &home, args.listen)?;
    start_logging(globals, &config)?;
    let hubs = hubs(&home, &config)?;
    let parts = Parts { has_runner: true, has_ui: args.ui };
    let tcp = if args.ui { Some(bind(config.text("hub.listen")).await?) } else { None };
    let address = tcp.as_ref().and_then(|tcp| tcp.local_addr().ok()).unwrap_or_else(|| ([127, 0, 0, 1], 7411).into());
    let options = hub::Options { is_standalone: true, ..serve::options(&config, address, parts)? };
    let store = open_runner(&home).await?;
    let local = local_socket(&home)?;
    let own_hub = Hub::open(store.clone(), options, Clock::system()).await?;
    let server_tasks = server_tasks(&config, &home, &store).await?;
    let hubs = hubs
        .into_iter()
        .map(|(file, identity)| {
            let sender = OrderSender::Joined(hub_id(&identity.hub_key));
            let gate = gate(&config, &home, &identity, sender, server_tasks.servers.clone())?;
            Ok(JoinedHub { file, identity, gate })
        })
        .collect::<Result<Vec<_>>>()?;
    // Before the server manager runs: it stops the servers of hubs that this machine does not trust any more.
    let primary = PrimaryHub::open(&home, store.clone(), hubs.iter().map(JoinedHub::record).collect()).await?;
    let tasks = TaskTracker::default();
    let shutdown = signals(&tasks)
        .map_err(|error| Failure::new(Code::Internal, "cannot install the signal handlers").because(&error))?;
    // The standalone hub stops last: until then it records how runs end.
    let last = Shutdown::default();
    let serving = async {
        let stop = last.clone();
        let served = own_hub.serve(Listeners { tcp, local: Some(local) }, async move { stop.asked().await }).await;
        shutdown.begin();
        served
    };
    let working = async {
        let (hubs, servers) = ((primary, hubs), server_tasks.servers.clone());
        let links = run_links(globals, &own_hub, &config, &home, hubs, parts, servers, shutdown.clone());
        let (outcome, ()) = tokio::join!(links, server_tasks.run(shutdown.clone()));
        last.begin();
        outcome
    };
    let (served, worked, ()) = tokio::join!(serving, working, memory::settle(&store, shutdown.clone()));
    worked?;
    served?;
    Ok(ExitCode::SUCCESS)
}

/// The hubs this machine connects to, in the configured order.
fn hubs(home: &Path, config: &Config) -> Result<Vec<(IdentityFile, Identity)>> {
    let mut joined = IdentityFile::all(home)?;
    if joined.iter().any(|(_, identity)| identity.hub_url.is_none()) {
        return Err(Failure::new(
            Code::NotJoined,
            "the runner of this data folder belongs to the hub in the same data folder",
        )
        .hint("start both with `hostler up`"));
    }
    let wanted: Vec<String> = config.list("runner.hubs")?;
    if wanted.is_empty() {
        return Ok(joined);
    }
    let mut chosen = Vec::new();
    for url in wanted {
        let url = url.trim_end_matches('/');
        let at = joined.iter().position(|(_, identity)| identity.hub_url.as_deref() == Some(url));
        let at = at.ok_or_else(|| {
            Failure::new(Code::NotJoined, format!("this machine has not joined {url}, which runner.hubs lists"))
                .hint(format!("run `hostler invite` on that hub, then `hostler join {url} TOKEN` here"))
        })?;
        chosen.push(joined.remove(at));
    }
    Ok(chosen)
}

/// A hub that this machine has joined, with its gate.
struct JoinedHub {
    file: IdentityFile,
    identity: Identity,
    gate: HubGate,
}

impl JoinedHub {
    /// The record that the choice of the primary hub is made from.
    fn record(&self) -> Joined {
        let url = self.identity.hub_url.clone().unwrap_or_default();
        Joined { hub: hub_id(&self.identity.hub_key), url, is_trusted: self.gate.takes_settings() }
    }
}

/// A link to a joined hub, with its row replication and its engine.
struct HubLink {
    link: Link,
    rows: RowSync,
    /// Only the primary hub assigns new jobs. A mirror may have been the primary hub before; the jobs it assigned then
    /// are finished and reported to it.
    work: EngineWork,
    gate: HubGate,
}

impl HubLink {
    /// Applies the hub's host schedules and servers on this machine while it is the primary hub, if the gate allows it.
    fn applying_schedules(self, host: StandaloneHost, wake: &Wake) -> Self {
        if !self.gate.takes_settings() {
            return self;
        }
        let rows = self.rows.with_standalone(&self.gate, host, wake.clone());
        Self { link: self.link.standalone().keeping_servers(), rows, ..self }
    }
}

/// Sorts the primary hub first: rows written before a machine could join several hubs belong to the first engine.
fn primary_first(mut hubs: Vec<JoinedHub>, primary: &PrimaryHub) -> Vec<JoinedHub> {
    hubs.sort_by_key(|joined| Some(hub_id(&joined.identity.hub_key)) != primary.hub());
    hubs
}

#[expect(clippy::too_many_arguments, reason = "the parts of a process, passed once")]
async fn run_links(
    globals: &Globals,
    own_hub: &Hub,
    config: &Config,
    home: &Path,
    (primary, hubs): (PrimaryHub, Vec<JoinedHub>),
    parts: Parts,
    servers: Servers,
    shutdown: Shutdown,
) -> Result<()> {
    let host_id = hubs.first().map(|joined| joined.identity.host_id);
    let mut linked = Vec::new();
    for joined in primary_first(hubs, &primary) {
        let first = linked.first().map(|linked: &HubLink| &linked.work.engine);
        linked.push(to_hub(config, home, &own_hub.store, joined, &primary, first).await?);
    }
    // Created after the engines of the hubs, because rows without a source belong to the first engine.
    let StandaloneRunner { link: own_link, work: own_work, name, host } =
        standalone_runner(own_hub, config, home, host_id, servers).await?;
    let wake = &own_hub.wakes.schedules;
    let linked: Vec<HubLink> = linked.into_iter().map(|linked| linked.applying_schedules(host, wake)).collect();
    let contacts: Vec<_> = linked.iter().map(|linked| linked.link.contact()).collect();
    let outages = OutageLog::open(own_hub.store.clone(), host.host, contacts.clone()).await?;
    let (leave, left) = watch::channel(None);
    welcome(globals, own_hub, parts, &name, primary.url().as_deref(), linked.len()).await?;
    ready();
    let links = linked.into_iter().map(|linked| {
        let (shutdown, left) = (shutdown.clone(), left.clone());
        async move {
            let (link, rows) = (linked.link.leaving_with(left), linked.rows.run(shutdown.clone()));
            tokio::join!(run_engine(link, linked.work, shutdown), rows);
        }
    });
    tokio::join!(
        run_engine(own_link, own_work, shutdown.clone()),
        outages.run(shutdown.clone()),
        announce_departure(leave, contacts, shutdown.clone()),
        futures_util::future::join_all(links)
    );
    Ok(())
}

/// Notifies the hubs before this machine suspends or shuts down, if the system announces it over D-Bus.
async fn announce_departure(
    leave: watch::Sender<Option<Leaving>>,
    contacts: Vec<watch::Receiver<Contact>>,
    shutdown: Shutdown,
) {
    let default_address = || Path::new(SYSTEM_BUS).exists().then(|| format!("unix:path={SYSTEM_BUS}"));
    match crate::environment::environment("DBUS_SYSTEM_BUS_ADDRESS").or_else(default_address) {
        Some(address) if !contacts.is_empty() => Logind::new(address, leave, contacts).run(shutdown).await,
        Some(_) => {}
        None => {
            tracing::debug!("no D-Bus system bus: suspend and shutdown of this machine are not announced to the hubs")
        }
    }
}

async fn to_hub(
    config: &Config,
    home: &Path,
    store: &Store,
    JoinedHub { file, identity, gate }: JoinedHub,
    primary: &PrimaryHub,
    first: Option<&Engine>,
) -> Result<HubLink> {
    let url = identity.hub_url.clone().unwrap_or_default();
    let role = runner::HubRole::of(primary, hub_id(&identity.hub_key));
    let (rows_channel, rows) = RowSync::new(store.clone(), &identity.hub_key);
    let names = EngineNames::of_hub(&identity.hub_key);
    let (link_channel, work) = engine(config, home, &identity, store.clone(), names, gate.clone()).await?;
    let work = EngineWork { engine: work.engine.with_role(role.clone(), first), ..work };
    let link = link(config, Dial::url(&url)?, identity, file, role.clone(), gate.clone())
        .with_rows(rows_channel)
        .with_engine(link_channel);
    Ok(HubLink { link, rows: rows.for_hub(role), work, gate })
}

/// This machine as the only host of its standalone hub.
struct StandaloneRunner {
    link: Link,
    work: EngineWork,
    name: String,
    host: StandaloneHost,
}

/// Links this machine to its standalone hub. It joins at the first start.
async fn standalone_runner(
    own_hub: &Hub,
    config: &Config,
    home: &Path,
    host_id: Option<domain::HostId>,
    servers: Servers,
) -> Result<StandaloneRunner> {
    let file = IdentityFile::standalone(home);
    let kept = file.read()?.filter(|identity| identity.hub_key == own_hub.identity.public_key());
    let identity = match kept {
        Some(identity) => identity,
        None => {
            let identity = join_own(own_hub, &local_caller(), config, pipe(own_hub), host_id).await?;
            file.write(&identity)?;
            identity
        }
    };
    let names = EngineNames { source: "standalone".to_owned(), folder: "own-runs", socket: "own.sock" };
    let gate = gate(config, home, &identity, OrderSender::Standalone, servers)?;
    let (link_channel, work) = engine(config, home, &identity, own_hub.store.clone(), names, gate.clone()).await?;
    let (name, host) = (identity.name.clone(), identity.host_id);
    let view = own_hub.store.read(move |tx| Box::pin(async move { tx.host_anywhere(host).await })).await?;
    let view = view.ok_or_else(|| Failure::new(Code::Internal, "this machine is missing in its own database"))?;
    let link = link(config, pipe(own_hub), identity, file, runner::HubRole::default(), gate)
        .with_engine(link_channel)
        .keeping_servers();
    Ok(StandaloneRunner { link, work, name, host: StandaloneHost { org: view.host.org_id, host } })
}

/// Prints the parts of the process, its primary hub and the sign-in link.
async fn welcome(
    globals: &Globals,
    own_hub: &Hub,
    parts: Parts,
    name: &str,
    primary_url: Option<&str>,
    hubs: usize,
) -> Result<()> {
    if globals.quiet {
        return Ok(());
    }
    let composition = if parts.has_ui { "runner + web UI" } else { "runner" };
    output::line(&format!("hostler {VERSION} · {composition} · host \"{name}\""));
    match primary_url {
        Some(url) if hubs > 1 => {
            output::line(&format!("  ✓ primary hub {url}, and {}", output::count(hubs - 1, "more hub")));
        }
        Some(url) => output::line(&format!("  ✓ hub {url}")),
        None => output::line("  ✓ standalone mode; to add this machine to a hub: hostler join URL TOKEN"),
    }
    if parts.has_ui {
        output::line(&format!("  ✓ listening on {}", own_hub.options.public_url));
        if crate::environment::environment("JOURNAL_STREAM").is_none() {
            let link = own_hub.sign_in_link_create(&local_caller()).await?;
            output::line(&format!("  Sign in: {}   (valid once, for 15 min; later: hostler open)", link.url));
        }
    }
    messages::note(globals, "  Try: hostler run hello -f");
    Ok(())
}
