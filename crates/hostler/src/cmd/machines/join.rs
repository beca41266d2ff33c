//! `hostler join` and `hostler leave`: adding this machine to a hub and removing it.

use std::{os::unix::fs::DirBuilderExt as _, path::Path, process::ExitCode, time::Duration};

use clap::Args;
use domain::{
    HostId, HubId,
    definition::Trust,
    secret::{NotASecret, Secret, SecretKind},
};
use proto::{Code, link::Bytes32, sync::hub_id};
use runner::{
    Dial, Identity, IdentityFile, LinkState,
    join::{Join, join as join_hub},
    primary::PrimaryFile,
};
use runtime::{Random, Shutdown, clock::wall};
use serde_json::json;

use crate::{
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    home, messages, output,
};

/// Add this machine to a hub as a host
#[derive(Args)]
pub(crate) struct JoinArgs {
    /// Address of the hub
    url: String,
    /// Join token printed by `hostler invite`
    token: String,
    /// Requested host name [default: the hostname of this machine]
    #[arg(long, env = "HOSTLER_HOSTNAME")]
    name: Option<String>,
    /// Raise an alert when this machine is offline [default: false with a battery, else as set by `hostler invite`]
    #[arg(long)]
    always_on: Option<bool>,
    /// Source of the commands that this machine runs: the hub, or only its own catalogue.d (local)
    #[arg(long, default_value = "hub", value_name = "hub|local")]
    trust: Trust,
    /// Join even if the clocks of hub and machine differ
    #[arg(long)]
    ignore_clock: bool,
}

/// Remove this machine from a hub
#[derive(Args)]
pub(crate) struct LeaveArgs {
    /// Address of the hub, if this machine has joined several
    url: Option<String>,
    /// Delete the identity here without contacting the hub: for a copied data folder, or if the hub no longer exists
    #[arg(long)]
    force: bool,
}

pub(crate) async fn join(globals: &Globals, args: JoinArgs) -> Result<ExitCode> {
    let home = home::folder(globals.home.as_deref());
    home::prepare(&home)?;
    let joined = IdentityFile::all(&home)?;
    let url = args.url.trim_end_matches('/').to_owned();
    let joined_before = joined.iter().find(|(_, identity)| identity.hub_url.as_ref().is_none_or(|hub| *hub == url));
    if let Some((_, identity)) = joined_before {
        return Err(already_joined(identity));
    }
    let file = match joined.first() {
        None => IdentityFile::in_folder(&home),
        Some(_) => IdentityFile::of_hub(&home, &hub_key(&args.token)?),
    };
    if globals.dry_run {
        messages::note(globals, format!("would join {} and write {}", args.url, file.path().display()));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    let always_on = args.always_on.or_else(|| runner::machine::looks_like_a_laptop().then_some(false));
    let dial = Dial::url(&url)?;
    let (key, host_id) = (hub_key(&args.token)?, known_host_id(&home, &joined)?);
    // The key check prevents joining the same hub twice under different addresses.
    if let Some((_, identity)) = joined.iter().find(|(_, identity)| identity.hub_key == key) {
        return Err(already_joined(identity));
    }
    let left = IdentityFile::left(&home, &key);
    let request = Join {
        dial,
        hub_url: Some(url),
        token: args.token,
        name: args.name,
        always_on,
        ignore_clock: args.ignore_clock,
        now: wall(),
        random: (Random.bytes(), Random.bytes()),
        host_id,
        former_key: left.read()?.filter(|former| Some(former.host_id) == host_id).map(|former| former.key.key),
    };
    let (mut identity, accepted) = join_hub(request).await?;
    identity.trust = args.trust;
    file.write(&identity)?;
    left.remove()?;
    if accepted.name_was_taken {
        let note = format!("the requested name is taken or not allowed; this host is named {}", accepted.name);
        messages::note(globals, note);
    }
    let kind = if accepted.always_on { "always on" } else { "may sleep: no alerts while it is offline" };
    messages::done(globals, format!("joined {} as {} ({kind})", accepted.org, accepted.name));
    if args.trust == Trust::Local {
        let folder = home::catalogue(&home);
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        made.map_err(|error| {
            Failure::new(Code::FolderUnusable, format!("cannot create {}: {error}", folder.display()))
        })?;
        messages::note(globals, format!("  this machine runs only the definitions in {}", folder.display()));
    }
    messages::note(globals, "  next: start it with `hostler runner` or `hostler service install --runner`");
    if globals.output.is_some() {
        let result = json!({"host_id": accepted.host_id, "name": accepted.name, "org": accepted.org, "hub": identity.hub_url, "always_on": accepted.always_on});
        output::one(globals, result, "name", &[])?;
    }
    Ok(ExitCode::SUCCESS)
}

fn already_joined(identity: &Identity) -> Failure {
    let hub = identity.hub_url.as_deref().unwrap_or("the hub in this data folder");
    Failure::new(Code::AlreadyJoined, format!("this machine is already host {} of {hub}", identity.name))
        .hint("run `hostler leave` first, or use another data folder with --home")
}

/// The hub's public key, which is part of the join token.
fn hub_key(token: &str) -> Result<Bytes32> {
    let mistyped = |error: NotASecret| {
        Failure::new(Code::JoinTokenInvalid, format!("this is not a join token: {error}"))
            .hint("copy the complete command that `hostler invite` printed")
    };
    let secret = Secret::parse(SecretKind::Join, token).map_err(mistyped)?;
    let key: [u8; 32] = secret.extra().try_into().map_err(|_| mistyped(NotASecret::Checksum))?;
    Ok(Bytes32(key))
}

/// The host id of this machine in standalone mode, or at a hub it joined before. One machine keeps one id at all hubs.
fn known_host_id(home: &Path, joined: &[(IdentityFile, Identity)]) -> Result<Option<HostId>> {
    let standalone = IdentityFile::standalone(home).read()?;
    Ok(standalone.or_else(|| joined.first().map(|(_, identity)| identity.clone())).map(|identity| identity.host_id))
}

pub(crate) async fn leave(globals: &Globals, args: LeaveArgs) -> Result<ExitCode> {
    let home = home::folder(globals.home.as_deref());
    let (file, identity) = joined_hub(IdentityFile::all(&home)?, args.url.as_deref())?;
    let Some(url) = identity.hub_url.clone() else {
        return Err(Failure::usage("this machine's runner belongs to the hub in the same folder")
            .hint("remove the host on the hub instead: hostler host rm NAME"));
    };
    if globals.dry_run {
        messages::note(globals, format!("would leave {url} and remove {}", file.path().display()));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    messages::confirm(globals, &format!("Leave {url} (host {})", identity.name))?;
    if !args.force {
        send_leave(&url, identity.clone()).await.map_err(|failure| match failure.problem.code {
            Code::DuplicateHost => failure.hint("nothing was changed; stop the runner first, then leave"),
            _ => failure.hint("nothing was changed; --force removes the identity here without contacting the hub"),
        })?;
    }
    // A machine that keeps its id, because it is still a host elsewhere, can return here only with this key.
    let is_elsewhere = |other: &Identity| other.host_id == identity.host_id && other.hub_key != identity.hub_key;
    let standalone = IdentityFile::standalone(&home).read()?;
    let others = IdentityFile::all(&home)?.into_iter().map(|(_, other)| other);
    if others.chain(standalone).any(|other| is_elsewhere(&other)) {
        IdentityFile::left(&home, &identity.hub_key).write(&identity)?;
    }
    file.remove()?;
    // The first of the remaining hubs becomes the primary hub, unless another one was promoted.
    let first = IdentityFile::in_folder(&home);
    if first.read()?.is_none()
        && let Some((other, next)) = IdentityFile::all(&home)?.into_iter().next()
    {
        first.write(&next)?;
        other.remove()?;
        let primary = primary_url(&home)?.unwrap_or_default();
        messages::note(globals, format!("  the primary hub of this machine is now {primary}"));
    }
    messages::done(globals, format!("left {} ({url})", identity.org));
    Ok(ExitCode::SUCCESS)
}

/// The address of the primary hub of this machine.
fn primary_url(folder: &Path) -> Result<Option<String>> {
    let joined = IdentityFile::all(folder)?;
    let hubs: Vec<HubId> = joined.iter().map(|(_, identity)| hub_id(&identity.hub_key)).collect();
    let primary = domain::primary::primary_hub(&hubs, PrimaryFile::in_folder(folder).read()?);
    let found = joined.into_iter().find(|(_, identity)| Some(hub_id(&identity.hub_key)) == primary);
    Ok(found.and_then(|(_, identity)| identity.hub_url))
}

/// The joined hub with the given address, or the only one.
fn joined_hub(mut joined: Vec<(IdentityFile, Identity)>, url: Option<&str>) -> Result<(IdentityFile, Identity)> {
    let is_it = |identity: &Identity, url: &str| identity.hub_url.as_deref() == Some(url.trim_end_matches('/'));
    match (url, joined.len()) {
        (_, 0) => Err(Failure::new(Code::NotJoined, "this machine has not joined a hub")),
        (None, 1) => Ok(joined.remove(0)),
        (None, _) => {
            let urls: Vec<&str> = joined.iter().filter_map(|(_, identity)| identity.hub_url.as_deref()).collect();
            Err(Failure::usage("this machine has joined several hubs")
                .hint(format!("name the hub to leave: {}", urls.join(", "))))
        }
        (Some(url), _) => joined
            .into_iter()
            .find(|(_, identity)| is_it(identity, url))
            .ok_or_else(|| Failure::new(Code::NotJoined, format!("this machine has not joined {url}"))),
    }
}

/// Opens a session with the hub, as a runner does at every start, and sends the leave request in it.
async fn send_leave(url: &str, identity: runner::Identity) -> Result<()> {
    let (dial, hub_key) = (Dial::url(url)?, identity.hub_key);
    let options = runner::Options {
        dial: dial.clone(),
        name: None,
        incarnation: data_encoding::HEXLOWER.encode(&Random.bytes::<16>()),
        queues: Vec::new(),
        trust: Trust::Hub,
        role: runner::HubRole::default(),
    };
    let link = runner::Link::new(options, identity, None);
    let (mut state, shutdown) = (link.watch(), Shutdown::default());
    let request = async {
        // Clone the state: a held borrow would block the link when it writes its state after the hub closes it.
        let up = state.wait_for(|state| !matches!(state, LinkState::Connecting)).await.map(|state| state.clone());
        let outcome = match &up {
            Ok(LinkState::Up { session_token, .. }) => {
                let left: std::result::Result<(), _> =
                    dial.ask(hub_key, "POST", "/api/v1/runner/leave", Some(session_token), None::<&()>).await;
                left.map_err(Failure::from)
            }
            Ok(LinkState::Down { code, reason }) => Err(Failure::new(*code, reason.clone())),
            _ => Err(Failure::new(Code::HubUnreachable, "the hub cannot be reached")),
        };
        shutdown.begin();
        outcome
    };
    let timed =
        tokio::time::timeout(Duration::from_secs(40), async { tokio::join!(request, link.run(shutdown.clone())).0 });
    timed.await.unwrap_or_else(|_| Err(Failure::new(Code::HubUnreachable, "the hub did not answer in time")))
}
