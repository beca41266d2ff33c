//! The identity of this machine at a hub: host id, private key and the hub's pinned key, in a file that only its owner
//! can read.
//!
//! A copy of this file on a second machine is a clone of the host. The hub detects clones at the handshake: a process
//! with another incarnation is rejected while the last session of the host is neither closed nor silent, so that two
//! machines with one key can never take turns.

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

/// A private key of a host. `Debug` does not print it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PrivateKey(Bytes32);

impl PrivateKey {
    /// A key from these random bytes.
    #[must_use]
    pub fn new(random: [u8; 32]) -> Self {
        Self(Bytes32(random))
    }

    /// The public key.
    #[must_use]
    pub fn public(&self) -> Bytes32 {
        Bytes32(SigningKey::from_bytes(&self.0.0).verifying_key().to_bytes())
    }

    /// Signs a message.
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

/// A private key with its version number.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct VersionedKey {
    pub version: i32,
    pub key: PrivateKey,
}

/// The identity of this machine at one hub.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Address of the hub; absent if it runs in the same process.
    pub hub_url: Option<String>,
    /// Public key of the hub, pinned at join.
    pub hub_key: Bytes32,
    pub host_id: HostId,
    /// Slug of the org, for messages.
    pub org: String,
    /// Name of the host at join, for messages.
    pub name: String,
    /// Current key.
    pub key: VersionedKey,
    /// Whether this machine runs the hub's definitions or only its own, as chosen at join.
    #[serde(default)]
    pub trust: Trust,
    /// New key that was offered to the hub and is not confirmed yet. After a crash the hub may accept either key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_key: Option<VersionedKey>,
}

/// The file with an [`Identity`].
#[derive(Debug, Clone)]
pub struct IdentityFile(PathBuf);

impl IdentityFile {
    /// The file for the first hub that this machine joined.
    #[must_use]
    pub fn in_folder(home: &Path) -> Self {
        Self(home.join("runner.json"))
    }

    /// The file for a further hub.
    #[must_use]
    pub fn of_hub(home: &Path, hub_key: &Bytes32) -> Self {
        Self(home.join("hubs").join(format!("{}.json", &hub_key.to_string()[..16])))
    }

    /// The file that keeps the identity at a hub that this machine has left: a hub accepts the id of the machine again
    /// only with the same key.
    #[must_use]
    pub fn left(home: &Path, hub_key: &Bytes32) -> Self {
        Self(home.join("left").join(format!("{}.json", &hub_key.to_string()[..16])))
    }

    /// The file for standalone mode.
    #[must_use]
    pub fn standalone(home: &Path) -> Self {
        Self(home.join("standalone.json"))
    }

    /// The identities at all hubs that this machine has joined, the first hub first.
    ///
    /// # Errors
    /// A file exists and cannot be read.
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

    /// Path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Reads the file; `None` if it does not exist.
    ///
    /// # Errors
    /// The file exists and cannot be read.
    pub fn read(&self) -> Result<Option<Identity>> {
        let unusable = |why: String| {
            Error::new(Code::FolderUnusable, format!("cannot read {}: {why}", self.0.display()))
                .hint("check that your user owns the file; `hostler leave` removes it and starts over")
        };
        match fs::read(&self.0) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| unusable(error.to_string())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unusable(error.to_string())),
        }
    }

    /// Replaces the file atomically.
    ///
    /// # Errors
    /// The folder is not writable, or the disk is full.
    pub fn write(&self, identity: &Identity) -> Result<()> {
        let text =
            serde_json::to_vec_pretty(identity).map_err(|error| Error::new(Code::Internal, error.to_string()))?;
        write_whole(&self.0, &text)
    }

    /// Removes the file, if it exists.
    ///
    /// # Errors
    /// The folder is not writable.
    pub fn remove(&self) -> Result<()> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::new(Code::FolderUnusable, format!("cannot remove {}: {error}", self.0.display())))
            }
            _ => Ok(()),
        }
    }
}

/// Writes a file with mode 600 atomically: writes a new file, syncs it, renames it. A crash leaves the old or the new
/// file, never half of one.
pub(crate) fn write_whole(path: &Path, text: &[u8]) -> Result<()> {
    let failed = |error: std::io::Error| {
        let code = if error.kind() == std::io::ErrorKind::StorageFull { Code::DiskFull } else { Code::FolderUnusable };
        Error::new(code, format!("cannot write {}: {error}", path.display()))
            .hint("check the owner of the folder and its free space")
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let beside = path.with_extension("json.new");
    // A leftover of an earlier crash could have another mode.
    let _ = fs::remove_file(&beside);
    let mut file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(&beside).map_err(failed)?;
    file.write_all(text).and_then(|()| file.sync_all()).map_err(failed)?;
    fs::rename(&beside, path).map_err(failed)?;
    // Without this sync a power cut can undo the rename.
    if let Some(folder) = path.parent() {
        fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_file_has_mode_600_and_hides_its_key() {
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
        let again = file.read().expect("reads").expect("exists");
        assert_eq!(again.key.key.public(), identity.key.key.public());
        assert_eq!(fs::metadata(file.path()).expect("exists").permissions().mode() & 0o777, 0o600);
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
