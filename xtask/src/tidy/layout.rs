//! Layout: no import cycles between the modules of a folder, and module lists that are complete.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use regex::Regex;

use super::{Source, sources};
use crate::root;

/// Allowed cycles: the folder, and the reason.
const ALLOWED_CYCLES: &[(&str, &str)] = &[
    (
        "crates/hub/src",
        "queue, link, alerts and scheduler call use cases of `app` and counters of `http`, which call the queue and the \
         link",
    ),
    (
        "crates/store/src",
        "a transaction holds a connection of either backend, each backend runs transactions and migrates its schema, and \
         `schema` prepares the statements of all resources",
    ),
];

/// The modules of a source file's folder: its path as a Rust module path, without the crate's name.
fn module_path(path: &str) -> Option<(String, Vec<String>)> {
    let (of, rest) = path.strip_prefix("crates/")?.split_once("/src/")?;
    let mut parts: Vec<String> = rest.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        parts.pop();
    }
    Some((of.to_owned(), parts))
}

/// The paths that a file names: every `crate::…`, `super::…` and `self::…`, with the trees of `use` unfolded.
fn named_paths(text: &str) -> Vec<Vec<String>> {
    let code: String =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect();
    let start = Regex::new(r"\b(?:crate|super|self)::").expect("a valid pattern");
    let mut found = Vec::new();
    for begin in start.find_iter(&code) {
        let before = code[..begin.start()].chars().next_back();
        if before.is_some_and(|letter| letter == ':' || letter == '$') {
            continue;
        }
        unfold(&code[begin.start()..], Vec::new(), &mut found);
    }
    found
}

/// Reads one path or tree; returns the text behind it.
fn unfold<'a>(mut text: &'a str, mut prefix: Vec<String>, found: &mut Vec<Vec<String>>) -> &'a str {
    loop {
        text = text.trim_start();
        if let Some(inside) = text.strip_prefix('{') {
            text = inside;
            loop {
                text = text.trim_start();
                if let Some(rest) = text.strip_prefix('}') {
                    return rest;
                }
                let rest = unfold(text, prefix.clone(), found).trim_start();
                let rest = rest.strip_prefix(',').unwrap_or(rest);
                if rest.len() == text.len() {
                    return rest;
                }
                text = rest;
            }
        }
        let length = text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(text.len());
        if length == 0 {
            let rest = text.strip_prefix('*').unwrap_or(text);
            found.push(prefix);
            return rest;
        }
        prefix.push(text[..length].to_owned());
        text = &text[length..];
        let Some(rest) = text.strip_prefix("::") else {
            found.push(prefix);
            // `as name`
            let alias = text.trim_start().strip_prefix("as ").map(str::trim_start);
            return alias.map_or(text, |name| {
                name.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_')
            });
        };
        text = rest;
    }
}

/// A path from the crate's root, for one that a module names.
fn absolute(from: &[String], named: &[String]) -> Vec<String> {
    let mut at: Vec<String> = from.to_vec();
    let mut rest = named;
    match rest.first().map(String::as_str) {
        Some("crate") => {
            at.clear();
            rest = &rest[1..];
        }
        Some("self") => rest = &rest[1..],
        _ => {}
    }
    while rest.first().map(String::as_str) == Some("super") {
        at.pop();
        rest = &rest[1..];
    }
    at.extend(rest.iter().cloned());
    at
}

/// For each folder, the modules in it that use each other.
fn imports(sources: &[Source]) -> BTreeMap<(String, Vec<String>), BTreeMap<String, BTreeSet<String>>> {
    let modules: BTreeSet<(String, Vec<String>)> =
        sources.iter().filter_map(|source| module_path(&source.path)).collect();
    let mut graph: BTreeMap<(String, Vec<String>), BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for source in sources {
        let Some((of, from)) = module_path(&source.path) else { continue };
        for named in named_paths(source.code()) {
            let to = absolute(&from, &named);
            // The edge is in the folder where the two paths diverge, between the two modules there.
            let shared = from.iter().zip(&to).take_while(|(left, right)| left == right).count();
            let (Some(left), Some(right)) = (from.get(shared), to.get(shared)) else { continue };
            let target: Vec<String> = to[..=shared].to_vec();
            if modules.contains(&(of.clone(), target)) {
                let folder = (of.clone(), from[..shared].to_vec());
                graph.entry(folder).or_default().entry(left.clone()).or_default().insert(right.clone());
            }
        }
    }
    graph
}

fn reaches(graph: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    let (mut open, mut seen) = (vec![from], BTreeSet::new());
    while let Some(at) = open.pop() {
        for next in graph.get(at).into_iter().flatten() {
            if next == to {
                return true;
            }
            if seen.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    false
}

#[test]
fn modules_of_a_folder_import_in_one_direction() {
    let sources: Vec<Source> = sources().into_iter().filter(|source| !source.is_test()).collect();
    let mut cycles = Vec::new();
    let mut allowed = BTreeSet::new();
    for ((of, folder), graph) in imports(&sources) {
        let cyclic: Vec<&str> =
            graph.keys().filter(|module| reaches(&graph, module, module)).map(String::as_str).collect();
        if cyclic.is_empty() {
            continue;
        }
        let mut path = format!("crates/{of}/src");
        folder.iter().for_each(|part| path += &format!("/{part}"));
        if ALLOWED_CYCLES.iter().any(|(name, _)| *name == path) {
            allowed.insert(path);
        } else {
            cycles.push(format!("{path}: {}", cyclic.join(", ")));
        }
    }
    println!("{} cycles, {} of them named", cycles.len() + allowed.len(), allowed.len());
    assert!(cycles.is_empty(), "modules that import each other:\n{}", cycles.join("\n"));
    let unused: Vec<_> = ALLOWED_CYCLES.iter().filter(|(name, _)| !allowed.contains(*name)).collect();
    assert!(unused.is_empty(), "cycles that are gone: {unused:?}");
}

#[test]
fn paths_of_use_trees_are_unfolded() {
    let text = "use super::{a::{self, B as C}, d}; fn f() { crate::x::y(); std::self_(); }\n// use super::z;\n";
    let paths: Vec<String> = named_paths(text).into_iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["super::a::self", "super::a::B", "super::d", "crate::x::y"]);
}

/// The folders with Rust files of a crate's `src`, with the file whose head lists the others.
fn folders() -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).expect("the folder can be read").flatten() {
        gather_folders(&entry.path().join("src"), &mut found);
    }
    found.sort();
    found
}

fn gather_folders(folder: &Path, found: &mut Vec<(PathBuf, PathBuf)>) {
    let heads = ["lib.rs", "main.rs", "mod.rs"].map(|name| folder.join(name));
    let head = heads.into_iter().find(|path| path.exists()).unwrap_or_else(|| folder.with_extension("rs"));
    found.push((folder.to_owned(), head));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        // Each file below `bin` is the root of a program.
        if entry.path().is_dir() && entry.file_name() != "bin" {
            gather_folders(&entry.path(), found);
        }
    }
}

fn shown(path: &Path) -> String {
    let base = root();
    path.strip_prefix(&base).unwrap_or(path).display().to_string()
}

#[test]
fn module_heads_list_their_files() {
    let item = Regex::new(r"^//! - `([\w]+)`: \S").expect("a valid pattern");
    let mut wrong = Vec::new();
    for (folder, head) in folders() {
        let text = std::fs::read_to_string(&head).unwrap_or_else(|error| panic!("{}: {error}", shown(&head)));
        let listed: BTreeSet<String> = text
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .filter_map(|line| Some(item.captures(line)?[1].to_owned()))
            .collect();
        let entries = std::fs::read_dir(&folder).expect("the folder can be read").flatten().map(|entry| entry.path());
        let mut there: BTreeSet<String> = entries
            .filter(|path| path.is_dir() || path.extension().is_some_and(|extension| extension == "rs"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .filter(|name| !["lib", "main", "mod"].contains(&name.as_str()))
            .collect();
        // Inline tests in a file of their own explain themselves.
        there.remove("tests");
        there.remove("bin");
        for name in there.difference(&listed) {
            wrong.push(format!("{} does not list `{name}`", shown(&head)));
        }
        for name in listed.difference(&there) {
            wrong.push(format!("{} lists `{name}`, which does not exist", shown(&head)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_of_the_walk_through_a_job_exist() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the file can be read");
    let step = Regex::new(r"(?m)^\| (\d+) \| `(crates/[\w/]+\.rs)` `(\w+)` \|").expect("a valid pattern");
    let mut count = 0;
    for captures in step.captures_iter(&map) {
        count += 1;
        let (number, path, function) = (&captures[1], &captures[2], &captures[3]);
        assert_eq!(number, count.to_string(), "the steps are numbered");
        let text = std::fs::read_to_string(root().join(path)).unwrap_or_else(|_| panic!("{path} does not exist"));
        let definition = Regex::new(&format!(r"\bfn {function}\b")).expect("a valid pattern");
        assert!(definition.is_match(&text), "{path} has no function `{function}`");
    }
    assert!((10..=20).contains(&count), "the walk has {count} steps");
}

#[test]
fn the_map_names_every_crate_and_folder() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the file can be read");
    let lines = map.lines().count();
    assert!(lines <= 200, "ARCHITECTURE.md has {lines} lines; details belong to module heads");
    let mut missing = Vec::new();
    let all = folders();
    for (folder, _) in &all {
        // `crates/hub/src/app/jobs` is `hub/app/jobs` on the map.
        let name = shown(folder).replace("crates/", "").replace("/src", "");
        if !map.contains(&format!("`{name}`")) {
            missing.push(format!("ARCHITECTURE.md does not name `{name}`"));
        }
    }
    let known: BTreeSet<String> =
        all.iter().map(|(folder, _)| shown(folder).replace("crates/", "").replace("/src", "")).collect();
    let crates: BTreeSet<&str> = known.iter().filter_map(|name| name.split('/').next()).collect();
    let named = Regex::new(r"`([a-z]+(?:/[a-z_]+)+)`").expect("a valid pattern");
    for captures in named.captures_iter(&map) {
        let name = &captures[1];
        let is_folder = name.split('/').next().is_some_and(|first| crates.contains(first));
        if is_folder && !known.contains(name) {
            missing.push(format!("ARCHITECTURE.md names `{name}`, which does not exist"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
