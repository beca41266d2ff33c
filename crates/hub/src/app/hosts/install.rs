//! The install script, which joins a machine that has only a shell as a host, and the download of the hub's binary.
//!
//! The command line pins the hub's key, and the script carries the checksum of the program. So an administrator has to
//! trust only that line; it needs neither a CA certificate nor the internet. Both downloads need a valid join token.

use std::path::{Path, PathBuf};

use domain::{
    join::{TokenState, may_join},
    secret::{Secret, SecretKind},
    throttle::Guess,
};
use proto::Code;
use sha2::{Digest as _, Sha256};
use store::join_token::JoinToken;
use tokio::{io::AsyncReadExt as _, sync::OnceCell};

use crate::app::{RequestContext, hosts::join::refusal};
use crate::{Error, Hub, Result};

const SCRIPT: &str = include_str!("install.sh");
/// DER prefix of an Ed25519 public key in a certificate (SubjectPublicKeyInfo).
const KEY_PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
/// Bytes of the program read at a time.
const PIECE: usize = 256 * 1024;

/// The program that this hub offers for download: its own executable.
#[derive(Default)]
pub(crate) struct Program {
    sum: OnceCell<Sum>,
}

/// Checksum and size of the program.
#[derive(Debug, Clone)]
struct Sum {
    sha256: String,
    bytes: u64,
}

impl Program {
    async fn sum(&self, path: &Path) -> Result<Sum> {
        let read = || async {
            let mut file = tokio::fs::File::open(path).await?;
            let (mut hash, mut bytes, mut piece) = (Sha256::new(), 0, vec![0; PIECE]);
            loop {
                let count = file.read(&mut piece).await?;
                if count == 0 {
                    break;
                }
                hash.update(&piece[..count]);
                bytes += count as u64;
            }
            let sha256 = data_encoding::HEXLOWER.encode(&hash.finalize());
            Ok::<_, std::io::Error>(Sum { sha256, bytes })
        };
        Ok(self.sum.get_or_try_init(read).await.map_err(Error::internal)?.clone())
    }
}

impl Hub {
    /// The install command for a join token. `None` if this hub does not offer its program.
    pub(crate) fn install_line(&self, secret: &Secret) -> Option<String> {
        self.options.program.as_ref()?;
        let path = format!("/j/{}", secret.reveal());
        let url = &self.options.public_url;
        Some(match url.strip_prefix("http://") {
            // The same port also accepts TLS, with the hub's own key, which the line pins.
            Some(rest) => {
                format!("curl -fsSk --pinnedpubkey 'sha256//{}' https://{rest}{path} | sh", self.key_pin())
            }
            None => format!("curl -fsSL {url}{path} | sh"),
        })
    }

    /// The hub's public key in the form of curl's `--pinnedpubkey`.
    fn key_pin(&self) -> String {
        let key: Vec<u8> = KEY_PREFIX.into_iter().chain(self.identity.public_key().0).collect();
        data_encoding::BASE64.encode(&Sha256::digest(key))
    }

    /// Returns the install script for a join token. An invalid token gets a script that prints the reason and fails.
    ///
    /// # Errors
    /// Fails if the program cannot be read.
    pub async fn install_script(&self, by: &RequestContext, token: &str) -> Result<String> {
        match self.may_install(by, token).await {
            Ok(path) => {
                let sum = self.program.sum(&path).await?;
                Ok(self.script(token, &sum))
            }
            Err(error) if error.code().status() < 500 => Ok(refused(&error)),
            Err(error) => Err(error),
        }
    }

    /// Returns the path of the program to send to the holder of a join token.
    ///
    /// # Errors
    /// Fails if the token is invalid.
    pub async fn install_program(&self, by: &RequestContext, token: &str) -> Result<PathBuf> {
        self.may_install(by, token).await
    }

    async fn may_install(&self, by: &RequestContext, token: &str) -> Result<PathBuf> {
        self.may_guess(Guess::Join, &by.address, None).await?;
        let known = match Secret::parse(SecretKind::Join, token) {
            Ok(secret) => {
                let hash = secret.hash();
                self.store
                    .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.join_token_by_hash(hash).await?) }))
                    .await?
            }
            Err(_) => None,
        };
        let Some(JoinToken { uses, used, expires_at, revoked_at, .. }) = known else {
            self.guessed_wrong(Guess::Join, &by.address, None).await?;
            return Err(Error::new(Code::JoinTokenInvalid, "the join token is unknown to this hub")
                .hint("copy the whole line, or create a new token: hostler invite"));
        };
        may_join(&TokenState { uses, used, expires_at, revoked_at }, self.now()).map_err(refusal)?;
        let program = self.options.program.clone();
        program.ok_or_else(|| Error::new(Code::NotFound, "this hub does not offer its program for download"))
    }

    fn script(&self, token: &str, sum: &Sum) -> String {
        let url = &self.options.public_url;
        let from = match url.strip_prefix("http://") {
            Some(rest) => format!("https://{rest}/j/{token}/hostler"),
            None => format!("{url}/j/{token}/hostler"),
        };
        let platform = format!("{}/{}", std::env::consts::OS, std::env::consts::ARCH);
        let megabytes = sum.bytes.div_ceil(1_000_000).to_string();
        [
            ("@URL@", url.as_str()),
            ("@TOKEN@", token),
            ("@PLATFORM@", &platform),
            ("@VERSION@", proto::VERSION),
            ("@SIZE@", &megabytes),
            ("@FROM@", &from),
            ("@SHA256@", &sum.sha256),
        ]
        .into_iter()
        .fold(SCRIPT.to_owned(), |script, (slot, value)| script.replace(slot, &quoted(value)))
    }
}

/// Escapes a text for use between single quotes in a shell script.
fn quoted(text: &str) -> String {
    text.replace('\'', r"'\''")
}

/// A script that prints the error. `curl | sh` would show nothing but the status of an HTTP error.
fn refused(error: &Error) -> String {
    let hint = error.problem.hint.as_deref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    format!("echo 'hostler: {}' >&2\nexit 1\n", quoted(&format!("{}{hint}", error.problem.detail)))
}
