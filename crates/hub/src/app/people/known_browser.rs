//! Browsers that have signed in to an account before: each has its own count of failed attempts, so that a stranger's
//! attempts cannot lock the owner out.
//!
//! The cookie is `base64url(user · id · time of issue · signature)`, signed with the hub's key. It is no credential: it
//! only selects the counter.

use data_encoding::BASE64URL_NOPAD;
use domain::{Span, Timestamp, UserId};
use proto::link::{Bytes64, is_signed_by};

use crate::Hub;

/// Lifetime of the cookie; every sign-in renews it.
pub(crate) const BROWSER_TTL: Span = Span::from_secs(180 * 86_400);
/// Keeps these signatures apart from all others of the hub's key.
const PURPOSE: &[u8] = b"hostler known browser\n";
const ID_BYTES: usize = 16;
const TIME_BYTES: usize = 8;
const SIGNATURE_BYTES: usize = 64;
const BODY_BYTES: usize = 2 * ID_BYTES + TIME_BYTES;

impl Hub {
    /// The cookie for a browser that has signed in as this user.
    pub(crate) fn browser_cookie(&self, user: UserId) -> String {
        let id: [u8; ID_BYTES] = self.random.bytes();
        let mut body = [user.to_bytes().as_slice(), &id].concat();
        body.extend_from_slice(&self.now().as_micros().to_be_bytes());
        let signature = self.identity.sign(&[PURPOSE, &body].concat());
        body.extend_from_slice(&signature.0);
        BASE64URL_NOPAD.encode(&body)
    }

    /// The key of the browser's counter, if the cookie is genuine, not expired, and of this user.
    pub(crate) fn known_browser(&self, cookie: &str, user: UserId) -> Option<String> {
        let bytes = BASE64URL_NOPAD.decode(cookie.as_bytes()).ok()?;
        let (body, signature) = bytes.split_at_checked(BODY_BYTES)?;
        let signature: [u8; SIGNATURE_BYTES] = signature.try_into().ok()?;
        if !is_signed_by(&self.identity.public_key(), &[PURPOSE, body].concat(), &Bytes64(signature)) {
            return None;
        }
        let (owner, rest) = body.split_at(ID_BYTES);
        let (id, issued) = rest.split_at(ID_BYTES);
        let issued = Timestamp::from_micros(i64::from_be_bytes(issued.try_into().ok()?));
        let is_valid = owner == user.to_bytes().as_slice() && self.now().since(issued) < BROWSER_TTL;
        is_valid.then(|| format!("browser:{}", BASE64URL_NOPAD.encode(id)))
    }
}
