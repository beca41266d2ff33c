//! The environment that every program gets, of the runner's own.

use std::{collections::BTreeMap, ffi::OsString};

/// `PATH` of the programs, if the runner has none.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Variables of the runner that every program inherits.
const ALLOWED: &[&str] = &["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TZ", "USER"];

/// The environment that every program gets.
pub(crate) fn plain_environment() -> BTreeMap<OsString, OsString> {
    let known = ALLOWED.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
    let mut env: BTreeMap<OsString, OsString> = known.collect();
    env.entry("PATH".into()).or_insert_with(|| PATH.into());
    env
}
