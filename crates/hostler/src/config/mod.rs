//! Settings with their origins. A flag overrides the environment, which overrides `hostler.toml`, which overrides the
//! default.
//!
//! Only this module reads environment variables.
//!
//! - `settings`: the table of all settings

mod settings;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use proto::Code;

pub(crate) use settings::{SETTINGS, Setting};

use crate::{
    environment::environment,
    fail::{Failure, Result},
};

/// The layer that a value was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    File(PathBuf),
    Environment(String),
    Flag,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Environment(name) => f.write_str(name),
            Self::Flag => f.write_str("flag"),
        }
    }
}

/// All settings. Each has a value per layer that sets it, the winning one last.
#[derive(Debug)]
pub(crate) struct Config(BTreeMap<&'static str, Vec<(String, Origin)>>);

impl Config {
    /// Reads all layers. `flags` are values from the command line.
    pub(crate) fn load(home: &Path, file: Option<&Path>, flags: &[(&'static str, Option<String>)]) -> Result<Self> {
        let default = |setting: &Setting| {
            vec![(setting.default.replace("$HOSTLER_HOME", &home.display().to_string()), Origin::Default)]
        };
        let mut config = Self(SETTINGS.iter().map(|setting| (setting.key, default(setting))).collect());
        for (key, value, origin) in from_file(home, file)? {
            config.add(key, value, origin);
        }
        for setting in SETTINGS {
            if let Some((value, name)) = from_environment(setting)? {
                config.add(setting.key, value, Origin::Environment(name));
            }
        }
        for (key, value) in flags {
            if let Some(value) = value {
                config.add(key, value.clone(), Origin::Flag);
            }
        }
        Ok(config)
    }

    fn add(&mut self, key: &'static str, value: String, origin: Origin) {
        self.0.entry(key).or_default().push((value, origin));
    }

    /// The winning value of a setting, with its origin.
    fn winner(&self, key: &str) -> Option<&(String, Origin)> {
        self.0.get(key).and_then(|layers| layers.last())
    }

    /// All settings with value and origin; secrets are redacted.
    pub(crate) fn redacted(&self) -> Vec<(&'static Setting, String, String)> {
        let settings = SETTINGS.iter().filter_map(|setting| {
            let (value, origin) = self.winner(setting.key)?;
            let value = if setting.is_secret { settings::redacted(value) } else { value.clone() };
            Some((setting, value, origin.to_string()))
        });
        settings.collect()
    }

    /// The value of a setting as text.
    pub(crate) fn text(&self, key: &str) -> &str {
        self.winner(key).map_or("", |(value, _)| value.as_str())
    }

    /// The value of a setting as text, `None` if it is empty.
    pub(crate) fn optional(&self, key: &str) -> Option<&str> {
        Some(self.text(key)).filter(|value| !value.is_empty())
    }

    /// The parsed value of a setting.
    pub(crate) fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(&self, key: &str) -> Result<T> {
        self.text(key).parse().map_err(|error: T::Err| self.invalid(key, &error))
    }

    /// The parsed values of a setting in all layers, for a setting whose strictest value counts.
    pub(crate) fn parse_layers<T: std::str::FromStr<Err: std::fmt::Display>>(&self, key: &str) -> Result<Vec<T>> {
        let layers = self.0.get(key).into_iter().flatten();
        layers.map(|(value, origin)| value.parse().map_err(|error: T::Err| invalid(key, origin, &error))).collect()
    }

    /// The parsed items of a setting that is a comma-separated list.
    pub(crate) fn list<T: std::str::FromStr<Err: std::fmt::Display>>(&self, key: &str) -> Result<Vec<T>> {
        let items = self.text(key).split(',').map(str::trim).filter(|item| !item.is_empty());
        items.map(|item| item.parse().map_err(|error: T::Err| self.invalid(key, &error))).collect()
    }

    fn invalid(&self, key: &str, why: &dyn std::fmt::Display) -> Failure {
        invalid(key, self.winner(key).map_or(&Origin::Default, |(_, origin)| origin), why)
    }
}

fn invalid(key: &str, origin: &Origin, why: &dyn std::fmt::Display) -> Failure {
    Failure::new(Code::ConfigInvalid, format!("invalid value of the setting `{key}` (from {origin}): {why}"))
        .hint("`hostler config show` lists all settings")
}

fn from_file(home: &Path, explicit: Option<&Path>) -> Result<Vec<(&'static str, String, Origin)>> {
    let path = explicit.map_or_else(|| home.join("hostler.toml"), Path::to_owned);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        // A missing file is an error only if `--config` names it.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && explicit.is_none() => return Ok(Vec::new()),
        Err(error) => {
            return Err(Failure::new(Code::ConfigInvalid, format!("cannot read {}: {error}", path.display())));
        }
    };
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        Failure::new(Code::ConfigInvalid, format!("{} is not valid TOML: {}", path.display(), error.message()))
    })?;
    let mut found = Vec::new();
    for (section, value) in table {
        let Some(entries) = value.as_table() else { return Err(unknown(&path, &section)) };
        for (name, value) in entries {
            let key = format!("{section}.{name}");
            let setting = SETTINGS.iter().find(|setting| setting.key == key).ok_or_else(|| unknown(&path, &key))?;
            found.push((setting.key, scalar_text(value), Origin::File(path.clone())));
        }
    }
    Ok(found)
}

fn scalar_text(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(items) => items.iter().map(scalar_text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

fn unknown(path: &Path, key: &str) -> Failure {
    let near =
        SETTINGS.iter().min_by_key(|setting| distance(setting.key, key)).map(|setting| setting.key).unwrap_or_default();
    Failure::new(Code::ConfigInvalid, format!("unknown setting `{key}` in {}", path.display()))
        .hint(format!("did you mean `{near}`? `hostler config show` lists all settings"))
}

/// The Levenshtein distance of two words, for "did you mean".
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, cb) in b.iter().enumerate() {
            let changed = before + usize::from(ca != *cb);
            before = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(before + 1);
        }
    }
    row[b.len()]
}

/// The value of a setting's environment variable, or for secrets the content of the file named by its `_FILE` variable.
fn from_environment(setting: &Setting) -> Result<Option<(String, String)>> {
    if let Some(value) = environment(setting.variable) {
        return Ok(Some((value, setting.variable.to_owned())));
    }
    if !setting.is_secret {
        return Ok(None);
    }
    let name = format!("{}_FILE", setting.variable);
    let Some(path) = environment(&name) else { return Ok(None) };
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::new(Code::ConfigInvalid, format!("cannot read {path} (from {name}): {error}")))?;
    Ok(Some((text.trim().to_owned(), name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str, flags: &[(&'static str, Option<String>)]) -> Result<Config> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("hostler.toml"), text).expect("writes");
        Config::load(folder.path(), None, flags)
    }

    #[test]
    fn flags_override_the_file_and_the_file_overrides_defaults() {
        let config = load(
            "[hub]\nheartbeat = \"3s\"\ntrusted_proxies = [\"10.0.0.0/8\", \"192.0.2.1\"]\n",
            &[("hub.listen", Some("127.0.0.1:0".into())), ("log.level", None)],
        )
        .expect("loads");
        assert_eq!(
            (config.text("hub.heartbeat"), config.text("hub.listen"), config.text("log.level")),
            ("3s", "127.0.0.1:0", "info")
        );
        assert_eq!(config.list::<hub::options::Network>("hub.trusted_proxies").expect("reads").len(), 2);
    }

    #[test]
    fn unknown_setting_is_rejected_with_the_nearest_name() {
        let failure = load("[hub]\nheartbeet = \"3s\"\n", &[]).expect_err("unknown");
        assert!(failure.problem.detail.contains("hub.heartbeet"), "{}", failure.problem.detail);
        assert!(failure.problem.hint.expect("a hint").contains("hub.heartbeat"));
        assert_eq!(failure.problem.code.exit(), 2);
        assert!(load("heartbeat = 3\n", &[]).is_err());
        assert!(load("[hub\n", &[]).is_err());
    }

    #[test]
    fn error_of_an_invalid_value_names_its_origin() {
        let config = load("[hub]\nheartbeat = \"often\"\n", &[]).expect("loads");
        let failure = config.parse::<domain::Span>("hub.heartbeat").expect_err("not a span");
        assert!(failure.problem.detail.contains("hostler.toml"), "{}", failure.problem.detail);
    }

    #[test]
    fn example_file_is_current() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hostler.toml");
        let expected = settings::example();
        if environment("HOSTLER_BLESS").is_some() {
            std::fs::write(&path, &expected).expect("writes");
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), expected, "run: make gen");
    }
}
