//! The restic backup example, with its files unchanged and the real restic.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::json;

use crate::hub::{Home, Kind, file};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/restic");
/// The host and the label that the example's trigger names.
const HOST: &str = "laptop-kim";
const LABEL: &str = "backup-documents";

fn example(name: &str) -> String {
    format!("{EXAMPLE}/{name}")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// All files below a folder, by relative path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").to_owned();
                found.insert(name, std::fs::read(&path).expect("reads"));
            }
        }
    }
    found
}

/// Creates a folder with an empty file, a large file, binary content, and a name with a space.
fn documents(home: &Home) -> PathBuf {
    let folder = file(home, "Documents");
    std::fs::create_dir_all(folder.join("letters/2026")).expect("makes folders");
    let large: Vec<u8> = (0..3_000_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    for (name, bytes) in [
        ("notes.txt", b"first".as_slice()),
        ("empty", b""),
        ("photo.raw", &large),
        ("letters/2026/to the bank.txt", &[0, 255, 10, 13, 128]),
    ] {
        std::fs::write(folder.join(name), bytes).expect("writes");
    }
    folder
}

/// The id of the snapshot that a backup job saved.
fn snapshot(home: &Home, job: &str) -> String {
    let log = home.ok(&["logs", job]);
    let found = log.lines().find_map(|line| line.trim().strip_prefix("snapshot ")?.strip_suffix(" saved"));
    found.unwrap_or_else(|| panic!("no snapshot was saved:\n{log}")).to_owned()
}

#[test]
fn restic_example_backs_up_and_restores_a_folder() {
    let version = Command::new("restic").arg("version").stdout(Stdio::null()).status();
    assert!(version.is_ok_and(|status| status.success()), "restic is not installed: run make setup");
    let home = Home::new(Kind::Sqlite);
    let (_process, _) = home.up(&[]);
    let host = home.json(&["host", "list"])[0]["name"].as_str().expect("this machine").to_owned();
    home.ok(&["host", "set", &host, "--name", HOST, "--always-on", "false"]);
    home.ok(&["def", "apply", "-f", &example("definitions.toml")]);
    std::fs::write(file(&home, "password"), "correct horse battery staple\n").expect("writes");
    let password = std::fs::File::open(file(&home, "password")).expect("opens");
    let set = home.command(&["secret", "set", "RESTIC_PASSWORD"]).stdin(password).output().expect("runs");
    assert!(set.status.success(), "{set:?}");

    let (folder, repository) = (documents(&home), file(&home, "repository"));
    let at = format!("repository={}", text(&repository));
    home.ok(&["run", "restic-init", &at, "--on", HOST, "--wait"]);
    assert!(repository.join("config").exists());
    let trigger = example("trigger.toml");
    home.ok(&["trigger", "apply", "-f", &trigger]);
    let made = home.json(&["trigger", "show", LABEL]);
    assert_eq!((&made["missed"], &made["jitter"], &made["place"]), (&json!("once"), &json!(900), &json!("hub")));
    assert_eq!(made["description"], "at 12:00 every day");
    home.ok(&["trigger", "edit", LABEL, &at, &format!("path={}", text(&folder))]);

    let before = files(&folder);
    let first = home.ok(&["trigger", "fire", LABEL, "--wait"]);
    std::fs::write(folder.join("notes.txt"), b"second, and longer").expect("writes");
    let after = files(&folder);
    assert_ne!(before, after);
    home.ok(&["trigger", "fire", LABEL, "--wait"]);

    let earlier = format!("snapshot={}", snapshot(&home, first.trim()));
    for (name, which, expected) in [("latest", None, &after), ("earlier", Some(earlier.as_str()), &before)] {
        let target = file(&home, name);
        let to = format!("target={}", text(&target));
        let args = ["run", "restic-restore", &at, &to, "--on", HOST, "--wait"];
        home.ok(&[&args[..], which.as_slice()].concat());
        let restored = target.join(folder.strip_prefix("/").expect("absolute"));
        // Not assert_eq, which would print twelve megabytes.
        assert!(files(&restored) == *expected, "{name}: the restored files differ from the original ones");
    }
    for args in [&["restic-check", &at, "subset=1/1"][..], &["restic-forget", &at, "daily=1"]] {
        home.ok(&[&["run"], args, &["--on", HOST, "--wait"]].concat());
    }
    let result = [home.ok(&["ps", "-o", "json"]), home.ok(&["audit", "-o", "json"])].concat();
    assert!(!result.contains("correct horse"), "{result}");
}
