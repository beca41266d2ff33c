//! Encryption of secrets at rest: secrets of organizations, write-only payload values, channel credentials, stored
//! responses.
//!
//! XChaCha20-Poly1305 under one key of 32 bytes, in a file outside of the database: a copy of the database alone is
//! not enough to decrypt it. Each value is bound to its purpose (as associated data), so a copy of its row under
//! another org, name or job does not decrypt. Format:
//!
//! ```text
//! form (1 byte) · name of the key (8 bytes) · nonce (24 bytes) · ciphertext with its tag
//! ```

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305,
    aead::{Aead as _, Payload},
};
use domain::{ChannelId, HookId, JobId, OrgId};
use proto::Code;
use runtime::Random;
use sha2::{Digest as _, Sha256};
use store::{Tx, request_key::RequestKey};

use crate::{Error, Result};

/// Version of the format; there is only one.
const FORM: u8 = 1;
const KEY_BYTES: usize = 32;
const NAME_BYTES: usize = 8;
const NONCE_BYTES: usize = 24;
const HEAD_BYTES: usize = 1 + NAME_BYTES + NONCE_BYTES;

/// Purpose that a sealed value is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose<'a> {
    Secret(OrgId, &'a str),
    Payload(OrgId, JobId),
    /// Values that a worker received for a run.
    RunValues(OrgId, JobId),
    /// Address and credentials of a channel.
    Channel(OrgId, ChannelId),
    /// Signing secret of an incoming hook.
    Hook(OrgId, HookId),
    /// Request stored under an idempotency key.
    Request(&'a RequestKey),
    /// Response stored under an idempotency key.
    Answer(&'a RequestKey),
}

impl Purpose<'_> {
    fn bytes(self) -> Vec<u8> {
        match self {
            Self::Secret(org, name) => [b"secret ", org.to_bytes().as_slice(), name.as_bytes()].concat(),
            Self::Payload(org, job) => [b"payload ", org.to_bytes().as_slice(), job.to_bytes().as_slice()].concat(),
            Self::RunValues(org, job) => {
                [b"run values ", org.to_bytes().as_slice(), job.to_bytes().as_slice()].concat()
            }
            Self::Channel(org, id) => [b"channel ", org.to_bytes().as_slice(), id.to_bytes().as_slice()].concat(),
            Self::Hook(org, id) => [b"hook ", org.to_bytes().as_slice(), id.to_bytes().as_slice()].concat(),
            Self::Request(at) => under_key(b"request ", at),
            Self::Answer(at) => under_key(b"answer ", at),
        }
    }
}

/// A caller's name contains no space, so two different keys never have equal bytes.
fn under_key(what: &[u8], at: &RequestKey) -> Vec<u8> {
    [what, at.org_id.to_bytes().as_slice(), at.caller.as_bytes(), b" ", at.key.as_bytes()].concat()
}

/// The key file, and its key once it was read.
pub(crate) struct Vault {
    file: Option<PathBuf>,
    key: OnceLock<VaultKey>,
}

/// The key that encrypts the values in the store.
pub(crate) struct VaultKey {
    cipher: XChaCha20Poly1305,
    name: [u8; NAME_BYTES],
}

impl Vault {
    pub(crate) const fn new(file: Option<PathBuf>) -> Self {
        Self { file, key: OnceLock::new() }
    }

    /// The key, if it was already read.
    pub(crate) fn known(&self) -> Option<&VaultKey> {
        self.key.get()
    }

    /// The key. Reads its file on first use; creates it if the store has no sealed value. A missing file must not be
    /// replaced by a new key, with which the stored values could never be decrypted.
    ///
    /// # Errors
    /// The file cannot be read, or the stored values were sealed with another key.
    pub(crate) async fn key(&self, tx: &mut Tx<'_>) -> Result<&VaultKey> {
        if let Some(key) = self.key.get() {
            return Ok(key);
        }
        let file = self.file.as_deref().ok_or_else(|| {
            Error::new(Code::SecretKeyWrong, "this hub has no secret key file").hint("set HOSTLER_SECRET_KEY_FILE")
        })?;
        let known = tx.secret_any().await?.and_then(|secret| name_of(&secret.sealed));
        let key = match (read(file)?, known) {
            (Some(key), _) => key,
            (None, None) => make(file)?,
            (None, Some(known)) => return Err(gone(file, known)),
        };
        if let Some(known) = known.filter(|known| *known != key.name) {
            return Err(wrong(file, known, key.name));
        }
        Ok(self.key.get_or_init(|| key))
    }
}

impl VaultKey {
    /// Encrypts a value for its purpose.
    pub(crate) fn seal(&self, place: Purpose<'_>, plain: &[u8]) -> Result<Vec<u8>> {
        let nonce: [u8; NONCE_BYTES] = Random.bytes();
        let payload = Payload { msg: plain, aad: &place.bytes() };
        let sealed = self.cipher.encrypt(&nonce.into(), payload);
        let sealed = sealed.map_err(|_| Error::internal(anyhow::anyhow!("a value could not be encrypted")))?;
        Ok([&[FORM], self.name.as_slice(), nonce.as_slice(), sealed.as_slice()].concat())
    }

    /// Decrypts a value sealed for this purpose.
    ///
    /// # Errors
    /// It was sealed with another key or for another purpose, or it was altered.
    pub(crate) fn open(&self, place: Purpose<'_>, sealed: &[u8]) -> Result<Vec<u8>> {
        let altered = || {
            Error::new(Code::SecretKeyWrong, "an encrypted value was altered or copied from another row")
                .hint("set the value again, or restore the database from a backup")
        };
        let name = name_of(sealed).ok_or_else(altered)?;
        if name != self.name {
            let detail = format!("a value was encrypted with the key {}; this hub has {}", hex(name), hex(self.name));
            return Err(Error::new(Code::SecretKeyWrong, detail).hint("set the value again, or restore the key file"));
        }
        let (head, body) = sealed.split_at_checked(HEAD_BYTES).ok_or_else(altered)?;
        let nonce: [u8; NONCE_BYTES] = head[1 + NAME_BYTES..].try_into().map_err(|_| altered())?;
        let payload = Payload { msg: body, aad: &place.bytes() };
        self.cipher.decrypt(&nonce.into(), payload).map_err(|_| altered())
    }

    fn of(bytes: [u8; KEY_BYTES]) -> Self {
        let digest: [u8; 32] = Sha256::new().chain_update(b"hostler key name ").chain_update(bytes).finalize().into();
        let mut name = [0; NAME_BYTES];
        name.copy_from_slice(&digest[..NAME_BYTES]);
        Self { cipher: XChaCha20Poly1305::new(&bytes.into()), name }
    }
}

/// Fingerprint of the key that a value was sealed with.
fn name_of(sealed: &[u8]) -> Option<[u8; NAME_BYTES]> {
    let (form, rest) = sealed.split_first()?;
    (*form == FORM).then(|| rest.first_chunk().copied()).flatten()
}

fn read(file: &Path) -> Result<Option<VaultKey>> {
    let unusable = |detail: String| {
        Error::new(Code::SecretKeyWrong, detail)
            .hint("restore the key file from a backup, or set HOSTLER_SECRET_KEY_FILE to another file")
    };
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(format!("cannot read the key file {}: {error}", file.display()))),
    };
    let bytes: [u8; KEY_BYTES] = bytes.try_into().map_err(|bytes: Vec<u8>| {
        unusable(format!("the key file {} has {} bytes instead of {KEY_BYTES}", file.display(), bytes.len()))
    })?;
    Ok(Some(VaultKey::of(bytes)))
}

/// Creates the key file with mode 0600, then reads it. The hard link makes it appear complete, and fails if another
/// request or hub has created it first; then that key is used.
fn make(file: &Path) -> Result<VaultKey> {
    let unusable = |error: io::Error| {
        Error::new(Code::SecretKeyWrong, format!("cannot create the key file {}: {error}", file.display()))
            .hint("check the permissions of its folder, or set HOSTLER_SECRET_KEY_FILE to another file")
    };
    // A random name: two requests may create the first key at the same time.
    let aside = file.with_extension(format!("new-{}", hex(Random.bytes())));
    let write = || {
        let mut made = fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&aside)?;
        made.write_all(&Random.bytes::<KEY_BYTES>())?;
        made.sync_all()?;
        let linked = fs::hard_link(&aside, file);
        fs::remove_file(&aside)?;
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => file.parent().map_or(Ok(()), |folder| fs::File::open(folder)?.sync_all()),
        }
    };
    write().map_err(unusable)?;
    tracing::info!(file = %file.display(), "created the key that encrypts secrets; back it up separately from the database");
    read(file)?.ok_or_else(|| unusable(io::ErrorKind::NotFound.into()))
}

fn gone(file: &Path, known: [u8; NAME_BYTES]) -> Error {
    let detail = format!("the key file {} is missing, and secrets were encrypted with it", file.display());
    Error::new(Code::SecretKeyWrong, detail).hint(way_out(known))
}

fn wrong(file: &Path, known: [u8; NAME_BYTES], own: [u8; NAME_BYTES]) -> Error {
    let detail = format!(
        "the secrets were encrypted with the key {}; {} holds the key {}",
        hex(known),
        file.display(),
        hex(own)
    );
    Error::new(Code::SecretKeyWrong, detail).hint(way_out(known))
}

fn way_out(known: [u8; NAME_BYTES]) -> String {
    let known = hex(known);
    format!(
        "give every hub the same file (HOSTLER_SECRET_KEY_FILE); if the key {known} is lost, remove all secrets and set them again"
    )
}

fn hex(name: [u8; NAME_BYTES]) -> String {
    name.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn ids() -> (OrgId, OrgId, JobId) {
        (OrgId::from_bytes([1; 16]), OrgId::from_bytes([2; 16]), JobId::from_bytes([3; 16]))
    }

    #[test]
    fn sealed_value_opens_only_for_its_purpose() {
        let (acme, beta, job) = ids();
        let key = VaultKey::of([7; KEY_BYTES]);
        let place = Purpose::Secret(acme, "TOKEN");
        let sealed = key.seal(place, b"hunter2").expect("seals");
        assert_eq!(key.open(place, &sealed).expect("opens"), b"hunter2");
        assert_ne!(sealed, key.seal(place, b"hunter2").expect("seals"), "never the same twice");
        for other in [Purpose::Secret(acme, "TOKE"), Purpose::Secret(beta, "TOKEN"), Purpose::Payload(acme, job)] {
            assert!(key.open(other, &sealed).is_err(), "{other:?}");
        }
        for at in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[at] ^= 1;
            assert!(key.open(place, &altered).is_err(), "byte {at}");
            assert!(key.open(place, &sealed[..at]).is_err(), "cut at {at}");
        }
        let error = VaultKey::of([8; KEY_BYTES]).open(place, &sealed).expect_err("another key");
        assert!(error.to_string().contains(&hex(key.name)), "{error}");
    }

    #[test]
    fn key_file_is_created_once_with_mode_0600() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("secret.key");
        let made: Vec<[u8; NAME_BYTES]> = std::thread::scope(|scope| {
            let makers: Vec<_> = (0..8).map(|_| scope.spawn(|| make(&file).expect("makes or finds").name)).collect();
            makers.into_iter().map(|maker| maker.join().expect("ends")).collect()
        });
        assert!(made.iter().all(|name| *name == made[0]), "{made:?}");
        let meta = fs::metadata(&file).expect("the key file exists");
        assert_eq!((meta.len(), meta.permissions().mode() & 0o777), (32, 0o600));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing else is left");
        fs::write(&file, b"short").expect("writes");
        let error = read(&file).err().expect("refused");
        assert!(error.to_string().contains("5 bytes instead of 32"), "{error}");
    }
}
