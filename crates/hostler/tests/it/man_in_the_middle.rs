//! A machine between runner and hub: with forged certificates, and with a stolen key of the hub.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener as StdListener, TcpStream as StdStream},
    sync::{Arc, Mutex},
};

use proto::link::{Bytes32, HUB_SERVER_NAME};
use rcgen::{CertificateParams, CustomExtension, KeyPair, SignatureAlgorithm};
use rustls::{
    ClientConfig, RootCertStore, ServerConfig, ServerConnection, SignatureScheme, StreamOwned,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject as _},
    server::{ClientHello, ResolvesServerCert},
    sign::{CertifiedKey, Signer, SigningKey},
};
use serde_json::Value;
use store::hub::HubIdentity;

use crate::hub::{Home, Kind, Process};

/// A signing key that signs with its own scheme, also if the client did not offer it.
#[derive(Debug)]
struct Obstinate(Arc<dyn SigningKey>);

impl SigningKey for Obstinate {
    fn choose_scheme(&self, _: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        self.0.choose_scheme(&[SignatureScheme::ED25519, SignatureScheme::ECDSA_NISTP256_SHA256])
    }
    fn algorithm(&self) -> rustls::SignatureAlgorithm {
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

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn server_config(certificate: CertificateDer<'static>, key: Vec<u8>) -> Arc<ServerConfig> {
    let key = PrivateKeyDer::try_from(key).expect("PKCS #8");
    let key = provider().key_provider.load_private_key(key).expect("a key");
    let certified = Arc::new(CertifiedKey::new(vec![certificate], Arc::new(Obstinate(key))));
    let builder =
        ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().expect("versions");
    Arc::new(builder.with_no_client_auth().with_cert_resolver(Arc::new(Always(certified))))
}

/// A certificate for a key of the attacker, with the hub's public key in a private extension.
fn forged(hub_key: &Bytes32, algorithm: &'static SignatureAlgorithm) -> Arc<ServerConfig> {
    let key = KeyPair::generate_for(algorithm).expect("a key");
    let mut parameters = CertificateParams::new(vec![HUB_SERVER_NAME.to_owned()]).expect("a name");
    let prefix = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
    let wanted: Vec<u8> = prefix.into_iter().chain(hub_key.0).collect();
    parameters.custom_extensions = vec![CustomExtension::from_oid_content(&[1, 3, 6, 1, 4, 1, 99_999, 1], wanted)];
    let certificate = parameters.self_signed(&key).expect("a certificate").der().clone();
    server_config(certificate, key.serialize_der())
}

/// A proxy that ends TLS, records the received text, and forwards it to the hub without TLS.
struct Proxy {
    address: SocketAddr,
    read: Arc<Mutex<String>>,
    connections: Arc<Mutex<usize>>,
}

impl Proxy {
    fn start(tls: Arc<ServerConfig>, hub: SocketAddr) -> Self {
        let listener = StdListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (read, connections) = (Arc::<Mutex<String>>::default(), Arc::<Mutex<usize>>::default());
        let proxy = Self { address, read: read.clone(), connections: connections.clone() };
        // Ends with the test process.
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                *connections.lock().expect("lives") += 1;
                let (tls, read) = (tls.clone(), read.clone());
                std::thread::spawn(move || forward(stream, tls, hub, &read));
            }
        });
        proxy
    }

    fn read(&self) -> String {
        self.read.lock().expect("lives").clone()
    }

    fn connections(&self) -> usize {
        *self.connections.lock().expect("lives")
    }
}

/// Forwards requests and their answers in turns: enough for `hostler join` and for the first request of a runner.
fn forward(stream: StdStream, tls: Arc<ServerConfig>, hub: SocketAddr, read: &Mutex<String>) {
    let mut client = StreamOwned::new(ServerConnection::new(tls).expect("a connection"), stream);
    let mut bytes = vec![0; 64 * 1024];
    let mut server = StdStream::connect(hub).expect("connects");
    while let Ok(count @ 1..) = client.read(&mut bytes) {
        read.lock().expect("lives").push_str(&String::from_utf8_lossy(&bytes[..count]));
        server.write_all(&bytes[..count]).expect("sends");
        let count = server.read(&mut bytes).expect("answers");
        let sent = client.write_all(&bytes[..count]).and_then(|()| client.flush());
        if sent.is_err() {
            return;
        }
    }
}

#[test]
fn forged_certificate_gets_neither_token_nor_link() {
    let hub = Home::new(Kind::Sqlite);
    let (_process, url) = hub.serve(&["hub"], "127.0.0.1:0");
    let hub_address: SocketAddr = url.trim_start_matches("http://").parse().expect("an address");
    let shown = hub.json(&["api", "GET", "/api/v1/hub"]);
    let hub_key: Bytes32 = shown["public_key"].as_str().expect("a key").parse().expect("a key");
    let token = hub.ok(&["invite", "-o", "name"]);
    let (token, machine) = (token.trim(), Home::new(Kind::Sqlite));
    let algorithms = [&rcgen::PKCS_ECDSA_P256_SHA256, &rcgen::PKCS_ED25519];
    let proxies = algorithms.map(|algorithm| Proxy::start(forged(&hub_key, algorithm), hub_address));
    // `127.1` is this machine, but is not recognized as loopback: the runner uses TLS, as for any other address.
    let addresses = |proxy: &Proxy| {
        let port = proxy.address.port();
        [format!("http://127.1:{port}"), format!("https://127.0.0.1:{port}")]
    };
    for proxy in &proxies {
        for address in addresses(proxy) {
            let refused = machine.run(&["join", &address, token, "--name", "web-1", "-o", "json"]);
            let stderr = String::from_utf8_lossy(&refused.stderr);
            assert!(!refused.status.success() && stderr.contains("hub_key_mismatch"), "{address}: {stderr}");
        }
        assert_eq!((proxy.connections(), proxy.read().as_str()), (2, ""), "nothing was sent");
    }

    // The token is unused. A runner that has joined does not link through the proxies either.
    let direct = format!("http://127.1:{}", hub_address.port());
    machine.ok(&["join", &direct, token, "--name", "web-1"]);
    let file = machine.path().join("runner.json");
    let mut identity: Value = serde_json::from_slice(&std::fs::read(&file).expect("exists")).expect("JSON");
    for proxy in &proxies {
        for address in addresses(proxy) {
            identity["hub_url"] = address.clone().into();
            std::fs::write(&file, identity.to_string()).expect("writes");
            let runner = Process::start(&mut machine.command(&["runner"]));
            let line = runner.wait_for("is down");
            assert!(line.contains("hub_key_mismatch"), "{address}: {line}");
            runner.kill();
        }
        assert!(proxy.connections() >= 4 && proxy.read().is_empty(), "nothing was sent: {}", proxy.read());
    }
    assert_eq!(hub.json(&["host", "list"])[0]["status"], "pending", "no link was opened");
    identity["hub_url"] = direct.into();
    std::fs::write(&file, identity.to_string()).expect("writes");
    let runner = Process::start(&mut machine.command(&["runner"]));
    hub.wait_for_host("web-1", "online");
    assert_eq!(runner.stop(), Some(0));
}

mod stolen_key {
    use proto::Code;
    use runner::{Dial, HubRole, Link, join::Join};
    use runtime::Random;
    use tokio::{io::copy_bidirectional, net::TcpListener};

    use super::*;
    use crate::link::{by, hub, run, status};

    /// Key and certificate of a hub, as a thief of its database has them.
    async fn stolen(hub: &::hub::Hub) -> HubIdentity {
        let none = HubIdentity { private_key: Vec::new(), public_key: [0; 32], certificate: String::new() };
        let now = hub.now();
        let kept = hub.store.write(move |tx| Box::pin(async move { tx.hub_identity(&none, now).await }));
        kept.await.expect("reads")
    }

    /// Ends the runners' TLS with the hub's own key, and forwards the bytes over another TLS connection to the hub.
    async fn relay(listener: TcpListener, identity: HubIdentity, to: SocketAddr) {
        let certificate = CertificateDer::from_pem_slice(identity.certificate.as_bytes()).expect("a certificate");
        let mut roots = RootCertStore::empty();
        roots.add(certificate.clone()).expect("a root");
        let trust = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
        let trust = trust.expect("versions").with_root_certificates(roots).with_no_client_auth();
        let trust = tokio_rustls::TlsConnector::from(Arc::new(trust));
        let tls = tokio_rustls::TlsAcceptor::from(server_config(certificate, identity.private_key));
        loop {
            let Ok((stream, _)) = listener.accept().await else { continue };
            let mut near = tls.accept(stream).await.expect("the runner accepts the key");
            let stream = tokio::net::TcpStream::connect(to).await.expect("connects");
            let name = ServerName::try_from(HUB_SERVER_NAME).expect("a name");
            let mut far = trust.connect(name, stream).await.expect("the certificate is the hub's");
            let _ = copy_bidirectional(&mut near, &mut far).await;
        }
    }

    testkit::db_test!(forwarded_proofs_are_rejected_by_the_runner, |db| async move {
        let hub = hub(&db).await;
        let listeners = [TcpListener::bind("127.0.0.1:0").await, TcpListener::bind("127.0.0.1:0").await];
        let [own, relayed] = listeners.map(|listener| listener.expect("a port"));
        let address = |listener: &TcpListener| listener.local_addr().expect("an address");
        let (direct, detour) = (address(&own), address(&relayed));
        let dial = |to: SocketAddr| Dial::url(&format!("http://127.1:{}", to.port())).expect("an address");
        let served = hub.serve(::hub::Listeners { tcp: Some(own), local: None }, std::future::pending());
        let identity = stolen(&hub).await;
        let body = async {
            let org = hub.org_list(&proto::page::PageQuery::default()).await.expect("lists").items[0].id;
            let token = hub.join_token_create(&by(), org, Default::default()).await.expect("a token").secret;
            let join = |to: SocketAddr| Join {
                dial: dial(to),
                hub_url: None,
                token: token.clone(),
                name: Some("web-1".into()),
                always_on: None,
                ignore_clock: true,
                now: runtime::clock::wall(),
                random: (Random.bytes(), Random.bytes()),
                host_id: None,
                former_key: None,
            };
            let refused = runner::join::join(join(detour)).await.expect_err("the proof is for another connection");
            assert_eq!(refused.code(), Code::HubKeyMismatch);
            assert!(refused.to_string().contains("did not sign this TLS connection"), "{refused}");

            // That request did use the token; the thief of a hub's key can read it.
            hub.host_remove(&by(), org, "web-1", Default::default()).await.expect("removes");
            let token = hub.join_token_create(&by(), org, Default::default()).await.expect("a token").secret;
            let (identity, _) = runner::join::join(Join { token, ..join(direct) }).await.expect("joins over TLS");
            let link = |to: SocketAddr| {
                let options = runner::Options {
                    dial: dial(to),
                    name: None,
                    incarnation: "one".into(),
                    queues: Vec::new(),
                    trust: domain::definition::Trust::Hub,
                    role: HubRole::default(),
                };
                run(Link::new(options, identity.clone(), None))
            };
            let mut caught = link(detour);
            assert_eq!(caught.down().await, Code::HubKeyMismatch);
            caught.goodbye().await;
            assert_eq!(status(&hub, org).await.0, "pending", "no session was opened");
            let mut linked = link(direct);
            assert_eq!(linked.up().await, 1);
            linked.goodbye().await;
        };
        tokio::select! {
            served = served => panic!("the hub ended: {served:?}"),
            () = relay(relayed, identity, direct) => unreachable!(),
            () = body => {}
        }
    });
}
