//! Connections to a hub: over TCP (plain on loopback, else TLS pinned to the hub's key) or through a pipe inside one
//! process.

use std::{net::IpAddr, sync::Arc, time::Duration};

use http::{Request, Uri};
use http_body_util::{BodyExt as _, Full};
use proto::{
    Code, Problem,
    link::{Bytes32, Bytes64, ChannelBinding, HUB_SERVER_NAME, is_signed_by, signed},
};
use rustls::pki_types::ServerName;
use serde::{Serialize, de::DeserializeOwned};
use tokio::{
    io::{AsyncRead, AsyncWrite, DuplexStream},
    net::TcpStream,
};

use crate::{Error, Result, pin};

/// Time limit for connecting, and again for the TLS handshake.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);
/// Time limit for a request.
const REQUEST_TIME_MAX: Duration = Duration::from_secs(30);
/// Largest response body, in bytes.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;

/// A connection to a hub.
pub trait Transport: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Transport for T {}

/// An open connection to a hub.
pub struct HubConnection {
    pub stream: Box<dyn Transport>,
    /// Set if the server has the hub's own key, which means that TLS ends at the hub. Then the hub's proofs must sign
    /// it. Absent on loopback without TLS, in a pipe, and if TLS ends at a proxy that an authority vouches for.
    pub binding: Option<ChannelBinding>,
}

impl HubConnection {
    fn unbound(stream: impl Transport + 'static) -> Self {
        Self { stream: Box::new(stream), binding: None }
    }
}

/// How to reach a hub.
#[derive(Clone)]
pub enum Dial {
    Url(Arc<HubUrl>),
    /// A hub in the same process: each call returns a new pipe to it.
    Pipe(Arc<dyn Fn() -> DuplexStream + Send + Sync>),
}

/// The address of a hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubUrl {
    is_https: bool,
    host: String,
    port: u16,
    /// Path before `/api`, if a proxy in front of the hub adds one.
    prefix: String,
}

impl HubUrl {
    /// Parses an address such as `http://10.0.0.5:7411`.
    ///
    /// # Errors
    /// The text is not an HTTP address.
    pub fn parse(text: &str) -> Result<Self> {
        let refuse = |why: &str| {
            Error::new(Code::InvalidValue, format!("`{text}` is not the address of a hub: {why}"))
                .hint("example of an address: http://10.0.0.5:7411")
        };
        let uri: Uri = text.parse().map_err(|_| refuse("it is not a valid URL"))?;
        let is_https = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(refuse("it must start with http:// or https://")),
        };
        let host = uri.host().ok_or_else(|| refuse("the host name is missing"))?;
        let default = if is_https { 443 } else { 80 };
        Ok(Self {
            is_https,
            host: host.trim_start_matches('[').trim_end_matches(']').to_owned(),
            port: uri.port_u16().unwrap_or(default),
            prefix: uri.path().trim_end_matches('/').to_owned(),
        })
    }

    /// Whether the address is on this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.host == "localhost" || self.host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    fn authority(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

impl Dial {
    /// Connects to the hub at this address.
    ///
    /// # Errors
    /// The text is not an HTTP address.
    pub fn url(text: &str) -> Result<Self> {
        Ok(Self::Url(Arc::new(HubUrl::parse(text)?)))
    }

    /// The name of the hub in messages.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Url(url) => url.authority(),
            Self::Pipe(_) => "the hub in this process".to_owned(),
        }
    }

    /// The full address of a path on the hub.
    #[must_use]
    pub fn uri(&self, scheme: &str, path: &str) -> String {
        match self {
            Self::Url(url) => format!("{scheme}://{}{}{path}", url.authority(), url.prefix),
            Self::Pipe(_) => format!("{scheme}://hostler{path}"),
        }
    }

    /// Connects to the hub with this key.
    ///
    /// # Errors
    /// The hub cannot be reached, or has another key.
    pub async fn connect(&self, hub_key: Bytes32) -> Result<HubConnection> {
        let url = match self {
            Self::Pipe(pipe) => return Ok(HubConnection::unbound(pipe())),
            Self::Url(url) => url,
        };
        let unreachable = |why: String| {
            Error::new(Code::HubUnreachable, format!("cannot reach the hub at {}: {why}", url.authority()))
                .hint("check that the hub is running and that this machine can reach that address")
        };
        let connecting = tokio::time::timeout(CONNECT_TIME_MAX, TcpStream::connect((url.host.as_str(), url.port)));
        let stream = connecting
            .await
            .map_err(|_| unreachable("the connection timed out".to_owned()))?
            .map_err(|error| unreachable(error.to_string()))?;
        let _ = stream.set_nodelay(true);
        if !url.is_https && url.is_loopback() {
            return Ok(HubConnection::unbound(stream));
        }
        // For this server name the port presents the hub's own certificate, whichever one it presents to browsers.
        let name = if url.is_https { url.host.clone() } else { HUB_SERVER_NAME.to_owned() };
        let name = ServerName::try_from(name).map_err(|error| unreachable(error.to_string()))?;
        let tls = tokio_rustls::TlsConnector::from(Arc::new(pin::config(hub_key, url.is_https)?));
        let shaking = tokio::time::timeout(CONNECT_TIME_MAX, tls.connect(name, stream)).await;
        match shaking.map_err(|_| unreachable("the TLS handshake timed out".to_owned()))? {
            Ok(stream) => {
                let binding = pin::binding(hub_key, stream.get_ref().1)?;
                Ok(HubConnection { stream: Box::new(stream), binding })
            }
            Err(error) if is_wrong_key(&error, url.is_https) => Err(wrong_hub(&url.authority())),
            Err(error) => Err(unreachable(error.to_string())),
        }
    }

    /// Sends an HTTP request to the hub.
    ///
    /// # Errors
    /// The hub cannot be reached, or returns a problem.
    pub async fn ask<B: Serialize, T: DeserializeOwned>(
        &self,
        hub_key: Bytes32,
        method: &str,
        path: &str,
        bearer: Option<&str>,
        body: Option<&B>,
    ) -> Result<T> {
        let connection = self.connect(hub_key).await?;
        self.ask_on(connection, method, path, bearer, body).await
    }

    /// Sends an HTTP request on this connection.
    ///
    /// # Errors
    /// The connection is lost, or the hub returns a problem.
    pub async fn ask_on<B: Serialize, T: DeserializeOwned>(
        &self,
        connection: HubConnection,
        method: &str,
        path: &str,
        bearer: Option<&str>,
        body: Option<&B>,
    ) -> Result<T> {
        let asked = tokio::time::timeout(REQUEST_TIME_MAX, self.ask_now(connection, method, path, bearer, body)).await;
        asked.unwrap_or_else(|_| {
            Err(Error::new(Code::HubUnreachable, format!("{} did not answer in time", self.name())))
        })
    }

    async fn ask_now<B: Serialize, T: DeserializeOwned>(
        &self,
        connection: HubConnection,
        method: &str,
        path: &str,
        bearer: Option<&str>,
        body: Option<&B>,
    ) -> Result<T> {
        let broken = |error: &dyn std::fmt::Display| {
            Error::new(Code::HubUnreachable, format!("the connection to {} was lost: {error}", self.name()))
        };
        let stream = hyper_util::rt::TokioIo::new(connection.stream);
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(stream).await.map_err(|error| broken(&error))?;
        let bytes = body.map(serde_json::to_vec).transpose().map_err(|error| broken(&error))?.unwrap_or_default();
        let mut request = Request::builder()
            .method(method)
            .uri(self.path(path))
            .header("host", self.host())
            .header("content-type", "application/json");
        if let Some(bearer) = bearer {
            request = request.header("authorization", format!("Bearer {bearer}"));
        }
        let request = request.body(Full::new(bytes::Bytes::from(bytes))).map_err(|error| broken(&error))?;
        let exchange = async {
            let response = sender.send_request(request).await.map_err(|error| broken(&error))?;
            let status = response.status();
            let body = http_body_util::Limited::new(response.into_body(), ANSWER_BYTES_MAX)
                .collect()
                .await
                .map_err(|error| broken(&error))?
                .to_bytes();
            Ok::<_, Error>((status, body))
        };
        let (status, body) = tokio::select! {
            answer = exchange => answer?,
            ended = connection => return Err(broken(&ended.err().map_or_else(|| "it was closed".to_owned(), |error| error.to_string()))),
        };
        if !status.is_success() {
            let problem: Problem = serde_json::from_slice(&body).map_err(|_| {
                Error::new(
                    Code::HubUnreachable,
                    format!("{} returned {status} without an error body, so it may not be a hub", self.name()),
                )
            })?;
            return Err(problem.into());
        }
        let body: &[u8] = if body.is_empty() { b"null" } else { &body };
        serde_json::from_slice(body).map_err(|error| {
            Error::new(Code::VersionMismatch, format!("cannot read the hub's response: {error}"))
                .hint("install the same version on the hub and on this machine")
        })
    }

    fn path(&self, path: &str) -> String {
        match self {
            Self::Url(url) => format!("{}{path}", url.prefix),
            Self::Pipe(_) => path.to_owned(),
        }
    }

    pub(crate) fn host(&self) -> String {
        match self {
            Self::Url(url) => url.authority(),
            Self::Pipe(_) => "hostler".to_owned(),
        }
    }
}

/// Whether a handshake failed because of the server's key. A server without an Ed25519 key finds no common signature
/// scheme where only the hub's key counts.
fn is_wrong_key(error: &std::io::Error, allows_authorities: bool) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match inner {
        Some(rustls::Error::InvalidCertificate(_)) => true,
        Some(rustls::Error::AlertReceived(rustls::AlertDescription::HandshakeFailure)) => !allows_authorities,
        _ => false,
    }
}

/// The error for a server with another key than the pinned one.
pub(crate) fn wrong_hub(address: &str) -> Error {
    Error::new(Code::HubKeyMismatch, format!("the hub at {address} does not have the expected key"))
        .hint("another server uses this address, or the hub was reinstalled: compare its key (run `hostler api GET /api/v1/hub` on the hub), then join again with a new token")
}

/// Checks that the hub signed the message for this connection.
///
/// # Errors
/// The signature is not by the hub's key, or is for another connection.
pub(crate) fn check_proof(
    hub: &str,
    hub_key: &Bytes32,
    nonce: &Bytes32,
    binding: Option<&ChannelBinding>,
    proof: &Bytes64,
) -> Result<()> {
    if is_signed_by(hub_key, &signed::hub_proof(hub_key, nonce, binding), proof) {
        return Ok(());
    }
    // With a binding, the certificate of this connection had the hub's key: the server has the key or forwards to it.
    if binding.is_some() {
        let detail = format!("the hub at {hub} did not sign this TLS connection");
        return Err(Error::new(Code::HubKeyMismatch, detail)
            .hint("update the hub; if it has this program's version, another machine forwards the connection"));
    }
    Err(wrong_hub(hub))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hub_addresses_are_parsed() {
        let url = HubUrl::parse("http://10.0.0.5:7411").expect("valid");
        assert_eq!((url.authority(), url.is_loopback(), url.is_https), ("10.0.0.5:7411".to_owned(), false, false));
        let url = HubUrl::parse("https://hub.example/ops/").expect("valid");
        assert_eq!((url.authority(), url.prefix.as_str(), url.is_https), ("hub.example:443".to_owned(), "/ops", true));
        assert!(HubUrl::parse("http://[::1]:7411").expect("valid").is_loopback());
        for wrong in ["", "10.0.0.5:7411", "ftp://hub", "hub"] {
            assert_eq!(HubUrl::parse(wrong).expect_err(wrong).code(), Code::InvalidValue);
        }
    }
}
