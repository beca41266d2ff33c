//! Tidy tests: rules of ARCHITECTURE.md and STYLE.md that a program can check.

mod layout;
mod names;
mod prose;
mod unsafe_code;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::root;

/// Most lines of a file, without its inline tests.
const FILE_LINES_MAX: usize = 700;
/// Most lines of a function.
const FUNCTION_LINES_MAX: usize = 70;

/// A Rust source file of the workspace.
struct Source {
    path: String,
    text: String,
}

fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for folder in ["crates", "xtask"] {
        collect(&root().join(folder), &mut found);
    }
    assert!(found.len() > 80, "only {} files were found", found.len());
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
            found.push(Source { path: name, text: fs::read_to_string(&path).expect("the file can be read") });
        }
    }
}

impl Source {
    fn is_test(&self) -> bool {
        self.path.contains("/tests/")
    }

    /// The lines before the inline tests.
    fn code(&self) -> &str {
        self.text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default()
    }
}

#[test]
fn files_have_one_subject() {
    for source in sources().iter().filter(|source| !source.is_test()) {
        let lines = source.code().lines().count();
        assert!(lines <= FILE_LINES_MAX, "{} has {lines} lines; split it by subject", source.path);
    }
}

#[test]
fn functions_fit_a_screen() {
    let mut long = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        let mut began: Option<(usize, usize, String)> = None;
        for (number, line) in source.code().lines().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let words = line.trim_start();
            let is_start = [
                "fn ",
                "pub fn ",
                "async fn ",
                "pub async fn ",
                "pub(crate) fn ",
                "pub(crate) async fn ",
                "pub(super) fn ",
                "pub(super) async fn ",
            ]
            .iter()
            .any(|start| words.starts_with(start));
            if is_start && line.trim_end().ends_with(['{', '(', ',']) {
                began = Some((number, indent, words.to_owned()));
            }
            if let Some((start, at, name)) = &began
                && words.starts_with('}')
                && indent == *at
                && number > *start
            {
                // A table of routes is one statement, however long it grows.
                let length = number - start + 1;
                if length > FUNCTION_LINES_MAX && !name.starts_with("fn table(routes: Routes)") {
                    long.push(format!("{}:{}: `{name}` has {length} lines", source.path, start + 1));
                }
                began = None;
            }
        }
    }
    assert!(long.is_empty(), "functions that do not fit a screen:\n{}", long.join("\n"));
}

#[test]
fn nothing_is_left_undone() {
    // Split, so that the test does not match its own source.
    let marks = [
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("#[ign", "ore"),
        concat!("dbg", "!("),
    ];
    for source in sources() {
        for mark in marks {
            assert!(!source.text.contains(mark), "{} holds `{mark}`", source.path);
        }
    }
}

#[test]
fn every_module_says_what_it_owns() {
    for source in sources() {
        assert!(source.text.starts_with("//!"), "{} does not begin with a `//!` paragraph", source.path);
    }
}

#[test]
fn public_items_are_documented() {
    let items = ["pub fn ", "pub async fn ", "pub struct ", "pub enum ", "pub trait ", "pub type "];
    for source in sources().iter().filter(|source| !source.is_test()) {
        let lines: Vec<&str> = source.code().lines().collect();
        for (number, line) in lines.iter().enumerate() {
            if !items.iter().any(|item| line.trim_start().starts_with(item)) {
                continue;
            }
            let before = lines[..number].iter().rev().find(|line| {
                let line = line.trim_start();
                !line.starts_with("#[")
                    && !line.starts_with(')')
                    && !line.starts_with("reason")
                    && !line.ends_with(",)]")
                    && !line.ends_with(")]")
            });
            // Inside a macro the documentation comes from its caller.
            let is_documented = line.contains('$') || before.is_some_and(|line| line.trim_start().starts_with("///"));
            assert!(is_documented, "{}:{}: `{}` has no documentation", source.path, number + 1, line.trim());
        }
    }
}

/// The workspace crates that each crate may use. Dependencies point down; `hub` and `runner` never use each other.
fn allowed() -> BTreeMap<&'static str, Vec<&'static str>> {
    BTreeMap::from([
        ("domain", vec![]),
        ("proto", vec!["domain"]),
        ("store", vec!["domain"]),
        ("runtime", vec!["domain"]),
        ("notify", vec!["domain"]),
        ("shim", vec![]),
        ("web", vec![]),
        ("hub", vec!["domain", "proto", "store", "runtime", "notify", "web"]),
        ("runner", vec!["domain", "proto", "store", "runtime", "shim"]),
        ("hostler", vec!["domain", "proto", "store", "runtime", "hub", "runner", "web"]),
        ("testkit", vec!["domain", "store", "runtime"]),
        ("hostile", vec!["domain", "proto"]),
        ("xtask", vec!["domain", "hub", "proto"]),
    ])
}

/// The crates that may depend on a foreign crate.
const OWNERS: &[(&str, &[&str])] = &[
    ("sqlx", &["store", "testkit"]),
    ("axum", &["hub", "web"]),
    ("clap", &["hostler"]),
    ("reqwest", &["hostler", "notify"]),
    ("croner", &["domain"]),
    ("aho-corasick", &["domain"]),
    ("lettre", &["notify"]),
    ("tokio-tungstenite", &["runner", "hostile"]),
    ("rand", &["runtime", "web"]),
    ("libc", &["shim"]),
    ("rustix", &["runner"]),
    ("zbus", &["runner"]),
];

fn metadata() -> serde_json::Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

/// Each workspace crate with its normal dependencies.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| {
            let listed = package["dependencies"].as_array().expect("dependencies").iter();
            let normal = listed
                .filter(|dependency| dependency["kind"].is_null())
                .map(|dependency| dependency["name"].as_str().expect("a name").to_owned());
            (package["name"].as_str().expect("a name").to_owned(), normal.collect())
        })
        .collect()
}

#[test]
fn dependencies_point_down() {
    let (allowed, found) = (allowed(), dependencies());
    assert_eq!(
        found.keys().map(String::as_str).collect::<Vec<_>>(),
        allowed.keys().copied().collect::<Vec<_>>(),
        "every crate has a rule"
    );
    for (name, uses) in &found {
        for other in uses.iter().filter(|other| allowed.contains_key(other.as_str())) {
            assert!(allowed[name.as_str()].contains(&other.as_str()), "{name} must not use {other}");
        }
    }
}

#[test]
fn foreign_crates_have_their_owners() {
    for (name, uses) in dependencies() {
        for (foreign, owners) in OWNERS {
            assert!(!uses.contains(*foreign) || owners.contains(&name.as_str()), "{name} must not use {foreign}");
        }
    }
}

#[test]
fn every_dependency_is_used() {
    for (name, uses) in dependencies() {
        let folder = if name == "xtask" { PathBuf::from("xtask") } else { PathBuf::from("crates").join(&name) };
        let mut own = Vec::new();
        collect(&root().join(folder), &mut own);
        for dependency in uses {
            // It only sets a minimum version.
            if dependency == "libsqlite3-sys" {
                continue;
            }
            let word = dependency.replace('-', "_");
            let is_used = own.iter().any(|source| {
                source.text.contains(&format!("{word}::")) || source.text.contains(&format!("use {word}"))
            });
            assert!(is_used, "{name} does not use {dependency}");
        }
    }
}

#[test]
fn the_domain_is_pure() {
    let impure = [
        "async fn",
        "SystemTime",
        "Instant::now",
        "std::fs",
        "TcpStream",
        "UdpSocket",
        "std::env",
        "println!",
        "HashMap",
    ];
    for source in sources().iter().filter(|source| source.path.starts_with("crates/domain/")) {
        for word in impure {
            assert!(!source.text.contains(word), "{} uses {word}, but the domain is pure", source.path);
        }
    }
}

#[test]
fn every_store_function_is_tested() {
    let all = sources();
    let tests: String = all
        .iter()
        .filter(|source| source.path.starts_with("crates/store/tests/"))
        .map(|source| source.text.as_str())
        .collect();
    let mut count = 0;
    for source in all.iter().filter(|source| source.path.starts_with("crates/store/src/")) {
        for line in source.text.lines().filter_map(|line| line.trim_start().strip_prefix("pub async fn ")) {
            let name = line.split(['(', '<']).next().unwrap_or_default();
            assert!(tests.contains(&format!("{name}(")), "{}: no test of the store calls `{name}`", source.path);
            count += 1;
        }
    }
    assert!(count > 60, "only {count} functions were found");
}

#[test]
fn migrations_come_in_pairs() {
    let names = |kind: &str| -> BTreeSet<String> {
        let folder = root().join("crates/store/migrations").join(kind);
        fs::read_dir(folder)
            .expect("the folder can be read")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    };
    assert_eq!(names("sqlite"), names("postgres"));
    assert!(!names("sqlite").is_empty());
}

#[test]
fn error_pages_help() {
    for code in proto::Code::ALL {
        let page = code.page();
        assert!(page.starts_with(&format!("# {code}\n")), "docs/errors/{code}.md does not begin with its code");
        for part in ["## What", "## Why", "## What to do"] {
            assert!(page.contains(part), "docs/errors/{code}.md has no `{part}`");
        }
    }
    let pages = fs::read_dir(root().join("docs/errors")).expect("the folder can be read").flatten();
    for page in pages.map(|entry| entry.file_name().to_string_lossy().into_owned()).filter(|name| name != "README.md") {
        let code = page.trim_end_matches(".md");
        assert!(code.parse::<proto::Code>().is_ok(), "docs/errors/{page} has no error code");
    }
}
