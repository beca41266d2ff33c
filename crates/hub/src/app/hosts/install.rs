//! The install script, which joins a machine that has only a shell as a host, and the download of the hub's binary.
//!
//! An administrator has to trust only the command line; it needs neither a certificate authority nor the internet. It
//! contains the hub's certificate as the only one to trust, and the name in that certificate. `--pinnedpubkey` with `-k`
//! would be shorter, but some TLS libraries of curl ignore the pin (Rustls, BearSSL), and `-k` then accepts every server.
//! Without the option that trusts the certificate, each library refuses the hub: no authority may certify a name below
//! `.internal`. So the join token goes to the hub, or nowhere.
//!
//! The script carries the checksum of the program, and downloads it from an address that is no secret.

use std::path::{Path, PathBuf};

use domain::{
    join::{TokenState, may_join},
    secret::{Secret, SecretKind},
    throttle::Guess,
};
use proto::{Code, link::HUB_SERVER_NAME};
use sha2::{Digest as _, Sha256};
use store::join_token::JoinToken;
use tokio::{io::AsyncReadExt as _, sync::OnceCell};

use crate::app::{RequestContext, hosts::join::refusal};
use crate::{Error, Hub, Result};

/// Characters per line of a PEM text. Older versions of OpenSSL read no longer lines.
const PEM_LINE: usize = 64;
const SCRIPT: &str = include_str!("install.sh");
const PEM_BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const PEM_END: &str = "-----END CERTIFICATE-----";
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
        Some(match OwnServer::of(url) {
            // The same port also accepts TLS, with the hub's own certificate.
            Some(OwnServer { authority, port, prefix }) => {
                let pem = self.certificate_lines().join(" ");
                let name = format!("{HUB_SERVER_NAME}:{port}");
                format!(
                    "printf '%s\\n' '{PEM_BEGIN}' {pem} '{PEM_END}' | curl -fsS --cacert /dev/stdin --connect-to \
                     '{name}:{authority}' -H 'Host: {authority}' 'https://{name}{prefix}{path}' | sh"
                )
            }
            None => format!("curl -fsSL --proto =https '{url}{path}' | sh"),
        })
    }

    /// The hub's own certificate, base64, in lines.
    fn certificate_lines(&self) -> Vec<String> {
        let text = data_encoding::BASE64.encode(&self.identity.certificate);
        text.as_bytes().chunks(PEM_LINE).map(|line| String::from_utf8_lossy(line).into_owned()).collect()
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

    /// Returns the path of the program with this checksum. The program is no secret, so that its address needs no
    /// credential.
    ///
    /// # Errors
    /// Fails if the program has another checksum, or this hub does not offer it.
    pub async fn install_program(&self, sha256: &str) -> Result<PathBuf> {
        let path = self.options.program.clone().ok_or_else(no_program)?;
        if self.program.sum(&path).await?.sha256 != sha256 {
            return Err(Error::new(Code::NotFound, "this hub offers another version of its program")
                .hint("run the install command again"));
        }
        Ok(path)
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
        program.ok_or_else(no_program)
    }

    fn script(&self, token: &str, sum: &Sum) -> String {
        let url = &self.options.public_url;
        let path = format!("/j/program/{}", sum.sha256);
        let (from, named, connect_to, authority) = match OwnServer::of(url) {
            Some(OwnServer { authority, port, prefix }) => {
                let name = format!("{HUB_SERVER_NAME}:{port}");
                (
                    format!("https://{authority}{prefix}{path}"),
                    format!("https://{name}{prefix}{path}"),
                    format!("{name}:{authority}"),
                    authority,
                )
            }
            None => (format!("{url}{path}"), String::new(), String::new(), String::new()),
        };
        let certificate = [vec![PEM_BEGIN.to_owned()], self.certificate_lines(), vec![PEM_END.to_owned()]].concat();
        let platform = format!("{}/{}", std::env::consts::OS, std::env::consts::ARCH);
        let megabytes = sum.bytes.div_ceil(1_000_000).to_string();
        [
            ("@URL@", url.as_str()),
            ("@TOKEN@", token),
            ("@PLATFORM@", &platform),
            ("@VERSION@", proto::VERSION),
            ("@SIZE@", &megabytes),
            ("@FROM@", &from),
            ("@NAMED@", &named),
            ("@CONNECT_TO@", &connect_to),
            ("@AUTHORITY@", &authority),
            ("@CERTIFICATE@", &certificate.join("\n")),
            ("@PIN@", &self.key_pin()),
            ("@SHA256@", &sum.sha256),
        ]
        .into_iter()
        .fold(SCRIPT.to_owned(), |script, (slot, value)| script.replace(slot, &quoted(value)))
    }
}

/// The TLS listener of this hub, at a public address that is plain HTTP.
struct OwnServer {
    /// Host and port to connect to.
    authority: String,
    port: String,
    /// Path before `/j`.
    prefix: String,
}

impl OwnServer {
    fn of(url: &str) -> Option<Self> {
        let rest = url.strip_prefix("http://")?;
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let port = authority.rsplit_once(':').map(|(_, port)| port).filter(|port| !port.contains(']'));
        let (authority, port) = match port {
            Some(port) => (authority.to_owned(), port.to_owned()),
            None => (format!("{authority}:80"), "80".to_owned()),
        };
        let prefix = if path.is_empty() { String::new() } else { format!("/{}", path.trim_end_matches('/')) };
        Some(Self { authority, port, prefix })
    }
}

fn no_program() -> Error {
    Error::new(Code::NotFound, "this hub does not offer its program for download")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_listener_is_at_the_plain_public_address() {
        for (url, expected) in [
            ("http://10.0.0.5:7411", Some(("10.0.0.5:7411", "7411", ""))),
            ("http://hub", Some(("hub:80", "80", ""))),
            ("http://[fe80::1]", Some(("[fe80::1]:80", "80", ""))),
            ("http://[fe80::1]:7411/ops/", Some(("[fe80::1]:7411", "7411", "/ops"))),
            ("https://hub.example", None),
        ] {
            let own = OwnServer::of(url);
            let parts = own.as_ref().map(|own| (own.authority.as_str(), own.port.as_str(), own.prefix.as_str()));
            assert_eq!(parts, expected, "{url}");
        }
    }
}
