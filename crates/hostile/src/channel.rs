//! A WebSocket to a hub that sends any text and any bytes, and the handshake of a runner, written against the documented
//! bytes instead of the functions of hub and runner.

use std::{
    io,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use domain::HostId;
use ed25519_dalek::{Signer as _, SigningKey};
use futures_util::{SinkExt as _, StreamExt as _};
use proto::{
    link::{Bytes32, Bytes64, Hello, ToHub},
    metrics::Machine,
};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{ClientRequestBuilder, Message, protocol::WebSocketConfig},
};

/// Time limit of every wait: an answer that takes longer counts as missing.
pub const ANSWER_TIME_MAX: Duration = Duration::from_secs(20);

/// A connection to a hub: TCP, TLS or a pipe.
pub trait Transport: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Transport for T {}

/// A frame as it is on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RawFrame {
    Text(String),
    Binary(Vec<u8>),
}

impl RawFrame {
    /// The bytes of the frame.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Binary(bytes) => bytes.len(),
        }
    }

    /// Whether the frame has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The WebSocket of a link.
pub struct Channel(WebSocketStream<Box<dyn Transport>>);

impl Channel {
    /// Opens the WebSocket. `authority` is the name of the hub in the request.
    ///
    /// # Errors
    /// The hub does not open a link on this connection.
    pub async fn open(stream: impl Transport + 'static, authority: &str) -> io::Result<Self> {
        let url = format!("ws://{authority}/api/v1/link");
        let request = ClientRequestBuilder::new(url.parse().map_err(io::Error::other)?);
        // No limits: the attacker sends what the hub must reject.
        let mut config = WebSocketConfig::default();
        config.max_message_size = None;
        config.max_frame_size = None;
        let stream: Box<dyn Transport> = Box::new(stream);
        let opening = client_async_with_config(request, stream, Some(config));
        let opened = tokio::time::timeout(ANSWER_TIME_MAX, opening).await.map_err(io::Error::other)?;
        opened.map(|(socket, _)| Self(socket)).map_err(io::Error::other)
    }

    /// Sends a frame.
    ///
    /// # Errors
    /// The hub has closed the connection.
    pub async fn send(&mut self, frame: RawFrame) -> io::Result<()> {
        let message = match frame {
            RawFrame::Text(text) => Message::text(text),
            RawFrame::Binary(bytes) => Message::binary(bytes),
        };
        let sent = tokio::time::timeout(ANSWER_TIME_MAX, self.0.send(message)).await.map_err(io::Error::other)?;
        sent.map_err(io::Error::other)
    }

    /// The next frame as JSON; `None` when the hub has closed the connection or sends nothing for too long.
    pub async fn receive(&mut self) -> Option<Value> {
        let reading = async {
            loop {
                match self.0.next().await? {
                    Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                    Ok(Message::Close(_)) | Err(_) => return None,
                    Ok(_) => {}
                }
            }
        };
        tokio::time::timeout(ANSWER_TIME_MAX, reading).await.ok().flatten()
    }
}

/// The key of a joined host.
#[derive(Clone)]
pub struct HostKey {
    pub host: HostId,
    pub version: i32,
    pub hub_key: Bytes32,
    pub key: SigningKey,
}

impl HostKey {
    /// The key with this seed; the host id comes from the join.
    #[must_use]
    pub fn new(seed: [u8; 32], host: HostId, hub_key: Bytes32) -> Self {
        Self { host, version: 1, hub_key, key: SigningKey::from_bytes(&seed) }
    }

    /// The public key of a seed, for the join.
    #[must_use]
    pub fn public(seed: [u8; 32]) -> Bytes32 {
        Bytes32(SigningKey::from_bytes(&seed).verifying_key().to_bytes())
    }

    /// Signs any message.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Bytes64 {
        Bytes64(self.key.sign(message).to_bytes())
    }

    /// The bytes that a runner signs to open a session.
    #[must_use]
    pub fn proof(&self, purpose: &str, hub_nonce: &Bytes32, own_nonce: &Bytes32) -> Bytes64 {
        let version = self.version.to_be_bytes();
        let host = self.host.to_bytes();
        self.sign(&signed_bytes(purpose, &[&self.hub_key.0, &hub_nonce.0, &own_nonce.0, &host, &version]))
    }
}

/// The documented bytes of a signature: the purpose with a NUL, then each part after its length in eight bytes.
#[must_use]
pub fn signed_bytes(purpose: &str, parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::from("hostler ");
    bytes.extend_from_slice(purpose.as_bytes());
    bytes.extend_from_slice(b" v1\0");
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part);
    }
    bytes
}

/// A nonce that no other handshake of this process has used.
#[must_use]
pub fn nonce() -> Bytes32 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let mut bytes = [0x5a; 32];
    bytes[..8].copy_from_slice(&NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes());
    Bytes32(bytes)
}

/// The hello of a host.
#[must_use]
pub fn hello(host: HostId, incarnation: &str, queues: &[&str]) -> Hello {
    Hello {
        versions: (1, 1),
        host,
        key_version: 1,
        nonce: nonce(),
        incarnation: incarnation.to_owned(),
        boot_id: "boot".to_owned(),
        runner_version: proto::VERSION.to_owned(),
        name: None,
        machine: Machine::default(),
        queues: queues.iter().map(|queue| (*queue).to_owned()).collect(),
        is_bound: false,
        time: domain::Timestamp::from_micros(1_700_000_000_000_000),
        caps: vec![proto::sync::SERVERS.to_owned(), proto::sync::STANDALONE.to_owned()],
        primary_hub: None,
        promotion: None,
    }
}

/// Why a handshake ended: the `refused` frame of the hub, or JSON null if it closed the connection without one.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal(pub Value);

impl Refusal {
    /// The error code of the hub; empty if there is none.
    #[must_use]
    pub fn code(&self) -> &str {
        self.0["code"].as_str().unwrap_or_default()
    }
}

/// The frame as JSON text.
#[must_use]
pub fn text_of(frame: &ToHub) -> RawFrame {
    RawFrame::Text(serde_json::to_string(frame).expect("frames have JSON forms"))
}

/// Sends hello, waits for the challenge, signs it and returns the welcome.
///
/// # Errors
/// The hub refused the runner.
pub async fn handshake(channel: &mut Channel, key: &HostKey, hello: &Hello) -> Result<Value, Refusal> {
    let purpose = "runner proof";
    handshake_with(channel, hello, |hub_nonce| key.proof(purpose, hub_nonce, &hello.nonce)).await
}

/// A handshake with a proof of the caller's choice.
///
/// # Errors
/// The hub refused the runner.
pub async fn handshake_with(
    channel: &mut Channel,
    hello: &Hello,
    prove: impl FnOnce(&Bytes32) -> Bytes64,
) -> Result<Value, Refusal> {
    let gone = |_| Refusal(Value::Null);
    channel.send(text_of(&ToHub::Hello(Box::new(hello.clone())))).await.map_err(gone)?;
    let challenge = expect(channel, "challenge").await?;
    let hub_nonce: Bytes32 = serde_json::from_value(challenge["nonce"].clone()).map_err(|_| Refusal(challenge))?;
    let proof = json!({"type": "proof", "signature": prove(&hub_nonce)});
    channel.send(RawFrame::Text(proof.to_string())).await.map_err(gone)?;
    expect(channel, "welcome").await
}

async fn expect(channel: &mut Channel, tag: &str) -> Result<Value, Refusal> {
    match channel.receive().await {
        Some(frame) if frame["type"] == tag => Ok(frame),
        Some(frame) => Err(Refusal(frame)),
        None => Err(Refusal(Value::Null)),
    }
}
