//! The checks of `hostler doctor` about jobs: their isolation and their users.

use std::path::Path;

use proto::Code;
use runner::exec::{Confinement, JobUser, Shim};

use super::{finding::Finding, serve::confinement_settings};
use crate::{
    client::Client,
    config::Config,
    fail::Failure,
    output::{self, text},
};

/// Most keys of definitions in a warning.
const KEYS_MAX: usize = 5;

/// The isolation by a runner that this user starts with these settings. The shim is tried in a temporary folder, because
/// the copy in the data folder belongs to the runner's user.
pub(super) async fn isolation(config: &Config, home: &Path) -> Finding {
    match tried(config, home).await {
        Ok(confinement) => {
            let offer = confinement.offer();
            let landlock = match offer.landlock_abi {
                0 => "no Landlock".to_owned(),
                abi => format!("Landlock ABI {abi}"),
            };
            let namespace = if offer.has_namespace { "mount namespaces" } else { "no mount namespaces" };
            let what = format!("peer check at the local socket, {namespace}, {landlock}");
            match confinement.gaps() {
                [] => Finding::Ok(format!("the data folder is out of reach of jobs ({what})")),
                gaps => Finding::Warning {
                    detail: format!("{} ({what})", gaps.join("; ")),
                    hint: "docs/isolation.md lists the requirements; jobs can run as another user with `runner.user`"
                        .to_owned(),
                },
            }
        }
        Err(failure) => Finding::Failed(failure),
    }
}

async fn tried(config: &Config, home: &Path) -> crate::fail::Result<Confinement> {
    let settings = confinement_settings(config, home)?;
    let failed = |error: &dyn std::fmt::Display| Failure::new(Code::FolderUnusable, error.to_string());
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let shim = Shim::install(folder.path()).map_err(|error| failed(&error))?;
    Ok(Confinement::open(settings, &shim).await)
}

/// The user of jobs. A warning names the definitions that a runner of root runs as root without saying so.
pub(super) async fn job_users(config: &Config, client: Option<&Client>) -> Finding {
    let user = match config.parse::<JobUser>("runner.user") {
        Ok(user) => user,
        Err(failure) => return Finding::Failed(failure),
    };
    let is_root = nix::unistd::geteuid().is_root();
    match user {
        JobUser::Named(name) if is_root => Finding::Ok(format!("{name}, where the definition names no other")),
        JobUser::PerOrg if is_root => Finding::Ok("one per org, where the definition names no other".to_owned()),
        JobUser::Named(_) | JobUser::PerOrg => Finding::Warning {
            detail: "runner.user has no effect: only a runner of root can change the user".to_owned(),
            hint: "start the runner as root, or remove the setting".to_owned(),
        },
        JobUser::Runner if !is_root => Finding::Ok("the user of the runner".to_owned()),
        JobUser::Runner => without_user(client).await.unwrap_or_else(Finding::Failed),
    }
}

async fn without_user(client: Option<&Client>) -> Result<Finding, Failure> {
    let definitions = match client {
        Some(client) => client.list("/jobs/definitions").await?,
        None => Vec::new(),
    };
    let builtin: Vec<String> =
        domain::definition::builtin(domain::Timestamp::from_micros(0)).into_iter().map(|one| one.key).collect();
    let keys: Vec<String> = definitions
        .iter()
        .filter(|definition| definition["user"].is_null() && definition["is_active"] == true)
        .map(|definition| (text(definition, "key"), definition["version"] == 1))
        .filter(|(key, is_first)| !(*is_first && builtin.contains(key)))
        .map(|(key, _)| key)
        .collect();
    if keys.is_empty() {
        return Ok(Finding::Ok("root; every definition names its user".to_owned()));
    }
    let more = keys.len().saturating_sub(KEYS_MAX);
    let mut named = keys.iter().take(KEYS_MAX).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 {
        named.push_str(&format!(" and {more} more"));
    }
    Ok(Finding::Warning {
        detail: format!("{} as root without naming a user: {named}", runs(keys.len())),
        hint: "add `user` to them, `user = \"root\"` where root is needed, or set runner.user".to_owned(),
    })
}

fn runs(count: usize) -> String {
    let noun = output::count(count, "definition");
    if count == 1 { format!("{noun} runs") } else { format!("{noun} run") }
}
