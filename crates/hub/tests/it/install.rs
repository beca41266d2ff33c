//! The install command for machines without Hostler.

use hub::Options;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

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
    // The public address is plain HTTP, so the command uses the TLS listener and pins its key.
    assert!(line.starts_with("curl -fsSk --pinnedpubkey 'sha256//"), "{line}");
    assert!(line.ends_with(&format!("https://127.0.0.1:7411/j/{token} | sh")), "{line}");

    let script = script(&test, token).await;
    let sum = Sha256::digest(std::fs::read(folder.path().join("hostler")).expect("exists"));
    assert!(script.contains(&data_encoding::HEXLOWER.encode(&sum)), "{script}");
    assert!(script.contains(&format!("https://127.0.0.1:7411/j/{token}/hostler")), "{script}");
    assert!(!script.contains("@"), "every slot is filled: {script}");

    let program = test.call(&As::Nobody, "GET", &format!("/j/{token}/hostler"), None).await;
    assert_eq!((program.status.as_u16(), program.text.as_str()), (200, "#!/bin/sh\necho it runs\n"));
});

testkit::db_test!(invalid_join_token_gets_neither_script_nor_program, |db| async move {
    let (test, _folder, made) = hub(db).await;
    let token = made["secret"].as_str().expect("a secret");
    let revoked = format!("/api/v1/join-tokens/{}", made["id"].as_str().expect("an id"));
    assert_eq!(test.call(&As::Local, "DELETE", &revoked, None).await.status, 204);
    for (token, says) in
        [(token, "was revoked"), ("hsj_nonsense", "the join token is unknown to this hub"), ("it's", "is unknown")]
    {
        let script = script(&test, token).await;
        assert!(script.contains(says) && script.ends_with("exit 1\n"), "{script}");
        let program = test.call(&As::Nobody, "GET", &format!("/j/{token}/hostler"), None).await;
        assert_eq!(program.status, 401, "{}", program.text);
    }
});

testkit::db_test!(hub_without_a_program_has_no_install_command, |db| async move {
    let test = TestHub::new(db).await;
    let made = test.call(&As::Local, "POST", "/api/v1/join-tokens", Some(json!({}))).await.json();
    assert_eq!(made["install"], Value::Null);
    assert!(script(&test, made["secret"].as_str().expect("a secret")).await.contains("does not offer its program"));
});
