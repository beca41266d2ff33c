//! The host's own `catalogue.d`, for a host that does not trust its hub: the definitions that it runs, and the servers of
//! its own that the hub may operate.
//!
//! A compromised hub can then only name a definition and send a payload: command, schema, environment and timeout come
//! from here. The folder is checked before each start and read again when a file has changed.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use domain::{ServerId, definition::Definition, schema::Violation};
use proto::work::{Grant, Kept};
use serde::Deserialize;
use serde_json::Value;

/// Largest file, in bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Most files.
const FILES_MAX: usize = 1_000;

/// The definitions in a folder.
#[derive(Debug)]
pub struct Catalogue {
    folder: PathBuf,
    known: Mutex<CatalogueFiles>,
}

#[derive(Debug, Default)]
struct CatalogueFiles {
    /// State of the folder when it was last read; `None` before the first time.
    seen: Option<Result<BTreeMap<PathBuf, Stamp>, String>>,
    content: Content,
}

/// The content of all files.
#[derive(Debug, Default)]
struct Content {
    definitions: BTreeMap<String, Arc<Definition>>,
    servers: Vec<ServerRule>,
    faults: Vec<String>,
}

/// The rule for one of the host's own servers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ServerRule {
    /// The server's name or id.
    server: String,
    /// Whether the hub may start, stop, restart and kill it, and write to its standard input.
    #[serde(default)]
    operate: bool,
}

/// The attributes by which a changed file is detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    changed: SystemTime,
}

impl Catalogue {
    /// The definitions in this folder, which need not exist yet.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, known: Mutex::default() }
    }

    /// The definition with this key, if this host runs it for the org.
    ///
    /// # Errors
    /// The reason for people: there is no such active definition.
    pub fn find(&self, key: &str, org_slug: &str) -> Result<Arc<Definition>, String> {
        let known = self.look();
        let found = known.content.definitions.get(key).filter(|one| one.is_active && one.is_for(org_slug));
        found.cloned().ok_or_else(|| {
            let faults = match known.content.faults.len() {
                0 => String::new(),
                1 => "; 1 error in its files, see the log of the runner".to_owned(),
                count => format!("; {count} errors in its files, see the log of the runner"),
            };
            format!("this host runs only definitions from its catalogue.d, and `{key}` is not in it{faults}")
        })
    }

    /// Whether the host lets its hub operate this server of its own.
    #[must_use]
    pub fn may_operate(&self, server: ServerId, name: &str) -> bool {
        let id = server.to_string();
        self.look().content.servers.iter().any(|rule| rule.operate && (rule.server == name || rule.server == id))
    }

    /// The keys of the definitions, and the errors in the files.
    #[must_use]
    pub fn list(&self) -> (Vec<String>, Vec<String>) {
        let known = self.look();
        (known.content.definitions.keys().cloned().collect(), known.content.faults.clone())
    }

    /// Reads the folder again if it has changed, and logs its errors once.
    fn look(&self) -> std::sync::MutexGuard<'_, CatalogueFiles> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = stamps(&self.folder).map_err(|error| format!("cannot read {}: {error}", self.folder.display()));
        if known.seen.as_ref() == Some(&seen) {
            return known;
        }
        let content = match &seen {
            Ok(files) => read(files.keys()),
            Err(fault) => Content { faults: vec![fault.clone()], ..Content::default() },
        };
        for fault in &content.faults {
            tracing::warn!("catalogue: {fault}");
        }
        let keys: Vec<&str> = content.definitions.keys().map(String::as_str).collect();
        tracing::info!(folder = %self.folder.display(), "this host runs only these definitions: {}", keys.join(", "));
        *known = CatalogueFiles { seen: Some(seen), content };
        known
    }
}

fn stamps(folder: &Path) -> io::Result<BTreeMap<PathBuf, Stamp>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "toml") && files.len() < FILES_MAX {
            // Follow symbolic links: a change of the target must be detected.
            let meta = fs::metadata(&path)?;
            files.insert(path, Stamp { bytes: meta.len(), changed: meta.modified()? });
        }
    }
    Ok(files)
}

/// Reads these files. An error in one file does not affect the others.
fn read<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Content {
    let mut content = Content::default();
    for path in files {
        match read_file(path) {
            Err(fault) => content.faults.push(format!("{}: {fault}", path.display())),
            Ok((definitions, servers)) => {
                content.servers.extend(servers);
                for fields in definitions {
                    if let Err(fault) = content.add(fields) {
                        content.faults.push(format!("{}: {fault}", path.display()));
                    }
                }
            }
        }
    }
    content
}

impl Content {
    fn add(&mut self, fields: Value) -> Result<(), String> {
        let definition = Definition::from_fields(fields).map_err(|found| list_violations(&found))?;
        if self.definitions.contains_key(&definition.key) {
            return Err(format!("`{}` is already defined in an earlier file", definition.key));
        }
        self.definitions.insert(definition.key.clone(), Arc::new(definition));
        Ok(())
    }
}

/// The definitions and the server rules in a file.
fn read_file(path: &Path) -> Result<(Vec<Value>, Vec<ServerRule>), String> {
    if fs::metadata(path).map_err(|error| error.to_string())?.len() > FILE_BYTES_MAX {
        return Err(format!("the file is larger than {FILE_BYTES_MAX} bytes"));
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut value: Value = toml::from_str(&text).map_err(|error| error.to_string().trim_end().to_owned())?;
    let rules = value.as_object_mut().and_then(|fields| fields.remove("server"));
    let servers = match rules {
        None => Vec::new(),
        Some(Value::Array(rules)) => rules,
        Some(one) => vec![one],
    };
    let servers: Result<Vec<ServerRule>, _> = servers.into_iter().map(serde_json::from_value).collect();
    let servers = servers.map_err(|error| format!("invalid [[server]]: {error}"))?;
    if !servers.is_empty() && value.as_object().is_some_and(serde_json::Map::is_empty) {
        return Ok((Vec::new(), servers));
    }
    let definitions = domain::definition::listed(value, "definition").map_err(|fault| fault.to_string())?;
    Ok((definitions, servers))
}

fn list_violations(faults: &[Violation]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// A grant restricted to what the host's own definition allows: a shorter timeout, and only the secrets that it names.
/// Secrets become environment variables, so a foreign one could change what the program does.
pub(crate) fn narrowed(grant: &Grant, definition: &Definition) -> Grant {
    let secrets = grant.secrets.0.iter().filter(|(name, _)| definition.secrets.contains(name));
    let secrets = Kept(secrets.map(|(name, value)| (name.clone(), value.clone())).collect());
    let timeout_ms = grant.timeout_ms.min(i64::from(definition.timeout_seconds) * 1_000);
    Grant { secrets, timeout_ms, ..grant.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(key: &str) -> String {
        format!("key = \"{key}\"\nargv = [\"true\"]\narg_schema = {{ type = \"object\" }}\n")
    }

    fn keys(catalogue: &Catalogue) -> Vec<String> {
        catalogue.list().0
    }

    #[test]
    fn changed_files_are_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| folder.path().join("catalogue.d").join(name);
        let catalogue = Catalogue::new(folder.path().join("catalogue.d"));
        assert!(catalogue.list().1[0].contains("cannot read"), "{:?}", catalogue.list());
        fs::create_dir(file("")).expect("a folder");
        assert_eq!(catalogue.list(), (Vec::new(), Vec::new()), "an empty folder has no definitions and no errors");
        fs::write(file("a.toml"), definition("deploy")).expect("writes");
        fs::write(file("note.txt"), "not a definition").expect("writes");
        assert_eq!(keys(&catalogue), ["deploy"]);
        fs::write(
            file("b.toml"),
            format!("[[definition]]\n{}\n[[definition]]\n{}", definition("one"), definition("two")),
        )
        .expect("writes");
        assert_eq!(keys(&catalogue), ["deploy", "one", "two"]);
        fs::remove_file(file("a.toml")).expect("removes");
        assert_eq!(keys(&catalogue), ["one", "two"]);
        fs::remove_dir_all(file("")).expect("removes");
        assert!(keys(&catalogue).is_empty(), "without the folder there are no definitions");
    }

    #[test]
    fn bad_file_is_reported_and_other_files_still_count() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in [
            ("1-good.toml", definition("good")),
            ("2-syntax.toml", "key = ".to_owned()),
            ("3-fields.toml", definition("no good")),
            ("4-unknown.toml", format!("{}shell = true\n", definition("unknown"))),
            ("5-twice.toml", definition("good").replace("true", "false")),
            ("6-off.toml", format!("{}is_active = false\n", definition("off"))),
            ("7-orgs.toml", format!("{}orgs = [\"beta\"]\n", definition("theirs"))),
        ] {
            fs::write(folder.path().join(name), text).expect("writes");
        }
        let catalogue = Catalogue::new(folder.path().to_owned());
        let (keys, faults) = catalogue.list();
        assert_eq!(keys, ["good", "off", "theirs"]);
        for (part, fault) in ["2-syntax", "3-fields.toml: /key", "4-unknown", "5-twice"].iter().zip(&faults) {
            assert!(fault.contains(part), "{fault}");
        }
        assert_eq!(faults.len(), 4, "{faults:#?}");
        assert_eq!(catalogue.find("good", "acme").expect("allowed").argv.to_json(), serde_json::json!(["true"]));
        for key in ["off", "theirs", "none", "no good"] {
            let why = catalogue.find(key, "acme").expect_err("refused");
            assert!(why.starts_with("this host runs only definitions from its catalogue.d"), "{why}");
        }
        assert!(catalogue.find("theirs", "beta").is_ok());
        assert!(catalogue.find("unknown", "acme").expect_err("refused").contains("4 errors in its files"));
    }
    #[test]
    fn servers_are_operable_only_if_a_file_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let id = ServerId::from_bytes([7; 16]);
        for (name, text) in [
            (
                "1-only-servers.toml",
                format!(
                    "[[server]]\nserver = \"web\"\noperate = true\n\n[[server]]\nserver = \"{id}\"\noperate = true\n"
                ),
            ),
            (
                "2-both.toml",
                format!("[[definition]]\n{}\n[[server]]\nserver = \"db\"\noperate = true\n", definition("one")),
            ),
            (
                "3-off.toml",
                "[[server]]\nserver = \"shell\"\noperate = false\n[[server]]\nserver = \"silent\"\n".to_owned(),
            ),
            ("4-unknown.toml", "[[server]]\nserver = \"typo\"\noperates = true\n".to_owned()),
        ] {
            fs::write(folder.path().join(name), text).expect("writes");
        }
        let catalogue = Catalogue::new(folder.path().to_owned());
        let (keys, faults) = catalogue.list();
        assert_eq!(keys, ["one"]);
        assert!(matches!(faults.as_slice(), [fault] if fault.contains("4-unknown")), "{faults:?}");
        let other = ServerId::from_bytes([8; 16]);
        for (server, name, expected) in [
            (other, "web", true),
            (id, "any name", true),
            (other, "db", true),
            (other, "shell", false),
            (other, "silent", false),
            (other, "typo", false),
            (other, "absent", false),
        ] {
            assert_eq!(catalogue.may_operate(server, name), expected, "{name}");
        }
    }
}
