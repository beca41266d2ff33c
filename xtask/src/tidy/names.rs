//! Names: banned names of definitions (`words.txt`), unique type names in a crate, and the length of commit subjects.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use regex::Regex;

use super::{Source, sources};
use crate::root;

/// Type names that every module may define for itself.
const COMMON_TYPES: &[&str] = &["Row", "Error", "Options", "Kind", "Status"];

/// A definition: its crate, its kind, its name, and its file.
type Definition = (String, &'static str, String, String);

fn crate_of(path: &str) -> &str {
    path.strip_prefix("crates/").unwrap_or(path).split('/').next().unwrap_or_default()
}

/// Types, functions and modules of a source file. Items inside `impl` and `mod` blocks count too.
fn rust_definitions(source: &Source, found: &mut Vec<Definition>) {
    let item = Regex::new(
        r"(?m)^[ \t]*(?:pub(?:\([a-z: ]+\))?\s+)?(?:const\s+|async\s+|unsafe\s+)*(struct|enum|trait|type|fn|mod)\s+([A-Za-z_]\w*)",
    )
    .expect("a valid pattern");
    let mut add =
        |kind, name: &str| found.push((crate_of(&source.path).to_owned(), kind, name.to_owned(), source.path.clone()));
    for captures in item.captures_iter(&source.text) {
        let kind = match &captures[1] {
            "fn" => "function",
            "mod" => "module",
            // An associated type has no name of its own.
            "type" if captures[0].starts_with([' ', '\t']) => continue,
            _ => "type",
        };
        add(kind, &captures[2]);
    }
    let names: Vec<&str> = source.path.trim_end_matches(".rs").split('/').collect();
    let file = names.last().copied().unwrap_or_default();
    let module = if file == "mod" { names.get(names.len().wrapping_sub(2)).copied().unwrap_or_default() } else { file };
    add("module", module);
}

/// Tables and columns as the migrations leave them.
fn schema() -> Vec<Definition> {
    let mut tables: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let folder = root().join("crates/store/migrations/sqlite");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the folder can be read").flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(file).expect("the file can be read");
        let mut open: Option<String> = None;
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_matches(['"', ';', ','])).collect();
            match (words.as_slice(), &open) {
                (["create", "table", name, "(", ..], _) => open = Some((*name).to_owned()),
                (["alter", "table", from, "rename", "to", to], _) => {
                    let columns = tables.remove(*from).unwrap_or_default();
                    tables.insert((*to).to_owned(), columns);
                }
                (["alter", "table", table, "rename", "column", from, "to", to], _) => {
                    let columns = tables.entry((*table).to_owned()).or_default();
                    columns.remove(*from);
                    columns.insert((*to).to_owned());
                }
                (["alter", "table", table, "add", "column", column, ..], _) => {
                    tables.entry((*table).to_owned()).or_default().insert((*column).to_owned());
                }
                (["drop", "table", name], _) => {
                    tables.remove(*name);
                }
                ([first, ..], Some(_)) if first.starts_with(')') => open = None,
                ([column, _, ..], Some(table)) if !["primary", "unique", "check", "foreign", "--"].contains(column) => {
                    tables.entry(table.clone()).or_default().insert((*column).to_owned());
                }
                _ => {}
            }
        }
    }
    assert!(tables.len() > 60, "only {} tables were found", tables.len());
    let place = "crates/store/migrations".to_owned();
    let mut found = Vec::new();
    for (table, columns) in tables {
        found.push(("store".to_owned(), "table", table, place.clone()));
        found.extend(columns.into_iter().map(|column| ("store".to_owned(), "column", column, place.clone())));
    }
    found
}

/// Routes by their documentation, and visible commands by the enums of the command line.
fn routes_and_commands(source: &Source, found: &mut Vec<Definition>) {
    let add = |kind, name: String| (crate_of(&source.path).to_owned(), kind, name, source.path.clone());
    if source.path.starts_with("crates/hub/src/http/handlers/") {
        let route = Regex::new(r#"path = "(/[^"]*)""#).expect("a valid pattern");
        found.extend(route.captures_iter(&source.text).map(|captures| add("route", captures[1].to_owned())));
    }
    if source.path.starts_with("crates/hostler/src/") {
        let list = Regex::new(r"(?ms)^(?:pub(?:\(crate\))? )?enum \w*Command \{$(.*?)^\}").expect("a valid pattern");
        let variant = Regex::new(r"^    ([A-Z]\w*)").expect("a valid pattern");
        for captures in list.captures_iter(&source.text) {
            let mut is_hidden = false;
            for line in captures[1].lines() {
                is_hidden |= line.contains("hide = true");
                if let Some(name) = variant.captures(line) {
                    if !is_hidden {
                        found.push(add("command", kebab(&name[1])));
                    }
                    is_hidden = false;
                }
            }
        }
    }
}

fn kebab(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

fn definitions() -> Vec<Definition> {
    let mut found = schema();
    for source in &sources() {
        rust_definitions(source, &mut found);
        routes_and_commands(source, &mut found);
    }
    found
}

#[test]
fn no_definition_has_a_banned_name() {
    let text = std::fs::read_to_string(root().join("xtask/words.txt")).expect("the file can be read");
    let banned: BTreeSet<(&str, &str, &str)> = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
            [of, kind, name] => (of, kind, name),
            _ => panic!("words.txt: `{line}` is not a crate, a kind and a name"),
        })
        .collect();
    let all = definitions();
    for kind in ["type", "function", "module", "table", "column", "route", "command"] {
        assert!(all.iter().any(|definition| definition.1 == kind), "no definition of kind {kind} was found");
    }
    let hits: BTreeSet<String> = all
        .iter()
        .filter(|(of, kind, name, _)| {
            banned.contains(&(of.as_str(), kind, name.as_str())) || banned.contains(&("*", kind, name.as_str()))
        })
        .map(|(_, kind, name, path)| format!("{path}: {kind} `{name}`"))
        .collect();
    println!("{} banned words", hits.len());
    assert!(hits.is_empty(), "names that words.txt bans:\n{}", hits.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn type_names_are_unique_in_their_crate() {
    let mut places: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (of, kind, name, path) in definitions() {
        if kind == "type" && !COMMON_TYPES.contains(&name.as_str()) {
            places.entry((of, name)).or_default().push(path);
        }
    }
    let doubled: Vec<String> = places
        .iter()
        .filter(|(_, paths)| paths.len() > 1)
        .map(|((of, name), paths)| format!("{of}: `{name}` in {}", paths.join(", ")))
        .collect();
    println!("{} doubled type names", doubled.len());
    assert!(doubled.is_empty(), "type names that a crate defines more than once:\n{}", doubled.join("\n"));
}

#[test]
fn code_mentions_no_planning_documents() {
    let mention =
        Regex::new(r"(?i)contract\.md|\bseed (?:00\d|documents?|files?)\b|\bseeds/").expect("a valid pattern");
    for source in sources().iter().filter(|source| !source.path.starts_with("xtask/src/tidy/")) {
        for (number, line) in source.text.lines().enumerate() {
            assert!(!mention.is_match(line), "{}:{}: {}", source.path, number + 1, line.trim());
        }
    }
}

/// The rule holds from the commit that added the list of banned words.
#[test]
fn commit_subjects_are_short() {
    let git = |args: &[&str]| {
        let output =
            Command::new("git").args(args).current_dir(root()).output().ok().filter(|output| output.status.success());
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    // Without a history (a source archive) there is nothing to check.
    let Some(added) = git(&["log", "--diff-filter=A", "--format=%H", "--", "xtask/words.txt"]) else { return };
    let Some(first) = added.lines().last() else { return };
    let subjects = git(&["log", "--format=%s", &format!("{first}..HEAD")]).unwrap_or_default();
    for subject in subjects.lines() {
        assert!(subject.chars().count() <= 72, "a commit subject of {} characters: {subject}", subject.chars().count());
    }
}
