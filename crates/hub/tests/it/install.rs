//! The install command for machines without Hostler.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use hub::Options;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::fixture::{As, TestHub};

/// A hub that offers a program of a few bytes, and a join token of it.
async fn hub(db: testkit::TestDb) -> (TestHub, tempfile::TempDir, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("hostler");
    std::fs::write(&program, "#!/bin/sh\necho it runs\n").expect("it can be written");
    let test = TestHub::with(db, Options { program: Some(program), ..Options::default() }).await;
    let made = test.call(&As::Local, "POST", "/api/v1/join-tokens", Some(json!({}))).await;
    assert_eq!(made.status, 201, "{}", made.text);
    (test, folder, made.json())
}

async fn script(test: &TestHub, token: &str) -> String {
    let answer = test.call(&As::Nobody, "GET", &format!("/j/{token}"), None).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.text
}

testkit::db_test!(install_command_leads_to_script_and_program, |db| async move {
    let (test, folder, made) = hub(db).await;
    let (line, token) = (made["install"].as_str().expect("a line"), made["secret"].as_str().expect("a secret"));
    // The public address is plain HTTP, so the command uses the TLS listener and trusts its certificate only.
    assert!(line.starts_with("printf '%s\\n' '-----BEGIN CERTIFICATE-----' MII"), "{line}");
    assert!(line.ends_with(&format!("'https://hub.hostler.internal:7411/j/{token}' | sh")), "{line}");
    assert!(!line.contains(" -k") && !line.contains('\n') && line.len() < 1_000, "{line}");

    let script = script(&test, token).await;
    let sum = Sha256::digest(std::fs::read(folder.path().join("hostler")).expect("exists"));
    let path = format!("/j/program/{}", data_encoding::HEXLOWER.encode(&sum));
    assert!(script.contains(&format!("https://127.0.0.1:7411{path}")), "{script}");
    assert!(!script.contains("@"), "every slot is filled: {script}");
    assert_eq!(script.matches(token).count(), 1, "the token is only in the command that joins: {script}");

    let program = test.call(&As::Nobody, "GET", &path, None).await;
    assert_eq!((program.status.as_u16(), program.text.as_str()), (200, "#!/bin/sh\necho it runs\n"));
    let other = test.call(&As::Nobody, "GET", "/j/program/0000", None).await;
    assert_eq!((other.status.as_u16(), other.code().as_str()), (404, "not_found"), "{}", other.text);
});

testkit::db_test!(invalid_join_token_gets_no_script, |db| async move {
    let (test, _folder, made) = hub(db).await;
    let token = made["secret"].as_str().expect("a secret");
    let revoked = format!("/api/v1/join-tokens/{}", made["id"].as_str().expect("an id"));
    assert_eq!(test.call(&As::Local, "DELETE", &revoked, None).await.status, 204);
    for (token, says) in
        [(token, "was revoked"), ("hsj_nonsense", "the join token is unknown to this hub"), ("it's", "is unknown")]
    {
        let script = script(&test, token).await;
        assert!(script.contains(says) && script.ends_with("exit 1\n"), "{script}");
        assert!(!script.contains("program"), "{script}");
    }
});

/// The tools of a machine: those of this one by name, and stand-ins.
struct Machine {
    folder: tempfile::TempDir,
}

/// Tools that the script needs, apart from the one that downloads.
const TOOLS: &[&str] = &["sh", "cat", "chmod", "cut", "id", "mkdir", "mv", "rm", "sha256sum", "tr", "uname"];

impl Machine {
    fn with(downloads: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("bin")).expect("a folder");
        let machine = Self { folder };
        for tool in TOOLS.iter().chain(downloads) {
            let found =
                ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(tool)).into_iter().find(|path| path.exists());
            let found = found.unwrap_or_else(|| panic!("{tool} is missing; run scripts/setup"));
            std::os::unix::fs::symlink(found, machine.tool(tool)).expect("links");
        }
        machine
    }

    fn tool(&self, name: &str) -> PathBuf {
        self.folder.path().join("bin").join(name)
    }

    /// Adds a tool that drops these options, each with its value, and calls the real one.
    fn ignoring(self, tool: &str, options: &[&str]) -> Self {
        let pattern = options.join("|");
        let inline = options.iter().map(|option| format!("{option}=*")).collect::<Vec<_>>().join("|");
        let text = format!(
            "#!/bin/sh\nn=$#\nwhile [ $n -gt 0 ]; do\n  case $1 in\n    {pattern}) shift 2; n=$((n - 2)) ;;\n    {inline}) shift; n=$((n - 1)) ;;\n    *) set -- \"$@\" \"$1\"; shift; n=$((n - 1)) ;;\n  esac\ndone\nexec /usr/bin/{tool} \"$@\"\n"
        );
        let path = self.tool(tool);
        std::fs::write(&path, text).expect("writes");
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("sets the mode");
        self
    }

    /// Runs a shell command; returns its error output.
    async fn run(&self, command: &str) -> String {
        let path = |name: &str| self.folder.path().join(name);
        let running = tokio::process::Command::new("/bin/sh")
            .args(["-c", command])
            .env_clear()
            .env("PATH", path("bin"))
            .env("HOME", path("home"))
            .env("HOSTLER_BIN", path("programs"))
            .env("HOSTLER_SERVICE", "no")
            .env("CALLS", path("calls"))
            .stdin(std::process::Stdio::null())
            .kill_on_drop(true)
            .output();
        let output = tokio::time::timeout(Duration::from_secs(60), running).await.expect("ends").expect("runs");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// The arguments with which the installed program was called.
    fn calls(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("calls")).unwrap_or_default()
    }
}

/// A hub whose public address is this listener. Its program records how it is called.
async fn hub_at(db: testkit::TestDb, listener: &TcpListener) -> (TestHub, tempfile::TempDir, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("hostler");
    std::fs::write(&program, "#!/bin/sh\necho \"$@\" >> \"$CALLS\"\n").expect("it can be written");
    let public_url = format!("http://{}", listener.local_addr().expect("an address"));
    let test = TestHub::with(db, Options { program: Some(program), public_url, ..Options::default() }).await;
    let made = test.call(&As::Local, "POST", "/api/v1/join-tokens", Some(json!({}))).await;
    (test, folder, made.json())
}

async fn listen(listener: &TcpListener, tls: &tokio_rustls::TlsAcceptor, received: &Mutex<String>) {
    const ANSWER: &str = "HTTP/1.1 200 OK\r\nContent-Length: 24\r\nConnection: close\r\n\r\necho attacker >> $CALLS\n";
    while let Ok((stream, _)) = listener.accept().await {
        // A client that does not trust the certificate ends the handshake.
        let Ok(mut stream) = tls.accept(stream).await else { continue };
        let mut bytes = vec![0; 64 * 1024];
        let count = stream.read(&mut bytes).await.unwrap_or_default();
        received.lock().expect("lives").push_str(&String::from_utf8_lossy(&bytes[..count]));
        let _ = stream.write_all(ANSWER.as_bytes()).await;
        let _ = stream.shutdown().await;
    }
}

/// An attacker at the hub's address, with a certificate for all of its names. Answers every request with a script, and
/// returns the received requests.
async fn attacked(listener: TcpListener, body: impl Future<Output = ()>) -> String {
    let names = vec!["hub.hostler.internal".to_owned(), "127.0.0.1".to_owned()];
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).expect("a key");
    let certificate = rcgen::CertificateParams::new(names).expect("names").self_signed(&key).expect("a certificate");
    let key = rustls::pki_types::PrivateKeyDer::try_from(key.serialize_der()).expect("PKCS #8");
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .expect("a certificate");
    let tls = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let received = Mutex::new(String::new());
    tokio::select! {
        () = listen(&listener, &tls, &received) => {}
        () = body => {}
    }
    received.into_inner().expect("lives")
}

async fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.expect("a port")
}

testkit::db_test!(machine_with_curl_or_wget_installs_from_the_hub, |db| async move {
    let listener = listener().await;
    let (test, _folder, made) = hub_at(db, &listener).await;
    let (line, token) = (made["install"].as_str().expect("a line"), made["secret"].as_str().expect("a secret"));
    let script = script(&test, token).await;
    let listeners = hub::Listeners { tcp: Some(listener), local: None };
    let body = async {
        let url = &test.hub.options.public_url;
        for (machine, command) in [(Machine::with(&["curl"]), line), (Machine::with(&["wget"]), script.as_str())] {
            let stderr = machine.run(command).await;
            assert_eq!(machine.calls(), format!("--version\njoin {url} {token}\nrunner\n"), "{stderr}");
        }
        let nothing = Machine::with(&[]);
        assert!(nothing.run(&script).await.contains("curl or wget is needed"));
        // A wget that does not check keys says so before it is used, also if the server is the hub.
        let wget = Machine::with(&[]).ignoring("wget", &["--pinnedpubkey"]);
        let stderr = wget.run(&script).await;
        assert!(stderr.contains("does not check the key of a server"), "{stderr}");
        assert_eq!(wget.calls(), "");
    };
    tokio::select! {
        served = test.hub.serve(listeners, std::future::pending()) => panic!("the hub ended: {served:?}"),
        () = body => {}
    }
});

testkit::db_test!(install_command_sends_no_token_to_another_server, |db| async move {
    let listener = listener().await;
    let address = listener.local_addr().expect("an address");
    let (_test, _folder, made) = hub_at(db, &listener).await;
    let (line, token) = (made["install"].as_str().expect("a line"), made["secret"].as_str().expect("a secret"));
    let received = attacked(listener, async {
        let machine = Machine::with(&["curl"]);
        machine.run(&format!("curl -fsSk https://{address}/j/control | sh")).await;
        assert_eq!(machine.calls(), "attacker\n", "the attacker works");
        // Curls whose TLS library ignores pins, and one that ignores even the certificate to trust.
        for ignored in [&[] as &[&str], &["--pinnedpubkey"], &["--pinnedpubkey", "--cacert"]] {
            let machine = match ignored {
                [] => Machine::with(&["curl"]),
                ignored => Machine::with(&[]).ignoring("curl", ignored),
            };
            let stderr = machine.run(line).await;
            assert!(stderr.contains("curl: (60)"), "{ignored:?}: {stderr}");
            assert_eq!(machine.calls(), "", "{ignored:?}");
        }
    })
    .await;
    assert!(received.contains("GET /j/control "), "{received}");
    assert!(!received.contains(token) && !received.contains("hsj_"), "{received}");
});

testkit::db_test!(script_takes_no_program_from_another_server, |db| async move {
    let listener = listener().await;
    let (test, _folder, made) = hub_at(db, &listener).await;
    let token = made["secret"].as_str().expect("a secret");
    let script = script(&test, token).await;
    let received = attacked(listener, async {
        for (machine, says) in [
            (Machine::with(&["curl"]), "cannot download the program"),
            (Machine::with(&["wget"]), "cannot download the program"),
            (Machine::with(&[]).ignoring("curl", &["--cacert"]), "cannot download the program"),
            (Machine::with(&[]).ignoring("wget", &["--pinnedpubkey"]), "does not check the key of a server"),
        ] {
            let stderr = machine.run(&script).await;
            assert!(stderr.contains(says), "{stderr}");
            assert_eq!(machine.calls(), "", "{stderr}");
        }
    })
    .await;
    assert!(!received.contains(token) && !received.contains("hsj_"), "{received}");
});

testkit::db_test!(hub_without_a_program_has_no_install_command, |db| async move {
    let test = TestHub::new(db).await;
    let made = test.call(&As::Local, "POST", "/api/v1/join-tokens", Some(json!({}))).await.json();
    assert_eq!(made["install"], Value::Null);
    assert!(script(&test, made["secret"].as_str().expect("a secret")).await.contains("does not offer its program"));
});
