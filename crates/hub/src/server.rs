//! Listeners: TCP with TLS or plain HTTP on one port (the first byte decides), the local Unix socket, and in-process
//! pipes.

use std::{
    fmt,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::Duration,
};

use axum::Router;
use domain::Span;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use proto::link::{Bytes32, ChannelBinding, HUB_SERVER_NAME};
use rustls::{
    ProtocolVersion, ServerConfig, ServerConnection,
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, pem::PemObject as _},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream, UnixListener, UnixStream},
};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

use crate::{
    Error, Hub, Result,
    connections::{ConnectionPlace, Connections},
    error,
    http::allowed_host::PinnedTls,
    local_peer,
    options::BrowserTls,
    stalled_write::{STALL_MAX, StalledWrite},
};

/// Time limit for the TLS handshake, and for the request headers.
const HEADERS_TIME_MAX: Duration = Duration::from_secs(10);
/// Time that connections, loops and the store each have to end by themselves at shutdown.
const STOP_GRACE: Duration = Duration::from_secs(8);

/// Ends the current minute, for counts per minute.
const MINUTE: Span = Span::from_secs(60);

/// The client side of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    Tcp {
        address: SocketAddr,
        is_tls: bool,
    },
    /// A process that connected to the local Unix socket: the hub's own user or root.
    Local {
        uid: u32,
    },
    /// A pipe within this process.
    Memory,
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { address, .. } => write!(f, "{}", address.ip()),
            Self::Local { .. } => f.write_str("local"),
            Self::Memory => f.write_str("the same process"),
        }
    }
}

/// Listeners of a hub.
pub struct Listeners {
    /// `None` if the hub is reachable by its local socket only.
    pub tcp: Option<TcpListener>,
    pub local: Option<LocalSocket>,
}

/// A Unix socket with mode 0600. Dropping it removes its file.
pub struct LocalSocket {
    listener: UnixListener,
    path: PathBuf,
}

impl LocalSocket {
    /// Binds the socket. Replaces a file that a killed hub left: the caller holds the lock on the database, so no other
    /// hub is listening on it.
    ///
    /// # Errors
    /// The folder is not writable.
    pub fn bind(path: &Path) -> std::io::Result<Self> {
        use std::os::unix::fs::PermissionsExt as _;
        if path.exists() {
            std::fs::remove_file(path)?;
        }
        let listener = UnixListener::bind(path)?;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
        Ok(Self { listener, path: path.to_owned() })
    }
}

impl Drop for LocalSocket {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Hub {
    /// Serves until `shutdown`, then stops in order: report not ready, close the listeners, send runners a reconnect
    /// time, finish the current pass of each loop, close the store.
    ///
    /// # Errors
    /// The TLS settings are invalid.
    pub async fn serve(&self, listeners: Listeners, shutdown: impl Future<Output = ()>) -> Result<()> {
        let server = Server::new(self)?;
        let Listeners { tcp, local } = listeners;
        let accept_local = async {
            match &local {
                Some(local) => server.accept_local(&local.listener).await,
                None => std::future::pending().await,
            }
        };
        let accept_tcp = async {
            match &tcp {
                Some(tcp) => server.accept_tcp(tcp).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = accept_tcp => {}
            () = accept_local => {}
            () = shutdown => {}
        }
        tracing::info!("stopping; a second signal ends the process immediately");
        self.stopping().begin();
        drop((tcp, local));
        self.stop().await;
        Ok(())
    }

    /// Stops connections, loops and the store, in this order: loops still write for open connections, and both need the
    /// store.
    pub async fn stop(&self) {
        self.stopping().begin();
        let left = self.tasks.stop(STOP_GRACE).await;
        if left > 0 {
            tracing::warn!(connections = left, "some connections did not close in time");
        }
        self.loops.stop(STOP_GRACE).await;
        let written = tokio::time::timeout(STOP_GRACE, self.write_repetitions(self.now() + MINUTE)).await;
        if !matches!(written, Ok(Ok(()))) {
            tracing::warn!("the counts of repeated audit lines of the last minute were not written");
        }
        if tokio::time::timeout(STOP_GRACE, self.store.close()).await.is_err() {
            tracing::warn!("the database did not close in time");
        }
    }

    /// Serves one connection from within this process. The runner of `hostler up` uses it.
    pub fn serve_pipe(&self, pipe: tokio::io::DuplexStream) {
        let (app, hub) = (self.app(), self.clone());
        self.tasks.spawn(async move { serve_connection(&hub, app, pipe, Origin::of(Peer::Memory)).await });
    }
}

struct Server {
    hub: Hub,
    app: Router,
    tls: TlsAcceptor,
    connections: Arc<Connections>,
}

impl Server {
    fn new(hub: &Hub) -> Result<Self> {
        let connections = Connections::new(hub.options.connections_per_address);
        Ok(Self { hub: hub.clone(), app: hub.app(), tls: tls(hub)?, connections })
    }

    async fn accept_tcp(&self, listener: &TcpListener) {
        loop {
            let Some(room) = self.connections.room().await else { return };
            match listener.accept().await {
                Ok((stream, address)) => {
                    let is_trusted = self.hub.options.trusts(address.ip());
                    if let Some(place) = self.connections.take(room, address.ip(), is_trusted) {
                        self.take_tcp(stream, address, place);
                    }
                }
                Err(error) => pause_after(&error).await,
            }
        }
    }

    fn take_tcp(&self, stream: TcpStream, address: SocketAddr, place: Arc<ConnectionPlace>) {
        let (hub, app, tls) = (self.hub.clone(), self.app.clone(), self.tls.clone());
        self.hub.tasks.spawn(async move {
            let _ = stream.set_nodelay(true);
            let mut first = [0];
            // 0x16 is a TLS handshake; no HTTP method begins with it.
            match tokio::time::timeout(HEADERS_TIME_MAX, stream.peek(&mut first)).await {
                Ok(Ok(1)) if first[0] == 0x16 => {
                    let accepted = tokio::time::timeout(HEADERS_TIME_MAX, tls.accept(stream)).await;
                    if let Ok(Ok(stream)) = accepted {
                        let connection = stream.get_ref().1;
                        let origin = Origin {
                            peer: Peer::Tcp { address, is_tls: true },
                            place: Some(place),
                            is_pinned: connection.server_name() == Some(HUB_SERVER_NAME),
                            binding: channel_binding(connection),
                        };
                        serve_connection(&hub, app, stream, origin).await;
                    }
                }
                Ok(Ok(1)) => {
                    let origin = Origin { place: Some(place), ..Origin::of(Peer::Tcp { address, is_tls: false }) };
                    serve_connection(&hub, app, stream, origin).await;
                }
                _ => {}
            }
        });
    }

    async fn accept_local(&self, listener: &UnixListener) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => self.take_local(stream),
                Err(error) => pause_after(&error).await,
            }
        }
    }

    fn take_local(&self, stream: UnixStream) {
        let owner = nix::unistd::geteuid().as_raw();
        // The file's mode already rejects other users, except root, which is allowed.
        let Ok(peer) = stream.peer_cred() else { return };
        let (uid, pid) = (peer.uid(), peer.pid());
        if uid != owner && uid != 0 {
            return;
        }
        let (hub, app) = (self.hub.clone(), self.app.clone());
        self.hub.tasks.spawn(async move {
            let checked = tokio::task::spawn_blocking(move || local_peer::check(pid)).await;
            let app = match checked.map_err(Error::internal).flatten() {
                Ok(()) => app,
                Err(Error { problem, .. }) => {
                    tracing::debug!(peer.pid = pid, "rejected a process of a job at the local socket");
                    Router::new().fallback(move || std::future::ready(error::body(&problem)))
                }
            };
            serve_connection(&hub, app, stream, Origin::of(Peer::Local { uid })).await;
        });
    }
}

/// Waits after a failed `accept`. When file descriptors run out, it fails again immediately; without the pause the
/// accept loop would use a whole core.
async fn pause_after(error: &std::io::Error) {
    tracing::warn!(error = %error, "cannot accept a connection");
    tokio::time::sleep(Duration::from_millis(100)).await;
}

/// The binding of a TLS connection that ends here, for the proofs of a runner on it. Runners that recognize the hub's
/// key use TLS 1.3; older versions would need the extended master secret for an exporter.
fn channel_binding(connection: &ServerConnection) -> Option<ChannelBinding> {
    let is_tls13 = connection.protocol_version() == Some(ProtocolVersion::TLSv1_3);
    let exported = connection.export_keying_material([0; 32], ChannelBinding::EXPORTER_LABEL, None);
    exported.ok().filter(|_| is_tls13).map(|bytes| ChannelBinding(Bytes32(bytes)))
}

/// Where a connection comes from, known before its first request.
struct Origin {
    peer: Peer,
    place: Option<Arc<ConnectionPlace>>,
    /// Whether the client named [`HUB_SERVER_NAME`], as runners do.
    is_pinned: bool,
    binding: Option<ChannelBinding>,
}

impl Origin {
    const fn of(peer: Peer) -> Self {
        Self { peer, place: None, is_pinned: false, binding: None }
    }
}

async fn serve_connection(
    hub: &Hub,
    app: Router,
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    origin: Origin,
) {
    let Origin { peer, place, is_pinned, binding } = origin;
    let stream = StalledWrite::new(stream, STALL_MAX, place.clone());
    // Weak: the stream alone keeps the place, because it outlives the requests and they outlive an upgrade.
    let place = place.as_ref().map(Arc::downgrade);
    let service =
        TowerToHyperService::new(app.map_request(move |mut request: hyper::Request<hyper::body::Incoming>| {
            request.extensions_mut().insert(peer);
            if let Some(place) = place.as_ref().and_then(Weak::upgrade) {
                request.extensions_mut().insert(place);
            }
            if let Some(binding) = binding {
                request.extensions_mut().insert(binding);
            }
            if is_pinned {
                request.extensions_mut().insert(PinnedTls);
            }
            request.map(axum::body::Body::new)
        }));
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADERS_TIME_MAX).max_buf_size(64 * 1024);
    let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let stopping = hub.tasks.stopping();
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::trace!(%peer, error = %error, "a connection failed");
    }
}

/// Chooses between two certificates on one port by the requested server name: the hub's own for runners, which pin
/// its key, and the configured one for browsers.
#[derive(Debug)]
struct TwoFaces {
    for_runners: Arc<CertifiedKey>,
    for_browsers: Option<Arc<CertifiedKey>>,
}

impl ResolvesServerCert for TwoFaces {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let is_runner = hello.server_name() == Some(HUB_SERVER_NAME);
        let browsers = self.for_browsers.as_ref().filter(|_| !is_runner);
        Some(browsers.unwrap_or(&self.for_runners).clone())
    }
}

fn tls(hub: &Hub) -> Result<TlsAcceptor> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let certified = |chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>| -> Result<Arc<CertifiedKey>> {
        CertifiedKey::from_der(chain, key, &provider).map(Arc::new).map_err(Error::internal)
    };
    let own = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(hub.identity.private_key.clone()));
    let for_runners = certified(vec![CertificateDer::from(hub.identity.certificate.clone())], own)?;
    let for_browsers = match &hub.options.browser_tls {
        Some(BrowserTls { certificates, key }) => {
            let unusable = |error: &dyn std::fmt::Display| {
                Error::new(proto::Code::ConfigInvalid, format!("cannot use the browser TLS certificate: {error}")).hint(
                    "check hub.tls_cert and hub.tls_key: both must be PEM, and the key must match the certificate",
                )
            };
            let chain = CertificateDer::pem_slice_iter(certificates.as_bytes());
            let chain = chain.collect::<std::result::Result<Vec<_>, _>>().map_err(|error| unusable(&error))?;
            let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).map_err(|error| unusable(&error))?;
            Some(certified(chain, key).map_err(|_| unusable(&"the key does not match the certificate"))?)
        }
        None => None,
    };
    let mut config = ServerConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(Error::internal)?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(TwoFaces { for_runners, for_browsers }));
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
