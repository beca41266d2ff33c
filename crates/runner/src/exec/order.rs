//! What is to be run, in the runner's own types.

use std::{
    collections::BTreeMap,
    ffi::{CString, OsString},
    os::unix::ffi::OsStringExt,
    path::PathBuf,
};

use domain::Span;
use shim::{Caps, Fence, Limits, Spec, User, files, spec::BadSpec};

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Order {
    /// The run's id: letters, digits, `-` and `_`. Its processes have it in `HOSTLER_RUN_ID`.
    pub run_id: String,
    /// The program. Without a slash it is looked for in `PATH` of `env`.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment; nothing is inherited.
    pub env: BTreeMap<OsString, OsString>,
    /// Its working folder, absolute.
    pub folder: PathBuf,
    /// Who to become, if not who we are.
    pub user: Option<User>,
    /// How long it may take; none means for ever.
    pub timeout: Option<Span>,
    /// How long it has between being asked to end and being killed.
    pub grace: Span,
    /// How much output is kept.
    pub caps: Caps,
    /// Whether standard error goes into standard output: exact order, but the streams are one.
    pub is_merged: bool,
    /// Whether it gets a pipe as standard input instead of nothing.
    pub has_stdin: bool,
    /// What it may use, where the system lets us say so.
    pub limits: Limits,
    /// When it must end because nobody renewed its lease; none means never.
    pub fence: Option<Fence>,
}

impl Order {
    /// The order in the shim's words.
    pub(super) fn to_spec(&self) -> Result<Spec, BadSpec> {
        let text = |text: OsString| CString::new(text.into_vec()).map_err(|_| BadSpec("a text holds a NUL byte"));
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
        };
        spec.check()?;
        Ok(spec)
    }
}
