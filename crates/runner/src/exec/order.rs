//! The order for a run: command, environment and limits, in the runner's types.

use std::{
    collections::BTreeMap,
    ffi::{CString, OsString},
    os::unix::ffi::OsStringExt,
    path::PathBuf,
};

use domain::Span;
use shim::{Caps, Fence, Isolation, Limits, Spec, User, files, spec::BadSpec};

/// The order for a run.
#[derive(Clone, Debug)]
pub struct Order {
    /// Letters, digits, `-` and `_`. The processes of the run have it in `HOSTLER_RUN_ID`.
    pub run_id: String,
    /// A program without a slash is searched for in `PATH` of `env`.
    pub program: OsString,
    pub args: Vec<OsString>,
    /// The whole environment; nothing is inherited.
    pub env: BTreeMap<OsString, OsString>,
    /// The working directory, absolute.
    pub folder: PathBuf,
    /// The user to run as; the runner's own user if absent.
    pub user: Option<User>,
    /// Longest run time; absent means unlimited.
    pub timeout: Option<Span>,
    /// Time between `SIGTERM` and `SIGKILL`.
    pub grace: Span,
    /// How much output is stored.
    pub caps: Caps,
    /// Whether standard error is written to standard output: keeps the exact order, loses the origin of each line.
    pub is_merged: bool,
    /// Whether standard input is a pipe instead of `/dev/null`.
    pub has_stdin: bool,
    /// Resource limits; enforced only where the system allows it.
    pub limits: Limits,
    /// When the run must end unless its lease is renewed; absent for a run without a lease.
    pub fence: Option<Fence>,
    /// Folders that the processes cannot reach.
    pub isolation: Isolation,
}

impl Order {
    /// Converts the order to a spec for the shim.
    pub(super) fn to_spec(&self) -> Result<Spec, BadSpec> {
        let text = |text: OsString| {
            CString::new(text.into_vec()).map_err(|_| BadSpec("a program, argument or variable contains a NUL byte"))
        };
        let argv = [&self.program].into_iter().chain(&self.args).cloned().map(text).collect::<Result<_, _>>()?;
        let mark = (OsString::from(files::RUN_ID_VARIABLE), OsString::from(&self.run_id));
        let own = self.env.iter().filter(|(name, _)| **name != mark.0);
        let env = own
            .chain([(&mark.0, &mark.1)])
            .map(|(name, value)| {
                let mut entry = name.clone();
                entry.push("=");
                entry.push(value);
                text(entry)
            })
            .collect::<Result<_, _>>()?;
        let ms = |span: Span| u64::try_from(span.as_millis()).unwrap_or_default();
        let spec = Spec {
            run_id: self.run_id.clone(),
            argv,
            env,
            cwd: text(self.folder.clone().into_os_string())?,
            user: self.user,
            timeout_ms: self.timeout.map(ms),
            grace_ms: ms(self.grace),
            caps: self.caps,
            is_merged: self.is_merged,
            has_stdin: self.has_stdin,
            limits: self.limits,
            fence: self.fence,
            isolation: self.isolation.clone(),
        };
        spec.check()?;
        Ok(spec)
    }
}
