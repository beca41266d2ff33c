//! The link between runner and hub: one WebSocket, opened by the runner, with JSON text frames.
//!
//! ```text
//! runner → hub   hello      host id, key version, the runner's nonce
//! hub → runner   challenge  the hub's nonce, and its signature over the runner's nonce
//! runner → hub   proof      the runner's signature over both nonces
//! hub → runner   welcome    the session: epoch, heartbeat interval, key rotation   (or: refused)
//! runner → hub   heartbeat  answered by heartbeat_ack; repeated until goodbye
//! ```
//!
//! Where the runner's TLS ends at the hub, both signatures also cover keying material of that connection (see
//! [`ChannelBinding`]), so a proof is worthless on any other connection.
//!
//! The frames about work are described in [`crate::work`].

use domain::{HostId, RunId, Timestamp, log_budget::LogBudget, primary::Promotion};
use ed25519_dalek::{Signature, VerifyingKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::{
    error::Code,
    metrics::{HostMetrics, Machine},
    sync::{Packed, is_about_rows, tag_of},
    work::{CancelRun, Grants, Inventory, Log, Order, Ordered, ProgressFrame, Results, Started, Verdicts},
};

pub use crate::bytes::{Bytes32, Bytes64};

/// The supported protocol versions, lowest and highest.
pub const LINK_VERSIONS: (u32, u32) = (1, 1);
/// The largest frame that either side accepts.
pub const FRAME_BYTES_MAX: usize = 1024 * 1024;
/// The TLS server name with which a runner requests the hub's own certificate, independent of other certificates on the
/// port.
pub const HUB_SERVER_NAME: &str = "hub.hostler.internal";

/// The capability of a runner that replaces its key within an open session, when it receives `rotate_key`.
pub const KEY_ROTATION: &str = "key_rotation";

/// Keying material exported from a TLS connection: 32 bytes that only the two ends of this one handshake know.
///
/// The proofs of a link and of a join sign it, so that a machine in the middle cannot forward them between its two
/// connections. There is none on plain loopback connections and in the pipe within one process, which no other machine
/// can reach, and none if TLS ends at a proxy in front of the hub: its operator can then read and change the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChannelBinding(pub Bytes32);

impl ChannelBinding {
    /// The exporter's label (RFC 9266); its context is empty.
    pub const EXPORTER_LABEL: &'static [u8] = b"EXPORTER-Channel-Binding";
}

/// Frames from a runner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToHub {
    /// First frame: the identity of the runner.
    Hello(Box<Hello>),
    /// Second frame: the runner's signature.
    Proof(Proof),
    /// The runner's next key, signed with the old one.
    Rotate(Rotate),
    /// A heartbeat with the machine's metrics.
    Heartbeat(Heartbeat),
    /// The runner disconnects intentionally.
    Goodbye(Goodbye),
    /// The runs that the runner still has.
    Inventory(Inventory),
    /// The number of grants that the runner accepts.
    Credit {
        /// In total, counted from the start of the session.
        limit: u64,
    },
    /// Results of runs.
    Results(Results),
    /// Processes that have started and still run.
    Started { runs: Vec<Started> },
    /// Lines of output.
    Log(Log),
    /// The progress of a run.
    Progress(ProgressFrame),
    /// The result of a request to a server.
    Ordered(Ordered),
    /// A replication frame.
    #[serde(skip)]
    Sync(Packed),
}

/// The type of a frame, if it is the first field, as in frames written by this program.
fn first_tag(text: &str) -> Option<&str> {
    Some(text.strip_prefix("{\"type\":\"")?.split_once('"')?.0)
}

impl ToHub {
    /// Parses a frame. Large frames are parsed directly by their type: serde's internally tagged enums buffer the whole
    /// frame in an intermediate form first.
    ///
    /// # Errors
    /// The text is not a valid frame.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        match first_tag(text) {
            Some("results") => serde_json::from_str(text).map(Self::Results),
            Some("log") => serde_json::from_str(text).map(Self::Log),
            Some(tag) if is_about_rows(tag) => Ok(Self::Sync(Packed::Text(text.to_owned()))),
            _ => serde_json::from_str(text).or_else(|error| about_rows(text).map(Self::Sync).ok_or(error)),
        }
    }
}

/// A replication frame whose type is not the first field.
fn about_rows(text: &str) -> Option<Packed> {
    tag_of(text).filter(|tag| is_about_rows(tag)).map(|_| Packed::Text(text.to_owned()))
}

impl ToRunner {
    /// Parses a frame, as [`ToHub::parse`] does.
    ///
    /// # Errors
    /// The text is not a valid frame.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        match first_tag(text) {
            Some("grants") => serde_json::from_str(text).map(Self::Grants),
            Some(tag) if is_about_rows(tag) => Ok(Self::Sync(Packed::Text(text.to_owned()))),
            _ => serde_json::from_str(text).or_else(|error| about_rows(text).map(Self::Sync).ok_or(error)),
        }
    }
}

/// Frames from a hub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToRunner {
    /// The hub's signature and nonce.
    Challenge(Challenge),
    /// The session is open.
    Welcome(Welcome),
    /// The connection is rejected, or the session was ended.
    Refused(Refused),
    /// The runner's new key is in force.
    Rotated { version: i32 },
    /// The runner must replace its key by one with this version, and confirms it with `rotate`. Sent only to runners
    /// with the capability [`KEY_ROTATION`]; others replace their key at the next connection (see [`Welcome`]).
    RotateKey { version: i32 },
    /// Confirms a heartbeat. Its name in older versions was `heard`.
    #[serde(alias = "heard")]
    HeartbeatAck {
        /// The number of the heartbeat.
        seq: u64,
        /// The hub's time.
        time: Timestamp,
        /// The delay until the next heartbeat.
        heartbeat_ms: u32,
    },
    /// Changes the heartbeat interval. Its name in older versions was `pace`.
    #[serde(alias = "pace")]
    HeartbeatInterval { heartbeat_ms: u32 },
    /// The runs that the runner must stop.
    Verdicts(Verdicts),
    /// Jobs to run.
    Grants(Grants),
    /// Confirms results of the outbox, up to this number.
    Settled { through: i64 },
    /// Confirms lines of a run, up to this one.
    Logged { run: RunId, through: u64 },
    /// Runs to end.
    Cancel { runs: Vec<CancelRun> },
    /// Requests to servers. Repeated until the runner confirms them.
    Orders { orders: Vec<Order> },
    /// This hub was promoted to primary hub. The runner follows the promotion unless it has received a higher number.
    Promoted {
        /// The number of the promotion.
        number: u64,
    },
    /// A replication frame.
    #[serde(skip)]
    Sync(Packed),
    /// The hub stops. Runners reconnect after this delay, spread over time.
    Stopping { retry_after_ms: u32 },
}

/// The identity of a runner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The supported protocol versions, lowest and highest.
    pub versions: (u32, u32),
    /// The id that it got when it joined.
    pub host: HostId,
    /// The version of the key that it uses.
    pub key_version: i32,
    pub nonce: Bytes32,
    /// A random id of this start of the runner: distinguishes a reconnect from a clone.
    pub incarnation: String,
    /// The operating system's id of the current boot.
    pub boot_id: String,
    pub runner_version: String,
    /// The preferred name, used unless a user has set one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Operating system and hardware.
    pub machine: Machine,
    /// The queues that it offers to serve. It serves those of them that the hub allows the host.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queues: Vec<String>,
    /// Whether both proofs sign the [`ChannelBinding`]: the runner has recognized the hub's own key in its TLS
    /// connection.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bound: bool,
    /// The runner's time.
    pub time: Timestamp,
    /// Supported extensions of the protocol.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caps: Vec<String>,
    /// The address of the host's primary hub, if it is not this one. This hub then is a mirror for the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub primary_hub: Option<String>,
    /// The promotion that the host follows, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotion: Option<Promotion>,
}

/// The hub's nonce, with the proof that it is the hub that the runner has joined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    /// The protocol version to use.
    pub version: u32,
    pub nonce: Bytes32,
    /// The hub's signature over the runner's nonce and, if the hello asked for it, the channel binding.
    pub proof: Bytes64,
    /// The hub's time.
    pub time: Timestamp,
}

/// The runner's response to the challenge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// The runner's signature over both nonces and, if the hello said so, the channel binding.
    pub signature: Bytes64,
}

/// An opened session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Welcome {
    /// The number of the session; each session of a host has a higher one.
    pub epoch: i64,
    /// A secret for plain HTTP requests of this session.
    pub session_token: String,
    /// The name of the host.
    pub name: String,
    /// The heartbeat interval.
    pub heartbeat_ms: u32,
    /// Set if the runner must create a key with this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate_to: Option<i32>,
    pub hub_version: String,
    /// The host's clock minus the hub's.
    pub clock_skew_ms: i64,
    /// The runner ends its leased runs if it receives nothing from the hub for this long.
    #[serde(default)]
    pub lost_after_ms: u32,
    /// Supported extensions of the protocol.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caps: Vec<String>,
    /// How much output the hub stores; absent from older hubs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_budget: Option<LogBudget>,
    /// The queues of the hello that the hub does not allow the host to serve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused_queues: Vec<String>,
}

/// A rejected connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    /// The stable error code.
    pub code: Code,
    /// The reason and the fix, for people.
    pub detail: String,
    /// The delay before the next attempt; absent if another attempt is pointless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u32>,
}

/// A runner's next key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rotate {
    pub version: i32,
    pub public_key: Bytes32,
    /// The old key's signature over the new key.
    pub signature: Bytes64,
    /// The new key's signature over itself: proves that the runner has the private key.
    pub possession: Bytes64,
}

/// A heartbeat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The number of the heartbeat within the session.
    pub seq: u64,
    /// The runner's time.
    pub time: Timestamp,
    /// The round-trip time of the last heartbeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip_ms: Option<u32>,
    /// The machine's metrics.
    pub metrics: HostMetrics,
}

/// An intentional disconnect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Goodbye {
    /// As in `stop`, `restart` or `sleep`.
    pub reason: String,
}

/// Joins a machine as a host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    pub token: String,
    /// The public key of the machine's new key pair.
    #[schema(value_type = String)]
    pub public_key: Bytes32,
    /// The preferred name.
    pub name: String,
    /// Whether the host should always be online; the token's setting takes precedence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always_on: Option<bool>,
    /// Operating system and hardware.
    pub machine: Machine,
    pub runner_version: String,
    /// The machine's nonce, for the hub's signature.
    #[schema(value_type = String)]
    pub nonce: Bytes32,
    /// The machine's host id at other hubs, if it has joined any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub host_id: Option<HostId>,
    /// Whether the hub's proof must sign the TLS connection: the machine has recognized the hub's own key in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bound: bool,
}

/// A joined host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JoinAccepted {
    #[schema(value_type = String)]
    pub host_id: HostId,
    /// The name of the host; see `name_was_taken`.
    pub name: String,
    /// Whether the preferred name was taken and another one is used.
    pub name_was_taken: bool,
    /// The slug of the org.
    pub org: String,
    pub key_version: i32,
    /// Whether the host should always be online.
    pub always_on: bool,
    /// The hub's signature over the nonce and, if requested, the TLS connection: proves that the response is from the
    /// hub named in the token.
    #[schema(value_type = String)]
    pub proof: Bytes64,
    /// The hub's time.
    #[schema(value_type = String, format = DateTime)]
    pub time: Timestamp,
}

/// The signed messages. Each contains its purpose, so a signature made for one purpose is invalid for every other. A
/// proof with a channel binding has another purpose than one without, so neither can replace the other.
pub mod signed {
    use super::{Bytes32, ChannelBinding, HostId};

    fn message(purpose: &str, parts: &[&[u8]]) -> Vec<u8> {
        let mut bytes = format!("hostler {purpose} v1\0").into_bytes();
        for part in parts {
            bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
            bytes.extend_from_slice(part);
        }
        bytes
    }

    /// A message of one end of a link, for one connection only if it has a binding.
    fn proof(signer: &str, parts: &[&[u8]], binding: Option<&ChannelBinding>) -> Vec<u8> {
        match binding {
            Some(binding) => message(&format!("bound {signer} proof"), &[parts, &[&binding.0.0]].concat()),
            None => message(&format!("{signer} proof"), parts),
        }
    }

    /// Signed by the hub to prove its identity to a runner.
    #[must_use]
    pub fn hub_proof(hub_key: &Bytes32, runner_nonce: &Bytes32, binding: Option<&ChannelBinding>) -> Vec<u8> {
        proof("hub", &[&hub_key.0, &runner_nonce.0], binding)
    }

    /// Signed by the runner to prove its identity to this hub.
    #[must_use]
    pub fn runner_proof(
        hub_key: &Bytes32,
        hub_nonce: &Bytes32,
        runner_nonce: &Bytes32,
        host: HostId,
        version: i32,
        binding: Option<&ChannelBinding>,
    ) -> Vec<u8> {
        let (host, version) = (host.to_bytes(), version.to_be_bytes());
        proof("runner", &[&hub_key.0, &hub_nonce.0, &runner_nonce.0, &host, &version], binding)
    }

    /// Signed by the hub for each epoch of its replication log.
    #[must_use]
    pub fn hub_epoch(hub_key: &Bytes32, number: u32, id: u64) -> Vec<u8> {
        message("hub epoch", &[&hub_key.0, &number.to_be_bytes(), &id.to_be_bytes()])
    }

    /// Signed with the old and with the new key of a host when it rotates its key.
    #[must_use]
    pub fn next_key(host: HostId, version: i32, public_key: &Bytes32) -> Vec<u8> {
        message("next key", &[&host.to_bytes(), &version.to_be_bytes(), &public_key.0])
    }
}

/// Whether `signature` over `message` was made by the owner of `key`. A weak key signs nothing: a lenient check accepts
/// signatures for it that were made without a private key.
#[must_use]
pub fn is_signed_by(key: &Bytes32, message: &[u8], signature: &Bytes64) -> bool {
    let signature = Signature::from_bytes(&signature.0);
    VerifyingKey::from_bytes(&key.0).is_ok_and(|key| key.verify_strict(message, &signature).is_ok())
}

/// Whether a host may have this public key: it is a point of the curve, and not one of the few of small order.
#[must_use]
pub fn is_strong_key(key: &Bytes32) -> bool {
    VerifyingKey::from_bytes(&key.0).is_ok_and(|key| !key.is_weak())
}

/// The fingerprint of a key for comparison by people: the first half of its SHA-256 hash, in hexadecimal.
#[must_use]
pub fn fingerprint(key: &Bytes32) -> String {
    let digest: [u8; 32] = Sha256::digest(key.0).into();
    data_encoding::HEXLOWER.encode(&digest[..16])
}

/// The highest protocol version that both sides support; `None` if there is none.
#[must_use]
pub fn common_version(ours: (u32, u32), theirs: (u32, u32)) -> Option<u32> {
    let version = ours.1.min(theirs.1);
    (version >= ours.0 && version >= theirs.0).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_version_is_the_highest_supported_by_both() {
        for (ours, theirs, common) in
            [((1, 1), (1, 1), Some(1)), ((1, 3), (2, 5), Some(3)), ((2, 3), (1, 1), None), ((1, 1), (2, 2), None)]
        {
            assert_eq!(common_version(ours, theirs), common);
        }
    }

    #[test]
    fn frames_serialize_with_their_type_first() {
        let frame = ToHub::Goodbye(Goodbye { reason: "stop".into() });
        assert_eq!(serde_json::to_string(&frame).expect("serialises"), r#"{"type":"goodbye","reason":"stop"}"#);
    }

    #[test]
    fn frames_parse_with_the_type_at_any_position() {
        let frame = ToHub::Results(Results { after: 0, through: 7, results: Vec::new(), credit: Some(3) });
        let text = serde_json::to_string(&frame).expect("serialises");
        assert_eq!(first_tag(&text), Some("results"), "the type is the first field: {text}");
        let turned = r#"{"credit":3,"results":[],"through":7,"after":0,"type":"results"}"#;
        assert_eq!(ToHub::parse(&text).expect("reads"), frame);
        assert_eq!(ToHub::parse(turned).expect("reads"), frame);
        let frame = ToRunner::Grants(crate::work::Grants { grants: Vec::new(), definitions: Vec::new() });
        let text = serde_json::to_string(&frame).expect("serialises");
        assert_eq!(first_tag(&text), Some("grants"));
        assert_eq!(ToRunner::parse(&text).expect("reads"), frame);
        assert!(ToHub::parse(r#"{"type":"results"}"#).is_err(), "a type without fields is not a frame");
    }

    #[test]
    fn a_signature_is_valid_for_one_purpose_only() {
        use ed25519_dalek::{Signer, SigningKey};
        let key = SigningKey::from_bytes(&[3; 32]);
        let public = Bytes32(key.verifying_key().to_bytes());
        let nonce = Bytes32([1; 32]);
        let signature = Bytes64(key.sign(&signed::hub_proof(&public, &nonce, None)).to_bytes());
        assert!(is_signed_by(&public, &signed::hub_proof(&public, &nonce, None), &signature));
        assert!(!is_signed_by(&public, &signed::hub_proof(&public, &Bytes32([2; 32]), None), &signature));
        let host = HostId::from_bytes([0; 16]);
        assert!(!is_signed_by(&public, &signed::next_key(host, 1, &public), &signature));
    }

    #[test]
    fn a_bound_proof_is_valid_for_one_connection_only() {
        use ed25519_dalek::{Signer, SigningKey};
        let key = SigningKey::from_bytes(&[3; 32]);
        let public = Bytes32(key.verifying_key().to_bytes());
        let (nonce, host) = (Bytes32([1; 32]), HostId::from_bytes([0; 16]));
        let (here, elsewhere) = (ChannelBinding(Bytes32([4; 32])), ChannelBinding(Bytes32([5; 32])));
        let hub = |binding: Option<&ChannelBinding>| signed::hub_proof(&public, &nonce, binding);
        let runner = |binding: Option<&ChannelBinding>| signed::runner_proof(&public, &nonce, &nonce, host, 1, binding);
        for message in [&hub as &dyn Fn(Option<&ChannelBinding>) -> Vec<u8>, &runner] {
            let signature = Bytes64(key.sign(&message(Some(&here))).to_bytes());
            assert!(is_signed_by(&public, &message(Some(&here)), &signature));
            assert!(!is_signed_by(&public, &message(Some(&elsewhere)), &signature));
            assert!(!is_signed_by(&public, &message(None), &signature));
        }
    }

    #[test]
    fn keys_of_small_order_are_weak_and_sign_nothing() {
        // The neutral element and a point of order 4. With a signature of the neutral element and zero, the check that
        // accepts points of small order holds for every message.
        let mut neutral = [0; 32];
        neutral[0] = 1;
        let mut forged = [0; 64];
        forged[0] = 1;
        for weak in [neutral, [0; 32]] {
            assert!(!is_strong_key(&Bytes32(weak)), "{weak:?}");
            assert!(!is_signed_by(&Bytes32(weak), b"any message", &Bytes64(forged)), "{weak:?}");
        }
        let key = ed25519_dalek::SigningKey::from_bytes(&[3; 32]);
        assert!(is_strong_key(&Bytes32(key.verifying_key().to_bytes())));
        let off_the_curve =
            (0..=255).map(|byte| Bytes32([byte; 32])).find(|key| VerifyingKey::from_bytes(&key.0).is_err());
        assert!(!is_strong_key(&off_the_curve.expect("half of all texts are no points")));
    }
}
