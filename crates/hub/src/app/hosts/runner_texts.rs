//! Limits of the texts that a runner reports about itself and its machine, because they are stored, logged and shown in
//! terminals, and of its key.

use proto::{Code, metrics::Machine};

use crate::{Error, Result};

/// Longest text, in bytes.
const TEXT_MAX: usize = 200;

/// Rejects long texts and texts with control characters, at join and at every hello.
///
/// # Errors
/// A text of `frame` is too long or not plain.
pub(crate) fn check_texts(
    frame: &str,
    machine: &Machine,
    runner_version: &str,
    name: Option<&str>,
    others: &[&str],
) -> Result<()> {
    let Machine { os, os_version, arch, cores: _, trust: _ } = machine;
    let texts = [os, os_version, arch, runner_version, name.unwrap_or_default()];
    let is_plain = |text: &&str| text.len() <= TEXT_MAX && !text.contains(char::is_control);
    if texts.iter().chain(others).all(is_plain) {
        return Ok(());
    }
    let detail = format!("a text in `{frame}` exceeds {TEXT_MAX} bytes or contains control characters");
    Err(Error::new(Code::MalformedRequest, detail))
}

/// Rejects weak keys: a signature by one can be made without its private key.
///
/// # Errors
/// The key is not a point of the curve, or one of small order.
pub(crate) fn check_key(key: &proto::link::Bytes32) -> Result<()> {
    if proto::link::is_strong_key(key) {
        return Ok(());
    }
    Err(Error::invalid("the public key of the host is not a usable Ed25519 key"))
}
