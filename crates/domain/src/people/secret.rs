//! Secret credentials such as tokens: text form, checksum, and the stored hash.
//!
//! A secret is `prefix_` + 256 random bits + a checksum. The checksum lets a client detect a typing error without a
//! request, and lets scanners find leaked secrets. The hub stores only the hash.

use std::fmt;

use data_encoding::BASE32_NOPAD;
use sha2::{Digest, Sha256};

crate::string_enum! {
    /// The kinds of secrets and their prefixes.
    pub enum SecretKind {
        Token = "hst",
        Join = "hsj",
        Session = "hss",
        /// A runner's session with its hub, for plain HTTP requests.
        Runner = "hsr",
        /// A run, for requests to the runner on its own machine.
        Run = "hsn",
        Link = "hsl",
        /// Invitation of a user.
        Invitation = "hsi",
        /// Device-code login: the part that only the device knows.
        Device = "hsd",
        /// The secret part of a ping URL.
        Ping = "hsp",
    }
}

/// Bytes of randomness in a secret.
pub const SECRET_BYTES: usize = 32;
const CHECK_BYTES: usize = 3;

/// A secret in clear text. Its `Debug` shows only the kind.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    kind: SecretKind,
    text: String,
}

/// The stored hash of a secret.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SecretHash(pub [u8; 32]);

/// Why a text is not a valid secret of the expected kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotASecret {
    #[error("it does not start with `{0}_`")]
    Prefix(SecretKind),
    #[error("it is mistyped or cut off")]
    Checksum,
}

impl Secret {
    /// Creates a secret from random bytes and `extra` bytes. Anyone who has the secret can read `extra`.
    #[must_use]
    pub fn new(kind: SecretKind, random: [u8; SECRET_BYTES], extra: &[u8]) -> Self {
        let mut bytes = random.to_vec();
        bytes.extend_from_slice(extra);
        bytes.extend_from_slice(&checksum(kind, &bytes));
        Self { kind, text: format!("{kind}_{}", BASE32_NOPAD.encode(&bytes).to_ascii_lowercase()) }
    }

    /// Parses a secret of this kind.
    ///
    /// # Errors
    /// The text has another prefix or a wrong checksum.
    pub fn parse(kind: SecretKind, text: &str) -> Result<Self, NotASecret> {
        Self { kind, text: text.trim().to_owned() }.decoded().map(|_| Self { kind, text: text.trim().to_owned() })
    }

    /// The secret in clear text; show it only once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The part that is safe to display: the prefix and four characters.
    #[must_use]
    pub fn hint(&self) -> String {
        self.text.chars().take(8).collect()
    }

    /// The `extra` bytes given to [`Secret::new`].
    #[must_use]
    pub fn extra(&self) -> Vec<u8> {
        self.decoded().map(|bytes| bytes[SECRET_BYTES..bytes.len() - CHECK_BYTES].to_vec()).unwrap_or_default()
    }

    /// The hash to store. A plain hash without salt is enough: 256 random bits cannot be guessed.
    #[must_use]
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(self.text.as_bytes()).into())
    }

    fn decoded(&self) -> Result<Vec<u8>, NotASecret> {
        let body = self
            .text
            .strip_prefix(self.kind.as_str())
            .and_then(|rest| rest.strip_prefix('_'))
            .ok_or(NotASecret::Prefix(self.kind))?;
        let bytes = BASE32_NOPAD.decode(body.to_ascii_uppercase().as_bytes()).map_err(|_| NotASecret::Checksum)?;
        if bytes.len() < SECRET_BYTES + CHECK_BYTES {
            return Err(NotASecret::Checksum);
        }
        let (content, check) = bytes.split_at(bytes.len() - CHECK_BYTES);
        if check == checksum(self.kind, content) { Ok(bytes) } else { Err(NotASecret::Checksum) }
    }
}

fn checksum(kind: SecretKind, bytes: &[u8]) -> [u8; CHECK_BYTES] {
    let mut hasher = Sha256::new();
    hasher.update(kind.as_str().as_bytes());
    hasher.update(bytes);
    let digest: [u8; 32] = hasher.finalize().into();
    [digest[0], digest[1], digest[2]]
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_•••", self.kind)
    }
}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(•••)")
    }
}

/// A code for people to type: eight letters that are not easily confused, as in `WXQZ-BTKM`.
#[must_use]
pub fn user_code(random: [u8; 8]) -> String {
    // No vowels, so that no words appear.
    const LETTERS: &[u8] = b"BCDFGHJKLMNPQRSTVWXZ";
    let letters: String = random.iter().map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()])).collect();
    format!("{}-{}", &letters[..4], &letters[4..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_round_trip_and_detect_typing_errors() {
        let secret = Secret::new(SecretKind::Join, [7; SECRET_BYTES], &[1, 2, 3]);
        let again = Secret::parse(SecretKind::Join, secret.reveal()).expect("valid");
        assert_eq!(again.extra(), [1, 2, 3]);
        assert_eq!(again.hash(), secret.hash());

        assert_eq!(Secret::parse(SecretKind::Token, secret.reveal()), Err(NotASecret::Prefix(SecretKind::Token)));
        let cut = &secret.reveal()[..secret.reveal().len() - 1];
        assert_eq!(Secret::parse(SecretKind::Join, cut), Err(NotASecret::Checksum));
        let typo = secret.reveal().replacen("a4", "a5", 1);
        assert_eq!(Secret::parse(SecretKind::Join, &typo), Err(NotASecret::Checksum));
    }

    #[test]
    fn debug_output_hides_the_secret() {
        let secret = Secret::new(SecretKind::Token, [9; SECRET_BYTES], &[]);
        assert_eq!(format!("{secret:?}"), "hst_•••");
        assert!(secret.reveal().len() > 50);
    }
}
