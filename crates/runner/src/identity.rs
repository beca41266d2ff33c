//! Who this machine is to its hub: its key, the hub's key, the host it joined as. A file only its owner reads.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use domain::{HostId, definition::Trust};
use ed25519_dalek::{Signer as _, SigningKey};
use proto::{
    Code,
    link::{Bytes32, Bytes64},
};
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// A private key of a host. Its `Debug` shows nothing.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PrivateKey(Bytes32);

impl PrivateKey {
    /// The key made of these random bytes.
    #[must_use]
    pub fn new(random: [u8; 32]) -> Self {
        Self(Bytes32(random))
    }

    /// Its public half.
    #[must_use]
    pub fn public(&self) -> Bytes32 {
        Bytes32(SigningKey::from_bytes(&self.0.0).verifying_key().to_bytes())
    }

    /// Signs with it.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Bytes64 {
        Bytes64(SigningKey::from_bytes(&self.0.0).sign(message).to_bytes())
    }
}

impl std::fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PrivateKey(•••)")
    }
}

/// A key with its version.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct VersionedKey {
    /// Its version.
    pub version: i32,
    /// The key.
    pub key: PrivateKey,
}

/// Who this machine is to its hub.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The hub's address; absent if it is in the same process.
    pub hub_url: Option<String>,
    /// The hub's key, pinned at join.
    pub hub_key: Bytes32,
    /// The host this machine is.
    pub host_id: HostId,
    /// The org's slug, for messages.
    pub org: String,
    /// The host's name at join, for messages.
    pub name: String,
    /// The key in force.
    pub key: VersionedKey,
    /// Whose definitions this machine runs, as was said at join.
    #[serde(default)]
    pub trust: Trust,
    /// A key that was offered to the hub and not yet confirmed: after a crash either may be in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_key: Option<VersionedKey>,
}

/// The file that holds an [`Identity`].
#[derive(Debug, Clone)]
pub struct IdentityFile(PathBuf);

impl IdentityFile {
    /// The file in this data folder, for the first hub this machine joined.
    #[must_use]
    pub fn in_folder(home: &Path) -> Self {
        Self(home.join("runner.json"))
    }

    /// The file for another hub, beside the first.
    #[must_use]
    pub fn of_hub(home: &Path, hub_key: &Bytes32) -> Self {
        Self(home.join("hubs").join(format!("{}.json", &hub_key.to_string()[..16])))
    }

    /// The file for this machine's own desk.
    #[must_use]
    pub fn of_desk(home: &Path) -> Self {
        Self(home.join("desk.json"))
    }

    /// All hubs this machine has joined, the first one first.
    ///
    /// # Errors
    /// One is there and cannot be read.
    pub fn all(home: &Path) -> Result<Vec<(Self, Identity)>> {
        let mut others: Vec<PathBuf> = fs::read_dir(home.join("hubs"))
            .map(|found| found.filter_map(std::result::Result::ok).map(|entry| entry.path()).collect())
            .unwrap_or_default();
        others.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        others.sort();
        let files = std::iter::once(Self::in_folder(home)).chain(others.into_iter().map(Self));
        let mut joined = Vec::new();
        for file in files {
            if let Some(identity) = file.read()? {
                joined.push((file, identity));
            }
        }
        Ok(joined)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Reads it; `None` if this machine has not joined.
    ///
    /// # Errors
    /// It is there and cannot be read.
    pub fn read(&self) -> Result<Option<Identity>> {
        let unusable = |why: String| {
            Error::new(Code::FolderUnusable, format!("cannot read {}: {why}", self.0.display()))
                .hint("check that it belongs to you; `hostler leave` starts over")
        };
        match fs::read(&self.0) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| unusable(error.to_string())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unusable(error.to_string())),
        }
    }

    /// Writes it whole or not at all: beside it, flushed, then in its place.
    ///
    /// # Errors
    /// The folder cannot be written to, or the disk is full.
    pub fn write(&self, identity: &Identity) -> Result<()> {
        let text =
            serde_json::to_vec_pretty(identity).map_err(|error| Error::new(Code::Internal, error.to_string()))?;
        write_whole(&self.0, &text)
    }

    /// Removes it.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn remove(&self) -> Result<()> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::new(Code::FolderUnusable, format!("cannot remove {}: {error}", self.0.display())))
            }
            _ => Ok(()),
        }
    }
}

/// Writes a file that only its owner reads, whole or not at all: beside it, flushed, then in its place.
pub(crate) fn write_whole(path: &Path, text: &[u8]) -> Result<()> {
    let failed = |error: std::io::Error| {
        let code = if error.kind() == std::io::ErrorKind::StorageFull { Code::DiskFull } else { Code::FolderUnusable };
        Error::new(code, format!("cannot write {}: {error}", path.display()))
            .hint("check the folder's owner and its free space")
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let beside = path.with_extension("json.new");
    // A leftover would keep its own mode.
    let _ = fs::remove_file(&beside);
    let mut file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(&beside).map_err(failed)?;
    file.write_all(text).and_then(|()| file.sync_all()).map_err(failed)?;
    fs::rename(&beside, path).map_err(failed)?;
    // The rename itself must survive a power cut, or what was written is gone with it.
    if let Some(folder) = path.parent() {
        fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_kept_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let file = IdentityFile::in_folder(folder.path());
        assert!(file.read().expect("reads").is_none());
        let identity = Identity {
            hub_url: Some("http://127.0.0.1:7411".into()),
            hub_key: Bytes32([1; 32]),
            host_id: HostId::from_bytes([2; 16]),
            org: "acme".into(),
            name: "web-1".into(),
            key: VersionedKey { version: 1, key: PrivateKey::new([3; 32]) },
            trust: Trust::Hub,
            next_key: None,
        };
        file.write(&identity).expect("writes");
        let again = file.read().expect("reads").expect("is there");
        assert_eq!(again.key.key.public(), identity.key.key.public());
        assert_eq!(fs::metadata(file.path()).expect("is there").permissions().mode() & 0o777, 0o600);
        assert!(!format!("{again:?}").contains(&"03".repeat(8)));
        let second = Identity { hub_key: Bytes32([9; 32]), name: "web-2".into(), ..identity };
        IdentityFile::of_hub(folder.path(), &second.hub_key).write(&second).expect("writes");
        let names = || -> Vec<String> {
            let all = IdentityFile::all(folder.path()).expect("reads");
            all.into_iter().map(|(_, identity)| identity.name).collect()
        };
        assert_eq!(names(), ["web-1", "web-2"]);
        file.remove().expect("removes");
        file.remove().expect("twice is fine");
        assert_eq!(names(), ["web-2"]);
    }
}
