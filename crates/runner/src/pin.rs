//! TLS pinned to the hub's key. The key comes with the join token, so no certificate authority is needed.

use std::sync::Arc;

use proto::link::Bytes32;
use rustls::{
    ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime},
};

use crate::{Error, Result};

/// The DER bytes that precede the 32 bytes of an Ed25519 key in a certificate.
const ED25519_KEY_PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// TLS that accepts certificates with the pinned key and, if `allows_authorities`, those that the system trusts. These
/// are for a proxy in front of the hub, which has its own certificate: the hub still proves its key on the link itself.
pub(crate) fn config(pin: Bytes32, allows_authorities: bool) -> Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let authorities = if allows_authorities { Some(authorities(&provider)?) } else { None };
    let verifier = Pinned { pin, provider: provider.clone(), authorities };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::new(proto::Code::Internal, "cannot set up TLS").because(error))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(config)
}

fn authorities(provider: &Arc<CryptoProvider>) -> Result<Arc<WebPkiServerVerifier>> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone()).build().map_err(|error| {
        Error::new(proto::Code::HubUnreachable, "this machine has no trusted certificate authorities")
            .hint("install ca-certificates, or use the hub's http:// address")
            .because(error)
    })
}

#[derive(Debug)]
struct Pinned {
    pin: Bytes32,
    provider: Arc<CryptoProvider>,
    authorities: Option<Arc<WebPkiServerVerifier>>,
}

impl Pinned {
    /// Whether the pinned key occurs exactly once in the certificate, encoded as a public key.
    fn is_pinned(&self, certificate: &CertificateDer<'_>) -> bool {
        let needle: Vec<u8> = ED25519_KEY_PREFIX.iter().chain(&self.pin.0).copied().collect();
        certificate.windows(needle.len()).filter(|window| *window == needle).count() == 1
    }
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if self.is_pinned(end_entity) {
            return Ok(ServerCertVerified::assertion());
        }
        match &self.authorities {
            Some(authorities) => authorities.verify_server_cert(end_entity, intermediates, server_name, ocsp, now),
            None => Err(rustls::Error::InvalidCertificate(rustls::CertificateError::ApplicationVerificationFailure)),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
