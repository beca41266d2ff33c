//! Frames between runner and hub: one outgoing WebSocket, JSON text frames.
//!
//! ```text
//! runner → hub   hello      who I am, my nonce
//! hub → runner   challenge  the hub's nonce, and its proof that it is the hub I joined
//! runner → hub   proof      my signature over both nonces
//! hub → runner   welcome    the session: epoch, pace, whether to rotate my key   (or: refused)
//! runner → hub   heartbeat  …answered by heard…   until goodbye
//! ```
//!
//! What is said about work in between is in [`crate::work`].

use domain::{HostId, RunId, Timestamp, primary::Promotion};
use ed25519_dalek::{Signature, Verifier, VerifyingKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::{
    error::Code,
    metrics::{HostMetrics, Machine},
    sync::{Packed, is_about_rows, tag_of},
    work::{CancelRun, Grants, Inventory, Log, Order, Ordered, ProgressSaid, Results, Started, Verdicts},
};

/// The protocol versions this build speaks, least and most.
pub const LINK_VERSIONS: (u32, u32) = (1, 1);
/// The largest frame either side accepts.
pub const FRAME_BYTES_MAX: usize = 1024 * 1024;
/// The TLS server name by which a runner asks for the hub's own certificate, whatever else the port serves.
pub const HUB_SERVER_NAME: &str = "hub.hostler.internal";

/// 32 bytes in hexadecimal on the wire: nonces and keys.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bytes32(pub [u8; 32]);

/// 64 bytes in hexadecimal on the wire: signatures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Bytes64(pub [u8; 64]);

macro_rules! hex_on_the_wire {
    ($name:ident, $length:literal) => {
        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                data_encoding::HEXLOWER_PERMISSIVE
                    .decode(text.as_bytes())
                    .ok()
                    .and_then(|bytes| bytes.try_into().ok())
                    .map(Self)
                    .ok_or_else(|| concat!("expected ", $length, " bytes in hexadecimal").to_owned())
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}
hex_on_the_wire!(Bytes32, "32");
hex_on_the_wire!(Bytes64, "64");

/// What a runner says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToHub {
    /// First: who I am.
    Hello(Box<Hello>),
    /// Second: my proof.
    Proof(Proof),
    /// My next key, signed with the old one.
    Rotate(Rotate),
    /// I am here, and this is how my machine is.
    Heartbeat(Heartbeat),
    /// I stop on purpose.
    Goodbye(Goodbye),
    /// The runs I still have.
    Inventory(Inventory),
    /// I will take this many grants in all.
    Credit {
        /// Counted from the session's beginning.
        limit: u64,
    },
    /// How runs ended.
    Results(Results),
    /// Processes that last.
    Started {
        /// The runs.
        runs: Vec<Started>,
    },
    /// Lines of output.
    Log(Log),
    /// How far a run has come.
    Progress(ProgressSaid),
    /// What became of something that was said to a server.
    Ordered(Ordered),
    /// About rows.
    #[serde(skip)]
    Sync(Packed),
}

/// The tag of a frame, if that stands first, as we write it.
fn first_tag(text: &str) -> Option<&str> {
    Some(text.strip_prefix("{\"type\":\"")?.split_once('"')?.0)
}

impl ToHub {
    /// Reads a frame. The large ones are read straight into what they are: by the tag, all of it would first be kept in a
    /// form between.
    ///
    /// # Errors
    /// It is no frame.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        match first_tag(text) {
            Some("results") => serde_json::from_str(text).map(Self::Results),
            Some("log") => serde_json::from_str(text).map(Self::Log),
            Some(tag) if is_about_rows(tag) => Ok(Self::Sync(Packed::Text(text.to_owned()))),
            _ => serde_json::from_str(text).or_else(|error| about_rows(text).map(Self::Sync).ok_or(error)),
        }
    }
}

/// A frame about rows whose type does not stand first.
fn about_rows(text: &str) -> Option<Packed> {
    tag_of(text).filter(|tag| is_about_rows(tag)).map(|_| Packed::Text(text.to_owned()))
}

impl ToRunner {
    /// Reads a frame, as [`ToHub::parse`] does.
    ///
    /// # Errors
    /// It is no frame.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        match first_tag(text) {
            Some("grants") => serde_json::from_str(text).map(Self::Grants),
            Some(tag) if is_about_rows(tag) => Ok(Self::Sync(Packed::Text(text.to_owned()))),
            _ => serde_json::from_str(text).or_else(|error| about_rows(text).map(Self::Sync).ok_or(error)),
        }
    }
}

/// What a hub says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToRunner {
    /// My proof, and my question.
    Challenge(Challenge),
    /// You are in.
    Welcome(Welcome),
    /// You are not, or no longer.
    Refused(Refused),
    /// Your new key is in force.
    Rotated {
        /// The version now in force.
        version: i32,
    },
    /// I heard a heartbeat.
    Heard {
        /// Its number.
        seq: u64,
        /// My time then.
        time: Timestamp,
        /// How long to wait until the next one.
        heartbeat_ms: u32,
    },
    /// From now on, beat at this pace.
    Pace {
        /// How long to wait until the next one.
        heartbeat_ms: u32,
    },
    /// Which of your runs to stop.
    Verdicts(Verdicts),
    /// Jobs for you.
    Grants(Grants),
    /// Your results up to this number are kept.
    Settled {
        /// The number.
        through: i64,
    },
    /// Lines of this run up to this one are kept.
    Logged {
        /// The run.
        run: RunId,
        /// The line.
        through: u64,
    },
    /// End these runs.
    Cancel {
        /// The runs.
        runs: Vec<CancelRun>,
    },
    /// Say this to servers. Repeated until it is answered.
    Orders {
        /// What.
        orders: Vec<Order>,
    },
    /// I was made your home by the promotion with this number: follow it if you know of no higher one.
    Promoted {
        /// The number.
        number: u64,
    },
    /// About rows.
    #[serde(skip)]
    Sync(Packed),
    /// I stop; come back after this long, not all at once.
    Stopping {
        /// How long to wait.
        retry_after_ms: u32,
    },
}

/// Who a runner says it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The protocol versions it speaks, least and most.
    pub versions: (u32, u32),
    /// The host it joined as.
    pub host: HostId,
    /// Which of its keys it holds.
    pub key_version: i32,
    /// Its nonce.
    pub nonce: Bytes32,
    /// A random name of this run of the process: tells a return from a copy.
    pub incarnation: String,
    /// The operating system's name of this boot.
    pub boot_id: String,
    /// The runner's version.
    pub runner_version: String,
    /// The name it would like, if no person has set one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What machine it is.
    pub machine: Machine,
    /// The queues it serves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queues: Vec<String>,
    /// Its clock.
    pub time: Timestamp,
    /// What it understands beyond the plain protocol.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caps: Vec<String>,
    /// Where its work comes from, if not from this hub: this one is a mirror to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// The promotion by which that is so, if it is by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotion: Option<Promotion>,
}

/// The hub's question, with the proof that it is the hub the runner joined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    /// The version both will speak.
    pub version: u32,
    /// The hub's nonce.
    pub nonce: Bytes32,
    /// The hub's signature over the runner's nonce.
    pub proof: Bytes64,
    /// The hub's clock.
    pub time: Timestamp,
}

/// A runner's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// Its signature over both nonces.
    pub signature: Bytes64,
}

/// The session begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Welcome {
    /// The session's number; grows with every session of this host.
    pub epoch: i64,
    /// A secret for plain HTTP requests of this session.
    pub session_token: String,
    /// The host's name, as people know it.
    pub name: String,
    /// The pace of heartbeats.
    pub heartbeat_ms: u32,
    /// Set if the runner is to make a key of this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate_to: Option<i32>,
    /// The hub's version.
    pub hub_version: String,
    /// The host's clock minus the hub's.
    pub clock_skew_ms: i64,
    /// How long the hub may be silent before leased runs are ended.
    #[serde(default)]
    pub lost_after_ms: u32,
    /// What the hub understands beyond the plain protocol.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caps: Vec<String>,
}

/// The door is closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    /// Why, for programs.
    pub code: Code,
    /// Why, for people, with the way out.
    pub detail: String,
    /// When to try again; absent if trying again is pointless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u32>,
}

/// A runner's next key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rotate {
    /// Its version.
    pub version: i32,
    /// Its public half.
    pub public_key: Bytes32,
    /// The old key's signature over the new one.
    pub signature: Bytes64,
    /// The new key's signature over itself: the runner really has it.
    pub possession: Bytes64,
}

/// A sign of life.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// Its number in this session.
    pub seq: u64,
    /// The runner's clock.
    pub time: Timestamp,
    /// How long the answer to the last one took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip_ms: Option<u32>,
    /// How the machine is.
    pub metrics: HostMetrics,
}

/// A planned end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Goodbye {
    /// Why, as in `stop`, `restart`, `sleep`.
    pub reason: String,
}

/// Asks to make a machine a host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// The join token.
    pub token: String,
    /// The public half of the key the machine made.
    #[schema(value_type = String)]
    pub public_key: Bytes32,
    /// The name it would like.
    pub name: String,
    /// Whether silence is a fault; the token's word wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always_on: Option<bool>,
    /// What machine it is.
    pub machine: Machine,
    /// The runner's version.
    pub runner_version: String,
    /// Its nonce, for the hub's proof.
    #[schema(value_type = String)]
    pub nonce: Bytes32,
    /// Who the machine is to others already, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub host_id: Option<HostId>,
}

/// A machine is now a host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JoinAccepted {
    /// Its id.
    #[schema(value_type = String)]
    pub host_id: HostId,
    /// Its name; `name_was_taken` if it is not the one it asked for.
    pub name: String,
    /// Whether the wish had to be changed.
    pub name_was_taken: bool,
    /// The slug of its org.
    pub org: String,
    /// The version of its key.
    pub key_version: i32,
    /// Whether silence is a fault.
    pub always_on: bool,
    /// The hub's signature over the nonce: this answer is from the hub named in the token.
    #[schema(value_type = String)]
    pub proof: Bytes64,
    /// The hub's clock.
    #[schema(value_type = String, format = DateTime)]
    pub time: Timestamp,
}

/// What is signed, so that a signature made for one purpose fits no other.
pub mod signed {
    use super::{Bytes32, HostId};

    fn message(purpose: &str, parts: &[&[u8]]) -> Vec<u8> {
        let mut bytes = format!("hostler {purpose} v1\0").into_bytes();
        for part in parts {
            bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
            bytes.extend_from_slice(part);
        }
        bytes
    }

    /// By the hub: "I am the hub you joined, and I answer you now."
    #[must_use]
    pub fn hub_proof(hub_key: &Bytes32, runner_nonce: &Bytes32) -> Vec<u8> {
        message("hub proof", &[&hub_key.0, &runner_nonce.0])
    }

    /// By the runner: "I am this host, and I talk to that hub now."
    #[must_use]
    pub fn runner_proof(
        hub_key: &Bytes32,
        hub_nonce: &Bytes32,
        runner_nonce: &Bytes32,
        host: HostId,
        version: i32,
    ) -> Vec<u8> {
        message("runner proof", &[&hub_key.0, &hub_nonce.0, &runner_nonce.0, &host.to_bytes(), &version.to_be_bytes()])
    }

    /// By the old and by the new key of a host: "this is my next key."
    #[must_use]
    pub fn next_key(host: HostId, version: i32, public_key: &Bytes32) -> Vec<u8> {
        message("next key", &[&host.to_bytes(), &version.to_be_bytes(), &public_key.0])
    }
}

/// Whether `signature` over `message` was made by the owner of `key`.
#[must_use]
pub fn is_signed_by(key: &Bytes32, message: &[u8], signature: &Bytes64) -> bool {
    VerifyingKey::from_bytes(&key.0).is_ok_and(|key| key.verify(message, &Signature::from_bytes(&signature.0)).is_ok())
}

/// How people compare keys: the first half of the hash, in hexadecimal.
#[must_use]
pub fn fingerprint(key: &Bytes32) -> String {
    let digest: [u8; 32] = Sha256::digest(key.0).into();
    data_encoding::HEXLOWER.encode(&digest[..16])
}

/// The version both sides speak, if there is one.
#[must_use]
pub fn common_version(ours: (u32, u32), theirs: (u32, u32)) -> Option<u32> {
    let version = ours.1.min(theirs.1);
    (version >= ours.0 && version >= theirs.0).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_meet_at_the_newest_both_know() {
        for (ours, theirs, common) in
            [((1, 1), (1, 1), Some(1)), ((1, 3), (2, 5), Some(3)), ((2, 3), (1, 1), None), ((1, 1), (2, 2), None)]
        {
            assert_eq!(common_version(ours, theirs), common);
        }
    }

    #[test]
    fn frames_are_tagged_and_readable() {
        let frame = ToHub::Goodbye(Goodbye { reason: "stop".into() });
        assert_eq!(serde_json::to_string(&frame).expect("serialises"), r#"{"type":"goodbye","reason":"stop"}"#);
    }

    #[test]
    fn a_frame_is_read_the_same_wherever_its_tag_stands() {
        let frame = ToHub::Results(Results { after: 0, through: 7, results: Vec::new(), credit: Some(3) });
        let text = serde_json::to_string(&frame).expect("serialises");
        assert_eq!(first_tag(&text), Some("results"), "ours stands first: {text}");
        let turned = r#"{"credit":3,"results":[],"through":7,"after":0,"type":"results"}"#;
        assert_eq!(ToHub::parse(&text).expect("reads"), frame);
        assert_eq!(ToHub::parse(turned).expect("reads"), frame);
        let frame = ToRunner::Grants(crate::work::Grants { grants: Vec::new(), definitions: Vec::new() });
        let text = serde_json::to_string(&frame).expect("serialises");
        assert_eq!(first_tag(&text), Some("grants"));
        assert_eq!(ToRunner::parse(&text).expect("reads"), frame);
        assert!(ToHub::parse(r#"{"type":"results"}"#).is_err(), "a tag alone is no frame");
    }

    #[test]
    fn a_signature_fits_one_purpose_only() {
        use ed25519_dalek::{Signer, SigningKey};
        let key = SigningKey::from_bytes(&[3; 32]);
        let public = Bytes32(key.verifying_key().to_bytes());
        let nonce = Bytes32([1; 32]);
        let signature = Bytes64(key.sign(&signed::hub_proof(&public, &nonce)).to_bytes());
        assert!(is_signed_by(&public, &signed::hub_proof(&public, &nonce), &signature));
        assert!(!is_signed_by(&public, &signed::hub_proof(&public, &Bytes32([2; 32])), &signature));
        let host = HostId::from_bytes([0; 16]);
        assert!(!is_signed_by(&public, &signed::next_key(host, 1, &public), &signature));
    }
}
