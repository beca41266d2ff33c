//! A runner that joins through a server whose certificate is damaged or forged: it never sends its token.

use std::time::Instant;

use hostile::{
    channel::HostKey,
    fuzz::Mutator,
    network::{Certificate, Scheme, acceptor, certificate, forged, public_key_der},
};
use proto::link::Bytes32;
use runner::{Dial, join::Join};
use tokio::{io::AsyncReadExt as _, net::TcpListener};

use super::{corpus, long_run};

/// Mutations of the certificates in the ordinary run; each is a TLS handshake.
const MUTATIONS: u64 = 60;

/// The seed of the key that the token names. No server of this test uses it.
const HUB_SEED: [u8; 32] = [11; 32];

fn token(hub_key: &Bytes32) -> String {
    use domain::secret::{Secret, SecretKind};
    Secret::new(SecretKind::Join, [5; 32], &hub_key.0).reveal().to_owned()
}

/// The decrypted bytes that a runner sends to a server with this certificate; empty if it refuses the certificate.
async fn bytes_sent_to(shown: &Certificate, hub_key: &Bytes32) -> Vec<u8> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let acceptor = acceptor(shown).expect("the key fits its own certificate");
    let serving = async {
        let (stream, _) = listener.accept().await.expect("the runner connects");
        let Ok(mut stream) = acceptor.accept(stream).await else { return Vec::new() };
        let mut bytes = vec![0; 4_096];
        let count = stream.read(&mut bytes).await.unwrap_or(0);
        bytes.truncate(count);
        bytes
    };
    // Not a loopback name: runners then end TLS at the hub's own certificate. The connection stays on this machine.
    let join = Join {
        dial: Dial::url(&format!("http://0.0.0.0:{port}")).expect("an address"),
        hub_url: None,
        token: token(hub_key),
        name: Some("web-1".to_owned()),
        always_on: None,
        ignore_clock: true,
        now: domain::Timestamp::from_micros(0),
        random: ([1; 32], [2; 32]),
        host_id: None,
        former_key: None,
    };
    let (sent, joined) = tokio::join!(serving, runner::join::join(join));
    assert!(joined.is_err(), "only the hub can accept a join");
    sent
}

/// Certificates that contain the hub's key in other places than the public key.
fn forgeries(hub_key: &Bytes32) -> Vec<Certificate> {
    let der = public_key_der(hub_key);
    let mut twice = der.clone();
    twice.extend_from_slice(&der);
    let mut shown: Vec<Certificate> = Scheme::ALL.iter().map(|scheme| forged(*scheme, hub_key)).collect();
    shown.extend(Scheme::ALL.iter().map(|scheme| certificate(*scheme, std::slice::from_ref(&twice))));
    shown.extend(Scheme::ALL.iter().map(|scheme| certificate(*scheme, &[])));
    shown
}

fn with_runtime<T>(work: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().expect("a runtime").block_on(work)
}

#[test]
fn runner_sends_nothing_to_a_server_with_a_forged_certificate() {
    let hub_key = HostKey::public(HUB_SEED);
    with_runtime(async {
        for (number, shown) in forgeries(&hub_key).iter().enumerate() {
            let sent = bytes_sent_to(shown, &hub_key).await;
            assert!(sent.is_empty(), "the runner sent this to forgery {number}: {}", String::from_utf8_lossy(&sent));
        }
    });
}

#[test]
fn runner_sends_nothing_to_a_server_with_a_damaged_certificate() {
    let hub_key = HostKey::public(HUB_SEED);
    let (long, began) = (long_run(), Instant::now());
    let own = certificate(Scheme::EcdsaP256, &[]);
    let mut seeds: Vec<Certificate> =
        corpus("certificate").into_iter().map(|der| Certificate { der, ..own.clone() }).collect();
    seeds.push(own);
    let (mut mutator, mut count) = (Mutator::new(3), 0);
    with_runtime(async {
        for shown in &seeds {
            assert!(bytes_sent_to(shown, &hub_key).await.is_empty());
        }
        while long.map_or(count < MUTATIONS, |long| began.elapsed() < long) {
            let (first, second) = (&seeds[mutator.below(seeds.len())], &seeds[mutator.below(seeds.len())]);
            let der = mutator.mutate(&first.der, &second.der);
            let sent = bytes_sent_to(&Certificate { der: der.clone(), ..first.clone() }, &hub_key).await;
            assert!(sent.is_empty(), "accepted: {}", data_encoding::HEXLOWER.encode(&der));
            count += 1;
        }
    });
}
