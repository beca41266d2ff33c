//! Licences of all dependencies, and banned crates. The list of licences is that of `deny.toml`.

use std::process::Command;

use serde_json::Value;

use crate::root;

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

fn allowed() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml exists");
    let list = text.split("allow = [").nth(1).and_then(|rest| rest.split(']').next()).expect("a list of licences");
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether a licence expression such as `MIT OR (Apache-2.0 AND ISC)` can be satisfied by the list.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let plain = expression.replace('/', " OR ").replace(['(', ')'], " ");
    let choices = plain.split(" OR ").map(|choice| choice.split(" AND ").map(str::trim).collect::<Vec<_>>());
    choices.into_iter().any(|all| all.iter().all(|one| allowed.iter().any(|allowed| allowed == one)))
}

#[test]
fn licences_are_permissive() {
    let allowed = allowed();
    assert!(allowed.len() > 5, "{allowed:?}");
    let packages = packages();
    assert!(packages.len() > 200, "only {} packages", packages.len());
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence, &allowed), "{} {} has the licence {licence}", package["name"], package["version"]);
    }
}

#[test]
fn there_is_one_tls_library_and_one_sqlite() {
    let names: Vec<String> =
        packages().iter().filter_map(|package| package["name"].as_str().map(str::to_owned)).collect();
    for foreign in ["openssl-sys", "aws-lc-sys", "native-tls"] {
        assert!(!names.iter().any(|name| name == foreign), "{foreign} is a dependency");
    }
    assert_eq!(names.iter().filter(|name| *name == "libsqlite3-sys").count(), 1);
}

#[test]
fn expressions_are_read() {
    let allowed = ["MIT".to_owned(), "ISC".to_owned()];
    assert!(is_allowed("GPL-3.0 OR MIT", &allowed));
    assert!(is_allowed("MIT/Apache-2.0", &allowed));
    assert!(!is_allowed("MIT AND GPL-3.0", &allowed));
}
