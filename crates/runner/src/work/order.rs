//! From a grant to a command: checked again here, because a hub may be wrong or broken into.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

use domain::{
    Span,
    argv::{Context, ContextName, OWN_PROGRAM},
    definition::Definition,
    schema::{Schema, reveal},
};
use proto::work::Grant;

use crate::exec::{Caps, Fence, Limits, Order};

/// Output kept of one run: the first and the last so many bytes.
const CAPS: Caps = Caps { head_bytes: 8 * 1024 * 1024, tail_bytes: 8 * 1024 * 1024 };
/// How long a process has between being asked to end and being killed.
pub(super) const GRACE: Span = Span::from_secs(10);
/// Where programs are looked for.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/// What every process may know of the machine.
const ALLOWED: &[&str] = &["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TZ", "USER"];
/// Where a run may leave a value for its job.
pub(super) const RESULT_FILE: &str = "result.json";
/// Where a run works.
pub(super) const WORK_FOLDER: &str = "work";

/// When a leased run must be over, and how long before that it is asked and killed.
pub(super) fn fence(lease_until_ms: u64, lost_after_ms: u32) -> Fence {
    let lost = u64::from(lost_after_ms);
    Fence { lease_until_ms, term_ms: (lost / 4).min(20_000), kill_ms: (lost / 10).min(8_000) }
}

/// The command of a grant, or why it cannot be run.
pub(super) fn order(
    grant: &Grant,
    definition: &Definition,
    host_name: &str,
    dir: &Path,
    fence: Option<Fence>,
) -> Result<Order, String> {
    let schema = Schema::compile(definition.arg_schema.clone()).map_err(|error| error.to_string())?;
    let mut payload = grant.payload.clone();
    reveal(&mut payload, &grant.hidden.0);
    let faults = schema.check(&payload);
    if let Some(fault) = faults.first() {
        return Err(format!("the payload does not fit the definition here: {} {}", fault.pointer, fault.detail));
    }
    let context = Context::default()
        .with(ContextName::OrgId, grant.org.to_string())
        .with(ContextName::OrgSlug, grant.org_slug.clone())
        .with(ContextName::JobId, grant.job.to_string())
        .with(ContextName::RunNo, grant.fence.to_string())
        .with(ContextName::HostName, host_name);
    let argv = definition.argv.render(&payload, &context).map_err(|faults| {
        faults.first().map_or_else(String::new, |fault| format!("{} {}", fault.pointer, fault.detail))
    })?;
    let mut argv = argv.into_iter();
    let program = argv.next().unwrap_or_default();
    let program = if program == OWN_PROGRAM { own_program()? } else { OsString::from(program) };
    Ok(Order {
        run_id: grant.run.to_string(),
        program,
        args: argv.map(OsString::from).collect(),
        env: environment(grant, definition, dir),
        folder: dir.join(WORK_FOLDER),
        user: None,
        timeout: Some(Span::from_millis(grant.timeout_ms)),
        grace: GRACE,
        caps: CAPS,
        is_merged: false,
        has_stdin: false,
        limits: Limits::default(),
        fence,
    })
}

fn own_program() -> Result<OsString, String> {
    std::env::current_exe()
        .map(PathBuf::into_os_string)
        .map_err(|error| format!("cannot find our own program: {error}"))
}

/// What every process may know of the machine.
pub(crate) fn plain_environment() -> BTreeMap<OsString, OsString> {
    let known = ALLOWED.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
    let mut env: BTreeMap<OsString, OsString> = known.collect();
    env.entry("PATH".into()).or_insert_with(|| PATH.into());
    env
}

/// The whole environment: an allow-list of ours, that of the definition, its secrets, and what a run may know of itself.
fn environment(grant: &Grant, definition: &Definition, dir: &Path) -> BTreeMap<OsString, OsString> {
    let mut env = plain_environment();
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
    env.insert("HOSTLER_RESULT".into(), dir.join(RESULT_FILE).into_os_string());
    env
}
