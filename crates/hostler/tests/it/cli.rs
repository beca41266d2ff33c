//! The command line: output streams, formats and exit codes.

use serde_json::Value;

use crate::hub::{Home, Kind};

#[test]
fn piped_output_is_tab_separated_without_colours() {
    let hub = Home::new(Kind::Sqlite);
    let (_process, _) = hub.up(&[]);
    let table = hub.ok(&["host", "list"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "NAME\tSTATUS\tCPU\tMEMORY\tDISK\tRUNNER\tSEEN\tLABELS");
    assert_eq!(lines.len(), 2);
    assert!(!table.contains('\x1b'), "no colours in a pipe");
    let name = lines[1].split('\t').next().expect("a name");
    assert_eq!(hub.ok(&["host", "list", "-o", "name"]).trim(), name);
    let listed = hub.json(&["host", "list"]);
    assert_eq!(listed[0]["name"], name);
    let jsonl = hub.ok(&["host", "list", "-o", "jsonl"]);
    assert_eq!(
        serde_json::from_str::<Value>(jsonl.lines().next().expect("a line")).expect("JSON")["id"],
        listed[0]["id"]
    );
    assert!(hub.ok(&["host", "list", "-o", "yaml"]).contains(&format!("name: {name}")));
    assert_eq!(hub.json(&["host", "list", "--fields", "name"]), serde_json::json!([{"name": name}]));
    assert_eq!(hub.json(&["host", "list", "--filter", "status:offline"]), serde_json::json!([]));
    assert_eq!(hub.json(&["host", "list", "--filter", "status:online"]).as_array().map(Vec::len), Some(1));

    let id = listed[0]["id"].as_str().expect("an id");
    for reference in [name, id, &id[..12], &id.to_lowercase()] {
        assert_eq!(hub.json(&["host", "show", reference])["id"], id, "{reference}");
    }
    for command in [
        &["status"][..],
        &["version"],
        &["whoami"],
        &["org", "show"],
        &["config", "show"],
        &["token", "list"],
        &["user", "list"],
        &["audit"],
        &["doctor"],
        &["org", "list"],
        &["context", "list"],
    ] {
        hub.json(command);
    }
}

#[test]
fn writes_support_dry_run_and_never_prompt_without_a_terminal() {
    let hub = Home::new(Kind::Sqlite);
    let (_process, _) = hub.up(&[]);
    let name = hub.ok(&["host", "list", "-o", "name"]).trim().to_owned();
    let dry = hub.run(&["host", "set", &name, "--always-on", "false", "--dry-run"]);
    assert_eq!(dry.status.code(), Some(20));
    assert!(dry.stdout.is_empty());
    assert_eq!(hub.json(&["host", "show", &name])["always_on"], true);
    hub.ok(&["host", "set", &name, "--always-on", "false"]);
    assert_eq!(hub.json(&["host", "show", &name])["always_on"], false);
    for command in [
        &["token", "create", "t", "--dry-run"][..],
        &["invite", "--dry-run"],
        &["host", "pause", &name, "--dry-run"],
        &["host", "rm", &name, "--dry-run"],
    ] {
        assert_eq!(hub.run(command).status.code(), Some(20), "{command:?}");
    }
    let refused = hub.run(&["host", "rm", &name]);
    assert_eq!(refused.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(stderr.contains(&format!("--confirm {name}")), "the hint names the flag");
    assert!(stderr.contains(&format!("error: removing host {name} cannot be undone")), "{stderr}");
    hub.ok(&["host", "label", &name, "env=prod", "zone=a"]);
    assert_eq!(hub.json(&["host", "list", "-l", "env=prod,zone in (a,b)"]).as_array().map(Vec::len), Some(1));
    hub.ok(&["host", "pause", &name, "--note", "new disk", "--until", "2h"]);
    assert_eq!(hub.json(&["host", "show", &name])["status"], "paused");
    hub.ok(&["host", "resume", &name]);
    hub.ok(&["host", "rm", &name, "--confirm", &name]);
    assert_eq!(hub.json(&["host", "list"]), serde_json::json!([]));
}

#[test]
fn login_saves_a_context_with_its_token() {
    let hub = Home::new(Kind::Sqlite);
    let (_process, url) = hub.up(&[]);
    let token = hub.ok(&["token", "create", "ci", "--role", "viewer"]);
    let laptop = Home::new(Kind::Sqlite);
    let signed = laptop.command(&["login", &url, "--token", token.trim(), "--name", "home"]).output().expect("runs");
    assert!(signed.status.success(), "{}", String::from_utf8_lossy(&signed.stderr));
    assert_eq!(laptop.json(&["whoami"])["kind"], "token");
    assert_eq!(laptop.json(&["host", "list"]).as_array().map(Vec::len), Some(1));
    assert_eq!(laptop.run(&["invite"]).status.code(), Some(5), "a viewer may not invite");
    assert_eq!(laptop.json(&["context", "list"])[0]["is_current"], true);
    hub.ok(&["token", "revoke", "ci"]);
    let revoked = laptop.run(&["host", "list"]);
    assert_eq!(revoked.status.code(), Some(4));
    laptop.ok(&["logout"]);
    assert_eq!(laptop.run(&["host", "list"]).status.code(), Some(8), "no hub is left");
}

#[test]
fn help_begins_with_a_summary_and_knows_all_topics() {
    let home = Home::new(Kind::Sqlite);
    let status = home.ok(&["status", "--help"]);
    assert!(status.starts_with("Show hub and host status"), "{status}");
    for topic in ["filters", "exit-codes", "environment", "formats", "options", "time", "not_found", "host"] {
        assert!(!home.ok(&["help", topic]).is_empty(), "{topic}");
    }
    assert_eq!(home.run(&["help", "nonsense"]).status.code(), Some(2));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(home.ok(&["completion", shell]).len() > 1_000, "{shell}");
    }
    assert!(home.ok(&["service", "install", "--print"]).contains("KillMode=process"));
    assert_eq!(home.run(&[]).status.code(), Some(2));
}
