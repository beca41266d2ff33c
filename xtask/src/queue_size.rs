//! Size of the queue: lines, modules, functions and statements, of this tree or another one.
//!
//! `cargo xtask queue-size [DIR]` prints one figure per line, so that two trees can be compared with `diff`.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use regex::Regex;

/// Files and folders of the queue, in all versions of the layout.
const PARTS: &[(&str, &[&str])] = &[
    ("hub/queue", &["crates/hub/src/queue"]),
    ("hub/batcher", &["crates/hub/src/batcher.rs"]),
    ("hub/link/work", &["crates/hub/src/link/work.rs"]),
    ("hub/deferred_auth", &["crates/hub/src/http/deferred_auth.rs"]),
    (
        "store",
        &[
            "crates/store/src/resource/queue/insert.rs",
            "crates/store/src/resource/queue/claim.rs",
            "crates/store/src/resource/queue/claim",
            "crates/store/src/resource/queue/lease.rs",
            "crates/store/src/resource/queue/lane.rs",
            "crates/store/src/resource/queue/holder.rs",
            "crates/store/src/resource/queue/quota.rs",
            "crates/store/src/postgres/deferred.rs",
            "crates/store/src/postgres/statement.rs",
        ],
    ),
];
/// Tables whose statements are counted.
const TABLES: &[&str] = &["job", "ready", "waiting", "lease", "run", "outcome", "holder", "quota", "host_usage"];

fn rust_files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_file() {
        found.push(path.to_owned());
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() || entry.extension().is_some_and(|extension| extension == "rs") {
            rust_files(&entry, found);
        }
    }
}

/// The code of a file without comments, blank lines and tests.
fn production(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    text.lines().filter(is_code).map(|line| format!("{line}\n")).collect()
}

/// Prints the figures of a tree.
pub(crate) fn print(root: &Path) {
    let (mut lines, mut modules, mut code) = (0, 0, String::new());
    for (part, paths) in PARTS {
        let mut files = Vec::new();
        paths.iter().for_each(|path| rust_files(&root.join(path), &mut files));
        files.retain(|file| {
            !matches!(file.file_name().and_then(|name| name.to_str()), Some("test_support.rs" | "model_tests.rs"))
        });
        let texts: Vec<String> =
            files.iter().map(|file| production(&std::fs::read_to_string(file).unwrap_or_default())).collect();
        let count: usize = texts.iter().map(|text| text.lines().count()).sum();
        println!("lines {part}: {count}");
        println!("modules {part}: {}", files.len());
        lines += count;
        modules += files.len();
        code.extend(texts);
    }
    println!("lines: {lines}");
    println!("modules: {modules}");
    for (what, pattern) in [
        ("functions that insert leases (claim)", r"\.lease_insert\("),
        ("functions that delete leases (finish)", r"\.(?:lease_take|lease_end|turn_end)\("),
        ("functions that insert jobs (enqueue)", r"\.job_insert\("),
        ("statements sent optimistically", r"(?:write_optimistic|boldly)\("),
        ("back-offs", r"(?m)^const (?:TIMID_FOR|BLIND_FOR|ALONE_FOR|HEAVY_FOR|\w*BACK_?OFF\w*):"),
    ] {
        let pattern = Regex::new(pattern).expect("a valid pattern");
        println!("{what}: {}", pattern.find_iter(&code).count());
    }
    for table in TABLES {
        let pattern = Regex::new(&format!(r"\b(?:insert into|update|delete from) {table}\b")).expect("a valid pattern");
        // A pair has a text for each database.
        let texts: BTreeSet<&str> = pattern.find_iter(&code).map(|found| found.as_str()).collect();
        println!("texts that write {table}: {} ({})", pattern.find_iter(&code).count(), texts.len());
    }
    println!("modules in import cycles of hub/queue: {}", cycles(&root.join("crates/hub/src/queue")).len());
}

/// The modules directly below a folder that import each other in a cycle.
fn cycles(folder: &Path) -> BTreeSet<String> {
    let mut files = Vec::new();
    rust_files(folder, &mut files);
    let module = |file: &Path| {
        let rest = file.strip_prefix(folder).ok()?;
        let first = rest.components().next()?.as_os_str().to_str()?;
        Some(first.trim_end_matches(".rs").to_owned()).filter(|name| name != "mod")
    };
    let names: BTreeSet<String> = files.iter().filter_map(|file| module(file)).collect();
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let path = Regex::new(r"(?:super|queue)::(?:super::)?(?:\{([^;]*)\}|(\w+))").expect("a valid pattern");
    let word = Regex::new(r"\b[a-z_]+\b").expect("a valid pattern");
    for file in &files {
        let Some(own) = module(file) else { continue };
        let text = production(&std::fs::read_to_string(file).unwrap_or_default());
        for captures in path.captures_iter(&text) {
            let named = captures.get(1).or_else(|| captures.get(2)).map_or("", |found| found.as_str());
            let others = word.find_iter(named).map(|found| found.as_str().to_owned());
            imports
                .entry(own.clone())
                .or_default()
                .extend(others.filter(|other| names.contains(other) && *other != own));
        }
    }
    let reaches = |from: &String| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(one) = next.pop() {
            for other in imports.get(&one).into_iter().flatten() {
                if seen.insert(other.clone()) {
                    next.push(other.clone());
                }
            }
        }
        seen
    };
    names.into_iter().filter(|name| reaches(name).contains(name)).collect()
}
