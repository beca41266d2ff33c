//! One line that makes a host of a machine that has nothing of ours yet: a script, and the hub's own program.
//!
//! The line pins the hub's key, the script carries the checksum of the program. So nothing has to be trusted but the
//! line, and neither a certificate nor the internet is needed. Only who holds a join token gets either.

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

use super::{By, join::refusal};
use crate::{Error, Hub, Result};

const SCRIPT: &str = include_str!("install.sh");
/// What precedes an Ed25519 key in the form that certificates have it in.
const KEY_PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
/// What is read of the program at a time.
const PIECE: usize = 256 * 1024;

/// The program that this hub hands out: its own.
#[derive(Default)]
pub(crate) struct Program {
    sum: OnceCell<Sum>,
}

/// What a program can be told by.
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
    /// The line that makes a host of a machine with nothing but a shell; none if this hub does not hand out its program.
    pub(crate) fn install_line(&self, secret: &Secret) -> Option<String> {
        self.options.program.as_ref()?;
        let path = format!("/j/{}", secret.reveal());
        let url = &self.options.public_url;
        Some(match url.strip_prefix("http://") {
            // Runners come over TLS to the same port, with a key that the line names.
            Some(rest) => {
                format!("curl -fsSk --pinnedpubkey 'sha256//{}' https://{rest}{path} | sh", self.key_pin())
            }
            None => format!("curl -fsSL {url}{path} | sh"),
        })
    }

    /// The hub's key, as curl wants it named.
    fn key_pin(&self) -> String {
        let key: Vec<u8> = KEY_PREFIX.into_iter().chain(self.identity.public_key().0).collect();
        data_encoding::BASE64.encode(&Sha256::digest(key))
    }

    /// The script for who holds this join token. One that is no longer good gets a script that says so.
    ///
    /// # Errors
    /// The program cannot be read.
    pub async fn install_script(&self, by: &By, token: &str) -> Result<String> {
        match self.may_install(by, token).await {
            Ok(path) => {
                let sum = self.program.sum(&path).await?;
                Ok(self.script(token, &sum))
            }
            Err(error) if error.code().status() < 500 => Ok(refused(&error)),
            Err(error) => Err(error),
        }
    }

    /// The file to send to who holds this join token.
    ///
    /// # Errors
    /// The token is not good.
    pub async fn install_program(&self, by: &By, token: &str) -> Result<PathBuf> {
        self.may_install(by, token).await
    }

    async fn may_install(&self, by: &By, token: &str) -> Result<PathBuf> {
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
            return Err(Error::new(Code::JoinTokenInvalid, "this hub does not know this join token")
                .hint("copy the whole line, or make a new one: hostler invite"));
        };
        may_join(&TokenState { uses, used, expires_at, revoked_at }, self.now()).map_err(refusal)?;
        let program = self.options.program.clone();
        program.ok_or_else(|| Error::new(Code::NotFound, "this hub does not hand out its program"))
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

/// A text between single quotes of a shell, without them.
fn quoted(text: &str) -> String {
    text.replace('\'', r"'\''")
}

/// A script that says why there is nothing to do. An answer that is an error would be shown as its number alone.
fn refused(error: &Error) -> String {
    let hint = error.problem.hint.as_deref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    format!("echo 'hostler: {}' >&2\nexit 1\n", quoted(&format!("{}{hint}", error.problem.detail)))
}
