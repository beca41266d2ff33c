//! TLS pinned to the hub's key. The key comes with the join token, so no certificate authority is needed.
//!
//! Pinned is the parsed public key of the certificate (SubjectPublicKeyInfo), compared as a whole: the same bytes
//! elsewhere in a certificate, as in an extension, say nothing about the key that signs the handshake.

use std::sync::Arc;

use proto::{
    Code,
    link::{Bytes32, ChannelBinding},
};
use rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, ProtocolVersion, RootCertStore, SignatureScheme,
    SupportedProtocolVersion,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, SubjectPublicKeyInfoDer, UnixTime, alg_id},
    server::ParsedCertificate,
    sign::public_key_to_spki,
};

use crate::{Error, Result};

/// Every hub supports TLS 1.3. Channel bindings of older versions would need more than this module checks.
const TO_THE_HUB: &[&SupportedProtocolVersion] = &[&rustls::version::TLS13];

/// TLS that accepts certificates with the pinned key and, if `allows_authorities`, those that the system trusts. These
/// are for a proxy in front of the hub, which has its own certificate: the hub still proves its key on the link itself.
pub(crate) fn config(pin: Bytes32, allows_authorities: bool) -> Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let authorities = if allows_authorities { Some(authorities(&provider)?) } else { None };
    config_with(pin, provider, authorities)
}

fn config_with(
    pin: Bytes32,
    provider: Arc<CryptoProvider>,
    authorities: Option<Arc<WebPkiServerVerifier>>,
) -> Result<ClientConfig> {
    let versions = if authorities.is_some() { rustls::DEFAULT_VERSIONS } else { TO_THE_HUB };
    let verifier = Pinned::new(pin, &provider, authorities)?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .map_err(|error| Error::new(Code::Internal, "cannot set up TLS").because(error))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(config)
}

/// The binding of a connection whose certificate has the pinned key; `None` if an authority vouched for it, because TLS
/// then ends at a proxy.
pub(crate) fn binding(pin: Bytes32, connection: &ClientConnection) -> Result<Option<ChannelBinding>> {
    let certificate = connection.peer_certificates().and_then(<[_]>::first);
    if !certificate.is_some_and(|certificate| has_key(certificate, &public_key(pin))) {
        return Ok(None);
    }
    let failed = || Error::new(Code::Internal, "cannot bind the link to its TLS connection");
    if connection.protocol_version() != Some(ProtocolVersion::TLSv1_3) {
        return Err(failed());
    }
    let exported = connection.export_keying_material([0; 32], ChannelBinding::EXPORTER_LABEL, None);
    Ok(Some(ChannelBinding(Bytes32(exported.map_err(|error| failed().because(error))?))))
}

fn authorities(provider: &Arc<CryptoProvider>) -> Result<Arc<WebPkiServerVerifier>> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone()).build().map_err(|error| {
        Error::new(Code::HubUnreachable, "this machine has no trusted certificate authorities")
            .hint("install ca-certificates, or use the hub's http:// address")
            .because(error)
    })
}

/// An Ed25519 key as it stands in a certificate.
fn public_key(key: Bytes32) -> SubjectPublicKeyInfoDer<'static> {
    public_key_to_spki(&alg_id::ED25519, key.0)
}

/// Whether the certificate is for this key and no other.
fn has_key(certificate: &CertificateDer<'_>, key: &SubjectPublicKeyInfoDer<'_>) -> bool {
    ParsedCertificate::try_from(certificate).is_ok_and(|parsed| parsed.subject_public_key_info() == *key)
}

/// The one algorithm of these that the hub's key can sign with.
fn only_ed25519(all: WebPkiSupportedAlgorithms) -> Option<WebPkiSupportedAlgorithms> {
    let entry = all.mapping.iter().find(|(scheme, _)| *scheme == SignatureScheme::ED25519)?;
    Some(WebPkiSupportedAlgorithms { all: entry.1, mapping: std::slice::from_ref(entry) })
}

#[derive(Debug)]
struct Pinned {
    public_key: SubjectPublicKeyInfoDer<'static>,
    ed25519: WebPkiSupportedAlgorithms,
    /// For the certificates of authorities.
    algorithms: WebPkiSupportedAlgorithms,
    authorities: Option<Arc<WebPkiServerVerifier>>,
}

impl Pinned {
    fn new(
        pin: Bytes32,
        provider: &Arc<CryptoProvider>,
        authorities: Option<Arc<WebPkiServerVerifier>>,
    ) -> Result<Self> {
        let algorithms = provider.signature_verification_algorithms;
        let ed25519 = only_ed25519(algorithms)
            .ok_or_else(|| Error::new(Code::Internal, "this program was built without Ed25519"))?;
        Ok(Self { public_key: public_key(pin), ed25519, algorithms, authorities })
    }

    /// The algorithms with which the owner of this certificate may sign.
    fn algorithms_for(&self, certificate: &CertificateDer<'_>) -> &WebPkiSupportedAlgorithms {
        if self.authorities.is_none() || has_key(certificate, &self.public_key) {
            &self.ed25519
        } else {
            &self.algorithms
        }
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
        if has_key(end_entity, &self.public_key) {
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
        // The hub itself supports TLS 1.3, so an older version with its certificate is a downgrade.
        if has_key(cert, &self.public_key) {
            return Err(rustls::Error::General("the hub's own certificate was used with TLS 1.2".to_owned()));
        }
        verify_tls12_signature(message, cert, dss, self.algorithms_for(cert))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, self.algorithms_for(cert))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let offered = if self.authorities.is_some() { &self.algorithms } else { &self.ed25519 };
        offered.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, CustomExtension, KeyPair, SignatureAlgorithm};
    use rustls::{
        AlertDescription, CertificateError, Error as TlsError, ServerConfig, ServerConnection,
        SignatureAlgorithm as Family,
        pki_types::PrivateKeyDer,
        server::{ClientHello, ResolvesServerCert},
        sign::{CertifiedKey, Signer, SigningKey},
    };

    use super::*;

    /// A signing key that signs with its own scheme, also if the client did not offer it.
    #[derive(Debug)]
    struct Obstinate(Arc<dyn SigningKey>);

    impl SigningKey for Obstinate {
        fn choose_scheme(&self, _: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
            self.0.choose_scheme(&[SignatureScheme::ED25519, SignatureScheme::ECDSA_NISTP256_SHA256])
        }
        fn algorithm(&self) -> Family {
            self.0.algorithm()
        }
    }

    #[derive(Debug)]
    struct Always(Arc<CertifiedKey>);

    impl ResolvesServerCert for Always {
        fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
            Some(self.0.clone())
        }
    }

    /// A server: its key, its certificate, and whether it signs with schemes that the client did not offer.
    struct Server {
        key: KeyPair,
        certificate: CertificateDer<'static>,
        is_obstinate: bool,
    }

    impl Server {
        fn of_hub() -> Self {
            let key = KeyPair::generate_for(&rcgen::PKCS_ED25519).expect("a key");
            let certificate = parameters().self_signed(&key).expect("a certificate").der().clone();
            Self { key, certificate, is_obstinate: false }
        }

        /// An attacker's certificate for a key of his own, with the public key of the hub in a private extension.
        fn forged(pin: Bytes32, algorithm: &'static SignatureAlgorithm) -> Self {
            let key = KeyPair::generate_for(algorithm).expect("a key");
            let mut parameters = parameters();
            let wanted = public_key(pin).to_vec();
            parameters.custom_extensions =
                vec![CustomExtension::from_oid_content(&[1, 3, 6, 1, 4, 1, 99_999, 1], wanted)];
            let certificate = parameters.self_signed(&key).expect("a certificate").der().clone();
            Self { key, certificate, is_obstinate: false }
        }

        /// Of a proxy whose certificate an authority has signed.
        fn certified(authority: &rcgen::Issuer<'_, KeyPair>) -> Self {
            let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).expect("a key");
            let certificate = parameters().signed_by(&key, authority).expect("a certificate").der().clone();
            Self { key, certificate, is_obstinate: false }
        }

        fn obstinate(self) -> Self {
            Self { is_obstinate: true, ..self }
        }

        fn pin(&self) -> Bytes32 {
            Bytes32(self.key.public_key_raw().try_into().expect("32 bytes"))
        }

        fn config(&self, versions: &[&'static SupportedProtocolVersion]) -> ServerConfig {
            let provider = Arc::new(rustls::crypto::ring::default_provider());
            let key = PrivateKeyDer::try_from(self.key.serialize_der()).expect("PKCS #8");
            let key = provider.key_provider.load_private_key(key).expect("a key");
            let key = if self.is_obstinate { Arc::new(Obstinate(key)) } else { key };
            let certified = CertifiedKey::new(vec![self.certificate.clone()], key);
            ServerConfig::builder_with_provider(provider)
                .with_protocol_versions(versions)
                .expect("versions")
                .with_no_client_auth()
                .with_cert_resolver(Arc::new(Always(Arc::new(certified))))
        }
    }

    fn parameters() -> CertificateParams {
        CertificateParams::new(vec![proto::link::HUB_SERVER_NAME.to_owned()]).expect("a name")
    }

    fn authority() -> (rcgen::Issuer<'static, KeyPair>, Arc<WebPkiServerVerifier>) {
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).expect("a key");
        let mut parameters = CertificateParams::default();
        parameters.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let certificate = parameters.self_signed(&key).expect("a certificate").der().clone();
        let mut roots = RootCertStore::empty();
        roots.add(certificate).expect("a root");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().expect("builds");
        (rcgen::Issuer::new(parameters, key), verifier)
    }

    /// Both ends of a connection after the handshake, or the client's error.
    fn shake_hands(
        pin: Bytes32,
        authorities: Option<Arc<WebPkiServerVerifier>>,
        server: ServerConfig,
    ) -> std::result::Result<(ClientConnection, ServerConnection), TlsError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = config_with(pin, provider, authorities).expect("configures");
        let name = ServerName::try_from(proto::link::HUB_SERVER_NAME).expect("a name");
        let mut client = ClientConnection::new(Arc::new(config), name)?;
        let mut server = ServerConnection::new(Arc::new(server)).expect("a server");
        while client.is_handshaking() || server.is_handshaking() {
            let mut bytes = Vec::new();
            while client.wants_write() {
                client.write_tls(&mut bytes).expect("memory");
            }
            server.read_tls(&mut bytes.as_slice()).expect("memory");
            // A server that refuses the client says so in an alert.
            let _ = server.process_new_packets();
            let mut bytes = Vec::new();
            while server.wants_write() {
                server.write_tls(&mut bytes).expect("memory");
            }
            client.read_tls(&mut bytes.as_slice()).expect("memory");
            client.process_new_packets()?;
        }
        Ok((client, server))
    }

    const ALL: &[&SupportedProtocolVersion] = rustls::ALL_VERSIONS;

    #[test]
    fn hub_is_recognized_by_its_key_and_both_ends_export_the_same_binding() {
        let hub = Server::of_hub();
        for authorities in [None, Some(authority().1)] {
            let (client, server) = shake_hands(hub.pin(), authorities, hub.config(ALL)).expect("connects");
            let here = binding(hub.pin(), &client).expect("binds").expect("the key is the hub's");
            let there = server.export_keying_material([0; 32], ChannelBinding::EXPORTER_LABEL, None).expect("exports");
            assert_eq!(here.0.0, there);
        }
        let connect = || shake_hands(hub.pin(), None, hub.config(ALL)).expect("connects").0;
        let bindings = [connect(), connect()].map(|client| binding(hub.pin(), &client).expect("binds"));
        assert_ne!(bindings[0], bindings[1], "each connection has its own");
    }

    #[test]
    fn certificate_with_the_hubs_key_in_an_extension_is_rejected() {
        let pin = Server::of_hub().pin();
        for algorithm in [&rcgen::PKCS_ECDSA_P256_SHA256, &rcgen::PKCS_ED25519] {
            let forged = Server::forged(pin, algorithm).obstinate();
            let wanted = public_key(pin).to_vec();
            let occurs = forged.certificate.windows(wanted.len()).filter(|window| *window == wanted).count();
            assert_eq!(occurs, 1, "the forgery contains the wanted bytes");
            let rejected = TlsError::InvalidCertificate(CertificateError::ApplicationVerificationFailure);
            assert_eq!(shake_hands(pin, None, forged.config(ALL)).err(), Some(rejected), "{algorithm:?}");
            let by_authorities = shake_hands(pin, Some(authority().1), forged.config(ALL)).err();
            assert!(matches!(by_authorities, Some(TlsError::InvalidCertificate(_))), "{by_authorities:?}");
        }
    }

    #[test]
    fn only_ed25519_is_offered_where_only_the_pin_counts() {
        let pin = Server::of_hub().pin();
        let other = Server::forged(pin, &rcgen::PKCS_ECDSA_P256_SHA256);
        let refused = TlsError::AlertReceived(AlertDescription::HandshakeFailure);
        assert_eq!(shake_hands(pin, None, other.config(ALL)).err(), Some(refused));
        let old = TlsError::AlertReceived(AlertDescription::ProtocolVersion);
        let tls12 = shake_hands(pin, None, other.config(&[&rustls::version::TLS12])).err();
        assert_eq!(tls12, Some(old), "and only TLS 1.3");
    }

    #[test]
    fn hubs_certificate_without_its_key_proves_nothing() {
        let hub = Server::of_hub();
        for algorithm in [&rcgen::PKCS_ECDSA_P256_SHA256, &rcgen::PKCS_ED25519] {
            let key = KeyPair::generate_for(algorithm).expect("a key");
            let thief = Server { key, certificate: hub.certificate.clone(), is_obstinate: true };
            for authorities in [None, Some(authority().1)] {
                let error = shake_hands(hub.pin(), authorities, thief.config(ALL)).expect_err("no signature matches");
                assert!(
                    matches!(
                        error,
                        TlsError::InvalidCertificate(CertificateError::BadSignature) | TlsError::PeerMisbehaved(_)
                    ),
                    "{error:?}"
                );
            }
        }
    }

    #[test]
    fn proxys_certificate_needs_an_authority_and_gives_no_binding() {
        let (issuer, authorities) = authority();
        let proxy = Server::certified(&issuer);
        let pin = Server::of_hub().pin();
        assert!(shake_hands(pin, None, proxy.config(ALL)).is_err(), "where only the pin counts");
        assert!(shake_hands(pin, Some(authority().1), proxy.config(ALL)).is_err(), "of another authority");
        let (client, _) = shake_hands(pin, Some(authorities), proxy.config(ALL)).expect("connects");
        assert_eq!(binding(pin, &client).expect("reads"), None);
    }

    #[test]
    fn hubs_certificate_is_not_accepted_with_tls_12() {
        let hub = Server::of_hub();
        let error = shake_hands(hub.pin(), Some(authority().1), hub.config(&[&rustls::version::TLS12])).err();
        assert_eq!(error, Some(TlsError::General("the hub's own certificate was used with TLS 1.2".to_owned())));
    }
}
