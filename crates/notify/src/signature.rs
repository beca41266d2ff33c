//! The signatures of Standard Webhooks, for sent and received requests.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The HMAC of these parts. Its `verify_slice` compares in constant time.
pub(crate) fn code(key: &[u8], parts: &[&[u8]]) -> Hmac<Sha256> {
    let mut code = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length will do");
    for part in parts {
        code.update(part);
    }
    code
}

/// The HMAC of a Standard Webhooks message.
pub(crate) fn message_code(key: &[u8], id: &str, seconds: &str, body: &[u8]) -> Hmac<Sha256> {
    code(key, &[id.as_bytes(), b".", seconds.as_bytes(), b".", body])
}

/// The value of the header `webhook-signature`.
pub(crate) fn sign(key: &[u8], id: &str, seconds: &str, body: &[u8]) -> String {
    let bytes = message_code(key, id, seconds, body).finalize().into_bytes();
    format!("v1,{}", data_encoding::BASE64.encode(&bytes))
}
