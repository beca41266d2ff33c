//! From a grant to a command. The payload is validated again here, because the hub may be faulty or compromised.

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

use domain::{
    Span,
    argv::{Context, ContextName, OWN_PROGRAM},
    definition::Definition,
    schema::{Schema, reveal},
};
use proto::work::Grant;

use crate::exec::{Account, Caps, Fence, Isolation, JobFolder, Limits, Order, plain_environment};

/// Output stored of one run: the first 8 MiB and the last 8 MiB.
const CAPS: Caps = Caps { head_bytes: 8 * 1024 * 1024, tail_bytes: 8 * 1024 * 1024 };
/// Time between `SIGTERM` and `SIGKILL`.
pub(super) const GRACE: Span = Span::from_secs(10);

/// The times of a leased run: the end of the lease, and how long before it the run gets `SIGTERM` and `SIGKILL`. The
/// margins keep the run from overlapping with its successor on another host.
pub(super) fn fence(lease_until_ms: u64, lost_after_ms: u32) -> Fence {
    let lost = u64::from(lost_after_ms);
    Fence { lease_until_ms, term_ms: (lost / 4).min(20_000), kill_ms: (lost / 10).min(8_000) }
}

/// The order for a grant.
///
/// # Errors
/// The reason for people: the payload does not match the schema, or the command cannot be built.
pub(super) fn order(
    grant: &Grant,
    definition: &Definition,
    host_name: &str,
    place: &RunPlace,
    fence: Option<Fence>,
) -> Result<Order, String> {
    let schema = Schema::compile(definition.arg_schema.clone()).map_err(|error| error.to_string())?;
    let mut payload = grant.payload.clone();
    reveal(&mut payload, &grant.hidden.0);
    let faults = schema.check(&payload);
    if let Some(fault) = faults.first() {
        return Err(format!("the payload does not match the definition on this host: {fault}"));
    }
    let context = Context::default()
        .with(ContextName::OrgId, grant.org.to_string())
        .with(ContextName::OrgSlug, grant.org_slug.clone())
        .with(ContextName::JobId, grant.job.to_string())
        .with(ContextName::RunNo, grant.fence.to_string())
        .with(ContextName::HostName, host_name);
    let argv = definition.argv.render(&payload, &context);
    let argv = argv.map_err(|faults| faults.first().map(ToString::to_string).unwrap_or_default())?;
    let mut argv = argv.into_iter();
    let program = argv.next().unwrap_or_default();
    let program = if program == OWN_PROGRAM { own_program()? } else { OsString::from(program) };
    Ok(Order {
        run_id: grant.run.to_string(),
        program,
        args: argv.map(OsString::from).collect(),
        env: environment(grant, definition, place),
        folder: place.job.work(),
        user: place.account.as_ref().and_then(|account| account.ids),
        timeout: Some(Span::from_millis(grant.timeout_ms)),
        grace: GRACE,
        caps: CAPS,
        is_merged: false,
        has_stdin: false,
        limits: Limits::default(),
        fence,
        isolation: place.isolation.clone(),
    })
}

fn own_program() -> Result<OsString, String> {
    std::env::current_exe()
        .map(PathBuf::into_os_string)
        .map_err(|error| format!("cannot find the hostler program: {error}"))
}

/// The user of a run, its folder and its isolation.
pub(super) struct RunPlace {
    pub(super) account: Option<Account>,
    pub(super) job: JobFolder,
    pub(super) isolation: Isolation,
}

/// The environment of a run: the fixed allow-list, the variables of its user, the allow-list of the definition, its
/// secrets and the variables of the run.
fn environment(grant: &Grant, definition: &Definition, place: &RunPlace) -> BTreeMap<OsString, OsString> {
    let mut env = plain_environment();
    if let Some(account) = &place.account {
        account.set_environment(&mut env, &place.job.work());
    }
    let more = definition.env_allow.iter();
    env.extend(more.filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?))));
    for (name, value) in &grant.secrets.0 {
        env.insert(name.into(), value.into());
    }
    let own = [
        ("HOSTLER_JOB_ID", grant.job.to_string()),
        ("HOSTLER_RUN_ID", grant.run.to_string()),
        ("HOSTLER_FENCE", grant.fence.to_string()),
        ("HOSTLER_ORG", grant.org_slug.clone()),
        ("HOSTLER_CORRELATION_ID", grant.correlation_id.clone().unwrap_or_default()),
    ];
    env.extend(own.into_iter().map(|(name, value)| (OsString::from(name), OsString::from(value))));
    env.insert("HOSTLER_RESULT".into(), place.job.result().into_os_string());
    env
}
