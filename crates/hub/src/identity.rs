//! The hub's identity: an Ed25519 key pair and a self-signed certificate, created at the first start and stored in the
//! database, so that all hubs of a database are the same hub to a runner that pinned the key.

use domain::Timestamp;
use ed25519_dalek::{Signer as _, SigningKey, pkcs8::DecodePrivateKey as _};
use proto::link::{Bytes32, Bytes64, HUB_SERVER_NAME};
use store::{Store, hub::HubIdentity};

use crate::{Error, Result};

/// The hub's key pair and certificate.
#[derive(Clone)]
pub struct Identity {
    key: SigningKey,
    /// PKCS #8, for TLS.
    pub(crate) private_key: Vec<u8>,
    /// DER, for TLS.
    pub(crate) certificate: Vec<u8>,
}

impl Identity {
    /// Loads the identity from the store; creates it if there is none.
    ///
    /// # Errors
    /// The store is unavailable, or its key cannot be parsed.
    pub async fn of_store(store: &Store, now: Timestamp) -> Result<Self> {
        let offered = generate()?;
        let kept = store
            .write(move |tx| Box::pin(async move { tx.hub_identity(&offered, now).await.map_err(Error::from) }))
            .await?;
        let key = SigningKey::from_pkcs8_der(&kept.private_key).map_err(Error::internal)?;
        let pem = rustls::pki_types::pem::PemObject::from_pem_slice(kept.certificate.as_bytes());
        let certificate: rustls::pki_types::CertificateDer<'_> = pem.map_err(Error::internal)?;
        Ok(Self { key, private_key: kept.private_key, certificate: certificate.to_vec() })
    }

    /// The public key, which join tokens contain.
    #[must_use]
    pub fn public_key(&self) -> Bytes32 {
        Bytes32(self.key.verifying_key().to_bytes())
    }

    /// Signs a message with the hub's key.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Bytes64 {
        Bytes64(self.key.sign(message).to_bytes())
    }
}

fn generate() -> Result<HubIdentity> {
    let pair = rcgen::KeyPair::generate_for(&rcgen::PKCS_ED25519).map_err(Error::internal)?;
    let mut parameters = rcgen::CertificateParams::new(vec![HUB_SERVER_NAME.to_owned()]).map_err(Error::internal)?;
    // Runners pin the key and ignore the dates; an expiry date could only cause an outage.
    parameters.not_after = rcgen::date_time_ymd(9999, 12, 31);
    let certificate = parameters.self_signed(&pair).map_err(Error::internal)?;
    let private_key = pair.serialize_der();
    let key = SigningKey::from_pkcs8_der(&private_key).map_err(Error::internal)?;
    Ok(HubIdentity { private_key, public_key: key.verifying_key().to_bytes(), certificate: certificate.pem() })
}
