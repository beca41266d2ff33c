//! The web UI on the database of a hub or a runner, in a process of its own.
//!
//! On PostgreSQL, which several hubs may share, the process is one more hub, without runners. A SQLite file has one
//! owner process: this process only reads the file and forwards every change to the owner's socket.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use hub::{Hub, Listeners};
use proto::{Code, VERSION};
use runtime::{Clock, TaskTracker, signals};
use store::Store;

use super::serve::{ListenArgs, Parts, bind, load, local_caller, options, ready, start_logging};
use crate::{
    fail::{Failure, Result},
    globals::Globals,
    home, output,
};

/// Start only the web UI, on the database of a hub or runner
#[derive(Args)]
pub(crate) struct UiArgs {
    #[command(flatten)]
    listen: ListenArgs,
}

pub(crate) async fn ui(globals: &Globals, args: UiArgs) -> Result<ExitCode> {
    let home = home::folder(globals.home.as_deref());
    home::prepare(&home)?;
    let config = load(globals, &home, args.listen)?;
    start_logging(globals, &config)?;
    let url = config.text("hub.database_url").to_owned();
    let owner = owner(&url)?;
    let tcp = bind(config.text("hub.listen")).await?;
    let address = tcp.local_addr().map_err(|error| {
        Failure::new(Code::PortTaken, "cannot read the address of the listening socket").because(&error)
    })?;
    let parts = Parts { has_runner: false, has_ui: true };
    let is_guest = owner.is_some();
    let options = hub::Options { owner, ..options(&config, address, parts)? };
    let mut store_options = store::Options::new(url);
    store_options.connections = config.parse("hub.database_connections")?;
    store_options.is_guest = is_guest;
    let hub = Hub::open(Store::open(&store_options).await?, options, Clock::system()).await?;
    let tasks = TaskTracker::default();
    let shutdown = signals(&tasks)
        .map_err(|error| Failure::new(Code::Internal, "cannot install the signal handlers").because(&error))?;
    welcome(globals, &hub, is_guest).await?;
    ready();
    hub.serve(Listeners { tcp: Some(tcp), local: None }, async move { shutdown.asked().await }).await?;
    Ok(ExitCode::SUCCESS)
}

/// The socket path of the process that owns a SQLite file. The process need not be running.
fn owner(url: &str) -> Result<Option<PathBuf>> {
    let Some(path) = url.strip_prefix("sqlite:").map(|path| path.strip_prefix("//").unwrap_or(path)) else {
        return Ok(None);
    };
    let path = PathBuf::from(path);
    if !path.is_file() {
        return Err(Failure::new(Code::FolderUnusable, format!("there is no database at {}", path.display()))
            .hint("set --database-url to the hub.db or runner.db of a data folder, or to a postgres:// address"));
    }
    Ok(path.parent().map(home::socket))
}

async fn welcome(globals: &Globals, hub: &Hub, is_guest: bool) -> Result<()> {
    if globals.quiet {
        return Ok(());
    }
    output::line(&format!("hostler {VERSION} · web UI · {}", hub.store.kind()));
    output::line(&format!("  ✓ listening on {}", hub.options.public_url));
    if is_guest && !hub.options.owner.as_ref().is_some_and(|socket| socket.exists()) {
        output::line("  read-only: the hub or runner of this database is not running; start it to make changes");
    }
    if crate::environment::environment("JOURNAL_STREAM").is_none() {
        let link = hub.sign_in_link_create(&local_caller()).await?;
        output::line(&format!("  Sign in: {}   (valid once, for 15 min)", link.url));
    }
    Ok(())
}
