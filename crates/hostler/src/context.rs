//! Contexts: saved hubs with their tokens, in the user's configuration folder.

use std::{
    collections::BTreeMap,
    fs::{self, DirBuilder, OpenOptions},
    io::Write as _,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::PathBuf,
};

use proto::Code;
use serde::{Deserialize, Serialize};

use crate::fail::{Failure, Result};

/// All contexts of a user.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Contexts {
    /// The name of the context in use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) current: Option<String>,
    #[serde(default)]
    pub(crate) contexts: BTreeMap<String, Context>,
}

/// A hub with a token and a default org.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Context {
    pub(crate) hub: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
    /// The org to work in, if it is not the org of the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) org: Option<String>,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("hub", &self.hub).field("org", &self.org).finish_non_exhaustive()
    }
}

fn path() -> PathBuf {
    let config = crate::environment::environment("HOSTLER_CONFIG_HOME").map(PathBuf::from);
    let xdg = crate::environment::environment("XDG_CONFIG_HOME").map(|folder| PathBuf::from(folder).join("hostler"));
    let home = crate::environment::environment("HOME").map(|home| PathBuf::from(home).join(".config/hostler"));
    config.or(xdg).or(home).unwrap_or_else(|| PathBuf::from(".")).join("config.toml")
}

impl Contexts {
    /// Reads the contexts file. A missing file is an empty list.
    pub(crate) fn read() -> Result<Self> {
        let path = path();
        match fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text).map_err(|error| {
                Failure::new(Code::ConfigInvalid, format!("cannot read {}: {}", path.display(), error.message()))
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(Failure::new(Code::ConfigInvalid, format!("cannot read {}: {error}", path.display()))),
        }
    }

    /// Writes the contexts file with mode 0600, through a temporary file and a rename.
    pub(crate) fn write(&self) -> Result<()> {
        let path = path();
        let failed = |error: std::io::Error| {
            Failure::new(Code::FolderUnusable, format!("cannot write {}: {error}", path.display()))
        };
        if let Some(folder) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        }
        let text = toml::to_string_pretty(self).map_err(|error| Failure::usage(error.to_string()))?;
        let partial = path.with_extension("toml.new");
        let mut file =
            OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(&partial).map_err(failed)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
        fs::rename(&partial, &path).map_err(failed)
    }

    /// Finds a context by name.
    pub(crate) fn get(&self, name: &str) -> Result<&Context> {
        self.contexts.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.contexts.keys().map(String::as_str).collect();
            let hint = if names.is_empty() {
                "create one with `hostler login URL`".to_owned()
            } else {
                format!("existing contexts: {}", names.join(", "))
            };
            Failure::new(Code::NotFound, format!("there is no context `{name}`")).hint(hint)
        })
    }
}
