//! A hostile network: certificates that contain the hub's key without being made with it, and a proxy that ends TLS with
//! such a certificate and records the bytes it reads.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use domain::string_enum;
use proto::link::Bytes32;
use rcgen::{CertificateParams, CustomExtension, KeyPair};
use rustls::{
    ClientConfig, DigitallySignedStruct, ServerConfig, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::channel::Transport;

string_enum! {
    /// The signature scheme of a forged certificate.
    pub enum Scheme {
        Ed25519 = "ed25519",
        EcdsaP256 = "ecdsa_p256",
    }
}

/// A certificate and the private key of its owner, DER and PKCS #8.
#[derive(Clone)]
pub struct Certificate {
    pub der: Vec<u8>,
    pub key: Vec<u8>,
}

/// The DER encoding of an Ed25519 public key.
#[must_use]
pub fn public_key_der(key: &Bytes32) -> Vec<u8> {
    let mut der = vec![0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
    der.extend_from_slice(&key.0);
    der
}

/// A certificate with the attacker's own key that contains the hub's key in a private extension.
#[must_use]
pub fn forged(scheme: Scheme, hub_key: &Bytes32) -> Certificate {
    certificate(scheme, &[public_key_der(hub_key)])
}

/// A certificate with a new key and these private extensions.
#[must_use]
pub fn certificate(scheme: Scheme, extensions: &[Vec<u8>]) -> Certificate {
    let algorithm = match scheme {
        Scheme::Ed25519 => &rcgen::PKCS_ED25519,
        Scheme::EcdsaP256 => &rcgen::PKCS_ECDSA_P256_SHA256,
    };
    let pair = KeyPair::generate_for(algorithm).expect("a key pair");
    let name = proto::link::HUB_SERVER_NAME.to_owned();
    let mut parameters = CertificateParams::new(vec![name]).expect("a valid name");
    for (number, content) in extensions.iter().enumerate() {
        let oid = [1, 3, 6, 1, 4, 1, 99_999, number as u64 + 1];
        parameters.custom_extensions.push(CustomExtension::from_oid_content(&oid, content.clone()));
    }
    let made = parameters.self_signed(&pair).expect("a certificate");
    Certificate { der: made.der().to_vec(), key: pair.serialize_der() }
}

/// Shows one certificate to every client, whether or not its key fits.
#[derive(Debug)]
struct AlwaysThis(Arc<CertifiedKey>);

impl ResolvesServerCert for AlwaysThis {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.clone())
    }
}

/// A TLS server with this certificate.
///
/// # Errors
/// The private key cannot be parsed. The certificate is not checked: it may be damaged.
pub fn acceptor(certificate: &Certificate) -> Result<TlsAcceptor, rustls::Error> {
    let provider = Arc::new(ring::default_provider());
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(certificate.key.clone()));
    let key = provider.key_provider.load_private_key(key)?;
    let chain = vec![CertificateDer::from(certificate.der.clone())];
    let shown = AlwaysThis(Arc::new(CertifiedKey::new(chain, key)));
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(shown));
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// A client that accepts every certificate: the attacker's own connection to a hub.
#[derive(Debug)]
struct AcceptsAll(CryptoProvider);

impl ServerCertVerifier for AcceptsAll {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Opens TLS to a hub without checking who answers.
///
/// # Errors
/// The hub does not answer.
pub async fn connect_tls(address: SocketAddr) -> io::Result<impl Transport + 'static> {
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AcceptsAll(ring::default_provider())))
        .with_no_client_auth();
    let name = ServerName::try_from(proto::link::HUB_SERVER_NAME).map_err(io::Error::other)?;
    let stream = TcpStream::connect(address).await?;
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

/// A man in the middle: ends TLS with its own certificate and passes the bytes on to the hub over a TLS connection of its
/// own.
pub struct Middle {
    pub address: SocketAddr,
    read: Arc<Mutex<Vec<u8>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Middle {
    /// Starts the proxy in front of a hub.
    ///
    /// # Errors
    /// No port is free, or the certificate's key cannot be parsed.
    #[expect(clippy::disallowed_methods, reason = "ended by `stop`")]
    pub async fn start(hub: SocketAddr, certificate: &Certificate) -> io::Result<Self> {
        let acceptor = acceptor(certificate).map_err(io::Error::other)?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let (address, read) = (listener.local_addr()?, Arc::new(Mutex::new(Vec::new())));
        let log = read.clone();
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, log) = (acceptor.clone(), log.clone());
                connections.spawn(async move {
                    let _ = relay(stream, hub, &acceptor, &log).await;
                });
            }
        });
        Ok(Self { address, read, task })
    }

    /// The bytes that clients have sent through the proxy, decrypted.
    #[must_use]
    pub fn recorded(&self) -> Vec<u8> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends the proxy and its connections.
    pub fn stop(self) {
        self.task.abort();
    }
}

async fn relay(stream: TcpStream, hub: SocketAddr, acceptor: &TlsAcceptor, log: &Mutex<Vec<u8>>) -> io::Result<()> {
    let (mut client, mut client_out) = tokio::io::split(acceptor.accept(stream).await?);
    let (mut server, mut server_out) = tokio::io::split(connect_tls(hub).await?);
    let up = async {
        let mut buffer = vec![0; 16 * 1024];
        loop {
            let count = client.read(&mut buffer).await?;
            if count == 0 {
                return server_out.shutdown().await;
            }
            log.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&buffer[..count]);
            server_out.write_all(&buffer[..count]).await?;
            server_out.flush().await?;
        }
    };
    let down = async { tokio::io::copy(&mut server, &mut client_out).await.map(drop) };
    tokio::select! {
        ended = up => ended,
        ended = down => ended,
    }
}
