//! Secrets: from the command line to a run, and their redaction in all output.

use std::{
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    process::{Output, Stdio},
};

use serde_json::json;

use crate::hub::{Home, Kind, file};

const VALUE: &str = "correct-horse-battery";

fn set(home: &Home, args: &[&str], value: &str) -> Output {
    let mut command = home.command(&[&["secret", "set"], args].concat());
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("it starts");
    child.stdin.take().expect("piped").write_all(value.as_bytes()).expect("takes it");
    child.wait_with_output().expect("it ends")
}

#[test]
fn run_receives_its_secret_and_output_redacts_it() {
    let hub = Home::new(Kind::Sqlite);
    let (_process, _) = hub.up(&[]);
    let definition = json!({
        "key": "deploy", "secrets": ["DEPLOY_TOKEN"], "max_attempts": 1,
        "argv": ["/bin/sh", "-c", "echo \"token $DEPLOY_TOKEN, pin $1\"; test ${#DEPLOY_TOKEN} = 21", "sh", "{{ pin }}"],
        "arg_schema": {"type": "object", "properties": {"pin": {"type": "string", "writeOnly": true}}, "required": ["pin"]},
    });
    std::fs::write(file(&hub, "deploy.json"), definition.to_string()).expect("writes");
    hub.ok(&["def", "apply", "-f", file(&hub, "deploy.json").to_str().expect("a path")]);
    let refused = hub.run(&["run", "deploy", "pin=pin-of-kim"]);
    let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(7), "{stderr}");
    assert!(stderr.contains("hostler secret set DEPLOY_TOKEN") && !stderr.contains("pin-of-kim"), "{stderr}");

    let dry = set(&hub, &["DEPLOY_TOKEN", "--dry-run"], VALUE);
    assert!(dry.status.code() == Some(20) && !String::from_utf8_lossy(&dry.stderr).contains(VALUE), "{dry:?}");
    assert_eq!(set(&hub, &["DEPLOY_TOKEN"], "").status.code(), Some(2), "empty");
    assert!(set(&hub, &["DEPLOY_TOKEN"], &format!("{VALUE}\n")).status.success());
    let key = std::fs::metadata(hub.path().join("secret.key")).expect("it was made");
    assert_eq!((key.len(), key.permissions().mode() & 0o777), (32, 0o600));
    assert_eq!(hub.json(&["secret", "list"])[0]["name"], "DEPLOY_TOKEN");

    let ran = hub.run(&["run", "deploy", "pin=pin-of-kim", "--wait"]);
    let output = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success() && output.contains("token •••, pin •••"), "{output}");
    let result = [hub.ok(&["ps", "-o", "json"]), hub.ok(&["audit", "-o", "json"])].concat();
    assert!(!result.contains(VALUE) && !result.contains("pin-of-kim") && result.contains("•••"), "{result}");

    assert_eq!(hub.run(&["secret", "rm", "DEPLOY_TOKEN"]).status.code(), Some(2), "no terminal, no --yes");
    hub.ok(&["secret", "rm", "DEPLOY_TOKEN", "--yes"]);
    assert_eq!(hub.json(&["secret", "list"]), json!([]));
}

#[test]
fn progress_of_a_run_is_published_as_an_event() {
    let hub = Home::new(Kind::Sqlite);
    let (_process, _) = hub.up(&[]);
    let definition = json!({"key": "copy", "argv": ["{hostler}", "progress", "41", "half of it"], "max_attempts": 1});
    std::fs::write(file(&hub, "copy.json"), definition.to_string()).expect("writes");
    hub.ok(&["def", "apply", "-f", file(&hub, "copy.json").to_str().expect("a path")]);
    hub.ok(&["run", "copy", "--wait"]);
    // Events get their number after the commit, so poll for them.
    let mut events = (0..100).map(|_| hub.ok(&["api", "GET", "/api/v1/events"]));
    let is_published = events.any(|page| page.contains("job_run.progress") && page.contains("half of it"));
    assert!(is_published, "{}", hub.ok(&["api", "GET", "/api/v1/events"]));
    let outside = hub.run(&["progress", "41"]);
    let stderr = String::from_utf8_lossy(&outside.stderr).into_owned();
    assert!(outside.status.code() == Some(2) && stderr.contains("not inside a run"), "{stderr}");
    // The token of a run is not used as an API token: inside a run, commands still use the local socket.
    let secret = domain::secret::Secret::new(domain::secret::SecretKind::Run, [7; 32], &[]);
    let listed = hub.command(&["ps"]).env("HOSTLER_TOKEN", secret.reveal()).output().expect("runs");
    assert!(listed.status.success(), "{listed:?}");
}
