//! Signatures of received webhooks: Standard Webhooks and GitHub.

use data_encoding::{BASE64, HEXLOWER_PERMISSIVE};
use domain::{Span, Timestamp, channel::webhook_key};
use hmac::Mac as _;

use crate::signature::{code, message_code};

/// Largest difference between the sender's clock and ours, as in Standard Webhooks.
pub const TOLERANCE: Span = Span::from_secs(5 * 60);
/// Most signatures in a header: one, and some more during a key rotation.
const SIGNATURES_MAX: usize = 10;

/// The headers of Standard Webhooks.
#[derive(Debug, Clone, Copy)]
pub struct Signed<'a> {
    /// `webhook-id`
    pub id: &'a str,
    /// `webhook-timestamp`
    pub timestamp: &'a str,
    /// `webhook-signature`
    pub signature: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
/// Why a request is rejected.
pub enum BadSignature {
    /// The configured secret is invalid, not the request.
    #[error("the configured secret is not valid for Standard Webhooks (whsec_ followed by 24 to 64 bytes in base64)")]
    Secret,
    #[error("the header webhook-id is empty")]
    Id,
    #[error("the header webhook-timestamp is not a number of seconds since 1970")]
    Timestamp,
    /// Sent long ago, or replayed by an eavesdropper.
    #[error("the request was signed too long ago; check the clocks of both machines")]
    TooOld,
    #[error("the request was signed in the future; check the clocks of both machines")]
    TooNew,
    #[error("the signature header has an unknown format (v1,… for Standard Webhooks, sha256=… for GitHub)")]
    Form,
    /// Signed with another secret, or modified in transit.
    #[error("the signature does not match the body; check that both sides have the same secret")]
    Mismatch,
}

/// Verifies signature and age of a Standard Webhooks request. The age limits replays.
///
/// # Errors
/// Which check failed.
pub fn verify_webhook(
    secret: &str,
    signed: Signed<'_>,
    body: &[u8],
    now: Timestamp,
    tolerance: Span,
) -> Result<(), BadSignature> {
    let key = webhook_key(secret).ok_or(BadSignature::Secret)?;
    if signed.id.is_empty() {
        return Err(BadSignature::Id);
    }
    let seconds: i64 = signed.timestamp.parse().map_err(|_| BadSignature::Timestamp)?;
    let at = Timestamp::from_micros(seconds.checked_mul(1_000_000).ok_or(BadSignature::Timestamp)?);
    if now.since(at) > tolerance {
        return Err(BadSignature::TooOld);
    }
    if at.since(now) > tolerance {
        return Err(BadSignature::TooNew);
    }
    let given: Vec<Vec<u8>> = signed
        .signature
        .split_ascii_whitespace()
        .take(SIGNATURES_MAX)
        .filter_map(|one| one.strip_prefix("v1,"))
        .filter_map(|text| BASE64.decode(text.as_bytes()).ok())
        .collect();
    if given.is_empty() {
        return Err(BadSignature::Form);
    }
    let expected = message_code(&key, signed.id, signed.timestamp, body);
    let fits = given.iter().any(|bytes| expected.clone().verify_slice(bytes).is_ok());
    if fits { Ok(()) } else { Err(BadSignature::Mismatch) }
}

/// Verifies GitHub's `X-Hub-Signature-256` over the body. It does not cover the time, so it does not prevent replays.
///
/// # Errors
/// Which check failed.
pub fn verify_github(secret: &str, signature: &str, body: &[u8]) -> Result<(), BadSignature> {
    // Anyone can sign with an empty key.
    if secret.is_empty() {
        return Err(BadSignature::Secret);
    }
    let text = signature.strip_prefix("sha256=").ok_or(BadSignature::Form)?;
    let given = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).map_err(|_| BadSignature::Form)?;
    code(secret.as_bytes(), &[body]).verify_slice(&given).map_err(|_| BadSignature::Mismatch)
}

#[cfg(test)]
mod tests {
    use super::*;

    // The example of the specification, also used by the tests of its libraries.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    const SECONDS: &str = "1614265330";
    const BODY: &[u8] = br#"{"test": 2432232314}"#;
    const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    fn verify(signed: Signed<'_>, body: &[u8], late: i64) -> Result<(), BadSignature> {
        let now = Timestamp::from_micros((1_614_265_330 + late) * 1_000_000);
        verify_webhook(SECRET, signed, body, now, TOLERANCE)
    }

    fn signed(signature: &str) -> Signed<'_> {
        Signed { id: ID, timestamp: SECONDS, signature }
    }

    #[test]
    fn example_of_the_specification_is_accepted() {
        assert_eq!(crate::signature::sign(&webhook_key(SECRET).expect("a key"), ID, SECONDS, BODY), SIGNATURE);
        assert_eq!(verify(signed(SIGNATURE), BODY, 0), Ok(()));
        let several = format!("v1a,AAAA v2,AAAA v1,AAAA {SIGNATURE}");
        assert_eq!(verify(signed(&several), BODY, 0), Ok(()));
        for late in [-300, 300] {
            assert_eq!(verify(signed(SIGNATURE), BODY, late), Ok(()));
        }
    }

    #[test]
    fn rejected_requests_name_the_failed_check() {
        let good = signed(SIGNATURE);
        let many = format!("{}{SIGNATURE}", "v1,AAAA ".repeat(SIGNATURES_MAX));
        for (signed, body, late, expected) in [
            (good, b"{}".as_slice(), 0, BadSignature::Mismatch),
            (Signed { id: "other", ..good }, BODY, 0, BadSignature::Mismatch),
            (Signed { timestamp: "1614265331", ..good }, BODY, 0, BadSignature::Mismatch),
            (Signed { id: "", ..good }, BODY, 0, BadSignature::Id),
            (Signed { timestamp: "yesterday", ..good }, BODY, 0, BadSignature::Timestamp),
            (Signed { timestamp: "9223372036854775807", ..good }, BODY, 0, BadSignature::Timestamp),
            (good, BODY, 301, BadSignature::TooOld),
            (good, BODY, -301, BadSignature::TooNew),
            (Signed { signature: "", ..good }, BODY, 0, BadSignature::Form),
            (Signed { signature: "v1,!", ..good }, BODY, 0, BadSignature::Form),
            (Signed { signature: &SIGNATURE[3..], ..good }, BODY, 0, BadSignature::Form),
            (Signed { signature: "v1,AAAA", ..good }, BODY, 0, BadSignature::Mismatch),
            (Signed { signature: &many, ..good }, BODY, 0, BadSignature::Mismatch),
        ] {
            assert_eq!(verify(signed, body, late), Err(expected), "{signed:?}");
        }
        let now = Timestamp::from_micros(1_614_265_330_000_000);
        assert_eq!(verify_webhook("geheim", good, BODY, now, TOLERANCE), Err(BadSignature::Secret));
    }

    #[test]
    fn github_signatures_are_verified() {
        // The example in GitHub's documentation.
        let (secret, body) = ("It's a Secret to Everybody", b"Hello, World!");
        let signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        assert_eq!(verify_github(secret, signature, body), Ok(()));
        assert_eq!(verify_github(secret, signature, b"Hello"), Err(BadSignature::Mismatch));
        assert_eq!(verify_github(secret, "sha256=7571", body), Err(BadSignature::Mismatch));
        assert_eq!(verify_github(secret, "sha1=7571", body), Err(BadSignature::Form));
        assert_eq!(verify_github(secret, "sha256=xyz", body), Err(BadSignature::Form));
        assert_eq!(verify_github("", signature, body), Err(BadSignature::Secret));
    }
}
